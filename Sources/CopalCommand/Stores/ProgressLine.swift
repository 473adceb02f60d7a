#if Command
  import CopalConsole
  import CopalEssentials
  import CopalStore

  /// A line on the standard error that says how far long work is: only on a terminal, after a
  /// second, and at most ten times a second.
  final class ProgressLine: Sendable {
    private let unit: String
    private let isShown: Bool
    private let start = ContinuousClock.now
    private let state: Locked<State>

    private struct State: Sendable {
      var last: ContinuousClock.Instant
      var hasLine = false
    }

    init(_ unit: String, _ output: Output) {
      self.unit = unit
      isShown = output.errorTerminal.isTerminal
      state = Locked(State(last: start + .milliseconds(900)))
    }

    deinit { end() }

    /// Shows a number of rows.
    ///
    /// - Parameter share: the part of the work that is done, from 0 to 1; nil where it is not
    ///   known.
    func show(_ count: Int, share: Double? = nil) {
      guard isShown else { return }
      let now = ContinuousClock.now
      let isDue = state.withLock { state in
        guard now - state.last >= .milliseconds(100) else { return false }
        (state.last, state.hasLine) = (now, true)
        return true
      }
      guard isDue else { return }
      let seconds = Double((now - start).components.seconds) + 0.001
      var text = "\(count.grouped) \(unit), \(Int(Double(count) / seconds).grouped)/s"
      if let share, share > 0.01 {
        text += ", \(Int(share * 100)) %, \(Int(seconds / share - seconds)) s left"
      }
      StandardStreams.write("\r\(text)\u{1B}[K", to: STDERR_FILENO)
    }

    /// Removes the line.
    func end() {
      let hasLine = state.withLock { state in
        defer { state.hasLine = false }
        return state.hasLine
      }
      if hasLine { StandardStreams.write("\r\u{1B}[K", to: STDERR_FILENO) }
    }

    /// A number of bytes with its unit.
    static func bytes(_ number: Int64) -> String {
      if number < 1000 { return "\(number) bytes" }
      let units = ["KB", "MB", "GB", "TB"]
      var value = Double(number)
      var unit = ""
      for next in units where value >= 1000 {
        value /= 1000
        unit = next
      }
      return "\((value * 10).rounded() / 10) \(unit)"
    }
  }
#endif
