import Foundation
import Tensor

/// What this machine offers to the engine, and what the engine makes of it: for reports.
package struct MachineInspection: Sendable {
  /// The processor's name as the system gives it.
  package let processor: String
  /// The instruction sets that kernels are written for and that the processor has.
  package let features: [String]
  /// The chosen set of kernels, and every one that this machine could run.
  package let kernelLevel: String
  package let kernelLevels: [String]
  /// What the environment asks for in place of the best level (`RA_KERNEL_LEVEL`).
  package let wantedLevel: String?
  /// The kernels of every level against their definition.
  package let checks: [LevelCheck]
  package let cores: Int
  /// Cores that this process may run on.
  package let allowedCores: Int
  /// Cores' worth of CPU time that a cgroup allows.
  package let quota: Double?
  /// Threads that compute unless told otherwise.
  package let threads: Int
  /// The BLAS library in use.
  package let blas: String
  package let memory: MemoryLimit
  package let isDebugBuild: Bool

  /// The kernels of one level, each compared with the readable definition of its format.
  package struct LevelCheck: Sendable {
    package let level: String
    package let kernels: Int
    /// Kernels that compute something else, with the error.
    package let unsound: [(kernel: String, error: Float)]
    package let seconds: Double
  }

  package init() {
    let allowance = WorkerPool.allowance
    processor = Self.processorName
    features = Self.processorFeatures
    kernelLevel = KernelLevel.best.name
    kernelLevels = KernelLevel.available.map(\.name)
    wantedLevel = ProcessInfo.processInfo.environment["RA_KERNEL_LEVEL"]
    checks = KernelLevel.available.map { level in
      var findings: [KernelSelfCheck.Finding] = []
      let time = ContinuousClock().measure { findings = KernelSelfCheck.run(level) }
      return LevelCheck(
        level: level.name, kernels: findings.count,
        unsound: findings.filter { !$0.isSound }.map { ($0.kernel, $0.error) }, seconds: time / .seconds(1))
    }
    cores = allowance.online
    allowedCores = allowance.affinity
    quota = allowance.quota
    threads = allowance.threads
    blas = BLASDescription.text
    memory = MemoryLimit()
    #if DEBUG
      isDebugBuild = true
    #else
      isDebugBuild = false
    #endif
  }

  /// Why this level was chosen, for people.
  package var kernelReason: String {
    if let wantedLevel, wantedLevel == kernelLevel { return "RA_KERNEL_LEVEL asks for it" }
    let best = kernelLevels.last ?? kernelLevel
    return best == kernelLevel ? "the best for this processor" : "\(best) doesn't compute right here"
  }

  /// Why there are so many threads, for people.
  package var threadsReason: String {
    if let quota, Double(allowedCores) > quota {
      let cores = String(format: "%.1f", locale: nil, quota)
      return "a cgroup allows \(cores) cores' worth of CPU time"
    }
    if allowedCores < cores { return "this process may run on \(allowedCores) of \(cores) cores" }
    return cores == 1 ? "the machine has one core" : "one for each of \(cores) cores"
  }

  /// A line of `/proc/cpuinfo` by its name; `nil` where there is no such file.
  private static func processorField(_ names: [String]) -> String? {
    guard let text = try? String(contentsOfFile: "/proc/cpuinfo", encoding: .utf8) else { return nil }
    for line in text.split(separator: "\n") {
      let parts = line.split(separator: ":", maxSplits: 1)
      guard parts.count == 2 else { continue }
      if names.contains(parts[0].trimmingCharacters(in: .whitespaces)) {
        return parts[1].trimmingCharacters(in: .whitespaces)
      }
    }
    return nil
  }

  private static var processorName: String {
    #if canImport(Darwin)
      var size = 0
      sysctlbyname("machdep.cpu.brand_string", nil, &size, nil, 0)
      var bytes = [UInt8](repeating: 0, count: max(size, 1))
      // The buffer holds `size` bytes, as many as the call may write.
      sysctlbyname("machdep.cpu.brand_string", &bytes, &size, nil, 0)
      return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
    #else
      return processorField(["model name", "Model"]) ?? "unknown"
    #endif
  }

  private static var processorFeatures: [String] {
    let wanted: Set<String> = [
      "avx", "avx2", "fma", "f16c", "avx512f", "avx512bw", "avx512dq", "avx512vl", "avx512_vnni", "avx512_bf16",
      "avx_vnni", "amx_int8", "asimd", "asimddp", "asimdhp", "i8mm", "bf16", "sve",
    ]
    let found = processorField(["flags", "Features"])?.split(separator: " ").map(String.init) ?? []
    return found.filter(wanted.contains)
  }
}
