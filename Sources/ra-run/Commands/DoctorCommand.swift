import Arguments
import Foundation
import RunAnywhere

/// What the machine offers, what was chosen and why, and whether it computes right.
struct DoctorCommand: ProgramCommand {
  let command = Command(
    "doctor", "checks this machine: processor, kernels, threads, memory, models",
    options: [Option("json", "print one JSON document")],
    discussion: """
      Every kernel that this machine uses is compared with a slow version of itself. The status is 1 when one of them
      computes something else, or when a model in the models folder can't be used.
      """)

  func run(_ arguments: Arguments) async throws -> Int32 {
    let machine = MachineInspection()
    let models = ModelsReport(ModelFolder())
    let report = DoctorReport(machine: machine, models: models)
    if arguments.flag("json") {
      try Console.print(report.document.compact)
    } else {
      try Console.print(report.lines.joined(separator: "\n"))
    }
    return report.faults.isEmpty ? Program.Status.done : Program.Status.failed
  }
}

/// The models in a folder, each with what keeps it from being used.
struct ModelsReport: Sendable {
  struct Entry: Sendable {
    let name: String
    let bytes: Int
    let obstacle: String?
  }

  let folder: String
  let exists: Bool
  let entries: [Entry]

  init(_ folder: ModelFolder) {
    self.folder = folder.url.path
    exists = FileManager.default.fileExists(atPath: folder.url.path)
    entries = folder.files().map { file in
      let name = file.deletingPathExtension().lastPathComponent
      do {
        let model = try ModelInspection(path: file.path)
        let obstacle = model.parameterCount == 0 ? "it has no weights" : model.obstacle
        return Entry(name: name, bytes: model.fileByteCount, obstacle: obstacle)
      } catch {
        return Entry(name: name, bytes: 0, obstacle: "\(error)")
      }
    }
  }
}

/// What `doctor` prints.
struct DoctorReport: Sendable {
  let machine: MachineInspection
  let models: ModelsReport

  /// What is wrong, a line each.
  var faults: [String] {
    machine.checks.flatMap { check in
      check.unsound.map { "kernel \($0.kernel) of \(check.level) computes something else (error \($0.error))" }
    }
      + models.entries.compactMap { entry in
        entry.obstacle.map { "model \(Quantity.printable(entry.name)) can't be used: \(Quantity.printable($0))" }
      }
  }

  /// What isn't wrong but worth knowing.
  var hints: [String] {
    var hints: [String] = []
    if machine.isDebugBuild { hints.append("this is a debug build, many times slower: swift build -c release") }
    if machine.kernelLevels == ["scalar"] {
      hints.append("no SIMD kernels fit this processor, so everything is slow; AVX2 or Arm's dot products are needed")
    }
    if models.entries.isEmpty {
      hints.append("no models in \(models.folder) yet; \(Program.name) pull fetches the default one")
    }
    return hints
  }

  var lines: [String] {
    var rows: [(left: String, right: String)] = []
    rows.append(("version", VersionCommand.version + (machine.isDebugBuild ? " (debug build)" : "")))
    rows.append(("processor", Quantity.printable(machine.processor)))
    rows.append(("features", machine.features.isEmpty ? "none that matter" : machine.features.joined(separator: " ")))
    rows.append(("kernels", "\(machine.kernelLevel): \(machine.kernelReason)"))
    for check in machine.checks {
      let wrong = check.unsound.isEmpty ? "all right" : "\(check.unsound.count) wrong"
      let milliseconds = Quantity.decimal(check.seconds * 1000)
      rows.append(("", "\(check.level): \(check.kernels) kernels checked, \(wrong) (\(milliseconds) ms)"))
    }
    rows.append(("threads", "\(machine.threads): \(machine.threadsReason)"))
    rows.append(("BLAS", Quantity.printable(machine.blas)))
    let memory = machine.memory
    var text = Quantity.bytes(memory.physical)
    if let limit = memory.cgroup { text += ", of which a cgroup allows \(Quantity.bytes(limit))" }
    if let available = memory.available { text += ", \(Quantity.bytes(available)) available" }
    rows.append(("memory", text))
    rows.append(("models", models.folder + (models.exists ? "" : " (not there yet)")))
    for entry in models.entries {
      rows.append(
        (
          "",
          Quantity.printable(entry.name) + "  "
            + (entry.obstacle == nil ? Quantity.bytes(entry.bytes) : "can't be used")
        ))
    }
    rows.append(("result", faults.isEmpty ? "all is well" : faults.count == 1 ? "1 fault" : "\(faults.count) faults"))
    return HelpText.table(rows, indent: 0) + faults.map { "fault: \($0)" } + hints.map { "note: \($0)" }
  }

  var document: JSONValue {
    var object = JSONObject()
    func number(_ value: Int?) -> JSONValue { value.map { .integer($0) } ?? .null }
    object["version"] = .string(VersionCommand.version)
    object["debug_build"] = .boolean(machine.isDebugBuild)
    object["processor"] = .string(machine.processor)
    object["features"] = .array(machine.features.map { .string($0) })
    object["kernels"] = .string(machine.kernelLevel)
    object["kernels_reason"] = .string(machine.kernelReason)
    object["checks"] = .array(
      machine.checks.map { check in
        [
          "level": .string(check.level), "kernels": .integer(check.kernels), "seconds": .double(check.seconds),
          "unsound": .array(check.unsound.map { .string($0.kernel) }),
        ]
      })
    object["available_kernels"] = .array(machine.kernelLevels.map { .string($0) })
    object["threads"] = [
      "count": .integer(machine.threads), "reason": .string(machine.threadsReason), "cores": .integer(machine.cores),
      "allowed_cores": .integer(machine.allowedCores), "quota": machine.quota.map { .double($0) } ?? .null,
    ]
    object["blas"] = .string(machine.blas)
    object["memory"] = [
      "physical": .integer(machine.memory.physical), "cgroup": number(machine.memory.cgroup),
      "available": number(machine.memory.available),
    ]
    object["models_folder"] = .string(models.folder)
    object["models"] = .array(
      models.entries.map { entry in
        [
          "name": .string(entry.name), "bytes": .integer(entry.bytes),
          "obstacle": entry.obstacle.map { .string($0) } ?? .null,
        ]
      })
    object["faults"] = .array(faults.map { .string($0) })
    object["notes"] = .array(hints.map { .string($0) })
    return .object(object)
  }
}
