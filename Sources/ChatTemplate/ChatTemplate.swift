package import JSON
import Synchronization

/// A compiled chat template: Jinja2 as the model hubs configure it (`trim_blocks`, `lstrip_blocks`, loop controls,
/// immutable sandbox, `raise_exception`, `strftime_now`).
///
///     let template = try ChatTemplate(source: "{% for m in messages %}<|{{ m.role }}|>{{ m.content }}{% endfor %}")
///     let segments = try template.render(context)
///
/// A template is untrusted input: it reaches no file, network or host object, and bounds on nesting, steps, memory and
/// time end it with an error (`TemplateLimits`).
package struct ChatTemplate: Sendable {
  private let tree: TemplateTree
  private let limits: TemplateLimits

  /// Variables whose text counts as the template's own: the spellings of control tokens that the tokenizer declares.
  package static let trustedVariables: Set<String> = [
    "bos_token", "eos_token", "unk_token", "pad_token", "sep_token", "cls_token", "mask_token",
  ]

  /// Compiles `source`, or takes the tree from the last compilation of the same text.
  package init(source: String, limits: TemplateLimits = TemplateLimits()) throws(TemplateError) {
    self.limits = limits
    if let cached = TemplateCache.shared.tree(for: source, limits) {
      tree = cached
      return
    }
    tree = try TemplateTree.parse(source, limits: limits)
    TemplateCache.shared.store(tree, for: source, limits)
  }

  /// Renders the template with the members of `context` as its variables.
  ///
  /// Literal text of the template comes back as template segments. Everything from the context, and everything
  /// derived from it, comes back as data, `trusted` variables excepted.
  ///
  /// - Complexity: bounded by the limits; proportional to the context for templates in use.
  package func render(
    _ context: JSONObject, clock: TemplateClock = .system(), trusted: Set<String> = ChatTemplate.trustedVariables
  ) throws(TemplateError) -> [PromptSegment] {
    let (values, weight) = try values(of: context, trusted: trusted)
    return try render(variables: values, clock: clock, weight: weight).segments
  }
}

extension ChatTemplate {
  /// Members of a JSON object as variables, and a rough count of their bytes.
  func values(
    of context: JSONObject, trusted: Set<String> = ChatTemplate.trustedVariables
  ) throws(TemplateError) -> (values: [String: Value], weight: Int) {
    var weight = 0
    var values: [String: Value] = [:]
    for (name, value) in context.members {
      guard var converted = Value(value, depth: limits.valueDepth - 4, weight: &weight) else {
        throw TemplateError(.limit, "the value of '\(name)' nests too deeply")
      }
      if trusted.contains(name), case .string(let text) = value { converted = .string(Text(template: text)) }
      values[name] = converted
    }
    return (values, weight)
  }

  /// Renders the template with `variables`; `weight` is the rough count of their bytes.
  func render(
    variables: [String: Value], clock: TemplateClock, weight: Int
  ) throws(TemplateError) -> Text {
    let run = Interpreter(tree, limits: limits, clock: clock, weight: weight)
    for (slot, name) in tree.names.enumerated() {
      run.globals[slot] = variables[name] ?? Globals.functions[name].map { .callable($0) }
    }
    return try run.run()
  }
}

/// The trees of the templates compiled last.
private final class TemplateCache: Sendable {
  static let shared = TemplateCache()

  private struct Entry {
    var source: String
    var limits: TemplateLimits
    var tree: TemplateTree
  }

  private let entries = Mutex<[Entry]>([])
  private let capacity = 16

  func tree(for source: String, _ limits: TemplateLimits) -> TemplateTree? {
    entries.withLock { entries in
      guard let place = entries.firstIndex(where: { $0.limits == limits && $0.source.utf8.elementsEqual(source.utf8) })
      else { return nil }
      let entry = entries.remove(at: place)
      entries.append(entry)
      return entry.tree
    }
  }

  func store(_ tree: TemplateTree, for source: String, _ limits: TemplateLimits) {
    entries.withLock { entries in
      entries.append(Entry(source: source, limits: limits, tree: tree))
      if entries.count > capacity { entries.removeFirst() }
    }
  }
}
