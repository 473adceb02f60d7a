/// A piece of SQL as a value: text that Copal writes, identifiers, bindings.
///
/// Names from models and constants from conditions are separate segments, so that they cannot
/// become SQL text. A dialect quotes the names and numbers the bindings when it makes the
/// statement.
///
/// ```swift
/// let fragment = "SELECT " + .identifier("name") + " FROM " + .identifier("Pigment")
/// fragment.statement(in: dialect).text  // SELECT "name" FROM "Pigment"
/// ```
public struct SQLFragment: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Segment: Sendable, Hashable {
    case text(String)
    case identifier(String)
    case literal(String)
    case binding(SQLBinding)
  }

  private(set) var segments: [Segment]

  /// SQL text. Only a literal in the source code is accepted, so that input cannot become SQL text.
  public init(stringLiteral text: StaticString) { segments = [.text(text.description)] }

  private init(_ segments: [Segment]) { self.segments = segments }

  /// The name of a table, column or index.
  public static func identifier(_ name: String) -> SQLFragment { SQLFragment([.identifier(name)]) }

  /// A text as a part of the statement, in the dialect's quotes: only for what a statement always
  /// has, such as the name of an entity. A database compares the condition of a partial index with
  /// that of a query when it prepares the statement, so these have no binding.
  public static func literal(_ text: String) -> SQLFragment { SQLFragment([.literal(text)]) }

  /// A value that is bound when the statement runs.
  public static func binding(_ binding: SQLBinding) -> SQLFragment {
    SQLFragment([.binding(binding)])
  }

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

  /// The statement in a dialect, with its bindings in the order of the placeholders.
  public func statement(in dialect: any SQLDialect) -> SQLStatement {
    var text = ""
    var bindings: [SQLBinding] = []
    for segment in segments {
      switch segment {
      case .text(let words): text += words
      case .identifier(let name): text += dialect.quote(name)
      case .literal(let value): text += dialect.quote(text: value)
      case .binding(let binding):
        bindings.append(binding)
        text += dialect.placeholder(bindings.count)
      }
    }
    return SQLStatement(text: text, bindings: bindings)
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

/// The value for a placeholder of a statement: a constant, or what to take from the query or the
/// object when the statement runs.
public enum SQLBinding: Sendable, Hashable {
  /// NULL.
  case null
  /// An INTEGER.
  case integer(Int64)
  /// A REAL.
  case real(Double)
  /// A TEXT.
  case text(String)
  /// A BLOB.
  case blob([UInt8])
  /// Filled in when the statement runs: a parameter of the query, in a form.
  case parameter(Int, ParameterForm)
  /// Filled in when the statement runs: the limit of the query.
  case limit
  /// Filled in when the statement runs: the offset of the query.
  case offset
  /// Filled in when the statement runs: the value of a slot of the row that is written.
  case slot(Int)
  /// Filled in when the statement runs: the key of the object that is written.
  case key
  /// Filled in when the statement runs: the version the object was read with.
  case version
  /// Filled in when the statement runs: the version the row gets.
  case newVersion
}

/// An SQL statement of a dialect, with its bindings.
public struct SQLStatement: Sendable, Hashable {
  /// The SQL text with placeholders.
  public let text: String
  /// The bindings in the order of the placeholders.
  public let bindings: [SQLBinding]

  /// A statement with a text and its bindings.
  public init(text: String, bindings: [SQLBinding]) {
    self.text = text
    self.bindings = bindings
  }
}
