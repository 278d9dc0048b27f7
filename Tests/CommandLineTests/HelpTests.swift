import Arguments
import Foundation
import Testing

@testable import ra_run

/// Help as it is printed. When a change of it is meant, change it here too.
@Suite("Help")
struct HelpTests {
  @Test("The list of commands")
  func overview() {
    #expect(
      Program.overview == """
        usage: ra-run <command> [OPTIONS] [...]

        Runs language models, and lets them call tools, on this machine.

        commands:
          run       answers a prompt, or converses when there is none
          chat      converses, remembering what was said
          tools     answers a prompt, calling tools from a file
          generate  continues a text as it stands, without a chat template
          demo      shows a tool call from question to answer, with three built-in tools
          pull      downloads the default model, or makes sure that it is whole
          list      lists the downloaded models
          show      shows what a model file holds
          tokenize  shows the tokens of a text
          template  shows the exact prompt that a conversation becomes
          doctor    checks this machine: processor, kernels, threads, memory, models
          version   prints the version
          help      shows a command's options

        ra-run help <command> shows a command's options.

        Answers go to standard output, everything else to standard error. The status is 0 when done, 1 when
        something failed, 2 for wrong usage, 130 when cancelled.
        """)
  }

  @Test("run")
  func run() {
    #expect(
      RunCommand().command.help(program: "ra-run") == """
        usage: ra-run run [OPTIONS] [PROMPT...]

        Answers a prompt, or converses when there is none.

        options:
          -m, --model MODEL         a GGUF file, or the name of a downloaded model (default: the small
                                    SmolLM2)
              --chat-template FILE  a template file in place of the model's, or the name of one of the
                                    model's
              --system TEXT         instructions that stand before the conversation
              --session FILE        go on with the conversation in FILE, and keep it there
          -j, --json-schema SCHEMA  hold every answer to this JSON Schema (its text, or a file)
              --tools FILE          the tools, in the shape of OpenAI's API or of MCP
              --tool-choice WHEN    auto, none, required, or the name of a tool (auto)
              --max-calls N         most tool calls for one answer (5)
              --parallel            run the calls of one turn at the same time
              --ask                 ask on the terminal before a call runs
              --call-format FORM    the form in which the model writes calls, in place of its own: hermes,
                                    llama, mistral, mistralNamed, functionary, lfm, pythonic, generic
          -n, --max-tokens N        most tokens to generate; -1 is all that fit (1024)
              --temp T              randomness; 0 always takes the likeliest token (0.7)
              --top-p P             only the likeliest tokens that make up this probability (1)
              --top-k K             only the K likeliest tokens; 0 is all (0)
              --min-p P             only tokens at least P times as likely as the likeliest (0)
              --repeat-penalty R    above 1 makes repetition less likely (1)
          -s, --seed N              makes the choices repeatable
              --stop TEXT           ends the answer before TEXT; may be given several times
          -t, --threads N           worker threads (as many as this process may use)
          -c, --ctx-size N          most tokens of prompt and answer together (what the model was made for)
              --cache-type TYPE     how keys and values are kept: f16, or q8_0 in half the memory (f16)
              --drafts N            most tokens that are copied from earlier text and checked at once: 8
                                    makes answers that repeat their prompt faster (8)
              --no-drafts           the same as --drafts 0
          -v, --verbose             print token counts and speed on standard error
          -p, --prompt TEXT         the prompt, in place of one at the end
          -f, --file FILE           read the prompt from a file
              --json                print one JSON document

        Without a prompt standard input is the prompt; on a terminal a conversation begins.

        --json prints one object: "model", "text", "finish_reason" (stop, length), "usage" (counts of tokens) and "timings"
        (seconds, and tokens a second). With --tools it is what ra-run tools prints.

        examples:
          ra-run run "Name three rivers."
          ra-run run -m llama-3.2-1b-instruct --temp 0 --verbose < question.txt
          ra-run run --json-schema '{"type":"object","properties":{"city":{"type":"string"}}}' "Where is the Louvre?"
        """)
  }

  @Test("tools")
  func tools() {
    #expect(
      ToolsCommand().command.help(program: "ra-run") == """
        usage: ra-run tools [OPTIONS] [PROMPT...]

        Answers a prompt, calling tools from a file.

        options:
          -m, --model MODEL         a GGUF file, or the name of a downloaded model (default: the small
                                    SmolLM2)
              --chat-template FILE  a template file in place of the model's, or the name of one of the
                                    model's
              --tools FILE          the tools, in the shape of OpenAI's API or of MCP
              --tool-choice WHEN    auto, none, required, or the name of a tool (auto)
              --max-calls N         most tool calls for one answer (5)
              --parallel            run the calls of one turn at the same time
              --ask                 ask on the terminal before a call runs
              --call-format FORM    the form in which the model writes calls, in place of its own: hermes,
                                    llama, mistral, mistralNamed, functionary, lfm, pythonic, generic
              --system TEXT         instructions that stand before the prompt
          -p, --prompt TEXT         the prompt, in place of one at the end
          -f, --file FILE           read the prompt from a file
          -n, --max-tokens N        most tokens to generate; -1 is all that fit (512)
              --temp T              randomness; 0 always takes the likeliest token (0)
              --top-p P             only the likeliest tokens that make up this probability (1)
              --top-k K             only the K likeliest tokens; 0 is all (0)
              --min-p P             only tokens at least P times as likely as the likeliest (0)
          -s, --seed N              makes the choices repeatable
              --stop TEXT           ends the answer before TEXT; may be given several times
          -t, --threads N           worker threads (as many as this process may use)
          -c, --ctx-size N          most tokens of prompt and answer together (what the model was made for)
              --cache-type TYPE     how keys and values are kept: f16, or q8_0 in half the memory (f16)
              --drafts N            most tokens that are copied from earlier text and checked at once: 8
                                    makes answers that repeat their prompt faster (8)
              --no-drafts           the same as --drafts 0
          -v, --verbose             print token counts and speed on standard error
              --json                print one JSON document

        A tool may have a "command": a list of words, the program first. It is run when the model calls the tool, gets the
        arguments as JSON on standard input and prints its result as JSON; then the model answers. When a tool of the file
        has no command, calls aren't run but printed.

        --json prints one object: "model", "text", "tool_calls" (each "id", "name", "arguments"), "tool_results" (each
        "call_id", "name", "success", "result", "error"), "finish_reason" (stop, length, or tool_calls when calls weren't run),
        "limit_reached", "usage" (counts of tokens), "timings" (seconds, and tokens a second) and "messages", the conversation
        in the shape of OpenAI's API.

        example:
          ra-run tools --tools weather.json "What's the weather in San Francisco?"

          [{"type": "function",
            "function": {"name": "get_weather", "description": "Get current weather for a city",
                         "parameters": {"type": "object", "properties": {"city": {"type": "string"}},
                                        "required": ["city"]}},
            "command": ["./weather.sh"]}]
        """)
  }

  @Test("show")
  func show() {
    #expect(
      ShowCommand().command.help(program: "ra-run") == """
        usage: ra-run show [OPTIONS] [MODEL]

        Shows what a model file holds.

        options:
          -m, --model MODEL  a GGUF file, or the name of a downloaded model (default: the small SmolLM2)
              --metadata     list every metadata entry
              --tensors      list every tensor
              --template     print the chat template and nothing else
              --json         print one JSON document with everything

        MODEL is a path, the name of a downloaded file, or a model's id; vocabularies without weights are shown too.
        """)
  }

  @Test("tokenize")
  func tokenize() {
    #expect(
      TokenizeCommand().command.help(program: "ra-run") == """
        usage: ra-run tokenize [OPTIONS] [TEXT...]

        Shows the tokens of a text.

        options:
          -m, --model MODEL  a GGUF file, or the name of a downloaded model (default: the small SmolLM2)
          -f, --file FILE    read the text from a file, byte for byte
              --special      take spellings such as <|im_start|> for control tokens
              --bos          begin with the token that begins every prompt
              --ids          print only the ids, on one line
              --count        print only how many there are
              --decode       the other way round: the text of the given ids
              --json         print one JSON document

        Without a text standard input is read. Bytes that are no UTF-8 become the tokens of those bytes.
        """)
  }

  @Test("template")
  func template() {
    #expect(
      TemplateCommand().command.help(program: "ra-run") == """
        usage: ra-run template [OPTIONS]

        Shows the exact prompt that a conversation becomes.

        options:
              --messages FILE         the conversation, in the shape of OpenAI's API; - is standard input
              --tools FILE            the tools, in the shape of OpenAI's API or of MCP
          -m, --model MODEL           a GGUF file, or the name of a downloaded model (default: the small
                                      SmolLM2)
              --template FILE|NAME    a template file, alone or in place of the model's, or one of the
                                      model's by its name
              --tool-choice WHEN      auto, none or required, as for an answer with tools (auto)
              --guidance TEXT         the sentence about when not to call that goes with auto; '' leaves it
                                      out
              --call-format FORM      the form in which the model writes calls, in place of its own: hermes,
                                      llama, mistral, mistralNamed, functionary, lfm, pythonic, generic
              --var NAME=VALUE        a variable of the template, as JSON or text; may be given several
                                      times
              --date DATE             what the template takes for now: YYYY-MM-DD, or with Thh:mm:ss (UTC
                                      now)
              --no-generation-prompt  end before the beginning of the assistant's turn
              --raw                   give messages and tools to the template as they stand, without what a
                                      model's answer needs
              --compare               show, answer by answer, how much of the prompt before is still there
              --text                  print only the prompt, byte for byte
              --ids                   print only the ids, on one line
              --json                  print one JSON document

        Prints the prompt and, with a model, its ids. Which template is used is said on standard error. Without --model a
        template file is enough; without both the default model is used. FILE may also be an object with "messages" and
        "tools". In JSON each piece says whether the template or the conversation wrote it.

        examples:
          ra-run template --messages chat.json
          ra-run template --messages chat.json --template my.jinja --date 2026-04-03 --text
          ra-run template --messages chat.json --tools tools.json -m qwen --compare
        """)
  }

  @Test("No line is wider than the width that help is wrapped to, examples aside")
  func width() {
    for command in Program.commands.map(\.command) {
      let text = command.help(program: "ra-run").components(separatedBy: "\n\n" + command.discussion)[0]
      for line in text.split(separator: "\n") { #expect(line.count <= HelpText.width, "\(line)") }
    }
  }

  @Test("Every option is declared once")
  func options() {
    for command in Program.commands.map(\.command) {
      let names = command.options.flatMap { [$0.name] + $0.aliases + ($0.short.map { [$0] } ?? []) }
      #expect(Set(names).count == names.count, "\(command.name)")
    }
  }
}
