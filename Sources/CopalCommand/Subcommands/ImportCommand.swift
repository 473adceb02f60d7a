#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalSQLite
  import CopalStore

  struct ImportCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "import",
      abstract: "Reads objects from a file into a store: all of them, or none.",
      discussion: """
        With an entity, each record of the file is an object: csv, json (a list), jsonl, or lines \
        of a log. Columns are found by name; maker.name finds the maker by its unique name. \
        Without an entity, the file is what export has written, and the store must be empty. \
        A store that is not there is made: of the export's model, or of --model.

        EXAMPLES
          copal import Shop.sqlite Pigment pigments.csv --model Shop.model.json
          copal import Shop.sqlite Pigment pigments.csv --upsert code --map Preis=price
          copal import Log.sqlite Line app.log --lines '{time} {level} [{unit}] {text}'
          copal import Copy.sqlite Shop.export.jsonl
        """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case csv, json, jsonl }

    @Argument(help: "The store.")
    var store: String

    @Argument(help: "The entity, for records; then the file, or - for the standard input.")
    var source: [String]

    @Option(
      help: ArgumentHelp(
        "csv, json or jsonl; by default, what the file's name says.", valueName: "format"))
    var format: Format?

    @Option(
      help: ArgumentHelp(
        "Read lines of this form: '{time} {level} [{unit}] {text}'", valueName: "template"))
    var lines: String?

    @Option(
      help: ArgumentHelp(
        "The property of a column; nothing after = leaves it out. Again for each column.",
        valueName: "column=property"))
    var map: [String] = []

    @Option(
      help: ArgumentHelp(
        "Update the object with the same values in these unique attributes.", valueName: "names"))
    var upsert: String?

    @Option(
      help: ArgumentHelp(
        "The form of times: 'yyyy-MM-dd HH:mm:ss', unix or unixMilliseconds.", valueName: "form"))
    var date: String?

    @Flag(help: "A comma is the decimal sign: 1,5.")
    var decimalComma = false

    @Option(help: ArgumentHelp("The character between fields of csv.", valueName: "character"))
    var delimiter: String = ","

    @Option(
      name: .customLong("nil"), parsing: .unconditional,
      help: ArgumentHelp(
        "The text of a field that is no value, also in quotation marks: NA, or '' for an empty one.",
        valueName: "text"))
    var noValue: String?

    @Flag(help: "Quotation marks of csv are characters as all others.")
    var noQuotes = false

    @Flag(help: "Fields at the end of a record of csv may be missing.")
    var shortRecords = false

    @Option(
      help: ArgumentHelp(
        "The first line of csv is a record; its columns: name,price,maker.name",
        valueName: "names"))
    var noHeader: String?

    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("Leave out lines that begin with this text, such as #.", valueName: "text")
    )
    var comment: String?

    @Option(
      help: ArgumentHelp(
        "The model of a new store, or the complete one of an old store.", valueName: "file"))
    var model: String?

    func validate() throws {
      guard (1...2).contains(source.count) else {
        throw ValidationError("Name a file, or an entity and a file.")
      }
      if delimiter != "tab", delimiter.count != 1 || delimiter.first?.isASCII != true {
        throw ValidationError("--delimiter needs one character, or tab.")
      }
      let isForRecords =
        format != nil || lines != nil || !map.isEmpty || upsert != nil || date != nil
        || decimalComma || noValue != nil || noQuotes || shortRecords || noHeader != nil
        || comment != nil
      if source.count == 1, isForRecords {
        throw ValidationError(
          "These options are for records: name their entity before the file.")
      }
      let form = lines == nil ? format ?? Self.format(of: source[source.count - 1]) : nil
      if form != .csv, noQuotes || noHeader != nil || shortRecords {
        throw ValidationError("--no-quotes, --no-header and --short-records are for csv.")
      }
      if form == .json || form == .jsonl, noValue != nil {
        throw ValidationError("--nil is for csv and --lines; json has null.")
      }
      if form == .json, comment != nil {
        throw ValidationError("--comment is for csv, jsonl and --lines.")
      }
      if comment == "" { throw ValidationError("--comment needs a text.") }
      if map.contains(where: { !$0.contains("=") }) {
        throw ValidationError("--map needs COLUMN=PROPERTY.")
      }
    }

    mutating func run(_ output: inout Output) throws {
      // A wrong one is refused before the file is read.
      _ = try StoreAddress(store)
      let file = try InputFile(source[source.count - 1])
      do {
        if source.count == 1 {
          try importStore(file, &output)
        } else {
          try importRecords(source[0], file, &output)
        }
      } catch let error as ImportError {
        throw CommandFailure(error, file.name, output.errorTerminal, "nothing was imported")
      }
    }

    // MARK: A whole store

    private func importStore(_ file: InputFile, _ output: inout Output) throws {
      let reading = try StoreImport(file.input)
      let progress = ProgressLine("objects", output)
      reading.progress = { progress.show($0) }
      reading.isCanceled = Interruption.isRequested
      let count = try filling {
        (reading.model, reading.modelText)
      } with: {
        try reading.run(into: $0.container)
      }
      progress.end()
      output.line(RowCount.text(count, "object"))
    }

    // MARK: Records

    private func importRecords(_ entity: String, _ file: InputFile, _ output: inout Output) throws {
      let progress = ProgressLine("records", output)
      let input = file.input
      let terminal = output
      let result = try filling {
        try modelOfNewStore()
      } with: { opened in
        var reading = RecordImport(opened.container, entity: entity)
        try configure(&reading)
        reading.progress = { count in
          progress.show(
            count, share: file.size.map { Double(input.byteCount) / Double(max($0, 1)) })
        }
        reading.willBegin = { used, unused in
          let rest = unused.isEmpty ? "" : "; left out: \(unused.joined(separator: ", "))"
          terminal.complain("columns: \(used.joined(separator: ", "))\(rest)".printable)
        }
        return try reading.run(input)
      }
      progress.end()
      output.line(
        upsert == nil
          ? RowCount.text(result.inserted, "object")
          : "\(result.inserted.grouped) new, \(result.updated.grouped) updated"
      )
    }

    /// Fills the store, which is made when it is not there.
    private func filling<R>(
      _ model: () throws -> (ManagedObjectModel, String), with body: (OpenedStore) throws -> R
    ) throws -> R {
      try OpenedStore.making(store, model, body)
        ?? body(OpenedStore(store, for: .writes, modelFile: self.model))
    }

    private func modelOfNewStore() throws -> (ManagedObjectModel, String) {
      guard let model else {
        throw CommandFailure(
          .inputOutput,
          "copal: \(store.printable) is not there; write --model FILE to make it")
      }
      let found = try ModelSource.model(model)
      return (found, found.canonicalJSON)
    }

    private func configure(_ reading: inout RecordImport) throws {
      if let lines {
        do { reading.format = .lines(try LineTemplate(lines)) } catch {
          throw CommandFailure(.usage, "copal: --lines: \(error)".printable)
        }
      } else {
        switch format ?? Self.format(of: source[source.count - 1]) {
        case .csv:
          reading.format = .csv(delimiter: delimiter == "tab" ? "\t" : delimiter.first ?? ",")
        case .json: reading.format = .json
        case .jsonl: reading.format = .jsonLines
        }
      }
      if let date {
        do { reading.dateFormat = try DateTemplate(date) } catch {
          throw CommandFailure(.usage, "copal: --date: \(error)".printable)
        }
      }
      for item in map {
        let end = item.firstIndex(of: "=") ?? item.endIndex
        reading.map[String(item[..<end])] = String(item[end...].dropFirst())
      }
      reading.upsertKey = upsert.map(ResultColumn.items)
      reading.hasDecimalComma = decimalComma
      (reading.textOfNoValue, reading.commentMark) = (noValue, comment)
      (reading.hasQuotationMarks, reading.allowsShortRecords) = (!noQuotes, shortRecords)
      reading.columnNames = noHeader.map(ResultColumn.items)
      reading.style = .colors
      reading.isCanceled = Interruption.isRequested
    }

    private static func format(of path: String) -> Format {
      if path.hasSuffix(".json") { return .json }
      return path.hasSuffix(".jsonl") || path.hasSuffix(".ndjson") ? .jsonl : .csv
    }
  }

  extension ImportOption {
    /// What to do, with the options of the command.
    fileprivate var words: String {
      switch self {
      case .map(let column, let property?):
        "write --map \(column.quotedForShell)=\(property), or --map \(column.quotedForShell)= to leave the column out"
      case .map(let column, nil):
        "write --map \(column.quotedForShell)= to leave the column out"
      case .upsertKey: "use --upsert to update it"
      case .delimiter(let character):
        "write --delimiter \(character == "\t" ? "tab" : "'\(character)'")"
      case .hasQuotationMarks: "read marks as they are with --no-quotes"
      case .hasDecimalComma: "read commas with --decimal-comma"
      case .dateFormat: "name another form with --date"
      case .showsPrivateValues: "dump again with --private"
      }
    }
  }

  extension CommandFailure {
    /// What is wrong in a file of records: a line for each problem, with its place.
    ///
    /// - Parameter end: what was not done.
    init(_ error: ImportError, _ name: String, _ terminal: Terminal, _ end: String) {
      var lines = error.problems.map { problem in
        var place = problem.place
        while place.last == " " { place.removeLast() }
        return terminal.styled("\(name):\(place)", .place) + " "
          + terminal.styled("error:", .error) + " " + problem.text(\.words).printable
      }
      if error.hasMore { lines.append("… and more") }
      lines.append("copal: \(end)")
      self.init(.badInput, lines.joined(separator: "\n"))
    }
  }
#endif
