#if Command
  internal import ArgumentParser
  import CopalModel
  import CopalSQLite
  import CopalStore

  struct SchemaCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "schema",
      abstract: "Prints the SQL that a model becomes: tables, indexes and triggers.",
      discussion: """
        EXAMPLES
          copal schema Shop.model.json
        """)

    @Argument(help: "The model file; - for the standard input.")
    var file: String

    mutating func run(_ output: inout Output) throws {
      let text = try TextFile(file)
      let model = try ManagedObjectModel(json: text.bytes, file: file)
      for statement in try StoreTexts.schema(of: StoreSchema(model)) {
        output.line(statement.printable + ";")
      }
    }
  }
#endif
