#pragma once
// The loops around a dot product kernel: rows outside, so that each is read once, vectors inside in fixed-size groups,
// so that a kernel's loop over vectors is unrolled and its sums stay in registers.
#include "ck_internal.h"

// How far ahead of the current byte memory is asked for. A prefetch beyond the tensor is harmless: it never faults.
#ifndef CK_PREFETCH_DISTANCE
#define CK_PREFETCH_DISTANCE 4096
#endif

CK_INLINE void ck_prefetch(const uint8_t *p) { __builtin_prefetch(p, 0, 3); }

#define CK_DOT_SIGNATURE(NAME)                                                                              \
  void NAME(                                                                                                \
    const void *rows, size_t row_stride, size_t row_count, size_t columns, const void *vectors, size_t tokens, \
    float *out, size_t out_stride)

// Runs KERNEL for every row and all tokens, at most LIMIT (2 or 4) a time. KERNEL may use `row`, `v` (its first vector),
// `o` (where its first product goes) and CK_COUNT, a constant. AFTER runs after it, with `count`.
#define CK_DOT_LOOP(LIMIT, KERNEL, AFTER)                                                                          \
  const size_t vector_bytes = ck_vector_bytes(columns);                                                     \
  CK_DOT_LOOP_STRIDED(LIMIT, KERNEL, AFTER)

#define CK_DOT_CASE(N, KERNEL)                                                                              \
  case N: {                                                                                                 \
    enum { CK_COUNT = N };                                                                                  \
    KERNEL;                                                                                                 \
    break;                                                                                                  \
  }

#define CK_DOT_LOOP_STRIDED(LIMIT, KERNEL, AFTER)                                                                  \
  for (size_t r = 0; r < row_count; r++) {                                                                  \
    const uint8_t *row = (const uint8_t *)rows + r * row_stride;                                            \
    for (size_t t = 0; t < tokens;) {                                                                       \
      const char *v = (const char *)vectors + t * vector_bytes;                                             \
      float *o = out + t * out_stride + r;                                                                  \
      const size_t left = tokens - t, count = left < LIMIT ? left : LIMIT;                                  \
      switch (count) {                                                                                      \
        CK_DOT_CASE(1, KERNEL)                                                                              \
        CK_DOT_CASE(2, KERNEL)                                                                              \
        CK_DOT_CASES_##LIMIT(KERNEL)                                                                        \
      }                                                                                                     \
      AFTER;                                                                                                \
      t += count;                                                                                           \
    }                                                                                                       \
  }

#define CK_DOT_CASES_2(KERNEL)
#define CK_DOT_CASES_4(KERNEL)                                                                              \
  CK_DOT_CASE(3, KERNEL)                                                                                    \
  CK_DOT_CASE(4, KERNEL)
