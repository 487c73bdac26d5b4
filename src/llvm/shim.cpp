// winic's shim over LLVM's MC classes: what the C API does not offer. It works against
// LLVM 19 and 22; where the two differ, the difference is stated once, where it first matters.

#include "target.h"

#include <cstring>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCFixup.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;

// LLVM numbers registers and units with types that changed from integers to wrappers.
template <typename T> static uint32_t number(T Value) { return static_cast<uint32_t>(Value); }

static int operandClass(const MCInstrInfo &Info, const MCSubtargetInfo &STI,
                        const MCOperandInfo &Operand) {
#if LLVM_VERSION_MAJOR >= 22
  return Info.getOpRegClassID(Operand, STI.getHwMode(MCSubtargetInfo::HwMode_RegInfo));
#else
  (void)Info;
  (void)STI;
  // Class 0 of a "pointer" operand is an index into a table that CodeGen owns.
  return Operand.isLookupPtrRegClass() ? -1 : Operand.RegClass;
#endif
}

// x86 has two syntaxes and the whole field reads Intel's; everywhere else variant 0 is the
// generic one (AArch64's variant 1 is the Apple spelling, which no compiler here prints).
static unsigned syntaxVariant(const Triple &T) { return T.isX86() ? 1 : 0; }

const char *winic_llvm_version(void) { return LLVM_VERSION_STRING; }

const char *winic_cpu_name(const char *TripleName, const char *CPUInfo) {
  const Triple T(TripleName);
  // Both return literals.
  if (T.isAArch64())
    return sys::detail::getHostCPUNameForARM(CPUInfo).data();
  if (T.isRISCV())
    return sys::detail::getHostCPUNameForRISCV(CPUInfo).data();
  return "";
}

// No CPU of an architecture in particular, or null where LLVM does not have the architecture.
static std::unique_ptr<MCSubtargetInfo> anyCPU(const Triple &T) {
  std::string Reason;
  const Target *TheTarget = TargetRegistry::lookupTarget(tripleArgument(T), Reason);
  return std::unique_ptr<MCSubtargetInfo>(
      TheTarget ? TheTarget->createMCSubtargetInfo(tripleArgument(T), "", "") : nullptr);
}

int winic_knows_cpu(const char *TripleName, const char *CPU) {
  const auto Subtarget = anyCPU(Triple(TripleName));
  return Subtarget && Subtarget->isCPUStringValid(CPU);
}

int winic_knows_feature(const char *TripleName, const char *Feature) {
  const auto Subtarget = anyCPU(Triple(TripleName));
  return Subtarget && any_of(Subtarget->getAllProcessorFeatures(),
                             [&](const SubtargetFeatureKV &Known) {
                               return StringRef(Known.Key) == Feature;
                             });
}

// Whether a CPU executes 32-bit code only. LLVM takes some of them for a 64-bit architecture, too,
// and ends the program when code is made for one.
static bool isFor32Bits(const MCSubtargetInfo &Subtarget, const SubtargetSubTypeKV &CPU) {
  const FeatureBitset Implied = CPU.Implies.getAsBitset();
  return any_of(Subtarget.getAllProcessorFeatures(), [&](const SubtargetFeatureKV &Feature) {
    return StringRef(Feature.Key) == "32bit" && Implied.test(Feature.Value);
  });
}

static bool isFor32Bits(const MCSubtargetInfo &Subtarget, StringRef Name) {
  return any_of(Subtarget.getAllProcessorDescriptions(), [&](const SubtargetSubTypeKV &CPU) {
    return Name == CPU.Key && isFor32Bits(Subtarget, CPU);
  });
}

// Not among what inkwell sets up of AMDGPU.
extern "C" void LLVMInitializeAMDGPUDisassembler(void);

WinicTarget *winic_target_new(const char *TripleName, const char *CPU, const char *Features,
                              char *Error, size_t ErrorSize) {
  std::string Reason;
  auto Fail = [&](const std::string &Why) -> WinicTarget * {
    snprintf(Error, ErrorSize, "%s", Why.c_str());
    return nullptr;
  };
  auto Out = std::make_unique<WinicTarget>();
  Out->TheTriple = Triple(TripleName);
  if (Out->TheTriple.isAMDGPU())
    LLVMInitializeAMDGPUDisassembler();
  const Target *TheTarget = TargetRegistry::lookupTarget(tripleArgument(Out->TheTriple), Reason);
  if (!TheTarget)
    return Fail(Reason);
  Out->TheTarget = TheTarget;
  const auto &T = tripleArgument(Out->TheTriple);
  Out->Registers.reset(TheTarget->createMCRegInfo(T));
  if (!Out->Registers)
    return Fail("LLVM has no register tables for " + Out->TheTriple.str());
  Out->AsmInfo.reset(TheTarget->createMCAsmInfo(*Out->Registers, T, Out->Options));
  Out->Instructions.reset(TheTarget->createMCInstrInfo());
  Out->Subtarget.reset(TheTarget->createMCSubtargetInfo(T, CPU, Features));
  if (!Out->AsmInfo || !Out->Instructions || !Out->Subtarget)
    return Fail("LLVM has no machine code tables for " + Out->TheTriple.str());
  // LLVM itself only warns of an unknown CPU, on stderr, and goes on with a generic one.
  if (CPU[0] != '\0' && !Out->Subtarget->isCPUStringValid(CPU))
    return Fail(std::string("LLVM knows no CPU '") + CPU + "' of " + Out->TheTriple.str());
  if (Out->TheTriple.isArch64Bit() && isFor32Bits(*Out->Subtarget, CPU))
    return Fail("the CPU executes 32-bit code only");
  Out->Context = std::make_unique<MCContext>(Out->TheTriple, Out->AsmInfo.get(),
                                             Out->Registers.get(), Out->Subtarget.get());
  Out->Emitter.reset(TheTarget->createMCCodeEmitter(*Out->Instructions, *Out->Context));
  Out->Disassembler.reset(TheTarget->createMCDisassembler(*Out->Subtarget, *Out->Context));
  Out->Printer.reset(TheTarget->createMCInstPrinter(Out->TheTriple, syntaxVariant(Out->TheTriple),
                                                    *Out->AsmInfo, *Out->Instructions,
                                                    *Out->Registers));
  Out->CompilerPrinter.reset(TheTarget->createMCInstPrinter(
      Out->TheTriple, 0, *Out->AsmInfo, *Out->Instructions, *Out->Registers));
  if (!Out->Emitter || !Out->Disassembler || !Out->Printer || !Out->CompilerPrinter)
    return Fail("this LLVM cannot encode, decode or print " + Out->TheTriple.str());
  Out->Printer->setPrintImmHex(false);
  Out->CompilerPrinter->setPrintImmHex(false);
  Out->Analysis.reset(TheTarget->createMCInstrAnalysis(Out->Instructions.get()));
  if (!Out->Analysis)
    return Fail("LLVM cannot analyse instructions of " + Out->TheTriple.str());
  return Out.release();
}

uint32_t winic_cpu_count(const WinicTarget *T) {
  return uint32_t(T->Subtarget->getAllProcessorDescriptions().size());
}

const char *winic_cpu(const WinicTarget *T, uint32_t Index, uint32_t *Model) {
  const SubtargetSubTypeKV &CPU = T->Subtarget->getAllProcessorDescriptions()[Index];
  const bool HasModel = CPU.SchedModel->hasInstrSchedModel() && !isFor32Bits(*T->Subtarget, CPU);
  *Model = HasModel ? CPU.SchedModel->getProcessorID() : 0;
  return CPU.Key;
}

int winic_has_feature(const WinicTarget *T, const char *Feature) {
  return T->Subtarget->checkFeatures(Feature);
}

uint32_t winic_feature_count(const WinicTarget *T) {
  return T->Subtarget->getAllProcessorFeatures().size();
}

static const SubtargetFeatureKV &feature(const WinicTarget *T, uint32_t Feature) {
  return T->Subtarget->getAllProcessorFeatures()[Feature];
}

const char *winic_feature_name(const WinicTarget *T, uint32_t Feature) {
  return feature(T, Feature).Key;
}

int winic_feature_implies(const WinicTarget *T, uint32_t Feature, uint32_t Other) {
  return feature(T, Feature).Implies.getAsBitset().test(feature(T, Other).Value);
}

void winic_turn_off(WinicTarget *T, uint32_t Feature) {
  FeatureBitset Bits = T->Subtarget->getFeatureBits();
  T->Subtarget->setFeatureBits(Bits.reset(feature(T, Feature).Value));
}

void winic_target_delete(WinicTarget *T) { delete T; }

uint32_t winic_opcode_count(const WinicTarget *T) { return T->Instructions->getNumOpcodes(); }

static uint32_t opcodeFlags(const MCInstrDesc &Desc) {
  const bool ControlFlow = Desc.isBranch() || Desc.isCall() || Desc.isReturn() ||
                           Desc.isTerminator() || Desc.isBarrier() || Desc.isIndirectBranch();
  return (Desc.isPseudo() ? WINIC_PSEUDO : 0) | (Desc.mayLoad() ? WINIC_MAY_LOAD : 0) |
         (Desc.mayStore() ? WINIC_MAY_STORE : 0) | (ControlFlow ? WINIC_CONTROL_FLOW : 0) |
         (Desc.isVariadic() ? WINIC_VARIADIC : 0);
}

void winic_opcode(const WinicTarget *T, uint32_t Opcode, WinicOpcode *Out) {
  const MCInstrDesc &Desc = T->Instructions->get(Opcode);
  const StringRef Name = T->Instructions->getName(Opcode);
  const auto Uses = Desc.implicit_uses();
  const auto Defs = Desc.implicit_defs();
  static_assert(sizeof(MCPhysReg) == sizeof(uint16_t), "registers are 16-bit numbers");
  *Out = {Name.data(),
          Name.size(),
          opcodeFlags(Desc),
          Desc.getNumOperands(),
          Desc.getNumDefs(),
          Uses.data(),
          Uses.size(),
          Defs.data(),
          Defs.size()};
}

static uint32_t operandKind(const MCOperandInfo &Operand, int Class) {
  const unsigned Type = Operand.OperandType;
  if (Type >= MCOI::OPERAND_FIRST_TARGET)
    return WINIC_TARGET_KIND + (Type - MCOI::OPERAND_FIRST_TARGET);
  if (Type == MCOI::OPERAND_MEMORY)
    return WINIC_MEMORY;
  if (Type == MCOI::OPERAND_PCREL)
    return WINIC_BRANCH_TARGET;
  // Some tables leave the type open where a class says it all.
  return Class >= 0 ? WINIC_REGISTER : WINIC_IMMEDIATE;
}

void winic_operand_info(const WinicTarget *T, uint32_t Opcode, uint32_t Index,
                        WinicOperandInfo *Out) {
  const MCInstrDesc &Desc = T->Instructions->get(Opcode);
  const MCOperandInfo &Operand = Desc.operands()[Index];
  const int Class = operandClass(*T->Instructions, *T->Subtarget, Operand);
  Out->kind = operandKind(Operand, Class);
  Out->register_class = Class;
  Out->tied_to = Desc.getOperandConstraint(Index, MCOI::TIED_TO);
  Out->early_clobber = Desc.getOperandConstraint(Index, MCOI::EARLY_CLOBBER) != -1;
}

uint32_t winic_register_count(const WinicTarget *T) { return T->Registers->getNumRegs(); }

const char *winic_register_name(const WinicTarget *T, uint32_t Reg) {
  return T->Registers->getName(Reg);
}

template <typename Range>
static size_t collect(Range &&Values, uint32_t *Out, size_t Capacity) {
  size_t Count = 0;
  for (auto Value : Values) {
    if (Count < Capacity)
      Out[Count] = number(Value);
    ++Count;
  }
  return Count;
}

size_t winic_register_units(const WinicTarget *T, uint32_t Reg, uint32_t *Out, size_t Capacity) {
  return collect(T->Registers->regunits(MCRegister(Reg)), Out, Capacity);
}

uint32_t winic_register_number(const WinicTarget *T, uint32_t Reg) {
  return T->Registers->getEncodingValue(MCRegister(Reg));
}

size_t winic_sub_registers(const WinicTarget *T, uint32_t Reg, uint32_t *Out, size_t Capacity) {
  return collect(T->Registers->subregs(MCRegister(Reg)), Out, Capacity);
}

uint32_t winic_class_count(const WinicTarget *T) { return T->Registers->getNumRegClasses(); }

void winic_class(const WinicTarget *T, uint32_t Id, WinicClass *Out) {
  const MCRegisterClass &Class = T->Registers->getRegClass(Id);
  const char *Name = T->Registers->getRegClassName(&Class);
  *Out = {Name, std::strlen(Name), Class.getSizeInBits(), Class.getNumRegs()};
}

uint32_t winic_class_register(const WinicTarget *T, uint32_t Id, uint32_t Index) {
  return number(T->Registers->getRegClass(Id).getRegister(Index));
}

// LLVM's emitters and printers index tables with what they are given: an operand that does
// not fit crashes them, so it is refused here.
bool operandsFit(const WinicTarget *T, uint32_t Opcode, const WinicOperand *Operands,
                        size_t Count) {
  if (Opcode >= T->Instructions->getNumOpcodes())
    return false;
  const MCInstrDesc &Desc = T->Instructions->get(Opcode);
  if (Desc.isPseudo() || Count != Desc.getNumOperands())
    return false;
  for (size_t I = 0; I < Count; ++I) {
    const int ClassId = operandClass(*T->Instructions, *T->Subtarget, Desc.operands()[I]);
    const bool WantsRegister = ClassId >= 0;
    if (WantsRegister != (Operands[I].is_register != 0))
      return false;
    if (!WantsRegister || Operands[I].value == 0)
      continue; // "no register" stands for an absent part of a memory operand
    if (Operands[I].value < 0 || Operands[I].value >= T->Registers->getNumRegs())
      return false;
    if (!T->Registers->getRegClass(ClassId).contains(MCRegister(Operands[I].value)))
      return false;
  }
  return true;
}

MCInst buildInst(uint32_t Opcode, const WinicOperand *Operands, size_t Count) {
  MCInst Inst;
  Inst.setOpcode(Opcode);
  for (size_t I = 0; I < Count; ++I)
    Inst.addOperand(Operands[I].is_register ? MCOperand::createReg(MCRegister(Operands[I].value))
                                            : MCOperand::createImm(Operands[I].value));
  return Inst;
}

void fillUp(const WinicTarget *T, MCInst &Inst) {
  while (Inst.getNumOperands() < T->Instructions->get(Inst.getOpcode()).getNumOperands())
    Inst.addOperand(MCOperand::createImm(0));
}

int winic_encode(WinicTarget *T, uint32_t Opcode, const WinicOperand *Operands, size_t Count,
                 uint8_t *Bytes, size_t Capacity, size_t *Length) {
  if (!operandsFit(T, Opcode, Operands, Count))
    return WINIC_WRONG_OPERANDS;
  SmallVector<char, 32> Code;
  SmallVector<MCFixup, 4> Fixups;
  T->Emitter->encodeInstruction(buildInst(Opcode, Operands, Count), Code, Fixups, *T->Subtarget);
  if (Code.empty())
    return WINIC_NO_ENCODING;
  if (!Fixups.empty())
    return WINIC_UNRESOLVED;
  if (Code.size() > Capacity)
    return WINIC_TOO_SMALL;
  std::memcpy(Bytes, Code.data(), Code.size());
  *Length = Code.size();
  return WINIC_OK;
}

int winic_decode(WinicTarget *T, const uint8_t *Bytes, size_t Size, uint32_t *Opcode,
                 WinicOperand *Operands, size_t Capacity, size_t *Count, size_t *Length) {
  MCInst Inst;
  uint64_t Consumed = 0;
  const auto Status = T->Disassembler->getInstruction(Inst, Consumed, ArrayRef<uint8_t>(Bytes, Size),
                                                      0, nulls());
  if (Status != MCDisassembler::Success)
    return WINIC_NOT_DECODED;
  fillUp(T, Inst);
  if (Inst.getNumOperands() > Capacity)
    return WINIC_TOO_SMALL;
  for (unsigned I = 0; I < Inst.getNumOperands(); ++I) {
    const MCOperand &Operand = Inst.getOperand(I);
    if (Operand.isReg())
      Operands[I] = {1, static_cast<int64_t>(number(Operand.getReg()))};
    else
      Operands[I] = {0, Operand.isImm() ? Operand.getImm() : 0};
  }
  *Opcode = Inst.getOpcode();
  *Count = Inst.getNumOperands();
  *Length = Consumed;
  return WINIC_OK;
}

int winic_step(const WinicTarget *T, const uint8_t *Bytes, size_t Size, uint64_t Address,
               WinicStep *Out) {
  MCInst Inst;
  *Out = {0, UINT64_MAX, WINIC_FALLS_THROUGH};
  if (T->Disassembler->getInstruction(Inst, Out->length, ArrayRef(Bytes, Size), Address, nulls()) !=
      MCDisassembler::Success)
    return WINIC_NOT_DECODED;
  const MCInstrAnalysis &Analysis = *T->Analysis;
  if (Analysis.isReturn(Inst))
    Out->control = WINIC_RETURNS;
  else if (Analysis.isCall(Inst))
    Out->control = WINIC_CALLS;
  else if (Analysis.isBranch(Inst))
    Out->control = WINIC_BRANCHES;
  if (Out->control == WINIC_CALLS || Out->control == WINIC_BRANCHES)
    Analysis.evaluateBranch(Inst, Address, Out->length, Out->target);
  return WINIC_OK;
}

int winic_print(WinicTarget *T, int AsCompilers, uint32_t Opcode, const WinicOperand *Operands,
                size_t Count, char *Text, size_t Capacity) {
  if (!operandsFit(T, Opcode, Operands, Count))
    return WINIC_WRONG_OPERANDS;
  std::string Buffer;
  raw_string_ostream Stream(Buffer);
  const MCInst Inst = buildInst(Opcode, Operands, Count);
  MCInstPrinter &Printer = AsCompilers ? *T->CompilerPrinter : *T->Printer;
  Printer.printInst(&Inst, 0, "", *T->Subtarget, Stream);
  Stream.flush();
  if (Buffer.size() + 1 > Capacity)
    return WINIC_TOO_SMALL;
  std::memcpy(Text, Buffer.c_str(), Buffer.size() + 1);
  return WINIC_OK;
}
