#!/usr/bin/env python3
"""Writes Tests/Fixtures/quantized-blocks.txt: random blocks of every element type with the values that the Python
package `gguf` (gguf.quants, MIT licence) decodes them to. Each line: type, bytes in hex, float32 values in hex.
usage: write-quantized-blocks.py [BLOCKS] > Tests/Fixtures/quantized-blocks.txt     (needs numpy and gguf)"""
import struct
import sys

import numpy as np
from gguf.constants import GGML_QUANT_SIZES, GGMLQuantizationType as T
from gguf.quants import dequantize

# Where the binary16 scales of a block lie: random bits would make most of them absurd.
SCALES = {T.Q4_0: [0], T.Q4_1: [0, 2], T.Q5_0: [0], T.Q5_1: [0, 2], T.Q8_0: [0], T.Q2_K: [80, 82], T.Q3_K: [108],
          T.Q4_K: [0, 2], T.Q5_K: [0, 2], T.Q6_K: [208]}


def main():
    rng = np.random.default_rng(20240611)
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 3
    for kind in [T.F32, T.F16, T.BF16, *SCALES]:
        length, size = GGML_QUANT_SIZES[kind]
        per_line = 16 if length == 1 else 1
        for index in range(count):
            raw = bytearray(rng.integers(0, 256, size * per_line, dtype=np.uint8).tobytes())
            if kind == T.F16 and index == 0:
                raw[:12] = struct.pack("<6H", 0x0001, 0x7BFF, 0x8000, 0x7C00, 0x03FF, 0x0400)
            if kind == T.BF16 and index == 0:
                raw[:8] = struct.pack("<4H", 0x3F80, 0x0001, 0x8000, 0xFF80)
            for offset in SCALES.get(kind, []):
                # One block in three has subnormal scales, which must not be flushed to zero.
                scale = rng.normal() * (2e-6 if index % 3 == 2 else 0.01)
                raw[offset:offset + 2] = np.float16(scale).tobytes()
            values = dequantize(np.frombuffer(bytes(raw), dtype=np.uint8), kind).astype("<f4")
            print(kind.name, raw.hex(), values.tobytes().hex())


main()
