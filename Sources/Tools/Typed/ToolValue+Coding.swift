import Foundation
import JSON

extension ToolValue {
  /// This value as a value of a Swift type.
  ///
  /// Dates are read as RFC 3339 (`2026-04-03T12:00:00Z`), `Data` as Base64.
  ///
  /// - Throws: ``ToolCodingError``, naming the place and what is expected there.
  public func decode<T: Decodable>(_ type: T.Type = T.self) throws(ToolCodingError) -> T {
    do {
      return try ToolValue.decoder().decode(type, from: Data(jsonText.utf8))
    } catch {
      throw ToolCodingError(reason: DecodingFault.text(of: error))
    }
  }

  /// What an `Encodable` value encodes to. NaN and infinities become ``null``, dates RFC 3339 text, `Data` Base64.
  ///
  /// - Throws: ``ToolCodingError`` when the value can't be encoded.
  public init(encoding value: some Encodable) throws(ToolCodingError) {
    if let value = value as? ToolValue {
      self = value
      return
    }
    do {
      let data = try ToolValue.encoder().encode(value)
      self = ToolValue(try JSONValue(parsing: [UInt8](data))).withoutMark
    } catch {
      throw ToolCodingError(reason: DecodingFault.text(of: error))
    }
  }

  private static func decoder() -> JSONDecoder {
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .custom { decoder in
      let container = try decoder.singleValueContainer()
      let text = try container.decode(String.self)
      guard let date = RFC3339.date(text) else {
        throw DecodingError.dataCorruptedError(in: container, debugDescription: "\"\(text)\" is no date and time")
      }
      return date
    }
    return decoder
  }

  private static func encoder() -> JSONEncoder {
    let encoder = JSONEncoder()
    encoder.dateEncodingStrategy = .custom { date, encoder in
      var container = encoder.singleValueContainer()
      try container.encode(RFC3339.text(date))
    }
    encoder.nonConformingFloatEncodingStrategy = .convertToString(
      positiveInfinity: notFinite, negativeInfinity: notFinite, nan: notFinite)
    return encoder
  }

  /// What Foundation writes for numbers that JSON can't express, until it is taken out again.
  private static let notFinite = "\u{0}\u{1}not finite\u{1}\u{0}"

  private var withoutMark: ToolValue {
    switch self {
    case .string(ToolValue.notFinite): .null
    case .array(let items): .array(items.map(\.withoutMark))
    case .object(let members): .object(members.mapValues(\.withoutMark))
    default: self
    }
  }
}

/// Why a value does not fit a Swift type.
public struct ToolCodingError: Error, Sendable, Hashable, CustomStringConvertible {
  /// What is wrong, and where.
  public let reason: String

  /// What is wrong, and where.
  public var description: String { reason }
}

/// Errors of `Codable` in words.
enum DecodingFault {
  static func text(of error: any Error) -> String {
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      "\(place(context.codingPath + [key])) is missing"
    case DecodingError.valueNotFound(let type, let context):
      "\(place(context.codingPath)) is null, but must be \(type)"
    case DecodingError.typeMismatch(let type, let context):
      "\(place(context.codingPath)) must be \(type)"
    // What Foundation says of `1.5` for an `Int`; the text that it gets from here is always valid.
    case DecodingError.dataCorrupted(let context) where context.debugDescription.contains("not valid JSON"):
      "a number does not fit its type"
    case DecodingError.dataCorrupted(let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    case EncodingError.invalidValue(_, let context):
      "\(place(context.codingPath)): \(context.debugDescription)"
    default: ErrorText.message(of: error)
    }
  }

  private static func place(_ path: [any CodingKey]) -> String {
    guard !path.isEmpty else { return "the value" }
    var text = ""
    for key in path {
      if let index = key.intValue { text += "[\(index)]" } else { text += (text.isEmpty ? "" : ".") + key.stringValue }
    }
    return "\"\(text)\""
  }
}
