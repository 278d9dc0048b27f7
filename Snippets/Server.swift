// A model behind a server: many users, one model, one session each.
import Foundation
import RunAnywhere

// snippet.service
actor ChatService {
  private let model: LanguageModel
  private let tools: [Tool]
  private var sessions: [String: ChatSession] = [:]

  init(model: LanguageModel, tools: [Tool]) {
    self.model = model
    self.tools = tools
  }

  private func session(of user: String) -> ChatSession {
    if let session = sessions[user] { return session }
    let session = ChatSession(model, systemPrompt: "You are a helpful assistant.")
    sessions[user] = session
    return session
  }

  func forget(_ user: String) { sessions[user] = nil }
}
// snippet.end

// snippet.answer
extension ChatService {
  /// The answer in pieces. Whoever drops the stream, because the client has gone, ends the work.
  func answer(_ message: String, to user: String) -> AsyncThrowingStream<String, any Error> {
    let session = session(of: user)
    let tools = tools
    let (stream, pieces) = AsyncThrowingStream<String, any Error>.makeStream()
    let task = Task {
      do {
        _ = try await session.respond(to: message, tools: tools, options: ToolCallingOptions(maxTokens: 400)) { event in
          if case .text(let piece) = event { pieces.yield(piece) }
        }
        pieces.finish()
      } catch {
        pieces.finish(throwing: error)
      }
    }
    pieces.onTermination = { _ in task.cancel() }
    return stream
  }
}
// snippet.end

/// The body of a request in the shape of OpenAI's chat API; the reply's message.
func complete(_ body: String, _ model: LanguageModel) async throws -> JSONValue {
  // snippet.stateless
  let request = try JSONValue(parsing: body)
  var messages = try [LLMMessage](importing: request)
  guard let question = messages.popLast(), question.role == .user else {
    throw SDKError(code: .invalidInput, message: "the last message must be the user's")
  }
  let tools = try (request["tools"]?.arrayValue ?? []).map { shape in
    Tool(try ToolDefinition(importing: shape)) { _ in [:] }
  }
  // The client runs its tools itself: the answer ends with the calls.
  let options = ToolCallingOptions(autoExecute: false, history: messages)
  let result = try await model.respond(to: question.content, tools: tools, options: options)
  let reply = result.transcript.last?.openAIMessage ?? .object(JSONObject())
  // snippet.end
  return reply
}
