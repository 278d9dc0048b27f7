import JSON

/// A place in a schema document where a schema stands.
struct SchemaSite {
  let value: JSONValue
  /// JSON pointer with `#` in front, for messages and as identity.
  let pointer: String
  let document: Int
  /// The `$id` that references here are relative to.
  let base: String
}
