import Sampling

/// The mask of a state: leaves come from the cache, the rest walks the trie with the real stack.
extension Automaton {
  /// Adds the tokens that may follow `state` to `mask`; control and end tokens too.
  func fill(_ mask: inout TokenMask, for state: StateID, cache: LeafMaskCache) {
    var others: [FrameID] = []
    for index in memberRange(state) {
      let id = members[index]
      let top = frames[Int(id)]
      switch top.kind {
      case .leaf: fillLeaf(&mask, top, cache)
      case .control: if vocabulary.count > Int(top.a) { mask.insert(Int(top.a)) }
      case .end: for token in vocabulary.endTokens { mask.insert(token) }
      default: others.append(id)
      }
    }
    if !others.isEmpty { walk(&mask, from: self.state(of: others), cache.trie) }
  }

  /// The mask of the tokens whose bytes the state takes, from the top of the trie.
  private func walk(_ mask: inout TokenMask, from state: StateID, _ trie: TokenTrie) {
    for byte in liveBytes(state).members where trie.roots[Int(byte)] >= 0 {
      let root = Int(trie.roots[Int(byte)])
      let target = step(state, byte)
      if target != 0 { walk(&mask, at: root, target, trie) }
    }
  }

  /// `state` has taken the bytes of `node`: adds its token and the tokens below.
  private func walk(_ mask: inout TokenMask, at start: Int, _ state: StateID, _ trie: TokenTrie) {
    insert(&mask, trie, start)
    let end = Int(trie.ends[start])
    if end == start + 1 { return }
    var ends = [end]
    var states = [state]
    var lives = [liveBytes(state)]
    var node = start + 1
    while node < end {
      while ends[ends.count - 1] <= node {
        ends.removeLast()
        states.removeLast()
        lives.removeLast()
      }
      let byte = UInt8(truncatingIfNeeded: trie.nodes[node] >> 24)
      let after = Int(trie.ends[node])
      guard lives[lives.count - 1].contains(byte) else {
        node = after
        continue
      }
      let target = step(states[states.count - 1], byte)
      guard target != 0 else {
        node = after
        continue
      }
      insert(&mask, trie, node)
      if after > node + 1 {
        ends.append(after)
        states.append(target)
        lives.append(liveBytes(target))
      }
      node += 1
    }
  }

  @inline(__always)
  private func insert(_ mask: inout TokenMask, _ trie: TokenTrie, _ node: Int) {
    let token = Int(trie.nodes[node] & 0xFF_FFFF) - 1
    guard token >= 0 else { return }
    mask.words[token >> 6] |= 1 << UInt64(token & 63)
    if !trie.twins.isEmpty { for twin in trie.twins[token] ?? [] { mask.insert(twin) } }
  }

  private func fillLeaf(_ mask: inout TokenMask, _ top: Frame, _ cache: LeafMaskCache) {
    let key = maskKey(top, cache)
    let spec = top.d
    let place = cache.mask(key) { leaf, count in self.admits(spec, leaf, count) }
    if top.c >= 0 { return fillCaptured(&mask, top, cache, place, key) }
    cache.masks[place].add(to: &mask)
    let continuation = continuation(top.parent)
    for byte in liveBytes(continuation).members {
      let nodes = cache.exits(place, key, byte)
      if nodes.isEmpty { continue }
      let target = step(continuation, byte)
      if target == 0 { continue }
      for node in nodes { walk(&mask, at: Int(node), target, cache.trie) }
    }
  }

  /// A leaf whose text matters: the same, except that tokens that close it have to be looked at one by one.
  private func fillCaptured(
    _ mask: inout TokenMask, _ top: Frame, _ cache: LeafMaskCache, _ place: Int, _ key: LeafMaskKey
  ) {
    let parent = frames[Int(top.parent)]
    var own = TokenMask(count: mask.count)
    cache.masks[place].add(to: &own)
    let trie = cache.trie
    if parent.kind == .object {
      // A key that is there already may not be closed again.
      let read = captures.text(top.c)
      for extra in objectProgress[parent.b].extras {
        let text = captures.text(extra)
        guard text.count > read.count, text.starts(with: read), let node = trie.node(of: text.dropFirst(read.count))
        else { continue }
        for below in node..<Int(trie.ends[node]) {
          let token = Int(trie.nodes[below] & 0xFF_FFFF) - 1
          guard token >= 0 else { continue }
          for id in [token] + (trie.twins[token] ?? []) { own.words[id >> 6] &= ~(1 << UInt64(id & 63)) }
        }
      }
    }
    let leaf = state(of: [frame(top)])
    for byte in bytesAfterCapture(parent) {
      for node in cache.exits(place, key, byte) {
        // The text before the exit is part of the capture, so the real stack has to read it.
        guard let token = trie.token(below: Int(node)) else { continue }
        let bytes = vocabulary.bytes(of: token)
        let target = step(leaf, bytes.prefix(trie.depth(of: Int(node), in: bytes)))
        if target != 0 { walk(&own, at: Int(node), target, trie) }
      }
    }
    for index in mask.words.indices { mask.words[index] |= own.words[index] }
  }

  /// What may follow a key, or an item of an array.
  private func bytesAfterCapture(_ parent: Frame) -> [UInt8] {
    let bytes = Array((parent.kind == .object ? ":" : ",]").utf8)
    if case .flexible = program.options.whitespace { return bytes + [0x20, 0x0A, 0x09, 0x0D] }
    return bytes
  }

  private func maskKey(_ top: Frame, _ cache: LeafMaskCache) -> LeafMaskKey {
    var key = LeafMaskKey(leaf: top.a)
    guard top.d >= 0 else { return key }
    let bounds = schemas.stringSpecs[Int(top.d)]
    let longest = Int32(truncatingIfNeeded: cache.trie.longest)
    let needed = max(0, bounds.minimum - top.b)
    let allowed = bounds.maximum.map { $0 - top.b }
    let slack = bounds.lengths < 0 ? 0 : Int32(clamping: schemas.lengths[Int(bounds.lengths)].depth)
    let isWide = allowed.map { $0 > longest + slack } ?? true
    if needed == 0, isWide { return key }
    if bounds.lengths < 0, leaves.isUniversal[Int(top.a)] {
      key.needed = min(needed, longest + 1)
      key.allowed = isWide ? -1 : allowed ?? -1
      return key
    }
    key.spec = top.d
    key.count = top.b
    return key
  }

  /// The state that follows when the part on top of `parent` is complete.
  func continuation(_ parent: FrameID) -> StateID {
    if let known = continuations[parent] { return known }
    let result = makeState { resume(parent) }
    continuations[parent] = result
    return result
  }
}

extension LeafMask {
  func add(to mask: inout TokenMask) {
    for token in tokens { mask.words[Int(token) >> 6] |= 1 << UInt64(token & 63) }
    if !words.isEmpty {
      for index in 0..<min(words.count, mask.words.count) { mask.words[index] |= words[index] }
    }
  }
}

extension TokenTrie {
  /// A token at `node` or below.
  func token(below node: Int) -> Int? {
    for place in node..<Int(ends[node]) {
      let token = Int(nodes[place] & 0xFF_FFFF) - 1
      if token >= 0 { return token }
    }
    return nil
  }

  /// How many of `bytes` lead to `node`, which is on their path.
  func depth(of node: Int, in bytes: ArraySlice<UInt8>) -> Int {
    guard let first = bytes.first else { return 0 }
    var place = Int(roots[Int(first)])
    var depth = 1
    for byte in bytes.dropFirst() {
      if place == node { break }
      guard let child = child(of: place, byte) else { break }
      place = child
      depth += 1
    }
    return depth
  }
}
