import Grammar
import JSON

extension OutputConstraint {
  private static let doubt = 0.01
  /// Names of fewer bytes may be the beginnings of words that an answer speaks of.
  private static let shortestTelling = 6

  /// The choice between an answer and calls, made once, before the first token.
  ///
  /// Small models begin an answer with "To find …, you can use the function …" where they mean a call: of each beginning
  /// of a call that they know the probability is small, but not of all together. So the beginnings are weighed, not
  /// sampled: when they have the share, the turn is calls, in the canonical form; otherwise it is an answer.
  package struct Opening: Sendable {
    /// The beginnings of calls, in every spelling that is known.
    package let spellings: [Spelling]
    /// The probability from which on the turn is calls.
    package let share: Double
    /// The probability from which on an answer is doubtful.
    package var doubt: Double { OutputConstraint.doubt }
    /// What the turn then is: exactly one constraint.
    fileprivate let held: [OutputConstraint]

    /// What the turn is if it is calls.
    package var calls: OutputConstraint? { held.first }

    /// A way in which calls begin.
    package struct Spelling: Sendable {
      /// What stands before the tool's name, the same for all.
      package let before: String
      /// The name of each tool as it is then written.
      package let names: [String]
    }
  }

  /// The constraint of a turn whose first token is preceded by the choice between an answer and calls.
  ///
  /// An answer may still turn to calls where the family marks them; a text in which a tool is named as in a call is no
  /// answer.
  ///
  /// - Parameters:
  ///   - share: the probability that the beginnings of calls must have together.
  ///   - isBehindResults: whether the turn follows results; an answer then doesn't begin as code or data do.
  package static func weighed(
    _ tools: [CallableTool], format: any CallFormat, maximum: Int, selection: ToolSelection, share: Double,
    isBehindResults: Bool
  ) -> OutputConstraint {
    let calls = OutputConstraint.calls(tools, format: format, maximum: maximum, selection: selection)
    let text = answerText(tools, format: format, beginsAsText: isBehindResults)
    var branches = [Branch(text, isText: true)]
    if let marks = format.marks, !marks.closing.isEmpty {
      branches.append(
        Branch(
          .sequence([text, format.canonicalCalls(tools, maximum: maximum)]), longestString: format.longestString))
    }
    var constraint = OutputConstraint(
      branches, toolNames: tools.map(\.name), format: format, choice: calls.choice,
      decidesWhole: selection != .tokenByToken, maximum: maximum, toolKey: toolKey(tools),
      key: key(isBehindResults ? "weighed behind results" : "weighed", tools, format, maximum))
    constraint.opening = Opening(spellings: spellings(of: format, tools), share: share, held: [calls])
    return constraint
  }

  /// The same, with arguments that can only be one of few values chosen as a whole.
  package func choosingValues() -> OutputConstraint {
    var constraint = self
    constraint.choosesValues = true
    if let opening {
      constraint.opening = Opening(
        spellings: opening.spellings, share: opening.share, held: opening.held.map { $0.choosingValues() })
    }
    return constraint
  }

  /// Text in which no call is written, in whatever spelling.
  static func answerText(
    _ tools: [CallableTool], format: any CallFormat, beginsAsText: Bool
  ) -> GrammarExpression {
    var excluded = format.notInText
    for tool in tools {
      // A model that is kept from the name writes it with a blank before or in it, or another ending: of long names the
      // first half is enough.
      let scalars = Array(tool.name.unicodeScalars)
      var name = "\(tool.name)\""
      if scalars.count >= OutputConstraint.shortestTelling {
        name = ""
        name.unicodeScalars += scalars.prefix(max(OutputConstraint.shortestTelling, scalars.count / 2))
      }
      for blank in [" ", ""] {
        excluded += ["\"name\":\(blank)\"\(name)", "\"name\":\(blank)\" \(name)"]
      }
    }
    if format.takesLists { excluded += tools.map { "[\($0.name)(" } }
    let text = GrammarExpression.text(excluding: excluded)
    // Objects, lists, fences and tags begin with one of these; an answer in words doesn't.
    return beginsAsText ? .sequence([.regex("[^\\{\\[`<\\s]"), text]) : text
  }

  /// The family's own spelling, and those of an object: as it stands, in a list, in a fence, with doubled braces.
  private static func spellings(of format: any CallFormat, _ tools: [CallableTool]) -> [Opening.Spelling] {
    let own = Opening.Spelling(before: format.choiceTrigger, names: tools.map { format.choice(of: $0.name) })
    let objects = [
      "{\"name\":", "{\n  \"name\":", "{\n    \"name\":", "{\n\"name\":", "{{\"name\":", "[{\"name\":",
      "[\n  {\n    \"name\":", "{\"type\": \"function\", \"name\":",
    ]
    let fences = ["```json\n", "```\n", "```tool_call\n"]
    let marks = format.marks.map { ["\($0.opening)\n", $0.opening] } ?? []
    let names = tools.map { " \(JSONValue.string($0.name).spaced)" }
    let others = ([""] + fences + marks).flatMap { before in objects.map { before + $0 } }
    return [own] + others.filter { $0 != own.before }.map { Opening.Spelling(before: $0, names: names) }
  }
}
