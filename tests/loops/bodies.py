"""Random straight-line bodies of AArch64: what OSACA and llvm-mca say of them. Called by scripts/bodies.

    bodies.py draw FOLDER COUNT SEED              bodies, into FOLDER/bodies.json
    bodies.py predict FOLDER ARCH                 what OSACA says of each (its data: $HOME/.osaca)
    bodies.py table FOLDER CPU MCA WINIC DATABASE all figures, and why those differ that do

Bodies are 3 to 12 instructions of bodies-aarch64.txt. Each is of a kind, as code is: of integers, of
floating-point numbers, of vectors of either. Registers are of small pools, so that some instructions wait for
others, of the same iteration and of those before. What is stored is not loaded again: addresses of loads and of stores are
in registers of their own. (A compiler keeps such a value in a register; and LLVM, unless it is told otherwise,
takes loads and stores to be of different cells.)

Two figures are the same if they are within 5 % of each other, or within 0.1 cycles: OSACA spreads
operations over ports in steps of 0.01 cycles and rounds the sums, which adds up to so much over a body of twelve.
"""

import collections
import json
import os
import random
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from predictors import Osaca, mca

TARGET = ["-mtriple=aarch64"]
LENGTHS = range(3, 13)
# How often each kind of body is drawn, and of which sections its instructions are how often.
KINDS = {
    "integer": (
        4,
        {"integer": 8, "shifts": 4, "flags": 4, "products": 2, "quotients": 0.2, "loads": 5, "stores": 3},
    ),
    "floating-point": (
        2,
        {"floating-point": 10, "roots": 0.5, "vector loads": 3, "vector stores": 2, "integer": 2, "loads": 1},
    ),
    "vectors": (2, {"vectors": 7, "lanes": 5, "vector loads": 3, "vector stores": 2, "integer": 2}),
    "vectors of numbers": (
        2,
        {
            "vectors of numbers": 10,
            "vector quotients": 0.3,
            "lanes": 1,
            "vector loads": 4,
            "vector stores": 2,
            "integer": 2,
        },
    ),
}
# Numbers of registers: data, addresses that are loaded from, addresses that are stored to.
DATA, LOADED, STORED = range(0, 8), range(10, 13), range(13, 15)
CONDITIONS = ["eq", "ne", "hs", "lo", "hi", "ls", "ge", "lt", "gt", "le"]
MASKS = [1, 7, 0xFF, 0xFFFF, 0x7FFFFFFF, 0x7FFFFFFE]
SAME, SAME_CYCLES = 0.05, 0.1
LEAST = 0.95
# Bodies that are shown of each cause.
SHOWN = 5


def sections():
    """The templates of each section of bodies-aarch64.txt."""
    found, current = {}, None
    for line in Path(__file__).with_name("bodies-aarch64.txt").read_text().splitlines():
        if line.startswith("["):
            current = found.setdefault(line.strip("[]"), [])
        elif line and not line.startswith(";"):
            current.append(line)
    return found


def filled(template, draw):
    """A template with random registers and numbers in its places."""
    used = set()

    def register(letter):
        free = [number for number in DATA if letter.islower() or number not in used]
        number = draw.choice(free)
        used.add(number)
        return f"{letter.lower()}{number}"

    others = {
        "p": lambda: f"x{draw.choice(LOADED)}",
        "t": lambda: f"x{draw.choice(STORED)}",
        "c": lambda: draw.choice(CONDITIONS),
        "n": lambda: str(draw.randint(1, 31)),
        "k": lambda: str(draw.randint(1, 7)),
        "i": lambda: str(draw.randint(1, 4095)),
        "m": lambda: hex(draw.choice(MASKS)),
        "o8": lambda: str(8 * draw.randint(1, 16)),
    }
    # (An address that is written back is the one that was read: one register.)
    if template.startswith("add {p}") or template.startswith("add {t}"):
        address = others[template[5]]()
        template = template.replace("{p}", address).replace("{t}", address)

    def fill(match):
        return others[match[1]]() if match[1] in others else register(match[1])

    return re.sub(r"\{(\w+)\}", fill, template)


def bodies(count, seed):
    """So many random bodies."""
    templates, draw = sections(), random.Random(seed)
    kinds = list(KINDS)
    for _ in range(count):
        kind = draw.choices(kinds, [KINDS[kind][0] for kind in kinds])[0]
        share = KINDS[kind][1]
        chosen = draw.choices(list(share), list(share.values()), k=draw.choice(LENGTHS))
        yield {"kind": kind, "text": [filled(draw.choice(templates[section]), draw) for section in chosen]}


def draw(folder, count, seed):
    """Writes bodies."""
    drawn = [{**body, "number": number} for number, body in enumerate(bodies(int(count), int(seed)))]
    Path(folder, "bodies.json").write_text(json.dumps(drawn, indent=1))


def predict(folder, arch):
    """Adds what OSACA says. Flags pass something on, as they do to LLVM (`osaca -f`)."""
    osaca = Osaca(arch, flags=True)
    drawn = json.loads(Path(folder, "bodies.json").read_text())
    for body in drawn:
        body["osaca"] = osaca.predict(body["text"])
    Path(folder, "osaca.json").write_text(json.dumps(drawn, indent=1))


def is_same(one, other):
    """Whether two figures agree."""
    return abs(one - other) <= max(SAME_CYCLES, SAME * max(one, other))


def by_database(drawn, folder, winic, database):
    """What winic itself says of bodies by the same database, with every latency and port: each bound, by the
    numbers of the bodies."""
    def region(body):
        return ["// LLVM-MCA-BEGIN %s" % body["number"], *body["text"], "// LLVM-MCA-END"]

    text = Path(folder, "bodies.s")
    text.write_text("\n".join(line for body in drawn for line in region(body)) + "\n")
    command = [winic, "predict", str(text), "--database", database, "--json"]
    said = subprocess.run(command, capture_output=True, text=True, check=False)
    if not said.stdout:
        sys.exit(f"bodies.py: {' '.join(command)}: {said.stderr.strip()}")
    return {int(it["name"]): bounds(it["predicted"]) for it in json.loads(said.stdout)["regions"]}


def bounds(predicted):
    """Each bound of a prediction."""
    def cycles(bound):
        return (predicted[bound] or {"cycles": 0.0})["cycles"]

    return {
        "all": predicted["cycles"],
        "chain": cycles("chain"),
        "iterations": (predicted["chain"] or {"iterations": 1})["iterations"],
        "ports": max(cycles("ports"), cycles("byThroughput")),
        "front end": predicted["frontEnd"] or 0.0,
    }


WHOLE = "LLVM's front end splits no instruction, and OSACA sums places"
SEVERAL = "a chain passes an operand whose latency is not that of the form, and OSACA has one"
LATER = "a chain closes after several iterations, and OSACA follows one"
# What OSACA has no words for, whatever the model.
INEXPRESSIBLE = (WHOLE, SEVERAL, LATER)


def cause(body):
    """Why OSACA and LLVM differ about a body: winic's own bounds tell what OSACA has no words for from what is
    wrong in the database."""
    osaca, llvm, ours = body["osaca"], body["llvm"], body["winic"]
    if not is_same(ours["all"], llvm):
        return f"the database says {'more' if ours['all'] > llvm else 'less'} than LLVM takes"
    if ours["front end"] >= max(ours["chain"], ours["ports"]):
        return WHOLE
    if ours["chain"] > osaca["chain"] and ours["chain"] > osaca["ports"]:
        return LATER if ours["iterations"] > 1 else SEVERAL
    if osaca["chain"] > max(ours["chain"], osaca["ports"]):
        return "OSACA charges a chain more than it takes"
    by_ports = max(ours["ports"], ours["front end"])
    side = "does not find the best use of ports, or" if osaca["ports"] > by_ports else ""
    return f"OSACA {side} knows several forms as one".replace("  ", " ")


def table(folder, cpu, program, winic, database):
    """Holds OSACA's figures against LLVM's; whether enough agree is the status."""
    drawn = json.loads(Path(folder, "osaca.json").read_text())
    unknown, refused, differing = [], [], []
    causes = collections.defaultdict(list)

    def told(body):
        return {**body, "llvm": mca(body["text"], [*TARGET, f"-mcpu={cpu}"], program)}

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        drawn = list(pool.map(told, drawn))
    ours = by_database([it for it in drawn if it["llvm"] is not None], folder, winic, database)
    drawn = [{**body, "winic": ours.get(body["number"])} for body in drawn]
    for body in drawn:
        if body["llvm"] is None:
            refused.append(body)
        elif body["osaca"].get("error") or body["osaca"]["unknown"]:
            unknown.append(body)
        elif not is_same(max(body["osaca"]["ports"], body["osaca"]["chain"]), body["llvm"]):
            differing.append(body)
    for body in differing:
        causes[cause(body)].append(body)
    Path(folder, "table.json").write_text(json.dumps({"bodies": drawn, "causes": causes}, indent=1))
    for body in refused:
        print(f"LLVM refuses body {body['number']}: {'; '.join(body['text'])}")
    for body in unknown:
        what = body["osaca"].get("error") or "; ".join(body["osaca"]["unknown"])
        print(f"OSACA does not know, in body {body['number']}: {what}")
    for why, such in sorted(causes.items(), key=lambda it: -len(it[1])):
        print(f"{len(such)} differ: {why}")
        for body in such[:SHOWN]:
            print(shown(body))
    agreeing = len(drawn) - len(refused) - len(unknown) - len(differing)
    print(counted(drawn, differing, agreeing, causes))
    print(by_winic(drawn))
    return 0 if agreeing >= LEAST * len(drawn) else 1


def shown(body):
    """A body that differs, in a line."""
    osaca = body["osaca"]
    said = f"OSACA {osaca['ports']:.2f} ({osaca['fullest']}), chain {osaca['chain']:.2f}; LLVM {body['llvm']:.2f}"
    return f"  body {body['number']}: {said}: {'; '.join(body['text'])}"


def counted(drawn, differing, agreeing, causes):
    """How many agree, of how many that are limited by what, and for how many of the rest there are no words."""

    def limit(body):
        return "chains" if body["osaca"].get("chain", 0.0) > body["osaca"].get("ports", 0.0) else "ports"

    limits, missed = (collections.Counter(map(limit, some)) for some in (drawn, differing))
    by_limit = ", ".join(f"{missed[limit]} differ of {count} by {limit}" for limit, count in sorted(limits.items()))
    wordless = sum(len(causes.get(why, [])) for why in INEXPRESSIBLE)
    share = 100 * agreeing / len(drawn)
    return (
        f"{agreeing} of {len(drawn)} agree: {share:.1f} % ({by_limit}); "
        f"{wordless} of those that differ do so by what OSACA has no words for"
    )


def by_winic(drawn):
    """How often winic itself agrees with LLVM: whether the database has what OSACA has no words for."""
    known = [body for body in drawn if body["llvm"] is not None]
    agreeing = sum(is_same(body["winic"]["all"], body["llvm"]) for body in known)
    share = 100 * agreeing / len(drawn)
    return f"by the same database `winic predict` agrees with LLVM about {agreeing} of {len(drawn)}: {share:.1f} %"


if __name__ == "__main__":
    what, *rest = sys.argv[1:]
    sys.exit({"draw": draw, "predict": predict, "table": table}[what](*rest))
