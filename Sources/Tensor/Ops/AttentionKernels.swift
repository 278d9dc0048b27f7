import CKernels

extension ForwardKernels {
  /// One token or a few: folds the positions of one block into the states of `rows` scaled queries in token order,
  /// `rowsPerToken` each, that share `head`. The first token sees the first `visible` of the positions, at least one,
  /// each later token one more.
  ///
  /// `position` begins a block. A row's result depends on nothing but its query and what it sees.
  func attend(
    queries: UnsafePointer<Float>, rows: Int, rowsPerToken: Int, visible: Int, positions: Int, cache: CacheLayer,
    head: Int, position: Int, state: SoftmaxState
  ) {
    guard let table else {
      return attendTwin(
        queries: queries, rows: rows, rowsPerToken: rowsPerToken, visible: visible, positions: positions, cache: cache,
        head: head, position: position, state: state)
    }
    var block = cache.block(head: head, position: position, positions: positions)
    switch cache.layout.element {
    case .f16: table.pointee.attend_rows_f16(queries, rows, rowsPerToken, visible, &block, state.raw)
    case .q8_0: table.pointee.attend_rows_q8(queries, rows, rowsPerToken, visible, &block, state.raw)
    case .f32: table.pointee.attend_rows_f32(queries, rows, rowsPerToken, visible, &block, state.raw)
    }
  }

  /// Many tokens: the same in tiles of keys, for at most ``Attention/groupLimit`` rows. `visible` may be negative: the
  /// first tokens then see nothing.
  ///
  /// `scratch` holds 64 x (key length + value stride + rows) floats.
  func attendTile(
    queries: UnsafePointer<Float>, rows: Int, rowsPerToken: Int, visible: Int, positions: Int, cache: CacheLayer,
    head: Int, position: Int, state: SoftmaxState, scratch: UnsafeMutablePointer<Float>
  ) {
    guard let table else {
      return attendTwin(
        queries: queries, rows: rows, rowsPerToken: rowsPerToken, visible: visible, positions: positions,
        cache: cache, head: head, position: position, state: state)
    }
    var block = cache.block(head: head, position: position, positions: positions)
    switch cache.layout.element {
    case .f16: table.pointee.attend_tile_f16(queries, rows, rowsPerToken, visible, &block, state.raw, scratch)
    case .q8_0: table.pointee.attend_tile_q8(queries, rows, rowsPerToken, visible, &block, state.raw, scratch)
    case .f32: table.pointee.attend_tile_f32(queries, rows, rowsPerToken, visible, &block, state.raw, scratch)
    }
  }

  /// What both do, score by score.
  private func attendTwin(
    queries: UnsafePointer<Float>, rows: Int, rowsPerToken: Int, visible: Int, positions: Int, cache: CacheLayer,
    head: Int, position: Int, state: SoftmaxState
  ) {
    let length = cache.layout.keyLength
    for row in 0..<rows {
      let query = queries + row * length
      for i in 0..<max(0, min(positions, visible + row / rowsPerToken)) {
        var score: Float = 0
        for d in 0..<length { score += query[d] * cache.key(head: head, position: position + i, element: d) }
        state.fold(row: row, score: score) { d in cache.value(head: head, position: position + i, element: d) }
      }
    }
  }
}

extension CacheLayer {
  fileprivate func block(head: Int, position: Int, positions: Int) -> ck_cache_block {
    let layer = start(blockOf: position)
    let inBlock = position % CacheLayout.blockLength
    return ck_cache_block(
      keys: layout.keys(layer, head: head, position: inBlock),
      values: layout.values(layer, head: head, position: inBlock),
      key_length: layout.keyLength, value_stride: layout.valueStride, positions: positions)
  }

  /// Element `element` of a stored key.
  func key(head: Int, position: Int, element: Int) -> Float {
    let inBlock = position % CacheLayout.blockLength
    let lane = inBlock % CacheLayout.panelLength
    let panel = layout.keys(start(blockOf: position), head: head, position: inBlock)
    let place = element * CacheLayout.panelLength + lane
    return load(panel, element: element, place: place, length: layout.keyLength, lane: lane)
  }

  /// Element `element` of a stored value; 0 from the value length up to the stride.
  func value(head: Int, position: Int, element: Int) -> Float {
    let inBlock = position % CacheLayout.blockLength
    let lane = inBlock % CacheLayout.panelLength
    let panel = layout.values(start(blockOf: position), head: head, position: inBlock)
    let place = lane * layout.valueStride + element
    return load(panel, element: element, place: place, length: layout.valueStride, lane: lane)
  }

  private func load(
    _ panel: UnsafeMutableRawPointer, element: Int, place: Int, length: Int, lane: Int
  ) -> Float {
    switch layout.element {
    case .f16: HalfFloat.float(panel.load(fromByteOffset: place * 2, as: UInt16.self))
    case .f32: panel.load(fromByteOffset: place * 4, as: Float.self)
    case .q8_0: BytePanel(panel, length: length, lane: lane).load(element, place: place)
    }
  }
}
