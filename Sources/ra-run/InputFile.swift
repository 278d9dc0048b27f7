import Foundation
import RunAnywhere

/// Files that the command line names.
enum InputFile {
  /// All bytes of a file.
  static func bytes(_ path: String) throws(Failure) -> [UInt8] {
    do {
      return [UInt8](try Data(contentsOf: URL(filePath: path)))
    } catch {
      throw Failure("\(path): can't be read (\(reason(error, path)))")
    }
  }

  /// The document that bytes hold; `name` is what errors call them.
  static func json(_ bytes: [UInt8], name: String) throws(Failure) -> JSONValue {
    do {
      return try JSONValue(parsing: bytes)
    } catch {
      throw Failure("\(name): not JSON: \(error)")
    }
  }

  /// Why a file can't be read, in a few words.
  private static func reason(_ error: any Error, _ path: String) -> String {
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      return "it is a folder"
    }
    return switch (error as? CocoaError)?.code {
    case .fileReadNoSuchFile?, .fileNoSuchFile?: "there is no such file"
    case .fileReadNoPermission?: "permission denied"
    default: error.localizedDescription
    }
  }
}
