import Arguments
import JSON
import Tensor

/// Speed of the matrix products of each format: bytes of weights read per second for one token, multiply-adds per
/// second for many, and what a small batch costs against one token.
struct KernelsBench: BenchCommand {
  let command = Command(
    "kernels", "speed of the matrix products of each format",
    options: [
      Option("format", value: "F", "only this format, such as Q4_K"),
      Option("threads", short: "t", value: "N", "worker threads (default: as many as the process may use)"),
      Option("level", value: "L", "scalar, avx2 or avx512vnni (default: the best that the machine can run)"),
      Option("columns", value: "N", "length of a row (default 2048)"),
      Option("tokens", value: "N", "tokens of a prefill chunk (default 512)"),
    ])

  let measuresSpeed = true

  func run(_ arguments: Arguments) async throws -> BenchReport {
    let names = ElementType.allCases.map(\.name)
    let format = try arguments.choice("format", of: names)
    let threads = try arguments.integer("threads", in: 1...1024) ?? WorkerPool.allowedThreads
    let columns = try arguments.integer("columns", in: 256...65536) ?? 2048
    let tokens = try arguments.integer("tokens", in: 1...8192) ?? 512
    guard columns % 256 == 0 else { throw UsageError("--columns must be a multiple of 256") }
    let levels = KernelLevel.available
    let levelName = try arguments.choice("level", of: levels.map(\.name))
    let level = levels.first { $0.name == levelName } ?? .best

    let matmul = MatMul(pool: WorkerPool(threads: threads), level: level)
    let bench = ProductBench(matmul: matmul, columns: columns)
    var report = BenchReport(columns: ["format", "decode GB/s", "batch of 8 / 1", "prefill GMAC/s"])
    var results = JSONObject()
    for type in ElementType.allCases where format == nil || type.name == format {
      let result = bench.measure(type, tokens: tokens)
      report.row(type.name, fixed(result.gbps), fixed(result.batchRatio, 2), fixed(result.gmacs))
      var fields = JSONObject()
      fields["gbps"] = .double(result.gbps)
      fields["batch_ratio"] = .double(result.batchRatio)
      fields["gmacs"] = .double(result.gmacs)
      results[type.name] = .object(fields)
    }
    let limits = (bandwidth: bench.readBandwidth(), sgemm: bench.sgemm(tokens: tokens))
    report.line("\(level.name), \(matmul.pool.threads) threads, \(columns) columns, \(tokens) tokens")
    report.line("limits: reading \(fixed(limits.bandwidth)) GB/s, BLAS sgemm \(fixed(limits.sgemm)) GMAC/s")
    report["formats"] = .object(results)
    report["level"] = .string(level.name)
    report["threads"] = .integer(matmul.pool.threads)
    report["limit_gbps"] = .double(limits.bandwidth)
    report["limit_gmacs_float"] = .double(limits.sgemm)
    return report
  }
}

/// Times products of one engine with made-up matrices.
private struct ProductBench {
  let matmul: MatMul
  let columns: Int

  struct Result {
    let gbps: Double
    let batchRatio: Double
    let gmacs: Double
  }

  /// Larger than the caches, so that one token's products are read from memory.
  private static let decodeBytes = 192 << 20

  func measure(_ type: ElementType, tokens: Int) -> Result {
    let rowBytes = type.byteCount(elements: columns) ?? 1
    let large = matrix(type, rows: max(1, Self.decodeBytes / rowBytes))
    let one = seconds(large, tokens: 1, precision: .quantized)
    let eight = seconds(large, tokens: 8, precision: .quantized)
    let small = matrix(type, rows: 4096)
    let many = seconds(small, tokens: tokens, precision: .quantized)
    return Result(
      gbps: Double(large.byteCount) / one / 1e9, batchRatio: eight / one,
      gmacs: Double(small.rows * columns * tokens) / many / 1e9)
  }

  /// Bytes per second of the plainest product there is: float rows with one vector.
  func readBandwidth() -> Double {
    let large = matrix(.f32, rows: Self.decodeBytes / (4 * columns))
    return Double(large.byteCount) / seconds(large, tokens: 1, precision: .exact) / 1e9
  }

  /// Multiply-adds per second of BLAS on float rows.
  func sgemm(tokens: Int) -> Double {
    let small = matrix(.f32, rows: 4096)
    return Double(small.rows * columns * tokens) / seconds(small, tokens: tokens, precision: .exact) / 1e9
  }

  /// Bytes from 0x20 to 0x3F, so that whatever is read as a scale is an ordinary number.
  private func matrix(_ type: ElementType, rows: Int) -> Tensor {
    var state: UInt32 = 1
    let bytes = (0..<rows * (type.byteCount(elements: columns) ?? 0)).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(0x20 | (state >> 24) & 0x1F)
    }
    guard
      let tensor = Tensor(
        name: "bench", type: type, dimensions: [columns, rows], storage: Storage(copying: bytes))
    else { preconditionFailure("\(columns) columns of \(type.name)") }
    return tensor
  }

  /// The median time of a product, over enough runs to take about a third of a second.
  private func seconds(_ weights: Tensor, tokens: Int, precision: Precision) -> Double {
    let input = (0..<tokens * columns).map { Float(($0 * 7919) % 2001 - 1000) / 1000 }
    var output = [Float](repeating: 0, count: tokens * weights.rows)
    let clock = ContinuousClock()
    var times: [Double] = []
    var total = 0.0
    while total < 0.33 || times.count < 3 {
      let elapsed = output.withUnsafeMutableBufferPointer { output in
        clock.measure {
          if let base = output.baseAddress {
            matmul.matmul([weights], input: input, tokens: tokens, outputs: [base], precision: precision)
          }
        }
      }
      let seconds = Double(elapsed.components.attoseconds) / 1e18 + Double(elapsed.components.seconds)
      times.append(seconds)
      total += seconds
    }
    return median(times)
  }
}
