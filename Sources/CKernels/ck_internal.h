#pragma once
// Shared by the kernels: memory layouts and small helpers.
#include <string.h>

#include "CKernels.h"

#define CK_INLINE static inline __attribute__((always_inline))

// A quantised activation vector. Element k is d[k / 32] * q[k], rounded to nearest with |q| <= 127.
// Padded with zeros to whole steps of 64 elements, so that kernels may always read a step.
//
// A block whose largest element stands out gets a coarse scale, and its rounding would make most of the product's error.
// What rounding left of such blocks is rounded again, with a scale of its own, and its product added: see `rest`.
// Blocks whose scale is above so many times a mean that outliers hardly move, (mean of roots) squared, get a rest. On
// two real models 3 to 10 of 100 blocks do, and the error of rounding falls by half or more.
#define CK_REST_FACTOR 2.5f

typedef struct ck_vector {
  const int8_t *q;   // padded columns
  const float *d8;   // each block's scale eight times: one for every four elements
  const float *s8;   // for every four elements: scale * (sum of their q)
  const float *d;    // a scale a block
  const float *s;    // for each block: scale * (sum of its q)
  // Blocks with a rest, ascending; entry i is about block rest_block[i].
  const uint32_t *rest_count;
  const uint16_t *rest_block;
  const int8_t *rest_q;   // [i][32]
  const float *rest_d;    // [i]
  const float *rest_s8;   // [i][8], like s8; Arm kernels have the block's whole sum in [i][0]
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
  // From here on for as many blocks as there are: 4 + 32 + 32 + 2 bytes each, and the count.
  const size_t blocks = padded / 32;
  const char *rest = p + 3 * padded + padded / 4;
  v.rest_q = (const int8_t *)rest;
  v.rest_s8 = (const float *)(rest + 32 * blocks);
  v.rest_d = (const float *)(rest + 64 * blocks);
  v.rest_count = (const uint32_t *)(rest + 68 * blocks);
  v.rest_block = (const uint16_t *)(rest + 68 * blocks + 4);
  return v;
}

CK_INLINE size_t ck_vector_size(size_t columns) {
  const size_t padded = ck_padded(columns);
  return (3 * padded + padded / 4 + 70 * (padded / 32) + 4 + 63) & ~(size_t)63;
}

// What the panel kernels read of eight tokens for some blocks: what the tokens have at the same place lies together.
typedef struct ck_group_blocks {
  const int8_t *q;       // [blocks][8 steps of four elements][8 tokens][4]
  const float *d;        // [blocks][8]: scale
  const float *s;        // [blocks][8]: scale * sum of q
  const int32_t *sums;   // [blocks][2][8]: sum of q over each half block of 16
} ck_group_blocks;

// A group of eight tokens' activations: all blocks, and the blocks with a rest (in any of the tokens), ascending.
typedef struct ck_group {
  ck_group_blocks all, rest;
  const uint32_t *rest_count;
  const uint16_t *rest_block;
} ck_group;

enum { CK_GROUP_BLOCK_BYTES = 256 + 32 + 32 + 64 };

CK_INLINE ck_group_blocks ck_group_blocks_at(const char *p, size_t blocks) {
  const ck_group_blocks r = {
    (const int8_t *)p, (const float *)(p + 256 * blocks), (const float *)(p + 288 * blocks),
    (const int32_t *)(p + 320 * blocks)};
  return r;
}

CK_INLINE ck_group_blocks ck_group_blocks_from(ck_group_blocks g, size_t first) {
  const ck_group_blocks r = {g.q + 256 * first, g.d + 8 * first, g.s + 8 * first, g.sums + 16 * first};
  return r;
}

CK_INLINE ck_group ck_group_at(const void *base, size_t columns) {
  const size_t blocks = columns / 32, bytes = blocks * CK_GROUP_BLOCK_BYTES;
  const char *p = (const char *)base;
  const ck_group r = {
    ck_group_blocks_at(p, blocks), ck_group_blocks_at(p + bytes, blocks), (const uint32_t *)(p + 2 * bytes),
    (const uint16_t *)(p + 2 * bytes + 4)};
  return r;
}

CK_INLINE size_t ck_group_size(size_t columns) {
  return (columns / 32 * (2 * CK_GROUP_BLOCK_BYTES + 2) + 4 + 63) & ~(size_t)63;
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
