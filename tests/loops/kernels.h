/* What kernels work on, and their list. */
#ifndef KERNELS_H
#define KERNELS_H
#include <stdint.h>

struct data {
  double *restrict a, *restrict b, *restrict c, *restrict d;
  float *restrict f, *restrict g, *restrict h;
  int32_t *restrict i, *restrict j, *restrict k;
  uint64_t *restrict u, *restrict v;
  uint8_t *restrict s, *restrict t;
  void **list;
  double real;
  uint64_t whole;
};

#define KERNELS(X)                                                                                 \
  X(copy) X(scale) X(triad) X(axpy) X(fill) X(sum) X(dot) X(dotf) X(norm) X(largest) X(sumint)     \
  X(smallest) X(stencil3) X(stencil5) X(prefix) X(prefixint) X(filter) X(horner) X(gather)         \
  X(gathersum) X(scatter) X(histogram) X(fnv) X(mix) X(table) X(xorshift) X(lcg) X(length)         \
  X(countchar) X(upper) X(divide) X(root) X(divideint) X(modulo) X(positive) X(clamp) X(bits)      \
  X(tofloat) X(toint) X(chase) X(complexmul) X(matvec) X(rotate) X(reverse)

#define DECLARE(name) void kernel_##name(struct data *x, long n);
KERNELS(DECLARE)
#undef DECLARE
#endif
