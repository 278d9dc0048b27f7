import JSON

/// Finds what `$ref` names inside one document; nothing is ever fetched.
struct SchemaDocument {
  let root: JSONValue
  let base: String
  /// Up to draft 7 the neighbours of `$ref` are ignored.
  let ignoresNeighboursOfReference: Bool
  /// Drafts before 7 have no `if`.
  let knowsConditions: Bool
  /// Whether any `unevaluated…` keyword occurs, so that evaluated keys and items have to be tracked.
  private(set) var tracksEvaluation = false
  private var resources: [String: (value: JSONValue, pointer: String)] = [:]
  private var anchors: [String: (value: JSONValue, pointer: String, base: String)] = [:]
  private(set) var dynamicAnchors: [String: Int] = [:]

  init(_ root: JSONValue) {
    self.root = root
    let dialect = root["$schema"]?.stringValue ?? ""
    ignoresNeighboursOfReference = ["draft-03", "draft-04", "draft-05", "draft-06", "draft-07"].contains {
      dialect.split(separator: "/").contains(Substring($0))
    }
    knowsConditions = !["draft-03", "draft-04", "draft-05", "draft-06"].contains {
      dialect.split(separator: "/").contains(Substring($0))
    }
    base = Self.identifier(root).map { Self.withoutFragment($0) } ?? ""
    resources[base] = (root, "#")
    scan(root, "#", base, depth: 0)
  }

  private static func identifier(_ value: JSONValue) -> String? {
    value["$id"]?.stringValue ?? value["id"]?.stringValue
  }

  private mutating func scan(_ value: JSONValue, _ pointer: String, _ base: String, depth: Int) {
    guard depth < 200 else { return }
    switch value {
    case .array(let items):
      for (index, item) in items.enumerated() { scan(item, "\(pointer)/\(index)", base, depth: depth + 1) }
    case .object(let object):
      var base = base
      if depth > 0, let id = object["$id"]?.stringValue, object["$ref"] == nil || !ignoresNeighboursOfReference {
        if id.utf8.first == 0x23 {
          anchors[base + id] = (value, pointer, base)
        } else {
          base = Self.withoutFragment(Self.resolve(id, against: base))
          resources[base] = (value, pointer)
        }
      }
      if let name = object["$anchor"]?.stringValue { anchors["\(base)#\(name)"] = (value, pointer, base) }
      if let name = object["$dynamicAnchor"]?.stringValue {
        anchors["\(base)#\(name)"] = (value, pointer, base)
        dynamicAnchors[name, default: 0] += 1
      }
      for (key, child) in object.members {
        if key == "unevaluatedProperties" || key == "unevaluatedItems" { tracksEvaluation = true }
        if key == "enum" || key == "const" || key == "default" || key == "examples" { continue }
        switch child {
        case .object, .array: scan(child, "\(pointer)/\(Self.escaped(key))", base, depth: depth + 1)
        default: break
        }
      }
    default: break
    }
  }

  /// What `reference`, written at a place with `base`, names.
  func target(of reference: String, base: String) -> (value: JSONValue, pointer: String, base: String)? {
    let absolute = Self.resolve(reference, against: base)
    let parts = absolute.split(separator: "#", maxSplits: 1, omittingEmptySubsequences: false)
    let resource = String(parts[0])
    let fragment = parts.count > 1 ? Self.unescapedPercent(String(parts[1])) : ""
    if let anchor = anchors["\(resource)#\(fragment)"] { return anchor }
    guard let root = resources[resource] else { return nil }
    if fragment.isEmpty { return (root.value, root.pointer, resource) }
    guard fragment.utf8.first == 0x2F else { return nil }
    var value = root.value
    var pointer = root.pointer
    var place = resource
    for step in fragment.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let key = Self.unescaped(String(step))
      switch value {
      case .object(let object):
        guard let child = object[key] else { return nil }
        value = child
      case .array(let items):
        guard let index = Int(key), items.indices.contains(index) else { return nil }
        value = items[index]
      default: return nil
      }
      pointer += "/\(step)"
      if let id = value["$id"]?.stringValue, id.utf8.first != 0x23 {
        place = Self.withoutFragment(Self.resolve(id, against: place))
      }
    }
    return (value, pointer, place)
  }

  // MARK: Addresses

  static func withoutFragment(_ text: String) -> String {
    String(text.prefix { $0 != "#" })
  }

  /// `reference` relative to `base` (RFC 3986, section 5, without dot segments).
  static func resolve(_ reference: String, against base: String) -> String {
    if reference.isEmpty { return base }
    if reference.utf8.first == 0x23 { return base + reference }
    let scheme = reference.prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
    if !scheme.isEmpty, reference.dropFirst(scheme.count).first == ":" { return reference }
    guard let colon = base.firstIndex(of: ":") else {
      if reference.utf8.first == 0x2F { return reference }
      guard let slash = base.lastIndex(of: "/") else { return reference }
      return base[...slash] + reference
    }
    let afterScheme = base.index(after: colon)
    var authorityEnd = afterScheme
    if base[afterScheme...].hasPrefix("//") {
      let start = base.index(afterScheme, offsetBy: 2)
      authorityEnd = base[start...].firstIndex(of: "/") ?? base.endIndex
    }
    if reference.hasPrefix("//") { return base[..<afterScheme] + reference }
    if reference.utf8.first == 0x2F { return base[..<authorityEnd] + reference }
    if let slash = base[authorityEnd...].lastIndex(of: "/") { return base[...slash] + reference }
    return base[..<authorityEnd] + "/" + reference
  }

  static func escaped(_ key: String) -> String {
    guard key.utf8.contains(where: { $0 == 0x7E || $0 == 0x2F }) else { return key }
    return key.reduce(into: "") { $0 += $1 == "~" ? "~0" : $1 == "/" ? "~1" : String($1) }
  }

  private static func unescaped(_ step: String) -> String {
    guard step.utf8.contains(0x7E) else { return step }
    var result: [UInt8] = []
    var bytes = Array(step.utf8)[...]
    while let byte = bytes.popFirst() {
      if byte == 0x7E, let next = bytes.first, next == 0x30 || next == 0x31 {
        result.append(next == 0x30 ? 0x7E : 0x2F)
        bytes.removeFirst()
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  private static func unescapedPercent(_ text: String) -> String {
    guard text.utf8.contains(0x25) else { return text }
    var result: [UInt8] = []
    var bytes = Array(text.utf8)[...]
    while let byte = bytes.popFirst() {
      if byte == 0x25, bytes.count >= 2, let value = UInt8(String(decoding: bytes.prefix(2), as: UTF8.self), radix: 16)
      {
        result.append(value)
        bytes.removeFirst(2)
      } else {
        result.append(byte)
      }
    }
    return String(decoding: result, as: UTF8.self)
  }
}
