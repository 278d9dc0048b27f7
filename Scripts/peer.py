#!/usr/bin/env python3
"""Speed of another engine on a GGUF file, as `ra-bench speed --peer` and `ra-bench scaling --peer` ask for it.

  python3 -m venv V && V/bin/pip install ik-llama-cpp-python        # ik_llama.cpp, or
  CMAKE_ARGS=-DGGML_NATIVE=on V/bin/pip install llama-cpp-python    # llama.cpp, built for this machine
  V/bin/python Scripts/peer.py MODEL --threads 2 --prompt 512 --generate 48 --depth 8

Prints one JSON object: engine, prefill_tps (a prompt into an empty cache), decode_tps (single tokens after `depth`).
Ids are those of the bench's own runs."""
import argparse
import json
import statistics
import time


class IK:
    """ik_llama.cpp through its Python package; flash attention is on, as the package has it."""

    name = "ik_llama.cpp"

    def __init__(self, options, positions):
        from ik_llama_cpp import _internals as package

        self.package = package
        self.model = package.IkModel(options.model)
        self.context = package.IkContext(self.model, n_ctx=positions, n_threads=options.threads)

    def reset(self):
        self.context.kv_cache_clear()

    def run(self, ids, start):
        if len(ids) == 1:
            batch = self.package.make_batch_single(ids[0], start)
        else:
            batch = self.package.make_batch_range(ids, pos_start=start)
        assert self.context.decode(batch) == 0
        self.context.get_logits(-1)


class Llama:
    """llama.cpp through its Python package."""

    name = "llama.cpp"

    def __init__(self, options, positions):
        from llama_cpp import Llama as Package

        self.model = Package(
            options.model, n_ctx=positions, n_batch=512, n_ubatch=512, n_threads=options.threads,
            n_threads_batch=options.threads, flash_attn=options.flash, verbose=False)

    def reset(self):
        self.model.reset()

    def run(self, ids, start):
        self.model.eval(ids)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--prompt", type=int, default=512)
    parser.add_argument("--generate", type=int, default=48)
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--runs", type=int, default=1)
    parser.add_argument("--flash", action="store_true", help="llama.cpp: flash attention")
    options = parser.parse_args()
    positions = max(1024, options.prompt, options.depth + options.generate) + 8
    try:
        engine = IK(options, positions)
    except ImportError:
        engine = Llama(options, positions)
    ids = [100 + i * 7919 % 20000 for i in range(max(options.prompt, options.depth, 1))]
    prefill, decode = [], []
    for _ in range(options.runs):
        engine.reset()
        start = time.perf_counter()
        engine.run(ids[: options.prompt], 0)
        prefill.append(options.prompt / (time.perf_counter() - start))
        if options.depth != options.prompt:
            engine.reset()
            if options.depth:
                engine.run(ids[: options.depth], 0)
        start = time.perf_counter()
        for i in range(options.generate):
            engine.run([ids[i % len(ids)]], options.depth + i)
        decode.append(options.generate / (time.perf_counter() - start))
    print(json.dumps({
        "engine": engine.name, "prefill_tps": round(statistics.median(prefill), 2),
        "decode_tps": round(statistics.median(decode), 2)}))


main()
