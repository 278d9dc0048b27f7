import Arguments

struct VersionCommand: ProgramCommand {
  /// The version of the package, as CHANGELOG.md lists it.
  static let version = "0.1.0"

  let command = Command("version", "prints the version")

  func run(_ arguments: Arguments) async throws -> Int32 {
    try Console.print("\(Program.name) \(Self.version)")
    return Program.Status.done
  }
}
