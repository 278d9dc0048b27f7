/// The states that a text can be in: sets of stacks, hash-consed, so that a state is one number and history is an array.
///
/// One automaton belongs to a matcher and its copies; it grows with the texts they read.
final class Automaton {
  let program: GrammarProgram
  let vocabulary: Vocabulary
  let leaves: LeafStore
  let schemas: SchemaCompiler

  private(set) var frames: [Frame] = []
  private var frameSlots: [FrameID] = Array(repeating: -1, count: 256)
  /// The state that consists of one frame only, -1: not made yet.
  private var loneStates: [StateID] = []

  /// The frames of state `s` are `members[starts[s] ..< starts[s + 1]]`; state 0 is dead.
  private(set) var members: [FrameID] = []
  private(set) var starts: [Int32] = [0, 0]
  private var stateIDs: [[FrameID]: StateID] = [:]
  private var transitions = IntMap()
  private var liveSets: [ByteSet?] = [ByteSet()]

  var captures = CaptureStore()
  var objectProgress = Interner<ObjectProgress>()
  var objectChoices: [ObjectChoices?] = []
  var arrayProgress = Interner<ArrayProgress>()
  var arrayChoices: [ArrayChoices?] = []
  var pending = Interner<PendingMember>()
  var continuations: [FrameID: StateID] = [:]
  /// The shortest known texts of values.
  var shortValues: [SchemaID: [UInt8]] = [:]
  var shortValuesInProgress: Set<SchemaID> = []
  /// The shortest ways out of leaves.
  var leafEnds: [LeafPlace: [UInt8]?] = [:]
  /// The closed choices that were looked for.
  var closedChoices: [StateID: ClosedChoice?] = [:]
  /// The frames of the state that is being made.
  var scratch: [FrameID] = []
  var repetitionsInProgress: [FrameID] = []
  private var spareScratch: [[FrameID]] = []

  private(set) var start: StateID = 0

  init(program: GrammarProgram, vocabulary: Vocabulary) {
    self.program = program
    self.vocabulary = vocabulary
    leaves = program.stores.leaves
    schemas = program.stores.schemas
    start = makeState {
      push(program.root, parent: frame(Frame(kind: .end)))
    }
  }

  /// The frame with this content.
  func frame(_ frame: Frame) -> FrameID {
    let mask = frameSlots.count - 1
    var slot = Int(truncatingIfNeeded: frame.hash) & mask
    while true {
      let id = frameSlots[slot]
      if id < 0 { break }
      if frames[Int(id)] == frame { return id }
      slot = (slot + 1) & mask
    }
    let id = FrameID(truncatingIfNeeded: frames.count)
    frames.append(frame)
    loneStates.append(-1)
    frameSlots[slot] = id
    if frames.count * 2 > frameSlots.count { growFrames() }
    return id
  }

  private func growFrames() {
    let mask = frameSlots.count * 2 - 1
    var slots = [FrameID](repeating: -1, count: mask + 1)
    for (id, frame) in frames.enumerated() {
      var slot = Int(truncatingIfNeeded: frame.hash) & mask
      while slots[slot] >= 0 { slot = (slot + 1) & mask }
      slots[slot] = FrameID(truncatingIfNeeded: id)
    }
    frameSlots = slots
  }

  /// Runs `body`, which adds frames with `add`, and returns the state that they form.
  func makeState(_ body: () -> Void) -> StateID {
    var outer = spareScratch.popLast() ?? []
    swap(&outer, &scratch)
    body()
    let result = intern(&scratch)
    scratch.removeAll(keepingCapacity: true)
    swap(&outer, &scratch)
    spareScratch.append(outer)
    return result
  }

  @inline(__always)
  func add(_ content: Frame) {
    let id = frame(content)
    if !scratch.contains(id) { scratch.append(id) }
  }

  private func intern(_ ids: inout [FrameID]) -> StateID {
    if ids.isEmpty { return 0 }
    if ids.count == 1 {
      let known = loneStates[Int(ids[0])]
      if known >= 0 { return known }
      let id = append(ids)
      loneStates[Int(ids[0])] = id
      return id
    }
    ids.sort()
    if let known = stateIDs[ids] { return known }
    let id = append(ids)
    stateIDs[ids] = id
    return id
  }

  private func append(_ ids: [FrameID]) -> StateID {
    members.append(contentsOf: ids)
    starts.append(Int32(truncatingIfNeeded: members.count))
    liveSets.append(nil)
    return StateID(truncatingIfNeeded: starts.count - 2)
  }

  /// Indices into `members`.
  @inline(__always)
  func memberRange(_ state: StateID) -> Range<Int> {
    Int(starts[Int(state)])..<Int(starts[Int(state) + 1])
  }

  /// The state of some frames only.
  func state(of ids: [FrameID]) -> StateID {
    var ids = ids
    return intern(&ids)
  }

  /// The state after `byte`; 0 when it is not allowed.
  func step(_ state: StateID, _ byte: UInt8) -> StateID {
    let key = UInt64(UInt32(bitPattern: state)) << 8 | UInt64(byte)
    if let known = transitions[key] { return known }
    let result = makeState {
      for index in memberRange(state) { advance(members[index], byte) }
    }
    transitions.insert(key, result)
    return result
  }

  func step(_ state: StateID, _ bytes: some Sequence<UInt8>) -> StateID {
    var state = state
    for byte in bytes {
      state = step(state, byte)
      if state == 0 { break }
    }
    return state
  }

  /// The bytes that may follow; a few too many when length bounds are near.
  func liveBytes(_ state: StateID) -> ByteSet {
    if let known = liveSets[Int(state)] { return known }
    var result = ByteSet()
    for index in memberRange(state) { result.formUnion(liveBytes(frames[Int(members[index])])) }
    liveSets[Int(state)] = result
    return result
  }

  /// Whether the text may end here.
  func isComplete(_ state: StateID) -> Bool {
    memberRange(state).contains { frames[Int(members[$0])].kind == .end }
  }
}

/// Values as small numbers.
struct Interner<Value: Hashable> {
  private(set) var values: [Value] = []
  private var ids: [Value: Int32] = [:]

  mutating func id(_ value: Value) -> Int32 {
    if let known = ids[value] { return known }
    let id = Int32(truncatingIfNeeded: values.count)
    values.append(value)
    ids[value] = id
    return id
  }

  subscript(id: Int32) -> Value { values[Int(id)] }
}

/// The member whose key has been read: the progress after it, and the schema of its value.
struct PendingMember: Hashable {
  var progress: Int32
  var value: SchemaID
}
