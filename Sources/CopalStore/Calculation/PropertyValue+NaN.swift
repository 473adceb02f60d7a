import CopalEssentials
package import CopalModel

extension PropertyValue {
  /// The value, or `.null` for NaN, which stores do not keep.
  package var orNullIfNaN: PropertyValue {
    switch self {
    case .double(let number) where number.isNaN: .null
    case .date(let date) where date.timeIntervalSinceReferenceDate.isNaN: .null
    case .decimal(let number) where number.isNaN: .null
    default: self
    }
  }
}
