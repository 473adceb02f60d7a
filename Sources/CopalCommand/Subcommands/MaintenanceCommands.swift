#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  struct BackupCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "backup",
      abstract: "Copies a store with its files, as of one moment, while programs use it.",
      discussion: """
        The copy is a complete store. A file with its name is always complete.

        EXAMPLES
          copal backup Shop.sqlite Shop-2026-03-01.sqlite
        """)

    @Argument(help: "The store.")
    var store: String

    @Argument(help: "The path of the copy; nothing may be there.")
    var copy: String

    mutating func run(_ output: inout Output) throws {
      let opened = try OpenedStore(store, for: .reads)
      try opened.address.backUp(opened.container.store, to: copy)
      var status = stat()
      let size = stat(copy, &status) == 0 ? Int64(status.st_size) : 0
      output.line("\(copy.printable): \(ProgressLine.bytes(size))")
    }
  }

  struct CompactCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "compact",
      abstract: "Removes files that no object has, and gives free pages back to the disk.",
      discussion: """
        It writes the file again, so it needs room for a second one, and other writers wait.

        EXAMPLES
          copal compact Shop.sqlite
        """)

    @Argument(help: "The store.")
    var store: String

    mutating func run(_ output: inout Output) throws {
      let opened = try OpenedStore(store, for: .writes)
      let before = size
      let files = try opened.container.store.removeUnreferencedFiles(checkingAll: true)
      try opened.container.store.compact()
      let sizes =
        opened.address.isFile
        ? "\(ProgressLine.bytes(before)) before, \(ProgressLine.bytes(size)) now; " : ""
      output.line("\(sizes)\(files.counted("file")) removed")
    }

    private var size: Int64 {
      var status = stat()
      return ["", "-wal"].reduce(0) {
        $0 + (stat(store + $1, &status) == 0 ? Int64(status.st_size) : 0)
      }
    }
  }

  struct ScanCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "scan",
      abstract: "Finds values that a transformer cannot read, and absolute URLs of files.",
      discussion: """
        It has the transformers of colors; a program's own command has its own. The exit code is \
        1 if it finds something.

        EXAMPLES
          copal scan Shop.sqlite
        """)

    @Argument(help: "The store.")
    var store: String

    mutating func run(_ output: inout Output) throws {
      let container = try OpenedStore(store, for: .reads).container
      let progress = ProgressLine("objects", output)
      var unknown: [String] = []
      for (place, entity) in container.model.entities.enumerated() {
        let layout = container.store.schema.entities[place]
        let transformers = RowTransformers(container, entity: place)
        for attribute in entity.attributes
        where attribute.type == .transformable && !attribute.isTransient {
          guard let slot = layout.slotByName[attribute.name], transformers.isKnown(slot) else {
            unknown.append("\(entity.name).\(attribute.name)")
            continue
          }
          let (name, owner) = (attribute.name, entity.name)
          let failures = try Waiting.run {
            try await container.scan(name, of: owner) { read, _ in progress.show(read) }
          }
          progress.end()
          for failure in failures {
            output.foundProblems = true
            output.line("\(failure)".split(separator: "\n").joined(separator: " ").printable)
          }
        }
      }
      let urls = try Waiting.run { try await container.scanForAbsoluteFileURLs() }
      for found in urls {
        output.foundProblems = true
        output.line(
          "\(found.attribute) of \(found.objectID.shortDescription) is the absolute URL of a file"
            .printable)
      }
      if !unknown.isEmpty {
        output.complain(
          "not looked at, because their transformers are not known here: \(unknown.joined(separator: ", "))"
            .printable)
      }
      if !output.foundProblems { output.line("nothing found") }
    }
  }
#endif
