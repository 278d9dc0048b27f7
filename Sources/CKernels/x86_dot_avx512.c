// Dot products of quantised rows with one or two activation vectors, AVX-512 with VNNI.
//
// One row after the other, front to back, so that memory is read as one stream; a row is unpacked once for both vectors.
// A chunk is 256 elements, four steps of 64 weights as unsigned bytes, whose products with the signed activations vpdpbusd
// adds by fours: at most 4 * 255 * 127. They are added up by half blocks before they become floats: sixteen lanes,
// four steps of each of the four halves that a step has. Even and odd steps have running sums of their own.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_dot_loop.h"
#include "x86_rest.h"
#include "x86_scales.h"
#include "x86_step512.h"

/// Step `j` of the chunk at `p`, of which the first `count` blocks are there.
typedef __m512i (*stepper)(const uint8_t *p, size_t j, size_t count);

/// Scales and minimums in the places of `ck_place`; of `count` blocks.
typedef struct chunk_scales {
  __m512 d, m;
} chunk_scales;
typedef chunk_scales (*chunk_scaler)(const uint8_t *p, size_t count);

// Words `word` of the blocks of a chunk, in their places: each step's two blocks are in one load.
CK_INLINE CK_TARGET_AVX512 __m512 head_halves(const uint8_t *p, size_t block_bytes, short word, size_t count) {
  const short second = (short)(word + (short)block_bytes / 2);
  __m256i halves = _mm256_setzero_si256();
#pragma clang loop unroll(full)
  for (size_t j = 0; j < 4; j++) {
    const __m512i raw = load_blocks(p + 2 * j * block_bytes, block_bytes, blocks_of_step(j, count));
    halves = _mm256_mask_permutexvar_epi16(
      halves, (__mmask16)(0x1111 << j), WORDS16(word, second), _mm512_castsi512_si256(raw));
  }
  return _mm512_cvtph_ps(halves);
}

CK_INLINE CK_TARGET_AVX512 __m512 widen_bytes(__m128i bytes, float d) {
  return _mm512_mul_ps(_mm512_cvtepi32_ps(_mm512_cvtepi8_epi32(bytes)), _mm512_set1_ps(d));
}

#define HEAD_STEPS(NAME, BYTES)                                                                              \
  CK_INLINE CK_TARGET_AVX512 __m512i step_##NAME(const uint8_t *p, size_t j, size_t count) {                 \
    const size_t blocks = blocks_of_step(j, count);                                                          \
    return blocks > 0 ? load_##NAME(p + 2 * j * BYTES, blocks).q : _mm512_setzero_si512();                   \
  }
#define HEAD_SCALER(NAME, BYTES, HAS_MINIMUM)                                                                \
  CK_INLINE CK_TARGET_AVX512 chunk_scales scales_##NAME(const uint8_t *p, size_t count) {                    \
    const chunk_scales r = {                                                                                 \
      head_halves(p, BYTES, 0, count), HAS_MINIMUM ? head_halves(p, BYTES, 1, count) : _mm512_setzero_ps()}; \
    return r;                                                                                                \
  }
#define BYTE_STEPS(NAME)                                                                                     \
  CK_INLINE CK_TARGET_AVX512 __m512i step_##NAME(const uint8_t *p, size_t j, size_t count) {                 \
    (void)count;                                                                                             \
    return load_##NAME(p, (int)j).q;                                                                         \
  }                                                                                                          \
  CK_INLINE CK_TARGET_AVX512 chunk_scales scales_##NAME(const uint8_t *p, size_t count) {                    \
    (void)count;                                                                                             \
    const ck_byte_scales packed = ck_scales_##NAME(p);                                                       \
    const chunk_scales r = {widen_bytes(packed.scales, packed.d), widen_bytes(packed.minimums, -packed.dmin)}; \
    return r;                                                                                                \
  }

// A block of Q8_0 is longer than half a register: its scales are read one by one.
CK_INLINE CK_TARGET_AVX512 chunk_scales scales_q8_0(const uint8_t *p, size_t count) {
  const __m256i words = _mm256_permute4x64_epi64(_mm256_castsi128_si256(ck_head_words(p, 34, 0, count)), 0x50);
  const chunk_scales r = {_mm512_cvtph_ps(words), _mm512_setzero_ps()};
  return r;
}

#define SUM_OF_UNPACKED(A, B, BITS)                                                                          \
  _mm512_add_epi32(_mm512_unpacklo_epi##BITS(A, B), _mm512_unpackhi_epi##BITS(A, B))

// The first `count` blocks of a chunk with `n` vectors, added to the running sums: in each quarter of a register those of
// the even steps in the first lane, of the odd steps in the second.
CK_INLINE CK_TARGET_AVX512 void add_chunk(
  float zero, int has_minimum, stepper step, chunk_scaler scaler, const uint8_t *p, size_t count, const ck_vector *v,
  size_t chunk, size_t n, __m512 *sum
) {
  __m512i w[4];
#pragma clang loop unroll(full)
  for (size_t j = 0; j < 4; j++) w[j] = step(p, j, count);
  const chunk_scales scales = scaler(p, count);
  const __m512 later_d = _mm512_permute_ps(scales.d, 0x4E), later_m = _mm512_permute_ps(scales.m, 0x4E);
  for (size_t t = 0; t < n; t++) {
    const int8_t *q = v[t].q + 256 * chunk;
    __m512i x[4];
    for (size_t j = 0; j < 4; j++) {
      x[j] = _mm512_dpbusd_epi32(_mm512_setzero_si512(), w[j], _mm512_load_si512(q + 64 * j));
    }
    const __m512i low = SUM_OF_UNPACKED(x[0], x[1], 32), high = SUM_OF_UNPACKED(x[2], x[3], 32);
    const __m512i products = SUM_OF_UNPACKED(low, high, 64);
    const __m512 s = _mm512_load_ps(v[t].s + 16 * chunk);
    __m512 part = _mm512_mul_ps(_mm512_cvtepi32_ps(products), _mm512_load_ps(v[t].d + 16 * chunk));
    if (zero != 0) part = _mm512_fnmadd_ps(_mm512_set1_ps(zero), s, part);
    sum[t] = _mm512_fmadd_ps(scales.d, part, sum[t]);
    if (has_minimum) sum[t] = _mm512_fmadd_ps(scales.m, s, sum[t]);
    sum[t] = _mm512_fmadd_ps(later_d, _mm512_permute_ps(part, 0x4E), sum[t]);
    if (has_minimum) sum[t] = _mm512_fmadd_ps(later_m, _mm512_permute_ps(s, 0x4E), sum[t]);
  }
}

// The running sums added up: those of even and odd steps, of both blocks of a step, of both halves.
CK_INLINE CK_TARGET_AVX512 float sum_lanes(__m512 v) {
  v = _mm512_add_ps(v, _mm512_movehdup_ps(v));
  const __m256 blocks = _mm256_add_ps(_mm512_castps512_ps256(v), _mm512_extractf32x8_ps(v, 1));
  return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(blocks), _mm256_extractf128_ps(blocks, 1)));
}

// One row with `n` vectors; everything that is constant at the call is folded.
CK_INLINE CK_TARGET_AVX512 void dot_row(
  float zero, int has_minimum, stepper step, chunk_scaler scaler, size_t chunk_bytes, int whole, const uint8_t *row,
  size_t columns, const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  __m512 sum[2];
  float total[2] = {0, 0};
  ck_vector v[2];
  for (size_t t = 0; t < n; t++) {
    sum[t] = _mm512_setzero_ps();
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  const size_t chunks = columns / 256, left = whole ? 0 : columns / 32 % 8;
  for (size_t c = 0; c < chunks; c++) {
    const uint8_t *p = row + c * chunk_bytes;
    for (size_t i = 0; i < chunk_bytes; i += 64) ck_prefetch(p + CK_PREFETCH_DISTANCE + i);
    add_chunk(zero, has_minimum, step, scaler, p, 8, v, c, n, sum);
    if ((c + 1) % (CK_SUM_COLUMNS / 256) == 0) {
      for (size_t t = 0; t < n; t++) {
        total[t] += sum_lanes(sum[t]);
        sum[t] = _mm512_setzero_ps();
      }
    }
  }
  if (left > 0) add_chunk(zero, has_minimum, step, scaler, row + chunks * chunk_bytes, left, v, chunks, n, sum);
  for (size_t t = 0; t < n; t++) out[t * out_stride] = total[t] + sum_lanes(sum[t]);
}

#define DOT(NAME, CHUNK_BYTES, WHOLE, ZERO, HAS_MINIMUM, REST_ZERO, IS_SIGNED)                               \
  CK_TARGET_AVX512 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx512) {                                                \
    CK_DOT_LOOP(2, dot_row(ZERO, HAS_MINIMUM, step_##NAME, scales_##NAME, CHUNK_BYTES, WHOLE, row, columns, v, vector_bytes, \
                           CK_COUNT, o, out_stride),                                                         \
                CK_ADD_RESTS(NAME, REST_ZERO, IS_SIGNED, HAS_MINIMUM, count))                                \
  }
#define HEAD_DOT(NAME, BYTES, ZERO, HAS_MINIMUM)                                                             \
  HEAD_STEPS(NAME, BYTES)                                                                                    \
  HEAD_SCALER(NAME, BYTES, HAS_MINIMUM)                                                                      \
  DOT(NAME, 8 * BYTES, 0, ZERO, HAS_MINIMUM, ZERO, 0)
#define BYTE_DOT(NAME, BYTES, ZERO, HAS_MINIMUM)                                                             \
  BYTE_STEPS(NAME)                                                                                           \
  DOT(NAME, BYTES, 1, ZERO, HAS_MINIMUM, ZERO, 0)

HEAD_DOT(q4_0, 18, 8, 0)
HEAD_DOT(q4_1, 20, 0, 1)
HEAD_DOT(q5_0, 22, 16, 0)
HEAD_DOT(q5_1, 24, 0, 1)
HEAD_STEPS(q8_0, 34)
DOT(q8_0, 272, 0, 128, 0, 0, 1)
BYTE_DOT(q2_K, 84, 0, 1)
BYTE_DOT(q3_K, 110, 4, 0)
BYTE_DOT(q4_K, 144, 0, 1)
BYTE_DOT(q5_K, 176, 0, 1)
BYTE_DOT(q6_K, 210, 32, 0)
#endif
