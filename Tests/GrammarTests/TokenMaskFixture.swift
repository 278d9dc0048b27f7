import Grammar
import Sampling

enum TokenMaskFixture {
  static let empty = TokenMask(count: GrammarFixture.vocabulary.count)
}

extension TokenMask {
  /// The ids in ascending order.
  var ids: [Int] { (0..<count).filter { contains($0) } }
}
