import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// What a program keeps beside its objects, in a small table of the file. The first value makes the
/// table.
struct ProgramMetadata {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  static let table = "copal_programMetadata"

  // The column of the values has no type, so that each keeps its own.
  private static let create =
    "CREATE TABLE IF NOT EXISTS copal_programMetadata (name TEXT PRIMARY KEY NOT NULL, type TEXT NOT NULL, value)"

  /// Writes values, in the transaction of a commit; nil removes one.
  func write(_ changes: [String: MetadataValue?]) throws {
    if changes.isEmpty { return }
    try connection.run(Self.create)
    for (name, value) in changes.inOrder(by: { $0.key < $1.key }) {
      if let value { try set(name, value) } else { try remove(name) }
    }
  }

  /// The values: one of a name, or all of them.
  ///
  /// - Throws: `store.damagedMetadata` for a value that another program has written, and that is
  ///   none of its type.
  func values(_ name: String?) throws -> [String: MetadataValue] {
    guard try hasTable else { return [:] }
    let sql = "SELECT name, type, value FROM copal_programMetadata"
    let statement = try connection.statement(name == nil ? sql : sql + " WHERE name = ?1")
    defer { statement.reset() }
    if let name { try statement.setPlaceholders([.text(name)]) }
    var values: [String: MetadataValue] = [:]
    while try statement.step() {
      let found = statement.text(0) ?? ""
      guard let value = Self.value(statement) else {
        throw PersistenceError(
          .damagedMetadata, path: connection.path,
          found: "the value '\(found)' is no \(statement.text(1) ?? "value")")
      }
      values[found] = value
    }
    return values
  }

  private func set(_ name: String, _ value: MetadataValue) throws {
    let statement = try connection.statement(
      "INSERT INTO copal_programMetadata (name, type, value) VALUES (?1, ?2, ?3) ON CONFLICT (name) DO UPDATE SET type = excluded.type, value = excluded.value"
    )
    defer { statement.reset() }
    let (type, stored) = Self.stored(value)
    try statement.setPlaceholders([.text(name), .text(type), stored])
    _ = try statement.step()
  }

  private func remove(_ name: String) throws {
    let statement = try connection.statement("DELETE FROM copal_programMetadata WHERE name = ?1")
    defer { statement.reset() }
    try statement.setPlaceholders([.text(name)])
    _ = try statement.step()
  }

  private static func stored(_ value: MetadataValue) -> (type: String, PlaceholderValue) {
    switch value {
    case .string(let text): ("string", .text(text))
    case .integer(let number): ("integer", .integer(number))
    case .double(let number): ("double", .real(number))
    case .boolean(let flag): ("boolean", .integer(flag ? 1 : 0))
    case .date(let date): ("date", .real(date.timeIntervalSinceReferenceDate))
    case .data(let bytes): ("data", .blob(Array(bytes)))
    }
  }

  private static func value(_ statement: Statement) -> MetadataValue? {
    switch statement.text(1) {
    case "string": statement.text(2).map { .string($0) }
    case "integer": statement.integerOrNil(2).map { .integer($0) }
    // SQLite has NULL in place of NaN.
    case "double": .double(statement.isNull(2) ? .nan : statement.real(2))
    case "boolean": statement.integerOrNil(2).map { .boolean($0 != 0) }
    case "date": .date(Date(timeIntervalSinceReferenceDate: statement.real(2)))
    case "data": .data(statement.withBlob(2) { Data($0) })
    default: nil
    }
  }

  private var hasTable: Bool {
    get throws {
      try connection.integer(
        "SELECT count(*) FROM sqlite_schema WHERE name = 'copal_programMetadata'") ?? 0 > 0
    }
  }
}
