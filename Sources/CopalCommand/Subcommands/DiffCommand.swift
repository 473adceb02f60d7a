#if Command
  internal import ArgumentParser
  import CopalEssentials
  import CopalModel
  import CopalStore

  struct DiffCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Shows what has changed between two models, and what opening a store would do.",
      discussion: """
        Each of the two is a model file, a store, or a file of a revision of git. What does not \
        concern a store, such as a comment or the name of a class, is no difference. The exit \
        code is 1 if opening a store would be refused. The rows of a store are counted.

        EXAMPLES
          copal diff Old.model.json New.model.json
          copal diff HEAD~3:Models/Shop.model.json Models/Shop.model.json
          copal diff Shop.sqlite Models/Shop.model.json
        """)

    @Argument(help: "The older model: a model file, a store, or REVISION:FILE.")
    var old: String

    @Argument(help: "The newer one.")
    var new: String

    mutating func run(_ output: inout Output) throws {
      guard let plan = try plan() else { return output.line("no difference that concerns a store") }
      for line in plan.description.split(separator: "\n", omittingEmptySubsequences: false) {
        output.line(String(line).printable)
      }
      output.foundProblems = !plan.isAllowed
    }

    /// What opening would do; nil for nothing. Of a store, the rows are counted.
    private func plan() throws -> MigrationPlan? {
      let new = try ModelSource.model(new)
      let address = try StoreAddress(old)
      if try address.isStore() {
        return try address.configuration(isReadOnly: true)
          .plan(OpeningRequest(StoreSchema(new)), .rows)
      }
      let old = try ModelSource.model(old)
      let difference = ModelDifference(ModelMapping(from: old, to: new))
      return difference.changes.isEmpty ? nil : MigrationPlan(difference, fromVersion: old.version)
    }
  }
#endif
