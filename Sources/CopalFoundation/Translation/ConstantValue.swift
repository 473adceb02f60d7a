import CopalEssentials
import CopalModel
import CopalStore

/// The values of the program in a predicate.
enum ConstantValue {
  /// A value as one of an attribute.
  static func propertyValue(of value: Any) throws -> PropertyValue {
    guard let content = Term.content(of: value) else { return .null }
    switch content {
    case let value as PropertyValue: return value
    case let value as any ValueConvertible: return value.value
    case let id as ManagedObjectID: return .object(id)
    case let value as any RawRepresentable: return try rawValue(of: value)
    case let number as any BinaryInteger:
      if let number = Int64(exactly: number) { return .integer(number) }
    case let text as any StringProtocol: return .string(String(text))
    case let character as Character: return .string(String(character))
    default: break
    }
    throw PersistenceError(.predicateValue, found: String(describing: type(of: content)))
  }

  private static func rawValue(of value: some RawRepresentable) throws -> PropertyValue {
    try propertyValue(of: value.rawValue)
  }

  /// The values of a sequence; nil for another value.
  static func elements(of value: Any) -> [Any]? {
    guard let sequence = Term.content(of: value) as? any Sequence else { return nil }
    return Array(anyElements(of: sequence))
  }

  private static func anyElements(of sequence: some Sequence) -> [Any] { sequence.map { $0 } }
}

/// A range of the standard library.
protocol ConstantRange {
  /// Its ends, and whether it includes the upper one.
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { get }
}

extension Range: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, false) }
}

extension ClosedRange: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, upperBound, true) }
}

extension PartialRangeFrom: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (lowerBound, nil, true) }
}

extension PartialRangeUpTo: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, false) }
}

extension PartialRangeThrough: ConstantRange {
  var bounds: (lower: Any?, upper: Any?, includesUpper: Bool) { (nil, upperBound, true) }
}
