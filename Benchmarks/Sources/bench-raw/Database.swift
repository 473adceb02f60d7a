import CBenchSQLite
import Foundation

/// SQLite's C interface and nothing else: what a careful program without a framework would write.
final class Database {
  let handle: OpaquePointer

  /// Makes SQLite copy bound values.
  static let transient = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  init(_ file: String) throws {
    var opened: OpaquePointer?
    let flags =
      SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    guard sqlite3_open_v2(file, &opened, flags, nil) == SQLITE_OK, let opened else {
      throw Failure(message: "cannot open \(file)")
    }
    handle = opened
    sqlite3_busy_timeout(handle, 5000)
    try run("PRAGMA synchronous=NORMAL")
  }

  deinit { sqlite3_close_v2(handle) }

  func run(_ sql: String) throws { try check(sqlite3_exec(handle, sql, nil, nil, nil)) }

  func prepare(_ sql: String) throws -> OpaquePointer {
    var statement: OpaquePointer?
    try check(
      sqlite3_prepare_v3(handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil))
    guard let statement else { throw Failure(message: "no statement") }
    return statement
  }

  func check(_ code: Int32) throws {
    if code != SQLITE_OK && code != SQLITE_DONE && code != SQLITE_ROW {
      throw Failure(message: String(cString: sqlite3_errmsg(handle)))
    }
  }
}

struct Failure: Error { var message: String }

/// A row as a struct, with the key and the version that optimistic locking wants.
struct Item {
  var key: Int64
  var version: Int64
  var name: String
  var note: String?
  var count: Int64
  var ratio: Double
  var price: String
  var created: Double
  var flag: Bool
  /// As `Data`, which is what an app and the other programs have.
  var color: Data?

  static let columns =
    "copal_id, copal_version, name, note, count, ratio, price, created, flag, color"

  /// Reads the current row of a statement, and checks storage classes and nullability as Copal
  /// does.
  @inline(__always)
  init(_ statement: OpaquePointer) throws {
    key = sqlite3_column_int64(statement, 0)
    version = sqlite3_column_int64(statement, 1)
    guard sqlite3_column_type(statement, 2) == SQLITE_TEXT,
      sqlite3_column_type(statement, 4) == SQLITE_INTEGER,
      sqlite3_column_type(statement, 5) == SQLITE_FLOAT,
      sqlite3_column_type(statement, 6) == SQLITE_TEXT,
      sqlite3_column_type(statement, 7) == SQLITE_FLOAT,
      sqlite3_column_type(statement, 8) == SQLITE_INTEGER
    else { throw Failure(message: "a column holds what it should not") }
    name = Self.text(statement, 2)
    switch sqlite3_column_type(statement, 3) {
    case SQLITE_NULL: note = nil
    case SQLITE_TEXT: note = Self.text(statement, 3)
    default: throw Failure(message: "a column holds what it should not")
    }
    count = sqlite3_column_int64(statement, 4)
    ratio = sqlite3_column_double(statement, 5)
    price = Self.text(statement, 6)
    created = sqlite3_column_double(statement, 7)
    flag = sqlite3_column_int64(statement, 8) != 0
    switch sqlite3_column_type(statement, 9) {
    case SQLITE_NULL: color = nil
    case SQLITE_BLOB:
      let count = Int(sqlite3_column_bytes(statement, 9))
      color = sqlite3_column_blob(statement, 9).map { Data(bytes: $0, count: count) } ?? Data()
    default: throw Failure(message: "a column holds what it should not")
    }
  }

  @inline(__always)
  static func text(_ statement: OpaquePointer, _ column: Int32) -> String {
    let start = sqlite3_column_text(statement, column)
    let count = Int(sqlite3_column_bytes(statement, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
