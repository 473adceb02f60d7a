/// Ends a cursor of a log when nobody needs it any more. Its `deinit` may run on any thread.
final class LogCursor: Sendable {
  let log: CommitLog
  let number: UInt64

  init(_ log: CommitLog, _ number: UInt64) {
    self.log = log
    self.number = number
  }

  deinit { log.removeCursor(number) }
}

/// Gives a signal whenever there is something to merge for a context, until it is released. Its
/// `deinit` may run on any thread.
final class MergeSignals: Sendable {
  private let signal: Signal
  private let log: CommitLog
  private let context: UInt64

  init(_ signal: Signal, _ log: CommitLog, _ context: UInt64) {
    (self.signal, self.log, self.context) = (signal, log, context)
    log.add(signal, to: context)
  }

  deinit { log.remove(signal, from: context) }
}
