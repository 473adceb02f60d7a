#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalEssentials
  import CopalExchange
  import CopalModel

  struct NewCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Makes a package with a model, a program and a test, which build at once.",
      discussion: """
        With --from and a CSV file, the model has an entity for its records: the types that all \
        values have, and comments where a person should look. Without a name, only the model is \
        written, to the standard output.

        EXAMPLES
          copal new Studio --copal ../Copal
          copal new Studio --copal https://example.org/copal.git
          copal new Studio --copal ../Copal --from Old.sqlite
            with the model of a store
          copal new --from pigments.csv > Pigments.model.json
        """)

    @Option(help: ArgumentHelp("Where Copal is: a folder, or a URL.", valueName: "path or URL"))
    var copal: String?

    @Option(
      help: ArgumentHelp(
        "A store whose model the package gets, or a CSV file.", valueName: "store or file"))
    var from: String?

    @Argument(help: "The name of the package, and of the folder that is made here.")
    var name: String?

    func validate() throws {
      if from == "-" { throw ValidationError("--from needs a file.") }
      guard let name else {
        if from == nil || copal != nil {
          throw ValidationError("Name the package; only --from FILE alone writes a model.")
        }
        return
      }
      if copal == nil { throw ValidationError("--copal says where Copal is: a folder, or a URL.") }
      guard let first = name.utf8.first, first.isCapital,
        name.utf8.allSatisfy({ $0.isLetter || $0.isDigit })
      else {
        throw ValidationError(
          "'\(name.printable)' is not a valid name: begin with a capital letter, and use letters and digits."
        )
      }
      let taken = [
        "Any", "Copal", "CopalColor", "Foundation", "Protocol", "Self", "Swift", "Testing", "Type",
      ]
      if taken.contains(name) {
        throw ValidationError("'\(name)' is not a valid name: a module or a word of Swift has it.")
      }
    }

    mutating func run(_ output: inout Output) throws {
      let model = try modelText(output)
      guard let name, let copal else { return output.write(model ?? "") }
      if PackageTemplate.isFolder(copal),
        !FileManager.default.fileExists(atPath: copal + "/Package.swift")
      {
        throw CommandFailure(
          .inputOutput, "copal: \(copal.printable) has no Copal; nothing was written")
      }
      let files = PackageTemplate(name: name, copal: copal, model: model).files
      // Not a check before it: another program may make the folder in between.
      guard mkdir(name, 0o777) == 0 else {
        if errno != EEXIST { throw TextFile.failure(name, "be made") }
        throw CommandFailure(.inputOutput, "copal: \(name) exists; nothing was written")
      }
      for (path, text) in files {
        let target = name + "/" + path
        let folder = String(target[..<(target.lastIndex(of: "/") ?? target.endIndex)])
        try TextFile.makeFolder(folder)
        try TextFile.write(text, to: target)
        output.line("wrote \(target)")
      }
      output.line("\nnext:\n  cd \(name)\n  swift run \(name)\n  swift test")
    }

    private func modelText(_ output: Output) throws -> String? {
      guard let from else { return nil }
      let address = try StoreAddress(from)
      guard try address.isStore() else { return try modelText(ofRecords: from, output) }
      let text = try address.modelText()
      _ = try ManagedObjectModel(json: text, file: from)
      return ModelFormatter.format(text) ?? text
    }

    /// The model of a CSV file. How to read the file goes to the standard error.
    private func modelText(ofRecords path: String, _ output: Output) throws -> String {
      let base = path.split(separator: "/").last.map { $0.prefix { $0 != "." } } ?? ""
      let name = base.filter { $0.isASCII && ($0.isLetter || $0.isNumber) }
      let entity =
        name.first?.isLetter == true ? name.prefix(1).uppercased() + name.dropFirst() : "Record"
      let found: ModelOfRecords
      do {
        found = try ModelOfRecords.reading(name: entity) { try InputFile(path).input }
      } catch let error as ImportError {
        throw CommandFailure(
          error, path.printable, output.errorTerminal, "no model was made")
      }
      // An entity cannot have the name of the file if that is a word of Swift, for example.
      let text = ModelFormatter.format(found.text) ?? found.text
      _ = try ManagedObjectModel(json: text, file: path)
      let command =
        [
          "copal import \(entity).sqlite \(entity) \(path.quotedForShell)",
          "--model \(entity).model.json",
        ]
        + found.importOptions
      output.complain(
        "\(RowCount.text(found.count, "record")); read them with:\n  \(command.joined(separator: " ").printable)"
      )
      return text
    }
  }

  extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  }
#endif
