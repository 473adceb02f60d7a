package import CopalEssentials
package import CopalModel

/// What a migration makes of the values of an attribute. A migration in place and a copy of objects
/// both use it.
extension AttributeChange {
  /// The new value of a stored one; nil for a value that refuses the migration.
  ///
  /// - Parameters:
  ///   - value: the old value; nil for one that the old type cannot have, which another program has
  ///     stored.
  ///   - now: the instant of `"now"`.
  package func newValue(of value: PropertyValue?, _ conversion: ValueConversion, now: Date)
    -> PropertyValue?
  {
    if value == .null { return fill.map { $0.value(now) } ?? .null }
    if let converted = value.flatMap(conversion.converted) { return renamed(converted) }
    return switch new.conversion {
    case .toNil: .null
    case .fill: new.valueOfOldObjects.map { $0.value(now) }
    default: nil
    }
  }

  /// How values that are not nil are converted.
  package var conversion: ValueConversion {
    let rule: ValueConversion.Rule =
      switch new.conversion {
      case .nearest: .nearest
      case .secondsSince1970: .secondsSince1970
      case .secondsSince2001: .secondsSince2001
      case .millisecondsSince1970: .millisecondsSince1970
      case .exact, .toNil, .fill, .unversioned: .exact
      }
    return ValueConversion(from: old.form, to: new.form, rule)
  }

  /// The conversion that takes only values for which it is exact; nil if other values refuse the
  /// migration.
  package var exactConversion: ValueConversion? {
    switch new.conversion {
    case .nearest, .toNil, .fill: ValueConversion(from: old.form, to: new.form)
    case .exact, .secondsSince1970, .secondsSince2001, .millisecondsSince1970, .unversioned: nil
    }
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
