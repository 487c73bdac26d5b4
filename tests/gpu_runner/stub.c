// A driver's library that has no GPU: it counts its calls, and misbehaves as WINIC_STUB says.
//   fail:NAME:N   the N-th call of NAME returns an error
//   hang:NAME:N   ... does not return
//   crash:NAME:N  ... ends the process by a signal
//   garbage       memory and numbers that no driver would give
// PREFIX chooses the names: CUDA's or HIP's. Calls are appended to the file in WINIC_STUB_LOG.
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static unsigned char memory[1 << 20];
static int is_garbage(void) {
    const char *how = getenv("WINIC_STUB");
    return how && strcmp(how, "garbage") == 0;
}

// Notes a call; the error that it is to return.
static int called(const char *name) {
    static char names[64][64];
    static int counts[64];
    const char *log = getenv("WINIC_STUB_LOG"), *how = getenv("WINIC_STUB");
    int at = 0;
    while (at < 63 && names[at][0] && strcmp(names[at], name)) ++at;
    strncpy(names[at], name, 63);
    ++counts[at];
    if (log) {
        FILE *file = fopen(log, "a");
        if (file) {
            fprintf(file, "%s\n", name);
            fclose(file);
        }
    }
    char kind[16] = "", wanted[64] = "";
    int number = 0;
    if (!how || sscanf(how, "%15[^:]:%63[^:]:%d", kind, wanted, &number) != 3) return 0;
    if (strcmp(wanted, name) || number != counts[at]) return 0;
    if (!strcmp(kind, "hang")) for (;;) pause();
    if (!strcmp(kind, "crash")) abort();
    return 700;
}
#define CALL(name) do { int error = called(name); if (error) return error; } while (0)

#ifdef HIP
#define N(cuda, hip) hip
#else
#define N(cuda, hip) cuda
#endif
#define STRING2(x) #x
#define STRING(x) STRING2(x)
#define FUNCTION(cuda, hip, ...) int N(cuda, hip)(__VA_ARGS__)
#define NOTE(cuda, hip) CALL(STRING(N(cuda, hip)))

FUNCTION(cuInit, hipInit, unsigned flags) { NOTE(cuInit, hipInit); return 0; }
FUNCTION(cuDriverGetVersion, hipDriverGetVersion, int *out) {
    NOTE(cuDriverGetVersion, hipDriverGetVersion);
    *out = is_garbage() ? -5 : 12080;
    return 0;
}
FUNCTION(cuDeviceGetCount, hipGetDeviceCount, int *out) {
    NOTE(cuDeviceGetCount, hipGetDeviceCount);
    const char *count = getenv("WINIC_STUB_COUNT");
    *out = count ? atoi(count) : 1;
    return 0;
}
FUNCTION(cuDeviceGetName, hipDeviceGetName, char *out, int size, int device) {
    NOTE(cuDeviceGetName, hipDeviceGetName);
    if (is_garbage()) memset(out, 0xfe, size); // Without an end.
    else snprintf(out, size, "Stub GPU");
    return 0;
}
FUNCTION(cuDeviceGetAttribute, hipDeviceGetAttribute, int *out, int attribute, int device) {
    NOTE(cuDeviceGetAttribute, hipDeviceGetAttribute);
    *out = attribute == 75 ? 9 : attribute == 76 ? 0 : 4;
    return 0;
}
FUNCTION(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId, char *out, int size, int device) {
    NOTE(cuDeviceGetPCIBusId, hipDeviceGetPCIBusId);
    snprintf(out, size, "0000:01:00.0");
    return 0;
}
#ifdef HIP
int hipSetDevice(int device) { CALL("hipSetDevice"); return 0; }
const char *hipGetErrorString(int error) { return error == 700 ? "an illegal memory access" : 0; }
#else
int cuDevicePrimaryCtxRetain(void **out, int device) { CALL("cuDevicePrimaryCtxRetain"); *out = memory; return 0; }
int cuCtxSetCurrent(void *context) { CALL("cuCtxSetCurrent"); return 0; }
int cuGetErrorString(int error, const char **out) {
    *out = error == 700 ? "an illegal memory access\nwas encountered" : 0;
    return 0;
}
static char **error_log;
int cuLinkCreate_v2(unsigned count, int *options, void **values, void **out) {
    CALL("cuLinkCreate_v2");
    for (unsigned at = 0; at < count; ++at)
        if (options[at] == 5) {
            static char *place;
            place = values[at];
            error_log = &place;
        }
    *out = memory;
    return 0;
}
int cuLinkAddData_v2(void *state, unsigned kind, void *data, size_t size, const char *name, unsigned count, int *options, void **values) {
    int error = called("cuLinkAddData_v2");
    if (error && error_log) strcpy(*error_log, "ptxas: line 7: unknown instruction");
    return error;
}
// A compiled module: the file that WINIC_STUB_CUBIN names, or nothing of use.
int cuLinkComplete(void *state, void **out, size_t *size) {
    CALL("cuLinkComplete");
    static char code[1 << 20];
    *out = code;
    *size = 64;
    const char *path = getenv("WINIC_STUB_CUBIN");
    FILE *file = path ? fopen(path, "rb") : 0;
    if (file) {
        *size = fread(code, 1, sizeof code, file);
        fclose(file);
    }
    if (is_garbage()) *size = SIZE_MAX;
    return 0;
}
int cuLinkDestroy(void *state) { CALL("cuLinkDestroy"); return 0; }
#endif
FUNCTION(cuModuleLoadData, hipModuleLoadData, void **out, const void *image) {
    NOTE(cuModuleLoadData, hipModuleLoadData);
    *out = memory;
    return 0;
}
FUNCTION(cuModuleGetFunction, hipModuleGetFunction, void **out, void *module, const char *name) {
    NOTE(cuModuleGetFunction, hipModuleGetFunction);
    // A kernel is known by what its symbol ends in: chains, and instances of its loop.
    const char *end = strrchr(name, '_'), *chained = strstr(name, "chains_");
    uintptr_t last = end ? (uintptr_t)atoi(end + 1) : 0, has_loop = last == 16 || last == 32;
    uintptr_t instances = last == 32 ? 32 : 16;
    uintptr_t chains = chained ? (uintptr_t)atoi(chained + 7) : 1;
    *out = (void *)(has_loop << 16 | instances << 8 | chains);
    return 0;
}
FUNCTION(cuFuncGetAttribute, hipFuncGetAttribute, int *out, int attribute, void *function) {
    NOTE(cuFuncGetAttribute, hipFuncGetAttribute);
    *out = 40;
    return 0;
}
FUNCTION(cuMemAlloc_v2, hipMalloc, uint64_t *out, size_t bytes) {
    NOTE(cuMemAlloc_v2, hipMalloc);
    *out = (uint64_t)(uintptr_t)calloc(bytes, 1);
    return 0;
}
FUNCTION(cuMemsetD8_v2, hipMemsetD8, uint64_t address, unsigned char value, size_t bytes) {
    NOTE(cuMemsetD8_v2, hipMemsetD8);
    memset((void *)(uintptr_t)address, value, bytes);
    return 0;
}
static unsigned iterations;
// "Runs" the kernel: records of an instruction of 32 cycles, whose sums are as WINIC_STUB_SUM says.
FUNCTION(cuLaunchKernel, hipModuleLaunchKernel, void *function, unsigned bx, unsigned by, unsigned bz,
         unsigned tx, unsigned ty, unsigned tz, unsigned shared, void *stream, void **params, void **extra) {
    NOTE(cuLaunchKernel, hipModuleLaunchKernel);
    unsigned char *arguments = extra[1];
    uint64_t out;
    uint32_t records;
    memcpy(&out, arguments, 8);
    memcpy(&iterations, arguments + 8, 4);
    memcpy(&records, arguments + 12, 4);
    uint64_t instances = (uintptr_t)function >> 8 & 0xff, chains = (uintptr_t)function & 0xff;
    // (What the loop of NVIDIA's kernels takes besides.)
    uint64_t loop = (uintptr_t)function >> 16 ? 11 : 0;
    const char *growth = getenv("WINIC_STUB_SUM");
    float sum = (float)(iterations * instances / chains) * (growth ? atof(growth) : 16);
    for (unsigned at = 0; at < bx * records; ++at) {
        uint64_t record[8] = {1000, 1000 + (uint64_t)iterations * (instances * 32 + loop) + 90, 5, 5 + (uint64_t)iterations * 300, at, 0, at,
                              0x7265636f6e697763};
        memcpy(&record[5], &sum, 4);
        if (is_garbage()) record[7] = 0x4141414141414141;
        memcpy((char *)(uintptr_t)out + 64 * at, record, 64);
    }
    return 0;
}
FUNCTION(cuEventCreate, hipEventCreateWithFlags, void **out, unsigned flags) {
    NOTE(cuEventCreate, hipEventCreateWithFlags);
    *out = memory;
    return 0;
}
// How many products the library of products has done by each of the last two events: it counts them in the
// environment, as the two libraries see nothing of each other.
static int products[2];
FUNCTION(cuEventRecord, hipEventRecord, void *event, void *stream) {
    NOTE(cuEventRecord, hipEventRecord);
    const char *count = getenv("WINIC_STUB_PRODUCTS");
    products[0] = products[1];
    products[1] = count ? atoi(count) : 0;
    return 0;
}
FUNCTION(cuEventSynchronize, hipEventSynchronize, void *event) {
    NOTE(cuEventSynchronize, hipEventSynchronize);
    return 0;
}
FUNCTION(cuEventElapsedTime, hipEventElapsedTime, float *out, void *begin, void *end) {
    NOTE(cuEventElapsedTime, hipEventElapsedTime);
    // A kernel's iteration takes a microsecond, and a product a hundred.
    float passed = iterations ? (float)iterations / 1000 : (float)(products[1] - products[0]) / 10;
    *out = is_garbage() ? -1.0f : passed;
    return 0;
}
FUNCTION(cuMemcpyHtoD_v2, hipMemcpyHtoD, uint64_t address, const void *from, size_t bytes) {
    NOTE(cuMemcpyHtoD_v2, hipMemcpyHtoD);
    memcpy((void *)(uintptr_t)address, from, bytes);
    return 0;
}
FUNCTION(cuMemcpyDtoH_v2, hipMemcpyDtoH, void *out, uint64_t address, size_t bytes) {
    NOTE(cuMemcpyDtoH_v2, hipMemcpyDtoH);
    memcpy(out, (void *)(uintptr_t)address, bytes);
    return 0;
}
