#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange

  struct ExportCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "export",
      abstract: "Writes a whole store as text: model, objects, relationships.",
      discussion: """
        The text is JSON Lines; Docs/ImportAndExport.md describes it for other programs. import \
        makes an equal store of it. It has the values of private attributes.

        EXAMPLES
          copal export Shop.sqlite --output Shop.export.jsonl
          copal export Shop.sqlite | gzip > Shop.export.jsonl.gz
        """)

    @Argument(help: "The store.")
    var store: String

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Write into a file, which appears when it is complete.", valueName: "file")
    )
    var output: String?

    mutating func run(_ output: inout Output) throws {
      let opened = try OpenedStore(store, for: .reads)
      let progress = ProgressLine("objects", output)
      let file = try OutputFile(self.output, output.terminal)
      var export = StoreExport(opened.container)
      export.modelText = opened.modelText
      export.progress = { progress.show($0) }
      export.isCanceled = Interruption.isRequested
      let count = try export.run(to: file.bytes)
      progress.end()
      try file.finish()
      if self.output != nil { output.line(RowCount.text(count, "object")) }
    }
  }
#endif
