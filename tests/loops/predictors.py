"""What OSACA and llvm-mca say of a body that is repeated. Used by loops.py and bodies.py."""

import re
import subprocess


class Osaca:
    """OSACA with the model of an architecture (its data: $HOME/.osaca)."""

    def __init__(self, arch, flags=False):
        from osaca.osaca import get_asm_parser
        from osaca.semantics import ArchSemantics, MachineModel

        self.parser = get_asm_parser(arch)
        self.model = MachineModel(arch=arch)
        self.semantics = ArchSemantics(self.parser, self.model)
        self.flags = flags

    def predict(self, body):
        """The fullest port, the slowest chain, and what OSACA does not know; or what it stumbles over."""
        from osaca.semantics import INSTR_FLAGS, KernelDG

        try:
            kernel = self.parser.parse_file("\n".join(body) + "\n")
            self.semantics.normalize_instruction_forms(kernel)
            self.semantics.add_semantics(kernel)
            unknown = [line.line for line in kernel if INSTR_FLAGS.TP_UNKWN in line.flags]
            self.semantics.assign_optimal_throughput(kernel)
            graph = KernelDG(kernel, self.parser, self.model, self.semantics, flag_dependencies=self.flags)
            chains = graph.get_loopcarried_dependencies()
            sums = dict(zip(self.model.get_ports(), self.semantics.get_throughput_sum(kernel)))
        except Exception as error:  # What OSACA stumbles over is its answer.
            return {"error": f"{type(error).__name__}: {error}"}
        fullest = max(sums, key=sums.get, default=None)
        return {
            "ports": sums.get(fullest, 0.0),
            "fullest": fullest,
            "chain": max((float(it["latency"]) for it in chains.values()), default=0.0),
            "unknown": unknown,
        }


def mca(body, target, program):
    """Cycles of an iteration by llvm-mca, from the difference between two lengths; none if it refuses the
    body. The target is options."""
    totals = []
    for iterations in (200, 400):
        said = subprocess.run(
            [program, *target, f"-iterations={iterations}", "-instruction-info=0", "-resource-pressure=0"],
            input="\n".join(body) + "\n",
            capture_output=True,
            text=True,
            check=False,
        )
        match = re.search(r"Total Cycles:\s+(\d+)", said.stdout)
        if not match:
            return None
        totals.append(int(match.group(1)))
    return (totals[1] - totals[0]) / 200
