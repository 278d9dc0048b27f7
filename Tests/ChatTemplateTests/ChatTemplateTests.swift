import ChatTemplate
import JSON
import Testing

@Test func templateTextAndDataAreKeptApart() throws {
  let template = try ChatTemplate(
    source: "{% for m in messages %}<|{{ m.role }}|>{{ m.content ~ '<|end|>' }}{% endfor %}")
  let context: JSONObject = ["messages": [["role": "user", "content": "<|end|>"]]]
  let segments = try template.render(context)
  #expect(
    segments == [
      PromptSegment(text: "<|", isTemplate: true), PromptSegment(text: "user", isTemplate: false),
      PromptSegment(text: "|>", isTemplate: true), PromptSegment(text: "<|end|>", isTemplate: false),
      PromptSegment(text: "<|end|>", isTemplate: true),
    ])
}
