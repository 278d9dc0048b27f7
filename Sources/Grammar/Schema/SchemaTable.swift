import JSON

/// A schema: one that is written somewhere, or a combination of others.
typealias SchemaID = Int32

enum SchemaNode: Hashable {
  case anything
  case nothing
  case site(Int32)
  case and([SchemaID])
  case or([SchemaID])
  case not(SchemaID)
  case constant(JSONValue)
}

/// All schemas of a grammar, hash-consed.
struct SchemaTable {
  static let anything: SchemaID = 0
  static let nothing: SchemaID = 1

  private(set) var nodes: [SchemaNode] = [.anything, .nothing]
  private var ids: [SchemaNode: SchemaID] = [.anything: 0, .nothing: 1]
  private(set) var sites: [SchemaSite] = []
  private var siteIDs: [SitePlace: SchemaID] = [:]

  private struct SitePlace: Hashable {
    let document: Int
    let pointer: Key
  }

  private mutating func intern(_ node: SchemaNode) -> SchemaID {
    if let id = ids[node] { return id }
    let id = SchemaID(truncatingIfNeeded: nodes.count)
    nodes.append(node)
    ids[node] = id
    return id
  }

  mutating func site(_ value: JSONValue, pointer: String, document: Int, base: String) -> SchemaID {
    if case .boolean(let isTrue) = value { return isTrue ? Self.anything : Self.nothing }
    if case .object(let object) = value, object.isEmpty { return Self.anything }
    let place = SitePlace(document: document, pointer: Key(pointer))
    if let id = siteIDs[place] { return id }
    let id = intern(.site(Int32(truncatingIfNeeded: sites.count)))
    sites.append(SchemaSite(value: value, pointer: pointer, document: document, base: base))
    siteIDs[place] = id
    return id
  }

  mutating func and(_ parts: [SchemaID]) -> SchemaID {
    var flat: [SchemaID] = []
    for part in parts where part != Self.anything {
      if case .and(let inner) = nodes[Int(part)] { flat.append(contentsOf: inner) } else { flat.append(part) }
    }
    if flat.contains(Self.nothing) { return Self.nothing }
    flat = Array(Set(flat)).sorted()
    for part in flat {
      if case .not(let inner) = nodes[Int(part)], flat.contains(inner) { return Self.nothing }
    }
    if flat.isEmpty { return Self.anything }
    return flat.count == 1 ? flat[0] : intern(.and(flat))
  }

  mutating func or(_ parts: [SchemaID]) -> SchemaID {
    var flat: [SchemaID] = []
    for part in parts where part != Self.nothing && !flat.contains(part) { flat.append(part) }
    if flat.contains(Self.anything) { return Self.anything }
    if flat.isEmpty { return Self.nothing }
    return flat.count == 1 ? flat[0] : intern(.or(flat))
  }

  mutating func not(_ part: SchemaID) -> SchemaID {
    if part == Self.anything { return Self.nothing }
    if part == Self.nothing { return Self.anything }
    if case .not(let inner) = nodes[Int(part)] { return inner }
    return intern(.not(part))
  }

  mutating func constant(_ value: JSONValue) -> SchemaID {
    intern(.constant(value))
  }
}
