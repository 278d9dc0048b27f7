package import ChatTemplate
package import GGUF
package import Tokenizer

/// The chat templates in a model file's metadata, and the one of them that is used.
package struct ModelTemplates: Sendable {
  /// The template without a name.
  package let plain: String?
  /// The others by name, from `tokenizer.chat_template.NAME`.
  package let named: [String: String]

  private static let key = "tokenizer.chat_template"

  package init(_ file: GGUFFile) {
    let metadata = file.metadata
    plain = try? metadata.string(Self.key)
    var named: [String: String] = [:]
    for key in metadata.keys where key.utf8.starts(with: "\(Self.key).".utf8) {
      named[String(key.unicodeScalars.dropFirst(Self.key.unicodeScalars.count + 1))] = try? metadata.string(key)
    }
    self.named = named
  }

  /// The names by which templates can be chosen.
  package var names: [String] { (plain == nil ? [] : ["default"]) + named.keys.filter { $0 != "default" }.sorted() }

  /// The template of a name; `default` is the one without.
  package func template(named name: String) -> String? {
    name == "default" ? plain ?? named[name] : named[name]
  }

  /// The prompt that `choice` asks for, and which template it uses.
  ///
  /// - Throws: `ChatPromptError` when there is no template that can be used; ``SDKError`` with `.invalidInput` when the
  ///   program's own choice can't be.
  package func prompt(_ choice: ChatTemplateSource, tokenizer: Tokenizer) throws -> (ChatPrompt, ChatTemplateInfo) {
    func spelling(_ id: Int?) -> String? {
      id.map { String(decoding: tokenizer.bytes(of: $0, showsControl: true), as: UTF8.self) }
    }
    func prompt(_ source: String?, named: [String: String] = [:], fallsBack: Bool) throws(ChatPromptError) -> ChatPrompt
    {
      try ChatPrompt(
        source: source, named: named, controlTokens: Set(tokenizer.controlTokens.keys),
        bosToken: spelling(tokenizer.bos),
        eosToken: spelling(tokenizer.eos), addsBOS: tokenizer.addsBOS, fallsBack: fallsBack)
    }
    switch choice {
    case .automatic:
      let prompt = try prompt(plain, named: named, fallsBack: true)
      return (prompt, info(of: prompt))
    case .named(let name):
      guard let source = template(named: name) else {
        let known = names.isEmpty ? "it has none" : "its templates are: \(names.joined(separator: ", "))"
        throw SDKError(code: .invalidInput, message: "the model has no chat template '\(name)'; \(known)")
      }
      return (
        try Self.insisting(on: "the model's template '\(name)'") { try prompt(source, fallsBack: false) },
        ChatTemplateInfo(description: "the model's template '\(name)'", source: source, isOwn: true)
      )
    case .text(let source, let origin):
      return (
        try Self.insisting(on: origin) { try prompt(source, fallsBack: false) },
        ChatTemplateInfo(description: "\(origin), in place of the model's own", source: source, isOwn: false)
      )
    }
  }

  /// What the automatic choice has led to, in words.
  private func info(of prompt: ChatPrompt) -> ChatTemplateInfo {
    switch prompt.origin {
    case .given:
      let hasOne = named["tool_use"] != nil
      let forTools =
        prompt.hasTemplateForTools
        ? ", and its template 'tool_use' for conversations with tools"
        : hasOne ? " alone; its template 'tool_use' can't be used" : ""
      return ChatTemplateInfo(
        description: "the model's own\(forTools)", source: plain ?? named["default"], isOwn: true)
    case .fallback(let form, let reason):
      let why = reason.map { "the model's own can't be used: \($0)" } ?? "the model has none"
      return ChatTemplateInfo(
        description: "the \(form.title) form, chosen by the vocabulary's control tokens (\(why))", source: form.source,
        isOwn: false)
    }
  }

  /// The program's own choice is an error where it can't be used, and never replaced.
  static func insisting(on origin: String, _ make: () throws -> ChatPrompt) throws -> ChatPrompt {
    do {
      return try make()
    } catch let error as ChatPromptError {
      let reason =
        switch error {
        case .noTemplate: "it is empty"
        case .unusableTemplate(_, let fault): "\(fault)"
        }
      throw SDKError(code: .invalidInput, message: "\(origin) can't be used: \(reason)", underlyingError: error)
    }
  }
}
