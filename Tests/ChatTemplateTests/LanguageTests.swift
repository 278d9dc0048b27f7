import ChatTemplate
import JSON
import Testing

/// The language, construct by construct, each with what Jinja2 in the hubs' configuration prints.
@Suite struct LanguageTests {
  static let variables: JSONObject = [
    "s": "Hello", "n": .null, "i": 7, "l": [1, 2, 3], "d": ["b": 1, "a": "x"], "e": "", "u": "é日😀",
    "m": [["r": "a", "v": 1], ["r": "b", "v": 2]], "k": ["items": 5],
  ]

  static let cases: [(source: String, output: String)] = [
    // White space.
    ("a\n{% if i %}\nb\n{% endif %}\nc\n", "a\nb\nc"), ("  {% set x = 1 %}\nb", "b"), ("  {{ i }}\nb", "  7\nb"),
    ("a\n  {# c #}\nb", "a\nb"), ("a \n {%- if i -%} \n b {%- endif %}\nc", "abc"), ("a {{- i -}} b", "a7b"),
    ("  {%+ if i %}b{% endif %}", "  b"), ("{% if i +%}\nb{% endif %}", "\nb"), ("a\r\nb\rc", "a\nb\nc"),
    ("{% raw %}{{ x }}{% endraw %}", "{{ x }}"), ("{#- a -#}  b", "b"), ("{# #}{#-#}x", "x"), ("a\n\n", "a\n"),
    // Literals and precedence.
    ("{{ 1 + 2 * 3 }} {{ -2 ** 2 }} {{ 2 ** 3 ** 2 }} {{ 7 // 2 }} {{ -7 // 2 }} {{ -7 % 3 }}", "7 4 64 3 -4 2"),
    ("{{ 1 ~ 2 + 3 }}", "!"), ("{{ 'a' 'b' }}{{ \"\\u00e9\\x41\\n\" }}", "abéA\n"),
    ("{{ 1_000 }}{{ 0x1f }}{{ 1e3 }}", "1000311000.0"),
    ("{{ [1, 'a', none, true, 2.0, {'k': (1,)}] }}", "[1, 'a', None, True, 2.0, {'k': (1,)}]"),
    ("{{ 'x' + s is string }}", "!"), ("{{ not i == 7 }} {{ i is not none and n is none }}", "False True"),
    ("{{ 1 < 2 < 3 }} {{ 1 < 3 < 2 }} {{ 2 in l }} {{ 9 not in l }}", "True False True True"),
    ("{{ 'a' if n else 'b' if e else 'c' }}[{{ 'a' if n }}]", "c[]"),
    ("{{ 10 ** 20 }} {{ 2 ** 63 - 1 }}", "100000000000000000000 9223372036854775807"),
    // Access.
    ("{{ d.b }}{{ d['a'] }}{{ d.zz }}{{ l[-1] }}{{ l[9] }}{{ m[0].r }}", "1x3a"),
    ("{{ k.items is callable }} {{ k['items'] }} {{ d.get('zz', 5) }}", "True 5 5"),
    ("{{ u | length }} {{ u[1] }} {{ u[::-1] }} {{ u[1:] }} {{ s[-3:-1] }}", "3 日 😀日é 日😀 ll"),
    ("{{ l[::-1] }} {{ l[5:] }} {{ range(10)[2:8:3] | list }}", "[3, 2, 1] [] [2, 5]"),
    // Statements.
    ("{% for x in l %}{{ loop.index }}{{ loop.last }} {% endfor %}", "1False 2False 3True "),
    ("{% for x in l if x != 2 %}{{ loop.index }}/{{ loop.length }} {% endfor %}", "1/2 2/2 "),
    ("{% for k, v in d.items() %}{{ k }}={{ v }};{% endfor %}", "b=1;a=x;"),
    ("{% for x in [] %}a{% else %}b{% endfor %}{% for x in l %}{% break %}{% else %}c{% endfor %}", "bc"),
    ("{% for x in l %}{% if x == 2 %}{% continue %}{% endif %}{{ x }}{% endfor %}", "13"),
    ("{% set x = 1 %}{% for y in l %}{% set x = y %}{% endfor %}{{ x }}", "1"),
    ("{% set ns = namespace(x=1) %}{% for y in l %}{% set ns.x = ns.x + y %}{% endfor %}{{ ns.x }}", "7"),
    ("{% set a, b = 1, 2 %}{{ a }}{{ b }}{% set x %}[{{ i }}]{% endset %}{{ x }}", "12[7]"),
    ("{% macro f(a, b=a) %}{{ a }}{{ b }}{{ i }}{% endmacro %}{% set i = 9 %}{{ f(1) }}{{ f(b=3, a=2) }}", "119239"),
    ("{% macro f() %}<{{ caller(1) }}>{% endmacro %}{% call(x) f() %}{{ x + 1 }}{% endcall %}", "<2>"),
    ("{% filter upper %}a{% endfilter %}{% with z = 2 %}{{ z }}{% endwith %}{{ z }}", "A2"),
    (
      "{% for x in [[1, [2]], [3, []]] recursive %}{{ x[0] if x is iterable else x }}({{ loop(x[1]) if x is iterable }}){% endfor %}",
      "1(2())3()"
    ),
    ("{% generation %}a{% endgeneration %}{% block b %}c{% endblock %}", "ac"),
    // Filters and tests.
    ("{{ d | tojson }}{{ d | tojson(indent=2) }}", "{\"b\": 1, \"a\": \"x\"}{\n  \"b\": 1,\n  \"a\": \"x\"\n}"),
    (
      "{{ '</a>\"\\\\\\n\\x01é' | tojson }} {{ u | tojson(ensure_ascii=true) }}",
      #""</a>\"\\\n\u0001é" "\u00e9\u65e5\ud83d\ude00""#
    ),
    ("{{ [1e22, 1e-7, 3.0, {}, []] | tojson(indent=1) }}", "[\n 1e+22,\n 1e-07,\n 3.0,\n {},\n []\n]"),
    ("{{ m | map(attribute='r') | join('-') }} {{ m | selectattr('v', 'gt', 1) | list | length }}", "a-b 1"),
    ("{{ l | reject('odd') | list }} {{ l | sum }} {{ l | max }} {{ 'cab' | sort | join }}", "[2] 6 3 abc"),
    ("{{ e | default('x') }}{{ e | default('x', true) }}{{ zz | default('y') }}", "xy"),
    (
      "{{ ' a ' | trim }}{{ 'a.b' | replace('.', '-') }}{{ 'ab cd' | title }}{{ 'a\\nb' | indent }}",
      "aa-bAb Cda\n    b"
    ),
    ("{{ d | dictsort }} {{ d | items | list | first }}", "[('a', 'x'), ('b', 1)] ('b', 1)"),
    ("{{ 2.5 | round }} {{ 3.14159 | round(2) }} {{ '7.9' | int }} {{ 'x' | float }}", "2.0 3.14 7 0.0"),
    (
      "{{ zz is defined }}{{ s is sequence }}{{ d is mapping }}{{ 3.0 is integer }}{{ none is none }}",
      "FalseTrueTrueFalseTrue"
    ),
    ("{{ l | select | map('string') | list }} {{ (l | map('string')) is sequence }}", "['1', '2', '3'] False"),
    // Methods.
    ("{{ 'a,b,c'.split(',', 1) }} {{ ' a  b '.split() }} {{ '\\na\\n'.strip('\\n') }}", "['a', 'b,c'] ['a', 'b'] a"),
    (
      "{{ 'x'.join(['1', '2']) }} {{ 'abc'.startswith(('b', 'a')) }} {{ 'ßa'.upper() }} {{ 'aXa'.count('a') }}",
      "1x2 True SSA 2"
    ),
    ("{{ '%s=%05.1f|%-3d|' % ('a', 2.25, 7) }} {{ '{} {1} {x}'.format(1, 2, x=3) }}", "a=002.2|7  | 1 2 3"),
    ("{{ 'a'|safe + '<' }}{{ '<' | escape }}", "a&lt;&lt;"), ("{{ ''.__class__ }}{{ l.append }}x", "x"),
  ]

  @Test(arguments: cases.map(\.source)) func prints(_ source: String) throws {
    let expected = try #require(Self.cases.first { $0.source == source }).output
    let result = Result { try ChatTemplate(source: source).render(Self.variables).text }
    // "!" stands for an error.
    if expected == "!" {
      #expect(throws: TemplateError.self) { try result.get() }
    } else {
      #expect(try result.get() == expected)
    }
  }

  @Test(arguments: [
    ("{{ zz.a }}", TemplateError.Kind.undefined), ("{{ 'a' + 1 }}", .type), ("{{ 1 / 0 }}", .value),
    ("{{ l.append(1) }}", .security), ("{{ ''.__class__() }}", .security),
    ("{{ raise_exception('no ' ~ i) }}", .raised),
    ("{% include 'x' %}", .unsupported), ("{{ range(1000000) }}", .limit), ("{{ 1", .syntax),
    ("{{ s | nosuch }}", .syntax),
    ("{{ zz | tojson }}", .type), ("{% set d.x = 1 %}", .type), ("{{ none < 1 }}", .type), ("{{ zz() }}", .undefined),
    ("{{ s() }}", .type), ("{{ [1, 2](0) }}", .type), ("{% for a, b in l %}{% endfor %}", .type),
    ("{{ 'a' in 5 }}", .type),
  ]) func fails(_ source: String, _ kind: TemplateError.Kind) {
    #expect { try ChatTemplate(source: source).render(Self.variables) } throws: { ($0 as? TemplateError)?.kind == kind }
  }

  @Test func errorsSayWhere() {
    let source = "line one\n{% if i %}\n  é {{ 1 +\n zz.a }}{% endif %}"
    #expect { try ChatTemplate(source: source).render(Self.variables) } throws: { error in
      (error as? TemplateError).map { $0.line == 4 && $0.column == 4 } ?? false
    }
    #expect { try ChatTemplate(source: "a\n é{{ ) }}") } throws: { error in
      (error as? TemplateError).map { $0.line == 2 && $0.column == 6 } ?? false
    }
  }

  @Test func theSameRenderingTwiceIsTheSame() throws {
    let source =
      "{% set ns = namespace(n=0) %}{% macro f() %}{% set ns.n = ns.n + 1 %}{{ ns.n }}{% endmacro %}{{ f() }}{{ f() }}"
    let template = try ChatTemplate(source: source)
    for _ in 0..<3 { #expect(try template.render(JSONObject()).text == "12") }
  }
}
