#if Command
  internal import ArgumentParser
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalSQLite
  import CopalStore

  struct InspectCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "inspect",
      abstract: "Shows what a store is: model, versions, counts, sizes, files. It changes nothing.",
      discussion: """
        It takes no lock that stops a program. schema has the SQL of a model, diff compares a \
        store with a model, and check finds damage.

        EXAMPLES
          copal inspect Shop.sqlite
          copal inspect Shop.sqlite --json
        """)

    @Flag(help: "Print one object of JSON.")
    var json = false

    @Argument(help: "The store.")
    var store: String

    mutating func run(_ output: inout Output) throws {
      let address = try StoreAddress(store)
      guard address.isFile else { return try inspect(OpenedStore(store, for: .reads), &output) }
      guard let report = try address.report() else { throw address.noStore }
      output.write(
        json
          ? InspectText.json(report, store) + "\n"
          : InspectText(report, store, output.terminal).text)
    }

    /// What every store can say, for one that is no file.
    private func inspect(_ opened: OpenedStore, _ output: inout Output) throws {
      let (model, store) = (opened.model, opened.container.store)
      let session = try store.makeSession()
      try session.beginReadTransaction()
      defer { session.endReadTransaction() }
      let counts = try model.entities.enumerated().filter { !$1.isAbstract }.map {
        (
          entity: $1.name,
          count: try session.count(StoreQuery(entity: $0, includesSubentities: false))
        )
      }
      if json {
        let entities = counts.map {
          "{\"entity\": \(JSONText.quoted($0.entity)), \"count\": \($0.count)}"
        }
        let lines = [
          "\"version\": 1", "\"address\": \(JSONText.quoted(opened.address.text))",
          "\"model\": \(JSONText.quoted(model.name))", "\"modelVersion\": \(model.version)",
          "\"schemaHash\": \(JSONText.quoted(store.schema.hash.text))",
          "\"identifier\": \(JSONText.quoted(store.identifier.uuidString))",
          "\"entities\": [\(entities.joined(separator: ", "))]",
        ]
        return output.line("{\n  " + lines.joined(separator: ",\n  ") + "\n}")
      }
      output.line(opened.address.text.printable)
      output.line("  model         \(model.name.printable), version \(model.version)")
      output.line("  identifier    \(store.identifier.uuidString)")
      let rows = counts.map {
        [ShownValue($0.entity), ShownValue($0.count.grouped, isNumber: true)]
      }
      let table = TextTable(
        headings: ["entity", "objects"], rows: rows, width: output.terminal.width)
      for line in [""] + table.head + rows.map({ table.line($0) }) { output.line(line) }
    }
  }

  /// The report of a store as a text.
  struct InspectText {
    private let report: StoreReport
    private let path: String
    private let terminal: Terminal

    init(_ report: StoreReport, _ path: String, _ terminal: Terminal) {
      (self.report, self.path, self.terminal) = (report, path, terminal)
    }

    var text: String {
      [facts, counts, sizes, migrations, metadata].compactMap { $0 }.joined(separator: "\n")
    }

    private var facts: String {
      let model = report.model
      var facts = [
        ("model", "\(model.name), version \(report.version)"),
        ("programs", programs),
        ("identifier", report.identifier.uuidString),
        ("written by", report.writer.map { "Copal \($0)" } ?? "a version that does not say it"),
        ("file", fileText),
        ("may", permissions),
      ]
      if report.externalFileCount > 0 {
        facts.append(
          (
            "large values",
            "\(report.externalFileCount.grouped) files, \(ProgressLine.bytes(report.externalFileSize))"
          ))
      }
      if !report.requirements.isEmpty {
        facts.append(("needs", report.requirements.joined(separator: ", ")))
      }
      let lines = facts.map { name, value in
        "  " + terminal.styled(name, .place) + String(repeating: " ", count: 14 - name.count)
          + value.printable
      }
      return ([path.printable] + lines).joined(separator: "\n") + "\n"
    }

    private var programs: String {
      let older = report.acceptedVersions.map(String.init)
      let own = "those of version \(report.version)"
      return older.isEmpty
        ? own : own + ", and those of the older versions \(older.joined(separator: ", "))"
    }

    private var fileText: String {
      var text = ProgressLine.bytes(report.fileSize)
      if report.freeSize > 0 { text += ", \(ProgressLine.bytes(report.freeSize)) free" }
      if report.hasLog { text += ", log \(ProgressLine.bytes(report.logSize))" }
      return text
    }

    /// Who may read and write the file, as `ls` shows it.
    private var permissions: String {
      var status = stat()
      guard stat(path, &status) == 0 else { return "not known" }
      let letters = Array("rwxrwxrwx")
      let mode = (0..<9).map { place in
        status.st_mode & (1 << (8 - UInt32(place))) == 0 ? "-" : String(letters[place])
      }
      let own = access(path, W_OK) == 0 ? "read and write" : "read"
      return "\(mode.joined()), this user may \(own)"
    }

    private var counts: String {
      table(
        ["entity", "objects"],
        report.counts.map {
          [ShownValue($0.entity), ShownValue(Int($0.count).grouped, isNumber: true)]
        })
    }

    private var sizes: String {
      guard let sizes = report.sizes else {
        return "The sizes of tables are not known: this SQLite has no dbstat.\n"
      }
      return table(
        ["table or index", "of", "size"],
        sizes.prefix(20).map {
          [
            ShownValue($0.name), ShownValue($0.isIndex ? $0.table : ""),
            ShownValue(ProgressLine.bytes($0.bytes), isNumber: true),
          ]
        }) + (sizes.count > 20 ? "… and \(sizes.count - 20) smaller ones; --json has all\n" : "")
    }

    private var migrations: String? {
      if report.migrations.isEmpty { return nil }
      return table(
        ["version", "date", "by", "what"],
        report.migrations.map {
          [
            ShownValue("\($0.version)", isNumber: true), ShownValue(Self.text($0.date)),
            ShownValue($0.writer),
            ShownValue($0.plan.split(separator: "\n").joined(separator: "; ")),
          ]
        })
    }

    private static func text(_ date: Date) -> String {
      let text = DateText.text(for: date) ?? ""
      return String(text.prefix(19)).replacing("T", with: " ")
    }

    private var metadata: String? {
      if report.metadata.isEmpty { return nil }
      return table(
        ["metadata", "value"],
        report.metadata.sorted { $0.key < $1.key }.map {
          [ShownValue($0.key), ShownValue("\($0.value.shown)")]
        })
    }

    private func table(_ headings: [String], _ rows: [[ShownValue]]) -> String {
      let table = TextTable(headings: headings, rows: rows, width: terminal.width)
      return (table.head + rows.map { table.line($0) }).map { $0 + "\n" }.joined()
    }

    // MARK: JSON

    static func json(_ report: StoreReport, _ path: String) -> String {
      func text(_ value: String) -> String { JSONText.quoted(value) }
      func list(_ items: [String]) -> String {
        items.isEmpty ? "[]" : "[\n    " + items.joined(separator: ",\n    ") + "\n  ]"
      }
      let counts = report.counts.map {
        "{\"entity\": \(text($0.entity)), \"count\": \($0.count)}"
      }
      let sizes = (report.sizes ?? []).map {
        "{\"name\": \(text($0.name)), \"table\": \(text($0.table)), \"isIndex\": \($0.isIndex), \"bytes\": \($0.bytes)}"
      }
      let migrations = report.migrations.map {
        "{\"version\": \($0.version), \"date\": \(text(DateText.text(for: $0.date) ?? "")), \"writer\": \(text($0.writer)), \"plan\": \(text($0.plan))}"
      }
      let metadata = report.metadata.sorted { $0.key < $1.key }.map {
        "\(text($0.key)): \(text($0.value.shown))"
      }
      let lines = [
        "\"version\": 1", "\"path\": \(text(path))", "\"model\": \(text(report.model.name))",
        "\"modelVersion\": \(report.version)", "\"schemaHash\": \(text(report.schemaHash))",
        "\"acceptedVersions\": [\(report.acceptedVersions.map(String.init).joined(separator: ", "))]",
        "\"identifier\": \(text(report.identifier.uuidString))",
        "\"writer\": \(report.writer.map(text) ?? "null")",
        "\"requires\": [\(report.requirements.map(text).joined(separator: ", "))]",
        "\"fileBytes\": \(report.fileSize)", "\"freeBytes\": \(report.freeSize)",
        "\"logBytes\": \(report.logSize)", "\"largeValues\": \(report.externalFileCount)",
        "\"largeValueBytes\": \(report.externalFileSize)", "\"entities\": \(list(counts))",
        "\"sizes\": \(list(sizes))", "\"migrations\": \(list(migrations))",
        "\"metadata\": {\(metadata.joined(separator: ", "))}",
      ]
      return "{\n  " + lines.joined(separator: ",\n  ") + "\n}"
    }
  }

  extension MetadataValue {
    /// The value as a text.
    fileprivate var shown: String {
      switch self {
      case .string(let text): text
      case .integer(let number): "\(number)"
      case .double(let number): "\(number)"
      case .boolean(let flag): "\(flag)"
      case .date(let date): DateText.text(for: date) ?? "\(date.timeIntervalSinceReferenceDate)"
      case .data(let data): data.count.counted("byte")
      }
    }
  }
#endif
