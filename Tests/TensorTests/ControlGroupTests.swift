import Foundation
import Testing

@testable import Tensor

@Suite("Limits of control groups (case 53)")
struct ControlGroupTests {
  @Test func quotaTextsAreRead() {
    #expect(ControlGroup.coresOfQuota(v2: "150000 100000\n") == 1.5)
    #expect(ControlGroup.coresOfQuota(v2: "max 100000\n") == nil)
    #expect(ControlGroup.coresOfQuota(v2: "") == nil)
    #expect(ControlGroup.coresOfQuota(v2: "100000 0") == nil)
    #expect(ControlGroup.coresOfQuota(v2: "-1 100000") == nil)
    #expect(ControlGroup.coresOfQuota(v2: "1e300 1") == nil)
  }

  @Test func memoryTextsAreRead() {
    #expect(ControlGroup.bytes("1073741824\n") == 1 << 30)
    for text in ["max\n", "9223372036854771712\n", "-1", "0", "", "1 2 x", "99999999999999999999"] {
      #expect(ControlGroup.bytes(text) == nil, "\(text)")
    }
  }

  @Test func pathsAreFound() {
    let text = "12:cpu,cpuacct:/docker/abc\n3:memory:/m\n0::/user.slice/a:b\n"
    #expect(ControlGroup.path(in: text) == "/user.slice/a:b")
    #expect(ControlGroup.path(in: text, controller: "cpu") == "/docker/abc")
    #expect(ControlGroup.path(in: text, controller: "blkio") == nil)
    #expect(ControlGroup.path(in: "nonsense") == nil)
  }

  /// A machine with these files, by their paths.
  private func limits(_ files: [String: String]) throws -> (cores: Double?, bytes: Int?) {
    let root = FileManager.default.temporaryDirectory.appending(path: "cgroup-\(UUID().uuidString)")
    defer { try? FileManager.default.removeItem(at: root) }
    for (path, text) in files {
      let file = root.appending(path: path)
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(text.utf8).write(to: file)
    }
    let group = ControlGroup(root: root.path)
    return (group.coreQuota, group.memoryLimit)
  }

  @Test("the tightest limit of a group and its parents counts, in both versions")
  func trees() throws {
    let none = try limits([:])
    #expect(none.cores == nil && none.bytes == nil)

    let own = try limits([
      "proc/self/cgroup": "0::/a/b\n", "sys/fs/cgroup/a/b/cpu.max": "150000 100000\n",
      "sys/fs/cgroup/a/cpu.max": "max 100000\n", "sys/fs/cgroup/a/b/memory.max": "max\n",
      "sys/fs/cgroup/a/memory.max": "2000000\n", "sys/fs/cgroup/memory.max": "3000000\n",
    ])
    #expect(own.cores == 1.5 && own.bytes == 2_000_000)

    // Another group's limit is none of ours.
    let other = try limits([
      "proc/self/cgroup": "0::/a\n", "sys/fs/cgroup/b/memory.max": "5\n", "sys/fs/cgroup/a/b/memory.max": "6\n",
    ])
    #expect(other.bytes == nil)

    // A container that sees its own tree only, under the host's path.
    let container = try limits([
      "proc/self/cgroup": "0::/../../docker/x\n", "sys/fs/cgroup/memory.max": "7000\n",
      "sys/fs/cgroup/cpu.max": "50000 100000",
    ])
    #expect(container.cores == 0.5 && container.bytes == 7000)

    let old = try limits([
      "proc/self/cgroup": "4:memory:/m/n\n3:cpu,cpuacct:/c\n0::/\n",
      "sys/fs/cgroup/memory/m/memory.limit_in_bytes": "4096\n",
      "sys/fs/cgroup/memory/m/n/memory.limit_in_bytes": "9223372036854771712\n",
      "sys/fs/cgroup/cpu/c/cpu.cfs_quota_us": "200000\n", "sys/fs/cgroup/cpu/c/cpu.cfs_period_us": "100000\n",
      "sys/fs/cgroup/cpu/cpu.cfs_quota_us": "-1\n", "sys/fs/cgroup/cpu/cpu.cfs_period_us": "100000\n",
    ])
    #expect(old.cores == 2 && old.bytes == 4096)

    let both = try limits([
      "proc/self/cgroup": "4:memory:/m\n0::/u\n", "sys/fs/cgroup/memory/m/memory.limit_in_bytes": "4096\n",
      "sys/fs/cgroup/unified/u/cpu.max": "100000 100000\n",
    ])
    #expect(both.cores == 1 && both.bytes == 4096)
  }

  @Test func oddFilesAreNoLimit() throws {
    let odd = try limits([
      "proc/self/cgroup": "0::/a\nx\n::\n", "sys/fs/cgroup/a/memory.max": String(repeating: "9", count: 10_000),
      "sys/fs/cgroup/memory.max/x": "a folder", "sys/fs/cgroup/a/cpu.max": "\u{0}",
    ])
    #expect(odd.cores == nil && odd.bytes == nil)
  }
}
