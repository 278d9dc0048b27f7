/// One rendering: the variables, the text so far and the budget that is left.
///
/// A value of this class belongs to one thread and lives as long as the rendering.
final class Interpreter {
  let template: TemplateTree
  let limits: TemplateLimits
  let clock: TemplateClock

  /// The names of the top level by slot, the context's and the built-in ones to begin with.
  var globals: [Value?]
  /// The text printed so far, or of the innermost block that captures its text.
  private(set) var output = Text()
  /// What the last `{% set %}` or `{% filter %}` block captured.
  var captured = Text()
  /// Where in the source the present node stands, for errors.
  var position = 0
  /// Whether printed text is escaped for HTML (`{% autoescape %}`).
  var autoescape = false

  private var stepsLeft: Int
  private var bytesLeft: Int
  private var nextTimeCheck: Int
  private let deadline: Double
  private var activeNesting: Int

  /// Objects that can hold each other in a ring; emptied at the end so that they are freed.
  private var namespaces: [Namespace] = []
  private var capturedScopes: [Scope] = []

  init(_ template: TemplateTree, limits: TemplateLimits, clock: TemplateClock, weight: Int) {
    self.template = template
    self.limits = limits
    self.clock = clock
    globals = [Value?](repeating: nil, count: template.names.count)
    stepsLeft = limits.steps + min(weight, 1 << 26) * 16
    bytesLeft = limits.allocatedBytes + min(weight, 1 << 26) * 64
    nextTimeCheck = stepsLeft - Interpreter.stepsPerTimeCheck
    deadline = ThreadTime.seconds + limits.seconds + Double(weight) / 1e6
    activeNesting = template.body.height
  }

  /// Renders the template once.
  func run() throws(TemplateError) -> Text {
    defer { breakRings() }
    _ = try template.body.execute(self, nil)
    return output
  }

  private func breakRings() {
    for namespace in namespaces { namespace.members = [] }
    for scope in capturedScopes { scope.removeAll() }
    globals = []
  }
}

// MARK: - Errors and budget

extension Interpreter {
  private static let stepsPerTimeCheck = 4096

  func fail(_ kind: TemplateError.Kind, _ message: String) -> TemplateError {
    template.source.error(kind, message, at: position)
  }

  func fail(_ undefined: Undefined) -> TemplateError { fail(undefined.kind, undefined.message) }

  /// Counts `count` units of work.
  func step(_ count: Int = 1) throws(TemplateError) {
    stepsLeft -= count
    if stepsLeft < nextTimeCheck { try checkTime() }
  }

  private func checkTime() throws(TemplateError) {
    nextTimeCheck = stepsLeft - Interpreter.stepsPerTimeCheck
    guard stepsLeft > 0 else { throw fail(.limit, "the template runs for too many steps") }
    guard ThreadTime.seconds < deadline else { throw fail(.limit, "the template runs for too long") }
  }

  /// Counts `bytes` that are about to be created.
  func allocate(_ bytes: Int) throws(TemplateError) {
    guard bytes <= bytesLeft else { throw fail(.limit, "the template creates too much text or data") }
    bytesLeft -= bytes
    try step(1 + bytes >> 6)
  }

  /// Whether `bytes` could still be created.
  func hasRoom(for bytes: Int) -> Bool { bytes <= bytesLeft }

  /// Makes `height` more levels of nesting active; `leave` ends them.
  func enter(_ height: Int) throws(TemplateError) {
    guard activeNesting + height <= limits.activeNesting else {
      throw fail(.limit, "macros call each other too deeply")
    }
    activeNesting += height
  }

  func leave(_ height: Int) { activeNesting -= height }
}

// MARK: - Making values

extension Interpreter {
  /// Counts a text that was just made.
  func made(_ text: Text) throws(TemplateError) -> Text {
    try allocate(text.cost)
    return text
  }

  /// A list or tuple of `values`, within the limits.
  func list(_ values: [Value]) throws(TemplateError) -> ValueList {
    let list = ValueList(values)
    try allocate(values.count * MemoryLayout<Value>.stride + 48)
    guard list.depth <= limits.valueDepth else { throw fail(.limit, "lists nest too deeply") }
    return list
  }

  /// Sets an entry of a dictionary that is being built.
  func set(_ key: Value, _ value: Value, in dictionary: ValueDictionary, at offset: Int) throws(TemplateError) {
    position = offset
    try allocate(2 * MemoryLayout<Value>.stride + 16)
    guard dictionary.set(key, value) else { throw fail(.type, "a \(key.typeName) cannot be a key") }
  }

  /// A dictionary that was just built, if it doesn't nest too deeply.
  func checked(_ dictionary: ValueDictionary) throws(TemplateError) -> ValueDictionary {
    try allocate(64)
    guard dictionary.depth <= limits.valueDepth else { throw fail(.limit, "dictionaries nest too deeply") }
    return dictionary
  }

  func namespace() throws(TemplateError) -> Namespace {
    try allocate(96)
    let namespace = Namespace()
    namespaces.append(namespace)
    return namespace
  }

  /// Sets a member of a namespace. Look-up is linear, so their number is bounded.
  func set(_ value: Value, _ name: [UInt8], in namespace: Namespace) throws(TemplateError) {
    if namespace[name] == nil {
      try allocate(64 + name.count)
      guard namespace.members.count < 1000 else { throw fail(.limit, "a namespace has too many members") }
    }
    namespace[name] = value
  }

  func macro(_ definition: MacroDefinition, in scope: Scope?) throws(TemplateError) -> Macro {
    try allocate(96)
    var captured = scope
    while let inner = captured, !inner.isCaptured {
      inner.isCaptured = true
      capturedScopes.append(inner)
      captured = inner.parent
    }
    return Macro(definition, scope)
  }
}

// MARK: - Names

extension Interpreter {
  func value(of slot: Int, in scope: Scope?) -> Value {
    var place = scope
    while let inner = place {
      if let value = inner[slot] { return value }
      place = inner.parent
    }
    return globals[slot] ?? .undefined(Undefined(.variable(template.names[slot])))
  }

  func assign(_ value: Value, to target: Target, in scope: Scope?) throws(TemplateError) {
    switch target {
    case .name(let slot):
      if let scope { scope.set(slot, value) } else { globals[slot] = value }
    case .tuple(let targets):
      let values = try items(of: value)
      guard values.count == targets.count else {
        throw fail(.value, "\(targets.count) values to unpack were expected, \(values.count) given")
      }
      for (target, value) in zip(targets, values) { try assign(value, to: target, in: scope) }
    case .member(let slot, let name):
      guard case .namespace(let namespace) = self.value(of: slot, in: scope) else {
        throw fail(.type, "cannot assign attribute on non-namespace object")
      }
      try set(value, name, in: namespace)
    }
  }
}

// MARK: - Output

extension Interpreter {
  func emit(_ text: Text) throws(TemplateError) {
    try allocate(text.cost + 16)
    output.append(text)
  }

  /// The text that `body` prints.
  func capture(_ body: Block, _ scope: Scope?) throws(TemplateError) -> (Text, Flow) {
    let outer = beginCapture()
    let flow = try body.execute(self, scope)
    return (endCapture(outer), flow)
  }

  /// Puts an empty text in place of the output and returns what was there.
  func beginCapture() -> Text {
    defer { output = Text() }
    return output
  }

  /// Puts `outer` back in place of what was captured, which it returns.
  func endCapture(_ outer: Text) -> Text {
    var text = output
    text.isMarkup = autoescape
    output = outer
    return text
  }
}
