/// A condition of a format. A part without a placeholder is `ready`: it is made once, when the text
/// is parsed.
indirect enum FormatCondition: Sendable {
  case ready(FetchPredicate)
  case comparison(FormatTerm, FormatOperator, FormatOptions, FormatTerm, at: Int)
  case quantified(FormatWord, FormatCondition, at: Int)
  case exists(FormatCollection)
  case and([FormatCondition])
  case or([FormatCondition])
  case not(FormatCondition)

  var isReady: Bool {
    if case .ready = self { return true }
    return false
  }
}

/// A value of a format.
indirect enum FormatTerm: Sendable {
  case ready(FetchExpression)
  /// A list of constants.
  case values([PropertyValue])
  case list([FormatTerm])
  /// A placeholder: the position of its argument, what it takes, and its place in the text.
  case argument(Int, FormatToken.Kind, at: Int)
  case path(FormatPath)
  case call(FetchFunction, [FormatTerm], at: Int)
  case cast(FormatTerm, FormatCast, at: Int)
  case aggregate(FetchAggregate, FormatCollection, of: FormatTerm?)
  case conditional(FormatCondition, FormatTerm, FormatTerm, at: Int)

  /// Whether there is no placeholder in it.
  var isReady: Bool {
    switch self {
    case .ready, .values: true
    default: false
    }
  }

  /// Whether it can be the relationship of a collection.
  var isPath: Bool {
    switch self {
    case .path: true
    case .ready(let expression): expression.isPath
    default: false
    }
  }
}

extension FormatTerm {
  /// Whether it is the object itself.
  var isObject: Bool {
    if case .ready(.object) = self { return true }
    return false
  }
}

extension FetchAggregate {
  /// The name of the number of values, for the objects of a group.
  static let valueCountName = "valueCount"
}

extension FetchExpression {
  /// Whether it is a property, of this object or of one around it.
  var isPath: Bool {
    switch self {
    case .property, .subentityProperty: true
    case .outer(_, let inner): inner.isPath
    default: false
    }
  }

  /// Whether it is the object itself, or one around it.
  var isObject: Bool {
    switch self {
    case .object: true
    case .outer(_, let inner): inner.isObject
    default: false
    }
  }

  /// The expression about the object that is that many collections farther out.
  func outer(_ levels: Int) -> FetchExpression { levels == 0 ? self : .outer(levels, self) }
}

/// A key path with placeholders for names.
struct FormatPath: Sendable {
  enum Part: Sendable {
    case text(String)
    /// The position of an argument and the place of the placeholder.
    case key(Int, at: Int)
  }

  var parts: [Part]
  /// The name of the subentity that has the property.
  var entity: String?
  /// The number of collections between the path and the object that it begins with.
  var levels: Int
}

/// The objects of a relationship that meet a condition.
struct FormatCollection: Sendable {
  var relationship: FormatTerm
  var condition: FormatCondition?
  var at: Int
}

/// What compares two values.
enum FormatOperator: Sendable, Equatable {
  case comparison(FetchPredicate.Operator)
  case `in`, between, contains, hasPrefix, hasSuffix, like, matches

  init?(_ token: FormatToken) {
    switch token.kind {
    case .equal: self = .comparison(.equal)
    case .notEqual: self = .comparison(.notEqual)
    case .less: self = .comparison(.less)
    case .lessOrEqual: self = .comparison(.lessOrEqual)
    case .greater: self = .comparison(.greater)
    case .greaterOrEqual: self = .comparison(.greaterOrEqual)
    default:
      switch token.word {
      case .in: self = .in
      case .between: self = .between
      case .contains: self = .contains
      case .beginswith: self = .hasPrefix
      case .endswith: self = .hasSuffix
      case .like: self = .like
      case .matches: self = .matches
      default: return nil
      }
    }
  }
}

/// The letters in brackets after an operator.
struct FormatOptions: Sendable, Equatable {
  var text: FetchPredicate.TextOptions = []
  /// Whether bytes are compared: `[n]`.
  var isExact = false

  /// The function that makes a text without what the options ignore.
  var fold: FetchFunction? {
    switch (text.contains(.caseInsensitive), text.contains(.diacriticInsensitive)) {
    case (true, true): .fold
    case (true, false): .foldCase
    case (false, true): .foldDiacritics
    case (false, false): nil
    }
  }
}
