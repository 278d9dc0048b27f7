package import Tensor

/// What a file says about one of its tensors.
package struct TensorInfo: Sendable, Equatable {
  package let name: String
  package let type: ElementType
  /// In the order of the format: the fastest-varying first.
  package let dimensions: [Int]
  /// Where the tensor's bytes begin, from the start of the file.
  package internal(set) var offset: Int
  package let byteCount: Int
}

extension ElementType {
  /// The field's name of type `number` where it is known though not supported, for error messages.
  static func unsupportedName(_ number: UInt32) -> String? {
    let names: [UInt32: String] = [
      4: "Q4_2", 5: "Q4_3", 9: "Q8_1", 15: "Q8_K", 16: "IQ2_XXS", 17: "IQ2_XS", 18: "IQ3_XXS", 19: "IQ1_S",
      20: "IQ4_NL", 21: "IQ3_S", 22: "IQ2_S", 23: "IQ4_XS", 24: "I8", 25: "I16", 26: "I32", 27: "I64", 28: "F64",
      29: "IQ1_M", 34: "TQ1_0", 35: "TQ2_0", 39: "MXFP4",
    ]
    return names[number]
  }
}
