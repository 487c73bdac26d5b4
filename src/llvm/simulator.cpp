// LLVM MCA in process: loops in machine code through the scheduling model of a CPU, and what
// the tables of the model say of single instructions.

#include "target.h"

#include <algorithm>
#include <map>
#include <vector>

#include "llvm/MC/MCInstrAnalysis.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/HWEventListener.h"
#include "llvm/MCA/InstrBuilder.h"
#include "llvm/MCA/Pipeline.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

#if LLVM_VERSION_MAJOR >= 22
static mca::Instruction &postProcessed(std::unique_ptr<mca::Instruction> &I) { return *I; }
#else
static std::unique_ptr<mca::Instruction> &postProcessed(std::unique_ptr<mca::Instruction> &I) {
  return I;
}
#endif

// What every model needs and llvm-mca assumes by default: the model's own widths and sizes,
// and stores that never alias loads.
static mca::PipelineOptions pipelineOptions() { return {0, 0, 0, 0, 0, 0, true}; }

// Calls never stand in a loop; what they take does not matter.
static constexpr unsigned CallLatency = 100;

struct WinicSimulator {
  WinicTarget *Target;
  std::unique_ptr<MCInstrAnalysis> Analysis;
  std::unique_ptr<mca::InstrumentManager> Instruments;
  std::unique_ptr<mca::InstrPostProcess> PostProcess;
  std::unique_ptr<mca::InstrBuilder> Builder;

  const MCSubtargetInfo &subtarget() const { return *Target->Subtarget; }
  const MCSchedModel &model() const { return Target->Subtarget->getSchedModel(); }
};

template <typename Own, typename Default>
static std::unique_ptr<Default> orDefault(Own *Specific, Default *Generic) {
  std::unique_ptr<Default> Fallback(Generic);
  return Specific ? std::unique_ptr<Default>(Specific) : std::move(Fallback);
}

WinicSimulator *winic_simulator_new(WinicTarget *T, char *Error, size_t ErrorSize) {
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
  Out->Analysis.reset(T->TheTarget->createMCInstrAnalysis(&Info));
  if (!Out->Analysis)
    return Fail("LLVM cannot analyse instructions of " + T->TheTriple.str());
  Out->Instruments = orDefault(T->TheTarget->createInstrumentManager(STI, Info),
                               new mca::InstrumentManager(STI, Info));
  Out->PostProcess = orDefault(T->TheTarget->createInstrPostProcess(STI, Info),
                               new mca::InstrPostProcess(STI, Info));
  Out->Builder = std::make_unique<mca::InstrBuilder>(STI, Info, *T->Registers, Out->Analysis.get(),
                                                     *Out->Instruments, CallLatency);
  return Out.release();
}

void winic_simulator_delete(WinicSimulator *S) { delete S; }

static bool decode(const WinicSimulator *S, ArrayRef<uint8_t> Bytes, uint64_t Address, MCInst &Inst,
                   uint64_t &Length) {
  return S->Target->Disassembler->getInstruction(Inst, Length, Bytes, Address, nulls()) ==
         MCDisassembler::Success;
}

int winic_step(WinicSimulator *S, const uint8_t *Bytes, size_t Size, uint64_t Address,
               WinicStep *Out) {
  MCInst Inst;
  *Out = {0, UINT64_MAX, WINIC_FALLS_THROUGH};
  if (!decode(S, ArrayRef(Bytes, Size), Address, Inst, Out->length))
    return WINIC_NOT_DECODED;
  const MCInstrAnalysis &Analysis = *S->Analysis;
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

static std::unique_ptr<mca::Instruction> create(WinicSimulator *S, const MCInst &Inst,
                                                const SmallVector<mca::Instrument *> &Active) {
  auto Instruction = S->Builder->createInstruction(Inst, Active);
  if (!Instruction) {
    consumeError(Instruction.takeError());
    return nullptr;
  }
  S->PostProcess->postProcessInstruction(postProcessed(*Instruction), Inst);
  return std::move(*Instruction);
}

template <typename Visit>
static int forEachInstruction(const WinicSimulator *S, ArrayRef<uint8_t> Bytes, Visit &&Visitor) {
  while (!Bytes.empty()) {
    MCInst Inst;
    uint64_t Length = 0;
    if (!decode(S, Bytes, 0, Inst, Length))
      return WINIC_NOT_DECODED;
    if (const int Status = Visitor(Inst, Bytes.take_front(Length)))
      return Status;
    Bytes = Bytes.drop_front(Length);
  }
  return WINIC_OK;
}

// The target's MC layer does not know on every target which features of the CPU an instruction
// needs (x86's does not), but models cover only what their CPUs have.
int winic_covers(WinicSimulator *S, const uint8_t *Bytes, size_t Size) {
  return forEachInstruction(S, ArrayRef(Bytes, Size),
                            [&](const MCInst &Inst, ArrayRef<uint8_t>) -> int {
                              return create(S, Inst, {}) ? WINIC_OK : WINIC_NOT_MODELLED;
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

// The state that instructions before a loop leave to the model (RISC-V: the vector
// configuration): the last instrument of each kind.
static int activeInstruments(WinicSimulator *S, ArrayRef<uint8_t> Before,
                             std::map<std::string, mca::UniqueInstrument> &Active) {
  return forEachInstruction(S, Before, [&](const MCInst &Inst, ArrayRef<uint8_t>) -> int {
    for (auto &Instrument : S->Instruments->createInstruments(Inst))
      if (Instrument)
        Active[Instrument->getDesc().str()] = std::move(Instrument);
    return WINIC_OK;
  });
}

int winic_simulate(WinicSimulator *S, const uint8_t *Before, size_t BeforeSize, const uint8_t *Code,
                   size_t Size, WinicSteadyState *Out) {
  std::map<std::string, mca::UniqueInstrument> State;
  if (const int Status = activeInstruments(S, ArrayRef(Before, BeforeSize), State))
    return Status;
  std::vector<mca::SourceMgr::UniqueInst> Loop;
  const int Status =
      forEachInstruction(S, ArrayRef(Code, Size), [&](const MCInst &Inst, ArrayRef<uint8_t>) -> int {
        for (auto &Instrument : S->Instruments->createInstruments(Inst))
          if (Instrument)
            State[Instrument->getDesc().str()] = std::move(Instrument);
        SmallVector<mca::Instrument *> Active;
        for (const auto &Entry : State)
          Active.push_back(Entry.second.get());
        Loop.push_back(create(S, Inst, Active));
        return Loop.back() ? WINIC_OK : WINIC_NOT_MODELLED;
      });
  if (Status != WINIC_OK)
    return Status;
  const MCSubtargetInfo &STI = S->subtarget();
  const MCInstrInfo &Info = *S->Target->Instructions;
  Looping Source(Loop, reorderBufferSize(S->model()));
  const auto Behaviour = orDefault(S->Target->TheTarget->createCustomBehaviour(STI, Source, Info),
                                   new mca::CustomBehaviour(STI, Source, Info));
  mca::Context Context(*S->Target->Registers, STI);
  const auto Pipeline = Context.createDefaultPipeline(pipelineOptions(), Source, *Behaviour);
  Pipeline->addEventListener(&Source);
  auto Cycles = Pipeline->run();
  if (!Cycles) {
    consumeError(Cycles.takeError());
    return WINIC_NOT_MODELLED;
  }
  if (!Source.isUsable())
    return WINIC_NOT_MODELLED;
  *Out = Source.result();
  return WINIC_OK;
}

// ---- Tables ----------------------------------------------------------------------------------

// The class of an instruction, chosen by its operands where the model has several.
static const MCSchedClassDesc *resolvedClass(const WinicSimulator *S, const MCInst &Inst,
                                             unsigned &Id, bool &Variant) {
  const MCInstrInfo &Info = *S->Target->Instructions;
  const MCSchedModel &Model = S->model();
  Id = Info.get(Inst.getOpcode()).getSchedClass();
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

// What an instruction needs most: a resource, the places in the front end, those in the reorder
// buffer for as long as it takes, or, if it starts or ends a dispatch group, a cycle of its own.
static double throughput(const WinicSimulator *S, const MCSchedClassDesc &Class,
                         const mca::InstrDesc &Desc) {
  const double Resources = MCSchedModel::getReciprocalThroughput(S->subtarget(), Class);
  // What is eliminated takes its place, too.
  const double Dispatch = std::max(1.0, double(Desc.NumMicroOps)) / S->model().IssueWidth;
  const double Alone = Class.BeginGroup || Class.EndGroup ? 1 : 0;
  const double Waiting =
      S->model().isOutOfOrder() ? Desc.MaxLatency / inFlight(S->model(), Desc.NumMicroOps) : 0;
  return std::max({Resources, Dispatch, Alone, Waiting});
}

int winic_model(WinicSimulator *S, uint32_t Opcode, const WinicOperand *Operands, size_t Count,
                WinicModel *Out, WinicAccess *Writes, size_t *WriteCount, WinicAccess *Reads,
                size_t *ReadCount) {
  if (!operandsFit(S->Target, Opcode, Operands, Count))
    return WINIC_WRONG_OPERANDS;
  const MCInst Inst = buildInst(Opcode, Operands, Count);
  bool Variant = false;
  unsigned ClassId = 0;
  const MCSchedClassDesc *Class = resolvedClass(S, Inst, ClassId, Variant);
  const auto Instruction = Class ? create(S, Inst, {}) : nullptr;
  if (!Instruction)
    return WINIC_NOT_MODELLED;
  const mca::InstrDesc &Desc = Instruction->getDesc();
  if (Desc.Writes.size() > *WriteCount || Desc.Reads.size() > *ReadCount)
    return WINIC_TOO_SMALL;
  APInt Mask;
  const unsigned Cpu = S->model().getProcessorID();
  Out->micro_ops = Desc.NumMicroOps;
  Out->variant = Variant;
  Out->breaks_dependences = S->Analysis->isDependencyBreaking(Inst, Mask, Cpu) ||
                            S->Analysis->isZeroIdiom(Inst, Mask, Cpu);
  Out->sched_class = ClassId;
  Out->throughput = throughput(S, *Class, Desc);
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
