// The pipeline that loops run through. On a core that issues in order it is MCA's own. On others
// MCA's execute stage is replaced: in every cycle it has the scheduler check all instructions that
// are ready, which are hundreds while a unit is busy, of the same few kinds. Here the scheduler is
// asked for one only if there is a kind that is ready and finds what it needs free, which tells as
// much: what issues in which cycle is the same, in a tenth of the time.

#ifndef WINIC_PIPELINE_H
#define WINIC_PIPELINE_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCSubtargetInfo.h"
#include "llvm/MCA/Context.h"
#include "llvm/MCA/CustomBehaviour.h"
#include "llvm/MCA/HardwareUnits/LSUnit.h"
#include "llvm/MCA/HardwareUnits/RegisterFile.h"
#include "llvm/MCA/HardwareUnits/ResourceManager.h"
#include "llvm/MCA/HardwareUnits/RetireControlUnit.h"
#include "llvm/MCA/HardwareUnits/Scheduler.h"
#include "llvm/MCA/Pipeline.h"
#include "llvm/MCA/SourceMgr.h"
#include "llvm/MCA/Stages/DispatchStage.h"
#include "llvm/MCA/Stages/EntryStage.h"
#include "llvm/MCA/Stages/RetireStage.h"

namespace winic {

class ExecuteByKind final : public llvm::mca::Stage {
public:
  // The resources are the scheduler's own.
  ExecuteByKind(llvm::mca::Scheduler &Waiting, const llvm::mca::ResourceManager &Resources)
      : Waiting(Waiting), Resources(Resources) {}

  // What is in flight is the retire stage's.
  bool hasWorkToComplete() const override { return false; }

  bool isAvailable(const llvm::mca::InstRef &IR) const override {
    return Waiting.isAvailable(IR) == llvm::mca::Scheduler::SC_AVAILABLE;
  }

  llvm::Error cycleStart() override {
    llvm::SmallVector<llvm::mca::ResourceRef, 8> Freed;
    Instructions Done, Pending, NowReady;
    Waiting.cycleEvent(Freed, Done, Pending, NowReady);
    for (llvm::mca::InstRef &IR : Done)
      if (llvm::Error Failure = moveToTheNextStage(IR))
        return Failure;
    count(NowReady);
    while (canIssue()) {
      llvm::mca::InstRef IR = Waiting.select();
      if (!IR)
        break;
      --Ready[kind(IR)];
      if (llvm::Error Failure = issue(IR))
        return Failure;
    }
    return llvm::ErrorSuccess();
  }

  llvm::Error execute(llvm::mca::InstRef &IR) override {
    if (IR.getInstruction()->isEliminated()) {
      IR.getInstruction()->forceExecuted();
      return moveToTheNextStage(IR);
    }
    const bool IsReady = Waiting.dispatch(IR);
    if (IsReady && Waiting.mustIssueImmediately(IR))
      return issue(IR);
    if (IsReady)
      ++Ready[kind(IR)];
    return llvm::ErrorSuccess();
  }

private:
  using Kind = const llvm::mca::InstrDesc *;
  using Instructions = llvm::SmallVector<llvm::mca::InstRef, 8>;

  static Kind kind(const llvm::mca::InstRef &IR) { return &IR.getInstruction()->getDesc(); }

  void count(const Instructions &NowReady) {
    for (const llvm::mca::InstRef &IR : NowReady)
      ++Ready[kind(IR)];
  }

  bool canIssue() const {
    for (const auto &Entry : Ready)
      if (Entry.second > 0 && !Resources.checkAvailability(*Entry.first))
        return true;
    return false;
  }

  llvm::Error issue(llvm::mca::InstRef &IR) {
    llvm::SmallVector<llvm::mca::ResourceUse, 4> Used;
    Instructions Pending, NowReady;
    Waiting.issueInstruction(IR, Used, Pending, NowReady);
    count(NowReady);
    if (IR.getInstruction()->isExecuted())
      return moveToTheNextStage(IR);
    return llvm::ErrorSuccess();
  }

  llvm::mca::Scheduler &Waiting;
  const llvm::mca::ResourceManager &Resources;
  // Instructions of each kind that the scheduler could select.
  llvm::DenseMap<Kind, unsigned> Ready;
};

// A pipeline of the model's own widths and sizes. With NoAlias stores never alias loads, which llvm-mca
// assumes by default; without it each load waits for all stores before it. The context owns its units.
inline std::unique_ptr<llvm::mca::Pipeline>
makePipeline(llvm::mca::Context &Context, const llvm::MCSubtargetInfo &STI,
             const llvm::MCRegisterInfo &Registers, llvm::mca::SourceMgr &Source,
             llvm::mca::CustomBehaviour &Behaviour, bool NoAlias) {
  using namespace llvm::mca;
  const llvm::MCSchedModel &Model = STI.getSchedModel();
  const PipelineOptions Options(0, 0, 0, 0, 0, 0, NoAlias);
  if (!Model.isOutOfOrder())
    return Context.createDefaultPipeline(Options, Source, Behaviour);
  auto Retiring = std::make_unique<RetireControlUnit>(Model);
  auto Files = std::make_unique<RegisterFile>(Model, Registers);
  auto Memory = std::make_unique<LSUnit>(Model, 0, 0, NoAlias);
  auto Resources = std::make_unique<ResourceManager>(Model);
  const ResourceManager &Units = *Resources;
  auto Waiting = std::make_unique<Scheduler>(std::move(Resources), *Memory, nullptr);
  auto Out = std::make_unique<Pipeline>();
  Out->appendStage(std::make_unique<EntryStage>(Source));
  Out->appendStage(std::make_unique<DispatchStage>(STI, Registers, 0, *Retiring, *Files));
  Out->appendStage(std::make_unique<ExecuteByKind>(*Waiting, Units));
  Out->appendStage(std::make_unique<RetireStage>(*Retiring, *Files, *Memory));
  Context.addHardwareUnit(std::move(Retiring));
  Context.addHardwareUnit(std::move(Files));
  Context.addHardwareUnit(std::move(Memory));
  Context.addHardwareUnit(std::move(Waiting));
  return Out;
}

} // namespace winic

#endif
