package import JSON

/// Calls and values as Python's text, as some models write calls: `get_weather(city='Oslo', days=3, exact=True)`.
///
/// Texts stand in single quotes where they hold neither quotes, backslashes nor line ends, otherwise as JSON, which is
/// Python's notation as well. Inside lists and dictionaries everything is JSON.
package enum PythonNotation {
  /// A value that is an argument.
  package static func text(_ value: JSONValue) -> String {
    switch value {
    case .null: "None"
    case .boolean(let truth): truth ? "True" : "False"
    case .string(let string):
      string.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x27 && $0 != 0x22 && $0 != 0x5C }) ? "'\(string)'" : value.spaced
    default: value.spaced
    }
  }

  /// A call; names that can't be keywords make the arguments a dictionary, `f(**{"a b": 1})`.
  package static func text(name: String, arguments: JSONObject) -> String {
    let inside =
      arguments.keys.allSatisfy(isKeyword)
      ? arguments.members.map { "\($0.key)=\(text($0.value))" }.joined(separator: ", ")
      : "**\(JSONValue.object(arguments).spaced)"
    return "\(name)(\(inside))"
  }

  /// Whether an argument of this name can be written as `name=value`: ASCII letters, digits, `_`, `-` and `.`.
  package static func isKeyword(_ name: String) -> Bool {
    !name.isEmpty
      && name.utf8.allSatisfy { $0.isNameByte || $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: ".") }
  }
}
