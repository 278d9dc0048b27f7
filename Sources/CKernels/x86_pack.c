// Unpacking rows into panels, AVX2: serves every x86-64 level. A weight is unpacked once for all tokens of a chunk.
#include "ck_internal.h"

#if defined(__x86_64__)
#include <immintrin.h>

#include "ck_panel.h"
#include "x86_unpack.h"

// Rows become columns in a square of eight by eight 32-bit elements.
CK_INLINE CK_TARGET_AVX2 void transpose8(__m256i v[8]) {
  const __m256i a0 = _mm256_unpacklo_epi32(v[0], v[1]), a1 = _mm256_unpackhi_epi32(v[0], v[1]);
  const __m256i a2 = _mm256_unpacklo_epi32(v[2], v[3]), a3 = _mm256_unpackhi_epi32(v[2], v[3]);
  const __m256i a4 = _mm256_unpacklo_epi32(v[4], v[5]), a5 = _mm256_unpackhi_epi32(v[4], v[5]);
  const __m256i a6 = _mm256_unpacklo_epi32(v[6], v[7]), a7 = _mm256_unpackhi_epi32(v[6], v[7]);
  const __m256i b0 = _mm256_unpacklo_epi64(a0, a2), b1 = _mm256_unpackhi_epi64(a0, a2);
  const __m256i b2 = _mm256_unpacklo_epi64(a1, a3), b3 = _mm256_unpackhi_epi64(a1, a3);
  const __m256i b4 = _mm256_unpacklo_epi64(a4, a6), b5 = _mm256_unpackhi_epi64(a4, a6);
  const __m256i b6 = _mm256_unpacklo_epi64(a5, a7), b7 = _mm256_unpackhi_epi64(a5, a7);
  v[0] = _mm256_permute2x128_si256(b0, b4, 0x20);
  v[1] = _mm256_permute2x128_si256(b1, b5, 0x20);
  v[2] = _mm256_permute2x128_si256(b2, b6, 0x20);
  v[3] = _mm256_permute2x128_si256(b3, b7, 0x20);
  v[4] = _mm256_permute2x128_si256(b0, b4, 0x31);
  v[5] = _mm256_permute2x128_si256(b1, b5, 0x31);
  v[6] = _mm256_permute2x128_si256(b2, b6, 0x31);
  v[7] = _mm256_permute2x128_si256(b3, b7, 0x31);
}

// While a slice is unpacked the next one is fetched: 32 short streams are more than the hardware follows.
CK_INLINE void prefetch_next(const uint8_t *const *rows, size_t first_byte, size_t byte_count) {
  for (size_t r = 0; r < CK_PANEL_ROWS; r++) {
    for (size_t i = 0; i < byte_count; i += 64) __builtin_prefetch(rows[r] + first_byte + byte_count + i, 0, 3);
  }
}

CK_INLINE CK_TARGET_AVX2 void pack_quants(
  ck_unpacker unpack, const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel
) {
  for (size_t b = 0; b < count; b++) {
    for (size_t r = 0; r < CK_PANEL_ROWS; r += 8) {
      __m256i v[8];
      for (size_t i = 0; i < 8; i++) v[i] = unpack(rows[r + i], first + b);
      transpose8(v);
      for (size_t i = 0; i < 8; i++) _mm256_storeu_si256((__m256i *)panel->q[8 * b + i][r], v[i]);
    }
  }
}

// Formats with a binary16 scale, and maybe a binary16 minimum, at the head of each block.
CK_INLINE CK_TARGET_AVX2 void pack_heads(
  size_t block_bytes, int has_minimum, const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel
) {
  for (size_t b = 0; b < count; b++) {
    const size_t at = (first + b) * block_bytes;
    for (size_t r = 0; r < CK_PANEL_ROWS; r += 8) {
      const uint8_t *const *row = rows + r;
      if (has_minimum) {
        const __m256i pairs = _mm256_setr_epi32(
          (int)ck_load32(row[0] + at), (int)ck_load32(row[1] + at), (int)ck_load32(row[2] + at),
          (int)ck_load32(row[3] + at), (int)ck_load32(row[4] + at), (int)ck_load32(row[5] + at),
          (int)ck_load32(row[6] + at), (int)ck_load32(row[7] + at));
        // Scales are the lower halves of the pairs, minimums the upper: 16-bit elements to the lower half of each lane.
        const __m256i split = _mm256_shuffle_epi8(pairs, _mm256_setr_epi8(
          0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15, 0, 1, 4, 5, 8, 9, 12, 13, 2, 3, 6, 7, 10, 11, 14, 15));
        const __m256i sorted = _mm256_permute4x64_epi64(split, 0xD8);
        _mm256_store_ps(panel->scale[b] + r, _mm256_cvtph_ps(_mm256_castsi256_si128(sorted)));
        _mm256_store_ps(panel->minimum[b] + r, _mm256_cvtph_ps(_mm256_extracti128_si256(sorted, 1)));
      } else {
        const __m128i scales = _mm_setr_epi16(
          (short)ck_load16(row[0] + at), (short)ck_load16(row[1] + at), (short)ck_load16(row[2] + at),
          (short)ck_load16(row[3] + at), (short)ck_load16(row[4] + at), (short)ck_load16(row[5] + at),
          (short)ck_load16(row[6] + at), (short)ck_load16(row[7] + at));
        _mm256_store_ps(panel->scale[b] + r, _mm256_cvtph_ps(scales));
      }
    }
  }
}

CK_INLINE CK_TARGET_AVX2 void pack_blocks(
  ck_unpacker unpack, size_t block_bytes, int has_minimum, const uint8_t *const *rows, size_t first, size_t count,
  ck_panel *panel
) {
  prefetch_next(rows, first * block_bytes, count * block_bytes);
  pack_quants(unpack, rows, first, count, panel);
  pack_heads(block_bytes, has_minimum, rows, first, count, panel);
}

CK_INLINE CK_TARGET_AVX2 void store_nibbles(__m256i bytes, uint8_t *low, uint8_t *high) {
  const __m256i mask = _mm256_set1_epi8(0x0F);
  _mm256_store_si256((__m256i *)low, _mm256_and_si256(bytes, mask));
  _mm256_store_si256((__m256i *)high, _mm256_and_si256(_mm256_srli_epi16(bytes, 4), mask));
}

// Q4_0 and Q4_1: the nibbles are interleaved while still packed, which is half the work.
CK_INLINE CK_TARGET_AVX2 void pack_nibble_blocks(
  size_t block_bytes, int has_minimum, const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel
) {
  prefetch_next(rows, first * block_bytes, count * block_bytes);
  const size_t head = has_minimum ? 4 : 2;
  for (size_t b = 0; b < count; b++) {
    const size_t at = (first + b) * block_bytes + head;
    for (size_t r = 0; r < CK_PANEL_ROWS; r += 8) {
      __m256i v[4];  // rows i and i + 4
      for (size_t i = 0; i < 4; i++) {
        const __m128i low = _mm_loadu_si128((const __m128i *)(rows[r + i] + at));
        const __m128i high = _mm_loadu_si128((const __m128i *)(rows[r + i + 4] + at));
        v[i] = _mm256_set_m128i(high, low);
      }
      const __m256i a0 = _mm256_unpacklo_epi32(v[0], v[1]), a1 = _mm256_unpackhi_epi32(v[0], v[1]);
      const __m256i a2 = _mm256_unpacklo_epi32(v[2], v[3]), a3 = _mm256_unpackhi_epi32(v[2], v[3]);
      uint8_t(*q)[CK_PANEL_ROWS][4] = panel->q + 8 * b;
      store_nibbles(_mm256_unpacklo_epi64(a0, a2), q[0][r], q[4][r]);
      store_nibbles(_mm256_unpackhi_epi64(a0, a2), q[1][r], q[5][r]);
      store_nibbles(_mm256_unpacklo_epi64(a1, a3), q[2][r], q[6][r]);
      store_nibbles(_mm256_unpackhi_epi64(a1, a3), q[3][r], q[7][r]);
    }
  }
  pack_heads(block_bytes, has_minimum, rows, first, count, panel);
}

#define PACK(NAME, BYTES, HAS_MINIMUM)                                                                       \
  CK_TARGET_AVX2 void ck_pack_##NAME(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel) { \
    pack_blocks(ck_unpack_##NAME, BYTES, HAS_MINIMUM, rows, first, count, panel);                               \
  }

PACK(q5_0, 22, 0)
PACK(q5_1, 24, 1)
PACK(q8_0, 34, 0)

CK_TARGET_AVX2 void ck_pack_q4_0(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel) {
  pack_nibble_blocks(18, 0, rows, first, count, panel);
}

CK_TARGET_AVX2 void ck_pack_q4_1(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel) {
  pack_nibble_blocks(20, 1, rows, first, count, panel);
}

CK_INLINE CK_TARGET_AVX2 __m256i bytes_to_float(uint64_t bytes, __m256 factor) {
  const __m256 v = _mm256_cvtepi32_ps(_mm256_cvtepu8_epi32(_mm_cvtsi64_si128((long long)bytes)));
  return _mm256_castps_si256(_mm256_mul_ps(v, factor));
}

// Q4_K and Q5_K: slices are whole blocks of 256, since `columns` is a multiple of 256.
CK_INLINE CK_TARGET_AVX2 void pack_scales_k(
  size_t block_bytes, const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel
) {
  for (size_t b = 0; b < count; b += 8) {
    for (size_t r = 0; r < CK_PANEL_ROWS; r += 8) {
      __m256i scales[8], minimums[8];
      for (size_t i = 0; i < 8; i++) {
        const uint8_t *p = rows[r + i] + (first + b) / 8 * block_bytes;
        const ck_scales packed = ck_unpack_scales(p + 4);
        scales[i] = bytes_to_float(packed.scales, _mm256_set1_ps(ck_half_at(p)));
        minimums[i] = bytes_to_float(packed.minimums, _mm256_set1_ps(-ck_half_at(p + 2)));
      }
      transpose8(scales);
      transpose8(minimums);
      for (size_t i = 0; i < 8; i++) {
        _mm256_store_si256((__m256i *)(panel->scale[b + i] + r), scales[i]);
        _mm256_store_si256((__m256i *)(panel->minimum[b + i] + r), minimums[i]);
      }
    }
  }
}

CK_TARGET_AVX2 void ck_pack_q4_K(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel) {
  prefetch_next(rows, first / 8 * 144, count / 8 * 144);
  // 32 bytes hold two blocks of 32, one in the low nibbles and one in the high ones; interleaved while still packed.
  for (size_t b = 0; b < count; b += 2) {
    const size_t at = (first + b) / 8 * 144 + 16 + (first + b) % 8 / 2 * 32;
    for (size_t r = 0; r < CK_PANEL_ROWS; r += 8) {
      __m256i v[8];
      for (size_t i = 0; i < 8; i++) v[i] = ck_load_ymm(rows[r + i] + at);
      transpose8(v);
      for (size_t i = 0; i < 8; i++) store_nibbles(v[i], panel->q[8 * b + i][r], panel->q[8 * b + 8 + i][r]);
    }
  }
  pack_scales_k(144, rows, first, count, panel);
}

CK_TARGET_AVX2 void ck_pack_q5_K(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel) {
  prefetch_next(rows, first / 8 * 176, count / 8 * 176);
  pack_quants(ck_unpack_q5_K, rows, first, count, panel);
  pack_scales_k(176, rows, first, count, panel);
}

CK_TARGET_AVX2 void ck_pack_q6_K(const uint8_t *const *rows, size_t first, size_t count, ck_panel *panel) {
  prefetch_next(rows, first / 8 * 210, count / 8 * 210);
  pack_quants(ck_unpack_q6_K, rows, first, count, panel);
  for (size_t b = 0; b < count; b += 8) {
    for (size_t r = 0; r < CK_PANEL_ROWS; r += 8) {
      __m256i low[8], high[8];
      for (size_t i = 0; i < 8; i++) {
        const uint8_t *p = rows[r + i] + (first + b) / 8 * 210;
        const __m128i bytes = _mm_loadu_si128((const __m128i *)(p + 192));
        const __m256 d = _mm256_set1_ps(ck_half_at(p + 208));
        low[i] = _mm256_castps_si256(_mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(bytes)), d));
        high[i] = _mm256_castps_si256(
          _mm256_mul_ps(_mm256_cvtepi32_ps(_mm256_cvtepi8_epi32(_mm_srli_si128(bytes, 8))), d));
      }
      transpose8(low);
      transpose8(high);
      for (size_t i = 0; i < 8; i++) {
        _mm256_storeu_si256((__m256i *)(panel->scale[2 * b + i] + r), low[i]);
        _mm256_storeu_si256((__m256i *)(panel->scale[2 * b + 8 + i] + r), high[i]);
      }
    }
  }
}
#endif
