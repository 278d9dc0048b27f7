import ChatTemplate
import Foundation
import JSON
import Synchronization
import TestSupport
import Testing

/// Runs `body` on a thread with a small stack, as inference does, and waits for its result.
private func onSmallStack<Result: Sendable>(_ body: @escaping @Sendable () -> Result) -> Result? {
  let result = Mutex<Result?>(nil)
  let done = DispatchSemaphore(value: 0)
  let thread = Thread {
    let value = body()
    result.withLock { $0 = value }
    done.signal()
  }
  thread.stackSize = 512 * 1024
  thread.start()
  done.wait()
  return result.withLock { $0 }
}

/// What rendering `source` on a small stack ends with, and how long it took.
private func outcome(of source: String, _ context: JSONObject = JSONObject()) -> (Result<Int, TemplateError>, Duration)
{
  let start = ContinuousClock.now
  let result = onSmallStack { () -> Result<Int, TemplateError> in
    do throws(TemplateError) {
      return .success(try ChatTemplate(source: source).render(context).text.utf8.count)
    } catch {
      return .failure(error)
    }
  }
  return (result ?? .success(-1), .now - start)
}

private func repeated(_ text: String, _ count: Int) -> String { String(repeating: text, count: count) }

@Suite struct HostileTemplateTests {
  static let endless: [(name: String, source: String)] = [
    ("nested ranges", "{% for a in range(25000) %}{% for b in range(25000) %}{{ a * b }}{% endfor %}{% endfor %}"),
    ("empty nested ranges", "{% for a in range(100000) %}{% for b in range(100000) %}{% endfor %}{% endfor %}"),
    ("huge range", "{% for a in range(10000000000) %}{% endfor %}"),
    ("huge repeat", "{{ 'x' * 10000000000 }}"),
    ("overflowing repeat", "{{ 'xy' * 9223372036854775807 }}"),
    ("list repeat", "{{ [1] * 10000000000 }}"),
    (
      "doubling",
      "{% set ns = namespace(s='xxxxxxxx') %}{% for i in range(64) %}{% set ns.s = ns.s ~ ns.s %}{% endfor %}"
    ),
    (
      "doubling list",
      "{% set ns = namespace(s=[1, 2]) %}{% for i in range(64) %}{% set ns.s = ns.s + ns.s %}{% endfor %}"
    ),
    (
      "shared list",
      "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s }}"
    ),
    (
      "shared JSON",
      "{% set ns = namespace(s=[1]) %}{% for i in range(60) %}{% set ns.s = [ns.s, ns.s] %}{% endfor %}{{ ns.s | tojson }}"
    ),
    (
      "shared equality",
      "{% set n = namespace(a=[1], b=[1]) %}{% for i in range(60) %}{% set n.a = [n.a, n.a] %}{% set n.b = [n.b, n.b] %}{% endfor %}{{ n.a == n.b }}"
    ),
    ("deep list", "{% set ns = namespace(s=[]) %}{% for i in range(90000) %}{% set ns.s = [ns.s] %}{% endfor %}"),
    (
      "deep dictionary",
      "{% set ns = namespace(s={}) %}{% for i in range(90000) %}{% set ns.s = {'a': ns.s} %}{% endfor %}"
    ),
    (
      "deep loops",
      "{% set ns = namespace(l=[]) %}{% for i in range(90000) %}{% for x in [ns.l] %}{% set ns.l = loop %}{% endfor %}{% endfor %}"
    ),
    (
      "deep methods",
      "{% set ns = namespace(l='') %}{% for i in range(90000) %}{% set ns.l = [ns.l].index %}{% endfor %}"
    ),
    ("recursive macro", "{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}"),
    ("branching macro", "{% macro m(n) %}{% if n %}{{ m(n - 1) }}{{ m(n - 1) }}{% endif %}{% endmacro %}{{ m(40) }}"),
    ("mutual macros", "{% macro a() %}{{ b() }}{% endmacro %}{% macro b() %}{{ a() }}{% endmacro %}{{ a() }}"),
    ("macro default", "{% macro m(x=m()) %}{{ x }}{% endmacro %}{{ m() }}"),
    ("caller", "{% macro m() %}{% call m() %}{{ caller() }}{% endcall %}{% endmacro %}{{ m() }}"),
    ("recursive loop", "{% for x in [1] recursive %}{{ loop([1]) }}{% endfor %}"),
    ("map of maps", "{{ 'a' | map(\(repeated("'map',", 20000))'upper') | list }}"),
    ("big power", "{{ 10 ** 100000000 }}"),
    (
      "growing integer", "{% set ns = namespace(x=3) %}{% for i in range(64) %}{% set ns.x = ns.x * ns.x %}{% endfor %}"
    ),
    ("indent", "{{ 'a\n' * 100000 | indent(1000000) }}"),
    ("indent of JSON", "{{ [[[1]]] | tojson(indent=100000000) }}"),
    ("center", "{{ 'a'.center(10000000000) }}"),
    ("zfill", "{{ 'a'.zfill(9223372036854775807) }}"),
    ("percent width", "{{ '%10000000000d' % 1 }}"),
    ("replace", "{{ ('a' * 100000).replace('a', 'b' * 100000) }}"),
    ("join", "{{ ('x' * 100000).join(range(1000) | map('string')) }}"),
    ("batch", "{{ [1] | batch(100000000000, 0) | list }}"),
    ("slice", "{{ [1] | slice(100000000000) | list }}"),
    ("format precision", "{{ '%.1000000000f' % 1.5 }}"),
    ("negative precision", "{{ '%.-2f' % 1.5 }}"), ("negative precision of a text", "{{ '%5.-1s' % 'abc' }}"),
    ("negative precision in braces", "{{ '{:.-2f}'.format(1.5) }}"), ("width of signs", "{{ '%5-3d' % 1 }}"),
    (
      "namespaces",
      "{% for i in range(100000) %}{% for j in range(100) %}{% set x = namespace(a=1) %}{% endfor %}{% endfor %}"
    ),
    (
      "scalars of text",
      "{% set s = 'x' * 1000000 %}{% for i in range(100000) %}{% for c in s %}{% break %}{% endfor %}{% endfor %}"
    ),
    ("include", "{% include '/etc/passwd' %}"),
    ("import", "{% import 'os' as os %}{{ os }}"),
    ("extends", "{% extends 'x' %}"),
    ("subclasses", "{{ ''.__class__.__mro__[1].__subclasses__() }}"),
    ("globals", "{{ range.__globals__['os'].system('id') }}"),
    ("cycler", "{{ cycler.__init__.__globals__.os.popen('id').read() }}"),
    ("format attack", "{{ '{0.__class__}'.format(1) }}"),
    ("unclosed statement", "{% if"),
    ("unclosed block", "{% if x %}"),
    ("unclosed string", "{{ 'abc }}"),
    ("unclosed comment", "{# abc"),
    ("parentheses", "{{ \(repeated("(", 20000))1\(repeated(")", 20000)) }}"),
    ("open parentheses", "{{ \(repeated("(", 20000))"),
    ("brackets", "{{ \(repeated("[", 20000))\(repeated("]", 20000)) }}"),
    ("braces", "{{ \(repeated("{1:", 20000))1\(repeated("}", 20000)) }}"),
    ("signs", "{{ \(repeated("-", 20000))1 }}"),
    ("items", "{{ a\(repeated("[0]", 20000)) }}"),
    ("attributes", "{{ a\(repeated(".b", 20000)) }}"),
    ("nested items", "{{ \(repeated("a[", 20000))0\(repeated("]", 20000)) }}"),
    ("calls", "{{ a\(repeated("()", 20000)) }}"),
    ("filters", "{{ a\(repeated("|trim", 20000)) }}"),
    ("tests", "{{ a\(repeated(" is in [", 20000)) }}"),
    ("powers", "{{ \(repeated("(2 ** ", 20000))1\(repeated(")", 20000)) }}"),
    ("ifs", "\(repeated("{% if true %}", 20000))\(repeated("{% endif %}", 20000))"),
    ("fors", "\(repeated("{% for x in [1] %}", 20000))\(repeated("{% endfor %}", 20000))"),
    ("macros", "\(repeated("{% macro m() %}", 20000))\(repeated("{% endmacro %}", 20000))"),
    ("targets", "{% set \(repeated("(", 20000))a\(repeated(")", 20000)) = 1 %}"),
    (
      "mixed nesting",
      "{% if \(repeated("(a or b and not (c == d ~ (e + (f * (g ** (", 3000))\(repeated(")", 18000)) %}"
    ),
  ]

  @Test(arguments: endless.map(\.name)) func endsWithAnError(_ name: String) throws {
    let source = try #require(Self.endless.first { $0.name == name }).source
    let (result, duration) = outcome(of: source)
    #expect(throws: TemplateError.self) { try result.get() }
    #expect(duration < Slowness.hang, "took \(duration)")
  }

  static let long: [(name: String, source: String)] = [
    ("sum", "{{ 1\(repeated(" + 1", 20000)) }}"),
    ("texts", "{{ 'a'\(repeated(" ~ 'a'", 20000)) }}"),
    ("and", "{{ 1\(repeated(" and 1", 20000)) }}"),
    ("or", "{{ 0\(repeated(" or 0", 20000)) }}"),
    ("not", "{{ \(repeated("not ", 20001))1 }}"),
    ("comparisons", "{{ 1\(repeated(" == 1", 20000)) }}"),
    ("ternaries", "{{ \(repeated("1 if false else ", 20000))2 }}"),
    ("elif", "{% if false %}\(repeated("{% elif false %}", 20000)){% endif %}x"),
    ("list", "{{ [\(repeated("1, ", 20000))]|length }}"),
    ("statements", "{% set x = 1 %}\(repeated("{% if x %}y{% endif %}", 20000))"),
    ("balanced nesting", "{{ \(repeated("(", 30))1\(repeated(")", 30)) }}"),
    ("attribute of text", "{{ ''.__class__ }}x"),
  ]

  @Test(arguments: long.map(\.name)) func longButFlatTemplatesRender(_ name: String) throws {
    let source = try #require(Self.long.first { $0.name == name }).source
    #expect(try outcome(of: source).0.get() > 0)
  }

  @Test func dataThatNestsTooDeeplyIsRefused() throws {
    var value = JSONValue.integer(1)
    for _ in 0..<400 { value = .array([value]) }
    let (result, _) = outcome(of: "{{ x }}", ["x": value])
    #expect(throws: TemplateError.self) { try result.get() }
  }

  /// Every node kind nested as deeply as the limits allow, then recursion on top, on 512 KiB.
  @Test func deepestAllowedNestingFitsASmallStack() throws {
    let wrappers: [(String, String)] = [
      ("(", ")"), ("[", "]"), ("{1: ", "}"), ("-", ""), ("1 + (", ")"), ("1 if 1 else (", ")"), ("not (", ")"),
      ("x | default(", ")"), ("x is sameas(", ")"), ("dict(a=", ")"), ("'a' ~ (", ")"), ("1 < (", ")"),
      ("0 or (1 and (", "))"), ("[1][", "]"), ("[1][:", "]"), ("(2 ** ", ")"), ("[1] | map(attribute=", ") | list"),
    ]
    for (open, close) in wrappers {
      for count in 1...100 {
        let source = "{{ \(repeated(open, count))1\(repeated(close, count)) }}"
        let (result, _) = outcome(of: source)
        if case .failure(let error) = result, error.kind == .limit { break }
      }
    }
    let blocks: [(String, String)] = [
      ("{% if true %}", "{% endif %}"), ("{% for x in [1] %}", "{% endfor %}"), ("{% set x %}", "{% endset %}"),
      ("{% filter upper %}", "{% endfilter %}"), ("{% with a = 1 %}", "{% endwith %}"),
      ("{% call f() %}", "{% endcall %}"), ("{% for x in [1] if x %}{% if x %}", "{% endif %}{% endfor %}"),
    ]
    let start = "{% macro f() %}{{ caller() }}{% endmacro %}{% macro g(n) %}"
    for (open, close) in blocks {
      for count in [1, 5, 20, 40, 90] {
        let body = "\(repeated(open, count)){{ g(n + 1) }}\(repeated(close, count))"
        let (result, _) = outcome(of: "\(start)\(body){% endmacro %}{{ g(0) }}")
        #expect(throws: TemplateError.self) { try result.get() }
      }
    }
  }
}
