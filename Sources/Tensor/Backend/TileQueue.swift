import Synchronization

/// Hands out tiles of rows of several matrices, each tile once, to whichever thread asks next.
///
/// Threads that run slower take fewer tiles, so all are busy until the last one.
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
  private let nextIndex = Atomic<Int>(0)

  init(_ items: [Item]) {
    precondition(items.allSatisfy { $0.tileRows > 0 })
    self.items = items
  }

  /// The next tile, or `nil` when all are taken.
  func next() -> Tile? {
    var index = nextIndex.add(1, ordering: .relaxed).oldValue
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
