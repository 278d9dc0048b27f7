/// A state of an automaton over bytes without a stack: inside a string, a number, or free text. 0 is "dead".
typealias LeafID = Int32

/// What a leaf state is a state of.
enum Leaf: Hashable {
  case dead
  case string(StringLeaf)
  case number(machine: Int32, NumberState)
  case text(MarkerLeaf)
}

/// All leaf states of a grammar, hash-consed, with their transitions as rows of 256 targets that are filled at first use.
final class LeafStore {
  let patterns: PatternStore
  private(set) var leaves: [Leaf] = [.dead]
  private var ids: [Leaf: LeafID] = [.dead: 0]
  private(set) var rowStarts: [Int32] = [0]
  private(set) var table: [LeafID] = [LeafID](repeating: 0, count: 256)
  private(set) var live: [ByteSet] = [ByteSet()]

  /// The text may end here.
  private(set) var isAccepting: [Bool] = [false]
  /// Between two characters of a string, so that arriving here counts one.
  private(set) var isBoundary: [Bool] = [false]
  /// Before the opening quote of a string.
  private(set) var isStart: [Bool] = [false]
  /// Inside a string of which nothing is asked.
  private(set) var isUniversal: [Bool] = [false]
  private(set) var isText: [Bool] = [false]

  private var numbers: [NumberMachine] = []
  private var numberIDs: [NumberConstraint: Int32] = [:]
  private var numberLiveness: [[NumberState: Bool]] = []
  private var markers: [MarkerMachine] = []
  private var markerIDs: [[Key]: LeafID] = [:]

  init(patterns: PatternStore) {
    self.patterns = patterns
  }

  func intern(_ leaf: Leaf) -> LeafID {
    if let id = ids[leaf] { return id }
    let id = LeafID(truncatingIfNeeded: leaves.count)
    ids[leaf] = id
    leaves.append(leaf)
    rowStarts.append(-1)
    live.append(ByteSet())
    var accepting = false
    var boundary = false
    var start = false
    var universal = false
    var text = false
    switch leaf {
    case .dead: break
    case .string(let string):
      accepting =
        string.phase == .done || (string.form == .bare && string.phase == .body && patterns.accepts(string.pattern))
      boundary = string.phase == .body
      start = string.phase == .start
      universal = string.phase == .body && string.form != .bare && string.pattern == PatternStore.anything
    case .number(let machine, let state): accepting = numbers[Int(machine)].accepts(state)
    case .text(let marker):
      accepting = marker.left == 0
      text = true
    }
    isAccepting.append(accepting)
    isBoundary.append(boundary)
    isStart.append(start)
    isUniversal.append(universal)
    isText.append(text)
    return id
  }

  /// Where the row of `leaf` begins in `table`.
  @inline(__always)
  func row(_ leaf: LeafID) -> Int {
    let start = rowStarts[Int(leaf)]
    return start >= 0 ? Int(start) : fill(leaf)
  }

  /// The state after `byte`, dead when it is not allowed.
  @inline(__always)
  func target(_ leaf: LeafID, _ byte: Int) -> LeafID {
    // The row first: filling it moves the table.
    let start = row(leaf)
    return table[start + byte]
  }

  /// The bytes that lead on from `leaf`.
  func liveBytes(_ leaf: LeafID) -> ByteSet {
    _ = row(leaf)
    return live[Int(leaf)]
  }

  private func fill(_ leaf: LeafID) -> Int {
    var targets = [LeafID](repeating: 0, count: 256)
    var bytes = ByteSet()
    func add(_ byte: UInt8, _ target: Leaf) {
      targets[Int(byte)] = intern(target)
      bytes.insert(byte)
    }
    switch leaves[Int(leaf)] {
    case .dead: break
    case .string(let string):
      // Neighbours mostly have the same target.
      var last: (leaf: StringLeaf, id: LeafID)?
      for (byte, target) in patterns.transitions(string) {
        let id = last.flatMap { $0.leaf == target ? $0.id : nil } ?? intern(.string(target))
        last = (target, id)
        targets[Int(byte)] = id
        bytes.insert(byte)
      }
    case .number(let machine, let state):
      for byte in NumberMachine.alphabet {
        if let target = numbers[Int(machine)].next(state, byte), isAlive(target, machine) {
          add(byte, .number(machine: machine, target))
        }
      }
    case .text(let marker):
      for byte in UInt8.min...UInt8.max {
        guard var target = marker.decoded(byte), let node = markers[Int(marker.machine)].next(marker.node, byte)
        else { continue }
        target.node = node
        add(byte, .text(target))
      }
    }
    let start = table.count
    table.append(contentsOf: targets)
    rowStarts[Int(leaf)] = Int32(truncatingIfNeeded: start)
    live[Int(leaf)] = bytes
    return start
  }

  /// The first state of a string of `pattern`.
  func string(_ pattern: PatternID, _ form: StringLeaf.Form) -> LeafID {
    intern(.string(StringLeaf(phase: form == .bare ? .body : .start, form: form, pattern: pattern)))
  }

  /// The first state of a number, dead when the set is empty.
  func number(_ constraint: NumberConstraint, maximumDigits: Int) throws(PatternError) -> LeafID {
    let machine: Int32
    if let known = numberIDs[constraint] {
      machine = known
    } else {
      machine = Int32(truncatingIfNeeded: numbers.count)
      numbers.append(try NumberMachine(constraint, maximumDigits: maximumDigits))
      numberLiveness.append([:])
      numberIDs[constraint] = machine
    }
    let start = numbers[Int(machine)].start
    return isAlive(start, machine) ? intern(.number(machine: machine, start)) : 0
  }

  /// The first state of free text without `markers`.
  func text(_ excluded: [String]) -> LeafID {
    let key = excluded.map { Key($0) }
    if let known = markerIDs[key] { return known }
    markers.append(MarkerMachine(excluded))
    let id = intern(.text(MarkerLeaf(machine: Int32(truncatingIfNeeded: markers.count - 1))))
    markerIDs[key] = id
    return id
  }

  /// The shortest end of a number that has been begun, where it can be calculated.
  func ending(of leaf: LeafID) -> [UInt8]? {
    guard case .number(let machine, let state) = leaves[Int(leaf)],
      case .bytes(let bytes)? = numbers[Int(machine)].ending(state)
    else { return nil }
    return bytes
  }

  /// Some digits lead from `state` to a number in the set.
  private func isAlive(_ state: NumberState, _ machine: Int32) -> Bool {
    if let known = numberLiveness[Int(machine)][state] { return known }
    let automaton = numbers[Int(machine)]
    var parents: [NumberState: NumberState] = [state: state]
    var stack = [state]
    while let current = stack.popLast() {
      let isKnown = numberLiveness[Int(machine)][current] == true
      let isAlive = isKnown || automaton.accepts(current)
      let ending = isAlive ? nil : automaton.ending(current)
      if ending == .never { continue }
      if isAlive || ending != nil {
        var place = current
        while true {
          numberLiveness[Int(machine)][place] = true
          guard let parent = parents[place], parent != place else { return true }
          place = parent
        }
      }
      // Several multiples at once, with many digits: what isn't found is taken for dead, which is only too strict.
      if parents.count > 20_000 {
        numberLiveness[Int(machine)][state] = false
        return false
      }
      for byte in NumberMachine.alphabet {
        if let target = automaton.next(current, byte), parents[target] == nil,
          numberLiveness[Int(machine)][target] != false
        {
          parents[target] = current
          stack.append(target)
        }
      }
    }
    for dead in parents.keys { numberLiveness[Int(machine)][dead] = false }
    return false
  }
}

extension NumberMachine {
  /// Every byte that a number can contain, those that end one soonest last.
  static let alphabet: [UInt8] = [0x45, 0x65, 0x2B, 0x2D, 0x2E] + Array(0x30...0x39)
}
