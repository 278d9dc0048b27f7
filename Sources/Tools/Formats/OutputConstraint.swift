package import Grammar
import JSON

/// What a turn may be: one or more grammars, all alive from the first byte.
package struct OutputConstraint: Sendable {
  /// One thing that a turn may be.
  package struct Branch: Sendable {
    package let expression: GrammarExpression
    /// Whether JSON in it may be laid out freely; otherwise it is in the spaced form that models were trained on.
    package let freeLayout: Bool
    /// The most characters of strings that their schemas don't bound.
    package let longestString: Int?
    /// Whether this is a turn without calls.
    package let isText: Bool

    package init(
      _ expression: GrammarExpression, freeLayout: Bool = false, longestString: Int? = nil, isText: Bool = false
    ) {
      self.expression = expression
      self.freeLayout = freeLayout
      self.longestString = longestString
      self.isText = isText
    }
  }

  /// How a turn ends that has nearly used up its tokens.
  package enum Ending: Sendable {
    /// Only brackets and marks are closed; a value that is still being written stays unfinished, so that no tool runs
    /// with half an argument.
    case closingOnly
    /// By the shortest legal text, whatever it is: a document, and calls of models whose strings are cut anyway.
    case shortest
  }

  /// A choice among names that is made as a whole, not token by token.
  package struct ClosedChoice: Sendable, Equatable {
    /// The text behind which the choice stands.
    package let trigger: [UInt8]
    /// The texts to choose from, up to where they differ no more.
    package let alternatives: [[UInt8]]
    /// Whether the leaning that shows when nothing is asked is taken off.
    package let isCalibrated: Bool
  }

  /// The choice among the tools, where it is made as a whole.
  package let choice: ClosedChoice?
  /// What the turn may be.
  package let branches: [Branch]
  /// The names of the tools; see ``isCall(_:)``.
  private let toolNames: [String]
  private let format: (any CallFormat)?
  /// Whether another call or the end is decided by the whole of what another call begins with.
  private let decidesWhole: Bool
  package let ending: Ending
  /// Whether arguments that can only be one of few values are chosen as a whole.
  package internal(set) var choosesValues = false
  /// The choice between an answer and calls before the first token, where it is made there.
  package internal(set) var opening: Opening?
  /// The most calls in the turn.
  private let maximum: Int
  /// Equal keys mean equal tools.
  private let toolKey: String
  /// Equal keys mean equal branches; compiled grammars are kept by it.
  package let key: String

  package init(
    _ branches: [Branch], toolNames: [String] = [], format: (any CallFormat)? = nil, choice: ClosedChoice? = nil,
    decidesWhole: Bool = false, maximum: Int = 1, toolKey: String = "", ending: Ending = .closingOnly, key: String
  ) {
    self.branches = branches
    self.toolNames = toolNames
    self.format = format
    self.choice = choice
    self.decidesWhole = decidesWhole
    self.ending = ending
    self.maximum = maximum
    self.toolKey = toolKey
    self.key = key
  }

  /// Whether `bytes`, the turn so far, begins with a call up to where its tool's name is complete. From there on the turn can only be a call: branches of text are dropped, if a branch of calls is alive.
  package func isCall(_ bytes: [UInt8]) -> Bool {
    guard let format, !toolNames.isEmpty else { return false }
    return CallOpening.namesTool(bytes, names: toolNames, form: CallForm(format))
  }

  /// Whether a call's name may be complete behind this byte: the quote of a JSON object or the parenthesis of a call in
  /// Python's notation. Other calls are told from text by their marks.
  package static func mayCompleteName(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "(") }

  /// Whether `bytes`, the turn so far, may be ended by brackets and marks alone without cutting a value short.
  package func isBehindValue(_ bytes: [UInt8]) -> Bool {
    guard let format else { return false }
    var parser = AnswerParser(format: format, toolNames: toolNames)
    _ = parser.feed(String(decoding: bytes, as: UTF8.self))
    return parser.isBehindValue
  }

  /// What must follow behind a call if anything does, for a choice between that and the end as a whole.
  package var continuation: [UInt8]? {
    guard decidesWhole, let format, !format.continuation.isEmpty else { return nil }
    return Array(format.continuation.utf8)
  }

  /// What is to be known about the model before the turn: how it chooses when nothing is asked.
  package var leanings: Leanings? {
    let choice = choice.flatMap { $0.isCalibrated ? $0 : nil }
    let example = maximum > 1 && decidesWhole ? format.flatMap { $0.example(toolNames.first) } : nil
    guard choice != nil || example != nil, let format else { return nil }
    return Leanings(
      choice: choice, callExample: example, continuation: Array(format.continuation.utf8),
      key: "\(format.kind.rawValue) \(choice != nil) \(example != nil) \(toolKey)")
  }

  /// Choices whose outcome is to be known for a request that asks nothing.
  package struct Leanings: Sendable {
    /// The choice among tools.
    package let choice: ClosedChoice?
    /// A call, control marks included, behind which another call may follow.
    package let callExample: String?
    /// What another call begins with.
    package let continuation: [UInt8]
    /// Equal keys mean the same tools in the same form.
    package let key: String
  }

  /// The mark behind a call, if there is one.
  package var closingMark: String? { (format?.marks?.closing).flatMap { $0.isEmpty ? nil : $0 } }
}

extension GrammarOptions {
  /// The options under which calls are held to their schemas.
  package static let toolCalls: GrammarOptions = {
    var options = GrammarOptions()
    options.closesObjects = true
    return options
  }()
}

extension OutputConstraint.Branch {
  /// The options under which the branch is compiled.
  package var options: GrammarOptions {
    var options = GrammarOptions.toolCalls
    options.maximumStringLength = longestString
    // Who rambles in strings rambles in lists and numbers as well.
    if longestString != nil {
      options.maximumItems = 12
      options.maximumDigits = 12
    }
    if freeLayout { options.whitespace = .flexible(maximum: 16) }
    return options
  }
}

extension OutputConstraint {
  /// The constraint of a turn that is held to calls from its first byte.
  package static func calls(
    _ tools: [CallableTool], format: any CallFormat, maximum: Int, selection: ToolSelection = .tokenByToken
  ) -> OutputConstraint {
    OutputConstraint(
      [Branch(format.canonicalCalls(tools, maximum: maximum), longestString: format.longestString)],
      toolNames: tools.map(\.name), format: format,
      choice: choice(tools, format, selection), decidesWhole: selection != .tokenByToken, maximum: maximum,
      toolKey: toolKey(tools), ending: format.longestString == nil ? .closingOnly : .shortest,
      key: key("calls", tools, format, maximum))
  }

  /// The constraint of a turn that is an answer or calls, as the model likes.
  package static func answerOrCalls(
    _ tools: [CallableTool], format: any CallFormat, maximum: Int, selection: ToolSelection = .tokenByToken
  ) -> OutputConstraint {
    OutputConstraint(
      [
        Branch(.text(excluding: format.notInText), isText: true),
        Branch(
          format.spelledCalls(tools, maximum: maximum), freeLayout: true, longestString: format.longestString),
      ], toolNames: tools.map(\.name), format: format, choice: choice(tools, format, selection),
      decidesWhole: selection != .tokenByToken, maximum: maximum, toolKey: toolKey(tools),
      key: key("auto", tools, format, maximum))
  }

  /// The constraint of a turn that must not call, though tools are in the prompt.
  package static func answer(_ tools: [CallableTool], format: any CallFormat) -> OutputConstraint {
    OutputConstraint(
      [Branch(answerText(tools, format: format, beginsAsText: true), isText: true)],
      key: key("answer", tools, format, 0))
  }

  private static func choice(
    _ tools: [CallableTool], _ format: any CallFormat, _ selection: ToolSelection
  ) -> ClosedChoice? {
    guard selection != .tokenByToken, tools.count > 1 else { return nil }
    return ClosedChoice(
      trigger: Array(format.choiceTrigger.utf8), alternatives: tools.map { Array(format.choice(of: $0.name).utf8) },
      isCalibrated: selection == .calibrated)
  }

  /// The constraint of a turn that is one JSON document.
  package static func document(_ schema: JSONSchema) -> OutputConstraint {
    OutputConstraint(
      [Branch(.json(schema: schema.value))], ending: .shortest, key: "document \(schema.value.compact)")
  }

  static func key(_ kind: String, _ tools: [CallableTool], _ format: any CallFormat, _ maximum: Int) -> String {
    "\(kind) \(format.kind.rawValue) \(maximum) \(toolKey(tools))"
  }

  static func toolKey(_ tools: [CallableTool]) -> String {
    tools.map { "\($0.name) \($0.schema.compact)" }.joined(separator: "\n")
  }
}
