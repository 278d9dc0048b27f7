import Arguments
import Synchronization

/// Prints an answer piece by piece on standard output.
///
/// On a terminal control characters are replaced, since the text is a model's and may hold anything; into a pipe or file
/// it goes as it is.
struct AnswerPrinter: Sendable {
  private let isTerminal = Console.output.isTerminal

  /// - Throws: ``ReaderGone`` when nobody reads any more, which ends the generation.
  func print(_ piece: String) throws(ReaderGone) {
    try Console.print(isTerminal ? Self.harmless(piece) : piece, terminator: "")
  }

  /// `text` with U+FFFD for control characters other than line feeds and tabs.
  static func harmless(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      let isHarmless = scalar == "\n" || scalar == "\t" || scalar.properties.generalCategory != .control
      result.unicodeScalars.append(isHarmless ? scalar : "\u{FFFD}")
    }
    return result
  }
}
