#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  struct QueryCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "query",
      abstract: "Writes the objects of a store that meet a condition.",
      discussion: """
        The condition is written in the language of NSPredicate; Docs/Fetching.md has it. shell \
        asks one question after another.

        EXAMPLES
          copal query Shop.sqlite Pigment --where 'price > 20' --sort -price,name
          copal query Shop.sqlite Pigment --columns name,maker.name --limit 10
          copal query Shop.sqlite Pigment --group 'maker.name, count, average price'
          copal query Shop.sqlite Pigment --where 'maker == nil' --count
          copal query Shop.sqlite Pigment --where 'name == "Woad"' --explain
        """)

    @Argument(help: "The store.")
    var store: String

    @Argument(help: "The entity.")
    var entity: String

    @Option(name: .customLong("where"), help: ArgumentHelp("The condition.", valueName: "text"))
    var condition: String?

    // The next word is the value, also one that begins with a hyphen.
    @Option(
      parsing: .unconditional,
      help: ArgumentHelp("The order: name, or -name for the greatest first.", valueName: "names"))
    var sort: String?

    @Option(help: ArgumentHelp("The greatest number of rows.", valueName: "number"))
    var limit: Int?

    @Option(help: ArgumentHelp("The number of rows to leave out first.", valueName: "number"))
    var offset = 0

    @Option(help: ArgumentHelp("The columns: name,maker.name", valueName: "paths"))
    var columns: String?

    @Option(
      help: ArgumentHelp(
        "One row for each group: columns, count, and sum, average, min or max of one.",
        valueName: "columns"))
    var group: String?

    @Flag(help: "Print only the number of objects.")
    var count = false

    @Flag(help: "Print the SQL, the plan and the time, and no rows.")
    var explain = false

    @OptionGroup var rows: RowOptions

    func validate() throws {
      if group != nil, columns != nil || rows.paths != nil || count || explain {
        throw ValidationError("--group has its own columns.")
      }
      if let limit, limit < 1 { throw ValidationError("--limit needs a number from 1.") }
      if offset < 0 { throw ValidationError("--offset needs a number from 0.") }
    }

    mutating func run(_ output: inout Output) throws {
      let opened = try OpenedStore(store, for: .reads)
      let predicate = try condition.map { try FetchPredicate(format: $0) }
      if let group { return try run(group, predicate, opened, &output) }
      var request = FetchRequest<ManagedObject>(
        entityName: entity, predicate: predicate, limit: limit, offset: offset)
      do {
        request.sortKeys = try ResultOrder.list(sort ?? "").map { try $0.fetchKey }
      } catch {
        throw CommandFailure(.usage, "copal: \(error)".printable)
      }
      if explain { return try explain(request, opened.container, &output) }
      if count {
        request.sortKeys = []
        return output.line("\(try opened.container.makeContext().count(request))")
      }
      var dump = try rows.dump(opened.container, request, output)
      dump.columns = columns.map(ResultColumn.items)
      let progress = ProgressLine("rows", output)
      dump.progress = { progress.show($0) }
      let file = try OutputFile(rows.output, output.terminal)
      let bytes = rows.format == .table ? file.table : file.bytes
      try begin(bytes)
      var unreadable = 0
      dump.foundUnreadable = { unreadable = $0 }
      let number = try dump.run(to: bytes)
      progress.end()
      output.complain(ofUnreadable: unreadable, entity, store)
      try end(bytes, number)
      try file.finish()
    }

    private func begin(_ bytes: ByteOutput) throws {
      guard rows.format == .json else { return }
      try bytes.write("{\"version\": 1, \"entity\": \"\(entity)\", \"rows\": ")
    }

    private func end(_ bytes: ByteOutput, _ count: Int) throws {
      if rows.format == .json { try bytes.write("}\n") }
      if rows.format == .table { try bytes.write(RowCount.text(count) + "\n") }
      try bytes.finish()
    }

    private func run(
      _ group: String, _ predicate: FetchPredicate?, _ opened: OpenedStore, _ output: inout Output
    ) throws {
      let columns: [ResultColumn]
      var order: [ResultOrder] = []
      do {
        columns = try ResultColumn.list(group)
        order = try ResultOrder.list(sort ?? "")
      } catch {
        throw CommandFailure(.usage, "copal: \(error)".printable)
      }
      var request = ValueRequest(
        entityName: entity, columns: columns.map { .init($0.name, $0.expression) },
        predicate: predicate)
      request.sortKeys = order.map { .init($0.column.expression, isAscending: $0.isAscending) }
      (request.limit, request.offset) = (limit, offset)
      var dump = GroupDump(opened.container, request, columns)
      (dump.format, dump.delimiter) = (rows.format, rows.separator)
      dump.width = rows.output == nil ? output.terminal.width : nil
      dump.showsPrivateValues = rows.private
      let file = try OutputFile(rows.output, output.terminal)
      let bytes = rows.format == .table ? file.table : file.bytes
      try begin(bytes)
      var unreadable = 0
      dump.foundUnreadable = { unreadable = $0 }
      let count = try dump.run(to: bytes)
      output.complain(ofUnreadable: unreadable, entity, store)
      try end(bytes, count)
      try file.finish()
    }

    private func explain(
      _ request: FetchRequest<ManagedObject>, _ container: PersistentContainer,
      _ output: inout Output
    ) throws {
      let context = container.makeContext()
      let explanation = try context.explain(request)
      let start = ContinuousClock.now
      _ = try context.count(request)
      let time = (ContinuousClock.now - start).components
      let milliseconds = Double(time.seconds) * 1000 + Double(time.attoseconds) / 1e15
      output.line((explanation.statement ?? "no statement").printable)
      if !explanation.bindings.isEmpty {
        output.line("bindings: " + explanation.bindings.joined(separator: ", "))
      }
      for step in explanation.steps { output.line("plan: " + step.printable) }
      let scanned = explanation.scannedTables.joined(separator: ", ").printable
      output.line("reads: " + (scanned.isEmpty ? "by index or key" : "all rows of \(scanned)"))
      for sentence in explanation.searches + explanation.inMemory {
        output.line("note: " + sentence.printable)
      }
      output.line(
        "\(explanation.objectCount.counted("object")), counted in \((milliseconds * 10).rounded() / 10) ms"
      )
    }
  }
#endif
