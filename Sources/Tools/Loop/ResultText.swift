import JSON

/// The text of a tool's result for the model, never longer than a limit.
package enum ResultText {
  /// The result as JSON; a failure as `{"error": …}`. What is over `limit` bytes is clipped with a visible mark: first
  /// long texts and lists inside it, then the whole.
  package static func text(of result: ToolResult, limit: Int) -> String {
    let object = result.success ? ToolValue.json(of: result.result ?? [:]) : failure(result.error)
    let text = JSONValue.object(object).spaced
    guard text.utf8.count > limit else { return text }
    var share = limit / 2
    while share >= 16 {
      let clipped = clip(.object(object), share: share, depth: 0).spaced
      if clipped.utf8.count <= limit { return clipped }
      share /= 2
    }
    var rest = JSONObject()
    rest["clipped"] = .string(clip(text, to: max(limit - 64, 0)))
    return JSONValue.object(rest).spaced
  }

  private static func failure(_ error: String?) -> JSONObject {
    var object = JSONObject()
    object["error"] = .string(error ?? "the tool failed")
    return object
  }

  /// Clips texts to `share` bytes and lists to as many items as fit it.
  private static func clip(_ value: JSONValue, share: Int, depth: Int) -> JSONValue {
    switch value {
    case .string(let text): return .string(clip(text, to: share))
    case .array(let items):
      var kept: [JSONValue] = []
      var bytes = 0
      for (index, item) in items.enumerated() {
        let part = depth < 64 ? clip(item, share: share, depth: depth + 1) : .string("…")
        bytes += part.spaced.utf8.count + 2
        if bytes > share {
          kept.append(.string("… [\(items.count - index) more items clipped]"))
          break
        }
        kept.append(part)
      }
      return .array(kept)
    case .object(let object):
      // Small members are worth more than the rest of a large one: only very many are dropped.
      let most = max(share / 16, 4)
      var kept = JSONObject()
      for (key, item) in object.members.prefix(most) {
        kept[clip(key, to: share)] = depth < 64 ? clip(item, share: share, depth: depth + 1) : .string("…")
      }
      if object.count > most { kept["…"] = .string("[\(object.count - most) more members clipped]") }
      return .object(kept)
    default: return value
    }
  }

  /// The first `limit` bytes of a text, cut between characters, with a mark that says how much is missing.
  private static func clip(_ text: String, to limit: Int) -> String {
    let size = text.utf8.count
    guard size > limit else { return text }
    var end = text.utf8.index(text.startIndex, offsetBy: limit)
    while end > text.startIndex, end.samePosition(in: text.unicodeScalars) == nil { end = text.utf8.index(before: end) }
    return "\(text[..<end])… [clipped, \(size) bytes in all]"
  }
}
