import Testing

@testable import Tensor

@Suite struct TileQueueTests {
  @Test(arguments: [[5], [16, 1, 31], [1, 1, 1], [64, 0, 64]], [1, 4, 16])
  func tilesCoverEveryRowOnce(rowCounts: [Int], tileRows: Int) {
    for (workers, order) in [(1, [0]), (2, [0, 1]), (2, [1]), (3, [2, 2, 0])] {
      let items = rowCounts.map { TileQueue.Item(rows: $0, tileRows: tileRows) }
      let queue = TileQueue(items, workers: workers)
      var covered: [Set<Int>] = rowCounts.map { _ in [] }
      var count = 0
      var turn = 0
      while let tile = queue.next(order[turn % order.count]) {
        #expect(tile.rows.count <= tileRows && !tile.rows.isEmpty)
        covered[tile.item].formUnion(tile.rows)
        count += tile.rows.count
        turn += 1
      }
      #expect(covered == rowCounts.map { Set(0..<$0) })
      #expect(count == rowCounts.reduce(0, +))
    }
  }

  @Test func aWorkerWalksItsOwnSpanForward() {
    let queue = TileQueue([TileQueue.Item(rows: 8, tileRows: 1)], workers: 2)
    let own = (0..<4).compactMap { _ in queue.next(1)?.rows.lowerBound }
    #expect(own == [4, 5, 6, 7])
    #expect(queue.next(1)?.rows.lowerBound == 3)
    #expect(queue.next(0)?.rows.lowerBound == 0)
  }
}
