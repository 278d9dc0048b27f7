extension Interpreter {
  func call(_ target: Value, _ arguments: CallArguments) throws(TemplateError) -> Value {
    try step()
    switch target {
    case .callable(let callable): return try callable.call(arguments, self)
    case .loop(let loop):
      guard arguments.positional.count == 1 else { throw fail(.type, "loop takes one argument") }
      return try loop.recurse(try items(of: arguments.positional[0]), self)
    case .undefined(let undefined): throw fail(undefined)
    default: throw fail(.type, "'\(target.typeName)' object is not callable")
    }
  }

  /// `values` in order of `precedes`, equal ones as they were.
  func sorted<Element>(
    _ values: [Element], by precedes: (Element, Element) throws(TemplateError) -> Bool
  ) throws(TemplateError) -> [Element] {
    // Merge sort, bottom up: stable, and it can throw a typed error from the comparison.
    var source = values
    var width = 1
    while width < source.count {
      var merged: [Element] = []
      merged.reserveCapacity(source.count)
      for start in stride(from: 0, to: source.count, by: width * 2) {
        var left = start
        let middle = min(start + width, source.count)
        var right = middle
        let end = min(start + width * 2, source.count)
        while left < middle, right < end {
          if try precedes(source[right], source[left]) {
            merged.append(source[right])
            right += 1
          } else {
            merged.append(source[left])
            left += 1
          }
        }
        merged += source[left..<middle]
        merged += source[right..<end]
      }
      source = merged
      width *= 2
    }
    return source
  }
}

/// A callable with attributes, such as a macro's name or a cycler's present item.
protocol AttributeHolder: AnyObject {
  func attribute(_ name: String) -> Value?
}

/// A function that every template can call.
final class BuiltinFunction: Callable, Sendable {
  let name: String
  private let parameters: [String]?
  private let body: @Sendable (Interpreter, BoundArguments) throws(TemplateError) -> Value

  /// - Parameter parameters: the names of the parameters, or `nil` to take any arguments.
  init(
    _ name: String, _ parameters: [String]?,
    _ body: @escaping @Sendable (Interpreter, BoundArguments) throws(TemplateError) -> Value
  ) {
    self.name = name
    self.parameters = parameters
    self.body = body
  }

  var depth: Int { 0 }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    if let parameters { return try body(run, try arguments.bound(to: parameters, of: name, run)) }
    return try body(run, BoundArguments(values: arguments.positional, all: arguments))
  }
}

/// A method together with the value it was taken from.
final class BoundMethod: Callable {
  private let method: Method
  private let receiver: Value

  init(_ method: Method, _ receiver: Value) {
    self.method = method
    self.receiver = receiver
  }

  var name: String { method.name }
  var depth: Int { receiver.depth + 1 }

  func call(_ arguments: CallArguments, _ run: Interpreter) throws(TemplateError) -> Value {
    guard let parameters = method.parameters else {
      return try method.body(run, receiver, BoundArguments(values: arguments.positional, all: arguments))
    }
    return try method.body(run, receiver, try arguments.bound(to: parameters, of: method.name, run))
  }
}
