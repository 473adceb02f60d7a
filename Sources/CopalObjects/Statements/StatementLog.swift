import CopalModel
import CopalStore

/// A log of the statements that contexts run, each with its time, its reason and the place in the
/// program.
///
/// ```swift
/// let log = StatementLog()
/// context.statementLog = log
/// showPaintings(context)
/// print(log)
/// ```
///
/// Use it to find slow statements, and loops that run a statement for each object. It has no values
/// of objects. While a context has a log, each statement takes some microseconds more; without one,
/// nothing is measured.
///
/// Sendable: contexts on several threads can share a log. Transactions, and statements that only
/// the store itself needs, are records too, but are not counted.
public final class StatementLog: Sendable, CustomStringConvertible {
  /// Whether the log keeps the place in the program of each statement, which takes about ten
  /// microseconds for each operation.
  public let keepsCallSites: Bool
  /// The greatest number of records. Later statements are counted, but not kept.
  public let limit: Int
  private let onRecord: (@Sendable (StatementRecord) -> Void)?
  private let contents = Locked(Contents())

  private struct Contents {
    var records: [StatementRecord] = []
    var counted = 0
    var all = 0
  }

  /// A log without records.
  ///
  /// - Parameters:
  ///   - keepsCallSites: whether the place in the program is kept. Default: true.
  ///   - limit: the greatest number of records that are kept. Default: 10,000.
  ///   - onRecord: is called with each record, in the isolation of its context, also beyond the
  ///     limit. It must not use the context. Nil, the default, calls nothing.
  public init(
    keepsCallSites: Bool = true, limit: Int = 10_000,
    onRecord: (@Sendable (StatementRecord) -> Void)? = nil
  ) {
    self.keepsCallSites = keepsCallSites
    self.limit = limit
    self.onRecord = onRecord
  }

  /// The records, in the order in which the statements ended.
  public var records: [StatementRecord] { contents.withLock { $0.records } }

  /// The number of queries and writes, also of those beyond the limit. Transactions, and statements
  /// that only the store itself needs, are not counted.
  public var statementCount: Int { contents.withLock { $0.counted } }

  /// Removes the records, and counts from 0 again.
  public func removeAll() {
    let former = contents.withLock { contents in
      defer { contents = Contents() }
      return contents
    }
    // Released outside the lock.
    withExtendedLifetime(former) {}
  }

  /// The queries and writes by reason and call site: the group with the most statements first. It
  /// looks up the call sites, which takes some milliseconds for each different one, and in a large
  /// program up to a tenth of a second.
  public var groups: [StatementGroup] { StatementGroup.groups(of: records) }

  /// One line for each record: duration, rows, reason, call site, and the beginning of the text.
  public var description: String {
    let (records, all) = contents.withLock { ($0.records, $0.all) }
    var finder = CallSiteFinder()
    var lines = records.map { $0.line(finder.site($0.stack, accessors: $0.accessors)) }
    if all > records.count { lines.append("… and \(all - records.count) more") }
    return lines.joined(separator: "\n")
  }

  /// Throws when the log has more statements than a number. Use it where
  /// ``ManagedObjectContext/expectStatements(atMost:_:)`` cannot be used: for work that awaits, and
  /// for several contexts.
  ///
  /// - Throws: `context.tooManyStatements`, with the groups as `causes`: the one with the most
  ///   statements first.
  public func expectStatements(atMost limit: Int) throws {
    let (records, count) = contents.withLock { ($0.records, $0.counted) }
    if count <= limit { return }
    let groups = StatementGroup.groups(of: records)
    var causes = groups.map {
      PersistenceError(
        .statements, entity: $0.reason.entity, property: $0.reason.property, found: $0.description)
    }
    let others = count - groups.reduce(0) { $0 + $1.count }
    if others > 0 {
      causes.append(
        PersistenceError(
          .statements,
          found: "\(others.counted("more statement")), beyond the \(self.limit) that the log keeps")
      )
    }
    throw PersistenceError(
      .tooManyStatements, found: "\(count)", expected: "\(limit)", causes: causes)
  }

  func add(_ record: StatementRecord) {
    var record = record
    if !keepsCallSites { record.stack = nil }
    contents.withLock { contents in
      contents.all += 1
      if record.statement.isCounted { contents.counted += 1 }
      if contents.records.count < limit { contents.records.append(record) }
    }
    onRecord?(record)
  }
}
