import CopalModel
import CopalStore

/// The two numbers in the header of a file that mark it as a store, the id of the application and
/// the format, and the encoding of its texts.
struct StoreHeader {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  /// The format that this version writes. A file with a greater number is refused.
  private static let format: Int64 = 1
  /// "Copl", which distinguishes a store from other databases.
  private static let applicationID: Int64 = 0x436f_706c

  /// Whether the file has the mark of a store.
  func isMarked() throws -> Bool {
    try connection.integer("PRAGMA application_id") == Self.applicationID
  }

  /// Whether the first bytes of a file have the mark, for a file that SQLite cannot read:
  /// <https://www.sqlite.org/fileformat.html#the_database_header>.
  static func isMarked(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: Array("SQLite format 3\0".utf8))
      && bytes.dropFirst(68).prefix(4).elementsEqual([0x43, 0x6f, 0x70, 0x6c])
  }

  /// Whether the file is empty.
  ///
  /// - Throws: `store.notACopalStore` when it has content of another program; `store.notUTF8`.
  func isFileEmpty() throws -> Bool {
    var id = try connection.integer("PRAGMA application_id") ?? 0
    var isUnused = true
    if id != Self.applicationID {
      // The tables are counted before the mark is read again: a store that another process creates
      // in between has its mark as soon as it has tables. Another program may have marked a
      // database by its version alone.
      isUnused = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0 == 0
      if try connection.integer("PRAGMA user_version") ?? 0 != 0 { isUnused = false }
      id = try connection.integer("PRAGMA application_id") ?? 0
    }
    guard id == Self.applicationID || (id == 0 && isUnused) else {
      throw PersistenceError(
        .notACopalStore, path: connection.path, found: "\(id)", expected: "\(Self.applicationID)")
    }
    try checkEncoding()
    return id == 0
  }

  /// SQLite compares texts in the encoding of the file, which is chosen before the first table is
  /// made, also for a database that has no tables any more.
  private func checkEncoding() throws {
    let encoding = try connection.text("PRAGMA encoding") ?? ""
    guard encoding == "UTF-8" else {
      throw PersistenceError(.notUTF8, path: connection.path, found: encoding)
    }
  }

  /// Checks that this version can read the format of the store.
  ///
  /// - Throws: `store.newerFormat`, `store.damagedMetadata`.
  func checkFormat() throws {
    let format = try connection.integer("PRAGMA user_version") ?? 0
    guard format <= Self.format else {
      throw PersistenceError(
        .newerFormat, path: connection.path, found: "\(format)", expected: "\(Self.format)")
    }
    guard format > 0 else {
      throw PersistenceError(
        .damagedMetadata, path: connection.path, found: "its store format is \(format)")
    }
  }

  /// Marks the file as a store. The mark comes last, so that a file with the mark is complete.
  func write() throws {
    // A pragma takes no placeholders.
    try connection.run("PRAGMA user_version=\(Self.format)")
    try connection.run("PRAGMA application_id=\(Self.applicationID)")
  }
}
