/// The names set inside a loop, a macro or a block; `nil` in place of a scope means the top of the template.
///
/// Names are numbers ("slots") that the parser gave out, so that a look-up compares integers.
final class Scope {
  let parent: Scope?
  private var slots: [Int] = []
  private var values: [Value] = []

  /// Whether a macro holds on to this scope, so that it must not be used again for the next turn of a loop.
  var isCaptured = false

  init(parent: Scope?) { self.parent = parent }

  subscript(slot: Int) -> Value? {
    for index in slots.indices where slots[index] == slot { return values[index] }
    return nil
  }

  func contains(_ slot: Int) -> Bool { slots.contains(slot) }

  func set(_ slot: Int, _ value: Value) {
    for index in slots.indices where slots[index] == slot {
      values[index] = value
      return
    }
    slots.append(slot)
    values.append(value)
  }

  func removeAll() {
    slots.removeAll(keepingCapacity: true)
    values.removeAll(keepingCapacity: true)
  }

  func removeAllUnlessCaptured() {
    if !isCaptured { removeAll() }
  }
}
