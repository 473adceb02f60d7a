#if Command
  internal import ArgumentParser
  import CopalEssentials
  import CopalModel

  /// The command `copal`, for a program of its own:
  ///
  /// ```swift
  /// import CopalCommand
  ///
  /// CopalCommand.main()
  /// ```
  public enum CopalCommand {
    /// Runs the command with the arguments of the process, and ends the process.
    public static func main() -> Never {
      // A reader that has ended is noticed by the write.
      signal(SIGPIPE, SIG_IGN)
      // A program that runs this one may have blocked the signals that end it.
      var none = sigset_t()
      sigemptyset(&none)
      sigprocmask(SIG_SETMASK, &none, nil)
      exit(run(Array(CommandLine.arguments.dropFirst())).rawValue)
    }

    /// Runs the command with arguments.
    static func run(_ arguments: [String]) -> ExitStatus {
      var output = Output()
      do {
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
        output.complain("copal: \(error)".printable)
        return .badInput
      } catch let error as ModelError {
        try? output.flush()
        output.complain(error.problems.map(\.description.printable).joined(separator: "\n"))
        return .badInput
      } catch {
        return finish(error, &output)
      }
    }

    /// Help, versions and what is wrong with the arguments.
    private static func finish(_ error: any Error, _ output: inout Output) -> ExitStatus {
      let message = RootCommand.fullMessage(for: error)
      guard RootCommand.exitCode(for: error) == .success else {
        output.complain(message)
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

  /// How the process ends: the numbers of `sysexits.h`, and those of shells.
  enum ExitStatus: Int32 {
    case success = 0
    /// A model has problems, a file is not in the layout, or a merge has conflicts.
    case problems = 1
    /// Wrong arguments.
    case usage = 64
    /// The input makes no sense: no model, no store, no JSON.
    case badInput = 65
    /// A bug in Copal.
    case ours = 70
    /// A file cannot be read or written.
    case inputOutput = 74
  }

  /// Why a subcommand ends.
  struct CommandFailure: Error {
    let status: ExitStatus
    let message: String

    init(_ status: ExitStatus, _ message: String) {
      self.status = status
      self.message = message
    }
  }

  /// A part of the command.
  protocol Subcommand: ParsableCommand {
    mutating func run(_ output: inout Output) throws
  }

  struct RootCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
      commandName: "copal",
      abstract: "Checks, formats, draws, compares and merges Copal's models.",
      discussion: """
        A model is a JSON file, such as Shop.model.json. A first try:

          copal check Shop.model.json
          copal format Shop.model.json
          copal diagram Shop.model.json --output Shop.svg

        Exit codes: 0 fine, 1 problems found, 64 wrong arguments, 65 bad input,
        70 a bug in Copal, 74 a file cannot be read or written, 130 interrupted.
        """,
      version: CopalRelease.version,
      subcommands: [
        CheckCommand.self, FormatCommand.self, GenerateCommand.self, SchemaCommand.self,
        DiagramCommand.self, DiffCommand.self, MergeCommand.self, NewCommand.self,
      ])
  }
#endif
