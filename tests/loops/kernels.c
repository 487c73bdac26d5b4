/* Loops as programs have them. Each is called with two lengths; what it takes between them is
 * its innermost loop. Nothing here is written with a machine in mind. */
#include "kernels.h"
#include <math.h>

#define KERNEL(name) void kernel_##name(struct data *x, long n)
#define EACH for (long p = 0; p < n; p++)

/* Streams. */
KERNEL(copy) { double *a = x->a, *b = x->b; EACH a[p] = b[p] + 0.0; }
KERNEL(scale) { double *a = x->a, *b = x->b, r = x->real; EACH a[p] = r * b[p]; }
KERNEL(triad) { double *a = x->a, *b = x->b, *c = x->c, r = x->real; EACH a[p] = b[p] + r * c[p]; }
KERNEL(axpy) { float *f = x->f, *g = x->g, r = (float)x->real; EACH f[p] += r * g[p]; }
KERNEL(fill) { int32_t *i = x->i, r = (int32_t)x->whole; EACH i[p] = r; }

/* Reductions. */
KERNEL(sum) { double *a = x->a, s = 0; EACH s += a[p]; x->real = s; }
KERNEL(dot) { double *a = x->a, *b = x->b, s = 0; EACH s += a[p] * b[p]; x->real = s; }
KERNEL(dotf) { float *f = x->f, *g = x->g, s = 0; EACH s += f[p] * g[p]; x->real = s; }
KERNEL(norm) { double *a = x->a, s = 0; EACH s += a[p] * a[p]; x->real = sqrt(s); }
KERNEL(largest) { double *a = x->a, s = a[0]; EACH s = a[p] > s ? a[p] : s; x->real = s; }
KERNEL(sumint) { int32_t *i = x->i; uint32_t s = 0; EACH s += (uint32_t)i[p]; x->whole = s; }
KERNEL(smallest) { int32_t *i = x->i, s = i[0]; EACH s = i[p] < s ? i[p] : s; x->whole = (uint64_t)s; }

/* Stencils and recurrences. */
KERNEL(stencil3) {
  double *a = x->a, *b = x->b;
  for (long p = 1; p < n - 1; p++) a[p] = 0.25 * b[p - 1] + 0.5 * b[p] + 0.25 * b[p + 1];
}
KERNEL(stencil5) {
  double *a = x->a, *b = x->b, r = x->real;
  for (long p = 2; p < n - 2; p++) a[p] = r * (b[p - 2] + b[p - 1] + b[p] + b[p + 1] + b[p + 2]);
}
KERNEL(prefix) { double *a = x->a, *b = x->b, s = 0; EACH { s += b[p]; a[p] = s; } }
KERNEL(prefixint) { uint64_t *u = x->u, *v = x->v, s = 0; EACH { s += v[p]; u[p] = s; } }
KERNEL(filter) { double *a = x->a, *b = x->b, r = x->real, s = 0; EACH { s = r * s + b[p]; a[p] = s; } }
KERNEL(horner) {
  double *a = x->a, *b = x->b;
  EACH { double y = b[p]; a[p] = (((0.1 * y + 0.2) * y + 0.3) * y + 0.4) * y + 0.5; }
}

/* Indirect accesses. */
KERNEL(gather) { double *a = x->a, *b = x->b; int32_t *i = x->i; EACH a[p] = b[i[p]]; }
KERNEL(gathersum) { float *f = x->f, s = 0; int32_t *i = x->i; EACH s += f[i[p]]; x->real = s; }
KERNEL(scatter) { double *a = x->a, *b = x->b; int32_t *i = x->i; EACH a[i[p]] = b[p]; }
KERNEL(histogram) { uint8_t *s = x->s; int32_t *k = x->k; EACH k[s[p]]++; }
KERNEL(chase) { void **at = x->list; EACH at = (void **)*at; x->list = at; }

/* Integers: hashes, generators, strings. */
KERNEL(fnv) { uint8_t *s = x->s; uint64_t h = x->whole; EACH h = (h ^ s[p]) * 1099511628211ull; x->whole = h; }
KERNEL(mix) {
  uint64_t *u = x->u, h = x->whole;
  EACH { uint64_t y = u[p] * 0x9e3779b97f4a7c15ull; y ^= y >> 29; h = (h ^ y) * 5 + 0x52dce729; }
  x->whole = h;
}
KERNEL(table) {
  uint8_t *s = x->s; int32_t *k = x->k; uint32_t h = (uint32_t)x->whole;
  EACH h = (uint32_t)k[(h ^ s[p]) & 255] ^ (h >> 8);
  x->whole = h;
}
KERNEL(xorshift) { uint64_t h = x->whole | 1; EACH { h ^= h << 13; h ^= h >> 7; h ^= h << 17; } x->whole = h; }
KERNEL(lcg) { uint64_t h = x->whole; EACH h = h * 6364136223846793005ull + 1442695040888963407ull; x->whole = h; }
KERNEL(length) {
  uint8_t *s = x->s, kept = s[n];
  s[n] = 0;
  long p = 0;
  while (s[p]) p++;
  s[n] = kept;
  x->whole = (uint64_t)p;
}
KERNEL(countchar) { uint8_t *s = x->s; long c = 0; EACH c += s[p] == 'e'; x->whole = (uint64_t)c; }
KERNEL(upper) { uint8_t *s = x->s, *t = x->t; EACH t[p] = s[p] >= 'a' && s[p] <= 'z' ? s[p] - 32 : s[p]; }
KERNEL(bits) { uint64_t *u = x->u, c = 0; EACH c += (uint64_t)__builtin_popcountll(u[p]); x->whole = c; }
KERNEL(rotate) { uint64_t *u = x->u, *v = x->v; EACH u[p] = (v[p] << 23 | v[p] >> 41) ^ v[p]; }
KERNEL(reverse) { int32_t *i = x->i, *j = x->j; EACH j[p] = i[n - 1 - p]; }

/* Divisions and roots. */
KERNEL(divide) { double *a = x->a, *b = x->b, *c = x->c; EACH a[p] = b[p] / c[p]; }
KERNEL(root) { float *f = x->f, *g = x->g; EACH f[p] = sqrtf(g[p]); }
KERNEL(divideint) { int32_t *i = x->i, *j = x->j, *k = x->k; EACH k[p] = i[p] / (j[p] | 1); }
KERNEL(modulo) { uint64_t *u = x->u, h = x->whole; EACH h = (h + u[p]) % 1000003; x->whole = h; }

/* Conditions. */
KERNEL(positive) { double *a = x->a, s = 0; EACH if (a[p] > 0) s += a[p]; x->real = s; }
KERNEL(clamp) { float *f = x->f, *g = x->g; EACH f[p] = g[p] < 0.25f ? 0.25f : g[p] > 0.75f ? 0.75f : g[p]; }

/* Conversions and products. */
KERNEL(tofloat) { double *a = x->a; int32_t *i = x->i; EACH a[p] = i[p] * 0.5; }
KERNEL(toint) { int32_t *i = x->i; float *f = x->f; EACH i[p] = (int32_t)f[p]; }
KERNEL(complexmul) {
  double *a = x->a, *b = x->b, *c = x->c;
  for (long p = 0; p + 1 < n; p += 2) {
    double re = b[p] * c[p] - b[p + 1] * c[p + 1], im = b[p] * c[p + 1] + b[p + 1] * c[p];
    a[p] = re;
    a[p + 1] = im;
  }
}
KERNEL(matvec) {
  double *a = x->a, *b = x->b, *c = x->c, *d = x->d, s = 0, t = 0, w = 0;
  EACH { s += a[p] * d[p]; t += b[p] * d[p]; w += c[p] * d[p]; }
  x->real = s + t + w;
}
