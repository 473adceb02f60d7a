/// A piece of SQL as a value: text of ours, identifiers, bindings.
///
/// Names from models and constants from predicates are segments of their own, so neither can become
/// SQL text; a dialect quotes the one and numbers the other at the last moment.
///
/// ```swift
/// let fragment = "SELECT " + .identifier("name") + " FROM " + .identifier("Pigment")
/// fragment.statement(in: dialect).text  // SELECT "name" FROM "Pigment"
/// ```
public struct SQLFragment: Sendable, Hashable, ExpressibleByStringLiteral {
  enum Segment: Sendable, Hashable {
    case text(String)
    case identifier(String)
    case binding(SQLBinding)
  }

  private(set) var segments: [Segment]

  /// Text of this library's own. Only literals: that is what keeps input out of it.
  public init(stringLiteral text: StaticString) { segments = [.text("\(text)")] }

  private init(_ segments: [Segment]) { self.segments = segments }

  /// The name of a table, column or index.
  public static func identifier(_ name: String) -> SQLFragment { SQLFragment([.identifier(name)]) }

  /// A value that is bound when the statement runs.
  public static func binding(_ binding: SQLBinding) -> SQLFragment {
    SQLFragment([.binding(binding)])
  }

  /// A word of a dialect, such as a column type.
  static func dialectWord(_ word: String) -> SQLFragment { SQLFragment([.text(word)]) }

  public static func + (a: SQLFragment, b: SQLFragment) -> SQLFragment {
    SQLFragment(a.segments + b.segments)
  }

  public static func += (a: inout SQLFragment, b: SQLFragment) {
    a.segments.append(contentsOf: b.segments)
  }

  /// What is to be bound, in order.
  var bindings: [SQLBinding] {
    segments.compactMap { if case .binding(let binding) = $0 { binding } else { nil } }
  }

  /// The statement in a dialect.
  public func statement(in dialect: any SQLDialect) -> SQLStatement {
    var text = ""
    var bindings: [SQLBinding] = []
    for segment in segments {
      switch segment {
      case .text(let words): text += words
      case .identifier(let name): text += dialect.quote(name)
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
  func joined(by separator: SQLFragment) -> SQLFragment {
    var result: SQLFragment = ""
    for (index, fragment) in self.enumerated() {
      if index > 0 { result += separator }
      result += fragment
    }
    return result
  }
}

/// What stands for a placeholder.
public enum SQLBinding: Sendable, Hashable {
  case null
  case integer(Int64)
  case real(Double)
  case text(String)
  case blob([UInt8])
  /// Filled in when the statement runs: the value of a slot of the row at hand.
  case slot(Int)
  /// Filled in when the statement runs: the key of the object at hand.
  case key
  /// Filled in when the statement runs: the version the object was read with.
  case version
  /// Filled in when the statement runs: the version the row gets.
  case newVersion
}

extension SQLBinding {
  /// Whether the value takes so much memory that nobody should keep it needlessly.
  package var isLarge: Bool {
    switch self {
    case .text(let text): text.utf8.count > 10_000
    case .blob(let bytes): bytes.count > 10_000
    default: false
    }
  }
}

/// A statement in a dialect's words, with what to bind in the order of its placeholders.
public struct SQLStatement: Sendable, Hashable {
  public let text: String
  public let bindings: [SQLBinding]

  public init(text: String, bindings: [SQLBinding]) {
    self.text = text
    self.bindings = bindings
  }
}
