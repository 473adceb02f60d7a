import CCopalSQLite
public import Foundation

/// A SQLite file, as SQLite's own checks see it, without any code of a store.
public struct StoreFile: Sendable {
  /// The checks of SQLite.
  public enum Check: String, CaseIterable, Sendable {
    /// The pages, the indexes, and the constraints of tables.
    case integrity = "PRAGMA integrity_check"
    /// The rows that refer to rows that do not exist.
    case references = "PRAGMA foreign_key_check"
  }

  public let url: URL

  public init(_ url: URL) { self.url = url }

  /// The databases in a folder and its subfolders: the files that begin as SQLite's files begin.
  ///
  /// Logs are not databases; SQLite reads them with their database. Other files are those of tests
  /// that put something else in the place of a store: an empty file, a text, a program. They have
  /// nothing to check.
  public static func all(in folder: URL) -> [StoreFile] {
    let files = FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? []).filter { file in
      guard let handle = try? FileHandle(forReadingFrom: file) else { return false }
      defer { try? handle.close() }
      return (try? handle.read(upToCount: 16)) == Data("SQLite format 3\0".utf8)
    }.map(StoreFile.init)
  }

  /// What a check finds, each with the name of the file. A failure of the check is a problem, also
  /// when the file is locked: a store that is open does not lock the file against readers.
  ///
  /// - Parameter isImmutable: whether the file is read without its log, and without a change of
  ///   anything in its folder.
  public func problems(_ check: Check, isImmutable: Bool = false) -> [String] {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    var problems: [String] = []
    var result =
      isImmutable
      ? sqlite3_open_v2(
        "\(url.absoluteString)?immutable=1", &database, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, nil)
      : sqlite3_open_v2(url.path(percentEncoded: false), &database, SQLITE_OPEN_READWRITE, nil)
    if result == SQLITE_OK {
      // The file goes after the check: closing it must not wait for the disk.
      sqlite3_exec(database, "PRAGMA synchronous=OFF", nil, nil, nil)
      sqlite3_busy_timeout(database, 5000)
      var statement: OpaquePointer?
      defer { sqlite3_finalize(statement) }
      result = sqlite3_prepare_v2(database, check.rawValue, -1, &statement, nil)
      if result == SQLITE_OK {
        result = sqlite3_step(statement)
        while result == SQLITE_ROW {
          let row = text(of: statement)
          if row != "ok" { problems.append(problem(check, row)) }
          result = sqlite3_step(statement)
        }
      }
    }
    if result != SQLITE_OK, result != SQLITE_DONE {
      problems.append(problem(check, String(cString: sqlite3_errmsg(database))))
    }
    return problems
  }

  private func problem(_ check: Check, _ row: String) -> String {
    "\(url.lastPathComponent): \(check.rawValue): \(row)"
  }

  /// The columns of a row. Those of a broken reference are the table, the row, the table that it
  /// refers to, and the number of the reference.
  private func text(of statement: OpaquePointer?) -> String {
    (0..<sqlite3_column_count(statement)).map { column in
      sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
    }.joined(separator: "|")
  }
}
