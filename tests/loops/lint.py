"""Loads a model in OSACA and looks every form of it up as a kernel would.

    lint.py ARCH [ASSEMBLY]    (its data: $HOME/.osaca); prints one line of JSON
"""

import json
import sys
import time
import warnings

with warnings.catch_warnings(record=True) as said:
    warnings.simplefilter("always")
    from osaca.osaca import get_asm_parser
    from osaca.parser.register import RegisterOperand
    from osaca.semantics import INSTR_FLAGS, ArchSemantics, KernelDG, MachineModel

    arch = sys.argv[1]
    parser = get_asm_parser(arch)
    start = time.monotonic()
    model = MachineModel(arch=arch)
    semantics = ArchSemantics(parser, model)
    seconds = time.monotonic() - start
    broken = []
    ports = set(model["ports"])
    for name, forms in model["instruction_forms_dict"].items():
        for form in forms:
            pressure = form.port_pressure
            if pressure is None or form.latency is None or form.throughput is None:
                broken.append(f"{name}: a figure is missing")
            elif any(port not in ports for _, names in pressure for port in names):
                broken.append(f"{name}: a port is not listed")
            # (Patterns of registers match themselves; other patterns need something that has a value.)
            elif all(isinstance(it, RegisterOperand) for it in form.operands) and (
                model.get_instruction(name, form.operands) is None
            ):
                broken.append(f"{name}: OSACA does not find it")
    result = {"seconds": seconds, "forms": len(model["instruction_forms"]), "broken": broken}
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf8") as file:
            kernel = parser.parse_file(file.read())
        semantics.normalize_instruction_forms(kernel)
        semantics.add_semantics(kernel)
        semantics.assign_optimal_throughput(kernel)
        chains = KernelDG(kernel, parser, model, semantics).get_loopcarried_dependencies()
        result["unknown"] = [line.line for line in kernel if INSTR_FLAGS.TP_UNKWN in line.flags]
        result["ports"] = max(semantics.get_throughput_sum(kernel))
        result["chain"] = max((float(it["latency"]) for it in chains.values()), default=0.0)
# OSACA's parsers use names that pyparsing wants to retire; everything else is the model's doing.
said = [warning for warning in said if not issubclass(warning.category, DeprecationWarning)]
result["warnings"] = [str(warning.message) for warning in said]
print(json.dumps(result))
