package import Tensor

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Darwin)
  import Darwin
#endif

/// The keys and values of all tokens so far, for every layer.
///
/// Memory comes in blocks of ``CacheLayout/blockLength`` positions as the context grows, so a long window costs nothing
/// until it is used. Rewinding only lowers ``count``: blocks are kept for what comes next.
///
/// Invariant: `blocks[0 ..< blockCount]` are allocations of `layerCount * layout.layerByteCount` bytes each, zeroed when
/// they were made; positions below `count` have been stored.
package final class KVCache {
  package let layout: CacheLayout
  package let layerCount: Int
  /// Most positions that it may hold.
  package let capacity: Int
  /// Tokens in the cache.
  package internal(set) var count = 0
  let blocks: UnsafeMutablePointer<UnsafeMutableRawPointer>
  private(set) var blockCount = 0

  /// Bytes of a block: all layers, 256 positions. `nil` for sizes that don't fit in an `Int`.
  private static func blockByteCount(_ layout: CacheLayout, layers: Int) -> Int? {
    let (bytes, overflow) = layout.layerByteCount.multipliedReportingOverflow(by: layers)
    return overflow ? nil : bytes
  }

  package init(layout: CacheLayout, layerCount: Int, capacity: Int) {
    self.layout = layout
    self.layerCount = layerCount
    self.capacity = capacity
    blocks = .allocate(capacity: capacity / CacheLayout.blockLength + 1)
  }

  deinit {
    for index in 0..<blockCount { free(blocks[index]) }
    blocks.deallocate()
  }

  /// Memory in use, in bytes.
  package var byteCount: Int { blockCount * layerCount * layout.layerByteCount }

  /// Makes room for `tokens` more tokens, which must fit in ``capacity``.
  ///
  /// - Throws: ``ModelError/outOfMemory(byteCount:purpose:)`` when the system has no more.
  func reserve(_ tokens: Int) throws(ModelError) {
    precondition(tokens >= 0 && count + tokens <= capacity, "\(count) + \(tokens) of \(capacity)")
    try makeRoom(count + tokens)
  }

  /// Makes room for the first `positions` positions, at most ``capacity``.
  func makeRoom(_ positions: Int) throws(ModelError) {
    let wanted = (positions + CacheLayout.blockLength - 1) / CacheLayout.blockLength
    while blockCount < wanted {
      // Fresh pages of a large zeroed allocation take memory when they are first written, not before.
      guard let bytes = Self.blockByteCount(layout, layers: layerCount), let block = calloc(1, bytes) else {
        throw .outOfMemory(
          byteCount: Self.blockByteCount(layout, layers: layerCount) ?? .max,
          purpose: "\(CacheLayout.blockLength) more positions of context")
      }
      blocks[blockCount] = block
      blockCount += 1
    }
  }

  /// One layer's part, for positions that were reserved. Valid as long as the cache.
  func layer(_ index: Int) -> CacheLayer {
    precondition(index >= 0 && index < layerCount)
    return CacheLayer(layout: layout, blocks: blocks, offset: index * layout.layerByteCount)
  }

  /// Counts `tokens` tokens whose keys and values were stored in every layer.
  func advance(by tokens: Int) {
    precondition(count + tokens <= blockCount * CacheLayout.blockLength)
    count += tokens
  }

  /// Forgets all tokens from position `count` on.
  func rewind(to count: Int) {
    precondition(count >= 0 && count <= self.count, "rewind to \(count) of \(self.count)")
    self.count = count
  }
}
