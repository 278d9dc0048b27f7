import Synchronization

/// Hands out tiles of rows of several matrices, each tile once.
///
/// The tiles form one sequence, cut into a span for each worker. A worker takes its own tiles from the front, so that it
/// reads memory as one stream: two threads that take turns along one stream read a third more slowly. When its span is
/// empty it takes others' tiles from their far ends, so all are busy until the last one.
final class TileQueue: Sendable {
  struct Tile: Equatable {
    /// Index of the matrix.
    let item: Int
    let rows: Range<Int>
  }

  /// The rows of one matrix, and how many of them make a tile; the last tile may have fewer.
  struct Item {
    let rows: Int
    let tileRows: Int
    var tiles: Int { (rows + tileRows - 1) / tileRows }
  }

  private let items: [Item]
  private let spans: [Span]

  init(_ items: [Item], workers: Int) {
    precondition(workers > 0 && items.allSatisfy { $0.tileRows > 0 })
    self.items = items
    let tiles = items.reduce(0) { $0 + $1.tiles }
    precondition(tiles <= UInt32.max)
    spans = (0..<workers).map { Span(tiles * $0 / workers..<tiles * ($0 + 1) / workers) }
  }

  /// The next tile for `worker`, or `nil` when all are taken.
  func next(_ worker: Int) -> Tile? {
    if let index = spans[worker].takeFirst() { return tile(index) }
    for step in 1..<max(spans.count, 1) {
      if let index = spans[(worker + step) % spans.count].takeLast() { return tile(index) }
    }
    return nil
  }

  private func tile(_ index: Int) -> Tile? {
    var index = index
    for (number, item) in items.enumerated() {
      if index < item.tiles {
        let first = index * item.tileRows
        return Tile(item: number, rows: first..<min(first + item.tileRows, item.rows))
      }
      index -= item.tiles
    }
    return nil
  }
}

/// A range of which both ends can be taken by any thread.
private final class Span: Sendable {
  /// Lower bound in the upper half, upper bound in the lower half.
  private let bounds: Atomic<UInt64>

  init(_ range: Range<Int>) {
    bounds = Atomic(UInt64(range.lowerBound) << 32 | UInt64(range.upperBound))
  }

  func takeFirst() -> Int? { take(adding: 1 << 32, last: false) }

  func takeLast() -> Int? { take(adding: UInt64.max, last: true) }

  // Tiles are independent of each other, so which one is taken needs no ordering with anything else.
  private func take(adding step: UInt64, last: Bool) -> Int? {
    var current = bounds.load(ordering: .relaxed)
    while current >> 32 < current & 0xFFFF_FFFF {
      let (exchanged, original) = bounds.weakCompareExchange(
        expected: current, desired: current &+ step, ordering: .relaxed)
      if exchanged { return last ? Int(current & 0xFFFF_FFFF) - 1 : Int(current >> 32) }
      current = original
    }
    return nil
  }
}
