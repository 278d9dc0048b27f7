#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// What Linux's control groups allow this process: the tightest limit among its own group and all that this one lies in.
///
/// ```swift
/// ControlGroup().memoryLimit   // bytes, nil without a limit
/// ```
///
/// Both hierarchies are looked at, version 2 (one tree for all) and version 1 (one tree for each controller). In a container a
/// group's path may be that of the host, of which only the root can be seen, so that every parent counts.
/// Source: the kernel's `cgroup-v2.rst` and `cgroup-v1/`.
package struct ControlGroup {
  private let root: String

  /// - Parameter root: the folder in which `proc` and `sys` lie.
  package init(root: String = "") {
    self.root = root
  }

  /// Cores' worth of CPU time.
  package var coreQuota: Double? {
    var quotas = folders("").compactMap { text("\($0)cpu.max").flatMap(Self.coresOfQuota(v2:)) }
    for folder in folders("cpu") {
      if let quota = number("\(folder)cpu.cfs_quota_us"), let period = number("\(folder)cpu.cfs_period_us"),
        let cores = Self.coresOfQuota(quota, period: period)
      {
        quotas.append(cores)
      }
    }
    return quotas.min()
  }

  /// Bytes of memory.
  package var memoryLimit: Int? {
    let limits =
      folders("").map { text("\($0)memory.max") } + folders("memory").map { text("\($0)memory.limit_in_bytes") }
    return limits.compactMap { $0.flatMap(Self.bytes) }.min()
  }

  /// The folders of this process's group and its parents, for a version 1 controller, or version 2 without a name.
  private func folders(_ controller: String) -> [String] {
    guard let membership = text("\(root)/proc/self/cgroup"),
      let path = Self.path(in: membership, controller: controller.isEmpty ? nil : controller)
    else { return [] }
    // Where both versions are mounted, the tree of version 2 lies beside those of the controllers.
    let trees = controller.isEmpty ? ["", "/unified"] : ["/\(controller)"]
    var names = path.split(separator: "/")
    // A group outside of what this process may see: only the root is there.
    if names.contains("..") { names = [] }
    var paths = [""]
    for name in names { paths.append("\(paths[paths.count - 1])/\(name)") }
    return trees.flatMap { tree in paths.map { "\(root)/sys/fs/cgroup\(tree)\($0)/" } }
  }

  private func number(_ path: String) -> Double? { text(path).flatMap { Double($0.filter { !$0.isWhitespace }) } }

  /// The first 4 KB of a file as text.
  private func text(_ path: String) -> String? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 4096)
    // The buffer holds `bytes.count` bytes, as many as the call may write.
    let count = bytes.withUnsafeMutableBytes { read(descriptor, $0.baseAddress, $0.count) }
    guard count >= 0 else { return nil }
    return String(decoding: bytes[..<count], as: UTF8.self)
  }
}

// MARK: - The kernel's texts

extension ControlGroup {
  /// The path of this process's group in the text of `/proc/self/cgroup`, for the version 2 hierarchy (`controller` nil) or
  /// the version 1 hierarchy of a controller.
  static func path(in text: String, controller: String? = nil) -> String? {
    for line in text.split(separator: "\n") {
      let fields = line.split(separator: ":", maxSplits: 2, omittingEmptySubsequences: false)
      guard fields.count == 3 else { continue }
      let matches = controller.map { fields[1].split(separator: ",").contains(Substring($0)) } ?? fields[1].isEmpty
      if matches { return String(fields[2]) }
    }
    return nil
  }

  /// Cores' worth of CPU time in the text of a version 2 `cpu.max` file, such as `150000 100000` (1.5 cores); `nil` when the
  /// text sets no limit or isn't of that form.
  static func coresOfQuota(v2 text: String) -> Double? {
    let fields = text.split(whereSeparator: \.isWhitespace)
    guard fields.count == 2, let quota = Double(fields[0]), let period = Double(fields[1]) else { return nil }
    return coresOfQuota(quota, period: period)
  }

  private static func coresOfQuota(_ quota: Double, period: Double) -> Double? {
    guard quota > 0, period > 0, quota.isFinite, period.isFinite else { return nil }
    let cores = quota / period
    return cores < 65536 ? cores : nil
  }

  /// The number in a group's file; `nil` for `max` and for the huge number with which version 1 says the same.
  static func bytes(_ text: String) -> Int? {
    Int(text.filter { !$0.isWhitespace }).flatMap { $0 > 0 && $0 < 1 << 60 ? $0 : nil }
  }
}
