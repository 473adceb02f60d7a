import CCopalSQLite
import CopalEssentials
import CopalModel
import CopalStore

/// The SQL function that makes the value of a projection: `copal_project(1, 7, "color", NULL)`. The
/// first two arguments are the position of the entity and the slot of the projection, the third one
/// is the stored form of the attribute, the last one the version of the transformer that encoded
/// it.
///
/// The result is null for null, and for a form that cannot be decoded. It is an error in a program
/// without the transformers.
///
/// Used only in statements, never in the schema, so that other tools can write, check and change a
/// store.
enum ProjectionFunction {
  /// What a statement must contain so that it needs the function.
  static let prefix = "copal_project("

  static func register(_ schema: StoreSchema?, on handle: OpaquePointer) {
    sqlite3_create_function_v2(
      handle, "copal_project", 4, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_DIRECTONLY,
      Unmanaged.passRetained(Function(schema)).toOpaque(),
      { context, _, arguments in
        guard let context, let arguments, let entity = arguments[0], let slot = arguments[1],
          let source = arguments[2], let version = arguments[3],
          let function = sqlite3_user_data(context)
        else { return }
        Unmanaged<Function>.fromOpaque(function).takeUnretainedValue()
          .run(
            context, entity: Int(sqlite3_value_int(entity)), slot: Int(sqlite3_value_int(slot)),
            source, version)
      }, nil, nil,
      { if let function = $0 { Unmanaged<Function>.fromOpaque(function).release() } })
  }

  private final class Function {
    private let schema: StoreSchema?

    init(_ schema: StoreSchema?) { self.schema = schema }

    func run(
      _ context: OpaquePointer, entity: Int, slot: Int, _ source: OpaquePointer,
      _ version: OpaquePointer
    ) {
      // The result is null unless it is set.
      guard let stored = source.storedForm else { return }
      guard let schema, let projector = schema.projector, schema.entities.indices.contains(entity),
        let projection = schema.entities[entity].projection(ofSlot: slot)
      else {
        return sqlite3_result_error(
          context, "another program has written rows, whose projections need a transformer", -1)
      }
      let number =
        sqlite3_value_type(version) == SQLITE_INTEGER ? sqlite3_value_int64(version) : nil
      SQLiteValue.set(
        projector.value(projection, of: stored, version: number).orNullIfNaN, context)
    }
  }
}

extension OpaquePointer {
  /// The value of an `sqlite3_value` as a stored form; nil for NULL.
  fileprivate var storedForm: PropertyValue? {
    switch sqlite3_value_type(self) {
    case SQLITE_INTEGER: .integer(sqlite3_value_int64(self))
    case SQLITE_FLOAT: .double(sqlite3_value_double(self))
    case SQLITE_TEXT: .string(String(decoding: text, as: UTF8.self))
    case SQLITE_BLOB:
      .binary(
        Data(UnsafeRawBufferPointer(start: sqlite3_value_blob(self), count: byteCount)))
    default: nil
    }
  }

  private var byteCount: Int { Int(sqlite3_value_bytes(self)) }
}

extension Statement {
  /// Gives a placeholder the value of a projection of a row.
  func setProjection(_ position: Int32, _ placeholder: RowPlaceholder, _ row: UnsafeRawPointer)
    -> Int32
  {
    guard let schema = connection.schema else { return sqlite3_bind_null(handle, position) }
    let layout = schema.entities[Int(placeholder.entity)]
    switch schema.value(row, Int(placeholder.slot), of: layout) {
    case .integer(let number): return sqlite3_bind_int64(handle, position, number)
    case .boolean(let flag): return sqlite3_bind_int64(handle, position, flag ? 1 : 0)
    case .double(let number): return sqlite3_bind_double(handle, position, number + 0)
    case .date(let date): return sqlite3_bind_double(handle, position, date.storedSeconds)
    case .string(var text):
      return text.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { characters in
          guard let start = characters.baseAddress, !characters.isEmpty else {
            return sqlite3_bind_text(handle, position, "", 0, nil)
          }
          return sqlite3_bind_text64(
            handle, position, start, UInt64(characters.count), SQLiteBytes.copied,
            UInt8(SQLITE_UTF8))
        }
      }
    default: return sqlite3_bind_null(handle, position)
    }
  }
}
