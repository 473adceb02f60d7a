import CCopalSQLite
import CopalModel
import CopalStore

/// The SQL functions that make the values of derived columns, and what such columns are compared
/// with: `copal_folded("name", 'cd')`, and `copal_folded_end(?, 'cd')`, which is greater than every
/// text that begins with the folded form. The letters are those of ``TextFunction``.
///
/// The result is null for a value that cannot be read as a text. Used only in statements, never in
/// the schema, so that other tools can write, check and change a store.
enum FoldingFunction {
  /// What a statement must contain so that it needs one of the functions.
  static let prefix = "copal_folded"

  static func register(_ folding: VersionedFolding, on handle: OpaquePointer) {
    for (name, isEnd) in [("copal_folded", false), ("copal_folded_end", true)] {
      let function = Unmanaged.passRetained(Function(folding, isEnd: isEnd))
      sqlite3_create_function_v2(
        handle, name, 2, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
        function.toOpaque(),
        { context, _, arguments in
          guard let context, let arguments, let text = arguments[0], let letters = arguments[1],
            let function = sqlite3_user_data(context)
          else { return }
          Unmanaged<Function>.fromOpaque(function).takeUnretainedValue()
            .run(context, text, TextFunction.options(letters.text))
        }, nil, nil,
        { if let function = $0 { Unmanaged<Function>.fromOpaque(function).release() } })
    }
  }

  private final class Function {
    private let folding: VersionedFolding
    private let isEnd: Bool

    init(_ folding: VersionedFolding, isEnd: Bool) {
      self.folding = folding
      self.isEnd = isEnd
    }

    func run(
      _ context: OpaquePointer, _ value: OpaquePointer, _ options: FetchPredicate.TextOptions
    ) {
      // The result is null unless it is set.
      guard let text = value.readableText else { return }
      folding.withFolded(text, options) { folded in
        if isEnd { return Self.setEnd(folded, context) }
        if folded.baseAddress == text.baseAddress { return sqlite3_result_value(context, value) }
        Self.set(folded, context)
      }
    }

    private static func setEnd(_ folded: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer) {
      var end = Array(folded)
      // Almost always the last byte is a character of its own, and the next byte one as well.
      if let last = end.last, last < 0x7F {
        end[end.count - 1] = last + 1
        return set(end, context)
      }
      guard let end = String(decoding: end, as: UTF8.self).endOfPrefix else {
        // A blob is greater than all texts.
        return sqlite3_result_zeroblob(context, 0)
      }
      set(Array(end.utf8), context)
    }

    private static func set(_ text: [UInt8], _ context: OpaquePointer) {
      text.withUnsafeBufferPointer { set($0, context) }
    }

    private static func set(_ text: UnsafeBufferPointer<UInt8>, _ context: OpaquePointer) {
      text.withMemoryRebound(to: CChar.self) { characters in
        // An empty text has no address, and SQLite takes NULL for a missing address.
        guard let start = characters.baseAddress, !characters.isEmpty else {
          return sqlite3_result_text(context, "", 0, SQLiteBytes.copied)
        }
        sqlite3_result_text64(
          context, start, UInt64(characters.count), SQLiteBytes.copied, UInt8(SQLITE_UTF8))
      }
    }
  }
}
