import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The SQL function that finds stored values which cannot be read:
/// `copal_calc_unreadable("price", 3, 4, 1)`. The result is 1 for such a value, and null for
/// others.
///
/// The second argument is the storage class of the column, the third one its ``ValueCheck``, and
/// the last one is 1 where the value may be NULL.
///
/// Used only in queries, never in the schema, so that other tools can open and check a store.
enum UnreadableFunction {
  static let name: SQLFragment = "copal_calc_unreadable"

  static func register(on handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "copal_calc_unreadable", 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      nil,
      { context, _, arguments in
        guard let context, let arguments, let value = arguments[0], let storage = arguments[1],
          let number = arguments[2], let isOptional = arguments[3],
          let check = ValueCheck(rawValue: UInt8(clamping: sqlite3_value_int(number)))
        else { return }
        let isReadable =
          switch sqlite3_value_type(value) {
          case SQLITE_NULL: sqlite3_value_int(isOptional) == 1
          case sqlite3_value_int(storage): UnreadableFunction.passes(value, check)
          case SQLITE_TEXT: check == .external
          default: false
          }
        if !isReadable { sqlite3_result_int(context, 1) }
      }, nil, nil, nil)
  }

  /// Whether a value of the right storage class can be read.
  private static func passes(_ value: OpaquePointer, _ check: ValueCheck) -> Bool {
    switch sqlite3_value_type(value) {
    case SQLITE_INTEGER: return check.passes(sqlite3_value_int64(value))
    case SQLITE_FLOAT: return check.passed(sqlite3_value_double(value)) != nil
    case SQLITE_TEXT:
      let bytes = UnsafeRawBufferPointer(value.text)
      // Of the texts, only URIs have no check when a row is read.
      if check == .none { return URL(string: String(decoding: bytes, as: UTF8.self)) != nil }
      // A comparison with nil would use an operator of decimals.
      let isDecimal = DecimalText.parse(bytes).map { _ in true } ?? false
      return check.passes(bytes) && (check != .decimal || isDecimal)
    default:
      return check.passes(
        UnsafeRawBufferPointer(
          start: sqlite3_value_blob(value), count: Int(sqlite3_value_bytes(value))))
    }
  }
}
