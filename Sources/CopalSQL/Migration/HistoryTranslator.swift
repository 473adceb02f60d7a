import CopalEssentials
import CopalModel
public import CopalStore

/// Makes the statements of Copal's own tables about migrations: `copal_migrations` has a row for
/// each model that the store has had, and `copal_ids` says what the ids of former entities mean.
public struct HistoryTranslator {
  private let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// A model that a store has had.
  public struct Entry: Sendable, Equatable {
    /// The number of the migration, from 1; the first is that of the model the store was made with.
    public var number: Int64
    /// The hash of the model's schema.
    public var hash: String
    /// The version of the model.
    public var version: Int
    /// When the store got the model, in seconds after the reference date.
    public var seconds: Double
    /// The version of Copal.
    public var writer: String
    /// What was changed, one line for each change.
    public var plan: String

    /// An entry with the given values.
    public init(
      number: Int64, hash: String, version: Int, seconds: Double, writer: String, plan: String
    ) {
      self.number = number
      self.hash = hash
      self.version = version
      self.seconds = seconds
      self.writer = writer
      self.plan = plan
    }
  }

  private let migrations: SQLFragment = .identifier("copal_migrations")
  private let ids: SQLFragment = .identifier("copal_ids")
  private static let columns: [SQLFragment] = [
    "number", "schemaHash", "version", "date", "writer", "plan",
  ]
  .map { .identifier($0) }
  private static let idColumns: [SQLFragment] = ["former", "last", "entity", "added"]
    .map { .identifier($0) }

  /// The statements that create the tables.
  public var creation: [SQLStatement] {
    let (integer, real, text) = (type(.integer), type(.real), type(.text))
    let columns = zip(Self.columns, [integer, text, integer, real, text, text])
      .map { $0 + $1 + " NOT NULL" }
    return [
      statement(
        "CREATE TABLE " + migrations + " (" + columns.joined(by: ", ") + ", PRIMARY KEY ("
          + Self.columns[0] + "))"), creationOfIDs,
    ]
  }

  private var creationOfIDs: SQLStatement {
    let (integer, text) = (type(.integer), type(.text))
    let columns = zip(
      Self.idColumns, [text + " NOT NULL", integer + " NOT NULL", text, integer + " NOT NULL"]
    ).map { $0 + $1 }
    return statement(
      "CREATE TABLE " + ids + " (" + columns.joined(by: ", ") + ", UNIQUE ("
        + Self.idColumns.joined(by: ", ") + "))")
  }

  private func type(_ storage: StorageType) -> SQLFragment {
    " " + .dialectWord(dialect.columnType(storage))
  }

  /// The models, in the order of their numbers.
  public var entries: SQLStatement {
    statement(
      "SELECT " + Self.columns.joined(by: ", ") + " FROM " + migrations + " ORDER BY "
        + Self.columns[0])
  }

  /// Adds a model.
  public func insert(_ entry: Entry) -> SQLStatement {
    let values: [SQLFragment] = [
      .integer(entry.number), .value(.text(entry.hash), .text), .integer(Int64(entry.version)),
      .value(.real(entry.seconds), .double), .value(.text(entry.writer), .text),
      .value(.text(entry.plan), .text),
    ]
    return insert(into: migrations, Self.columns, values)
  }

  /// The ids of former entities.
  public var formerIDs: SQLStatement {
    statement("SELECT " + Self.idColumns.joined(by: ", ") + " FROM " + ids)
  }

  /// Replaces the ids of former entities. The table is made again: that of an older version of
  /// Copal has one row for each former entity and last key.
  public func replace(with former: FormerIDs) -> [SQLStatement] {
    [statement("DROP TABLE " + ids), creationOfIDs]
      + former.entries.map { entry in
        insert(
          into: ids, Self.idColumns,
          [
            .value(.text(entry.former), .text), .integer(entry.last),
            .value(entry.entity.map { .text($0) } ?? .null, .text), .integer(entry.added),
          ])
      }
  }

  private func insert(
    into table: SQLFragment, _ columns: [SQLFragment], _ values: [SQLFragment]
  ) -> SQLStatement {
    statement(
      "INSERT INTO " + table + " (" + columns.joined(by: ", ") + ") VALUES ("
        + values.joined(by: ", ") + ")")
  }

  private func statement(_ sql: SQLFragment) -> SQLStatement { sql.statement(in: dialect) }
}
