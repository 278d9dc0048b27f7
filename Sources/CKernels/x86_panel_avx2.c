// Panel products, AVX2: 16 rows by up to four tokens.
//
// vpmaddubsw adds two products of an unsigned weight and a signed activation (at most 127) in an int16 lane. Several of
// them are added in int16 before anything is widened, as many as the format's largest weight allows:
//   4 bits, 8 steps: 16 * 15 * 127 = 30,480     5 bits, 4 steps: 8 * 31 * 127 = 31,496
//   6 bits, 2 steps:  4 * 63 * 127 = 32,004     all below 32,767, so that no addition can overflow.
// Eight signed bits allow one: |q| <= 128 times an activation that takes q's sign, 2 * 128 * 127 = 32,512.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_panel.h"

typedef struct format {
  int zero_shift;   // the format's weights are scale * (q - 2^zero_shift); -1 for none
  int is_signed;    // q are signed bytes
  int has_minimum;  // weights are scale * q + minimum
  int halves;       // each half block of 16 has a scale of its own
  int narrow;       // steps of four elements that int16 lanes can add up
} format;

// Sixteen rows from `row` on and `n` tokens from `token` on; everything that is constant at the call is folded.
// Accumulators stay in registers: 2n of int16, and where widening happens within a scale's elements 2n of int32.
CK_INLINE CK_TARGET_AVX2 void multiply(
  format f, size_t n, size_t row, size_t token, const ck_panel *panel, size_t count,
  const uint16_t *indices, size_t from, ck_group_blocks g, float (*sums)[CK_PANEL_ROWS]
) {
  const size_t parts = f.halves ? 2 : 1, steps = 8 / parts, rounds = steps / (size_t)f.narrow;
  const __m256i ones = _mm256_set1_epi16(1);
  for (size_t b = 0; b < count; b++) {
    const size_t at = indices ? indices[b] - from : b;  // the block's place in the panel
    for (size_t part = 0; part < parts; part++) {
      __m256i wide0[4], wide1[4];
#pragma clang loop unroll(full)
      for (size_t t = 0; t < n; t++) wide0[t] = wide1[t] = _mm256_setzero_si256();
#pragma clang loop unroll(disable)
      for (size_t round = 0; round < rounds; round++) {
        __m256i a0[4], a1[4];
#pragma clang loop unroll(full)
        for (size_t t = 0; t < n; t++) a0[t] = a1[t] = _mm256_setzero_si256();
        const size_t first = steps * part + (size_t)f.narrow * round;
        const uint8_t *q = &panel->q[8 * at + first][row][0];
        const int8_t *activations = g.q + 256 * b + 32 * first + 4 * token;
#pragma clang loop unroll_count(2)
        for (int k = 0; k < f.narrow; k++) {
          const __m256i w0 = _mm256_load_si256((const __m256i *)(q + 128 * k));
          const __m256i w1 = _mm256_load_si256((const __m256i *)(q + 128 * k + 32));
          const __m256i size0 = f.is_signed ? _mm256_abs_epi8(w0) : w0, size1 = f.is_signed ? _mm256_abs_epi8(w1) : w1;
#pragma clang loop unroll(full)
          for (size_t t = 0; t < n; t++) {
            int32_t four;
            memcpy(&four, activations + 32 * k + 4 * (int)t, sizeof four);
            const __m256i a = _mm256_set1_epi32(four);
            const __m256i x0 = f.is_signed ? _mm256_sign_epi8(a, w0) : a, x1 = f.is_signed ? _mm256_sign_epi8(a, w1) : a;
            a0[t] = _mm256_add_epi16(a0[t], _mm256_maddubs_epi16(size0, x0));
            a1[t] = _mm256_add_epi16(a1[t], _mm256_maddubs_epi16(size1, x1));
          }
        }
#pragma clang loop unroll(full)
        for (size_t t = 0; t < n; t++) {
          wide0[t] = _mm256_add_epi32(wide0[t], _mm256_madd_epi16(a0[t], ones));
          wide1[t] = _mm256_add_epi32(wide1[t], _mm256_madd_epi16(a1[t], ones));
        }
      }
      const float *scale = panel->scale[parts * at + part] + row;
#pragma clang loop unroll(full)
      for (size_t t = 0; t < n; t++) {
        if (f.zero_shift >= 0) {
          // The sum of (q - zero) * activation is that of q * activation less zero * (sum of activations).
          const int32_t *total = g.sums + 16 * b + 8 * part + token + t;
          const __m256i zero = _mm256_set1_epi32((f.halves ? total[0] : total[0] + total[8]) * (1 << f.zero_shift));
          wide0[t] = _mm256_sub_epi32(wide0[t], zero);
          wide1[t] = _mm256_sub_epi32(wide1[t], zero);
        }
        const __m256 d = _mm256_set1_ps(g.d[8 * b + token + t]);
        float *sum = sums[token + t] + row;
        __m256 r0 = _mm256_load_ps(sum), r1 = _mm256_load_ps(sum + 8);
        r0 = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(wide0[t]), _mm256_load_ps(scale)), d, r0);
        r1 = _mm256_fmadd_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(wide1[t]), _mm256_load_ps(scale + 8)), d, r1);
        if (f.has_minimum) {
          const __m256 s = _mm256_set1_ps(g.s[8 * b + token + t]);
          r0 = _mm256_fmadd_ps(_mm256_load_ps(panel->minimum[at] + row), s, r0);
          r1 = _mm256_fmadd_ps(_mm256_load_ps(panel->minimum[at] + row + 8), s, r1);
        }
        _mm256_store_ps(sum, r0);
        _mm256_store_ps(sum + 8, r1);
      }
      // Without this the compiler keeps all sums in registers from block to block, and spills the accumulators.
      __asm__ __volatile__("" : : "r"(sums) : "memory");
    }
  }
}

// `WIDTH` tokens at a time: four where eight accumulators are enough, two where int32 ones are needed besides.
#define PANEL(NAME, WIDTH, ...)                                                                              \
  static CK_TARGET_AVX2 void multiply_##NAME(                                                                \
    const ck_panel *panel, size_t count, const uint16_t *indices, size_t from, ck_group_blocks g,            \
    size_t tokens, float (*sums)[CK_PANEL_ROWS]                                                              \
  ) {                                                                                                        \
    const format f = {__VA_ARGS__};                                                                          \
    for (size_t t = 0; t < tokens; t += WIDTH) {                                                             \
      multiply(f, WIDTH, 0, t, panel, count, indices, from, g, sums);                                                      \
      multiply(f, WIDTH, 16, t, panel, count, indices, from, g, sums);                                                     \
    }                                                                                                        \
  }                                                                                                          \
  CK_PANEL_SIGNATURE(ck_panel_##NAME##_avx2) {                                                               \
    ck_multiply_panel(                                                                                       \
      ck_pack_##NAME, multiply_##NAME, rows, row_count, columns, groups, tokens, out, out_stride, scratch);  \
  }

PANEL(q4_0, 4, 3, 0, 0, 0, 8)
PANEL(q4_1, 4, -1, 0, 1, 0, 8)
PANEL(q5_0, 2, 4, 0, 0, 0, 4)
PANEL(q5_1, 2, -1, 0, 1, 0, 4)
PANEL(q8_0, 2, -1, 1, 0, 0, 1)
PANEL(q4_K, 4, -1, 0, 1, 0, 8)
PANEL(q5_K, 2, -1, 0, 1, 0, 4)
PANEL(q6_K, 2, 5, 0, 0, 1, 2)
#endif
