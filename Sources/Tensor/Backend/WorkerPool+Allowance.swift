import CKernels

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

extension WorkerPool {
  /// Threads that this process may keep busy: the cores of its affinity mask, less when a cgroup limits its CPU time.
  ///
  /// At least 1. On Apple's systems the number of performance cores.
  package static var allowedThreads: Int { allowance.threads }

  /// What decides about the number of threads.
  package struct Allowance: Sendable, Equatable {
    /// Cores of the machine that are switched on.
    package let online: Int
    /// Cores that this process may run on; on Apple's systems the performance cores.
    package let affinity: Int
    /// Cores' worth of CPU time that a cgroup allows; `nil` without a limit.
    package let quota: Double?

    package var threads: Int {
      // 65536 is the most that a quota can say, so the conversion fits.
      max(1, min(affinity, quota.map { max(1, Int($0.rounded(.up))) } ?? affinity))
    }
  }

  /// The limits as they are now.
  package static var allowance: Allowance {
    let online = max(1, Int(sysconf(Int32(_SC_NPROCESSORS_ONLN))))
    #if canImport(Darwin)
      return Allowance(online: online, affinity: darwinPerformanceCores(), quota: nil)
    #else
      return Allowance(online: online, affinity: affinityCoreCount(), quota: cgroupQuota())
    #endif
  }

  /// Cores' worth of CPU time in the text of a cgroup v2 `cpu.max` file, such as `150000 100000` (1.5 cores); `nil`
  /// when the text sets no limit or isn't of that form.
  static func coresOfQuota(v2 text: String) -> Double? {
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]) else { return nil }
    return coresOfQuota(quota, period: period)
  }

  /// The path of this process's cgroup in the text of `/proc/self/cgroup`, for the v2 hierarchy (`controller` nil) or
  /// the v1 hierarchy of a controller.
  static func cgroupPath(in text: String, controller: String? = nil) -> String? {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let matches = controller.map { fields[1].split(separator: ",").contains(Substring($0)) } ?? fields[1].isEmpty
      if matches { return String(fields[2]) }
    }
    return nil
  }

  private static func coresOfQuota(_ quota: Double, period: Double) -> Double? {
    guard quota > 0, period > 0, quota.isFinite, period.isFinite else { return nil }
    let cores = quota / period
    return cores < 65536 ? cores : nil
  }

  #if canImport(Darwin)
    private static func darwinPerformanceCores() -> Int {
      var count: Int32 = 0
      var size = MemoryLayout<Int32>.size
      if sysctlbyname("hw.perflevel0.logicalcpu", &count, &size, nil, 0) == 0, count > 0 { return Int(count) }
      return Int(sysconf(_SC_NPROCESSORS_ONLN))
    }
  #else
    private static func affinityCoreCount() -> Int {
      let count = Int(ck_affinity_core_count())
      return count > 0 ? count : Int(sysconf(Int32(_SC_NPROCESSORS_ONLN)))
    }

    /// The tightest quota among this process's cgroup and its parents.
    private static func cgroupQuota() -> Double? {
      guard let membership = readSmallFile("/proc/self/cgroup") else { return nil }
      var quotas: [Double] = []
      if let path = cgroupPath(in: membership) {
        for directory in ancestors(of: path) {
          let text = readSmallFile("/sys/fs/cgroup\(directory)cpu.max")
          if let cores = text.flatMap(coresOfQuota(v2:)) { quotas.append(cores) }
        }
      }
      if let path = cgroupPath(in: membership, controller: "cpu") {
        for directory in ancestors(of: path) {
          let root = "/sys/fs/cgroup/cpu\(directory)"
          if let quota = readNumber("\(root)cpu.cfs_quota_us"), let period = readNumber("\(root)cpu.cfs_period_us"),
            let cores = coresOfQuota(quota, period: period)
          {
            quotas.append(cores)
          }
        }
      }
      return quotas.min()
    }

    /// `/a/b/`, `/a/`, `/` for `/a/b`.
    private static func ancestors(of path: String) -> [String] {
      var names = path.split(separator: "/")
      var result: [String] = []
      while !names.isEmpty {
        result.append("/" + names.joined(separator: "/") + "/")
        names.removeLast()
      }
      return result + ["/"]
    }

    private static func readNumber(_ path: String) -> Double? {
      readSmallFile(path).flatMap { Double($0.filter { !$0.isWhitespace }) }
    }

    /// The first 4 KB of a file as text.
    private static func readSmallFile(_ path: String) -> String? {
      let descriptor = open(path, O_RDONLY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      defer { close(descriptor) }
      var bytes = [UInt8](repeating: 0, count: 4096)
      // The buffer holds `bytes.count` bytes, as many as the call may write.
      let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
      guard count >= 0 else { return nil }
      return String(decoding: bytes[..<count], as: UTF8.self)
    }
  #endif
}
