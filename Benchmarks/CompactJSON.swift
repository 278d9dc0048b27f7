import JSON

/// Stand-in until JSON has its writers: plain keys and values, nothing to escape.
func compactJSON(_ value: JSONValue) -> String {
  switch value {
  case .null: "null"
  case .boolean(let value): "\(value)"
  case .integer(let value): "\(value)"
  case .double(let value): value.isFinite ? "\(value)" : "null"
  case .string(let value): "\"\(value)\""
  case .array(let items): "[" + items.map(compactJSON).joined(separator: ",") + "]"
  case .object(let object):
    "{" + object.members.map { "\"\($0.key)\":" + compactJSON($0.value) }.joined(separator: ",") + "}"
  }
}
