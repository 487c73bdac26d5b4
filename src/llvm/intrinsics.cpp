// LLVM's intrinsics: names and signatures of instructions of targets whose opcodes MC does not know.

#include "shim.h"

#include <cstdio>
#include <string>

#include "llvm/IR/DerivedTypes.h"
#include "llvm/IR/Intrinsics.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

uint32_t winic_intrinsic_count(void) { return Intrinsic::num_intrinsics; }

// Writes what does not fit into the buffer nowhere, and says so.
static int put(StringRef Text, char *Out, size_t Capacity) {
  if (Text.size() >= Capacity)
    return WINIC_TOO_SMALL;
  snprintf(Out, Capacity, "%s", Text.str().c_str());
  return WINIC_OK;
}

int winic_intrinsic_name(uint32_t Id, char *Out, size_t Capacity) {
  return put(Intrinsic::getBaseName(static_cast<Intrinsic::ID>(Id)), Out, Capacity);
}

int winic_intrinsic_type(uint32_t Id, char *Out, size_t Capacity) {
  const auto Number = static_cast<Intrinsic::ID>(Id);
  if (Intrinsic::isOverloaded(Number))
    return WINIC_NO_ENCODING;
  LLVMContext Context;
  std::string Text;
  raw_string_ostream Stream(Text);
  Intrinsic::getType(Context, Number)->print(Stream);
  return put(Text, Out, Capacity);
}
