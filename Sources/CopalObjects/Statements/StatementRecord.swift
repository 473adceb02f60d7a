public import CopalStore

/// A statement that a context has run: text, time and reason, and the place in the program. It
/// contains no value of an object.
public struct StatementRecord: Sendable, CustomStringConvertible {
  /// The statement itself. For a store without statements it is a call of its session, and has no
  /// text.
  public let statement: ExecutedStatement
  /// Why the context ran it.
  public let reason: StatementReason
  /// The number of objects that were read together because of the reason: a fault and its
  /// neighbors, or the owners of a relationship. Nil for another operation.
  public let objectCount: Int?
  var stack: CallStack?
  let accessors: Accessors

  /// The text with placeholders; nil for a store that has no statements.
  public var text: String? { statement.text }
  /// From the beginning of the statement until its last row was taken.
  public var duration: Duration { statement.duration }
  /// The number of rows that it gave.
  public var rowCount: Int { statement.rowCount }

  /// The place in the program that made the context run it; nil where the platform cannot tell it,
  /// and when the log does not keep call sites.
  ///
  /// Each use looks it up in the debug information, which takes some milliseconds, and in a large
  /// program up to a tenth of a second. ``StatementLog/groups`` looks up equal ones once.
  public var callSite: CallSite? {
    var finder = CallSiteFinder()
    return finder.site(stack, accessors: accessors)
  }

  /// One line: duration, rows, reason, call site, and the beginning of the text.
  public var description: String { line(callSite) }

  func line(_ site: CallSite?) -> String {
    let rows = rowCount.counted("row")
    var parts = [
      "\(Self.text(duration)), \(rows): \(reason)\(site.map { ", at \($0)" } ?? "")"
    ]
    if let text { parts.append(Self.shortened(text)) }
    return parts.joined(separator: ": ")
  }

  /// A duration in milliseconds with two digits after the point.
  static func text(_ duration: Duration) -> String {
    let (seconds, attoseconds) = duration.components
    let hundredths = seconds * 100_000 + attoseconds / 10_000_000_000_000
    let fraction = hundredths % 100
    return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction) ms"
  }

  /// The beginning of a statement, on one line.
  private static func shortened(_ text: String) -> String {
    let line = text.split(whereSeparator: \.isNewline).joined(separator: " ")
    return line.count > 100 ? line.prefix(99) + "…" : line
  }
}
