import Arguments
import RunAnywhere

/// What a file holds, without loading its weights.
struct ShowCommand: ProgramCommand {
  let command = Command(
    "show", "shows what a model file holds", operands: "[MODEL]",
    options: [
      ModelOptions.model,
      Option("metadata", "list every metadata entry"),
      Option("tensors", "list every tensor"),
      Option("template", "print the chat template and nothing else"),
      Option("json", "print one JSON document with everything"),
    ],
    discussion: """
      MODEL is a path, the name of a downloaded file, or a model's id; vocabularies without weights are shown too.
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    let path = try ModelOptions.path(arguments, operand: arguments.operands.first)
    guard arguments.operands.count <= 1 else { throw UsageError("show: one model at a time") }
    let inspection = try ModelInspection(path: path)
    if arguments.flag("json") {
      try Console.print(json(inspection).compact)
    } else if arguments.flag("template") {
      guard let template = inspection.chatTemplate else { throw Failure("\(path): no chat template in this file") }
      try Console.print(template)
    } else {
      try Console.print(summary(inspection).joined(separator: "\n"))
      if arguments.flag("metadata") {
        try Console.print((["", "metadata:"] + metadata(inspection)).joined(separator: "\n"))
      }
      if arguments.flag("tensors") {
        try Console.print((["", "tensors:"] + tensors(inspection)).joined(separator: "\n"))
      }
    }
    return Program.Status.done
  }

  private func summary(_ model: ModelInspection) -> [String] {
    var rows: [(left: String, right: String)] = [("file", model.path)]
    func add(_ label: String, _ value: String?) {
      if let value { rows.append((label, value)) }
    }
    add("format", "GGUF v\(model.version), \(Quantity.bytes(model.fileByteCount))")
    add("name", model.name.map(Quantity.printable))
    add("architecture", model.architecture.map(Quantity.printable))
    add(
      "parameters", model.parameterCount > 0 ? Quantity.count(model.parameterCount) : "none (no weights in this file)")
    let types = model.types.map { "\($0.type) \($0.tensors)× \(Quantity.bytes($0.byteCount))" }
    add("types", types.isEmpty ? nil : types.joined(separator: ", "))
    add("context", model.contextLength.map { "\($0) tokens" })
    add("layers", model.blockCount.map(String.init))
    add("width", model.embeddingLength.map(String.init))
    add(
      "heads",
      model.headCount.map { heads in
        "\(heads)" + (model.keyValueHeadCount.map { ", \($0) for keys and values" } ?? "")
      })
    let tokenizer = (model.preTokenizer ?? model.tokenizerModel).map { " (\(Quantity.printable($0)))" } ?? ""
    add("vocabulary", model.vocabularySize.map { "\($0) tokens\(tokenizer)" })
    let template = try? PromptInspection(path: model.path).template
    let size = model.chatTemplate.map { ", \($0.utf8.count) bytes" } ?? ""
    add("chat template", template.map { Quantity.printable($0.description) + size } ?? "none")
    add("can't be run", model.obstacle.map(Quantity.printable))
    return HelpText.table(rows, indent: 0)
  }

  private func metadata(_ model: ModelInspection) -> [String] {
    model.metadata.map { "  \(Quantity.printable($0.key)) = \($0.text) (\($0.type))" }
  }

  private func tensors(_ model: ModelInspection) -> [String] {
    model.tensors.map { tensor in
      let shape = tensor.dimensions.map(String.init).joined(separator: " × ")
      return "  \(Quantity.printable(tensor.name))  \(tensor.type)  \(shape)  \(Quantity.bytes(tensor.byteCount))"
    }
  }

  private func json(_ model: ModelInspection) -> JSONValue {
    var object = JSONObject()
    func integer(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }
    func string(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
    object["file"] = .string(model.path)
    object["bytes"] = .integer(model.fileByteCount)
    object["version"] = .integer(model.version)
    object["alignment"] = .integer(model.alignment)
    object["architecture"] = string(model.architecture)
    object["name"] = string(model.name)
    object["parameters"] = .integer(model.parameterCount)
    object["context_length"] = integer(model.contextLength)
    object["block_count"] = integer(model.blockCount)
    object["embedding_length"] = integer(model.embeddingLength)
    object["head_count"] = integer(model.headCount)
    object["head_count_kv"] = integer(model.keyValueHeadCount)
    object["tokenizer"] = string(model.tokenizerModel)
    object["pre_tokenizer"] = string(model.preTokenizer)
    object["vocabulary_size"] = integer(model.vocabularySize)
    object["chat_template"] = string(model.chatTemplate)
    object["chat_template_in_use"] = string((try? PromptInspection(path: model.path))?.template.description)
    object["obstacle"] = string(model.obstacle)
    object["metadata"] = .array(
      model.metadata.map { ["key": .string($0.key), "type": .string($0.type), "text": .string($0.text)] })
    object["tensors"] = .array(
      model.tensors.map {
        [
          "name": .string($0.name), "type": .string($0.type),
          "dimensions": .array($0.dimensions.map { .integer($0) }), "bytes": .integer($0.byteCount),
        ]
      })
    return .object(object)
  }
}
