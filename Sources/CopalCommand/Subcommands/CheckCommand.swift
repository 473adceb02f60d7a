#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalEssentials
  import CopalModel

  struct CheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Shows every problem of models, with its line and what to write instead.",
      discussion: """
        EXAMPLES
          copal check Models/*.model.json
          copal check --fix Shop.model.json         repair what is misspelled
          copal check --watch Shop.model.json       again after each change
          copal check --format sarif Shop.model.json     for code hosts
          copal check --explain model.unknownType   what to do about a code
        """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case text, json, sarif }

    @Flag(help: "Repair what has one possible repair, and show what was done.")
    var fix = false

    @Flag(help: "Warnings are problems, too.")
    var strict = false

    @Flag(help: "Check again after each change, until Control-C.")
    var watch = false

    @Option(help: ArgumentHelp("How to print: text, json or sarif.", valueName: "format"))
    var format = Format.text

    @Option(help: ArgumentHelp("Print what a code means, and what to do.", valueName: "code"))
    var explain: String?

    @Argument(help: "The model files; - for the standard input.")
    var files: [String] = []

    func validate() throws {
      if explain != nil { return }
      if files.isEmpty { throw ValidationError("Name at least one model file.") }
      if watch && (fix || format != .text || files.contains("-")) {
        throw ValidationError("--watch goes only with files and --strict.")
      }
      if fix && files.contains("-") { throw ValidationError("--fix needs a file.") }
    }

    mutating func run(_ output: inout Output) throws {
      if let explain { return try output.write(ErrorPage.section(explain, output.terminal)) }
      if watch { return try ModelWatch(files, strict: strict).run(&output) }
      var reports: [ModelReport] = []
      for path in files {
        do throws(CommandFailure) {
          let file = try TextFile(path)
          if fix { try repair(file, &output) }
          reports.append(ModelReport(fix ? try TextFile(path) : file, strict: strict))
        } catch {
          // The others are checked.
          output.complain(error.message)
          output.failure = error.status
        }
      }
      if reports.contains(where: \.hasProblems) { output.foundProblems = true }
      switch format {
      case .text: for report in reports { output.write(report.text(output.terminal)) }
      case .json: output.line(ModelReport.json(reports))
      case .sarif: output.line(ModelReport.sarif(reports))
      }
    }

    private func repair(_ file: TextFile, _ output: inout Output) throws(CommandFailure) {
      let fixes = ModelFixes(try file.text, file: file.path)
      if fixes.edits.isEmpty { return }
      try TextFile.write(fixes.text, to: file.path)
      // With another format, the standard output has nothing else.
      guard format == .text else { return }
      for edit in fixes.edits {
        output.line(
          output.terminal.styled("\(file.name):\(edit.line):\(edit.column):", .place) + " repaired")
        output.line(output.terminal.styled("- \(edit.oldLine.printable)", .removed))
        output.line(output.terminal.styled("+ \(edit.newLine.printable)", .added))
      }
    }
  }
#endif
