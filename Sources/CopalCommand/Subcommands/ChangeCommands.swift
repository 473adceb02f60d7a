#if Command
  internal import ArgumentParser
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  /// Which objects a subcommand changes.
  struct ChangeOptions: ParsableArguments {
    @Argument(help: "The store.")
    var store: String

    @Argument(help: "The entity.")
    var entity: String

    @Option(name: .customLong("where"), help: ArgumentHelp("The condition.", valueName: "text"))
    var condition: String?

    @Flag(help: "All objects of the entity.")
    var all = false

    @Flag(help: "Do not ask.")
    var yes = false

    @Option(
      help: ArgumentHelp(
        "The complete model, for a store whose model this version refuses.", valueName: "file"))
    var model: String?

    func validate() throws {
      guard (condition == nil) == all else {
        throw ValidationError("Write --where CONDITION, or --all for all objects.")
      }
    }

    /// Counts the objects, asks, and changes them: all of them, or none.
    ///
    /// - Parameters:
    ///   - verb: what is done with them: `delete`.
    ///   - change: changes the objects that meet a condition.
    func run(
      _ verb: String, _ output: inout Output,
      _ change: (ManagedObjectContext, FetchPredicate?) throws -> Int
    ) throws {
      let predicate = try condition.map { try FetchPredicate(format: $0) }
      let opened = try OpenedStore(store, for: .writes, modelFile: model)
      let context = opened.container.makeContext()
      let request = FetchRequest<ManagedObject>(entityName: entity, predicate: predicate)
      let count = try context.count(request)
      if count == 0 { return output.line("no object of \(entity)") }
      output.line("\(RowCount.text(count, "object")) of \(entity)")
      try output.flush()
      let name = verb.prefix(1).uppercased() + verb.dropFirst()
      try Question.ask("\(name) \(count == 1 ? "it" : "them")", isAnswered: yes, to: verb, output)
      // Others can write until the answer comes.
      output.line("\(RowCount.text(try change(context, predicate), "object")) \(verb)d")
    }
  }

  struct DeleteCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "delete",
      abstract: "Deletes the objects that meet a condition, by the model's delete rules.",
      discussion: """
        It counts the objects, and asks. All of them are deleted, or none: a relationship with \
        the delete rule deny refuses the deletion.

        EXAMPLES
          copal delete Shop.sqlite Pigment --where 'maker == nil'
          copal delete Shop.sqlite Draft --all --yes
        """)

    @OptionGroup var options: ChangeOptions

    mutating func run(_ output: inout Output) throws {
      let entity = options.entity
      try options.run("delete", &output) { try $0.deleteAll(entity, where: $1) }
    }
  }

  struct UpdateCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "update",
      abstract: "Gives the objects that meet a condition new values, by the model's rules.",
      discussion: """
        A value is a constant or is calculated from the stored values, as in a condition; nil is \
        no value. maker.name = "Kremer" sets the maker whose unique name this is. It counts the \
        objects, and asks. All of them are changed, or none.

        EXAMPLES
          copal update Shop.sqlite Paint --where 'price < 5' --set 'price = price * 2'
          copal update Shop.sqlite Pigment --where 'name == "Woad"' --set 'maker = nil'
        """)

    @OptionGroup var options: ChangeOptions

    @Option(
      help: ArgumentHelp("A new value. Again for each property.", valueName: "property = value"))
    var set: [String]

    mutating func run(_ output: inout Output) throws {
      let assignments = try set.map(Self.assignment)
      let entity = options.entity
      try options.run("update", &output) {
        try $0.updateAll(entity, where: $1, set: assignments)
      }
    }

    /// The assignment of a text: a comparison with one equals sign in the language of conditions.
    private static func assignment(_ text: String) throws -> BatchAssignment {
      guard
        case .comparison(.property(let path), .equal, let value) = try FetchPredicate(format: text)
      else {
        throw CommandFailure(
          .usage,
          "copal: --set needs PROPERTY = VALUE, such as 'price = 12.5', and not '\(text.printable)'"
        )
      }
      let parts = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
      guard parts.count > 1 else { return BatchAssignment(path, value) }
      guard parts.count == 2, case .constant(let constant) = value else {
        throw CommandFailure(
          .usage,
          "copal: --set '\(text.printable)': a related object is set by one of its unique attributes, to a constant: 'maker.name = \"Kremer\"'"
        )
      }
      return BatchAssignment(parts[0], toObjectWhere: parts[1], constant)
    }
  }
#endif
