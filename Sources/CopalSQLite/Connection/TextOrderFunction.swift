import CCopalSQLite
import CopalModel
import CopalStore

/// The SQL functions that order texts, for example `ORDER BY copal_natural("name")`. The result is
/// a blob that is ordered by its bytes; a value that is no text is the result itself.
///
/// Used only in queries, never in the schema, so that other tools can open and check a store.
enum TextOrderFunction {
  /// The position of an order is what SQLite passes to the function.
  private static let forms: [(name: String, form: TextOrderForm)] = [
    ("copal_case_insensitive", TextOrderForm(.caseInsensitive)),
    ("copal_alphabetical", TextOrderForm(.alphabetical)),
    ("copal_natural", TextOrderForm(.natural)),
  ]

  static func register(on handle: OpaquePointer) {
    for (position, form) in forms.enumerated() {
      sqlite3_create_function_v2(
        handle, form.name, 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        UnsafeMutableRawPointer(bitPattern: position + 1),
        { context, _, arguments in
          guard let context, let value = arguments?.pointee else { return }
          TextOrderFunction.run(context, value)
        }, nil, nil, nil)
    }
  }

  private static func run(_ context: OpaquePointer, _ value: OpaquePointer) {
    guard sqlite3_value_type(value) == SQLITE_TEXT else {
      return sqlite3_result_value(context, value)
    }
    let position = Int(bitPattern: sqlite3_user_data(context)) - 1
    let text = String(decoding: value.text, as: UTF8.self)
    forms[position].form.form(of: text).withUnsafeBytes {
      sqlite3_result_blob(
        context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), Statement.copied)
    }
  }
}
