import Foundation
package import Tensor
package import Transformer

/// How much memory this process may take.
package struct MemoryLimit: Sendable, Equatable {
  /// The machine's memory in bytes.
  package let physical: Int
  /// What a cgroup allows, in bytes; `nil` without a limit.
  package let cgroup: Int?
  /// What could be taken now without pushing others out, in bytes; `nil` where the system doesn't say.
  package let available: Int?

  /// The limits of the machine that this runs on.
  package init() {
    let status = Self.text("/proc/meminfo")
    physical = Int(clamping: ProcessInfo.processInfo.physicalMemory)
    available = status.flatMap { Self.kilobytes("MemAvailable", in: $0) }
    cgroup = ControlGroup().memoryLimit
  }

  package init(physical: Int, cgroup: Int? = nil, available: Int? = nil) {
    self.physical = physical
    self.cgroup = cgroup
    self.available = available
  }

  /// The most that can ever be had.
  package var bytes: Int { min(physical, cgroup ?? physical) }

  /// The value of a line such as `MemAvailable:   123 kB`, in bytes.
  static func kilobytes(_ name: String, in text: String) -> Int? {
    for line in text.split(separator: "\n") where line.hasPrefix("\(name):") {
      let digits = line.split(separator: " ").dropFirst().first.flatMap { Int($0) }
      let (bytes, overflow) = (digits ?? 0).multipliedReportingOverflow(by: 1024)
      return digits == nil || overflow ? nil : bytes
    }
    return nil
  }

  private static func text(_ path: String) -> String? { try? String(contentsOfFile: path, encoding: .utf8) }
}

extension MemoryLimit {
  /// Makes sure that a context of `contextLength` tokens has room when keys and values are kept as `element`.
  ///
  /// What is counted is the cache of keys and values alone, which grows with the context.
  ///
  /// - Throws: ``SDKError`` `.insufficientMemory` with what is needed, what there is, and how many tokens would fit.
  package func check(contextLength: Int, of model: Model, element: CacheLayout.Element) throws(SDKError) {
    let configuration = model.configuration
    let layout = CacheLayout(
      heads: configuration.keyValueHeadCount, keyLength: configuration.keyLength,
      valueLength: configuration.valueLength, element: element)
    let (perBlock, overflow) = layout.layerByteCount.multipliedReportingOverflow(by: configuration.blockCount)
    let blocks = (contextLength - 1) / CacheLayout.blockLength + 1
    let (needed, tooMuch) = perBlock.multipliedReportingOverflow(by: blocks)
    guard overflow || tooMuch || needed > bytes else { return }
    let fitting = overflow || perBlock == 0 ? 0 : bytes / perBlock * CacheLayout.blockLength
    throw SDKError(
      code: .insufficientMemory,
      message:
        "a context of \(contextLength) tokens takes \(overflow || tooMuch ? "more than \(Int.max)" : "\(needed)") "
        + "bytes, and \(cgroup == nil ? "this machine has" : "this process may have") \(bytes); "
        + "ask for at most \(fitting) tokens")
  }
}
