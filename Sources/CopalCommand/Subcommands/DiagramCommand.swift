#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalModel

  struct DiagramCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "diagram",
      abstract: "Draws a model: entities, attributes, relationships, families.",
      discussion: """
        EXAMPLES
          copal diagram Shop.model.json --output Shop.svg
          copal diagram Shop.model.json --format mermaid    for a page of a code host
          copal diagram Shop.model.json --format dot | dot -Tpdf > Shop.pdf
        """)

    enum Format: String, CaseIterable, ExpressibleByArgument { case svg, mermaid, dot }

    @Option(
      help: ArgumentHelp("svg, mermaid or dot; by default as the output ends.", valueName: "format")
    )
    var format: Format?

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp(
        "The file for the drawing; by default the standard output.", valueName: "file"))
    var output: String?

    @Argument(help: "The model file, or a store; - for the standard input.")
    var file: String

    mutating func run(_ output: inout Output) throws {
      let model =
        file == "-"
        ? try ManagedObjectModel(json: TextFile(file).bytes, file: file)
        : try ModelSource.model(file)
      let text =
        switch format ?? self.output.flatMap(Self.ending) ?? .svg {
        case .svg: ModelDiagram.svg(model)
        case .mermaid: ModelDiagram.mermaid(model)
        case .dot: ModelDiagram.dot(model)
        }
      if let target = self.output {
        try TextFile.write(text, to: target)
        output.complain("wrote \(target.printable)")
      } else {
        output.write(text)
      }
    }

    func validate() throws {
      guard format == nil, let output, Self.ending(output) == nil else { return }
      throw ValidationError("Write --format, or an output that ends in .svg, .mmd, .dot or .gv.")
    }

    /// The format that the name of a file says; nil for another name.
    private static func ending(_ path: String) -> Format? {
      let formats: [String: Format] = [".svg": .svg, ".mmd": .mermaid, ".dot": .dot, ".gv": .dot]
      return formats.first { path.lowercased().hasSuffix($0.key) }?.value
    }
  }
#endif
