#pragma once
// Shared by the kernels: memory layouts and small helpers.
#include <string.h>

#include "CKernels.h"

#define CK_INLINE static inline __attribute__((always_inline))

// A quantised activation vector. Element k is d * q[k] with the scale of its block of 32, rounded to nearest with
// |q| <= 127. Padded with zeros to whole chunks of 256 elements, so that kernels may always read a chunk.
//
// A block whose largest element stands out gets a coarse scale, and its rounding would make most of the product's error.
// What rounding left of such blocks is rounded again, with a scale of its own, and its product added: see `rest`.
// Blocks whose scale is above so many times a mean that outliers hardly move, (mean of roots) squared, get a rest. On
// two real models 3 to 10 of 100 blocks do, and the error of rounding falls by half or more.
#define CK_REST_FACTOR 2.5f

// `d` and `s` have an entry for every half block of 16 elements, in x86-64's order of sums (`ck_place`); Arm kernels have
// one for every block, in order.
typedef struct ck_vector {
  const int8_t *q;   // padded columns
  const float *d;    // scale
  const float *s;    // scale * (sum of the q)
  // Blocks with a rest, ascending; entry i is about block rest_block[i].
  const uint32_t *rest_count;
  const uint16_t *rest_block;
  const int8_t *rest_q;  // [i][32]
  const float *rest_d;   // [i]
  const float *rest_s;   // [i][2 halves], like s; Arm kernels have the block's whole sum in [i][0]
} ck_vector;

CK_INLINE size_t ck_padded(size_t columns) { return (columns + 255) & ~(size_t)255; }

CK_INLINE ck_vector ck_vector_at(const void *base, size_t columns) {
  const size_t padded = ck_padded(columns), blocks = padded / 32;
  const char *p = (const char *)base, *rest = p + padded + padded / 2;
  const ck_vector v = {
    (const int8_t *)p, (const float *)(p + padded), (const float *)(p + padded + padded / 4),
    // From here on for as many blocks as there are: 32 + 8 + 4 + 2 bytes each, and the count.
    (const uint32_t *)(rest + 44 * blocks), (const uint16_t *)(rest + 44 * blocks + 4), (const int8_t *)rest,
    (const float *)(rest + 40 * blocks), (const float *)(rest + 32 * blocks)};
  return v;
}

CK_INLINE size_t ck_vector_size(size_t columns) {
  const size_t padded = ck_padded(columns);
  return (padded + padded / 2 + 46 * (padded / 32) + 4 + 63) & ~(size_t)63;
}

// The order of float sums is a part of what a product is: dot products and small batches keep the same one, so that a
// token's products don't depend on how many tokens are multiplied at once.
//
// On x86-64 a chunk of 256 elements is sixteen half blocks. What their products add up to is exact (int32); it is scaled,
// less the zero's and plus the minimum's part, and added to running sums by the halves' places, each level with its own
// number of them. After every CK_SUM_COLUMNS columns the running sums are added up, and that is added to the total.
#define CK_SUM_COLUMNS 1024

/// Where half `half` of block `block` has its scale and sum: chunk, block's parity, half, block in the chunk / 2.
CK_INLINE size_t ck_place(size_t block, size_t half) {
  return block / 8 * 16 + block % 2 * 8 + half * 4 + block % 8 / 2;
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
