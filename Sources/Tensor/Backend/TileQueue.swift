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

  private let rowCounts: [Int]
  private let tileRows: Int
  private let nextIndex = Atomic<Int>(0)

  /// Cuts each of `rowCounts` rows into tiles of `tileRows`, the last of each being shorter if need be.
  init(rowCounts: [Int], tileRows: Int) {
    precondition(tileRows > 0)
    self.rowCounts = rowCounts
    self.tileRows = tileRows
  }

  /// The next tile, or `nil` when all are taken.
  func next() -> Tile? {
    var index = nextIndex.add(1, ordering: .relaxed).oldValue
    for (item, rowCount) in rowCounts.enumerated() {
      let tiles = (rowCount + tileRows - 1) / tileRows
      if index < tiles {
        let first = index * tileRows
        return Tile(item: item, rows: first..<min(first + tileRows, rowCount))
      }
      index -= tiles
    }
    return nil
  }
}
