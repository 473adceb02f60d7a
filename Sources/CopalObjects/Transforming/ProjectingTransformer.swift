public import CopalEssentials
public import CopalModel

/// A transformer whose values can be searched: it says what a store may keep of them beside their
/// stored form.
///
/// The model names the projections that a store keeps, with their types:
/// `"project": { "lightness": "double" }`. Conditions, orders, aggregates and indexes then write
/// them after the attribute, with a dot.
///
/// ```swift
/// struct MoodTransformer: ProjectingTransformer {
///   var projections: [Projection<Mood>] { [Projection("strength") { $0.strength }] }
///   func encode(_ mood: Mood) -> String { mood.text }
///   func decode(_ stored: String) throws -> Mood { try Mood(stored) }
/// }
/// let strong = try context.fetch(Sketch.self) { $0.mood.strength > 0.8 }
/// ```
///
/// A container does not open when the model names a projection that the transformer does not have
/// (`transformer.unknownProjection`), or gives it another type (`transformer.wrongProjection`).
public protocol ProjectingTransformer<Value>: AttributeTransformer {
  /// The projections of a value. Their names must differ: of two with one name, the first one
  /// counts.
  var projections: [Projection<Value>] { get }
}

/// A function of a value that a store can keep beside it, for conditions, orders and indexes.
public struct Projection<Value>: Sendable {
  /// The name, as the model and conditions have it.
  public let name: String
  /// The version of the function. Raise it when the function, or `decode`, gives other results: a
  /// store that was written with an older version makes its values again when it opens.
  public let version: Int
  /// The type of the results.
  public let type: ProjectionDescription.ValueType
  let value: @Sendable (Value) -> PropertyValue

  /// A projection with a name.
  ///
  /// - Parameters:
  ///   - name: a name as that of an attribute.
  ///   - version: the version of the function, from 1.
  ///   - value: the function. It must use nothing but its argument, and always give the same result
  ///     for it. Nil where the value has none; a number that is not a number counts as nil.
  ///
  /// The function is called for each object that is written, in migrations, rebuilds and checks,
  /// for conditions in memory, and by queries for each row that another program has written.
  public init<Result: ProjectedValue>(
    _ name: String, version: Int = 1, _ value: @escaping @Sendable (Value) -> Result?
  ) {
    self.name = name
    self.version = version
    type = Result.projectedType
    self.value = { value($0)?.value ?? .null }
  }
}

/// A type that the results of a projection can have: `Double`, `Int`, `String`, `Bool` or `Date`.
///
/// Only these five types conform to it.
public protocol ProjectedValue: ValueConvertible {
  /// The type as the model writes it.
  static var projectedType: ProjectionDescription.ValueType { get }
}

extension Double: ProjectedValue {
  /// `"double"`.
  public static var projectedType: ProjectionDescription.ValueType { .double }
}

extension Int: ProjectedValue {
  /// `"integer"`.
  public static var projectedType: ProjectionDescription.ValueType { .integer }
}

extension String: ProjectedValue {
  /// `"string"`.
  public static var projectedType: ProjectionDescription.ValueType { .string }
}

extension Bool: ProjectedValue {
  /// `"boolean"`.
  public static var projectedType: ProjectionDescription.ValueType { .boolean }
}

extension Date: ProjectedValue {
  /// `"date"`.
  public static var projectedType: ProjectionDescription.ValueType { .date }
}

/// A projection of one attribute's transformer. Its types are opened once, when the container
/// opens.
struct BoundProjection: Sendable {
  let type: ProjectionDescription.ValueType
  let version: Int
  /// The value of a decoded value.
  let value: @Sendable (any _CopalDecodedValue) -> PropertyValue

  /// The projections of a transformer by their names.
  static func all(_ transformer: some AttributeTransformer) -> [String: BoundProjection] {
    func bind<T: ProjectingTransformer>(_ transformer: T) -> [String: BoundProjection] {
      Dictionary(
        transformer.projections.map { ($0.name, BoundProjection($0)) },
        uniquingKeysWith: { first, _ in first })
    }
    return (transformer as? any ProjectingTransformer).map { bind($0) } ?? [:]
  }

  private init<Value>(_ projection: Projection<Value>) {
    type = projection.type
    version = projection.version
    value = { decoded in
      if let typed = decoded as? _CopalTypedValue<Value> { return projection.value(typed.value) }
      return (decoded.any as? Value).map(projection.value) ?? .null
    }
  }
}
