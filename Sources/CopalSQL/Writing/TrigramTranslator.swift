import CopalModel
import CopalStore

/// Makes the statements that keep the tables of trigrams.
///
/// A table of trigrams has the normalized texts of an attribute, by the keys of their rows. Copal's
/// own connections keep it with triggers that no other connection has, so each way to write a row
/// keeps it. Other programs do not: what they write is marked in the row, and the keys of the rows
/// that they delete, or give another key, are noted.
public struct TrigramTranslator {
  private let dialect: any SQLDialect

  /// A translator for a dialect.
  public init(_ dialect: any SQLDialect) { self.dialect = dialect }

  /// The statement that creates a table of trigrams.
  public func create(_ trigrams: TableMapping.Trigrams) -> SQLStatement {
    dialect.trigramTable(.identifier(trigrams.name)).statement(in: dialect)
  }

  /// The statement that removes a table of trigrams, if there is one.
  public func drop(_ name: String) -> SQLStatement {
    ("DROP TABLE IF EXISTS " + .identifier(name)).statement(in: dialect)
  }

  /// The statement that gives an empty table the texts of the rows with some keys.
  public func fill(
    _ trigrams: TableMapping.Trigrams, _ mapping: TableMapping, _ keys: ClosedRange<Int64>
  ) -> SQLStatement? {
    guard let isCurrent = mapping.isCurrent else { return nil }
    let column = SQLFragment.identifier(trigrams.column)
    let sql: SQLFragment =
      "INSERT INTO " + .identifier(trigrams.name) + " (" + dialect.trigramKey + ", text) SELECT "
      + mapping.key + ", " + dialect.trigramText(column) + " FROM " + mapping.table + " WHERE "
      + isCurrent + " AND "
      + column + " IS NOT NULL AND " + mapping.key + " BETWEEN "
      + .value(.integer(keys.lowerBound)) + " AND " + .value(.integer(keys.upperBound))
    return sql.statement(in: dialect)
  }

  /// The statements that create the triggers of a connection.
  public func triggers(_ mapping: TableMapping) -> [SQLStatement] {
    guard let stale = mapping.staleName else { return [] }
    return mapping.ownTrigrams.flatMap { trigrams in
      dialect.trigramTriggers(
        { .identifier(trigrams.name + " " + $0) }, keeping: .identifier(trigrams.name),
        like: .identifier(trigrams.column), of: mapping.table, key: mapping.key,
        mark: .identifier(stale)
      ).map { $0.statement(in: dialect) }
    }
  }

  /// A statement that uses a table of trigrams, and finds nothing.
  public func firstUse(_ trigrams: TableMapping.Trigrams) -> SQLStatement {
    ("SELECT 1 FROM " + .identifier(trigrams.name) + " LIMIT 0").statement(in: dialect)
  }

  /// The keys of the rows whose texts a table of trigrams does not have as it should.
  public func wrong(_ trigrams: TableMapping.Trigrams, _ mapping: TableMapping) -> SQLStatement? {
    guard let isCurrent = mapping.isCurrent else { return nil }
    let kept: SQLFragment =
      "(SELECT text FROM " + .identifier(trigrams.name) + " AS kept WHERE kept."
      + dialect.trigramKey + " = " + mapping.table + "." + mapping.key + ")"
    let wanted = dialect.trigramText(.identifier(trigrams.column))
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + isCurrent + " AND "
      + dialect.isDifferent(wanted, kept) + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  // MARK: Keys that other programs remove

  /// The statement that creates the table with the keys of rows that other programs delete, and
  /// with
  /// the former keys of those that get others.
  public func createGone(_ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "CREATE TABLE IF NOT EXISTS " + .identifier(mapping.goneName) + " (entity "
      + .dialectWord(dialect.columnType(.text)) + " NOT NULL, key "
      + .dialectWord(dialect.columnType(.integer)) + " NOT NULL)"
    return sql.statement(in: dialect)
  }

  /// The statement that removes that table.
  public func dropGone(_ mapping: TableMapping) -> SQLStatement { drop(mapping.goneName) }

  /// The statements that create the triggers of a table by which other programs note the keys that
  /// are those of no text any more, by the names of the triggers; none for a family without
  /// trigrams.
  public func goneTriggers(_ family: [TableMapping]) -> [String: SQLStatement] {
    guard let root = family.first, let stale = root.staleName,
      family.contains(where: { !$0.ownTrigrams.isEmpty })
    else { return [:] }
    let (name, gone) = (SQLFragment.literal(root.tableName), SQLFragment.identifier(root.goneName))
    let deletion = dialect.goneTrigger(
      .identifier(root.goneTriggerName), on: root.table, called: name, key: root.key, into: gone)
    let change = dialect.keyTrigger(
      .identifier(root.keyTriggerName), on: root.table, called: name, key: root.key, into: gone,
      marking: .identifier(stale))
    return [
      root.goneTriggerName: deletion.statement(in: dialect),
      root.keyTriggerName: change.statement(in: dialect),
    ]
  }

  /// A key that another program has removed: one row, or none.
  public func firstGone(_ mapping: TableMapping) -> SQLStatement {
    ("SELECT key FROM " + .identifier(mapping.goneName) + " LIMIT 1").statement(in: dialect)
  }

  /// The statements that remove the texts of such keys from the tables of trigrams, and the notes.
  public func removeGone(_ families: [[TableMapping]]) -> [SQLStatement] {
    guard let first = families.first?.first else { return [] }
    let removals = families.flatMap { family in
      family.flatMap(\.ownTrigrams).map { trigrams -> SQLStatement in
        let keys: SQLFragment =
          "SELECT key FROM " + .identifier(first.goneName) + " WHERE entity = "
          + .literal(family[0].tableName)
        return
          ("DELETE FROM " + .identifier(trigrams.name) + " WHERE " + dialect.trigramKey + " IN ("
          + keys + ")").statement(in: dialect)
      }
    }
    return removals + [("DELETE FROM " + .identifier(first.goneName)).statement(in: dialect)]
  }
}
