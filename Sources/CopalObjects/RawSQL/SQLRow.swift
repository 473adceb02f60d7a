import CopalEssentials
public import CopalModel
import CopalStore

/// A row of a statement in SQL: a value for each column.
///
/// ```swift
/// let row = try context.fetchRows(sql: "SELECT count(*) AS number FROM \(table: Pigment.self)").first
/// let number = try row?.value(of: "number", as: Int.self) ?? 0
/// ```
///
/// A store keeps dates as numbers and UUIDs as bytes. ``value(of:as:)-(String,V.Type)`` reads a
/// value as a Swift type, and with a key path as the attribute that it comes from, which is needed
/// for a decimal with a scale.
public struct SQLRow: Sendable {
  private let shape: Shape
  /// The values, in the order of the columns and in the form of the store: null, an integer, a
  /// double, a string or bytes.
  public let values: [PropertyValue]

  /// What the rows of a result share.
  final class Shape: Sendable {
    let columns: [String]
    let positions: [String: Int]
    let container: ContainerRuntime

    init(_ columns: [String], _ container: ContainerRuntime) {
      self.columns = columns
      self.container = container
      positions = Dictionary(
        zip(columns, columns.indices), uniquingKeysWith: { first, _ in first })
    }
  }

  init(_ shape: Shape, _ values: [PropertyValue]) {
    self.shape = shape
    self.values = values
  }

  /// The names of the columns. A statement gives a name with `AS`.
  public var columns: [String] { shape.columns }

  /// The value of a column in the form of the store; nil when there is no column of that name. Of
  /// columns with one name, the first one counts.
  public subscript(column: String) -> PropertyValue? {
    shape.positions[column].map { values[$0] }
  }

  /// The value of a column as a Swift type; nil for NULL.
  ///
  /// A `Bool` is read from 0 and 1, a `Date` from its number of seconds since 2001, a `Decimal`
  /// from its text or an integer, a `UUID` from its 16 bytes, a `URL` from its text, and a `Double`
  /// also from an integer.
  ///
  /// - Throws: `sql.wrongColumn` when there is no column of that name, or its value is not of the
  ///   type.
  public func value<V: ValueConvertible>(of column: String, as type: V.Type) throws -> V? {
    let found = try stored(column)
    if found.isNull { return nil }
    guard let value = Self.converted(found, to: type) else {
      throw wrong(column, "the \(found.kind) of a row", "\(type)")
    }
    return value
  }

  /// The value of a column as a value of an attribute; nil for NULL.
  ///
  /// ```swift
  /// let price = try row.value(of: "price", as: \Pigment.price)
  /// ```
  ///
  /// - Throws: as ``value(of:as:)-(String,V.Type)``; `request.unknownProperty`.
  public func value<T: QueryableObject, V: ValueConvertible>(
    of column: String, as attribute: KeyPath<T, V>
  ) throws -> V? {
    try value(of: column, as: RawSQL.Property(attribute), V.self)
  }

  /// The value of a column as a value of an optional attribute; nil for NULL.
  ///
  /// - Throws: as ``value(of:as:)-(String,V.Type)``; `request.unknownProperty`.
  public func value<T: QueryableObject, V: ValueConvertible>(
    of column: String, as attribute: KeyPath<T, V?>
  ) throws -> V? {
    try value(of: column, as: RawSQL.Property(attribute), V.self)
  }

  private func value<V: ValueConvertible>(
    of column: String, as property: RawSQL.Property, _ type: V.Type
  ) throws -> V? {
    guard case .of(let objectClass, let name) = property.entity,
      let index = shape.container.entityByClass[objectClass]
    else {
      throw PersistenceError(.unknownEntity, entity: "\(property.entity)")
    }
    let layout = shape.container.entities[index].layout
    guard let slot = layout.slotByName[property.name] else {
      throw PersistenceError(.unknownProperty, entity: name, property: property.name)
    }
    if let scale = layout.attributes[slot].scale, type == Decimal.self {
      let found = try stored(column)
      if found.isNull { return nil }
      guard case .integer(let number) = found else {
        throw wrong(column, "the \(found.kind) of a row", "an integer with the scale \(scale)")
      }
      return V(value: .decimal(DecimalText.decimal(scaled: number, by: scale)))
    }
    return try value(of: column, as: type)
  }

  private func stored(_ column: String) throws -> PropertyValue {
    guard let value = self[column] else {
      throw wrong(column, "missing", "one of \(columns.joined(separator: ", "))")
    }
    return value
  }

  private func wrong(_ column: String, _ found: String, _ expected: String) -> PersistenceError {
    PersistenceError(.sqlWrongColumn, property: column, found: found, expected: expected)
  }

  /// A value in the form of the store as a Swift type; nil when it is not of the type.
  private static func converted<V: ValueConvertible>(_ value: PropertyValue, to type: V.Type) -> V?
  {
    if let exact = V(value: value) { return exact }
    let forms: [PropertyValue?] =
      switch value {
      case .integer(let number):
        [
          number == 0 || number == 1 ? .boolean(number == 1) : nil, .decimal(Decimal(number)),
          .double(Double(number)), .date(Date(timeIntervalSinceReferenceDate: Double(number))),
        ]
      case .double(let number): [.date(Date(timeIntervalSinceReferenceDate: number))]
      case .string(let text):
        [decimal(text).map { .decimal($0) }, URL(string: text).map { .uri($0) }]
      case .binary(let data):
        [
          data.count == 16
            ? .uuid(UUID(uuid: data.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) })) : nil
        ]
      default: []
      }
    return forms.lazy.compactMap { $0.flatMap { V(value: $0) } }.first
  }

  private static func decimal(_ text: String) -> Decimal? {
    var text = text
    return text.withUTF8 { DecimalText.parse(UnsafeRawBufferPointer($0)) }
  }
}

extension SQLRow: CustomStringConvertible {
  /// The columns with their values.
  public var description: String {
    zip(columns, values).map { "\($0): \($1)" }.joined(separator: ", ")
  }
}
