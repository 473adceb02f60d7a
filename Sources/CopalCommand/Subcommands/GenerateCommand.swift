#if Command
  internal import ArgumentParser
  import CopalCodegen
  import CopalEssentials
  import CopalModel

  struct GenerateCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "generate",
      abstract: "Writes the Swift code of models, as the plugin does in a build.",
      discussion: """
        For a package without the plugin. NAME.model.json becomes NAME+Copal.swift. For an \
        entity with "codegen": "extension", the file of its class is written once, and never \
        touched again.

        EXAMPLES
          copal generate Shop.model.json --output Sources/Shop
          copal generate --check Shop.model.json --output Sources/Shop
            for CI: exit code 1 and the names of files to write again
        """)

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The folder for the code; by default that of the model.", valueName: "folder"))
    var output: String?

    @Option(
      help: ArgumentHelp("The module of the code, if the model imports it.", valueName: "name"))
    var module: String?

    @Flag(help: "Write nothing: name the files that are not up to date, and end with 1.")
    var check = false

    @Argument(help: "The model files.")
    var files: [String]

    func validate() throws {
      if files.contains("-") { throw ValidationError("generate needs files.") }
    }

    mutating func run(_ output: inout Output) throws {
      var models: [(file: String, model: ManagedObjectModel)] = []
      var codes: [(path: String, text: String)] = []
      var humanFiles: [(path: String, text: String)] = []
      for path in files {
        let file = try TextFile(path)
        let model = try ManagedObjectModel(json: file.bytes, file: path)
        var generator = CodeGenerator(model, file: path, module: module, text: try file.text)
        // Those before it, so that two models with one name are reported once.
        generator.otherModels = models
        models.append((path, model))
        for warning in generator.warnings { output.complain(warning.description.printable) }
        do {
          codes.append((self.path(Self.codeName(path), beside: path), try generator.swiftText()))
        } catch {
          let problems = error.problems.map(\.description.printable)
          throw CommandFailure(.badInput, problems.joined(separator: "\n"))
        }
        humanFiles += generator.humanFiles.map { (self.path($0.name, beside: path), $0.text) }
      }
      // Nothing is written before all models are fine.
      if let folder = self.output, !check { try TextFile.makeFolder(folder) }
      for (path, text) in codes { try write(text, to: path, &output) }
      for (path, text) in humanFiles where !FileManager.default.fileExists(atPath: path) {
        try write(text, to: path, &output)
      }
    }

    private static func codeName(_ path: String) -> String {
      let name = path.split(separator: "/").last.map(String.init) ?? path
      for suffix in [".model.json", ".json"] where name.hasSuffix(suffix) {
        return name.dropLast(suffix.count) + "+Copal.swift"
      }
      return name + "+Copal.swift"
    }

    private func path(_ name: String, beside model: String) -> String {
      if let output { return output + (output.hasSuffix("/") ? "" : "/") + name }
      return (model.lastIndex(of: "/").map { String(model[...$0]) } ?? "") + name
    }

    private func write(_ text: String, to path: String, _ output: inout Output) throws {
      // A file with the same text keeps its time, so that nothing is built again.
      if let old = try? TextFile(path), old.bytes == Array(text.utf8) { return }
      if check {
        output.foundProblems = true
        let isThere = FileManager.default.fileExists(atPath: path)
        return output.line(path.printable + (isThere ? " is not up to date" : " is missing"))
      }
      try TextFile.write(text, to: path)
      output.line("wrote \(path.printable)")
    }
  }
#endif
