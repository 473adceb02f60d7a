import CopalEssentials
import CopalStore

/// The statements of a log that have one reason and one call site. Many statements in one group are
/// an "N+1": one for each object of a loop.
public struct StatementGroup: Sendable, CustomStringConvertible {
  /// Why the statements were run.
  public let reason: StatementReason
  /// The place in the program; nil when it is not known.
  public let callSite: CallSite?
  /// The number of statements.
  public internal(set) var count = 0
  /// The sum of their durations.
  public internal(set) var duration = Duration.zero
  /// The sum of their rows.
  public internal(set) var rowCount = 0
  /// The number of objects that the reason read together, summed; 0 for another operation.
  public internal(set) var objectCount = 0

  /// The number, the reason, the call site and, for more than one statement, what to do instead.
  public var description: String {
    var text = "\(count == 1 ? "once" : "\(count) times"): \(reason)"
    if objectCount > 0 {
      let average = (objectCount + count / 2) / count
      text +=
        count == 1
        ? ", of \(objectCount.counted("object"))" : ", of \(average.counted("object")) each"
    }
    if let callSite { text += ", at \(callSite)" }
    if count > 1, let remedy = reason.remedy { text += "; \(remedy)" }
    return text
  }

  /// The groups of records: those with the most statements first, then those that took longest.
  static func groups(of records: [StatementRecord]) -> [StatementGroup] {
    struct Key: Hashable {
      let reason: StatementReason
      let site: CallSite?
    }
    var finder = CallSiteFinder()
    var groups: [StatementGroup] = []
    var positions: [Key: Int] = [:]
    for record in records where record.statement.isCounted {
      let site = finder.site(record.stack, accessors: record.accessors)
      let key = Key(reason: record.reason, site: site)
      let position = positions[key] ?? groups.count
      if position == groups.count {
        positions[key] = position
        groups.append(StatementGroup(reason: record.reason, callSite: site))
      }
      groups[position].count += 1
      groups[position].duration += record.duration
      groups[position].rowCount += record.rowCount
      groups[position].objectCount += record.objectCount ?? 0
    }
    return groups.inOrder { ($1.count, $1.duration) < ($0.count, $0.duration) }
  }
}
