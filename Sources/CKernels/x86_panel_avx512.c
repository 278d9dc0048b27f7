// Panel products, AVX-512 with VNNI: 32 rows by up to eight tokens. vpdpbusd adds four products of unsigned weights and
// signed activations to an int32, exactly: a block's sum is at most 32 * 255 * 127 = 1,036,320.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_panel.h"

typedef struct format {
  int zero_shift;   // the format's weights are scale * (q - 2^zero_shift); -1 for none
  int is_signed;    // q are signed bytes, to be made unsigned by adding 128
  int has_minimum;  // weights are scale * q + minimum
  int halves;       // each half block of 16 has a scale of its own
} format;

// `n` tokens; everything that is constant at the call is folded. The int32 sums stay in registers.
CK_INLINE CK_TARGET_AVX512 void multiply(
  format f, size_t n, const ck_panel *panel, size_t count, const uint16_t *indices,
  size_t from, ck_group_blocks g, float (*sums)[CK_PANEL_ROWS]
) {
  const size_t parts = f.halves ? 2 : 1, steps = 8 / parts;
  const __m512i flip = _mm512_set1_epi8((char)0x80);
  for (size_t b = 0; b < count; b++) {
    const size_t at = indices ? indices[b] - from : b;  // the block's place in the panel
#pragma clang loop unroll(full)
    for (size_t part = 0; part < parts; part++) {
      // Sums start at -zero * (sum of activations), so that they end as the sum of (q - zero) * activation.
      int32_t start[8];
      if (f.zero_shift >= 0) {
        __m256i total = _mm256_loadu_si256((const __m256i *)(g.sums + 16 * b + 8 * part));
        if (!f.halves) total = _mm256_add_epi32(total, _mm256_loadu_si256((const __m256i *)(g.sums + 16 * b + 8)));
        total = _mm256_sub_epi32(_mm256_setzero_si256(), _mm256_slli_epi32(total, f.zero_shift));
        _mm256_storeu_si256((__m256i *)start, total);
      }
      __m512i a0[8], a1[8];
#pragma clang loop unroll(full)
      for (size_t t = 0; t < n; t++) {
        a0[t] = a1[t] = f.zero_shift >= 0 ? _mm512_set1_epi32(start[t]) : _mm512_setzero_si512();
      }
#pragma clang loop unroll(full)
      for (size_t k = 0; k < steps; k++) {
        const size_t step = 8 * at + steps * part + k;
        __m512i w0 = _mm512_load_si512(panel->q[step]), w1 = _mm512_load_si512(panel->q[step] + 16);
        if (f.is_signed) {
          w0 = _mm512_xor_si512(w0, flip);
          w1 = _mm512_xor_si512(w1, flip);
        }
#pragma clang loop unroll(full)
        for (size_t t = 0; t < n; t++) {
          int32_t four;
          memcpy(&four, g.q + 256 * b + 32 * (steps * part + k) + 4 * t, sizeof four);
          const __m512i a = _mm512_set1_epi32(four);
          a0[t] = _mm512_dpbusd_epi32(a0[t], w0, a);
          a1[t] = _mm512_dpbusd_epi32(a1[t], w1, a);
        }
      }
      const float *scale = panel->scale[parts * at + part];
      const __m512 s0 = _mm512_load_ps(scale), s1 = _mm512_load_ps(scale + 16);
#pragma clang loop unroll(full)
      for (size_t t = 0; t < n; t++) {
        const __m512 d = _mm512_set1_ps(g.d[8 * b + t]);
        __m512 r0 = _mm512_load_ps(sums[t]), r1 = _mm512_load_ps(sums[t] + 16);
        r0 = _mm512_fmadd_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(a0[t]), s0), d, r0);
        r1 = _mm512_fmadd_ps(_mm512_mul_ps(_mm512_cvtepi32_ps(a1[t]), s1), d, r1);
        if (f.has_minimum) {
          const __m512 s = _mm512_set1_ps(g.s[8 * b + t]);
          r0 = _mm512_fmadd_ps(_mm512_load_ps(panel->minimum[at]), s, r0);
          r1 = _mm512_fmadd_ps(_mm512_load_ps(panel->minimum[at] + 16), s, r1);
        }
        _mm512_store_ps(sums[t], r0);
        _mm512_store_ps(sums[t] + 16, r1);
      }
      // Without this the compiler keeps all sums in registers from block to block, and spills the accumulators.
      __asm__ __volatile__("" : : "r"(sums) : "memory");
    }
  }
}

// Few tokens cost what they are: the group's other places are zeros and need not be multiplied.
#define PANEL(NAME, ZERO_SHIFT, IS_SIGNED, HAS_MINIMUM, HALVES)                                              \
  static CK_TARGET_AVX512 void multiply_##NAME(                                                              \
    const ck_panel *panel, size_t count, const uint16_t *indices, size_t from, ck_group_blocks g,            \
    size_t tokens, float (*sums)[CK_PANEL_ROWS]                                                              \
  ) {                                                                                                        \
    const format f = {ZERO_SHIFT, IS_SIGNED, HAS_MINIMUM, HALVES};                                           \
    if (tokens > 6) multiply(f, 8, panel, count, indices, from, g, sums);                                                  \
    else if (tokens > 4) multiply(f, 6, panel, count, indices, from, g, sums);                                             \
    else if (tokens > 2) multiply(f, 4, panel, count, indices, from, g, sums);                                             \
    else multiply(f, 2, panel, count, indices, from, g, sums);                                                             \
  }                                                                                                          \
  CK_PANEL_SIGNATURE(ck_panel_##NAME##_avx512) {                                                             \
    ck_multiply_panel(                                                                                       \
      ck_pack_##NAME, multiply_##NAME, rows, row_count, columns, groups, tokens, out, out_stride, scratch);  \
  }

PANEL(q4_0, 3, 0, 0, 0)
PANEL(q4_1, -1, 0, 1, 0)
PANEL(q5_0, 4, 0, 0, 0)
PANEL(q5_1, -1, 0, 1, 0)
PANEL(q8_0, 7, 1, 0, 0)
PANEL(q4_K, -1, 0, 1, 0)
PANEL(q5_K, -1, 0, 1, 0)
PANEL(q6_K, 5, 0, 0, 1)
#endif
