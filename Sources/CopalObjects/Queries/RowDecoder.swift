import CopalEssentials
public import CopalModel
import CopalStore

/// Decodes a row of a fetch of values: a key of the decoded type is the name of a column.
///
/// A type that decodes one value, such as `String` or an enum with raw values, decodes the row's
/// only column.
struct RowDecoder {
  /// The columns of all rows.
  private let columns: DecodedColumns

  init(_ request: ValueRequest) { columns = DecodedColumns(request) }

  /// - Throws: `request.notDecodable` for a column that is missing for a property that is not
  ///   optional, or that has another type; what an initializer of the type throws.
  func decode<Row: Decodable>(_ type: Row.Type, from row: [PropertyValue]) throws -> Row {
    do {
      if Row.self is any ValueConvertible.Type || Row.self is any DirectlyDecodable.Type {
        return try DecodedRow(columns: columns, values: row).onlyValue().decode(type)
      }
      return try Row(from: DecodedRow(columns: columns, values: row))
    } catch let error as DecodingError {
      // Initializers that the compiler writes, and those of enums with raw values, throw errors of
      // this type.
      throw columns.error(error)
    }
  }
}

/// The names of the columns.
private struct DecodedColumns {
  let entity: String
  let names: [String]
  let positions: [String: Int]

  init(_ request: ValueRequest) {
    entity = request.entityName
    names = request.columns.map(\.name)
    positions = Dictionary(zip(names, names.indices), uniquingKeysWith: { first, _ in first })
  }

  func error(_ column: String?, found: String, suggestion: String? = nil) -> PersistenceError {
    PersistenceError(
      .notDecodable, entity: entity, property: column, found: found, suggestion: suggestion)
  }

  func error(_ error: DecodingError) -> PersistenceError {
    let context: DecodingError.Context? =
      switch error {
      case .typeMismatch(_, let context), .valueNotFound(_, let context),
        .keyNotFound(_, let context), .dataCorrupted(let context):
        context
      @unknown default: nil
      }
    return self.error(
      context?.codingPath.first?.stringValue, found: context?.debugDescription ?? "\(error)")
  }
}

/// One row.
private struct DecodedRow: Decoder {
  let columns: DecodedColumns
  let values: [PropertyValue]
  var codingPath: [any CodingKey] { [] }
  var userInfo: [CodingUserInfoKey: Any] { [:] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
    KeyedDecodingContainer(KeyedRow<Key>(row: self))
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw columns.error(
      nil, found: "a row is no list; decode a type with a property for each column")
  }

  func singleValueContainer() throws -> any SingleValueDecodingContainer { try onlyValue() }

  /// The value of the only column.
  func onlyValue() throws -> ColumnValue {
    guard values.count == 1, let value = values.first, let name = columns.names.first else {
      throw columns.error(
        nil, found: "the type has one value, and the row has \(values.count) columns")
    }
    return ColumnValue(columns: columns, column: name, value: value)
  }

  /// The value of a column; nil for a name that no column has.
  func value(_ name: String) -> ColumnValue? {
    columns.positions[name].map {
      ColumnValue(columns: columns, column: name, value: values[$0])
    }
  }
}

private struct KeyedRow<Key: CodingKey>: KeyedDecodingContainerProtocol {
  let row: DecodedRow
  var codingPath: [any CodingKey] { [] }
  var allKeys: [Key] { row.columns.names.compactMap { Key(stringValue: $0) } }

  func contains(_ key: Key) -> Bool { row.columns.positions[key.stringValue] != nil }

  private func value(_ key: any CodingKey) throws -> ColumnValue {
    if let value = row.value(key.stringValue) { return value }
    throw row.columns.error(
      key.stringValue, found: "no column has this name",
      suggestion: NearestName.of(key.stringValue, among: row.columns.names))
  }

  func decodeNil(forKey key: Key) throws -> Bool { try value(key).decodeNil() }
  func decode(_ type: Bool.Type, forKey key: Key) throws -> Bool { try value(key).decode(type) }
  func decode(_ type: String.Type, forKey key: Key) throws -> String {
    try value(key).decode(type)
  }
  func decode(_ type: Double.Type, forKey key: Key) throws -> Double {
    try value(key).decode(type)
  }
  func decode(_ type: Float.Type, forKey key: Key) throws -> Float { try value(key).decode(type) }
  func decode(_ type: Int.Type, forKey key: Key) throws -> Int { try value(key).decode(type) }
  func decode(_ type: Int8.Type, forKey key: Key) throws -> Int8 { try value(key).decode(type) }
  func decode(_ type: Int16.Type, forKey key: Key) throws -> Int16 { try value(key).decode(type) }
  func decode(_ type: Int32.Type, forKey key: Key) throws -> Int32 { try value(key).decode(type) }
  func decode(_ type: Int64.Type, forKey key: Key) throws -> Int64 { try value(key).decode(type) }
  func decode(_ type: UInt.Type, forKey key: Key) throws -> UInt { try value(key).decode(type) }
  func decode(_ type: UInt8.Type, forKey key: Key) throws -> UInt8 { try value(key).decode(type) }
  func decode(_ type: UInt16.Type, forKey key: Key) throws -> UInt16 {
    try value(key).decode(type)
  }
  func decode(_ type: UInt32.Type, forKey key: Key) throws -> UInt32 {
    try value(key).decode(type)
  }
  func decode(_ type: UInt64.Type, forKey key: Key) throws -> UInt64 {
    try value(key).decode(type)
  }
  func decode<T: Decodable>(_ type: T.Type, forKey key: Key) throws -> T {
    try value(key).decode(type)
  }

  func nestedContainer<NestedKey: CodingKey>(keyedBy type: NestedKey.Type, forKey key: Key) throws
    -> KeyedDecodingContainer<NestedKey>
  {
    try value(key).container(keyedBy: type)
  }
  func nestedUnkeyedContainer(forKey key: Key) throws -> any UnkeyedDecodingContainer {
    try value(key).unkeyedContainer()
  }
  func superDecoder() throws -> any Decoder { row }
  func superDecoder(forKey key: Key) throws -> any Decoder { try value(key) }
}

/// One value: the decoder of a type that decodes one value, such as an enum with raw values.
private struct ColumnValue: Decoder, SingleValueDecodingContainer {
  let columns: DecodedColumns
  let column: String
  let value: PropertyValue
  var userInfo: [CodingUserInfoKey: Any] { [:] }
  var codingPath: [any CodingKey] { [ColumnKey(stringValue: column)] }

  func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
    throw columns.error(
      column, found: "a column has one value, and the type has several properties")
  }

  func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
    throw columns.error(column, found: "a column has one value, and the type is a list")
  }

  func singleValueContainer() -> any SingleValueDecodingContainer { self }

  func decodeNil() -> Bool { value.isNull }
  func decode(_ type: Bool.Type) throws -> Bool { try converted(Bool(value: value)) }
  func decode(_ type: String.Type) throws -> String { try converted(String(value: value)) }
  func decode(_ type: Double.Type) throws -> Double { try converted(number()) }
  func decode(_ type: Float.Type) throws -> Float {
    if case .double(let number) = value { return Float(number) }
    return try converted(number())
  }
  func decode(_ type: Int.Type) throws -> Int { try converted(integer()) }
  func decode(_ type: Int8.Type) throws -> Int8 { try converted(integer()) }
  func decode(_ type: Int16.Type) throws -> Int16 { try converted(integer()) }
  func decode(_ type: Int32.Type) throws -> Int32 { try converted(integer()) }
  func decode(_ type: Int64.Type) throws -> Int64 { try converted(integer()) }
  func decode(_ type: UInt.Type) throws -> UInt { try converted(integer()) }
  func decode(_ type: UInt8.Type) throws -> UInt8 { try converted(integer()) }
  func decode(_ type: UInt16.Type) throws -> UInt16 { try converted(integer()) }
  func decode(_ type: UInt32.Type) throws -> UInt32 { try converted(integer()) }
  func decode(_ type: UInt64.Type) throws -> UInt64 { try converted(integer()) }

  func decode<T: Decodable>(_ type: T.Type) throws -> T {
    if let type = T.self as? any DirectlyDecodable.Type {
      return try converted(type.init(decoding: value) as? T)
    }
    if let type = T.self as? any ValueConvertible.Type,
      let converted = type.init(value: value) as? T
    {
      return converted
    }
    // The types of Foundation would read other forms of themselves, such as a date as a number.
    if T.self is any ValueOfFoundation.Type { return try converted(nil) }
    return try T(from: self)
  }

  private func integer<I: FixedWidthInteger>() -> I? {
    guard case .integer(let number) = value else { return nil }
    return I(exactly: number)
  }

  /// A number that is exactly the value.
  private func number<F: BinaryFloatingPoint>() -> F? {
    switch value {
    case .double(let number): F(number)
    case .integer(let number): F(exactly: number)
    default: nil
    }
  }

  private func converted<T>(_ result: T?) throws -> T {
    if let result { return result }
    throw columns.error(column, found: "it is \(value.kind), and the property is \(T.self)")
  }
}

private struct ColumnKey: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }
  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// A type that a value of a row becomes without a conversion.
private protocol DirectlyDecodable {
  init?(decoding value: PropertyValue)
}

extension PropertyValue: DirectlyDecodable {
  init?(decoding value: PropertyValue) { self = value }
}

extension ManagedObjectID: DirectlyDecodable {
  init?(decoding value: PropertyValue) {
    guard case .object(let id) = value else { return nil }
    self = id
  }
}

/// An integer becomes an exact decimal.
extension Decimal: DirectlyDecodable {
  init?(decoding value: PropertyValue) {
    switch value {
    case .decimal(let number): self = number
    case .integer(let number): self.init(number)
    default: return nil
    }
  }
}

/// A type of Foundation that an attribute can have.
private protocol ValueOfFoundation {}
extension Date: ValueOfFoundation {}
extension Data: ValueOfFoundation {}
extension UUID: ValueOfFoundation {}
extension URL: ValueOfFoundation {}
