// What the shim's C++ files share: a target's MC objects.
#ifndef WINIC_TARGET_H
#define WINIC_TARGET_H

#include "shim.h"

#include <memory>
#include <string>

#include "llvm/Config/llvm-config.h"
#include "llvm/MC/MCAsmInfo.h"
#include "llvm/MC/MCCodeEmitter.h"
#include "llvm/MC/MCContext.h"
#include "llvm/MC/MCDisassembler/MCDisassembler.h"
#include "llvm/MC/MCInst.h"
#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MC/MCInstPrinter.h"
#include "llvm/MC/MCInstrInfo.h"
#include "llvm/MC/MCRegisterInfo.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MC/MCTargetOptions.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/TargetParser/Triple.h"

// Targets are looked up by triples in LLVM 22, by their names before.
#if LLVM_VERSION_MAJOR >= 22
inline const llvm::Triple &tripleArgument(const llvm::Triple &T) { return T; }
#else
inline std::string tripleArgument(const llvm::Triple &T) { return T.str(); }
#endif

struct WinicTarget {
  llvm::Triple TheTriple;
  const llvm::Target *TheTarget = nullptr;
  llvm::MCTargetOptions Options;
  std::unique_ptr<llvm::MCRegisterInfo> Registers;
  std::unique_ptr<llvm::MCAsmInfo> AsmInfo;
  std::unique_ptr<llvm::MCInstrInfo> Instructions;
  std::unique_ptr<llvm::MCSubtargetInfo> Subtarget;
  std::unique_ptr<llvm::MCContext> Context;
  std::unique_ptr<llvm::MCCodeEmitter> Emitter;
  std::unique_ptr<llvm::MCDisassembler> Disassembler;
  std::unique_ptr<llvm::MCInstPrinter> Printer;
  // Prints as compilers do unless they are told otherwise: AT&T's syntax on x86.
  std::unique_ptr<llvm::MCInstPrinter> CompilerPrinter;
  // Where control goes; none for architectures that LLVM does not analyse.
  std::unique_ptr<llvm::MCInstrAnalysis> Analysis;
};

// Whether an opcode takes these operands. LLVM's emitters, printers and tables crash on others.
bool operandsFit(const WinicTarget *T, uint32_t Opcode, const WinicOperand *Operands, size_t Count);
// Gives a decoded instruction the operands at its end that the decoder left out (AMDGPU: modifiers), as
// zeros. MCA allocates without bound where some are missing.
void fillUp(const WinicTarget *T, llvm::MCInst &Inst);
llvm::MCInst buildInst(uint32_t Opcode, const WinicOperand *Operands, size_t Count);

#endif
