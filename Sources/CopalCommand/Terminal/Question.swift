#if Command
  import CopalConsole
  import CopalEssentials

  /// A question to a person, before something is changed.
  enum Question {
    /// Asks, unless the answer was given with `--yes`.
    ///
    /// - Parameters:
    ///   - question: the question, without its mark.
    ///   - isAnswered: whether `--yes` was given.
    ///   - verb: what is done after the answer yes, for the sentence where nobody can be asked.
    /// - Throws: ``CommandFailure`` where nobody can be asked, and after any other answer.
    static func ask(_ question: String, isAnswered: Bool, to verb: String, _ output: Output) throws
    {
      if isAnswered { return }
      guard isatty(STDIN_FILENO) == 1, output.errorTerminal.isTerminal else {
        throw CommandFailure(.usage, "copal: nobody can be asked; write --yes to \(verb)")
      }
      StandardStreams.write("\(question.printable)? [y/N] ", to: STDERR_FILENO)
      let answer = Interruption.waiting { readLine() }?.lowercased() ?? ""
      if answer != "y" && answer != "yes" {
        throw CommandFailure(.problems, "copal: nothing was changed")
      }
    }
  }
#endif
