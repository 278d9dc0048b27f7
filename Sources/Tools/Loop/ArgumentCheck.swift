import JSON

/// Checks arguments that no grammar has held to their schema.
enum ArgumentCheck {
  /// What is wrong with the arguments, naming the parameter; nil when they fit. Looks at types, required and unknown
  /// members and enumerations.
  static func fault(in arguments: JSONObject, schema: JSONValue) -> String? {
    fault(.object(arguments), schema: schema, name: "the arguments", depth: 0)
  }

  private static func fault(_ value: JSONValue, schema: JSONValue, name: String, depth: Int) -> String? {
    guard depth < 64 else { return "\(name): nested too deeply" }
    if let allowed = schema["enum"]?.arrayValue, !allowed.contains(value) {
      return "\(name) must be one of \(allowed.map(\.compact).joined(separator: ", ")), not \(value.compact)"
    }
    if let type = schema["type"]?.stringValue, !matches(value, type) {
      return "\(name) must be of type \(type), not \(value.compact)"
    }
    if let object = value.objectValue { return memberFault(object, schema: schema, name: name, depth: depth) }
    if let items = value.arrayValue, let schema = schema["items"] {
      for (index, item) in items.enumerated() {
        if let fault = fault(item, schema: schema, name: "\(name)[\(index)]", depth: depth + 1) { return fault }
      }
    }
    return nil
  }

  private static func memberFault(_ object: JSONObject, schema: JSONValue, name: String, depth: Int) -> String? {
    for case .string(let key) in schema["required"]?.arrayValue ?? [] where object[key] == nil {
      return "the parameter \"\(key)\" is missing"
    }
    guard let properties = schema["properties"]?.objectValue else { return nil }
    for (key, value) in object.members {
      guard let property = properties[key] else {
        if let extra = schema["additionalProperties"], extra != .boolean(false) { continue }
        return "there is no parameter \"\(key)\"; the parameters are: \(properties.keys.joined(separator: ", "))"
      }
      if let fault = fault(value, schema: property, name: "the parameter \"\(key)\"", depth: depth + 1) { return fault }
    }
    return nil
  }

  private static func matches(_ value: JSONValue, _ type: String) -> Bool {
    switch (type, value) {
    case ("string", .string), ("number", .integer), ("number", .double), ("integer", .integer), ("boolean", .boolean),
      ("array", .array), ("object", .object), ("null", .null):
      true
    case ("integer", .double): value.integerValue != nil
    case ("string", _), ("number", _), ("integer", _), ("boolean", _), ("array", _), ("object", _), ("null", _): false
    default: true
    }
  }
}
