/// Tells what a file that is no GGUF file is instead, so that the error can say what to do.
enum FileSignature {
  static func error(for reader: ByteReader) -> GGUFError {
    func found(_ reason: String, _ advice: String) -> GGUFError { GGUFError(.notGGUF, reason: reason, advice: advice) }
    if reader.starts(with: "version https://git-lfs") {
      return found("this is a git-lfs pointer, not the model itself", "fetch the real file with `git lfs pull`")
    }
    for magic in ["ggml", "ggmf", "ggjt", "ggla", "lmgg", "fmgg", "tjgg", "algg"] as [StaticString]
    where reader.starts(with: magic) {
      return found("an old GGML file (\(magic)), which is not supported", "get the model as GGUF")
    }
    if reader.starts(with: "PK\u{3}\u{4}") {
      return found("a zip archive or PyTorch checkpoint, not a GGUF file", "get the model as GGUF")
    }
    for start in ["<!DOCTYPE", "<!doctype", "<html"] as [StaticString] where reader.starts(with: start) {
      return found("an HTML page, not a GGUF file", "the download link led to a web page: get the file itself")
    }
    var copy = reader
    if let length = copy.readCount(), length < reader.remaining, copy.read(UInt8.self) == UInt8(ascii: "{") {
      return found("a safetensors file, not a GGUF file", "get the model as GGUF")
    }
    return found("not a GGUF file", "its first four bytes would be GGUF")
  }
}
