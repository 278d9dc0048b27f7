// Panels of the cache's plain elements (CACHE is f16 or f32): how attention reads them.
#define CACHED(a) JOIN(a, CACHE)
#define cache_t CACHED(cache)
#define AHEAD (AHEAD_BYTES / sizeof(cache_t))

INLINE size_t CACHED(key_panel_bytes)(size_t key_length) { return CK_KEY_PANEL * key_length * sizeof(cache_t); }

/// Scores of `rows` queries against `panels` neighbouring panels of keys.
INLINE void CACHED(score_panels)(const float *queries, const void *panel, size_t key_length, float *scores,
                                 const int rows, const int panels) {
  const cache_t *keys = panel;
  vf sum[ROW_GROUP][4 * PER_PANEL];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) sum[r][j] = (vf){0};
  for (size_t d = 0; d < key_length; d++) {
    UNROLL for (int j = 0; j < panels; j++)
      __builtin_prefetch(keys + (j * key_length + d) * CK_KEY_PANEL + AHEAD);
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) {
      vf k = CACHED(load)(keys + (j / PER_PANEL * key_length + d) * CK_KEY_PANEL + j % PER_PANEL * LANES);
      UNROLL for (int r = 0; r < rows; r++) sum[r][j] = fma_(broadcast(queries[r * key_length + d]), k, sum[r][j]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < panels * PER_PANEL; j++) store(scores + r * CK_CACHE_BLOCK + j * LANES, sum[r][j]);
}

/// output[r][..] += weights[r][p] * values[p][first..] over the positions from `start` up to `end`, for `vectors` vectors
/// across.
INLINE void CACHED(add_values)(const float *weights, const void *block, size_t first, size_t start, size_t end,
                               size_t value_stride, float *output, const int rows, const int vectors) {
  const cache_t *values = (const cache_t *)block + first;
  vf sum[ROW_GROUP][4];
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) sum[r][j] = load(output + r * value_stride + j * LANES);
  for (size_t p = start; p < end; p++) {
    UNROLL for (int j = 0; j < vectors * LANES; j += 64 / (int)sizeof(cache_t))
      __builtin_prefetch(values + p * value_stride + j + AHEAD);
    UNROLL for (int j = 0; j < vectors; j++) {
      vf v = CACHED(load)(values + p * value_stride + j * LANES);
      UNROLL for (int r = 0; r < rows; r++)
        sum[r][j] = fma_(broadcast(weights[r * CK_CACHE_BLOCK + p]), v, sum[r][j]);
    }
  }
  UNROLL for (int r = 0; r < rows; r++)
    UNROLL for (int j = 0; j < vectors; j++) store(output + r * value_stride + j * LANES, sum[r][j]);
}

INLINE void CACHED(widen)(float *out, const cache_t *in, size_t n) {
  for (size_t i = 0; i < n; i += LANES) store(out + i, CACHED(load)(in + i));
}

/// `panels` panels of keys from `first` on as floats, in the same order.
INLINE void CACHED(widen_keys)(float *out, const void *keys, size_t first, size_t panels, size_t key_length) {
  const size_t panel = CK_KEY_PANEL * key_length;
  CACHED(widen)(out, (const cache_t *)keys + first * panel, panels * panel);
}

/// `n` rows of values from position `first` on as floats.
INLINE void CACHED(widen_values)(float *out, const void *values, size_t first, size_t n, size_t width) {
  CACHED(widen)(out, (const cache_t *)values + first * width, n * width);
}

#undef CACHED
#undef cache_t
#undef AHEAD
