#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalModel
  import CopalObjects
  import CopalStore

  struct MigrateCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "migrate",
      abstract: "Shows what opening a store with another model would do, and does it.",
      discussion: """
        Without --apply nothing is changed. A migration that would lose something is allowed only \
        where the model says so; a copy of the store is made before it. The exit code is 1 if the \
        migration is refused.

        EXAMPLES
          copal migrate Shop.sqlite --to Shop.model.json
          copal migrate Shop.sqlite --to Shop.model.json --apply
        """)

    @Option(name: .customLong("to"), help: ArgumentHelp("The newer model.", valueName: "model"))
    var model: String

    @Flag(help: "Migrate the store.")
    var apply = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Flag(help: "Print the plan as one object of JSON.")
    var json = false

    @Argument(help: "The store.")
    var store: String

    mutating func run(_ output: inout Output) throws {
      let address = try StoreAddress(store)
      let stored = try ManagedObjectModel(stored: address.modelText())
      let schema = ModelSource.schema(try ModelSource.named(model), for: stored)
      let configuration = try address.configuration(isReadOnly: false)
      guard let plan = try configuration.plan(OpeningRequest(schema), .rows) else {
        output.line(json ? "{\"version\": 1, \"changes\": []}" : "the store has this model already")
        return
      }
      if json {
        output.line(Self.json(plan))
      } else {
        for line in plan.description.split(separator: "\n", omittingEmptySubsequences: false) {
          output.line(String(line).printable)
        }
      }
      guard plan.isAllowed else {
        output.foundProblems = true
        if apply { output.complain("copal: the migration is refused, and nothing was changed") }
        return
      }
      guard apply else { return }
      try output.flush()
      try Question.ask("Migrate \(store)", isAnswered: yes, to: "migrate", output)
      let before = Set(copies)
      let progress = ProgressLine("rows", output)
      let migration = StoreMigration { done in
        progress.show(done.completedRows, share: done.fraction)
      }
      _ = try PersistentContainer(
        tool: schema.model, store: configuration,
        transformers: CommandSetup.current.withLock { $0.transformers }, migration: migration)
      progress.end()
      if json { return }
      output.line("migrated to version \(plan.toVersion)")
      for copy in copies where !before.contains(copy) {
        output.line("the store as it was is in \(copy)".printable)
      }
    }

    /// The copies that migrations have made of the store.
    private var copies: [String] {
      let end = store.lastIndex(of: "/").map { store.index(after: $0) } ?? store.startIndex
      let (folder, name) = (String(store[..<end]), store[end...] + "-before-")
      let names = try? FileManager.default.contentsOfDirectory(
        atPath: folder.isEmpty ? "." : folder)
      return (names ?? []).filter { $0.hasPrefix(name) && !$0.hasSuffix("-files") }.sorted()
        .map { folder + $0 }
    }

    private static func json(_ plan: MigrationPlan) -> String {
      let changes = plan.changes.map { change in
        let refusal = change.isRefused ? "true" : "false"
        let property = change.property.map { JSONText.quoted($0) } ?? "null"
        return
          "    {\"entity\": \(JSONText.quoted(change.entity)), \"property\": \(property), \"kind\": \(JSONText.quoted(change.kind.rawValue)), \"what\": \(JSONText.quoted(change.detail)), \"isLossy\": \(change.isLossy), \"isRefused\": \(refusal)}"
      }
      let refusals = plan.refusals.map { error in
        "    {\"code\": \(JSONText.quoted(error.code.rawValue)), \"text\": \(JSONText.quoted("\(error)"))}"
      }
      func list(_ items: [String]) -> String {
        items.isEmpty ? "[]" : "[\n" + items.joined(separator: ",\n") + "\n  ]"
      }
      return """
        {
          "version": 1,
          "model": \(JSONText.quoted(plan.model)),
          "fromVersion": \(plan.fromVersion),
          "toVersion": \(plan.toVersion),
          "isAllowed": \(plan.isAllowed),
          "isLossy": \(plan.isLossy),
          "keepsOldPrograms": \(plan.keepsOldPrograms),
          "writtenRows": \(plan.writtenRows),
          "changes": \(list(changes)),
          "refusals": \(list(refusals))
        }
        """
    }
  }

  extension ModelSource {
    /// A model of the program by its name, or that of a file.
    static func named(_ name: String) throws -> ManagedObjectModel {
      let own = CommandSetup.current.withLock { $0.models }.first { $0.name == name }
      if let own { return try own.model }
      return try model(name)
    }
  }
#endif
