import ChatTemplate
import Foundation
import JSON

/// How long a template takes to compile, and a conversation of 20 messages with 10 tools to render.
struct TemplatesSpeed {
  /// A folder of `.jinja` files.
  let folder: String

  func report() throws -> BenchReport {
    var report = BenchReport(columns: ["template", "compile ms", "render ms", "kB"])
    var slowest = (compile: 0.0, render: 0.0)
    for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() where name.hasSuffix(".jinja") {
      let source = try BenchInput.text("\(folder)/\(name)")
      guard let template = try? ChatTemplate(source: source), let text = render(template) else {
        report.row(name, "-", "-", "-")
        continue
      }
      // Another text each time, so that the cache of compiled templates is of no use.
      let compile = milliseconds { turn in _ = try? ChatTemplate(source: source + "{# \(turn) #}") }
      let rendering = milliseconds { _ in _ = render(template) }
      report.row(name, fixed(compile, 3), fixed(rendering, 3), fixed(Double(text.utf8.count) / 1e3))
      slowest = (max(slowest.compile, compile), max(slowest.render, rendering))
    }
    report["compile_ms_max"] = .double(slowest.compile)
    report["render_ms_max"] = .double(slowest.render)
    report.verdict = slowest.compile <= 5 && slowest.render <= 2
    return report
  }

  private func milliseconds(_ body: (Int) -> Void) -> Double {
    median(
      (0..<21).map { turn in
        let start = ContinuousClock.now
        body(turn)
        return (ContinuousClock.now - start) / .milliseconds(1)
      })
  }

  private func render(_ template: ChatTemplate) -> String? {
    let clock = TemplateClock(year: 2025, month: 3, day: 9)
    return try? template.render(Self.conversation, clock: clock).text
  }

  /// Five rounds of question, call, result and answer, with ten tools of four parameters.
  static let conversation: JSONObject = {
    let names = ["city", "unit", "days", "detail"]
    let tools = (0..<10).map { tool -> JSONValue in
      var properties = JSONObject()
      for name in names {
        properties[name] = [
          "type": "string", "description": .string("The \(name) that the request of kind \(tool) names"),
        ]
      }
      return [
        "type": "function",
        "function": [
          "name": .string("function_\(tool)"), "description": .string("Does the thing that number \(tool) stands for"),
          "parameters": ["type": "object", "properties": .object(properties), "required": ["city"]],
        ],
      ]
    }
    var messages: [JSONValue] = []
    for round in 0..<5 {
      let arguments: JSONValue = ["city": .string("Town \(round)"), "days": .integer(round)]
      let call: JSONValue = [
        "id": .string("call0000\(round)"), "type": "function",
        "function": ["name": .string("function_\(round)"), "arguments": arguments],
      ]
      messages.append(["role": "user", "content": .string(String(repeating: "What about town \(round)? ", count: 12))])
      messages.append(["role": "assistant", "content": "", "tool_calls": [call]])
      messages.append([
        "role": "tool", "tool_call_id": .string("call0000\(round)"), "name": .string("function_\(round)"),
        "content": .string(String(repeating: "{\"t\": \(round)}", count: 10)),
      ])
      messages.append(["role": "assistant", "content": .string(String(repeating: "It is fine there. ", count: 12))])
    }
    return [
      "messages": .array(messages), "tools": .array(tools), "add_generation_prompt": true, "bos_token": "<s>",
      "eos_token": "</s>",
    ]
  }()
}
