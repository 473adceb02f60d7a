#if Command
  internal import ArgumentParser
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  struct DumpCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "dump",
      abstract: "Writes all objects of entities of a store.",
      discussion: """
        Without an entity, it writes those of all. Values of private attributes are ‹private›. \
        query has conditions and an order; export writes a whole store for import.

        EXAMPLES
          copal dump Shop.sqlite
          copal dump Shop.sqlite Pigment --with maker.name
          copal dump Shop.sqlite Pigment --format csv --output pigments.csv
        """)

    @Argument(help: "The store.")
    var store: String

    @Argument(help: "The entities.")
    var entities: [String] = []

    @OptionGroup var rows: RowOptions

    mutating func run(_ output: inout Output) throws {
      let opened = try OpenedStore(store, for: .reads)
      let model = opened.model
      // Subentities are in the rows of their parents.
      let names =
        entities.isEmpty ? model.entities.filter { $0.parent == nil }.map(\.name) : entities
      if rows.format == .csv, names.count > 1 {
        throw CommandFailure(
          .usage,
          "copal: csv has the columns of one entity; name it: \(names.joined(separator: ", ").printable)"
        )
      }
      for name in names where model.entity(name) == nil {
        throw PersistenceError(
          .unknownEntity, entity: name,
          suggestion: NearestName.of(name, among: model.entities.map(\.name)))
      }
      let file = try OutputFile(rows.output, output.terminal)
      let bytes = rows.format == .table ? file.table : file.bytes
      let progress = ProgressLine("rows", output)
      if rows.format == .json { try bytes.write("{\"version\": 1, \"entities\": {") }
      for (place, name) in names.enumerated() {
        if rows.format == .json {
          try bytes.write(place > 0 ? ",\n\"\(name)\": " : "\n\"\(name)\": ")
        }
        if rows.format == .table, names.count > 1 {
          let title = output.terminal.styled(name.printable, .place)
          try bytes.write(place > 0 ? "\n\(title)\n" : "\(title)\n")
        }
        var dump = try rows.dump(
          opened.container, FetchRequest<ManagedObject>(entityName: name), output)
        dump.showsEntity = rows.format == .jsonLines && names.count > 1
        dump.progress = { progress.show($0) }
        var unreadable = 0
        dump.foundUnreadable = { unreadable = $0 }
        let count = try dump.run(to: bytes)
        progress.end()
        output.complain(ofUnreadable: unreadable, name, store)
        if rows.format == .table { try bytes.write(RowCount.text(count) + "\n") }
      }
      if rows.format == .json { try bytes.write("\n}}\n") }
      try bytes.finish()
      try file.finish()
    }
  }

  extension Output {
    /// Says how many values of an entity could not be read, and ends with 1 for some.
    mutating func complain(ofUnreadable count: Int, _ entity: String, _ store: String) {
      if count == 0 { return }
      foundProblems = true
      complain(
        "copal: \(count.counted("value")) of \(entity) cannot be read; copal check \(store) --everything names them"
          .printable)
    }
  }

  /// The line below a table.
  enum RowCount {
    static func text(_ count: Int, _ unit: String = "row") -> String {
      "\(count.grouped) \(unit)\(count == 1 ? "" : "s")"
    }
  }
#endif
