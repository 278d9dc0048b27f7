import Synchronization
import Tools

/// What `RunAnywhere` works with: the registered tools, the loaded model, and the work under way.
final class SharedState: Sendable {
  static let shared = SharedState()

  let registry = ToolRegistry()
  private let model = Mutex<LanguageModel?>(nil)
  private let work = Mutex<(next: Int, cancels: [Int: @Sendable () -> Void])>((0, [:]))

  /// The loaded model.
  ///
  /// - Parameter action: what it is wanted for, for the message.
  func loadedModel(before action: String) throws(SDKError) -> LanguageModel {
    guard let model = currentModel else {
      throw SDKError(
        code: .notInitialized, message: "no model is loaded. Load a model with loadModel(modelId:) before \(action)")
    }
    return model
  }

  var currentModel: LanguageModel? { model.withLock { $0 } }

  func setModel(_ new: LanguageModel?) { model.withLock { $0 = new } }

  /// Runs `body` so that ``cancelAll()`` can cancel it; cancelling the current task does as well.
  func cancellable<Result: Sendable>(
    _ body: @escaping @Sendable () async throws -> Result
  ) async throws -> Result {
    let task = Task { try await body() }
    let number = work.withLock { work in
      work.next += 1
      work.cancels[work.next] = { task.cancel() }
      return work.next
    }
    defer { work.withLock { work in work.cancels[number] = nil } }
    return try await withTaskCancellationHandler {
      try await task.value
    } onCancel: {
      task.cancel()
    }
  }

  /// Cancels everything under way.
  func cancelAll() {
    let cancels = work.withLock { Array($0.cancels.values) }
    for cancel in cancels { cancel() }
  }
}
