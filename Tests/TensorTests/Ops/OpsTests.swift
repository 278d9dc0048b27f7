import Foundation
import TestSupport
import Testing

@testable import Tensor

/// Norm, SwiGLU and rope of every instruction set against the definition in double precision.
@Suite struct OpsTests {
  static let lengths = [1, 2, 3, 7, 8, 15, 16, 17, 31, 33, 64, 100, 257]

  @Test(arguments: ForwardKernels.available, lengths)
  func rmsNorm(kernels: ForwardKernels, count: Int) {
    var generator = SeededGenerator(seed: UInt64(count))
    let (x, delta, weight) = (
      generator.gaussians(count), generator.gaussians(count), generator.gaussians(count)
    )
    for adding in [false, true] {
      var stream = x
      var out = [Float](repeating: .nan, count: count)
      kernels.rmsNorm(&stream, adding: adding ? delta : nil, weight: weight, count: count, epsilon: 1e-5, into: &out)
      let sums = x.indices.map { Double(x[$0]) + (adding ? Double(delta[$0]) : 0) }
      let scale = 1 / (sums.reduce(0) { $0 + $1 * $1 } / Double(count) + 1e-5).squareRoot()
      for i in x.indices {
        #expect(abs(Double(stream[i]) - sums[i]) < 1e-6)
        #expect(abs(Double(out[i]) - sums[i] * scale * Double(weight[i])) < 1e-5)
      }
    }
  }

  @Test(arguments: ForwardKernels.available)
  func swiGLUOverTheWholeRange(kernels: ForwardKernels) {
    let gates = stride(from: Float(-120), through: 120, by: 0.37).map { $0 } + [0, -0.0, 1e-30, -88.1, 88.1, 1e30]
    for count in [gates.count] + Self.lengths {
      var gate = Array(gates.suffix(count))
      let input = gate
      let up = [Float](repeating: 1.5, count: count)
      kernels.swiGLU(gate: &gate, up: up, count: count)
      for i in gate.indices {
        let x = Double(input[i])
        let expected = x / (1 + exp(-x)) * 1.5
        #expect(abs(Double(gate[i]) - expected) <= 4e-7 * abs(expected) + 1e-30, "\(x)")
      }
    }
  }

  @Test(arguments: ForwardKernels.available)
  func nonFiniteNumbersStay(kernels: ForwardKernels) {
    for position in 0..<20 {
      var gate = [Float](repeating: 1, count: 20)
      gate[position] = .nan
      kernels.swiGLU(gate: &gate, up: [Float](repeating: 1, count: 20), count: 20)
      #expect(gate[position].isNaN)
      #expect(gate.filter(\.isNaN).count == 1)
    }
  }

  @Test(arguments: ForwardKernels.available, [1, 3, 4, 8, 12, 16, 20, 32, 64])
  func rope(kernels: ForwardKernels, half: Int) {
    var generator = SeededGenerator(seed: UInt64(half))
    let frequencies = (0..<half).map { pow(10_000, -Double($0) / Double(half)) }
    let table = RopeTable(frequencies: frequencies, queryScale: 0.125)
    table.fill(first: 1000, count: 3)
    let heads = 3
    let x = generator.gaussians(heads * 2 * half)
    for pairing in [RopePairing.interleaved, .split] {
      for scaled in [false, true] {
        var turned = x
        kernels.rope(&turned, heads: heads, angles: table.angles(2, scaled: scaled), pairing: pairing)
        for head in 0..<heads {
          for i in 0..<half {
            let start = head * 2 * half
            let (p, q) = pairing == .split ? (start + i, start + i + half) : (start + 2 * i, start + 2 * i + 1)
            let angle = 1002 * frequencies[i]
            let factor = scaled ? 0.125 : 1
            let (a, b) = (Double(x[p]) * factor, Double(x[q]) * factor)
            #expect(abs(Double(turned[p]) - (a * cos(angle) - b * sin(angle))) < 1e-5)
            #expect(abs(Double(turned[q]) - (a * sin(angle) + b * cos(angle))) < 1e-5)
          }
        }
      }
    }
  }

  @Test(arguments: ForwardKernels.available)
  func additions(kernels: ForwardKernels) {
    for count in Self.lengths {
      var generator = SeededGenerator(seed: UInt64(count))
      let (x, y) = (generator.gaussians(count), generator.gaussians(count))
      var (sum, scaled) = (x, x)
      kernels.add(y, to: &sum, count: count)
      kernels.scale(x, by: -2, count: count, into: &scaled)
      for i in x.indices {
        #expect(sum[i] == x[i] + y[i])
        #expect(scaled[i] == -2 * x[i])
      }
    }
  }
}
