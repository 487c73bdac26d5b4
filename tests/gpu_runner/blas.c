// A library of products that has no GPU: it computes the first element of the result, and counts
// its products. WINIC_STUB_BLAS says how it misbehaves: `create` or `multiply` fails, `wrong` adds nothing.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int is_asked(const char *what) {
    const char *how = getenv("WINIC_STUB_BLAS");
    return how && !strcmp(how, what);
}
// The types by both vendors' numbers.
static int is_half(int type) { return type == 2 || type == 150; }
static int is_single(int type) { return type == 0 || type == 151; }
static double get(const void *at, int type) {
    return is_half(type) ? *(const _Float16 *)at : is_single(type) ? *(const float *)at : *(const double *)at;
}
static void put(void *at, int type, double value) {
    if (is_half(type)) *(_Float16 *)at = value;
    else if (is_single(type)) *(float *)at = value;
    else *(double *)at = value;
}
static int multiply(const void *alpha, int scale, uint64_t a, int of, uint64_t b, uint64_t c, int into) {
    // (The library may have been closed since the last one.)
    const char *before = getenv("WINIC_STUB_PRODUCTS");
    char text[16];
    snprintf(text, sizeof text, "%d", before ? atoi(before) + 1 : 1);
    setenv("WINIC_STUB_PRODUCTS", text, 1);
    if (is_asked("multiply")) return 13;
    double product = get((void *)a, of) * get((void *)b, of), added = get((void *)c, into);
    double by = get(alpha, scale);
    put((void *)c, into, by * product + (is_asked("wrong") ? 0 : by * added));
    return 0;
}

int cublasCreate_v2(void **out) { *out = out; return is_asked("create"); }
int cublasGemmEx(void *handle, int ta, int tb, int m, int n, int k, const void *alpha, uint64_t a, int of, int lda,
                 uint64_t b, int ob, int ldb, const void *beta, uint64_t c, int into, int ldc, int compute, int algorithm) {
    if (ta || tb || m != n || k != n || lda != n || of != ob || algorithm != -1) return 7;
    return multiply(alpha, compute == 64 ? 2 : compute == 68 ? 0 : 1, a, of, b, c, into);
}
int rocblas_create_handle(void **out) { *out = out; return is_asked("create"); }
int rocblas_gemm_ex(void *handle, int ta, int tb, int m, int n, int k, const void *alpha, uint64_t a, int of, int lda,
                    uint64_t b, int ob, int ldb, const void *beta, uint64_t c, int into, int ldc, uint64_t d, int dt,
                    int ldd, int compute, int algorithm, int32_t solution, uint32_t flags) {
    if (ta != 111 || tb != 111 || m != n || k != n || lda != n || of != ob || c != d || into != dt || flags) return 7;
    return multiply(alpha, compute, a, of, b, c, into);
}
