package import CopalEssentials
package import CopalModel

/// What a migration makes of the values of an attribute. A migration in place and a copy of objects
/// both use it. It has what each value needs, and nothing else.
package struct ValueChange: Sendable {
  private let conversion: ValueConversion
  /// The conversion that takes only values for which it is exact; nil if other values refuse the
  /// migration.
  private let exactly: ValueConversion?
  /// What nil becomes.
  private let fill: AttributeDescription.Default?
  /// What a value becomes that the new type does not have.
  private let replacement: Replacement
  private let renamedCases: [AttributeDescription.RenamedCase]

  private enum Replacement {
    case none, null
    case value(AttributeDescription.Default)
  }

  package init(_ change: AttributeChange) {
    let (old, new) = (change.old, change.new)
    let rule: ValueConversion.Rule =
      switch new.conversion {
      case .nearest: .nearest
      case .secondsSince1970: .secondsSince1970
      case .secondsSince2001: .secondsSince2001
      case .millisecondsSince1970: .millisecondsSince1970
      case .exact, .toNil, .fill, .unversioned: .exact
      }
    conversion = ValueConversion(from: old.form, to: new.form, rule)
    exactly =
      switch new.conversion {
      case .nearest, .toNil, .fill: ValueConversion(from: old.form, to: new.form)
      case .exact, .secondsSince1970, .secondsSince2001, .millisecondsSince1970, .unversioned: nil
      }
    replacement =
      switch new.conversion {
      case .toNil: .null
      case .fill: new.valueOfOldObjects.map { .value($0) } ?? .none
      default: .none
      }
    fill = change.fill
    renamedCases = change.renamedCases
  }

  /// The new value of a stored one; nil for a value that refuses the migration.
  ///
  /// - Parameters:
  ///   - value: the old value; nil for one that the old type cannot have, which another program has
  ///     stored.
  ///   - now: the instant of `"now"`.
  package func newValue(of value: PropertyValue?, now: Date) -> PropertyValue? {
    if value == .null { return fill.map { $0.value(now) } ?? .null }
    if let converted = value.flatMap(conversion.converted) {
      return renamedCases.isEmpty ? converted : renamed(converted)
    }
    return switch replacement {
    case .none: nil
    case .null: .null
    case .value(let value): value.value(now)
    }
  }

  /// Whether a value is rounded or replaced.
  package func loses(_ value: PropertyValue?) -> Bool {
    guard let exactly, value != .null else { return false }
    return value.flatMap(exactly.converted) == nil
  }

  private func renamed(_ value: PropertyValue) -> PropertyValue {
    renamedCases.first { $0.old == value }?.new ?? value
  }
}

extension AttributeDescription {
  /// The type of the values, for conversions. The values of a transformable have the type of their
  /// column.
  package var form: ValueConversion.Form {
    guard type == .transformable else { return ValueConversion.Form(type, scale: scale) }
    return switch storageType {
    case .integer: ValueConversion.Form(.integer64)
    case .real: ValueConversion.Form(.double)
    case .text: ValueConversion.Form(.string)
    case .blob: ValueConversion.Form(.binary)
    }
  }
}

extension AttributeDescription.Default {
  /// The value for one object.
  package func value(_ now: Date) -> PropertyValue {
    switch self {
    case .value(let value): value
    case .now: .date(now)
    case .new: .uuid(UUID())
    }
  }
}
