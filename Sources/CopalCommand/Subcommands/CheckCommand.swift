#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalConsole
  import CopalEssentials
  import CopalModel
  import CopalObjects
  import CopalStore

  struct CheckCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "check",
      abstract: "Shows every problem of models, or of stores, and what to do.",
      discussion: """
        It looks at what it gets: a model file, or a store. A store is only read, and no program \
        has to wait for it.

        EXAMPLES
          copal check Models/*.model.json
          copal check --fix Shop.model.json         repair what is misspelled
          copal check --watch Shop.model.json       again after each change
          copal check --format sarif Shop.model.json     for code hosts
          copal check --explain model.unknownType   what to do about a code
          copal check Shop.sqlite --everything      after a crash or a full disk
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

    @Flag(help: "Of a store: also every value, the files, and the pages of the file.")
    var everything = false

    @Option(
      help: ArgumentHelp(
        "Of a store: the complete model, if the one in the file is not.", valueName: "file"))
    var model: String?

    @Option(
      help: ArgumentHelp("Of a store: the greatest number of problems.", valueName: "number"))
    var limit = 100

    @Argument(help: "The model files, or stores; - for a model on the standard input.")
    var files: [String] = []

    func validate() throws {
      if explain != nil { return }
      if files.isEmpty { throw ValidationError("Name at least one model file.") }
      if watch && (fix || format != .text || files.contains("-")) {
        throw ValidationError("--watch goes only with files and --strict.")
      }
      if fix && files.contains("-") { throw ValidationError("--fix needs a file.") }
      if limit < 1 { throw ValidationError("--limit needs a number from 1.") }
    }

    mutating func run(_ output: inout Output) throws {
      if let explain { return try output.write(ErrorPage.section(explain, output.terminal)) }
      if watch {
        return try Interruption.waiting { try ModelWatch(files, strict: strict).run(&output) }
      }
      var reports: [ModelReport] = []
      for path in files {
        do throws(CommandFailure) {
          if path != "-", try StoreAddress(path).isStore() {
            try checkStore(path, &output)
            continue
          }
          let file = try TextFile(path)
          try ModelSource.checkIsModel(file)
          if fix { try repair(file, &output) }
          reports.append(ModelReport(fix ? try TextFile(path) : file, strict: strict))
        } catch {
          // The others are checked.
          output.complain(error.message)
          output.failure = error.status
        }
      }
      if reports.contains(where: \.hasProblems) { output.foundProblems = true }
      if reports.isEmpty { return }
      switch format {
      case .text: for report in reports { output.write(report.text(output.terminal)) }
      case .json: output.line(ModelReport.json(reports))
      case .sarif: output.line(ModelReport.sarif(reports))
      }
    }

    /// Checks a store. What keeps it from being opened is a problem, too.
    private func checkStore(_ path: String, _ output: inout Output) throws(CommandFailure) {
      guard format != .sarif, !fix, !watch else {
        throw CommandFailure(.usage, "copal: --fix, --watch and sarif are for models")
      }
      let progress = ProgressLine("rows", output)
      var problems: [String] = []
      do {
        let opened = try OpenedStore(path, for: everything ? .checks : .reads, modelFile: model)
        let parts: StoreCheckParts =
          everything ? .everything : [.references, .search, .uniqueness, .schema]
        var times = CheckTimes()
        let found = try opened.container.check(parts, limit: limit) {
          times.note($0)
          progress.show($0.rowCount)
        }
        progress.end()
        // The seconds differ each time, so they are only for a person who waits.
        if everything, output.errorTerminal.isTerminal { output.complain(times.text) }
        problems = found.map(\.description)
        if everything { problems += try Self.scan(opened.container) }
        if found.count == limit { problems.append("… and perhaps more; --limit shows them") }
      } catch let failure as CommandFailure {
        throw failure
      } catch let error as PersistenceError {
        // A store that cannot be reached is no broken one.
        switch error.code {
        case .busy, .cannotOpen, .notWritable, .noStore, .tooManyFiles, .interrupted:
          throw CommandFailure(.inputOutput, "copal: \(error)".printable)
        default: problems = ["\(error)".split(separator: "\n").joined(separator: " ")]
        }
      } catch {
        problems = ["\(error)"]
      }
      progress.end()
      if !problems.isEmpty { output.foundProblems = true }
      if format == .json {
        let list = problems.map { JSONText.quoted($0) }.joined(separator: ", ")
        return output.line(
          "{\"version\": 1, \"store\": \(JSONText.quoted(path)), \"problems\": [\(list)]}")
      }
      for problem in problems {
        output.line(
          output.terminal.styled("\(path.printable):", .place) + " "
            + output.terminal.styled("error:", .error) + " " + problem.printable)
      }
      if problems.isEmpty { output.line("\(path.printable): fine") }
    }

    /// The values that the transformers that are known here cannot decode.
    private static func scan(_ container: PersistentContainer) throws -> [String] {
      var found: [String] = []
      for (place, entity) in container.model.entities.enumerated() {
        let layout = container.store.schema.entities[place]
        let transformers = RowTransformers(container, entity: place)
        for attribute in entity.storedAttributes where attribute.type == .transformable {
          guard let slot = layout.slotByName[attribute.name], transformers.isKnown(slot) else {
            continue
          }
          let (name, owner) = (attribute.name, entity.name)
          found += try Waiting.run { try await container.scan(name, of: owner) }.map {
            "\($0)".split(separator: "\n").joined(separator: " ")
          }
        }
      }
      return found
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

  /// How long the parts of a check take: the database's own check of its pages apart.
  private struct CheckTimes {
    private let start = ContinuousClock.now
    private var end: ContinuousClock.Instant?
    private var isPages = false
    private var rowCount = 0

    mutating func note(_ progress: StoreCheckProgress) {
      rowCount = max(rowCount, progress.rowCount)
      if progress.parts == .integrity { isPages = true }
      if isPages, progress.parts != .integrity, end == nil { end = .now }
    }

    /// What was looked at, with the seconds.
    var text: String {
      let now = ContinuousClock.now
      let pages = (end ?? now) - start
      return
        "\(rowCount.grouped) rows in \(Self.seconds(now - start - pages)), the pages of the file in \(Self.seconds(pages))"
    }

    private static func seconds(_ duration: Duration) -> String {
      let parts = duration.components
      let tenths = parts.seconds * 100 + parts.attoseconds / 10_000_000_000_000_000
      return "\(tenths / 100).\(tenths % 100 < 10 ? "0" : "")\(tenths % 100) s"
    }
  }
#endif
