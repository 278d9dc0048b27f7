// Dot products of quantised rows with one or two activation vectors, AVX2.
//
// One row after the other, front to back, so that memory is read as one stream; a row is unpacked once for both vectors.
// A chunk is 256 elements: two quartets of blocks of 32, the even ones and the odd ones. A quartet's products are added up
// by half blocks before they become floats: eight lanes, each half with a running sum of its own.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_dot_loop.h"
#include "x86_rest.h"
#include "x86_scales.h"

typedef struct format {
  float zero;       // weight = scale * (q - zero) + minimum
  int has_minimum;
  int most;         // the largest q
  int is_signed;    // q are signed bytes
} format;

/// Scales and minimums in the places of `ck_place`; of `count` blocks.
typedef struct chunk_scales {
  __m256 d[2], m[2];
} chunk_scales;
typedef chunk_scales (*chunk_scaler)(const uint8_t *p, size_t count);

CK_INLINE CK_TARGET_AVX2 void spread_halves(__m128i halves, __m256 to[2]) {
  const __m256 all = _mm256_cvtph_ps(halves);
  to[0] = _mm256_permute2f128_ps(all, all, 0x00);
  to[1] = _mm256_permute2f128_ps(all, all, 0x11);
}

CK_INLINE CK_TARGET_AVX2 void widen_bytes(__m128i bytes, float d, __m256 to[2]) {
  const __m256 factor = _mm256_set1_ps(d);
  to[0] = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)), factor);
  to[1] = _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8))), factor);
}

#define HEAD_SCALER(NAME, BYTES, HAS_MINIMUM)                                                                \
  CK_INLINE CK_TARGET_AVX2 chunk_scales scales_##NAME(const uint8_t *p, size_t count) {                      \
    chunk_scales r;                                                                                          \
    spread_halves(ck_head_words(p, BYTES, 0, count), r.d);                                                   \
    if (HAS_MINIMUM) spread_halves(ck_head_words(p, BYTES, 2, count), r.m);                                  \
    else r.m[0] = r.m[1] = _mm256_setzero_ps();                                                              \
    return r;                                                                                                \
  }
#define BYTE_SCALER(NAME)                                                                                    \
  CK_INLINE CK_TARGET_AVX2 chunk_scales scales_##NAME(const uint8_t *p, size_t count) {                      \
    (void)count;                                                                                             \
    const ck_byte_scales packed = ck_scales_##NAME(p);                                                       \
    chunk_scales r;                                                                                          \
    widen_bytes(packed.scales, packed.d, r.d);                                                               \
    widen_bytes(packed.minimums, -packed.dmin, r.m);                                                         \
    return r;                                                                                                \
  }

// Four registers of four 32-bit (or pairs of 16-bit) numbers in each half become one of four sums in each half.
#define SUM_OF_UNPACKED(ADD, A, B, BITS)                                                                     \
  ADD(_mm256_unpacklo_epi##BITS(A, B), _mm256_unpackhi_epi##BITS(A, B))

// A quartet's products with a vector: sums of the first halves of its blocks, then of the second halves.
//
// vpmaddubsw adds pairs of products in int16: at most 2 * 63 * 127 = 16,002 for six bits, or 2 * 128 * 127 = 32,512 for
// signed bytes, |w| times the activation with w's sign. Sums of two of these stay below 32,767 for six bits (4 * 63 * 127
// = 32,004), sums of four for five bits (8 * 31 * 127 = 31,496): so far they are added in int16.
CK_INLINE CK_TARGET_AVX2 __m256i quartet_products(format f, const __m256i w[4], const int8_t *q) {
  const __m256i ones = _mm256_set1_epi16(1);
  __m256i x[4];
  for (size_t i = 0; i < 4; i++) {
    const __m256i a = _mm256_load_si256((const __m256i *)(q + 64 * i));
    x[i] = f.is_signed ? _mm256_madd_epi16(_mm256_maddubs_epi16(_mm256_abs_epi8(w[i]), _mm256_sign_epi8(a, w[i])), ones)
                       : _mm256_maddubs_epi16(w[i], a);
  }
  if (f.is_signed) {
    const __m256i low = SUM_OF_UNPACKED(_mm256_add_epi32, x[0], x[1], 32);
    const __m256i high = SUM_OF_UNPACKED(_mm256_add_epi32, x[2], x[3], 32);
    return SUM_OF_UNPACKED(_mm256_add_epi32, low, high, 64);
  }
  __m256i low = SUM_OF_UNPACKED(_mm256_add_epi16, x[0], x[1], 32);
  __m256i high = SUM_OF_UNPACKED(_mm256_add_epi16, x[2], x[3], 32);
  if (f.most <= 31) return _mm256_madd_epi16(SUM_OF_UNPACKED(_mm256_add_epi16, low, high, 64), ones);
  low = _mm256_madd_epi16(low, ones);
  high = _mm256_madd_epi16(high, ones);
  return SUM_OF_UNPACKED(_mm256_add_epi32, low, high, 64);
}

// The first `count` blocks of a chunk with `n` vectors, added to the running sums.
CK_INLINE CK_TARGET_AVX2 void add_chunk(
  format f, ck_unpacker unpack, chunk_scaler scaler, const uint8_t *p, size_t count, const ck_vector *v, size_t chunk,
  size_t n, __m256 *sum
) {
  const chunk_scales scales = scaler(p, count);
#pragma clang loop unroll(full)
  for (size_t odd = 0; odd < 2; odd++) {
    __m256i w[4];
#pragma clang loop unroll(full)
    for (size_t i = 0; i < 4; i++) w[i] = 2 * i + odd < count ? unpack(p, 2 * i + odd) : _mm256_setzero_si256();
    for (size_t t = 0; t < n; t++) {
      const __m256i products = quartet_products(f, w, v[t].q + 256 * chunk + 32 * odd);
      const __m256 s = _mm256_load_ps(v[t].s + 16 * chunk + 8 * odd);
      __m256 part = _mm256_mul_ps(_mm256_cvtepi32_ps(products), _mm256_load_ps(v[t].d + 16 * chunk + 8 * odd));
      if (f.zero != 0) part = _mm256_fnmadd_ps(_mm256_set1_ps(f.zero), s, part);
      sum[t] = _mm256_fmadd_ps(scales.d[odd], part, sum[t]);
      if (f.has_minimum) sum[t] = _mm256_fmadd_ps(scales.m[odd], s, sum[t]);
    }
  }
}

// The running sums added up: in each half the first and third lane, the second and fourth, both; then both halves.
CK_INLINE CK_TARGET_AVX2 float sum_lanes(__m256 v) {
  v = _mm256_add_ps(v, _mm256_permute_ps(v, 0x4E));
  v = _mm256_add_ps(v, _mm256_movehdup_ps(v));
  return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(v), _mm256_extractf128_ps(v, 1)));
}

// One row with `n` vectors; everything that is constant at the call is folded.
CK_INLINE CK_TARGET_AVX2 void dot_row(
  format f, ck_unpacker unpack, chunk_scaler scaler, size_t chunk_bytes, int whole, const uint8_t *row, size_t columns,
  const char *vectors, size_t vector_bytes, size_t n, float *out, size_t out_stride
) {
  __m256 sum[2];
  float total[2] = {0, 0};
  ck_vector v[2];
  for (size_t t = 0; t < n; t++) {
    sum[t] = _mm256_setzero_ps();
    v[t] = ck_vector_at(vectors + t * vector_bytes, columns);
  }
  const size_t chunks = columns / 256, left = whole ? 0 : columns / 32 % 8;
  for (size_t c = 0; c < chunks; c++) {
    const uint8_t *p = row + c * chunk_bytes;
    for (size_t i = 0; i < chunk_bytes; i += 64) ck_prefetch(p + CK_PREFETCH_DISTANCE + i);
    add_chunk(f, unpack, scaler, p, 8, v, c, n, sum);
    if ((c + 1) % (CK_SUM_COLUMNS / 256) == 0) {
      for (size_t t = 0; t < n; t++) {
        total[t] += sum_lanes(sum[t]);
        sum[t] = _mm256_setzero_ps();
      }
    }
  }
  if (left > 0) add_chunk(f, unpack, scaler, row + chunks * chunk_bytes, left, v, chunks, n, sum);
  for (size_t t = 0; t < n; t++) out[t * out_stride] = total[t] + sum_lanes(sum[t]);
}

#define DOT(NAME, CHUNK_BYTES, WHOLE, ZERO, HAS_MINIMUM, MOST, IS_SIGNED)                                    \
  CK_TARGET_AVX2 CK_DOT_SIGNATURE(ck_dot_##NAME##_avx2) {                                                    \
    const format f = {ZERO, HAS_MINIMUM, MOST, IS_SIGNED};                                                   \
    CK_DOT_LOOP(2, dot_row(f, ck_unpack_##NAME, scales_##NAME, CHUNK_BYTES, WHOLE, row, columns, v, vector_bytes, \
                           CK_COUNT, o, out_stride),                                                         \
                CK_ADD_RESTS(NAME, ZERO, IS_SIGNED, HAS_MINIMUM, count))                                     \
  }
#define HEAD_DOT(NAME, BYTES, ZERO, HAS_MINIMUM, MOST, IS_SIGNED)                                            \
  HEAD_SCALER(NAME, BYTES, HAS_MINIMUM)                                                                      \
  DOT(NAME, 8 * BYTES, 0, ZERO, HAS_MINIMUM, MOST, IS_SIGNED)
#define BYTE_DOT(NAME, BYTES, ZERO, HAS_MINIMUM, MOST)                                                       \
  BYTE_SCALER(NAME)                                                                                          \
  DOT(NAME, BYTES, 1, ZERO, HAS_MINIMUM, MOST, 0)

HEAD_DOT(q4_0, 18, 8, 0, 15, 0)
HEAD_DOT(q4_1, 20, 0, 1, 15, 0)
HEAD_DOT(q5_0, 22, 16, 0, 31, 0)
HEAD_DOT(q5_1, 24, 0, 1, 31, 0)
HEAD_DOT(q8_0, 34, 0, 0, 128, 1)
BYTE_DOT(q2_K, 84, 0, 1, 3)
BYTE_DOT(q3_K, 110, 4, 0, 7)
BYTE_DOT(q4_K, 144, 0, 1, 15)
BYTE_DOT(q5_K, 176, 0, 1, 31)
BYTE_DOT(q6_K, 210, 32, 0, 63)
#endif
