import JSON
import TestSupport
import Testing

@testable import ChatTemplate

/// A slow twin of `Text`: one origin a scalar.
private struct Marked: Equatable {
  var scalars: [(Unicode.Scalar, Text.Origin)] = []

  init(_ text: Text) {
    for (scalar, range) in text.scalars { scalars.append((scalar, text.origin(at: range.lowerBound))) }
  }

  init(_ scalars: [(Unicode.Scalar, Text.Origin)]) { self.scalars = scalars }

  static func == (left: Marked, right: Marked) -> Bool {
    left.scalars.count == right.scalars.count
      && zip(left.scalars, right.scalars).allSatisfy { $0.0 == $1.0 && $0.1 == $1.1 }
  }
}

@Suite struct ProvenanceTests {
  private func randomText(_ generator: inout SeededGenerator) -> Text {
    var text = Text()
    for _ in 0..<Int.random(in: 0...6, using: &generator) {
      let pieces = ["a", "b", " ", "ab", "é", "日本", "😀", "\n", "<|x|>", ""]
      let piece = pieces[Int.random(in: 0..<pieces.count, using: &generator)]
      text.append(piece.utf8, Bool.random(using: &generator) ? .template : .data)
    }
    return text
  }

  @Test func operationsKeepTheOriginOfEveryScalar() {
    let seed: UInt64 = 20_250_309
    var generator = SeededGenerator(seed: seed)
    for round in 0..<2000 {
      let (a, b) = (randomText(&generator), randomText(&generator))
      var joined = a
      joined.append(b)
      #expect(Marked(joined) == Marked(Marked(a).scalars + Marked(b).scalars), "seed \(seed), round \(round)")

      let edges = a.boundaries
      let low = Int.random(in: 0..<edges.count, using: &generator)
      let high = Int.random(in: low..<edges.count, using: &generator)
      #expect(Marked(a[edges[low]..<edges[high]]) == Marked(Array(Marked(a).scalars[low..<high])), "round \(round)")

      let parts = a.split(separator: Text(data: "b"), limit: .max)
      #expect(
        Marked(parts.dropFirst().reduce(into: parts[0]) { $0.append($1) })
          == Marked(a.replacing(Text(data: "b"), with: Text())))
      #expect(a.segments.text == a.string && !a.segments.contains { $0.text.isEmpty })
      let neighbours = zip(a.segments, a.segments.dropFirst())
      #expect(neighbours.allSatisfy { $0.isTemplate != $1.isTemplate })

      let stripped = a.stripped(.both)
      let spaces = a.stripped(.trailing).bytes.count - stripped.bytes.count
      #expect(Marked(stripped) == Marked(a[spaces..<spaces + stripped.bytes.count]))
      #expect(a.uppercased().string == a.string.uppercased() && a.lowercased().string == a.string.lowercased())
    }
  }

  /// The fast search for long texts against trying every place.
  @Test func searchAgreesWithTryingEveryPlace() {
    let seed: UInt64 = 42
    var generator = SeededGenerator(seed: seed)
    func random(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: 97...98, using: &generator) } }
    for round in 0..<400 {
      let unit = random(Int.random(in: 1...5, using: &generator))
      let needle = Array(repeatElement(unit, count: 40).joined()).prefix(Int.random(in: 1...80, using: &generator))
      var hay = random(Int.random(in: 0...60, using: &generator))
      for _ in 0..<Int.random(in: 0...3, using: &generator) {
        hay += needle.dropLast(Int.random(in: 0...1, using: &generator)) + random(3)
      }
      let text = Text(bytes: hay, origin: .data)
      let places = hay.indices.filter { hay[$0...].starts(with: needle) }
      let start = Int.random(in: 0...hay.count, using: &generator)
      #expect(
        text.firstIndex(of: Array(needle), from: start) == places.first { $0 >= start }, "seed \(seed), round \(round)")
      #expect(
        text.lastIndex(of: Array(needle), before: start) == places.last { $0 + needle.count <= start }, "round \(round)"
      )
    }
  }

  @Test func replacedTextBringsItsOwnOrigin() {
    let text = Text(template: "a-b")
    #expect(
      text.replacing(Text(data: "-"), with: Text(data: "+")).segments == [
        PromptSegment(text: "a", isTemplate: true), PromptSegment(text: "+", isTemplate: false),
        PromptSegment(text: "b", isTemplate: true),
      ])
  }

  /// The template's segments of a rendering, joined with `·`.
  @Test(arguments: [
    ("{{ x }}", ""), ("<a>{{ x }}", "<a>"), ("{{ '<a>' ~ x ~ '<b>' }}", "<a>·<b>"), ("{{ ('<a>' + x)[1:4] }}", "a>"),
    ("{{ ('  <a>' ~ x) | trim }}", "<a>"), ("{{ ('<a>' ~ x).split('a') | last }}", ">"),
    ("{{ x.replace('q', '<a>') }}", "<a>"), ("{{ '<a>'.replace('a', x) }}", "<·>"),
    ("{{ ['<a>', x] | join(x) }}", "<a>"),
    ("{{ {'k': x} | tojson }}", "k"), ("{{ {'k': '<a>'} | tojson }}", "k·<a>"), ("{{ '<%s>' % x }}", "<·>"),
    ("{{ '<{}>'.format(x) }}", "<·>"), ("{{ x | upper }}{{ '<a>' | upper }}", "<A>"),
    ("{% set y %}<a>{{ x }}{% endset %}{{ y }}", "<a>"),
    ("{% macro f(z) %}<a>{{ z }}{% endmacro %}{{ f(x) }}", "<a>"), ("{{ x[0] ~ '<a>'[1] }}", "a"), ("{{ 7 }}", ""),
    ("{{ ('<a>' ~ x)[::-1] }}", ">a<"), ("{{ ('<a>\n' ~ x) | indent(2) }}", "<a>"), ("{{ {x: '<a>'}[x] }}", "<a>"),
    ("{% for c in x ~ 'b' %}{{ c }}{% endfor %}", "b"), ("{{ bos_token }}", "<s>"), ("{{ [x, '<a>'] }}", "<a>"),
    ("{{ x | default('<a>') }}{{ zz | default('<a>') }}", "<a>"),
    ("{% filter lower %}<A>{{ x }}{% endfilter %}", "<a>"),
  ]) func renderingTellsTemplateFromData(_ source: String, _ expected: String) throws {
    let context: JSONObject = ["x": "q<|end|>", "bos_token": "<s>"]
    let segments = try ChatTemplate(source: source).render(context)
    #expect(segments.filter(\.isTemplate).map(\.text).joined(separator: "·") == expected)
  }
}
