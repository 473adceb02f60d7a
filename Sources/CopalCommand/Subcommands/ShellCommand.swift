#if Command
  internal import ArgumentParser
  import CopalConsole
  import CopalEssentials
  import CopalExchange
  import CopalModel
  import CopalObjects
  import CopalStore

  struct ShellCommand: Subcommand {
    static let configuration = CommandConfiguration(
      commandName: "shell",
      abstract: "Answers conditions about a store, one after the other. It only reads.",
      discussion: """
        .help shows what a line can be. Tab completes names, the arrows bring back earlier lines, \
        Control-C ends a question, Control-D the shell. Earlier lines are kept in \
        $XDG_STATE_HOME/copal/history, unless --no-history is given. Lines of a pipe are all \
        answered; if one cannot be, the exit code is 65, and 1 for values that cannot be read.

        EXAMPLES
          copal shell Shop.sqlite
          echo 'price > 20' | copal shell Shop.sqlite --entity Pigment
        """)

    @Argument(help: "The store.")
    var store: String

    @Option(help: ArgumentHelp("The entity to begin with.", valueName: "name"))
    var entity: String?

    @Flag(help: "Show the SQL and the plan of each question.")
    var explain = false

    @Flag(help: "Show the values of private attributes.")
    var `private` = false

    @Flag(help: "Keep no earlier lines.")
    var noHistory = false

    mutating func run(_ output: inout Output) throws {
      let opened = try OpenedStore(store, for: .reads)
      let name = entity ?? opened.model.entities.first { !$0.isAbstract }?.name ?? ""
      guard let entity = opened.model.entity(name) else {
        throw PersistenceError(
          .unknownEntity, entity: name,
          suggestion: NearestName.of(name, among: opened.model.entities.map(\.name)))
      }
      let terminal = KeyTerminal()
      var shell = Shell(
        opened.container, entity: entity,
        style: TextStyle(isColored: output.terminal.hasColors),
        width: { terminal.isInteractive ? terminal.width : nil },
        print: { text in
          do throws(CommandFailure) {
            try Output.write(Array((text + "\n").utf8), to: STDOUT_FILENO)
          } catch {
            // Nobody can see an answer any more.
            StandardStreams.write(error.message + "\n", to: STDERR_FILENO)
            endProcess(error.status.rawValue)
          }
        })
      let path = store
      // The answers are for the next program, and not what is wrong.
      var errors = output
      if !terminal.isInteractive { shell.complain = { errors.complain($0) } }
      shell.foundUnreadable = { errors.complain(ofUnreadable: $0, $1, path) }
      shell.reopen = { try OpenedStore(path, for: .reads).container }
      shell.valueStyle = .colors
      shell.paintsColors = output.terminal.hasAllColors
      shell.showsPrivateValues = self.private
      shell.explains = explain
      shell.limit = Shell.firstLimit
      shell.isCanceled = Interruption.isRequested
      if terminal.isInteractive {
        StandardStreams.write(
          "\(opened.address.text.printable): \(opened.model.entities.map(\.name).joined(separator: ", ").printable)\nWrite a condition, such as TRUEPREDICATE. Help: .help. End: .quit or Control-D.\n"
        )
      }
      let file = noHistory ? nil : HistoryFile.standard
      let history = shell.run(
        on: terminal, history: terminal.isInteractive ? file?.lines ?? [] : [], echoes: false)
      if terminal.isInteractive {
        file?.write(history)
      } else {
        output.foundProblems = errors.foundProblems
        if shell.hasFailed { output.failure = .badInput }
      }
    }
  }

  /// The earlier lines of the shell: <https://specifications.freedesktop.org/basedir-spec/latest/>.
  struct HistoryFile {
    private let folder: String
    private var path: String { folder + "/history" }

    private static let greatestCount = 1000

    /// The file of the user; nil where there is no home.
    static var standard: HistoryFile? {
      let environment = ProcessInfo.processInfo.environment
      if let state = environment["XDG_STATE_HOME"], state.hasPrefix("/") {
        return HistoryFile(folder: state + "/copal")
      }
      guard let home = environment["HOME"], home.hasPrefix("/") else { return nil }
      return HistoryFile(folder: home + "/.local/state/copal")
    }

    var lines: [String] {
      guard let text = try? TextFile(path).text else { return [] }
      return text.split(separator: "\n").map(String.init)
    }

    /// Writes the last lines. Only the user can read them. A history that cannot be written is
    /// lost.
    func write(_ lines: [String]) {
      try? TextFile.makeFolder(folder)
      chmod(folder, 0o700)
      let file = open(path, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
      guard file >= 0 else { return }
      close(file)
      chmod(path, 0o600)
      let last = lines.suffix(Self.greatestCount).map { $0 + "\n" }
      try? TextFile.write(last.joined(), to: path)
    }
  }

  // Outside the type, where `exit` is another function.
  private func endProcess(_ status: CInt) -> Never { exit(status) }
#endif
