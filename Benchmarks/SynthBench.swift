import Arguments
import Foundation
import GGUF
import JSON
import Tensor

/// Writes a model of a real model's exact shape with random weights: speed doesn't depend on their values.
struct SynthBench: BenchCommand {
  let command = Command(
    "synth", "writes a random-weight model of a real model's shape",
    options: [
      Option("shape", value: "NAME", SynthShape.all.map(\.name).joined(separator: " or ")),
      Option("quant", value: "NAME", SynthQuantization.allCases.map(\.rawValue).joined(separator: " or ")),
      Option("vocab", value: "FILE", "a GGUF file whose tokenizer is copied (a made-up one)"),
      Option("seed", value: "N", "another number, other weights (1)"),
      Option("output", short: "o", value: "FILE", "the file to write"),
    ],
    discussion: """
      Tensor types are those that the usual quantiser chooses. The weights are random blocks with sane scales, so \
      activations stay finite; what the model says is noise.
      """)

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let path = try arguments.required("output")
    let name = try arguments.choice("shape", of: SynthShape.all.map(\.name)) ?? SynthShape.all[0].name
    let shape = SynthShape.all.first { $0.name == name } ?? SynthShape.all[0]
    let quant = try arguments.choice("quant", of: SynthQuantization.allCases.map(\.rawValue)) ?? "q4_0"
    let quantization = SynthQuantization(rawValue: quant) ?? .q4_0
    let seed = try arguments.integer("seed", in: 0...Int.max) ?? 1
    let vocabulary = try arguments.string("vocab").map { try GGUFFile(path: $0) }

    let start = ContinuousClock.now
    let model = SynthModel(shape: shape, quantization: quantization, vocabulary: vocabulary, seed: UInt64(seed))
    try model.writer().write(to: path)
    let seconds = Double((ContinuousClock.now - start) / .milliseconds(1)) / 1000

    let file = try GGUFFile(path: path)
    let byteCount = file.storage.count
    var report = BenchReport(columns: ["type", "tensors", "MB"])
    for (type, tensors) in Dictionary(grouping: file.tensors, by: \.type).sorted(by: { $0.key.name < $1.key.name }) {
      let bytes = tensors.reduce(0) { $0 + $1.byteCount }
      report.row(type.name, "\(tensors.count)", fixed(Double(bytes) / 1e6))
    }
    report.line("\(path): \(fixed(Double(byteCount) / 1e6)) MB in \(fixed(seconds)) s")
    report["path"] = .string(path)
    report["bytes"] = .integer(byteCount)
    report["tensors"] = .integer(file.tensors.count)
    return report
  }
}
