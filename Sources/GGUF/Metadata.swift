/// The metadata of a file: keys in file order, with getters that say what is wrong when a value isn't as expected.
///
/// ```swift
/// let width = try file.metadata.integer("llama.embedding_length")   // any integer width; nil when absent
/// let tokens = try file.metadata.strings("tokenizer.ggml.tokens")
/// ```
package struct Metadata: Sendable {
  package private(set) var keys: [String] = []
  private var values: [String: MetadataValue] = [:]

  package var count: Int { keys.count }

  package subscript(key: String) -> MetadataValue? { values[key] }

  /// The integer of `key`, whatever its width and signedness, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no integer or doesn't fit in an `Int`.
  package func integer(_ key: String) throws(GGUFError) -> Int? {
    try get(key, "an integer") { $0.integer }
  }

  /// The number of `key`, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no number.
  package func float(_ key: String) throws(GGUFError) -> Double? {
    try get(key, "a number") { $0.float }
  }

  /// The string of `key`, or `nil` when the key is absent. Bytes that are no UTF-8 become U+FFFD.
  ///
  /// - Throws: ``GGUFError`` when the value is no string.
  package func string(_ key: String) throws(GGUFError) -> String? {
    try get(key, "a string") { if case .string(let value) = $0 { value.text } else { nil } }
  }

  /// The truth value of `key`, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no `bool`.
  package func bool(_ key: String) throws(GGUFError) -> Bool? {
    try get(key, "true or false") { if case .bool(let value) = $0 { value } else { nil } }
  }

  /// The array of `key`, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no array.
  package func array(_ key: String) throws(GGUFError) -> MetadataArray? {
    try get(key, "an array") { if case .array(let value) = $0 { value } else { nil } }
  }

  /// The strings of `key`, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no array of strings.
  package func strings(_ key: String) throws(GGUFError) -> StringArray? {
    try get(key, "an array of strings") { if case .array(let value) = $0 { value.strings } else { nil } }
  }

  /// The integers of `key`, whatever their width, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no array of integers.
  package func integers(_ key: String) throws(GGUFError) -> [Int]? {
    try get(key, "an array of integers") { if case .array(let value) = $0 { value.integers } else { nil } }
  }

  /// The floating-point numbers of `key`, or `nil` when the key is absent.
  ///
  /// - Throws: ``GGUFError`` when the value is no array of floating-point numbers.
  package func floats(_ key: String) throws(GGUFError) -> [Double]? {
    try get(key, "an array of numbers") { if case .array(let value) = $0 { value.floats } else { nil } }
  }

  private func get<Value>(
    _ key: String, _ expected: String, _ convert: (MetadataValue) -> Value?
  ) throws(GGUFError) -> Value? {
    guard let stored = values[key] else { return nil }
    if let value = convert(stored) { return value }
    throw GGUFError(.invalidMetadata, .key(key), reason: "\(expected) is expected, not \(stored.typeAndValue)")
  }

  /// Adds a value; `false` when the key is there already.
  mutating func add(_ key: String, _ value: MetadataValue) -> Bool {
    guard values.updateValue(value, forKey: key) == nil else { return false }
    keys.append(key)
    return true
  }
}

extension MetadataValue {
  /// Type and value in the words of an error message, such as `float32 1.5` or `an array of 3 int32`.
  fileprivate var typeAndValue: String {
    switch self {
    case .array(let array): "an array of \(array.count) \(array.elementType)"
    default: "\(type) \(self)"
    }
  }
}
