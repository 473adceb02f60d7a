import CCopalSQLite
import CopalStore

/// An SQL function that rounds a number to the nearest float.
///
/// Used only in queries, never in the schema, so that other tools can open and check a store.
enum FloatFunction {
  static func register(on handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "copal_float", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY, nil,
      { context, _, arguments in
        guard let value = arguments?.pointee else { return }
        let number = sqlite3_value_double(value)
        if sqlite3_value_type(value) == SQLITE_FLOAT, let float = FloatRounding.rounded(number) {
          sqlite3_result_double(context, float)
        } else {
          sqlite3_result_value(context, value)
        }
      }, nil, nil, nil)
  }
}
