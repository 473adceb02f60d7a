import CopalEssentials
package import CopalModel

extension PropertyValue {
  /// Whether the value is not a number: it equals nothing.
  var isNaN: Bool {
    switch self {
    case .double(let number): number.isNaN
    case .date(let date): date.timeIntervalSinceReferenceDate.isNaN
    case .decimal(let number): number.isNaN
    default: false
    }
  }

  /// The value, or `.null` for NaN, which stores do not keep.
  package var orNullIfNaN: PropertyValue { isNaN ? .null : self }
}
