import Foundation
import GGUF
import TestSupport
import Testing

@Suite("Paths and files that are no models")
struct NotAModelTests {
  static func refusal(_ path: String) -> String {
    do { _ = try GGUFFile(path: path) } catch { return "\(error)" }
    return "accepted"
  }

  static func refusal(_ bytes: [UInt8]) -> String {
    do { _ = try GGUFFile(bytes: bytes) } catch { return "\(error)" }
    return "accepted"
  }

  @Test("G9: a directory, a device, a pipe, a missing path, an unreadable file", .timeLimit(.minutes(10)))
  func paths() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "paths-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    #expect(Self.refusal(folder.path).hasSuffix(": is a directory; give the path of a .gguf file"))
    #expect(Self.refusal("/dev/zero") == "/dev/zero: is a device; give the path of a .gguf file")
    #expect(Self.refusal(folder.path + "/none.gguf").hasSuffix("/none.gguf: no such file"))
    #expect(Self.refusal("") == ": no such file")
    let pipe = folder.appending(path: "pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    #expect(Self.refusal(pipe).hasSuffix(": is a pipe; give the path of a .gguf file"))
    let empty = folder.appending(path: "empty.gguf")
    try Data().write(to: empty)
    #expect(Self.refusal(empty.path).hasSuffix(": the file is empty; download it again"))
    if getuid() != 0 {
      let locked = folder.appending(path: "locked.gguf")
      try Data([1]).write(to: locked)
      #expect(chmod(locked.path, 0) == 0)
      #expect(Self.refusal(locked.path).hasSuffix(": Permission denied"))
    }
  }

  @Test(
    "G9: files of other kinds are named",
    arguments: [
      ("version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git-lfs pointer"),
      ("ggjt\u{1}\0\0\0", "old GGML file"), ("PK\u{3}\u{4}....", "zip archive"), ("<!DOCTYPE html><html>", "HTML page"),
      ("\u{8}\0\0\0\0\0\0\0{\"a\":1}   ", "safetensors"), ("hello", "not a GGUF file"), ("GGU", "not a GGUF file"),
      ("", "not a GGUF file"), ("GGUF", "header: the file ends"), ("GGUF\u{3}\0\0\0", "header: the file ends"),
      ("GGUF\u{1}\0\0\0", "GGUF version 1 is not supported"), ("GGUFc\0\0\0", "GGUF version 99 is not supported"),
      ("GGUF\0\0\0\u{3}", "big-endian"), ("GGUF\0\0\0\0", "GGUF version 0 is not supported"),
    ])
  func signatures(content: String, expected: String) {
    let line = Self.refusal(Array(content.utf8))
    #expect(line.contains(expected), "\(line)")
    #expect(!line.contains("\n"))
  }

  @Test("G5: a type that exists but isn't supported is named")
  func unsupportedType() throws {
    var writer = GGUFWriter()
    try writer.addTensor("output.weight", floats: [1])
    var bytes = writer.bytes()
    let header = GGUFFields(bytes)
    let type = try #require(header.fields.first { $0.kind == .tensorType })
    header.set(type, to: 23, in: &bytes)
    #expect(
      Self.refusal(bytes).hasPrefix(#"tensor "output.weight": type 23 (IQ4_XS) is not supported; supported are F32"#))
  }

  @Test("G3: a vocabulary of 151,936 strings opens in linear time")
  func largeVocabulary() throws {
    var writer = GGUFWriter()
    writer["tokenizer.ggml.tokens"] = .strings((0..<151_936).map { "token\($0)" })
    let bytes = writer.bytes()
    var count = 0
    let duration = try ContinuousClock().measure {
      count = try GGUFFile(bytes: bytes).metadata.strings("tokenizer.ggml.tokens")?.count ?? 0
    }
    #expect(count == 151_936)
    // A release build takes some milliseconds. Were every string compared with every other one, it would be minutes.
    #expect(duration < Slowness.hang)
  }
}
