/// The members of a JSON object, in the order in which they were written.
///
/// ```swift
/// var object = JSONObject()
/// object["city"] = "Paris"
/// object["days"] = 3
/// object.keys   // ["city", "days"]
/// ```
///
/// Keys compare by Unicode scalars. Equality does not depend on the order.
///
/// - Complexity: finding and adding a member is O(1) however many there are; removing one is linear.
public struct JSONObject: Sendable {
  /// The members in order.
  public private(set) var members: [(key: String, value: JSONValue)] = []
  /// Where each key stands; kept only above `indexThreshold` members, where a scan would be slower.
  private var places: [ScalarString: Int]?

  private static let indexThreshold = 8

  /// An object without members.
  public init() {}

  /// An object of `pairs`; of equal keys the last value wins and stands where the first one stood.
  public init(_ pairs: some Sequence<(String, JSONValue)>) {
    members.reserveCapacity(pairs.underestimatedCount)
    for (key, value) in pairs { self[key] = value }
  }

  /// The number of members.
  public var count: Int { members.count }

  /// Whether there is no member.
  public var isEmpty: Bool { members.isEmpty }

  /// The keys in order.
  public var keys: [String] { members.map(\.key) }

  /// The values in order.
  public var values: [JSONValue] { members.map(\.value) }

  /// The value of `key`; setting replaces in place or appends, setting `nil` removes.
  public subscript(key: String) -> JSONValue? {
    get { place(of: key).map { members[$0].value } }
    set {
      switch (place(of: key), newValue) {
      case (let place?, let value?): members[place].value = value
      case (let place?, nil): remove(at: place)
      case (nil, let value?): append(key, value)
      case (nil, nil): break
      }
    }
  }

  private func place(of key: String) -> Int? {
    if let places { return places[ScalarString(key)] }
    let wanted = ScalarString(key)
    return members.firstIndex { ScalarString($0.key) == wanted }
  }

  private mutating func append(_ key: String, _ value: JSONValue) {
    members.append((key, value))
    if places != nil {
      places?[ScalarString(key)] = members.count - 1
    } else if members.count > Self.indexThreshold {
      indexMembers()
    }
  }

  private mutating func remove(at place: Int) {
    members.remove(at: place)
    places = nil
    if members.count > Self.indexThreshold { indexMembers() }
  }

  private mutating func indexMembers() {
    places = Dictionary(
      members.enumerated().map { (ScalarString($1.key), $0) }, uniquingKeysWith: { $1 })
  }
}

extension JSONObject: Sequence {
  /// The members in order, as `(key, value)`.
  public func makeIterator() -> IndexingIterator<[(key: String, value: JSONValue)]> {
    members.makeIterator()
  }
}

extension JSONObject: Hashable {
  /// Whether both have the same members, in whatever order.
  public static func == (left: JSONObject, right: JSONObject) -> Bool {
    left.count == right.count && left.members.allSatisfy { right[$0.key] == $0.value }
  }

  /// Feeds what equality looks at.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(Set(members.map { ScalarString($0.key) }))
  }
}

extension JSONObject: ExpressibleByDictionaryLiteral {
  /// An object with the members in the order written; of equal keys the last wins.
  public init(dictionaryLiteral elements: (String, JSONValue)...) {
    self.init(elements)
  }
}
