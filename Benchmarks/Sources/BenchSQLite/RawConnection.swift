import CBenchSQLite
public import Foundation

/// A connection of SQLite's own interface, with the settings of Copal's.
public final class RawConnection {
  public let database: OpaquePointer

  /// An error of SQLite, with its text.
  public struct Failure: Error {
    public let text: String
  }

  public init(_ file: URL) throws {
    var opened: OpaquePointer?
    guard sqlite3_open(file.path(percentEncoded: false), &opened) == SQLITE_OK, let opened else {
      throw Failure(text: "the file cannot be opened")
    }
    database = opened
    try run("PRAGMA journal_mode = WAL")
    try run("PRAGMA synchronous = FULL")
  }

  deinit { sqlite3_close(database) }

  /// The last error of this connection.
  public var failure: Failure { Failure(text: String(cString: sqlite3_errmsg(database))) }

  public func run(_ sql: String) throws {
    guard sqlite3_exec(database, sql, nil, nil, nil) == SQLITE_OK else { throw failure }
  }
}
