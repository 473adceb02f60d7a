#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalModel

  struct FormatCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "format",
      abstract: "Writes models in the canonical layout. Comments and blank lines stay.",
      discussion: """
        EXAMPLES
          copal format Models/*.model.json
          copal format --check Models/*.model.json    for CI: exit code 1 and the names
          copal format - < Shop.model.json            for an editor
        """)

    @Flag(help: "Write nothing: name the files that are not in the layout, and end with 1.")
    var check = false

    @Argument(help: "The model files; - for the standard input.")
    var files: [String]

    mutating func run(_ output: inout Output) throws {
      for path in files { try format(TextFile(path), &output) }
    }

    private func format(_ file: TextFile, _ output: inout Output) throws {
      let text = try file.text
      guard let layout = ModelFormatter.format(text) else {
        throw CommandFailure(.badInput, Self.reason(text, file))
      }
      if check {
        if layout == text { return }
        output.foundProblems = true
        output.line("\(file.name) is not in the canonical layout")
      } else if file.path == "-" {
        output.write(layout)
      } else if layout != text {
        try TextFile.write(layout, to: file.path)
        output.line("formatted \(file.name)")
      }
    }

    /// Why a text has no layout.
    private static func reason(_ text: String, _ file: TextFile) -> String {
      do {
        _ = try ManagedObjectModel(json: text, file: file.path)
        return "\(file.name): error: the text cannot be read as JSON"
      } catch {
        return error.problems.map(\.description.printable).joined(separator: "\n")
      }
    }
  }
#endif
