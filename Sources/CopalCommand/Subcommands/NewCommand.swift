#if Command
  internal import ArgumentParser
  import CopalAuthoring
  import CopalEssentials
  import CopalModel

  struct NewCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "new",
      abstract: "Makes a package with a model, a program and a test, which build at once.",
      discussion: """
        EXAMPLES
          copal new Studio --copal ../Copal
          copal new Studio --copal https://example.org/copal.git
          copal new Studio --copal ../Copal --from Old.sqlite
            with the model of a store
        """)

    @Option(help: ArgumentHelp("Where Copal is: a folder, or a URL.", valueName: "path or URL"))
    var copal: String

    @Option(help: ArgumentHelp("A store whose model the package gets.", valueName: "store"))
    var from: String?

    @Argument(help: "The name of the package, and of the folder that is made here.")
    var name: String

    func validate() throws {
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
      if PackageTemplate.isFolder(copal),
        !FileManager.default.fileExists(atPath: copal + "/Package.swift")
      {
        throw CommandFailure(
          .inputOutput, "copal: \(copal.printable) has no Copal; nothing was written")
      }
      let files = try PackageTemplate(name: name, copal: copal, model: modelText()).files
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

    private func modelText() throws -> String? {
      guard let from else { return nil }
      let text = try ModelSource.storeText(from)
      _ = try ManagedObjectModel(json: text, file: from)
      return ModelFormatter.format(text) ?? text
    }
  }

  extension UInt8 {
    fileprivate var isLetter: Bool { (0x41...0x5A).contains(self) || (0x61...0x7A).contains(self) }
    fileprivate var isCapital: Bool { (0x41...0x5A).contains(self) }
    fileprivate var isDigit: Bool { (0x30...0x39).contains(self) }
  }
#endif
