package import Tensor

/// Writes GGUF files, version 3, little-endian: to memory, or to a file of any size with little memory.
///
/// ```swift
/// var writer = GGUFWriter()
/// writer["general.architecture"] = .string("llama")
/// writer["llama.block_count"] = .uint32(1)
/// try writer.addTensor("output_norm.weight", floats: [Float](repeating: 1, count: 64))
/// try writer.write(to: "model.gguf")
/// ```
///
/// Keys and tensors keep the order in which they were added. Tensor data that is produced row by row
/// (``addTensor(_:type:dimensions:fillRow:)``) exists only while it is written.
package struct GGUFWriter {
  /// Fills the bytes of a row; it is called once for every row, in order, each time the file is written.
  package typealias RowFiller = (_ row: Int, _ bytes: UnsafeMutableRawBufferPointer) -> Void

  private struct PendingTensor {
    let name: String
    let type: ElementType
    let dimensions: [Int]
    let rows: Int
    let rowByteCount: Int
    let fillRow: RowFiller
  }

  /// Tensor data begins at multiples of this. A value other than 32 is written as `general.alignment`.
  private let alignment: Int
  private var keys: [String] = []
  private var values: [String: Value] = [:]
  private var tensors: [PendingTensor] = []
  private var tensorNames: Set<String> = []

  package init(alignment: Int = 32) {
    precondition(alignment >= 8 && alignment & (alignment - 1) == 0, "an alignment is a power of two from 8")
    self.alignment = alignment
    if alignment != 32 { self["general.alignment"] = .uint32(UInt32(alignment)) }
  }

  /// The value of a key. Setting a key again keeps its place; `nil` removes it.
  package subscript(key: String) -> Value? {
    get { values[key] }
    set {
      let isPresent = values[key] != nil
      values[key] = newValue
      if newValue == nil { keys.removeAll { $0 == key } } else if !isPresent { keys.append(key) }
    }
  }

  /// Adds a tensor whose encoded bytes are produced row by row while the file is written.
  ///
  /// - Throws: ``GGUFError`` when the name is empty or taken, when there are no one to four positive dimensions, or when a
  ///   row is no whole number of blocks.
  package mutating func addTensor(
    _ name: String, type: ElementType, dimensions: [Int], fillRow: @escaping RowFiller
  ) throws(GGUFError) {
    func invalid(_ reason: String) -> GGUFError { GGUFError(.invalidTensor, .tensor(name), reason: reason) }
    guard !name.isEmpty, !tensorNames.contains(name) else { throw invalid("the name is empty or taken") }
    guard (1...4).contains(dimensions.count), dimensions.allSatisfy({ $0 > 0 }) else {
      throw invalid("one to four positive dimensions are needed")
    }
    guard let rowByteCount = type.byteCount(elements: dimensions[0]) else {
      throw invalid("a row of \(dimensions[0]) elements is no whole number of \(type.name) blocks")
    }
    var rows = 1
    for dimension in dimensions.dropFirst() {
      let (product, overflow) = rows.multipliedReportingOverflow(by: dimension)
      guard !overflow else { throw invalid("the dimensions are too large") }
      rows = product
    }
    guard !rows.multipliedReportingOverflow(by: rowByteCount).overflow else {
      throw invalid("the dimensions are too large")
    }
    tensorNames.insert(name)
    tensors.append(
      PendingTensor(
        name: name, type: type, dimensions: dimensions, rows: rows, rowByteCount: rowByteCount, fillRow: fillRow))
  }

  /// Adds a tensor whose encoded bytes are at hand.
  ///
  /// - Throws: ``GGUFError`` as above, or when the number of bytes is wrong.
  package mutating func addTensor(
    _ name: String, type: ElementType, dimensions: [Int], bytes: [UInt8]
  ) throws(GGUFError) {
    try addTensor(name, type: type, dimensions: dimensions) { row, target in
      // The number of bytes is checked below, before anything can be written.
      bytes.withUnsafeBytes {
        target.copyMemory(from: UnsafeRawBufferPointer(rebasing: $0[row * target.count..<(row + 1) * target.count]))
      }
    }
    let byteCount = tensors.last.map { $0.rows * $0.rowByteCount }
    guard byteCount == bytes.count else {
      tensors.removeLast()
      tensorNames.remove(name)
      throw GGUFError(.invalidTensor, .tensor(name), reason: "\(byteCount ?? 0) bytes are needed, not \(bytes.count)")
    }
  }

  /// Encodes floats as `type` and adds them; one dimension if none are given.
  package mutating func addTensor(
    _ name: String, type: ElementType = .f32, dimensions: [Int]? = nil, floats: [Float]
  ) throws(GGUFError) {
    guard let bytes = type.encoded(floats) else {
      throw GGUFError(
        .invalidTensor, .tensor(name), reason: "\(floats.count) elements are no whole number of \(type.name) blocks")
    }
    try addTensor(name, type: type, dimensions: dimensions ?? [floats.count], bytes: bytes)
  }

  /// The whole file in memory.
  package func bytes() -> [UInt8] {
    var result: [UInt8] = []
    emit { result.append(contentsOf: $0) }
    return result
  }

  /// Writes the file at `path`, under another name first, so that the path never holds half a file.
  ///
  /// - Throws: ``GGUFError`` with the system's reason when it can't be written.
  package func write(to path: String) throws(GGUFError) {
    let output = try OutputFile(path: path)
    try emit { (chunk) throws(GGUFError) in try output.write(chunk) }
    try output.commit()
  }

  /// Hands the file's bytes to `sink`, piece by piece.
  private func emit<Failure: Error>(
    _ sink: ([UInt8]) throws(Failure) -> Void
  ) throws(Failure) {
    func padding(_ count: Int) -> [UInt8] { [UInt8](repeating: 0, count: (alignment - count % alignment) % alignment) }
    let head = header()
    try sink(head)
    try sink(padding(head.count))
    for tensor in tensors {
      var row = [UInt8](repeating: 0, count: tensor.rowByteCount)
      for index in 0..<tensor.rows {
        row.withUnsafeMutableBytes { tensor.fillRow(index, $0) }
        try sink(row)
      }
      try sink(padding(tensor.rows * tensor.rowByteCount))
    }
  }

  private func header() -> [UInt8] {
    var bytes = Array("GGUF".utf8)
    func append(_ text: String) {
      bytes.append(littleEndian: UInt64(text.utf8.count))
      bytes.append(contentsOf: text.utf8)
    }
    bytes.append(littleEndian: UInt32(3))
    bytes.append(littleEndian: UInt64(tensors.count))
    bytes.append(littleEndian: UInt64(keys.count))
    for key in keys {
      guard let value = values[key] else { continue }
      append(key)
      bytes.append(littleEndian: value.type.rawValue)
      value.append(to: &bytes)
    }
    var offset = 0
    for tensor in tensors {
      append(tensor.name)
      bytes.append(littleEndian: UInt32(tensor.dimensions.count))
      for dimension in tensor.dimensions { bytes.append(littleEndian: UInt64(dimension)) }
      bytes.append(littleEndian: tensor.type.rawValue)
      bytes.append(littleEndian: UInt64(offset))
      offset += (tensor.rows * tensor.rowByteCount + alignment - 1) / alignment * alignment
    }
    return bytes
  }
}
