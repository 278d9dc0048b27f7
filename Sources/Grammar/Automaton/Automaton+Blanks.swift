/// White space between the tokens of a JSON text.
extension Automaton {
  private var whitespace: GrammarOptions.Whitespace { program.options.whitespace }

  /// How many blanks may come at this place, and how many must.
  func blanks(_ step: ContainerPhase.Step) -> (needed: Int32, allowed: Int32) {
    switch whitespace {
    case .compact: (0, 0)
    case .spaced: step == .comma || step == .gap ? (1, 1) : (0, 0)
    case .flexible(let maximum): (0, Int32(clamping: max(0, min(maximum, 255))))
    }
  }

  /// The phase after one more blank, or `nil` when `byte` is none or may not come here.
  func blank(_ phase: ContainerPhase, _ byte: UInt8) -> ContainerPhase? {
    guard phase.blanks < blanks(phase.step).allowed else { return nil }
    if case .flexible = whitespace {
      guard byte == 0x20 || byte == 0x0A || byte == 0x09 || byte == 0x0D else { return nil }
    } else {
      guard byte == 0x20 else { return nil }
    }
    var next = phase
    next.blanks += 1
    return next
  }

  func hasEnoughBlanks(_ phase: ContainerPhase) -> Bool { phase.blanks >= blanks(phase.step).needed }

  func blankBytes(_ phase: ContainerPhase) -> ByteSet {
    guard phase.blanks < blanks(phase.step).allowed else { return ByteSet() }
    if case .flexible = whitespace { return ByteSet([0x20, 0x0A, 0x09, 0x0D]) }
    return ByteSet([0x20])
  }
}
