// Dot products of float rows with float vectors without named instruction sets: for CPUs that have no kernels of their own.
#include "ck_dot_loop.h"

CK_DOT_SIGNATURE(ck_dot_f32_scalar) {
  for (size_t r = 0; r < row_count; r++) {
    const uint8_t *row = (const uint8_t *)rows + r * row_stride;
    for (size_t t = 0; t < tokens; t++) {
      const float *v = (const float *)vectors + t * columns;
      // Eight running sums, which any compiler keeps in two registers of four.
      float sum[8] = {0}, w[8];
      size_t k = 0;
      for (; k + 8 <= columns; k += 8) {
        memcpy(w, row + 4 * k, sizeof w);
        for (size_t i = 0; i < 8; i++) sum[i] += w[i] * v[k + i];
      }
      for (size_t i = 0; k < columns; i++, k++) {
        memcpy(w, row + 4 * k, sizeof *w);
        sum[i] += w[0] * v[k];
      }
      const float even = (sum[0] + sum[4]) + (sum[2] + sum[6]), odd = (sum[1] + sum[5]) + (sum[3] + sum[7]);
      out[t * out_stride + r] = even + odd;
    }
  }
}
