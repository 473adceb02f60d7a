#if Command
  internal import ArgumentParser
  import CopalModel
  import CopalStore

  struct DiffCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "diff",
      abstract: "Shows what has changed between two models, and what opening a store would do.",
      discussion: """
        Each of the two is a model file, a store, or a file of a revision of git. What does not \
        concern a store, such as a comment or the name of a class, is no difference. The exit \
        code is 1 if opening a store would be refused.

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
      let (old, new) = (try ModelSource.model(old), try ModelSource.model(new))
      let difference = ModelDifference(ModelMapping(from: old, to: new))
      if difference.changes.isEmpty {
        return output.line("no difference that concerns a store")
      }
      let plan = MigrationPlan(difference, fromVersion: old.version)
      output.line(
        plan.description.split(separator: "\n", omittingEmptySubsequences: false)
          .map { String($0).printable }.joined(separator: "\n"))
      output.foundProblems = !plan.isAllowed
    }
  }
#endif
