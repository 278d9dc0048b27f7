// A view model and a view for Apple's platforms.
#if canImport(SwiftUI)
  import RunAnywhere
  import SwiftUI

  @MainActor
  @Observable
  class ToolCallingViewModel {
    var prompt = ""
    var response = ""
    var toolLog: [String] = []
    var isProcessing = false

    func setup() async {
      await RunAnywhere.clearTools()

      let weatherTool = ToolDefinition(
        name: "get_weather",
        description: "Get current weather for a city",
        parameters: [
          ToolParameter(name: "city", type: .string, description: "City name", required: true)
        ]
      )

      await RunAnywhere.registerTool(weatherTool) { [weak self] args -> [String: ToolValue] in
        let city = args["city"]?.stringValue ?? "Unknown"
        await MainActor.run {
          self?.toolLog.append("🔧 get_weather(city: \"\(city)\")")
        }
        return [
          "temperature": .number(72.0),
          "condition": .string("sunny"),
          "city": .string(city),
        ]
      }
    }

    func send() async {
      guard !prompt.isEmpty else { return }

      isProcessing = true
      response = ""
      toolLog = []

      do {
        let options = ToolCallingOptions(
          maxToolCalls: 3,
          autoExecute: true,
          temperature: 0.7,
          maxTokens: 512
        )

        let result = try await RunAnywhere.generateWithTools(
          prompt: prompt,
          options: options
        )

        response = result.text

        for toolResult in result.toolResults {
          let status = toolResult.success ? "✅" : "❌"
          toolLog.append("\(status) Result: \(toolResult.result ?? [:])")
        }
      } catch {
        response = "Error: \(error.localizedDescription)"
      }

      isProcessing = false
    }
  }

  struct ToolCallingView: View {
    @State private var viewModel = ToolCallingViewModel()

    var body: some View {
      NavigationStack {
        VStack(spacing: 16) {
          // Tool execution log
          if !viewModel.toolLog.isEmpty {
            VStack(alignment: .leading, spacing: 4) {
              Text("Tool Log")
                .font(.caption.bold())
                .foregroundStyle(.secondary)
              ForEach(viewModel.toolLog, id: \.self) { entry in
                Text(entry)
                  .font(.caption.monospaced())
              }
            }
            .padding()
            .frame(maxWidth: .infinity, alignment: .leading)
            .background(.ultraThinMaterial)
            .clipShape(RoundedRectangle(cornerRadius: 8))
          }

          // Response
          if !viewModel.response.isEmpty {
            Text(viewModel.response)
              .textSelection(.enabled)
              .padding()
              .frame(maxWidth: .infinity, alignment: .leading)
              .background(Color.blue.opacity(0.1))
              .clipShape(RoundedRectangle(cornerRadius: 8))
          }

          Spacer()

          // Input
          HStack {
            TextField("Ask something...", text: $viewModel.prompt)
              .textFieldStyle(.roundedBorder)

            Button("Send") {
              Task { await viewModel.send() }
            }
            .buttonStyle(.borderedProminent)
            .disabled(viewModel.prompt.isEmpty || viewModel.isProcessing)
          }

          if viewModel.isProcessing {
            ProgressView("Processing...")
          }
        }
        .padding()
        .navigationTitle("Tool Calling")
        .task { await viewModel.setup() }
      }
    }
  }
#endif
