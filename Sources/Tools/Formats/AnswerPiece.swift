package import JSON

/// A piece of a model's turn.
package enum AnswerPiece: Sendable, Equatable {
  /// Text for the user.
  case text(String)
  /// A call has begun and its tool is known.
  case callStarted(String)
  /// More of the JSON text of the arguments of the call that has begun.
  case arguments(String)
  /// A call is complete. The tool need not exist.
  case call(name: String, arguments: JSONObject)
  /// Something marked as a call that isn't one; with its text and what is wrong with it.
  case malformedCall(String, reason: String)
  /// The turn ended inside a call, which must not run.
  case unfinishedCall(String)
}

/// A complete object of a call.
struct CallObject {
  let name: String
  let arguments: JSONObject

  init(name: String, arguments: JSONObject) {
    self.name = name
    self.arguments = arguments
  }

  /// Reads the object that a scanner has found. Missing, null and empty arguments count as none; arguments that are a
  /// string with a JSON object in it are taken out of it. Half a surrogate pair becomes U+FFFD.
  init(_ bytes: [UInt8]) throws(CallObjectError) {
    let value: JSONValue
    do {
      value = try JSONValue(parsing: bytes, loneSurrogates: .replace)
    } catch {
      throw CallObjectError(reason: "the call is not valid JSON: \(error)")
    }
    guard let name = value["name"]?.stringValue else { throw CallObjectError(reason: "the call has no name") }
    self.name = name
    arguments = try CallObject.arguments(value["arguments"] ?? value["parameters"] ?? .null)
  }

  private static func arguments(_ value: JSONValue) throws(CallObjectError) -> JSONObject {
    switch value {
    case .object(let object): return object
    case .null: return JSONObject()
    case .string(let text):
      if text.isEmpty { return JSONObject() }
      if let object = (try? JSONValue(parsing: text))?.objectValue { return object }
    default: break
    }
    throw CallObjectError(reason: "the arguments are not a JSON object")
  }
}

/// Why the object of a call can't be used.
struct CallObjectError: Error {
  let reason: String
}
