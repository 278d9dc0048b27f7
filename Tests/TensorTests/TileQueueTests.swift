import Testing

@testable import Tensor

@Suite struct TileQueueTests {
  @Test(arguments: [[5], [16, 1, 31], [1, 1, 1], [64, 0, 64]], [1, 4, 16])
  func tilesCoverEveryRowOnce(rowCounts: [Int], tileRows: Int) {
    let queue = TileQueue(rowCounts.map { TileQueue.Item(rows: $0, tileRows: tileRows) })
    var covered: [[Int]] = rowCounts.map { _ in [] }
    while let tile = queue.next() {
      #expect(tile.rows.count <= tileRows && !tile.rows.isEmpty)
      covered[tile.item] += Array(tile.rows)
    }
    #expect(covered == rowCounts.map { Array(0..<$0) })
    #expect(queue.next() == nil)
  }
}
