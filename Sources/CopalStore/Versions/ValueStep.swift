package import CopalModel

/// What becomes of the stored values of an attribute when another model describes them.
package enum ValueStep: Sendable, Equatable {
  /// The column serves as it is.
  ///
  /// - Parameter checks: whether there can be values that the new type does not have, so that the
  ///   rows decide.
  case inPlace(checks: Bool)
  /// Each row gets another value.
  case converted(checks: Bool)
  /// The model has to say how, with this key and this value.
  case needsWord(key: String, word: String)
  /// A person has to say how, in a program.
  case needsStep

  /// The step from one description to another one. Whether a value is required, and what a rule
  /// says, is not a part of it.
  ///
  /// `Docs/MigrationChanges.md` has the table.
  package init(from old: AttributeDescription, to new: AttributeDescription) {
    let isOfDate = new.conversion.isOfDate
    self =
      switch (old.type.kind, new.type.kind) {
      case (.transformable, _), (_, .transformable): Self.transformable(old, new)
      case (.integer, .integer): .inPlace(checks: !new.type.holds(old.type))
      case (.boolean, .boolean), (.date, .date), (.string, .string), (.binary, .binary),
        (.uuid, .uuid), (.uri, .uri):
        .inPlace(checks: false)
      case (.floating, .floating):
        .inPlace(checks: old.type == .double && new.type == .float)
      case (.decimal, .decimal): Self.decimal(from: old.scale, to: new.scale)
      case (.boolean, .integer), (.uri, .string), (.uuid, .binary): .inPlace(checks: false)
      case (.integer, .boolean), (.string, .uri), (.binary, .uuid): .inPlace(checks: true)
      case (.integer, .string), (.floating, .string), (.boolean, .string), (.date, .string),
        (.decimal, .string), (.uuid, .string), (.string, .binary):
        .converted(checks: false)
      case (.integer, .floating): .converted(checks: !new.type.isExact(for: old.type))
      case (.integer, .decimal): .converted(checks: new.scale != nil)
      case (.boolean, .floating), (.boolean, .decimal): .converted(checks: false)
      case (.floating, .integer), (.floating, .decimal), (.decimal, .integer),
        (.decimal, .floating), (.string, .integer), (.string, .floating), (.string, .decimal),
        (.string, .boolean), (.string, .date), (.string, .uuid), (.binary, .string):
        .converted(checks: true)
      case (.date, .integer), (.date, .floating), (.integer, .date), (.floating, .date):
        isOfDate
          ? .converted(checks: true) : .needsWord(key: "conversion", word: "secondsSince1970")
      default: .needsStep
      }
  }

  /// A transformable has the same values while its column has the same type. Whether its
  /// transformer can decode them is not checked.
  private static func transformable(_ old: AttributeDescription, _ new: AttributeDescription)
    -> Self
  {
    if old.storageType == new.storageType { return .inPlace(checks: false) }
    return .needsWord(key: "reencode", word: old.transformer?.rawValue ?? "")
  }

  private static func decimal(from old: Int?, to new: Int?) -> Self {
    if old == new { return .inPlace(checks: false) }
    // A greater scale leaves fewer digits before the point.
    return .converted(checks: new != nil)
  }

  /// Whether each row gets another value.
  package var writesRows: Bool {
    if case .converted = self { true } else { false }
  }

  /// Whether the rows decide if every value has a new one.
  package var checksRows: Bool {
    switch self {
    case .inPlace(let checks), .converted(let checks): checks
    case .needsWord, .needsStep: false
    }
  }
}

extension AttributeType {
  /// The types whose values are converted alike.
  enum Kind {
    case integer, floating, decimal, boolean, date, binary, string, uuid, uri, transformable
  }

  var kind: Kind {
    switch self {
    case .integer16, .integer32, .integer64, .integer: .integer
    case .float, .double: .floating
    case .decimal: .decimal
    case .boolean: .boolean
    case .date: .date
    case .binary: .binary
    case .string: .string
    case .uuid: .uuid
    case .uri: .uri
    case .transformable: .transformable
    }
  }

  /// Whether every integer of another type is one of this type.
  fileprivate func holds(_ other: AttributeType) -> Bool {
    guard let own = integerRange, let range = other.integerRange else { return false }
    return own.contains(range.lowerBound) && own.contains(range.upperBound)
  }

  /// Whether every integer of a type is a double or a float exactly.
  fileprivate func isExact(for integer: AttributeType) -> Bool {
    switch integer {
    case .integer16: true
    case .integer32: self == .double
    default: false
    }
  }
}

extension AttributeDescription.Conversion {
  /// Whether the conversion is one of a date and a number.
  package var isOfDate: Bool {
    switch self {
    case .secondsSince1970, .secondsSince2001, .millisecondsSince1970: true
    case .exact, .nearest, .toNil, .fill, .unversioned: false
    }
  }
}
