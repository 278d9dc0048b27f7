import Foundation
import RunAnywhere
import Testing
import Tools

@Suite("Answers as values")
struct StructuredGenerationTests {
  private struct Person: Codable, Sendable, Equatable {
    enum Role: String, Codable, CaseIterable, Sendable { case reader, writer }
    let name: String
    let age: Int
    let role: Role
    let tags: [String]?
  }

  @Test("a value of a type, whose schema is derived")
  func derived() async throws {
    let text = #"{"name": "Ada", "age": 36, "role": "writer"}"#
    let person = try await LanguageModel(engine: .saying(text)).respond(to: "q", as: Person.self)
    #expect(person == Person(name: "Ada", age: 36, role: .writer, tags: nil))
  }

  @Test("whatever the model wants, the value decodes", arguments: [30, 60, 100, 200])
  func anyModel(_ limit: Int) async throws {
    let person = try await LanguageModel(engine: .endless()).respond(
      to: "q", as: Person.self, options: .init(maxTokens: limit, temperature: 1, seed: 3))
    #expect(!person.name.contains("\""))
  }

  @Test("too few tokens for any document are an error that says so")
  func noRoom() async throws {
    do {
      _ = try await LanguageModel(engine: .endless()).respond(
        to: "q", as: Person.self, options: .init(maxTokens: 5, temperature: 0))
      Issue.record("no error")
    } catch let error as SDKError {
      #expect(error.code == .generationFailed)
      #expect(error.message.contains("5 tokens") && error.message.contains("maxTokens"))
    }
  }

  @Test("a schema that the type doesn't fit is an error, not a trap")
  func mismatch() async throws {
    let schema = try JSONSchema(
      parsing: #"{"type": "object", "properties": {"name": {"type": "integer"}}, "required": ["name"]}"#)
    do {
      _ = try await LanguageModel(engine: .saying(#"{"name": 3}"#)).respond(to: "q", as: Person.self, schema: schema)
      Issue.record("no error")
    } catch let error as SDKError {
      #expect(error.code == .validationFailed)
      #expect(error.message.contains("Person"))
    }
  }

  @Test("a session keeps the document as its turn")
  func session() async throws {
    let text = #"{"name": "Ada", "age": 36, "role": "writer"}"#
    let session = ChatSession(LanguageModel(engine: .saying(text)))
    _ = try await session.respond(to: "q", as: Person.self)
    #expect(session.transcript.last?.content == text)
  }

  @Test("SmolLM2 answers in values", .enabled(if: SmolLM2.isPresent, "needs SmolLM2 in the model folder"))
  func real() async throws {
    let model = try await LanguageModel(path: try #require(SmolLM2.path))
    let person = try await model.respond(
      to: "Ada Lovelace is a writer of 36 years. Describe her.", as: Person.self,
      options: .init(maxTokens: 120, temperature: 0))
    #expect(!person.name.isEmpty)
    let result = try await model.respond(
      to: "Name a city and its country.",
      generating: try JSONSchema(
        parsing:
          #"{"type": "object", "properties": {"city": {"type": "string"}, "country": {"type": "string"}}, "required": ["city", "country"], "additionalProperties": false}"#
      ),
      options: .init(maxTokens: 60, temperature: 0))
    let members = try ToolValue(json: result.text).objectValue
    #expect(Set((members ?? [:]).keys) == ["city", "country"])
    #expect(result.usage.forcedTokens > 4)
  }
}

/// The small real model, when it is there.
enum SmolLM2 {
  static var path: String? { ModelFolder().file(named: "SmolLM2-135M-Instruct.Q4_1")?.path }
  static var isPresent: Bool { path != nil }
}
