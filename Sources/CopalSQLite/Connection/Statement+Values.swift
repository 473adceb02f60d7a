import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalStore

extension Statement {
  /// A calculated value of a column; null for a value of another type.
  func value(_ column: Int32, of type: QueryValueType) -> PropertyValue {
    if isNull(column) { return .null }
    switch type {
    case .integer, .object: return integerOrNil(column).map { .integer($0) } ?? .null
    case .boolean: return integerOrNil(column).map { .boolean($0 != 0) } ?? .null
    case .double: return .double(real(column))
    case .date: return .date(Date(storedSeconds: real(column)))
    case .string: return text(column).map { .string($0) } ?? .null
    case .decimal:
      return withText(column) { DecimalText.parse(UnsafeRawBufferPointer($0)) }
        .map { .decimal($0) } ?? .null
    case .uri: return text(column).flatMap { URL(string: $0) }.map { .uri($0) } ?? .null
    case .binary: return .binary(withBlob(column) { Data($0) })
    case .uuid:
      return withBlob(column) { bytes in
        bytes.count == 16 ? .uuid(UUID(uuid: bytes.loadUnaligned(as: uuid_t.self))) : .null
      }
    }
  }

  /// The value of a column, of the type with a letter; null for a value of another type.
  func value(_ column: Int32, _ letter: UInt8) -> PropertyValue {
    sqlite3_column_value(handle, column).map { SQLiteValue.read($0, letter) } ?? .null
  }
}
