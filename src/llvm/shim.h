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
  WINIC_NOT_MODELLED = 6,   // the CPU's scheduling model does not cover the instruction
};

const char *winic_llvm_version(void);

// LLVM's name of the CPU that a text of the form of Linux's /proc/cpuinfo describes; "" or
// "generic" if it cannot tell.
const char *winic_cpu_name(const char *TripleName, const char *CPUInfo);
// Whether the architecture has a feature of this name (without a sign).
int winic_knows_feature(const char *TripleName, const char *Feature);
// Whether the architecture has a CPU of this name.
int winic_knows_cpu(const char *TripleName, const char *CPU);

// How many CPUs LLVM knows of an architecture; and the name of one of them, a literal. `model`: the
// number of its scheduling model, which CPUs may share; 0 if it has none.
uint32_t winic_cpu_count(const WinicTarget *target);
const char *winic_cpu(const WinicTarget *target, uint32_t index, uint32_t *model);

// A target, or NULL with a reason in `error`. `features` is LLVM's "+a,-b" list.
WinicTarget *winic_target_new(const char *triple, const char *cpu, const char *features,
                              char *error, size_t error_size);
// Whether the target has a feature of LLVM's, e.g. "+avx".
int winic_has_feature(const WinicTarget *target, const char *feature);
// LLVM's features of the architecture, by number; names have no sign and live for ever.
uint32_t winic_feature_count(const WinicTarget *target);
const char *winic_feature_name(const WinicTarget *target, uint32_t feature);
// Whether turning one feature on turns another on with it.
int winic_feature_implies(const WinicTarget *target, uint32_t feature, uint32_t other);
// Turns one feature off for the decoder, and leaves those on that imply it.
void winic_turn_off(WinicTarget *target, uint32_t feature);
void winic_target_delete(WinicTarget *target);

uint32_t winic_opcode_count(const WinicTarget *target);
void winic_opcode(const WinicTarget *target, uint32_t opcode, WinicOpcode *out);
void winic_operand_info(const WinicTarget *target, uint32_t opcode, uint32_t operand,
                        WinicOperandInfo *out);

uint32_t winic_register_count(const WinicTarget *target);
const char *winic_register_name(const WinicTarget *target, uint32_t reg);
// Both fill `out` up to `capacity` and return how many there are.
size_t winic_register_units(const WinicTarget *target, uint32_t reg, uint32_t *out, size_t capacity);
// The number by which encodings name a register.
uint32_t winic_register_number(const WinicTarget *target, uint32_t reg);
size_t winic_sub_registers(const WinicTarget *target, uint32_t reg, uint32_t *out, size_t capacity);

uint32_t winic_class_count(const WinicTarget *target);
void winic_class(const WinicTarget *target, uint32_t id, WinicClass *out);
uint32_t winic_class_register(const WinicTarget *target, uint32_t id, uint32_t index);

int winic_encode(WinicTarget *target, uint32_t opcode, const WinicOperand *operands, size_t count,
                 uint8_t *bytes, size_t capacity, size_t *length);
// The opcode and operands of the first instruction in `bytes`, and its length.
int winic_decode(WinicTarget *target, const uint8_t *bytes, size_t size, uint32_t *opcode,
                 WinicOperand *operands, size_t capacity, size_t *count, size_t *length);
// What an instruction does to the flow of control.
enum {
  WINIC_FALLS_THROUGH = 0,
  WINIC_BRANCHES = 1, // to `target`, or wherever that is not known: UINT64_MAX
  WINIC_CALLS = 2,    // a function at `target`
  WINIC_RETURNS = 3,
};

typedef struct {
  uint64_t length;
  uint64_t target;
  uint32_t control;
} WinicStep;

// The first instruction in `bytes`, which stand at `address`.
int winic_step(const WinicTarget *target, const uint8_t *bytes, size_t size, uint64_t address,
               WinicStep *out);

// The instruction in the assembler's syntax, as a NUL-terminated string in `text`: as the vendor's
// manual has it, or as compilers print it.
int winic_print(WinicTarget *target, int as_compilers, uint32_t opcode,
                const WinicOperand *operands, size_t count, char *text, size_t capacity);

// ---- Text to object, and intrinsics ----------------------------------------------------------

// An object file of assembly text, by MC's own parser and streamer; NULL with a reason in `error`. To be
// given back to `winic_bytes_delete`.
uint8_t *winic_assemble(const WinicTarget *target, const char *source, size_t length, size_t *size,
                        char *error, size_t error_size);
void winic_bytes_delete(uint8_t *bytes);

// How many intrinsics LLVM has, with number 0, which is none.
uint32_t winic_intrinsic_count(void);
// The name of one, without what its types add, and its function type as LLVM prints it (WINIC_NO_ENCODING
// where it has more than one), as NUL-terminated strings in `out`.
int winic_intrinsic_name(uint32_t id, char *out, size_t capacity);
int winic_intrinsic_type(uint32_t id, char *out, size_t capacity);

// ---- LLVM MCA: the scheduling model of a CPU, at work and as tables --------------------------

typedef struct WinicSimulator WinicSimulator;

// A simulator of the target's CPU, or NULL with a reason in `error`. It decodes loops with the
// target, and what runs before them with the surroundings, which may have more features. Both must
// live as long as the simulator.
WinicSimulator *winic_simulator_new(WinicTarget *target, WinicTarget *surroundings, char *error,
                                    size_t error_size);
void winic_simulator_delete(WinicSimulator *simulator);

// Whether the CPU's model covers every instruction of some code: WINIC_OK, WINIC_NOT_DECODED or
// WINIC_NOT_MODELLED. `before` is what ran before it: it may have set state that the model
// depends on, but takes no time. The same holds for it below. `occupied` gets the cycles for which one of
// the instructions occupies its units at the most.
int winic_covers(WinicSimulator *simulator, const uint8_t *before, size_t before_size,
                 const uint8_t *code, size_t size, double *occupied);

// How a loop runs once it has become periodic.
typedef struct {
  uint64_t cycles;
  uint64_t iterations;
  uint32_t periodic; // 0: it did not repeat itself within the limit; the figures are an average
} WinicSteadyState;

// Simulates a loop. With `loads_wait` every load waits for all stores before it, otherwise for none.
int winic_simulate(WinicSimulator *simulator, const uint8_t *before, size_t before_size,
                   const uint8_t *loop, size_t loop_size, uint32_t loads_wait,
                   WinicSteadyState *out);

// What the model says of one instruction.
typedef struct {
  uint32_t micro_ops;
  uint32_t variant;            // its class was chosen by its operands
  uint32_t sched_class;        // the class that was chosen
  uint32_t breaks_dependences; // an idiom whose result does not depend on its operands
  uint32_t barrier;            // memory accesses wait for each other at it
  double throughput;           // cycles an instruction takes of what it needs most
  double units_at_once;        // cycles it takes if it waits for its units only, all at once
} WinicModel;

// A register written or read: an operand, or (operand < 0) a register that is implied.
typedef struct {
  int32_t operand;
  uint32_t reg;
  uint32_t latency;  // writes: cycles until it can be read
  uint32_t resource; // writes: what reads may be early for
  uint32_t use;      // reads: number of the use in its class
  uint32_t sched_class;
} WinicAccess;

int winic_model(WinicSimulator *simulator, const uint8_t *before, size_t before_size,
                uint32_t opcode, const WinicOperand *operands, size_t count, WinicModel *out,
                WinicAccess *writes, size_t *write_count, WinicAccess *reads, size_t *read_count);
// Cycles by which a read may come before the end of a write.
int32_t winic_read_advance(const WinicSimulator *simulator, uint32_t sched_class, uint32_t use,
                           uint32_t resource);

// Slots of the front end in a cycle.
uint32_t winic_issue_width(const WinicSimulator *simulator);

// What instructions need of a core besides: so many units of a kind. A group is of as many units of other
// kinds, which are its members, each named once for each of its units. Number 0 is none.
typedef struct {
  const char *name;
  const unsigned *members; // null where it is no group
  uint32_t units;
} WinicResource;
uint32_t winic_resources(const WinicSimulator *simulator);
void winic_resource(const WinicSimulator *simulator, uint32_t index, WinicResource *out);

// What a scheduling class holds for how many cycles. Gives how many there are, and writes as many as there
// is room for.
typedef struct {
  uint32_t resource;
  uint32_t cycles;
} WinicResourceUse;
size_t winic_resource_uses(const WinicSimulator *simulator, uint32_t sched_class,
                           WinicResourceUse *uses, size_t room);
#ifdef __cplusplus
}
#endif

#endif
