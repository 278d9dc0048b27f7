import Foundation

extension RunAnywhere {
  private static let catalog = ModelCatalog()

  /// Loads a model: by the path of a GGUF file, by the id of a file that was added, or by the name of a file in the
  /// models folder (`$RUNANYWHERE_MODELS`, otherwise `runanywhere/models` in the user's cache folder).
  ///
  /// A model that was loaded before stays until the new one is ready.
  ///
  /// - Throws: ``SDKError``: `.modelNotFound` with the places that were looked at, `.modelLoadFailed`,
  ///   `.invalidModelFormat` or `.modelIncompatible` with the reason.
  public static func loadModel(modelId: String) async throws {
    try await loadModel(modelId: modelId, chatTemplate: .automatic)
  }

  /// Loads a model whose conversations take the form of `chatTemplate`; see ``loadModel(modelId:)``.
  public static func loadModel(modelId: String, chatTemplate: ChatTemplateSource) async throws {
    let path = try catalog.path(of: modelId)
    guard FileManager.default.fileExists(atPath: path) else {
      throw SDKError(code: .modelNotFound, message: "there is no model file \(path), which \"\(modelId)\" stands for")
    }
    let model = try await LanguageModel(path: path, chatTemplate: chatTemplate)
    SharedState.shared.setModel(model)
  }

  /// Loads a model; another spelling of ``loadModel(modelId:)``.
  public static func loadModel(_ modelId: String) async throws {
    try await loadModel(modelId: modelId)
  }

  /// Loads a model that the program made itself.
  public static func use(_ model: LanguageModel) async {
    SharedState.shared.setModel(model)
  }

  /// Makes a GGUF file known as `id`, wherever it lies.
  public static func addModel(id: String, path: String) async {
    catalog.add(id, path: path)
  }

  /// Cancels what is being generated and lets the model go.
  public static func unloadModel() async {
    SharedState.shared.cancelAll()
    SharedState.shared.setModel(nil)
  }

  /// Whether a model is loaded.
  public static var isModelLoaded: Bool { SharedState.shared.currentModel != nil }

  /// The loaded model, for what the façade doesn't offer.
  public static var currentModel: LanguageModel? { SharedState.shared.currentModel }

  /// The models that ``loadModel(modelId:)`` finds by id.
  public static func availableModels() async -> [ModelInfo] {
    catalog.models
  }
}
