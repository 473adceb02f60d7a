#if Command
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
#endif
