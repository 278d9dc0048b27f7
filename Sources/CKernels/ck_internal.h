#pragma once
// Shared by the kernels: memory layouts and small helpers.
#include <string.h>

#include "CKernels.h"

#define CK_INLINE static inline __attribute__((always_inline))

// A quantised activation vector. Element k is d[k / 32] * q[k], rounded to nearest with |q| <= 127.
// Padded with zeros to whole steps of 64 elements, so that kernels may always read a step.
typedef struct ck_vector {
  const int8_t *q;   // padded columns
  const float *d8;   // each block's scale eight times: one for every four elements
  const float *s8;   // for every four elements: scale * (sum of their q)
  const float *d;    // a scale a block
  const float *s;    // for each block: scale * (sum of its q)
} ck_vector;

CK_INLINE size_t ck_padded(size_t columns) { return (columns + 63) & ~(size_t)63; }

CK_INLINE ck_vector ck_vector_at(const void *base, size_t columns) {
  const size_t padded = ck_padded(columns);
  const char *p = (const char *)base;
  ck_vector v;
  v.q = (const int8_t *)p;
  v.d8 = (const float *)(p + padded);
  v.s8 = (const float *)(p + 2 * padded);
  v.d = (const float *)(p + 3 * padded);
  v.s = (const float *)(p + 3 * padded + padded / 8);
  return v;
}

// A group of eight tokens' activations for the panel kernels: what the eight tokens have at the same place lies together.
typedef struct ck_group {
  const int8_t *q;       // [columns / 4][8 tokens][4]
  const float *d;        // [blocks][8]: scale
  const float *s;        // [blocks][8]: scale * sum
  const int32_t *sums;   // [2 * blocks][8]: sum of q over each half block of 16
} ck_group;

CK_INLINE ck_group ck_group_at(const void *base, size_t columns) {
  const size_t blocks = columns / 32;
  const char *p = (const char *)base;
  ck_group g;
  g.q = (const int8_t *)p;
  g.d = (const float *)(p + 8 * columns);
  g.s = g.d + 8 * blocks;
  g.sums = (const int32_t *)(g.s + 8 * blocks);
  return g;
}

CK_INLINE uint16_t ck_load16(const uint8_t *p) { uint16_t v; memcpy(&v, p, sizeof v); return v; }
CK_INLINE uint32_t ck_load32(const uint8_t *p) { uint32_t v; memcpy(&v, p, sizeof v); return v; }

// The eight 6-bit scales and minimums of a Q4_K or Q5_K block, a byte each (element i in byte i).
typedef struct ck_scales { uint64_t scales, minimums; } ck_scales;

CK_INLINE ck_scales ck_unpack_scales(const uint8_t *p) {
  const uint32_t a = ck_load32(p), b = ck_load32(p + 4), c = ck_load32(p + 8);
  const uint32_t six = 0x3f3f3f3f, four = 0x0f0f0f0f, two = 0x03030303;
  const uint32_t scales_high = (c & four) | ((a >> 6) & two) << 4;
  const uint32_t minimums_high = ((c >> 4) & four) | ((b >> 6) & two) << 4;
  const ck_scales r = {(a & six) | (uint64_t)scales_high << 32, (b & six) | (uint64_t)minimums_high << 32};
  return r;
}

// Instruction sets are named per function; the package sets no compiler flags.
#define CK_TARGET_AVX2 __attribute__((target("avx2,fma,f16c")))
#define CK_TARGET_AVX512 __attribute__((target("avx2,fma,f16c,avx512f,avx512bw,avx512vl,avx512dq,avx512vnni")))
