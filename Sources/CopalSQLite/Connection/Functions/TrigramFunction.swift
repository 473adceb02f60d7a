import CCopalSQLite
import CopalModel
import CopalStore

/// The SQL functions of tables of trigrams: `copal_trigram_text("name")` is what such a table gets,
/// and `copal_trigram_query(?, 'like')` is what it is asked for a pattern; with `''` for a part of
/// a text.
///
/// The text is null for a value that is no text. The question is `""`, which finds nothing, for a
/// part that is too short. Used only in statements and in triggers of a connection, never in the
/// schema.
enum TrigramFunction {
  /// What a statement must contain so that it needs one of the functions.
  static let prefix = "copal_trigram"

  static func register(_ folding: VersionedFolding, on handle: OpaquePointer) {
    let flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY
    sqlite3_create_function_v2(
      handle, "copal_trigram_text", 1, flags, nil,
      { context, _, arguments in
        guard let context, let text = arguments?.pointee else { return }
        TrigramFunction.giveText(text, context)
      }, nil, nil, nil)
    let kept = Unmanaged.passRetained(Kept(folding)).toOpaque()
    sqlite3_create_function_v2(
      handle, "copal_trigram_query", 2, flags, kept,
      { context, _, arguments in
        guard let context, let text = arguments?[0], let kind = arguments?[1],
          let kept = sqlite3_user_data(context)
        else { return }
        let folding = Unmanaged<Kept>.fromOpaque(kept).takeUnretainedValue().folding
        TrigramFunction.giveQuery(text, isPattern: !kind.text.isEmpty, folding, context)
      }, nil, nil, { if let kept = $0 { Unmanaged<Kept>.fromOpaque(kept).release() } })
  }

  private final class Kept {
    let folding: VersionedFolding
    init(_ folding: VersionedFolding) { self.folding = folding }
  }

  private static func giveText(_ value: OpaquePointer, _ context: OpaquePointer) {
    guard sqlite3_value_type(value) == SQLITE_TEXT else { return }
    guard value.text.contains(0) else { return sqlite3_result_value(context, value) }
    set(SearchPart.withoutNUL(String(decoding: value.text, as: UTF8.self)), context)
  }

  /// The part in the quotes of FTS5: https://www.sqlite.org/fts5.html#fts5_strings
  private static func giveQuery(
    _ value: OpaquePointer, isPattern: Bool, _ folding: VersionedFolding, _ context: OpaquePointer
  ) {
    let text = String(decoding: value.text, as: UTF8.self)
    let part = isPattern ? SearchPart.ofPattern(text, folding) : SearchPart.of(text, folding)
    let quoted = SearchPart.withoutNUL(part ?? "").replacing("\"", with: "\"\"")
    set("\"\(quoted)\"", context)
  }

  private static func set(_ text: String, _ context: OpaquePointer) {
    sqlite3_result_text64(
      context, text, UInt64(text.utf8.count), SQLiteBytes.copied, UInt8(SQLITE_UTF8))
  }
}
