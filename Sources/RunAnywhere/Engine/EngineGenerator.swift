import Tools

/// The engine as the tool loop sees it.
struct EngineGenerator: Generator {
  let engine: Engine
  let slot: GenerationSlot?

  var callFormat: ToolCallFormat { engine.renderer.callFormat }

  func generate(
    _ request: TurnRequest, onText: @escaping @Sendable (String) -> Void
  ) async throws -> GeneratedTurn {
    try await engine.generate(request, slot: slot, onText: onText)
  }
}
