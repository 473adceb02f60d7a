/// Tells a program how far a migration or a copy is, at most 20 times a second.
package final class ProgressMeter {
  private let report: @Sendable (MigrationProgress) -> Void
  private var total = 0
  private var completed = 0
  private var last: ContinuousClock.Instant?
  private static let pause = Duration.milliseconds(50)

  package init(_ report: @escaping @Sendable (MigrationProgress) -> Void) { self.report = report }

  /// Adds rows that are to be written.
  package func expect(_ count: Int) { total += count }

  /// Adds written rows.
  package func add(_ count: Int) {
    completed += count
    let now = ContinuousClock.now
    if let last, now - last < Self.pause, completed < total { return }
    last = now
    report(MigrationProgress(completedRows: completed, totalRows: total))
  }
}
