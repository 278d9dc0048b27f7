// Panels of the cache's 8-bit elements: how they are stored, and how attention reads them. A panel is 16 x length bytes
// and, for every 32 of length elements, 16 binary16 scales, one a position.
typedef int8_t vb_u __attribute__((vector_size(LANES), aligned(1), may_alias));

INLINE vf load_q8(const int8_t *p) { return __builtin_convertvector(*(const vb_u *)p, vf); }
INLINE size_t scale_groups(size_t length) { return (length + CK_CACHE_SCALE - 1) / CK_CACHE_SCALE; }
INLINE size_t key_panel_bytes_q8(size_t length) { return CK_KEY_PANEL * (length + 2 * scale_groups(length)); }
INLINE const cache_f16 *scales_q8(const void *panel, size_t length) {
  return (const cache_f16 *)((const int8_t *)panel + CK_KEY_PANEL * length);
}

/// Rounds n <= 32 elements to out[0], out[step], ... and returns their scale: the greatest magnitude over 127, or NaN
/// when one of them is not finite, so that it shows in the logits.
INLINE cache_f16 round_q8(int8_t *out, size_t step, const float *x, size_t n) {
  float greatest = 0, ordinary = 0;
  for (size_t i = 0; i < n; i++) {
    const float magnitude = fabsf(x[i]);
    greatest = magnitude > greatest ? magnitude : greatest;
    ordinary += x[i] * 0.0f;
  }
  cache_f16 half = (cache_f16)(greatest / 127.0f);
  const float scale = (float)half;
  if (!(ordinary == 0.0f) || !(scale <= 65504.0f)) {
    for (size_t i = 0; i < n; i++) out[i * step] = 0;
    return (cache_f16)NAN;
  }
  for (size_t i = 0; i < n; i++) {
    float level = scale > 0 ? __builtin_rintf(x[i] / scale) : 0.0f;
    level = level > 127.0f ? 127.0f : level < -127.0f ? -127.0f : level;
    out[i * step] = (int8_t)level;
  }
  return half;
}

static void NAMED(store_key_q8)(void *panel, size_t lane, const float *x, size_t n) {
  int8_t *out = (int8_t *)panel + lane;
  cache_f16 *scales = (cache_f16 *)((int8_t *)panel + CK_KEY_PANEL * n) + lane;
  for (size_t d = 0; d < n; d += CK_CACHE_SCALE)
    scales[d / CK_CACHE_SCALE * CK_KEY_PANEL] =
        round_q8(out + d * CK_KEY_PANEL, CK_KEY_PANEL, x + d, n - d < CK_CACHE_SCALE ? n - d : CK_CACHE_SCALE);
}

static void NAMED(store_value_q8)(void *panel, size_t lane, const float *x, size_t n, size_t stride) {
  int8_t *out = (int8_t *)panel + lane * stride;
  cache_f16 *scales = (cache_f16 *)((int8_t *)panel + CK_KEY_PANEL * stride) + lane;
  for (size_t d = 0; d < n; d += CK_CACHE_SCALE)
    scales[d / CK_CACHE_SCALE * CK_KEY_PANEL] =
        round_q8(out + d, 1, x + d, n - d < CK_CACHE_SCALE ? n - d : CK_CACHE_SCALE);
}

/// Scores of `rows` queries against `panels` neighbouring panels of keys: the sums of 32 elements are scaled as a whole.
INLINE void score_panels_q8(const float *queries, const void *first, size_t key_length, float *scores, const int rows,
                            const int panels) {
  const int8_t *keys = first;
  const size_t panel_bytes = key_panel_bytes_q8(key_length);
  for (size_t group = 0; group < key_length; group += CK_CACHE_SCALE) {
    const size_t end = key_length - group < CK_CACHE_SCALE ? key_length : group + CK_CACHE_SCALE;
    vf sum[ROW_GROUP][4 * PER_PANEL];
    UNROLL for (int r = 0; r < rows; r++)
      UNROLL for (int j = 0; j < panels * PER_PANEL; j++) sum[r][j] = (vf){0};
    for (size_t d = group; d < end; d++) {
      if (d % 4 == 0) {
        UNROLL for (int j = 0; j < panels; j++)
          __builtin_prefetch(keys + j * panel_bytes + d * CK_KEY_PANEL + AHEAD_BYTES);
      }
      UNROLL for (int j = 0; j < panels * PER_PANEL; j++) {
        vf k = load_q8(keys + j / PER_PANEL * panel_bytes + d * CK_KEY_PANEL + j % PER_PANEL * LANES);
        UNROLL for (int r = 0; r < rows; r++) sum[r][j] = fma_(broadcast(queries[r * key_length + d]), k, sum[r][j]);
      }
    }
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) {
      const vf scale = load_f16(scales_q8(keys + j / PER_PANEL * panel_bytes, key_length) +
                                group / CK_CACHE_SCALE * CK_KEY_PANEL + j % PER_PANEL * LANES);
      UNROLL for (int r = 0; r < rows; r++) {
        float *place = scores + r * CK_CACHE_BLOCK + j * LANES;
        store(place, group == 0 ? sum[r][j] * scale : fma_(sum[r][j], scale, load(place)));
      }
    }
  }
}

/// output[r][..] += weights[r][p] * values[p][first..] over the positions from `start` up to `end`, for `vectors` vectors
/// across, which begin at a multiple of 32 or end before the next one. The scales go into the weights, 16 positions at a
/// time.
INLINE void add_values_q8(const float *weights, const void *block, size_t first, size_t start, size_t end,
                          size_t value_stride, float *output, const int rows, const int vectors) {
  enum { MOST_GROUPS = (4 * LANES + CK_CACHE_SCALE - 1) / CK_CACHE_SCALE };
  const int groups = (vectors * LANES + CK_CACHE_SCALE - 1) / CK_CACHE_SCALE;
  const size_t panel_bytes = key_panel_bytes_q8(value_stride);
  vf sum[ROW_GROUP][4];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) sum[r][j] = load(output + r * value_stride + j * LANES);
  while (start < end) {
    const size_t lane = start % CK_KEY_PANEL, base = start - lane;
    const int8_t *panel = (const int8_t *)block + base / CK_KEY_PANEL * panel_bytes;
    const cache_f16 *scales = scales_q8(panel, value_stride) + first / CK_CACHE_SCALE * CK_KEY_PANEL;
    const size_t n = end - base < CK_KEY_PANEL ? end - base : CK_KEY_PANEL;
    float scaled[ROW_GROUP][MOST_GROUPS][CK_KEY_PANEL];
    UNROLL for (int g = 0; g < groups; g++)
      UNROLL for (int i = 0; i < CK_KEY_PANEL; i += LANES) {
        const vf scale = load_f16(scales + g * CK_KEY_PANEL + i);
        UNROLL for (int r = 0; r < rows; r++)
          store(scaled[r][g] + i, load(weights + r * CK_CACHE_BLOCK + base + i) * scale);
      }
    for (size_t p = lane; p < n; p++) {
      const int8_t *row = panel + p * value_stride + first;
      __builtin_prefetch(row + AHEAD_BYTES);
      UNROLL for (int j = 0; j < vectors; j++) {
        vf v = load_q8(row + j * LANES);
        UNROLL for (int r = 0; r < rows; r++)
          sum[r][j] = fma_(broadcast(scaled[r][j * LANES / CK_CACHE_SCALE][p]), v, sum[r][j]);
      }
    }
    start = base + CK_KEY_PANEL;
  }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) store(output + r * value_stride + j * LANES, sum[r][j]);
}

/// `panels` panels of keys from `first` on as floats, in the same order.
INLINE void widen_keys_q8(float *out, const void *keys, size_t first, size_t panels, size_t key_length) {
  const size_t panel_bytes = key_panel_bytes_q8(key_length);
  for (size_t i = first; i < first + panels; i++) {
    const int8_t *panel = (const int8_t *)keys + i * panel_bytes;
    for (size_t j = 0; j < CK_KEY_PANEL; j += LANES)
      for (size_t group = 0; group < key_length; group += CK_CACHE_SCALE) {
        const size_t end = key_length - group < CK_CACHE_SCALE ? key_length : group + CK_CACHE_SCALE;
        const vf scale = load_f16(scales_q8(panel, key_length) + group / CK_CACHE_SCALE * CK_KEY_PANEL + j);
        for (size_t d = group; d < end; d++)
          store(out + d * CK_KEY_PANEL + j, load_q8(panel + d * CK_KEY_PANEL + j) * scale);
      }
    out += CK_KEY_PANEL * key_length;
  }
}

/// `n` rows of values from position `first` on as floats.
INLINE void widen_values_q8(float *out, const void *values, size_t first, size_t n, size_t width) {
  const size_t panel_bytes = key_panel_bytes_q8(width);
  for (size_t p = first; p < first + n; p++) {
    const int8_t *panel = (const int8_t *)values + p / CK_KEY_PANEL * panel_bytes;
    const int8_t *row = panel + p % CK_KEY_PANEL * width;
    const cache_f16 *scales = scales_q8(panel, width) + p % CK_KEY_PANEL;
    for (size_t d = 0; d < width; d += LANES)
      store(out + d, load_q8(row + d) * broadcast((float)scales[d / CK_CACHE_SCALE * CK_KEY_PANEL]));
    out += width;
  }
}
