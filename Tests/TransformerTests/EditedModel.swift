import GGUF
import Tensor
import TestSupport

@testable import Transformer

/// A tiny model with some metadata and tensors changed: what a test of refusals needs.
struct EditedModel {
  private let file: GGUFFile
  private var keys: [String: GGUFWriter.Value?] = [:]
  private var removed: Set<String> = []
  private var tensors: [String: (type: ElementType, dimensions: [Int], floats: [Float])] = [:]

  init(_ tiny: TinyModel = TinyModel()) throws { file = try tiny.file() }

  /// Sets a metadata value; `nil` removes it.
  subscript(key: String) -> GGUFWriter.Value? {
    get { keys[key] ?? nil }
    set { keys[key] = .some(newValue) }
  }

  mutating func remove(_ tensor: String) { removed.insert(tensor) }

  /// Replaces or adds a tensor.
  mutating func set(_ name: String, _ dimensions: [Int], _ floats: [Float], type: ElementType = .f32) {
    tensors[name] = (type, dimensions, floats)
  }

  /// Replaces or adds a tensor filled with one number.
  mutating func set(_ name: String, _ dimensions: [Int], value: Float = 0, type: ElementType = .f32) {
    set(name, dimensions, [Float](repeating: value, count: dimensions.reduce(1, *)), type: type)
  }

  func edited() throws -> GGUFFile {
    var writer = GGUFWriter()
    for key in file.metadata.keys where !key.hasPrefix("tokenizer.") {
      guard let value = file.metadata[key] else { continue }
      if let integer = value.integer {
        writer[key] = .uint32(UInt32(integer))
      } else if let text = try? file.metadata.string(key) {
        writer[key] = .string(text)
      } else if let number = value.float {
        writer[key] = .float32(Float(number))
      }
    }
    for (key, value) in keys { writer[key] = value }
    for info in file.tensors where !removed.contains(info.name) && tensors[info.name] == nil {
      guard let tensor = file.tensor(info.name) else { continue }
      try writer.addTensor(info.name, type: info.type, dimensions: info.dimensions) { row, bytes in
        bytes.copyMemory(from: UnsafeRawBufferPointer(start: tensor.row(row), count: bytes.count))
      }
    }
    for (name, tensor) in tensors {
      try writer.addTensor(name, type: tensor.type, dimensions: tensor.dimensions, floats: tensor.floats)
    }
    return try GGUFFile(bytes: writer.bytes())
  }

  func model() throws -> Model { try Model(edited()) }

  /// The error that loading ends with, or `nil` when it doesn't.
  func refusal() throws -> ModelError? {
    do {
      _ = try Model(edited())
      return nil
    } catch let error as ModelError {
      return error
    }
  }
}
