import JSON

/// Tells text and calls apart while a turn is being generated.
///
/// ```swift
/// var parser = AnswerParser(format: HermesFormat(), toolNames: ["get_weather"])
/// parser.feed("<tool_call>\n{\"name\": \"get_weather\", \"argu")   // [.callStarted("get_weather")]
/// parser.feed("ments\": {\"city\": \"Paris\"}}\n</tool_call>")      // [.arguments(…), .call(…)]
/// ```
///
/// Marked calls are found anywhere. A bare or fenced object counts as a call only at the start of the answer and only
/// when it names a tool; everything else is text. Text that could still become a call is held back.
package struct AnswerParser {
  private enum State {
    /// At the start of the answer, where a call may stand in any spelling.
    case opening
    /// In text; only a mark begins a call.
    case text
    /// In what may be, or is, a call.
    case call(any CallScanner, decided: Bool)
    /// In something marked as a call that isn't one; up to the closing mark.
    case malformed
    /// Behind a call, where its closing marks, another call or text may follow.
    case between
  }

  private let form: CallForm
  private let toolNames: Set<String>
  /// Whether an object that names no tool may still be a call (to be answered with an error).
  private let acceptsUnknownNames: Bool
  private let allowsCalls: Bool

  private var state = State.opening
  /// Bytes not yet told: they may become part of a call.
  private var held: [UInt8] = []
  /// Whether the call at hand was opened by a mark.
  private var isMarked = false
  /// Whether a list of calls in Python's notation is open.
  private var isInList = false
  /// Whether a fence was opened that isn't closed yet.
  private var isFenced = false
  private var text: [UInt8] = []
  private var arguments: [UInt8] = []
  private var pieces: [AnswerPiece] = []

  /// A parser for one turn.
  ///
  /// - Parameters:
  ///   - acceptsUnknownNames: whether a complete object that looks like a call of a tool that doesn't exist is one.
  ///   - allowsCalls: when false, everything is text.
  package init(
    format: any CallFormat, toolNames: [String], acceptsUnknownNames: Bool = false, allowsCalls: Bool = true
  ) {
    form = CallForm(format)
    self.toolNames = Set(toolNames)
    self.acceptsUnknownNames = acceptsUnknownNames
    self.allowsCalls = allowsCalls
  }

  /// Takes more of the turn, whole characters at a time; the pieces that are sure now.
  package mutating func feed(_ delta: String) -> [AnswerPiece] {
    guard allowsCalls else { return delta.isEmpty ? [] : [.text(delta)] }
    for byte in delta.utf8 { take(byte) }
    return flush()
  }

  /// The turn is over; what was held back.
  ///
  /// - Parameter mustCall: whether the turn could only be calls, so that the first bytes of one are no text.
  package mutating func finish(mustCall: Bool = false) -> [AnswerPiece] {
    switch state {
    case .opening where mustCall && !held.allSatisfy(CallOpening.isBlank), .opening where endsInMark,
      .text where endsInMark:
      flushText()
      pieces.append(.unfinishedCall(String(decoding: held, as: UTF8.self)))
    case .opening, .text:
      text += held
    case .between:
      break
    case .call(let scanner, let decided):
      if decided || isMarked || mustCall {
        // Arguments are told of a call that was told.
        if !decided || !scanner.tellsArguments { arguments = [] }
        flushArguments()
        flushText()
        pieces.append(.unfinishedCall(String(decoding: scanner.bytes, as: UTF8.self)))
      } else {
        text += held
      }
    case .malformed:
      flushText()
      pieces.append(.unfinishedCall(String(decoding: held, as: UTF8.self)))
    }
    held = []
    state = .text
    return flush()
  }

  /// Whether the text so far may be ended by brackets and marks alone without cutting a value short: it stands behind a
  /// value inside a call, or behind a call.
  var isBehindValue: Bool {
    switch state {
    case .call(let scanner, let decided): (decided || isMarked) && scanner.isBehindValue
    case .between: true
    case .opening, .text, .malformed: false
    }
  }

  /// Whether what is held back is the whole mark of a call, and nothing of the call.
  private var endsInMark: Bool { !form.opening.isEmpty && held.starts(with: form.opening) }

  private mutating func take(_ byte: UInt8) {
    switch state {
    case .opening:
      held.append(byte)
      decideOpening()
    case .text:
      held.append(byte)
      findMark()
    case .call(var scanner, let decided):
      if !decided { held.append(byte) }
      // The state lets go of the scanner, so that its bytes aren't copied.
      state = .between
      let step = scanner.scan(byte)
      state = .call(scanner, decided: decided)
      follow(step, scanner, decided: decided)
    case .malformed:
      held.append(byte)
      endMalformed()
    case .between:
      held.append(byte)
      decideBetween()
    }
  }

  // MARK: Where calls begin

  private mutating func decideOpening() {
    switch CallOpening.find(in: held, form: form, isInList: isInList) {
    case .undecided: break
    case .text:
      state = .text
      isMarked = false
      isInList = false
      let bytes = held
      held = []
      for byte in bytes { take(byte) }
    case .call(let start, let scanner, let marked):
      begin(scanner, at: start, marked: marked)
    case .malformed:
      state = .malformed
    }
  }

  private mutating func begin(_ scanner: any CallScanner, at start: Int, marked: Bool) {
    isMarked = marked || isInList && isMarked
    if !isInList, scanner is PythonCallScanner { isInList = marked || held[..<start].contains(UInt8(ascii: "[")) }
    if held[..<start].contains(UInt8(ascii: "`")) { isFenced = true }
    // The bytes of the call are scanned like those to come.
    let rest = Array(held[start...])
    state = .call(scanner, decided: false)
    held.removeLast(rest.count)
    for byte in rest { take(byte) }
  }

  private mutating func findMark() {
    let opening = form.opening
    guard !opening.isEmpty else {
      text += held
      held = []
      return
    }
    while !held.isEmpty {
      if held.starts(with: opening) {
        decideOpening()
        return
      }
      if opening.starts(with: held) { return }
      text.append(held.removeFirst())
    }
  }

  // MARK: Inside a call

  private mutating func follow(_ step: CallScannerStep, _ scanner: any CallScanner, decided: Bool) {
    switch step {
    case .none: break
    case .arguments:
      if let byte = scanner.bytes.last { arguments.append(byte) }
    case .named(let name):
      guard toolNames.contains(name) || isMarked else {
        if !acceptsUnknownNames { giveUp() }
        return
      }
      flushText()
      pieces.append(.callStarted(name))
      held = []
      state = .call(scanner, decided: true)
    case .refused:
      refuse(scanner, decided: decided)
    case .ended:
      end(scanner, decided: decided)
    }
  }

  private mutating func end(_ scanner: any CallScanner, decided: Bool) {
    do {
      let call = try scanner.call()
      if !decided {
        guard isMarked || scanner.looksComplete else { return giveUp() }
        flushText()
        pieces.append(.callStarted(call.name))
      }
      if !scanner.tellsArguments { arguments = Array(JSONValue.object(call.arguments).spaced.utf8) }
      // The byte that ends JSON arguments ends the call as well.
      if scanner is NamedCallScanner { arguments.append(UInt8(ascii: "}")) }
      flushArguments()
      pieces.append(.call(name: call.name, arguments: call.arguments))
    } catch {
      guard decided || isMarked else { return giveUp() }
      flushText()
      arguments = []
      pieces.append(.malformedCall(String(decoding: scanner.bytes, as: UTF8.self), reason: error.reason))
    }
    held = []
    state = .between
  }

  /// The call can't go on as it has begun. One that was told already ends as malformed; what follows it is text.
  private mutating func refuse(_ scanner: any CallScanner, decided: Bool) {
    guard decided else { return giveUp() }
    held = scanner.bytes
    guard !isMarked else { return giveUp() }
    flushText()
    pieces.append(
      .malformedCall(String(decoding: held, as: UTF8.self), reason: "there is no JSON object of a call behind its name")
    )
    arguments = []
    held = []
    state = .text
  }

  /// What looked like a call isn't one.
  private mutating func giveUp() {
    arguments = []
    if isMarked {
      state = .malformed
      endMalformed()
    } else {
      text += held
      held = []
      state = .text
    }
  }

  private mutating func endMalformed() {
    let (opening, closing) = (form.opening, form.closing)
    guard !closing.isEmpty, held.count >= closing.count, held.suffix(closing.count) == closing[...] else { return }
    flushText()
    let inside = held.dropLast(closing.count)
    let body = inside.starts(with: opening) ? inside.dropFirst(opening.count) : inside
    pieces.append(
      .malformedCall(
        String(decoding: body, as: UTF8.self), reason: "the call has no name and arguments in the expected form"))
    held = []
    state = .between
  }

  // MARK: Behind a call

  private mutating func decideBetween() {
    let closing = form.closing
    while let first = held.first {
      let isSeparator =
        CallOpening.isBlank(first) || first == UInt8(ascii: ";") || first == UInt8(ascii: ",")
        || first == UInt8(ascii: "]") || first == UInt8(ascii: "}")
      if isSeparator {
        if first == UInt8(ascii: "]") { isInList = false }
        held.removeFirst()
      } else if !closing.isEmpty, held.starts(with: closing) {
        held.removeFirst(closing.count)
        isInList = false
      } else if isFenced, held.starts(with: CallOpening.fence) {
        held.removeFirst(CallOpening.fence.count)
        isFenced = false
      } else {
        break
      }
    }
    if held.isEmpty || closing.starts(with: held) || CallOpening.fence.starts(with: held) { return }
    decideOpening()
  }

  // MARK: Telling

  private mutating func flush() -> [AnswerPiece] {
    flushText()
    if case .call(_, decided: true) = state { flushArguments() }
    defer { pieces = [] }
    return pieces
  }

  private mutating func flushText() {
    guard !text.isEmpty else { return }
    pieces.append(.text(String(decoding: text, as: UTF8.self)))
    text = []
  }

  private mutating func flushArguments() {
    guard !arguments.isEmpty else { return }
    pieces.append(.arguments(String(decoding: arguments, as: UTF8.self)))
    arguments = []
  }
}
