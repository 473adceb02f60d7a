#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalModel
  public import CopalObjects
  import CopalSQLite
  import CopalStore

  /// The command `copal`, for a program of its own, which knows the program's transformers and
  /// models:
  ///
  /// ```swift
  /// import CopalCommand
  ///
  /// CopalCommand.main(transformers: [InkTransformer.self], models: [.atelier])
  /// ```
  public enum CopalCommand {
    /// Runs the command with the arguments of the process, and ends the process.
    ///
    /// - Parameters:
    ///   - transformers: the transformers of the program. The command has those of colors itself.
    ///   - models: models that can be named in place of a file.
    ///   - stores: stores that are not files. A subcommand takes their addresses for a path.
    public static func main(
      transformers: [any RegistrableTransformer.Type] = [], models: [ModelBinding] = [],
      stores: [AddressedStores] = []
    ) -> Never {
      let setup = CommandSetup(transformers, models, stores)
      signal(SIGPIPE, SIG_IGN)
      // A program that runs this one may have blocked the signals that end it.
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      Interruption.begin()
      let status = run(Array(CommandLine.arguments.dropFirst()), setup)
      Interruption.endIfRequested()
      exit(status)
    }

    /// Runs the command with arguments, once in a process.
    ///
    /// - Returns: the exit code.
    package static func run(_ arguments: [String], _ stores: [AddressedStores]) -> Int32 {
      run(arguments, CommandSetup([], [], stores))
    }

    private static func run(_ arguments: [String], _ setup: CommandSetup) -> Int32 {
      CommandSetup.current.withLock { $0 = setup }
      return run(arguments).rawValue
    }

    /// Runs the command with arguments.
    private static func run(_ arguments: [String]) -> ExitStatus {
      var output = Output()
      do {
        try StoreAddress.refusePasswords(in: arguments)
        var command = try RootCommand.parseAsRoot(arguments)
        if var subcommand = command as? any Subcommand {
          try subcommand.run(&output)
          try output.flush()
          return output.failure ?? (output.foundProblems ? .problems : .success)
        }
        try command.run()
        return .success
      } catch let failure as CommandFailure {
        try? output.flush()
        if failure.status != .success { output.complain(failure.message) }
        return failure.status
      } catch let error as PersistenceError {
        try? output.flush()
        output.complain(lines(of: error))
        return error.exitStatus
      } catch let error as PredicateFormatError {
        try? output.flush()
        output.complain(lines(of: error))
        return .badInput
      } catch let error as ModelError {
        try? output.flush()
        output.complain(error.problems.map(\.description.printable).joined(separator: "\n"))
        return .badInput
      } catch {
        return finish(error, &output)
      }
    }

    /// An error of several lines, each without anything that changes a terminal.
    private static func lines(of error: any Error) -> String { lines(of: "copal: \(error)") }

    private static func lines(of text: String) -> String {
      text.split(separator: "\n", omittingEmptySubsequences: false)
        .map { String($0).printable }.joined(separator: "\n")
    }

    /// Help, versions and what is wrong with the arguments.
    private static func finish(_ error: any Error, _ output: inout Output) -> ExitStatus {
      let message = RootCommand.fullMessage(for: error)
      guard RootCommand.exitCode(for: error) == .success else {
        output.complain(lines(of: message))
        // The parser has its own errors; another one is a mistake of ours.
        return RootCommand.exitCode(for: error) == .validationFailure ? .usage : .ours
      }
      do {
        output.write(message + "\n")
        try output.flush()
        return .success
      } catch {
        output.complain(error.message)
        return error.status
      }
    }
  }

  extension PersistenceError {
    /// How the process ends after the error.
    fileprivate var exitStatus: ExitStatus {
      switch code {
      case .diskFull, .inputOutput, .notWritable, .busy, .inUse, .tooManyFiles, .backupExists,
        .cannotOpen, .noStore, .folderMissing:
        .inputOutput
      default: .badInput
      }
    }
  }

  struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "copal",
      abstract: "Works with Copal's models, and with the stores that programs make of them.",
      discussion: """
        A model is a JSON file, such as Shop.model.json; a store is a SQLite file. A first try:

          copal check Shop.model.json
          copal diagram Shop.model.json --output Shop.svg
          copal import Shop.sqlite Pigment pigments.csv --model Shop.model.json
          copal shell Shop.sqlite

        Exit codes: 0 fine, 1 problems found, 64 wrong arguments, 65 bad input,
        70 a bug in Copal, 74 a file cannot be read or written, 130 interrupted.
        """,
      version: CopalRelease.version,
      subcommands: [CheckCommand.self],
      groupedSubcommands: [
        CommandGroup(
          name: "Models",
          subcommands: [
            FormatCommand.self, GenerateCommand.self, SchemaCommand.self, DiagramCommand.self,
            DiffCommand.self, MergeCommand.self, NewCommand.self,
          ]),
        CommandGroup(
          name: "Stores",
          subcommands: [
            InspectCommand.self, DumpCommand.self, QueryCommand.self, ShellCommand.self,
            ImportCommand.self, ExportCommand.self, UpdateCommand.self, DeleteCommand.self,
            MigrateCommand.self, BackupCommand.self,
            CompactCommand.self, ScanCommand.self,
          ]),
      ])
  }
#endif
