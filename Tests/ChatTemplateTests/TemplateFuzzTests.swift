import ChatTemplate
import Foundation
import JSON
import TestSupport
import Testing

/// Templates that were damaged on purpose, compiled and rendered on a stack as small as a worker thread's.
@Suite("Fuzzing of templates")
struct TemplateFuzzTests {
  /// Small templates that touch every statement and most builtins.
  private static let own = [
    "{% for m in messages %}<|{{ m.role }}|>{{ m['content'] | trim }}{% if not loop.last %}\n{% endif %}{% endfor %}",
    "{%- if tools is defined and tools -%}{{ tools | tojson(indent=2) }}{%- else -%}none{%- endif %}",
    "{% set ns = namespace(found=false, n=0) %}{% for m in messages %}{% set ns.n = ns.n + 1 %}{% endfor %}{{ ns.n }}",
    "{% macro show(a, b=2, *args, **kwargs) %}{{ a }}-{{ b }}{{ caller() if caller }}{% endmacro %}{{ show(1, b='x') }}",
    "{% call(x) list_all([1, 2]) %}{{ x }}{% endcall %}",
    "{{ messages[-1].content.split('</think>')[-1].strip('\n').lstrip().replace('a', 'b', 1).upper() }}",
    "{{ [3, 1, 2] | sort(reverse=true) | join(', ') }} {{ {'a': 1, 'b': [2]} | dictsort | list }} {{ 'x' * 3 ~ 4 }}",
    "{{ range(10)[2:8:3] | list }} {{ 'abc'[::-1] }} {{ 7 // 2 ** 2 % 3 - -1 }} {{ 1 < 2 <= 2 != 3 }} {{ 'a' in 'abc' }}",
    "{{ messages | selectattr('role', 'equalto', 'user') | map(attribute='content') | list | length }}",
    "{% for k, v in {'a': 1}.items() recursive %}{{ k }}{{ v }}{% else %}empty{% endfor %}",
    "{% filter upper %}text {{ 'ß' }}{% endfilter %}{% set block %}{{ 1 }}{% endset %}{{ block }}{% raw %}{{ x }}{% endraw %}",
    "{{ '%05.2f|%s|%r|%x' | format(3.14159, 'a', 'b', 255) }} {{ 'a{}b{1}{x!r:>5}'.format(1, 2, x=3) }}",
    "{% if messages[0].role == 'system' %}{% set s = messages[0].content %}{% elif x is none %}{% set s = '' %}{% endif %}{{ s }}",
    "{{ strftime_now('%d %b %Y %H:%M') }} {{ raise_exception('no') if x else bos_token }}",
    "{% for a in [1, 2, 3] if a is odd %}{% if a == 2 %}{% continue %}{% endif %}{% break %}{{ loop.index0 }}{% endfor %}",
    "{# a comment #}{{ (1, 'two', none, 3.5, [4], {5: 6}) }}{{ {} | tojson }} {{ x | default('d', true) | e }}",
    "{% with a = 1, b = a %}{{ a + b }}{% endwith %}{{ 'one two' | wordwrap(3) | indent(2, true) }} {{ [1,2,3] | batch(2) | list }}",
    "{{ 'x' if a else 'y' if b }} {{ not a and b or c }} {{ dict(a=1, **{'b': 2}) }} {{ [1, 2] | sum }} {{ 'a' is string }}",
  ]

  private static let words = [
    "{{", "}}", "{%", "%}", "{{-", "-}}", "{%-", "-%}", "{#", "#}", "{% if ", "{% endif %}", "{% for x in ",
    "{% endfor %}",
    "{% set x = ", "{% macro m() %}", "{% endmacro %}", "{% else %}", "{% elif x %}", "{% raw %}", "{% endraw %}",
    "{% call m() %}", "{% endcall %}", "{% filter ", "{% endfilter %}", "{% break %}", "{% continue %}", "|", ".", "[",
    "]",
    "(", ")", "{", "}", ",", ":", "~", "**", "//", "%", "==", "!=", "<", ">", "+", "-", "*", " and ", " or ", " not ",
    " in ", " is ", " is not ", " if ", " else ", "loop", "loop.index", "self", "caller()", "varargs", "messages",
    "tools",
    "namespace(", "range(", "joiner(", "cycler(", "dict(", "strftime_now(", "tojson", "fromjson", "sort", "unique",
    "groupby", "map", "select", "reject", "selectattr", "join", "replace", "split", "rsplit", "splitlines", "format",
    "center", "ljust", "zfill", "startswith", "title", "trim", "indent", "batch", "slice", "round", "int", "float",
    "string", "list", "items", "dictsort", "xmltodict", "urlize", "pprint", "random", "first", "last", "reverse",
    "safe",
    "wordwrap", "truncate", "filesizeformat", "range(1000000)", "'x' * 1000000", "1000000000000000000000000",
    ".__class__", ".append(1)", "[::-1]", "[-1]", "[1:", "none", "true", "false",
  ]

  private static let context: JSONObject = [
    "messages": [
      ["role": "system", "content": "You are <|im_end|> helpful."], ["role": "user", "content": "Grüße 🌧️\r\n{{ 1 }}"],
      [
        "role": "assistant", "content": "",
        "tool_calls": [["type": "function", "function": ["name": "f", "arguments": ["a": [1, 2.5, .null, true]]]]],
      ],
      ["role": "tool", "name": "f", "content": "{\"r\": 1}"],
    ],
    "tools": [
      ["type": "function", "function": ["name": "f", "description": "d", "parameters": ["type": "object"]]]
    ],
    "add_generation_prompt": true, "bos_token": "<s>", "eos_token": "</s>", "x": "<a>&'\"", "a": 0, "b": 3.5,
    "l": [1, 2],
    "big": 9_007_199_254_740_993,
  ]

  /// The templates of `../shared` when they are there, besides our own.
  private static func corpus() throws -> [String] {
    guard SharedData.isPresent else { return own }
    let lines = try SharedData.lines("data/templates/micro.jsonl")
      .compactMap { try JSONValue(parsing: $0)["template"]?.stringValue }
    let folder = SharedData.url("data/templates/jinja")
    let files = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted().map {
      String(decoding: try Data(contentsOf: folder.appending(path: $0)), as: UTF8.self)
    }
    // Small ones come more often: more of them fit into a second.
    return own + own + lines + files
  }

  @Test("A damaged template is refused or renders; it never traps, hangs, or takes memory without bound")
  func damagedTemplates() throws {
    let mutator = TextMutator(try Self.corpus(), words: Self.words)
    var outcomes: [String: Int] = [:]
    try FuzzRun("template", iterations: 400).run(stackSize: 512 << 10) { iteration in
      let source = mutator.mutatedText(iteration: iteration, seed: 11, maximumByteCount: 1 << 16)
      FuzzRun.show(source.debugDescription)
      var kind = "rendered"
      do throws(TemplateError) {
        let segments = try ChatTemplate(source: source).render(Self.context)
        if segments.text.utf8.count > 9 << 20 { throw TemplateError(.limit, "") }
      } catch {
        kind = error.kind.rawValue
        if error.kind == .limit, error.message.isEmpty { throw FuzzFault("an endless text came out") }
        let line = "\(error)"
        if line.utf8.count > 4200 { throw FuzzFault("a message of \(line.utf8.count) bytes") }
      }
      outcomes[kind, default: 0] += 1
    }
    // The damage has to lead to every stage, or it tests nothing.
    #expect(Set(outcomes.keys).isSuperset(of: ["rendered", "syntax", "undefined"]), "\(outcomes)")
    if outcomes.values.reduce(0, +) > 1000 { print("fuzzing template: \(outcomes.sorted { $0.key < $1.key })") }
  }
}
