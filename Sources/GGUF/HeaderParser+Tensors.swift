import Tensor

extension HeaderParser {
  /// Reads `count` tensor descriptions and checks that the data of each lies inside the file.
  mutating func parseTensors(_ count: Int, alignment: Int) throws(GGUFError) -> [TensorInfo] {
    var tensors: [TensorInfo] = []
    for index in 0..<count { tensors.append(try parseTensor(index, of: count)) }
    // No overflow: the position is at most the file's size, and the alignment is limited.
    let dataStart = (reader.position + alignment - 1) / alignment * alignment
    let available = max(0, reader.storage.count - dataStart)
    for tensor in tensors { try Self.requireInside(tensor, available: available, alignment: alignment) }
    try Self.requireDisjoint(tensors)
    for index in tensors.indices { tensors[index].offset += dataStart }
    return tensors
  }

  /// Reads one description. Its offset counts from the start of the data section, as it does in the file.
  private mutating func parseTensor(_ index: Int, of count: Int) throws(GGUFError) -> TensorInfo {
    let name = try parseName("tensor \(index + 1) of \(count)", .invalidTensor)
    let subject = GGUFError.Subject.tensor(name)
    guard let dimensionCount = reader.read(UInt32.self) else { throw Self.truncated(subject) }
    guard (1...4).contains(dimensionCount) else {
      throw GGUFError(.invalidTensor, subject, reason: "\(dimensionCount) dimensions, where 1 to 4 are supported")
    }
    var dimensions: [Int] = []
    for _ in 0..<dimensionCount {
      guard let dimension = reader.readCount() else { throw Self.truncated(subject) }
      guard dimension > 0 else { throw GGUFError(.invalidTensor, subject, reason: "a dimension is 0") }
      dimensions.append(dimension)
    }
    guard let number = reader.read(UInt32.self), let offset = reader.readCount() else { throw Self.truncated(subject) }
    guard let type = ElementType(rawValue: number) else {
      let named = ElementType.unsupportedName(number).map { " (\($0))" } ?? ""
      throw GGUFError(
        .unsupportedElementType, subject, reason: "type \(number)\(named) is not supported",
        advice: "supported are \(ElementType.allCases.map(\.name).joined(separator: " "))")
    }
    guard dimensions[0] % type.blockLength == 0 else {
      throw GGUFError(
        .invalidTensor, subject,
        reason: "a row of \(dimensions[0]) elements is no whole number of \(type.name) blocks of \(type.blockLength)")
    }
    guard let byteCount = Self.byteCount(type, dimensions) else {
      let shape = dimensions.map(String.init).joined(separator: " x ")
      throw GGUFError(.invalidTensor, subject, reason: "the dimensions \(shape) are too large")
    }
    return TensorInfo(name: name, type: type, dimensions: dimensions, offset: offset, byteCount: byteCount)
  }

  /// Bytes of a tensor, or `nil` when their number or that of the elements doesn't fit in an `Int`.
  private static func byteCount(_ type: ElementType, _ dimensions: [Int]) -> Int? {
    var elements = 1
    for dimension in dimensions {
      let (product, overflow) = elements.multipliedReportingOverflow(by: dimension)
      guard !overflow else { return nil }
      elements = product
    }
    return type.byteCount(elements: elements)
  }

  private static func requireInside(
    _ tensor: TensorInfo, available: Int, alignment: Int
  ) throws(GGUFError) {
    guard tensor.offset % alignment == 0 else {
      throw GGUFError(
        .invalidTensor, .tensor(tensor.name),
        reason: "offset \(tensor.offset) is no multiple of the alignment \(alignment)")
    }
    guard tensor.offset <= available, tensor.byteCount <= available - tensor.offset else {
      throw GGUFError(
        .truncated, .tensor(tensor.name),
        reason: "\(tensor.byteCount) bytes at offset \(tensor.offset) lie beyond the end of the file, which has "
          + "\(available) bytes of tensor data",
        advice: "the download may be incomplete: get the file again")
    }
  }

  /// No two tensors share bytes: where they do, the header is damaged, and computing with it would only give nonsense.
  private static func requireDisjoint(_ tensors: [TensorInfo]) throws(GGUFError) {
    let ordered = tensors.sorted { $0.offset < $1.offset }
    // No overflow: every tensor has been found to lie inside the file.
    for (tensor, next) in zip(ordered, ordered.dropFirst()) where tensor.offset + tensor.byteCount > next.offset {
      throw GGUFError(
        .invalidTensor, .tensor(next.name),
        reason: "its data overlaps that of tensor \"\(GGUFError.printable(tensor.name))\"")
    }
  }
}
