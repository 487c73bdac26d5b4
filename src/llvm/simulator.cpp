// LLVM MCA in process: loops in machine code through the scheduling model of a CPU, and what
// the tables of the model say of single instructions.

#include "pipeline.h"
#include "target.h"

#include <algorithm>
#include <array>
#include <map>
#include <vector>

#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/InstrBuilder.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#if LLVM_VERSION_MAJOR >= 22
static mca::Instruction &postProcessed(std::unique_ptr<mca::Instruction> &I) { return *I; }
#else
static std::unique_ptr<mca::Instruction> &postProcessed(std::unique_ptr<mca::Instruction> &I) {
  return I;
}
#endif

// Calls never stand in a loop; what they take does not matter.
static constexpr unsigned CallLatency = 100;

// What tells one loop from another to a model.
using Fingerprint = std::array<uint8_t, 16>;

struct WinicSimulator {
  WinicTarget *Target;
  // Decodes what stands around loops.
  WinicTarget *Surroundings;
  std::unique_ptr<mca::InstrumentManager> Instruments;
  std::unique_ptr<mca::InstrPostProcess> PostProcess;
  std::unique_ptr<mca::InstrBuilder> Builder;
  // By scheduling class: the first one that says the same.
  std::vector<unsigned> LikeClass;
  // How loops run that were simulated before. Most forms share what their scheduling class says
  // with others, whose kernels are the same loops to the model.
  std::map<Fingerprint, WinicSteadyState> Known;
  // By scheduling class: see `unitsAtOnce`.
  std::map<unsigned, double> UnitsAtOnce;

  const MCSubtargetInfo &subtarget() const { return *Target->Subtarget; }
  const MCSchedModel &model() const { return Target->Subtarget->getSchedModel(); }
};

template <typename Own, typename Default>
static std::unique_ptr<Default> orDefault(Own *Specific, Default *Generic) {
  std::unique_ptr<Default> Fallback(Generic);
  return Specific ? std::unique_ptr<Default>(Specific) : std::move(Fallback);
}

// What single targets add to MCA (RISC-V: that classes depend on the vector configuration).
static void initializeTargets() {
  static const bool Done = (InitializeAllTargetMCAs(), true);
  (void)Done;
}

// Everything that a scheduling class says.
static std::vector<uint32_t> contents(const MCSubtargetInfo &STI, const MCSchedClassDesc &Class) {
  std::vector<uint32_t> Words = {Class.NumMicroOps, Class.BeginGroup, Class.EndGroup,
                                 Class.RetireOOO};
  const auto Begin = [&](size_t Entries) { Words.push_back(uint32_t(Entries)); };
  Begin(Class.NumWriteProcResEntries);
  for (const auto &Use : make_range(STI.getWriteProcResBegin(&Class), STI.getWriteProcResEnd(&Class)))
    Words.insert(Words.end(), {Use.ProcResourceIdx, Use.ReleaseAtCycle, Use.AcquireAtCycle});
  Begin(Class.NumWriteLatencyEntries);
  for (unsigned Def = 0; Def < Class.NumWriteLatencyEntries; ++Def) {
    const MCWriteLatencyEntry &Write = *STI.getWriteLatencyEntry(&Class, Def);
    Words.insert(Words.end(), {uint32_t(Write.Cycles), Write.WriteResourceID});
  }
  for (const MCReadAdvanceEntry &Read : STI.getReadAdvanceEntries(Class))
    Words.insert(Words.end(), {Read.UseIdx, Read.WriteResourceID, uint32_t(Read.Cycles)});
  return Words;
}

// For each scheduling class the first that says the same: models have up to ten of a kind.
static std::vector<unsigned> likeClasses(const MCSubtargetInfo &STI) {
  const MCSchedModel &Model = STI.getSchedModel();
  std::map<std::vector<uint32_t>, unsigned> First;
  std::vector<unsigned> Like;
  for (unsigned Id = 0; Id < Model.NumSchedClasses; ++Id) {
    const MCSchedClassDesc &Class = *Model.getSchedClassDesc(Id);
    const bool Speaks = Class.isValid() && !Class.isVariant();
    Like.push_back(Speaks ? First.try_emplace(contents(STI, Class), Id).first->second : Id);
  }
  return Like;
}

WinicSimulator *winic_simulator_new(WinicTarget *T, WinicTarget *Surroundings, char *Error,
                                    size_t ErrorSize) {
  initializeTargets();
  auto Fail = [&](const std::string &Why) -> WinicSimulator * {
    snprintf(Error, ErrorSize, "%s", Why.c_str());
    return nullptr;
  };
  const MCSubtargetInfo &STI = *T->Subtarget;
  const MCInstrInfo &Info = *T->Instructions;
  if (!STI.getSchedModel().hasInstrSchedModel())
    return Fail("LLVM has no scheduling model of CPU '" + STI.getCPU().str() + "'");
  auto Out = std::make_unique<WinicSimulator>();
  Out->Target = T;
  Out->Surroundings = Surroundings;
  Out->LikeClass = likeClasses(STI);
  Out->Instruments = orDefault(T->TheTarget->createInstrumentManager(STI, Info),
                               new mca::InstrumentManager(STI, Info));
  Out->PostProcess = orDefault(T->TheTarget->createInstrPostProcess(STI, Info),
                               new mca::InstrPostProcess(STI, Info));
  Out->Builder = std::make_unique<mca::InstrBuilder>(STI, Info, *T->Registers, T->Analysis.get(),
                                                     *Out->Instruments, CallLatency);
  return Out.release();
}

void winic_simulator_delete(WinicSimulator *S) { delete S; }

static bool decode(const WinicTarget *T, ArrayRef<uint8_t> Bytes, uint64_t Address, MCInst &Inst,
                   uint64_t &Length) {
  if (T->Disassembler->getInstruction(Inst, Length, Bytes, Address, nulls()) !=
      MCDisassembler::Success)
    return false;
  fillUp(T, Inst);
  return true;
}

// Whether LLVM's tables say of an instruction that it touches anything. They do not of some that move
// the stack (x86: `push fs`), and post-processing, which takes the stack pointer out of what those
// write, crashes.
static bool touchesAnything(const MCInstrDesc &Desc) {
  return Desc.getNumOperands() || !Desc.implicit_defs().empty() ||
         !Desc.implicit_uses().empty() || Desc.mayLoad() || Desc.mayStore();
}

static std::unique_ptr<mca::Instruction> create(WinicSimulator *S, const MCInst &Inst,
                                                const SmallVector<mca::Instrument *> &Active) {
  auto Instruction = S->Builder->createInstruction(Inst, Active);
  if (!Instruction) {
    consumeError(Instruction.takeError());
    return nullptr;
  }
  if (touchesAnything(S->Target->Instructions->get(Inst.getOpcode())))
    S->PostProcess->postProcessInstruction(postProcessed(*Instruction), Inst);
  return std::move(*Instruction);
}

template <typename Visit>
static int forEachInstruction(const WinicTarget *T, ArrayRef<uint8_t> Bytes, Visit &&Visitor) {
  while (!Bytes.empty()) {
    MCInst Inst;
    uint64_t Length = 0;
    if (!decode(T, Bytes, 0, Inst, Length))
      return WINIC_NOT_DECODED;
    if (const int Status = Visitor(Inst))
      return Status;
    Bytes = Bytes.drop_front(Length);
  }
  return WINIC_OK;
}

namespace {

// The state that instructions leave to the model (RISC-V: the vector configuration): the last
// instrument of each kind.
class State {
public:
  explicit State(const WinicSimulator *S) : S(S) {}

  void pass(const MCInst &Inst) {
    for (auto &Instrument : S->Instruments->createInstruments(Inst))
      if (Instrument)
        Known[Instrument->getDesc().str()] = std::move(Instrument);
  }

  int pass(ArrayRef<uint8_t> Code) {
    return forEachInstruction(S->Surroundings, Code, [&](const MCInst &Inst) {
      pass(Inst);
      return WINIC_OK;
    });
  }

  SmallVector<mca::Instrument *> active() const {
    SmallVector<mca::Instrument *> Active;
    for (const auto &Entry : Known)
      Active.push_back(Entry.second.get());
    return Active;
  }

private:
  const WinicSimulator *S;
  std::map<std::string, mca::UniqueInstrument> Known;
};

} // namespace

// The instructions of some code as the model sees them behind other code. The builder describes an
// opcode once, without operands that are constant registers (AArch64: `mul` is `madd` with xzr),
// and hands that out for all later instructions: so it is to know nothing of earlier loops, whose
// instructions must be gone.
static int createAll(WinicSimulator *S, ArrayRef<uint8_t> Before, ArrayRef<uint8_t> Code,
                     std::vector<mca::SourceMgr::UniqueInst> &Out) {
  S->Builder->clear();
  State Current(S);
  if (const int Status = Current.pass(Before))
    return Status;
  return forEachInstruction(S->Target, Code, [&](const MCInst &Inst) -> int {
    Current.pass(Inst);
    Out.push_back(create(S, Inst, Current.active()));
    return Out.back() ? WINIC_OK : WINIC_NOT_MODELLED;
  });
}

// Micro-operations that wait to retire at most; none on a core that issues in order.
static unsigned reorderBufferSize(const MCSchedModel &Model) {
  if (Model.hasExtraProcessorInfo() && Model.getExtraProcessorInfo().ReorderBufferSize)
    return Model.getExtraProcessorInfo().ReorderBufferSize;
  return Model.MicroOpBufferSize;
}

// ---- Loops -----------------------------------------------------------------------------------

namespace {

// Limits of a simulation that does not become periodic.
constexpr size_t MostInstructions = 60000;
constexpr size_t MostIterations = 2000;
// Iterations that may make a period, and the least number of periods that must be equal.
constexpr size_t LongestPeriod = 12;
constexpr size_t EqualPeriods = 3;

// Gives the pipeline a loop over and over, and watches the last instruction of each iteration
// retire until the intervals between these moments repeat themselves.
class Looping : public mca::SourceMgr, public mca::HWEventListener {
public:
  // Before as many instructions have retired as the buffers hold these may still be filling. And
  // as many may retire evenly in one go after a long instruction and then none for a while, over
  // and over, so that equal periods say something only together with what follows them.
  Looping(ArrayRef<UniqueInst> Loop, size_t Buffered) : Loop(Loop), Buffered(Buffered) {}

  ArrayRef<UniqueInst> getInstructions() const override { return Loop; }
  bool hasNext() const override { return !Done; }
  bool isEnd() const override { return Done; }
  mca::SourceRef peekNext() const override {
    return mca::SourceRef(Current, *Loop[Current % Loop.size()]);
  }
  void updateNext() override {
    ++Current;
    Done |= Current >= MostInstructions && Ends.size() > EqualPeriods;
  }

  void onCycleBegin() override { ++Cycle; }
  void onEvent(const mca::HWInstructionEvent &Event) override {
    if (Done || Event.Type != mca::HWInstructionEvent::Retired)
      return;
    if (Event.IR.getSourceIndex() % Loop.size() != Loop.size() - 1)
      return;
    Ends.push_back(Cycle);
    Done = findPeriod() || Ends.size() >= MostIterations;
  }

  WinicSteadyState result() const {
    if (Period > 0)
      return {Ends.back() - Ends[Ends.size() - 1 - Period], Period, 1};
    const size_t Half = Ends.size() / 2;
    return {Ends.back() - Ends[Half], Ends.size() - 1 - Half, 0};
  }

  bool isUsable() const { return Ends.size() > 2; }

private:
  bool findPeriod() {
    for (size_t Length = 1; Length <= LongestPeriod; ++Length) {
      const size_t Periods = std::max(EqualPeriods, 1 + Buffered / (Length * Loop.size()));
      const size_t Span = Length * (Periods + 1);
      if (Ends.size() < Span + 1 || (Ends.size() - 1 - Span) * Loop.size() < Buffered)
        continue;
      if (repeats(Length, Periods)) {
        Period = Length;
        return true;
      }
    }
    return false;
  }

  bool repeats(size_t Length, size_t Periods) const {
    const size_t Last = Ends.size() - 1;
    const uint64_t Duration = Ends[Last] - Ends[Last - Length];
    for (size_t Back = 1; Back <= Length * Periods; ++Back)
      if (Ends[Last - Back] - Ends[Last - Back - Length] != Duration)
        return false;
    return true;
  }

  ArrayRef<UniqueInst> Loop;
  size_t Buffered;
  unsigned Current = 0;
  bool Done = false;
  uint64_t Cycle = 0;
  size_t Period = 0;
  std::vector<uint64_t> Ends;
};

} // namespace

// Everything that a simulation of these instructions depends on: classes and registers, and what
// was decided by their operands. The class stands for latencies, resources and micro-operations.
static Fingerprint fingerprint(const WinicSimulator *S, ArrayRef<mca::SourceMgr::UniqueInst> Loop,
                               uint32_t LoadsWait) {
  std::vector<uint32_t> Words{LoadsWait};
  for (const auto &Instruction : Loop) {
    const mca::Instruction &I = *Instruction;
    const unsigned Flags[] = {
        I.isOptimizableMove(), I.isALoadBarrier(), I.isAStoreBarrier(), I.getMayLoad(),
        I.getMayStore(),       I.getHasSideEffects(), I.getBeginGroup(), I.getEndGroup(),
        I.getRetireOOO()};
    unsigned AllFlags = 0;
    for (const unsigned Flag : Flags)
      AllFlags = 2 * AllFlags + Flag;
    Words.insert(Words.end(), {S->LikeClass[I.getDesc().SchedClassID], AllFlags,
                               unsigned(I.getDefs().size()), unsigned(I.getUses().size())});
    for (const mca::WriteState &Def : I.getDefs())
      Words.insert(Words.end(), {Def.getRegisterID(), Def.getLatency(), Def.getWriteResourceID(),
                                 2U * Def.clearsSuperRegisters() + Def.isWriteZero()});
    for (const mca::ReadState &Use : I.getUses())
      Words.insert(Words.end(), {Use.getRegisterID(), Use.getDescriptor().UseIndex,
                                 S->LikeClass[Use.getSchedClass()],
                                 2U * Use.isReadZero() + Use.isIndependentFromDef()});
  }
  const auto *Bytes = reinterpret_cast<const uint8_t *>(Words.data());
  return BLAKE3::hash<16>(ArrayRef(Bytes, Words.size() * sizeof(uint32_t)));
}

int winic_simulate(WinicSimulator *S, const uint8_t *Before, size_t BeforeSize, const uint8_t *Code,
                   size_t Size, uint32_t LoadsWait, WinicSteadyState *Out) {
  std::vector<mca::SourceMgr::UniqueInst> Loop;
  const int Status = createAll(S, ArrayRef(Before, BeforeSize), ArrayRef(Code, Size), Loop);
  if (Status != WINIC_OK)
    return Status;
  const Fingerprint Print = fingerprint(S, Loop, LoadsWait);
  if (const auto Place = S->Known.find(Print); Place != S->Known.end()) {
    *Out = Place->second;
    return WINIC_OK;
  }
  const MCSubtargetInfo &STI = S->subtarget();
  const MCInstrInfo &Info = *S->Target->Instructions;
  Looping Source(Loop, reorderBufferSize(S->model()));
  const auto Behaviour = orDefault(S->Target->TheTarget->createCustomBehaviour(STI, Source, Info),
                                   new mca::CustomBehaviour(STI, Source, Info));
  mca::Context Context(*S->Target->Registers, STI);
  const auto Pipeline =
      winic::makePipeline(Context, STI, *S->Target->Registers, Source, *Behaviour, !LoadsWait);
  Pipeline->addEventListener(&Source);
  auto Cycles = Pipeline->run();
  if (!Cycles) {
    consumeError(Cycles.takeError());
    return WINIC_NOT_MODELLED;
  }
  if (!Source.isUsable())
    return WINIC_NOT_MODELLED;
  *Out = S->Known[Print] = Source.result();
  return WINIC_OK;
}

// ---- Tables ----------------------------------------------------------------------------------

// The class of an instruction, chosen by its operands where the model has several.
static const MCSchedClassDesc *resolvedClass(const WinicSimulator *S, const MCInst &Inst,
                                             const SmallVector<mca::Instrument *> &Active,
                                             unsigned &Id, bool &Variant) {
  const MCInstrInfo &Info = *S->Target->Instructions;
  const MCSchedModel &Model = S->model();
  Id = S->Instruments->getSchedClassID(Info, Inst, Active);
  Variant = Model.getSchedClassDesc(Id)->isVariant();
  while (Id && Model.getSchedClassDesc(Id)->isVariant())
    Id = S->subtarget().resolveVariantSchedClass(Id, &Inst, &Info, Model.getProcessorID());
  const MCSchedClassDesc *Class = Model.getSchedClassDesc(Id);
  return Id && Class->isValid() ? Class : nullptr;
}

// Instructions of some micro-operations that fit into the reorder buffer at once.
static double inFlight(const MCSchedModel &Model, unsigned MicroOps) {
  return std::max(1U, reorderBufferSize(Model) / std::max(1U, MicroOps));
}

// Cycles between instructions of some micro-operations that go through the front end alone: as many
// whole ones in a cycle as fit, or a large one by itself, in as many cycles as it fills. A core that
// issues in order begins the next one in what the last cycle of a large one has left.
static double dispatch(const MCSchedModel &Model, unsigned MicroOps) {
  // What is eliminated takes its place, too.
  const unsigned Own = std::max(1U, MicroOps), Width = Model.IssueWidth;
  if (Own <= Width)
    return 1.0 / (Width / Own);
  return Model.isOutOfOrder() ? divideCeil(Own, Width) : double(Own) / Width;
}

// What an instruction needs most: a resource, the places in the front end, those in the reorder
// buffer for as long as it takes, or, if it starts or ends a dispatch group, a cycle of its own.
static double throughput(const WinicSimulator *S, const MCSchedClassDesc &Class,
                         const mca::InstrDesc &Desc) {
  const double Resources = MCSchedModel::getReciprocalThroughput(S->subtarget(), Class);
  const double Alone = Class.BeginGroup || Class.EndGroup ? 1 : 0;
  const double Waiting =
      S->model().isOutOfOrder() ? Desc.MaxLatency / inFlight(S->model(), Desc.NumMicroOps) : 0;
  return std::max({Resources, dispatch(S->model(), Desc.NumMicroOps), Alone, Waiting});
}

// Cycles an instruction takes if it waits for nothing but units, all of which it takes at once and
// each of which it keeps for as long as it says. The figures of the tables, which look at one
// resource after the other, may be less: a unit that is free is of no use before all are.
static double unitsAtOnce(WinicSimulator *S, unsigned ClassId, const mca::InstrDesc &Desc) {
  constexpr unsigned Before = 64, Counted = 512;
  if (const auto Place = S->UnitsAtOnce.find(ClassId); Place != S->UnitsAtOnce.end())
    return Place->second;
  mca::ResourceManager Units(S->model());
  SmallVector<mca::ResourceUse, 4> Used;
  SmallVector<mca::ResourceRef, 8> Freed;
  unsigned Issued = 0, Cycle = 0, Start = 0;
  for (; Issued < Before + Counted; ++Cycle) {
    Freed.clear();
    Units.cycleEvent(Freed);
    for (unsigned Now = 0; Now < S->model().IssueWidth && !Units.checkAvailability(Desc); ++Now) {
      if (Issued++ == Before)
        Start = Cycle;
      Used.clear();
      Units.issueInstruction(Desc, Used);
    }
  }
  return S->UnitsAtOnce[ClassId] = double(Cycle - Start) / (Issued - Before);
}

// The target's MC layer does not know on every target which features of the CPU an instruction
// needs (x86's does not), but models cover only what their CPUs have.
int winic_covers(WinicSimulator *S, const uint8_t *Before, size_t BeforeSize, const uint8_t *Code,
                 size_t Size, double *Occupied) {
  std::vector<mca::SourceMgr::UniqueInst> Loop;
  *Occupied = 0;
  const int Status = createAll(S, ArrayRef(Before, BeforeSize), ArrayRef(Code, Size), Loop);
  for (const auto &Instruction : Loop)
    if (Instruction && !Status)
      *Occupied = std::max(*Occupied, unitsAtOnce(S, Instruction->getDesc().SchedClassID,
                                                  Instruction->getDesc()));
  return Status;
}

int winic_model(WinicSimulator *S, const uint8_t *Before, size_t BeforeSize, uint32_t Opcode,
                const WinicOperand *Operands, size_t Count, WinicModel *Out, WinicAccess *Writes,
                size_t *WriteCount, WinicAccess *Reads, size_t *ReadCount) {
  if (!operandsFit(S->Target, Opcode, Operands, Count))
    return WINIC_WRONG_OPERANDS;
  const MCInst Inst = buildInst(Opcode, Operands, Count);
  S->Builder->clear();
  State Current(S);
  if (const int Status = Current.pass(ArrayRef(Before, BeforeSize)))
    return Status;
  const auto Active = Current.active();
  bool Variant = false;
  unsigned ClassId = 0;
  const MCSchedClassDesc *Class = resolvedClass(S, Inst, Active, ClassId, Variant);
  const auto Instruction = Class ? create(S, Inst, Active) : nullptr;
  if (!Instruction)
    return WINIC_NOT_MODELLED;
  const mca::InstrDesc &Desc = Instruction->getDesc();
  if (Desc.Writes.size() > *WriteCount || Desc.Reads.size() > *ReadCount)
    return WINIC_TOO_SMALL;
  APInt Mask;
  const unsigned Cpu = S->model().getProcessorID();
  Out->micro_ops = Desc.NumMicroOps;
  Out->variant = Variant;
  Out->breaks_dependences = S->Target->Analysis->isDependencyBreaking(Inst, Mask, Cpu) ||
                            S->Target->Analysis->isZeroIdiom(Inst, Mask, Cpu);
  Out->sched_class = ClassId;
  Out->throughput = throughput(S, *Class, Desc);
  Out->units_at_once = unitsAtOnce(S, ClassId, Desc);
  Out->barrier = Instruction->isALoadBarrier() || Instruction->isAStoreBarrier();
  *WriteCount = *ReadCount = 0;
  for (const mca::WriteDescriptor &Write : Desc.Writes)
    Writes[(*WriteCount)++] = {Write.isImplicitWrite() ? -1 : Write.OpIndex, Write.RegisterID,
                               Write.Latency, Write.SClassOrWriteResourceID, 0, 0};
  for (const mca::ReadDescriptor &Read : Desc.Reads)
    Reads[(*ReadCount)++] = {Read.isImplicitRead() ? -1 : Read.OpIndex, Read.RegisterID, 0, 0,
                             Read.UseIndex, Read.SchedClassID};
  return WINIC_OK;
}

int32_t winic_read_advance(const WinicSimulator *S, uint32_t SchedClass, uint32_t Use,
                           uint32_t Resource) {
  return S->subtarget().getReadAdvanceCycles(S->model().getSchedClassDesc(SchedClass), Use,
                                             Resource);
}

// ---- Units -----------------------------------------------------------------------------------

uint32_t winic_issue_width(const WinicSimulator *S) { return S->model().IssueWidth; }

uint32_t winic_resources(const WinicSimulator *S) { return S->model().getNumProcResourceKinds(); }

void winic_resource(const WinicSimulator *S, uint32_t Index, WinicResource *Out) {
  const MCProcResourceDesc &Resource = *S->model().getProcResource(Index);
  *Out = {Resource.Name, Resource.SubUnitsIdxBegin, Resource.NumUnits};
}

size_t winic_resource_uses(const WinicSimulator *S, uint32_t SchedClass, WinicResourceUse *Uses,
                           size_t Room) {
  const MCSchedClassDesc *Class = S->model().getSchedClassDesc(SchedClass);
  size_t Count = 0;
  for (const MCWriteProcResEntry &Use :
       make_range(S->subtarget().getWriteProcResBegin(Class),
                  S->subtarget().getWriteProcResEnd(Class)))
    if (Count++ < Room)
      Uses[Count - 1] = {Use.ProcResourceIdx, uint32_t(Use.ReleaseAtCycle - Use.AcquireAtCycle)};
  return Count;
}
