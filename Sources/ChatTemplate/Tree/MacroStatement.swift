/// What a macro or a call block declares.
struct Signature: Sendable {
  var parameters: [(slot: Int, name: String, initial: (any Expression)?)] = []

  var height: Int { maximumHeight(parameters.compactMap(\.initial)) }
}

/// The body and the parameters of a macro, shared by all values made from it.
final class MacroDefinition: Sendable {
  let name: String
  let signature: Signature
  let body: Block
  /// Slots of `varargs`, `kwargs` and `caller`, each only if the body mentions it.
  let varargs: Int?
  let kwargs: Int?
  let caller: Int?
  let height: Int

  init(name: String, signature: Signature, body: Block, varargs: Int?, kwargs: Int?, caller: Int?) {
    self.name = name
    self.signature = signature
    self.body = body
    self.varargs = varargs
    self.kwargs = kwargs
    self.caller = caller
    height = max(signature.height, body.height) + 1
  }
}

/// `{% macro f(a, b=1) %}…{% endmacro %}`.
final class MacroStatement: Statement {
  let definition: MacroDefinition
  let slot: Int
  var height: Int { definition.height }

  init(_ definition: MacroDefinition, slot: Int) {
    self.definition = definition
    self.slot = slot
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let macro = try run.macro(definition, in: scope)
    try run.assign(.callable(macro), to: .name(slot: slot), in: scope)
    return .onward
  }
}

/// `{% call f(x) %}…{% endcall %}`: the block becomes the macro `caller`.
final class CallStatement: Statement {
  let call: Call
  let definition: MacroDefinition
  let height: Int

  init(_ call: Call, _ definition: MacroDefinition) {
    self.call = call
    self.definition = definition
    height = max(call.height, definition.height) + 1
  }

  func execute(_ run: Interpreter, _ scope: Scope?) throws(TemplateError) -> Flow {
    let target = try call.callee.evaluate(run, scope)
    var arguments = try call.arguments.evaluate(run, scope)
    arguments.keywords.append(("caller", .callable(try run.macro(definition, in: scope))))
    run.position = call.offset
    try run.emit(try run.text(of: try run.call(target, arguments)))
    return .onward
  }
}

/// A macro as a value: its definition and the scope in which it was defined.
final class Macro: Callable {
  let definition: MacroDefinition
  private let scope: Scope?

  init(_ definition: MacroDefinition, _ scope: Scope?) {
    self.definition = definition
    self.scope = scope
  }

  var name: String { definition.name }
  var depth: Int { 1 }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    let inner = Scope(parent: scope)
    try bind(arguments, run, inner)
    try run.enter(definition.height)
    defer { run.leave(definition.height) }
    for parameter in definition.signature.parameters where !inner.contains(parameter.slot) {
      let initial = try parameter.initial?.evaluate(run, inner)
      inner.set(parameter.slot, initial ?? .undefined(Undefined(.variable(parameter.name))))
    }
    return .string(try run.capture(definition.body, inner).0)
  }

  private func bind(_ arguments: CallArguments, _ run: Interpreter, _ inner: Scope) throws(TemplateError) {
    let parameters = definition.signature.parameters
    for (parameter, value) in zip(parameters, arguments.positional) { inner.set(parameter.slot, value) }
    if arguments.positional.count > parameters.count, definition.varargs == nil {
      throw run.fail(.type, "macro '\(name)' takes not more than \(parameters.count) argument(s)")
    }
    if let slot = definition.varargs {
      inner.set(slot, .tuple(try run.list(Array(arguments.positional.dropFirst(parameters.count)))))
    }
    let rest = ValueDictionary()
    if let slot = definition.caller { inner.set(slot, Undefined.unnamed) }
    for (keyword, value) in arguments.keywords {
      if let parameter = parameters.first(where: { $0.name == keyword }) {
        inner.set(parameter.slot, value)
      } else if keyword == "caller", let slot = definition.caller {
        inner.set(slot, value)
      } else if definition.kwargs != nil {
        rest.set(keyword, value)
      } else {
        throw run.fail(.type, "macro '\(name)' takes no keyword argument '\(keyword)'")
      }
    }
    if let slot = definition.kwargs { inner.set(slot, .dictionary(rest)) }
  }
}
