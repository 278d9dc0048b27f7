#!/usr/bin/env python3
"""What llama.cpp's server makes of requests with tools, and how long it takes: llama-cpp-python's, over HTTP.

  V/bin/pip install 'llama-cpp-python[server]'
  V/bin/python Scripts/server-calls.py MODEL --threads 2 --tokens 26

The three tools and the first request are those of `ra-bench calls --reuse`. A request whose tools are others comes first,
so that nothing of the measured prompt is cached. Prints one JSON object a request: tool_choice, seconds, the tokens of
prompt and answer, and the calls that were delivered, or the text in their place."""
import argparse
import json
import subprocess
import sys
import time
import urllib.error
import urllib.request


def tool(name, description, **properties):
    parameters = {"type": "object", "properties": properties, "required": list(properties)}
    return {"type": "function", "function": {"name": name, "description": description, "parameters": parameters}}


def text(description):
    return {"type": "string", "description": description}


TOOLS = [
    tool("get_weather", "Get current weather for a city", city=text("City name")),
    tool(
        "calculate", "Evaluate a mathematical expression and return the numeric result",
        expression=text("Math expression (e.g. '2 + 3 * 4')")),
    tool("get_current_time", "Get the current date and time"),
]
OTHER_TOOLS = [tool("play_song", "Play a song"), tool("stop_song", "Stop the song")]
QUESTION = "What's the weather in San Francisco?"
QUESTIONS = [QUESTION, "Is it raining in Oslo?", "What is 17 times 23?", "What time is it?"]
NAMED = {"type": "function", "function": {"name": "get_weather"}}


class Server:
    def __init__(self, options):
        self.address = f"http://127.0.0.1:{options.port}"
        command = [
            sys.executable, "-m", "llama_cpp.server", "--model", options.model, "--n_ctx", "4096", "--n_batch", "512",
            "--n_threads", str(options.threads), "--n_threads_batch", str(options.threads), "--port", str(options.port)]
        if options.chat_format:
            command += ["--chat_format", options.chat_format]
        self.process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def wait(self, seconds=120):
        for _ in range(seconds * 10):
            if self.process.poll() is not None:
                sys.exit(f"the server ended with status {self.process.returncode}")
            try:
                return urllib.request.urlopen(self.address + "/v1/models", timeout=5).read()
            except OSError:
                time.sleep(0.1)
        sys.exit("the server doesn't answer")

    def ask(self, question, tools, choice, tokens):
        body = {
            "messages": [{"role": "user", "content": question}], "tools": tools, "tool_choice": choice,
            "temperature": 0, "max_tokens": tokens}
        request = urllib.request.Request(
            self.address + "/v1/chat/completions", json.dumps(body).encode(), {"Content-Type": "application/json"})
        start = time.monotonic()
        try:
            answer = json.load(urllib.request.urlopen(request, timeout=120))
        except urllib.error.HTTPError as error:
            return {"seconds": round(time.monotonic() - start, 3), "error": error.read().decode()[:300]}
        seconds = time.monotonic() - start
        message, usage = answer["choices"][0]["message"], answer["usage"]
        calls = [call["function"] for call in message.get("tool_calls") or []]
        return {
            "seconds": round(seconds, 3), "prompt_tokens": usage["prompt_tokens"],
            "completion_tokens": usage["completion_tokens"], "calls": calls, "text": message.get("content")}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--tokens", type=int, default=64, help="the most tokens of an answer")
    parser.add_argument("--runs", type=int, default=3, help="how often the first request is timed")
    parser.add_argument("--chat-format", help="one of the package's, in place of the file's template")
    parser.add_argument("--port", type=int, default=18431)
    options = parser.parse_args()
    server = Server(options)
    try:
        server.wait()
        for run in range(options.runs):
            server.ask("Play something.", OTHER_TOOLS, "auto", 4)
            row = {"run": run, "tool_choice": "required", **server.ask(QUESTION, TOOLS, "required", options.tokens)}
            print(json.dumps(row), flush=True)
        for choice in ("auto", "required", NAMED):
            for question in QUESTIONS:
                row = {"question": question, "tool_choice": choice if isinstance(choice, str) else "get_weather"}
                print(json.dumps(row | server.ask(question, TOOLS, choice, max(options.tokens, 64))), flush=True)
    finally:
        server.process.terminate()
        server.process.wait()


if __name__ == "__main__":
    main()
