/* Times every kernel: cycles between two lengths, by a chain of multiplications beside them. With
 * COUNT it prints instead how often each loop's head was passed.
 *
 * Whoever runs on the other thread of a core leaves chains alone and slows what fills the core, for
 * milliseconds or for seconds. So all kernels are timed in many passes, and of all samples of a length
 * those count that took least. */
#define _GNU_SOURCE
#include "kernels.h"
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <x86intrin.h>

/* Three streams of eight bytes fit into the smallest caches. */
enum { SHORT = 512, LONG = 1024, ROOM = LONG + 64, CHAIN = 2000, PASSES = 40, SAMPLES = 400 };

static void *room(size_t bytes) {
  static size_t shift;
  /* Streams that begin at the same place of different pages disturb each other. */
  char *at = aligned_alloc(4096, (bytes + 16384) / 4096 * 4096 + 4096);
  if (!at) abort();
  shift = (shift + 576) % 4096;
  return at + shift;
}

static struct data fresh(void) {
  struct data x;
  memset(&x, 0, sizeof x);
  x.a = room(ROOM * 8), x.b = room(ROOM * 8), x.c = room(ROOM * 8), x.d = room(ROOM * 8);
  x.f = room(ROOM * 4), x.g = room(ROOM * 4), x.h = room(ROOM * 4);
  x.i = room(ROOM * 4), x.j = room(ROOM * 4), x.k = room(ROOM * 4);
  x.u = room(ROOM * 8), x.v = room(ROOM * 8), x.s = room(ROOM), x.t = room(ROOM);
  uint32_t seed = 12345;
  for (int p = 0; p < ROOM; p++) {
    seed = seed * 1664525u + 1013904223u;
    x.a[p] = 0.5 + (seed >> 8) / 33554432.0, x.b[p] = 1.0 + p % 7 / 8.0, x.c[p] = 1.5 + p % 5 / 8.0;
    x.d[p] = 0.75 + p % 3 / 8.0;
    x.f[p] = x.g[p] = x.h[p] = 0.125f + (float)((seed >> 8) / 16777216.0);
    x.i[p] = (int32_t)((seed >> 9) % SHORT), x.j[p] = (int32_t)(seed >> 20) + 3, x.k[p] = (int32_t)seed;
    x.u[p] = (uint64_t)seed << 20 | seed, x.v[p] = seed, x.s[p] = (uint8_t)('a' + (seed >> 16) % 26);
  }
  void **links = room(256 * 8);
  for (int p = 0; p < 256; p++) links[p] = &links[(p * 97 + 31) % 256];
  x.list = links;
  x.real = 0.75;
  x.whole = 88172645463325252ull;
  return x;
}

static uint64_t links(uint64_t number) {
  uint64_t a = 1, count = number / 20;
  unsigned who;
  _mm_lfence();
  uint64_t start = __rdtscp(&who);
  _mm_lfence();
#define LINK "imul $3, %0, %0\n"
#define LINKS LINK LINK LINK LINK LINK
  /* Multiplications of three cycles: some cores eliminate additions. */
  __asm__ volatile("1:\n" LINKS LINKS LINKS LINKS "dec %1\njnz 1b" : "+r"(a), "+r"(count));
  _mm_lfence();
  return __rdtscp(&who) - start;
}

/* Ticks of CHAIN links, without what reading the time takes. */
static uint64_t chain(void) {
  uint64_t one = links(CHAIN);
  return links(2 * CHAIN) - one;
}

typedef void (*kernel)(struct data *, long);

static uint64_t timed(kernel run, struct data *x, long n, int calls) {
  unsigned who;
  _mm_lfence();
  uint64_t start = __rdtscp(&who);
  _mm_lfence();
  for (int call = 0; call < calls; call++) {
    run(x, n);
    /* The next one does not begin before this one's chains have ended. */
    _mm_lfence();
  }
  return __rdtscp(&who) - start;
}

static int ascending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

#ifdef COUNT
extern uint64_t loop_counts[];
extern const uint64_t loop_count;
static void report(const char *name, kernel run, struct data *x) {
  for (int length = SHORT; length <= LONG; length += LONG - SHORT) {
    memset(loop_counts, 0, loop_count * 8);
    run(x, length);
    printf("%s %d", name, length);
    for (uint64_t p = 0; p < loop_count; p++) printf(" %llu", (unsigned long long)loop_counts[p]);
    printf("\n");
  }
}
#else
enum { CALLS = 8 };

/* Cycles of the two lengths, of all passes. */
struct timing {
  size_t count;
  double shorter[PASSES * SAMPLES], longer[PASSES * SAMPLES];
};

static void sample(struct timing *timing, kernel run, struct data *x) {
  timed(run, x, LONG, 20);
  for (int sample = 0, lost = 0; sample < SAMPLES;) {
    uint64_t before = chain(), one = timed(run, x, SHORT, CALLS), two = timed(run, x, LONG, CALLS);
    uint64_t after = chain();
    double cycle = (before < after ? before : after) / (3.0 * CHAIN);
    /* The clock moved, or someone else was here. */
    if (before > 1.02 * after || after > 1.02 * before) {
      if (++lost > 100 * SAMPLES) {
        fputs("the clock never holds still: run it again on a quieter machine\n", stderr);
        exit(1);
      }
      continue;
    }
    timing->shorter[timing->count] = one / cycle, timing->longer[timing->count++] = two / cycle;
    sample++;
  }
}

/* The mean of the quickest twentieth, without the quickest fiftieth: in those the clock was misread. */
static double quickest(double *samples, size_t count) {
  qsort(samples, count, sizeof *samples, ascending);
  double total = 0;
  for (size_t p = count / 50; p < count / 20; p++) total += samples[p];
  return total / (count / 20 - count / 50);
}

static void report(const char *name, struct timing *timing) {
  double shorter = quickest(timing->shorter, timing->count), longer = quickest(timing->longer, timing->count);
  printf("%s %.3f\n", name, (longer - shorter) / CALLS);
}
#endif

int main(void) {
  cpu_set_t set;
  CPU_ZERO(&set);
  CPU_SET(sched_getcpu(), &set);
  sched_setaffinity(0, sizeof set, &set);
  _mm_setcsr(_mm_getcsr() | 0x8040);
#ifdef COUNT
#define RUN(name)                                                                                  \
  {                                                                                                \
    struct data x = fresh();                                                                       \
    report(#name, kernel_##name, &x);                                                              \
  }
  KERNELS(RUN)
#else
#define PREPARE(name)                                                                              \
  static struct timing timing_##name;                                                              \
  struct data data_##name = fresh();
#define RUN(name) sample(&timing_##name, kernel_##name, &data_##name);
#define REPORT(name) report(#name, &timing_##name);
  KERNELS(PREPARE)
  for (int pass = 0; pass < PASSES; pass++) { KERNELS(RUN) }
  KERNELS(REPORT)
#endif
  return 0;
}
