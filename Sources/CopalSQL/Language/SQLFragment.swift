public import CopalStore

/// A piece of SQL as a value: text that Copal writes, identifiers, values of placeholders.
///
/// Names from models and constants from conditions are separate segments, so that they cannot
/// become SQL text. A dialect quotes the names and numbers the placeholders when it makes
/// the statement.
///
/// ```swift
/// let fragment = "SELECT " + .identifier("name") + " FROM " + .identifier("Pigment")
/// fragment.statement(in: dialect).text  // SELECT "name" FROM "Pigment"
/// ```
public struct SQLFragment: Sendable, Equatable, ExpressibleByStringLiteral {
  enum Segment: Sendable, Equatable {
    case text(String)
    case identifier(String)
    case derivedColumn(String)
    case literal(String)
    case value(PlaceholderValue, PlaceholderType)
    case notInSQL(NotInSQL)
  }

  private(set) var segments: [Segment]

  /// SQL text. Only a literal in the source code is accepted, so that input cannot become SQL text.
  public init(stringLiteral text: StaticString) { segments = [.text(text.description)] }

  private init(_ segments: [Segment]) { self.segments = segments }

  /// The name of a table, column or index.
  public static func identifier(_ name: String) -> SQLFragment { SQLFragment([.identifier(name)]) }

  /// The name of a derived column, or of a table with the values of one, which the statement uses.
  /// Such a statement is only for rows whose derived columns hold.
  static func derivedColumn(_ name: String) -> SQLFragment { SQLFragment([.derivedColumn(name)]) }

  /// A text as a part of the statement, in the dialect's quotes: only for what a statement always
  /// has, such as the name of an entity. A database compares the condition of a partial index with
  /// that of a query when it prepares the statement, so these have no placeholder.
  public static func literal(_ text: String) -> SQLFragment { SQLFragment([.literal(text)]) }

  /// A placeholder, its value and the type of it.
  public static func value(_ value: PlaceholderValue, _ type: PlaceholderType) -> SQLFragment {
    SQLFragment([.value(value, type)])
  }

  /// The placeholder for a number of Copal's.
  public static func integer(_ number: Int64) -> SQLFragment { .value(.integer(number), .integer) }

  /// The placeholder for the key of the object that is written or looked for.
  static var key: SQLFragment { .value(.key, .integer) }

  /// The placeholder for the version that an object was read with.
  static var version: SQLFragment { .value(.version, .integer) }

  /// The placeholder for the version that a row gets.
  static var newVersion: SQLFragment { .value(.newVersion, .integer) }

  /// In place of what the database does not decide as Copal does: the statement must not be run.
  /// Its ``SQLStatement/notInSQL`` says what it is, and the store asks a `RowDecider`.
  public static func notInSQL(_ part: NotInSQL) -> SQLFragment { SQLFragment([.notInSQL(part)]) }

  /// A whole number of the program, as its digits.
  package static func number(_ number: Int) -> SQLFragment { .dialectWord("\(number)") }

  /// A word of a dialect, such as a column type.
  static func dialectWord(_ word: String) -> SQLFragment { SQLFragment([.text(word)]) }

  /// Text of a statement that a program has written itself.
  static func programText(_ text: String) -> SQLFragment { SQLFragment([.text(text)]) }

  /// One fragment after the other.
  public static func + (a: SQLFragment, b: SQLFragment) -> SQLFragment {
    SQLFragment(a.segments + b.segments)
  }

  /// Appends a fragment.
  public static func += (a: inout SQLFragment, b: SQLFragment) {
    a.segments.append(contentsOf: b.segments)
  }

  /// The statement in a dialect, with the values of its placeholders in their order.
  public func statement(in dialect: any SQLDialect) -> SQLStatement {
    var text = ""
    var values: [PlaceholderValue] = []
    var types: [PlaceholderType] = []
    var usesDerivedColumns = false
    var notInSQL: NotInSQL?
    for segment in segments {
      switch segment {
      case .text(let words): text += words
      case .identifier(let name): text += dialect.quote(name)
      case .derivedColumn(let name):
        text += dialect.quote(name)
        usesDerivedColumns = true
      case .notInSQL(let part):
        notInSQL = notInSQL ?? part
        text += "NULL"
      case .literal(let words): text += dialect.quote(text: words)
      case .value(let value, let type):
        values.append(value)
        types.append(type)
        text += dialect.placeholder(values.count)
      }
    }
    return SQLStatement(
      text: text, values: values, types: types, usesDerivedColumns: usesDerivedColumns,
      notInSQL: notInSQL)
  }
}

extension Sequence<SQLFragment> {
  /// The fragments one after the other with a separator between them.
  package func joined(by separator: SQLFragment) -> SQLFragment {
    var result: SQLFragment = ""
    for (index, fragment) in self.enumerated() {
      if index > 0 { result += separator }
      result += fragment
    }
    return result
  }
}

/// An SQL statement of a dialect, with the values of its placeholders.
public struct SQLStatement: Sendable, Equatable {
  /// The SQL text with placeholders.
  public let text: String
  /// The values of the placeholders in their order.
  public let values: [PlaceholderValue]
  /// The types of these values.
  public let types: [PlaceholderType]
  /// Whether a query relies on derived columns: its result is right for the ``StaleRows`` that it
  /// was made for.
  public let usesDerivedColumns: Bool
  /// The first part that the database does not decide; nil for a statement that it can run.
  public let notInSQL: NotInSQL?

  /// A statement with a text and the values of its placeholders, each with its type.
  init(
    text: String, values: [PlaceholderValue], types: [PlaceholderType],
    usesDerivedColumns: Bool = false, notInSQL: NotInSQL? = nil
  ) {
    self.text = text
    self.values = values
    self.types = types
    self.usesDerivedColumns = usesDerivedColumns
    self.notInSQL = notInSQL
  }
}
