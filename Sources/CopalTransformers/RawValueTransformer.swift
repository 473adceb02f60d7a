import CopalEssentials
public import CopalModel
public import CopalObjects
import CopalStore

/// Stores a value with a raw value as its raw value: an enumeration as a text or an integer, a set
/// of options as an integer.
///
/// Other programs can then read the column, and sort by it. `SQLite` compares the raw values.
///
/// ```swift
/// enum Finish: String { case matt, satin, gloss }
/// struct Techniques: OptionSet { let rawValue: Int }
///
/// try RawValueTransformer<Finish>("FinishTransformer").register()
/// try RawValueTransformer<Techniques>("TechniquesTransformer").register()
/// ```
///
/// Decoding an enumeration throws `transformer.unknownRawValue` for a raw value that it does not
/// have, for example because a newer version of the program has another case. The stored raw value
/// does not change until the attribute is set. A set of options keeps the bits that have no name.
///
/// The column is TEXT, INTEGER, REAL or BLOB, as the raw value is.
public struct RawValueTransformer<Value: RawRepresentable>: AttributeTransformer, Equatable
where Value.RawValue: StorableRawValue {
  /// The name that models use.
  public let name: TransformerName

  /// A transformer with the name that models use.
  public init(_ name: TransformerName) { self.name = name }

  /// The raw value.
  public func encode(_ value: Value) -> Value.RawValue.Stored { value.rawValue.stored }

  /// The value that has the raw value.
  ///
  /// - Throws: `transformer.unknownRawValue` when the type has no such value.
  public func decode(_ stored: Value.RawValue.Stored) throws -> Value {
    guard let raw = Value.RawValue(stored: stored), let value = Value(rawValue: raw) else {
      throw PersistenceError(.unknownRawValue, expected: "\(Value.self)")
    }
    return value
  }
}
