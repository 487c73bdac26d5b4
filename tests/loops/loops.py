"""Loops of kernels.c: where they are in a compiler's text, how long they take, and what OSACA and
llvm-mca say of them. Called by scripts/loops.

    loops.py count TEXT OUT           the same text with a counter at the head of each loop
    loops.py predict TEXT ARCH OUT    what OSACA says of each loop, as JSON (its data: $HOME/.osaca)
    loops.py table FOLDER             all figures side by side
"""

import json
import re
import statistics
import sys
from pathlib import Path

from predictors import Osaca, mca

LABEL = re.compile(r"^(\.L[\w.$]+|[A-Za-z_][\w.$]*):")
JUMP = re.compile(r"^\s+(j\w+)\s+(\.L[\w.$]+)")
FUNCTION = re.compile(r"^kernel_(\w+):")


def loops(text):
    """The innermost loops: (function, line of the head, line of the jump back), lines from 0."""
    function, labels, found = None, {}, []
    for at, line in enumerate(text):
        if match := FUNCTION.match(line):
            function, labels = match.group(1), {}
        elif match := LABEL.match(line):
            labels[match.group(1)] = at
        elif function and (match := JUMP.match(line)) and match.group(2) in labels:
            found.append((function, labels[match.group(2)], at))
    inner = [one for one in found if not any(holds(one, other) for other in found)]
    # Of two jumps to one head the first is a path of the loop, and the last is its end.
    last = {(function, head): (function, head, end) for function, head, end in sorted(inner)}
    return list(last.values())


def holds(one, other):
    """Whether a loop has another one in it."""
    return one != other and one[1] < other[1] and other[2] < one[2]


def instructions(text, loop):
    """The loop's instructions, without labels, directives and comments."""
    _, head, end = loop
    lines = (re.split(r"\s#|\s//", line)[0].strip() for line in text[head : end + 1])
    return [line for line in lines if line and not line.startswith((".", "#")) and not LABEL.match(line)]


def count(source, out):
    """Counts how often each head is passed. The flags and the red zone stay."""
    text = Path(source).read_text().splitlines()
    found = loops(text)
    at = {}
    for number, (_, head, _) in enumerate(found):
        at.setdefault(head, []).append(number)
    lines = []
    for line_number, line in enumerate(text):
        lines.append(line)
        for number in at.get(line_number, []):
            lines += [
                "\tleaq -256(%rsp), %rsp",
                "\tpushfq",
                f"\tincq loop_counts+{8 * number}(%rip)",
                "\tpopfq",
                "\tleaq 256(%rsp), %rsp",
            ]
    lines += [
        "\t.globl loop_counts, loop_count",
        "\t.section .rodata",
        f"loop_count: .quad {len(found)}",
        "\t.bss",
        "\t.balign 8",
        f"loop_counts: .zero {8 * max(1, len(found))}",
        "\t.section .note.GNU-stack,\"\",@progbits",
    ]
    Path(out).write_text("\n".join(lines) + "\n")


def hot(source, counts):
    """Of each kernel the loop that executes most, and how often between the two lengths."""
    text = Path(source).read_text().splitlines()
    found = loops(text)
    passed = {}
    for line in Path(counts).read_text().splitlines():
        name, length, *numbers = line.split()
        passed.setdefault(name, []).append([int(number) for number in numbers])
    hottest = {}
    for name, (short, long) in passed.items():
        between = [after - before for before, after in zip(short, long)]
        own = [n for n, loop in enumerate(found) if loop[0] == name and between[n] > 0]
        if own:
            best = max(own, key=lambda n: between[n] * len(instructions(text, found[n])))
            # A second loop beside it (a remainder) that takes part of the time is none of ours.
            work = [between[n] * len(instructions(text, found[n])) for n in own]
            if max(work) >= 0.9 * sum(work):
                hottest[name] = (found[best], between[best])
    return text, hottest


def predict(source, counts, arch, out):
    """What OSACA says of each hot loop."""
    text, hottest = hot(source, counts)
    osaca = Osaca(arch)
    figures = {name: osaca.predict(instructions(text, loop)) for name, (loop, _) in hottest.items()}
    Path(out).write_text(json.dumps(figures, indent=1))


def table(folder, cpu, program):
    """Measured and predicted, loop by loop."""
    folder = Path(folder)
    rows = []
    unknown = {}
    for source in sorted(folder.glob("*.s")):
        compiler = source.stem
        if compiler.endswith(".count"):
            continue
        text, hottest = hot(source, folder / f"{compiler}.counts")
        times = dict(line.split() for line in (folder / f"{compiler}.times").read_text().splitlines())
        said = {
            who: json.loads((folder / f"{compiler}.{who}.json").read_text()) for who in ("winic", "osaca")
        }
        for name, (loop, passed) in hottest.items():
            row = {"loop": f"{compiler}/{name}", "measured": float(times[name]) / passed}
            for who in said:
                figure = said[who].get(name, {"error": "nothing"})
                if figure.get("unknown"):
                    unknown.setdefault(who, {})[row["loop"]] = figure["unknown"]
                row[who] = max(figure["ports"], figure["chain"]) if "ports" in figure else None
                row[f"{who} bound"] = (
                    figure.get("error") or ("chain" if figure["chain"] > figure["ports"] else "ports")
                )
            row["llvm-mca"] = mca(instructions(text, loop), [f"-mcpu={cpu}"], program)
            rows.append(row)
    sources = ["winic", "osaca", "llvm-mca"]
    print(f"{'loop':<20} {'measured':>9}" + "".join(f" {who:>9} {'error':>7}" for who in sources))
    errors = {who: [] for who in sources}
    for row in rows:
        line = f"{row['loop']:<20} {row['measured']:>9.2f}"
        for who in sources:
            known = row[who]
            if known is None:
                line += f" {'-':>9} {'':>7}"
                continue
            error = known / row["measured"] - 1
            is_known = row["loop"] not in unknown.get(who, {})
            errors[who].append((abs(error), is_known))
            line += f" {known:>9.2f} {100 * error:>+6.0f}%" + ("" if is_known else "?")
        print(line + f"  {row['winic bound']}")
    for who in sources:
        every = [error for error, _ in errors[who]]
        whole = [error for error, is_known in errors[who] if is_known]
        if every:
            print(
                f"{who}: mean error {100 * statistics.mean(every):.1f} %, median "
                f"{100 * statistics.median(every):.1f} %, of {len(every)} loops; without those with unknown "
                f"instructions {100 * statistics.mean(whole or [0]):.1f} % of {len(whole)}"
            )
        for loop, lines in unknown.get(who, {}).items():
            print(f"  {who} does not know, in {loop}: {'; '.join(lines)}")
    return 1 if unknown.get("winic") else 0


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    sys.exit({"count": count, "predict": predict, "table": table}[what](*rest))
