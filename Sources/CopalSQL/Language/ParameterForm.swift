import CopalModel
import CopalStore

/// How a parameter of a query becomes the value for a placeholder.
public enum ParameterForm: Sendable, Equatable {
  /// The stored form of a constant that is compared with a slot. It is not rounded to a float: no
  /// stored float equals a double between two floats.
  case value(slot: Int)
  /// The same for a slot of another layout than that of the query's entity: of a subentity, or of
  /// related objects. A decimal with a scale is an integer.
  case otherValue(scale: Int?)
  /// A key.
  case key
  /// A double instead of a float that is compared.
  case float(FloatBound)
}

/// A condition on a float attribute uses bounds for the doubles in its column.
///
/// Copal writes only doubles that are exact floats; for them the bounds select the same rows as the
/// floats. They matter for values of other programs: the double 0.1 is not a float. It is read as
/// the nearest float, and a query for that float must find it.
public enum FloatBound: Sendable, Equatable {
  /// The least and the greatest double that are read as the constant. No float equals a constant
  /// that is not a float; the bounds are then those of an empty range, 1 and 0.
  case leastEqual, greatestEqual
  /// The least double that is read as a float that is not less than the constant.
  case leastNotBelow
  /// The greatest double that is read as a float that is not greater than the constant.
  case greatestNotAbove

  /// The bound of a constant.
  func double(for number: Double) -> Double {
    switch self {
    case .leastEqual:
      let float = FloatRounding.float(notBelow: number)
      return Double(float) == number ? FloatRounding.doubles(nearest: float).lowerBound : 1
    case .greatestEqual:
      let float = FloatRounding.float(notAbove: number)
      return Double(float) == number ? FloatRounding.doubles(nearest: float).upperBound : 0
    case .leastNotBelow:
      return FloatRounding.doubles(nearest: FloatRounding.float(notBelow: number)).lowerBound
    case .greatestNotAbove:
      return FloatRounding.doubles(nearest: FloatRounding.float(notAbove: number)).upperBound
    }
  }
}

extension ParameterForm {
  func value(of parameter: PropertyValue, _ layout: EntityLayout) -> PlaceholderValue {
    switch (self, parameter) {
    case (.value, .double(let number)): .real(number)
    case (.value(let slot), _): layout.stored(parameter, slot)
    case (.otherValue, .double(let number)): .real(number)
    case (.otherValue(let scale), _): .storedForm(of: parameter, scale: scale)
    case (.key, .integer(let key)): .integer(key)
    case (.float(let bound), .double(let number)): .real(bound.double(for: number))
    // The binder gives a key only integers, and a float only doubles.
    case (.key, _), (.float, _): .null
    }
  }
}
