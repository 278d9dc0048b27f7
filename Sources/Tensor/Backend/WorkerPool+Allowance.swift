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
      return Allowance(online: online, affinity: affinityCoreCount(), quota: ControlGroup().coreQuota)
    #endif
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
  #endif
}
