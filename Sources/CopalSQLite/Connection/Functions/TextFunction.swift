import CCopalSQLite
import CopalModel
import CopalStore

/// The SQL functions that test texts, for example `copal_contains("name", ?, 'cd')`.
///
/// The third argument has the letters of the options: `c` ignores case, `d` ignores diacritics. The
/// result is 0 for a value that is no text, and null for null.
///
/// Used only in queries, never in the schema, so that other tools can open and check a store.
enum TextFunction {
  /// The tests, each without options. The position of a test is what SQLite passes to the function.
  private static let tests: [(name: String, test: FetchPredicate.TextTest)] = [
    ("copal_equal", .equal([])), ("copal_contains", .contains([])),
    ("copal_has_prefix", .hasPrefix([])), ("copal_has_suffix", .hasSuffix([])),
    ("copal_like", .like([])), ("copal_matches", .matches),
  ]

  static func register(on handle: OpaquePointer) {
    for (position, test) in tests.enumerated() {
      sqlite3_create_function_v2(
        handle, test.name, -1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        UnsafeMutableRawPointer(bitPattern: position + 1),
        { context, count, arguments in
          guard let context, let arguments, count >= 2, let first = arguments[0],
            let second = arguments[1]
          else { return }
          TextFunction.run(context, first, second, options: count > 2 ? arguments[2] : nil)
        }, nil, nil, nil)
    }
  }

  private static func run(
    _ context: OpaquePointer, _ first: OpaquePointer, _ second: OpaquePointer,
    options: OpaquePointer?
  ) {
    let types = (sqlite3_value_type(first), sqlite3_value_type(second))
    // The result is null unless it is set.
    if types.0 == SQLITE_NULL || types.1 == SQLITE_NULL { return }
    // Without options, bytes are compared, whatever they are.
    guard types.0 == SQLITE_TEXT, types.1 == SQLITE_TEXT,
      options == nil || first.readableText != nil
    else { return sqlite3_result_int(context, 0) }
    guard let matcher = matcher(context, second, options) else {
      return sqlite3_result_error(context, "not a regular expression", -1)
    }
    sqlite3_result_int(context, matcher.matches(first.text) ? 1 : 0)
  }

  /// The matcher of the second text. SQLite keeps that of a constant for one run of the statement:
  /// https://www.sqlite.org/c3ref/get_auxdata.html
  private static func matcher(
    _ context: OpaquePointer, _ second: OpaquePointer, _ options: OpaquePointer?
  ) -> TextMatcher? {
    if let kept = sqlite3_get_auxdata(context, 1) {
      return Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue().matcher
    }
    let position = Int(bitPattern: sqlite3_user_data(context)) - 1
    let options = options.map { self.options($0.text) } ?? []
    guard
      let matcher = try? TextMatcher(
        tests[position].test.with(options), String(decoding: second.text, as: UTF8.self))
    else { return nil }
    sqlite3_set_auxdata(context, 1, Unmanaged.passRetained(Kept(matcher)).toOpaque()) {
      if let kept = $0 { Unmanaged<Kept>.fromOpaque(kept).release() }
    }
    return matcher
  }

  private final class Kept {
    let matcher: TextMatcher
    init(_ matcher: TextMatcher) { self.matcher = matcher }
  }

  static func options(_ letters: UnsafeBufferPointer<UInt8>) -> FetchPredicate.TextOptions {
    var options: FetchPredicate.TextOptions = []
    if letters.contains(UInt8(ascii: "c")) { options.insert(.caseInsensitive) }
    if letters.contains(UInt8(ascii: "d")) { options.insert(.diacriticInsensitive) }
    return options
  }
}

extension OpaquePointer {
  /// The text of an `sqlite3_value`, in UTF-8. Valid until the function returns.
  var text: UnsafeBufferPointer<UInt8> {
    // First the text, because it can be converted, then the number of its bytes.
    let start = sqlite3_value_text(self)
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_value_bytes(self)))
  }

  /// The same; nil for a value that cannot be read as a text: one of another storage class, or
  /// bytes that are not UTF-8.
  var readableText: UnsafeBufferPointer<UInt8>? {
    guard sqlite3_value_type(self) == SQLITE_TEXT, case let text = self.text,
      UTF8Bytes.areValid(UnsafeRawBufferPointer(text))
    else { return nil }
    return text
  }
}

extension FetchPredicate.TextTest {
  fileprivate func with(_ options: FetchPredicate.TextOptions) -> Self {
    switch self {
    case .equal: .equal(options)
    case .contains: .contains(options)
    case .hasPrefix: .hasPrefix(options)
    case .hasSuffix: .hasSuffix(options)
    case .like: .like(options)
    case .matches: .matches
    }
  }
}

/// The SQL functions that order texts, for example `ORDER BY copal_natural("name")`. The result is
/// a blob that is ordered by its bytes. The result is null for a value that cannot be read as a
/// text, as it is in memory.
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
    // The result is null unless it is set.
    guard let bytes = value.readableText else { return }
    let position = Int(bitPattern: sqlite3_user_data(context)) - 1
    let text = String(decoding: bytes, as: UTF8.self)
    forms[position].form.form(of: text).withUnsafeBytes {
      sqlite3_result_blob(
        context, $0.baseAddress, Int32(truncatingIfNeeded: $0.count), SQLiteBytes.copied)
    }
  }
}
