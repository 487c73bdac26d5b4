// Assembly text into an object file by MC's own parser and streamer, with no code generator between:
// for targets whose code generator adds to the object what the text does not say (AMDGPU: a second,
// empty metadata note and a code object version of its own).

#include "target.h"

#include <cstdlib>
#include <cstring>

#include "llvm/ADT/SmallVector.h"
#include "llvm/MC/MCAsmBackend.h"
#include "llvm/MC/MCObjectFileInfo.h"
#include "llvm/MC/MCObjectWriter.h"
#include "llvm/MC/MCParser/MCAsmParser.h"
#include "llvm/MC/MCParser/MCTargetAsmParser.h"
#include "llvm/MC/MCStreamer.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

// The first error of the parser or the streamer, with its line.
static void keepFirst(const SMDiagnostic &Diagnostic, void *Message) {
  auto &Text = *static_cast<std::string *>(Message);
  if (Text.empty() && Diagnostic.getKind() == SourceMgr::DK_Error)
    Text = "line " + std::to_string(Diagnostic.getLineNo()) + ": " + Diagnostic.getMessage().str();
}

// Parses the text into the object; false with a message where it is wrong.
static bool emit(const WinicTarget *T, const char *Source, size_t Length, std::string &Message,
                 raw_pwrite_stream &Out) {
  SourceMgr Sources;
  Sources.setDiagHandler(keepFirst, &Message);
  Sources.AddNewSourceBuffer(MemoryBuffer::getMemBuffer(StringRef(Source, Length), "", false), SMLoc());
  MCContext Context(T->TheTriple, T->AsmInfo.get(), T->Registers.get(), T->Subtarget.get(), &Sources,
                    &T->Options);
  const std::unique_ptr<MCObjectFileInfo> File(T->TheTarget->createMCObjectFileInfo(Context, true));
  Context.setObjectFileInfo(File.get());
  std::unique_ptr<MCAsmBackend> Backend(
      T->TheTarget->createMCAsmBackend(*T->Subtarget, *T->Registers, T->Options));
  std::unique_ptr<MCCodeEmitter> Emitter(
      T->TheTarget->createMCCodeEmitter(*T->Instructions, Context));
  if (!Backend || !Emitter) {
    Message = "this LLVM cannot assemble " + T->TheTriple.str();
    return false;
  }
  auto Writer = Backend->createObjectWriter(Out);
  const std::unique_ptr<MCStreamer> Streamer(T->TheTarget->createMCObjectStreamer(
      T->TheTriple, Context, std::move(Backend), std::move(Writer), std::move(Emitter),
      *T->Subtarget));
  Streamer->initSections(false, *T->Subtarget);
  const std::unique_ptr<MCAsmParser> Parser(
      createMCAsmParser(Sources, Context, *Streamer, *T->AsmInfo));
  const std::unique_ptr<MCTargetAsmParser> Own(
      T->TheTarget->createMCAsmParser(*T->Subtarget, *Parser, *T->Instructions, T->Options));
  if (!Own) {
    Message = T->TheTriple.getArchName().str() + " has no assembly parser in this LLVM";
    return false;
  }
  Parser->setTargetParser(*Own);
  const bool Failed = Parser->Run(false) || Context.hadError();
  if (Failed && Message.empty())
    Message = "the text is wrong";
  return !Failed;
}

uint8_t *winic_assemble(const WinicTarget *T, const char *Source, size_t Length, size_t *Size,
                        char *Error, size_t ErrorSize) {
  SmallVector<char, 0> Object;
  raw_svector_ostream Out(Object);
  std::string Message;
  if (!emit(T, Source, Length, Message, Out)) {
    snprintf(Error, ErrorSize, "%s", Message.c_str());
    return nullptr;
  }
  auto *Bytes = static_cast<uint8_t *>(std::malloc(Object.size() + 1));
  if (!Bytes) {
    snprintf(Error, ErrorSize, "no memory for %zu bytes", Object.size());
    return nullptr;
  }
  std::memcpy(Bytes, Object.data(), Object.size());
  *Size = Object.size();
  return Bytes;
}

void winic_bytes_delete(uint8_t *Bytes) { std::free(Bytes); }
