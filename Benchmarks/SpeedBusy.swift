import Foundation
import JSON
import Transformer

/// Decode beside other processes that want the processor all the time.
struct SpeedBusy {
  let processes: Int

  /// Measures again with the processes running, and reports what is left of the idle rates.
  func measure(
    _ plan: SpeedPlan, _ context: InferenceContext, peer: PeerCommand?, runs: Int, idle: SpeedPair,
    into report: inout BenchReport
  ) throws {
    let children = (0..<processes).map { _ in Process() }
    defer {
      for child in children where child.isRunning {
        kill(child.processIdentifier, SIGKILL)
      }
    }
    for child in children {
      child.executableURL = URL(filePath: "/bin/sh")
      // A shell's own loop; it also ends when this process is gone.
      child.arguments = [
        "-c",
        "parent=$PPID; while kill -0 $parent 2>/dev/null; do i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; done",
      ]
      try child.run()
    }
    let busy = try SpeedPair.measure(plan, context, peer: peer, runs: runs) { report.row(["\($0), busy"] + $1) }
    let share = busy.own.decode / idle.own.decode
    report["busy"] = .integer(processes)
    report["prefill_busy_tps"] = .double(busy.own.prefill)
    report["decode_busy_tps"] = .double(busy.own.decode)
    report["decode_busy_share"] = .double(share)
    report.line(
      "beside \(processes) busy processes: prefill \(fixed(busy.own.prefill)), decode \(fixed(busy.own.decode)) tokens/s, "
        + "\(fixed(100 * share, 0)) % of the idle decode")
    guard let other = busy.peer, let idleOther = idle.peer, let peer else { return }
    report["peer_decode_busy_tps"] = .double(other.decode)
    report["peer_decode_busy_share"] = .double(other.decode / idleOther.decode)
    report.line(
      "\(peer.engine) beside them: prefill \(fixed(other.prefill)), decode \(fixed(other.decode)), "
        + "\(fixed(100 * other.decode / idleOther.decode, 0)) % of its idle decode")
  }
}
