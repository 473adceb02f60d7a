public import CopalModel

/// An enum that an attribute with `"cases"` has as its property. Copal generates it from the model;
/// a class that you write can have one of your own.
///
/// A store keeps the raw value. A condition compares raw values, and a fetch sorts by them. A raw
/// value that no case has, such as one of a newer version of the program, becomes
/// ``unrecognized(_:)``: it is kept while the attribute is not set, and a save refuses it as a new
/// value (`save.unrecognizedCase`).
///
/// ```swift
/// enum Technique: AttributeEnum {
///   case oil, tempera
///   case unrecognized(String)
///
///   static let allCases: [Technique] = [.oil, .tempera]
///
///   init(rawValue: String) {
///     switch rawValue {
///     case "oil": self = .oil
///     case "tempera": self = .tempera
///     default: self = .unrecognized(rawValue)
///     }
///   }
///
///   var rawValue: String {
///     switch self {
///     case .oil: "oil"
///     case .tempera: "tempera"
///     case .unrecognized(let rawValue): rawValue
///     }
///   }
/// }
/// ```
public protocol AttributeEnum: AttributeValue, RawRepresentable, CaseIterable, Hashable, Codable
where RawValue: AttributeValue & Hashable {
  /// The case of a raw value; ``unrecognized(_:)`` when no case has it.
  init(rawValue: RawValue)

  /// A raw value that no case has.
  static func unrecognized(_ rawValue: RawValue) -> Self
}

extension AttributeEnum {
  /// Whether the raw value is that of a case. The cost grows with the number of cases.
  public var isRecognized: Bool { Self.allCases.contains(self) }

  /// Whether two values have the same raw value.
  @inlinable
  public static func == (a: Self, b: Self) -> Bool { a.rawValue == b.rawValue }

  /// Hashes the raw value.
  @inlinable
  public func hash(into hasher: inout Hasher) { hasher.combine(rawValue) }
}

extension AttributeEnum {
  /// The raw value as a ``PropertyValue``.
  @inlinable public var value: PropertyValue { rawValue.value }

  /// The case of the raw value in a ``PropertyValue``; nil for another kind.
  @inlinable
  public init?(value: PropertyValue) {
    guard let rawValue = RawValue(value: value) else { return nil }
    self.init(rawValue: rawValue)
  }

  /// The case of the empty string or of 0: what a required attribute has that has no value.
  @inlinable public static var zero: Self { Self(rawValue: RawValue.zero) }

  /// The case of the stored raw value.
  @inlinable
  public static func load(_ base: UnsafeRawPointer, _ slot: Int) -> Self? {
    guard let rawValue = RawValue.load(base, slot) else { return nil }
    return Self(rawValue: rawValue)
  }
}
