import Testing

@testable import Tensor

@Suite struct KernelSelfCheckTests {
  @Test func everyKernelOfEveryLevelIsSound() {
    for level in KernelLevel.available {
      let findings = KernelSelfCheck.run(level)
      #expect(findings.count == 3 * ElementType.allCases.count)
      for finding in findings where !finding.isSound {
        Issue.record("\(level.name): \(finding.kernel) is off by \(finding.error)")
      }
    }
  }

  @Test func theChecksReachEveryRoute() {
    let routes = Set(KernelSelfCheck.run(.best).map { $0.kernel.prefix { $0 != " " } })
    guard KernelLevel.best != .scalar else { return #expect(routes == ["float"]) }
    #expect(routes.isSuperset(of: ["float", "dot", "panel"]))
  }

  @Test func errorsAndNaNsAreUnsound() {
    #expect(KernelSelfCheck.Finding(kernel: "", error: 1e-6).isSound)
    #expect(!KernelSelfCheck.Finding(kernel: "", error: 1e-4).isSound)
    #expect(!KernelSelfCheck.Finding(kernel: "", error: .nan).isSound)
  }

  @Test func theBestLevelCanRun() { #expect(KernelLevel.best.isAvailable) }
}
