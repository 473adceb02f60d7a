#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  /// How rows are written.
  struct RowOptions: ParsableArguments {
    enum Form: String, CaseIterable, ExpressibleByArgument { case table, json, jsonl, csv }

    @Option(
      name: .customLong("format"),
      help: ArgumentHelp("table, json, jsonl or csv.", valueName: "format"))
    var form = Form.table

    var format: RowDump.Format { RowDump.Format(rawValue: form.rawValue) ?? .table }

    @Option(
      name: .shortAndLong,
      help: ArgumentHelp("Write into a file, which appears when it is complete.", valueName: "file")
    )
    var output: String?

    @Option(
      name: .customLong("with"),
      help: ArgumentHelp("Add values of related objects: maker.name,tags.name", valueName: "paths"))
    var paths: String?

    @Option(help: ArgumentHelp("The character between fields of csv.", valueName: "character"))
    var delimiter: String = ","

    @Flag(help: "Show the values of private attributes.")
    var `private` = false

    @Flag(help: "Show transformables in their stored form, as Base64.")
    var raw = false

    func validate() throws {
      if delimiter != "tab", delimiter.count != 1 || delimiter.first?.isASCII != true {
        throw ValidationError("--delimiter needs one character, or tab.")
      }
      if ["\"", "\n", "\r"].contains(delimiter) {
        throw ValidationError("--delimiter cannot be a quotation mark or the end of a line.")
      }
    }

    var separator: Character { delimiter == "tab" ? "\t" : delimiter.first ?? "," }

    /// A dump with the options.
    func dump(
      _ container: PersistentContainer, _ request: FetchRequest<ManagedObject>, _ output: Output
    ) throws(CommandFailure) -> RowDump {
      if raw, output.terminal.isTerminal, self.output == nil {
        throw CommandFailure(
          .usage, "copal: --raw is not for a terminal; write it into a file with --output FILE")
      }
      var dump = RowDump(container, request)
      dump.format = format
      dump.followedPaths = paths.map(ResultColumn.items) ?? []
      dump.delimiter = separator
      dump.showsPrivateValues = self.private
      dump.showsStoredForms = raw
      dump.style = .colors
      if self.output == nil {
        dump.width = output.terminal.width
        dump.paintsColors = output.terminal.hasAllColors
      }
      dump.isCanceled = Interruption.isRequested
      return dump
    }
  }
#endif
