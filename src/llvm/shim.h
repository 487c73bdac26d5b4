// The C face of winic's shim over LLVM's MC classes. No C++ type and no exception
// crosses it; strings are copied into buffers of the caller or live as long as the target.
#ifndef WINIC_SHIM_H
#define WINIC_SHIM_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct WinicTarget WinicTarget;

// Kinds of operand; WINIC_TARGET_KIND + k is the k-th target-specific one.
enum {
  WINIC_UNKNOWN = 0,
  WINIC_IMMEDIATE = 1,
  WINIC_REGISTER = 2,
  WINIC_MEMORY = 3,
  WINIC_BRANCH_TARGET = 4,
  WINIC_TARGET_KIND = 16,
};

// Properties of an opcode, as bits.
enum {
  WINIC_PSEUDO = 1,
  WINIC_MAY_LOAD = 2,
  WINIC_MAY_STORE = 4,
  WINIC_CONTROL_FLOW = 8,
  WINIC_VARIADIC = 16,
};

typedef struct {
  const char *name;
  size_t name_length;
  uint32_t flags;
  uint32_t operand_count;
  uint32_t definition_count;
  const uint16_t *implicit_uses;
  size_t implicit_use_count;
  const uint16_t *implicit_defs;
  size_t implicit_def_count;
} WinicOpcode;

typedef struct {
  uint32_t kind;
  int32_t register_class; // -1: none
  int32_t tied_to;        // -1: not tied
  uint32_t early_clobber;
} WinicOperandInfo;

typedef struct {
  const char *name;
  size_t name_length;
  uint32_t bits;
  uint32_t register_count;
} WinicClass;

typedef struct {
  uint32_t is_register;
  int64_t value; // register number or immediate
} WinicOperand;

// What a call that can fail returns.
enum {
  WINIC_OK = 0,
  WINIC_WRONG_OPERANDS = 1, // the operands do not fit the opcode; LLVM was not asked
  WINIC_NO_ENCODING = 2,    // nothing was emitted, or more than one instruction can hold
  WINIC_UNRESOLVED = 3,     // the encoding needs a relocation
  WINIC_NOT_DECODED = 4,    // the bytes are no instruction
  WINIC_TOO_SMALL = 5,      // the caller's buffer is too small
};

const char *winic_llvm_version(void);

// A target, or NULL with a reason in `error`. `features` is LLVM's "+a,-b" list.
WinicTarget *winic_target_new(const char *triple, const char *cpu, const char *features,
                              char *error, size_t error_size);
// Whether the target has a feature of LLVM's, e.g. "+avx".
int winic_has_feature(const WinicTarget *target, const char *feature);
void winic_target_delete(WinicTarget *target);

uint32_t winic_opcode_count(const WinicTarget *target);
void winic_opcode(const WinicTarget *target, uint32_t opcode, WinicOpcode *out);
void winic_operand_info(const WinicTarget *target, uint32_t opcode, uint32_t operand,
                        WinicOperandInfo *out);

uint32_t winic_register_count(const WinicTarget *target);
const char *winic_register_name(const WinicTarget *target, uint32_t reg);
// Both fill `out` up to `capacity` and return how many there are.
size_t winic_register_units(const WinicTarget *target, uint32_t reg, uint32_t *out, size_t capacity);
size_t winic_sub_registers(const WinicTarget *target, uint32_t reg, uint32_t *out, size_t capacity);

uint32_t winic_class_count(const WinicTarget *target);
void winic_class(const WinicTarget *target, uint32_t id, WinicClass *out);
uint32_t winic_class_register(const WinicTarget *target, uint32_t id, uint32_t index);

int winic_encode(WinicTarget *target, uint32_t opcode, const WinicOperand *operands, size_t count,
                 uint8_t *bytes, size_t capacity, size_t *length);
// The opcode and operands of the first instruction in `bytes`, and its length.
int winic_decode(WinicTarget *target, const uint8_t *bytes, size_t size, uint32_t *opcode,
                 WinicOperand *operands, size_t capacity, size_t *count, size_t *length);
// The instruction in the assembler's syntax, as a NUL-terminated string in `text`.
int winic_print(WinicTarget *target, uint32_t opcode, const WinicOperand *operands, size_t count,
                char *text, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
