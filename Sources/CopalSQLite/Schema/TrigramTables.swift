import CopalModel
import CopalSQL
import CopalStore

/// The tables of trigrams: the statements that make and keep them. They are tables of FTS5:
/// <https://www.sqlite.org/fts5.html#the_trigram_tokenizer>.
///
/// A table of trigrams has the normalized texts of an attribute, by the keys of their rows. Copal's
/// own connections keep it with triggers that no other connection has, so each way to write a row
/// keeps it. Other programs do not: what they write is marked in the row, and the keys of the rows
/// that they delete, or give another key, are noted.
enum TrigramTables {
  private static let dialect = SQLiteDialect()
  /// What follows the name of a table of FTS5 in the names of its own tables:
  /// https://www.sqlite.org/fts5.html#fts5_data_structures
  static let parts = ["data", "idx", "content", "docsize", "config"]

  /// The statement that creates a table of trigrams.
  static func create(_ trigrams: TableMapping.Trigrams) -> SQLStatement {
    // The texts are folded, so the tokenizer must not fold them once more.
    let sql: SQLFragment =
      "CREATE VIRTUAL TABLE " + .identifier(trigrams.name)
      + " USING fts5(text, tokenize='trigram case_sensitive 1')"
    return sql.statement(in: dialect)
  }

  /// The statement that removes a table of trigrams, if there is one.
  static func drop(_ name: String) -> SQLStatement {
    ("DROP TABLE IF EXISTS " + .identifier(name)).statement(in: dialect)
  }

  /// The statement that gives an empty table the texts of the rows with some keys.
  static func fill(
    _ trigrams: TableMapping.Trigrams, _ mapping: TableMapping, _ keys: ClosedRange<Int64>
  ) -> SQLStatement? {
    guard let isCurrent = mapping.isCurrent else { return nil }
    let column = SQLFragment.identifier(trigrams.column)
    let sql: SQLFragment =
      "INSERT INTO " + .identifier(trigrams.name) + " (rowid, text) SELECT "
      + mapping.key + ", " + text(column) + " FROM " + mapping.table + " WHERE "
      + isCurrent + " AND "
      + column + " IS NOT NULL AND " + mapping.key + " BETWEEN "
      + .integer(keys.lowerBound) + " AND " + .integer(keys.upperBound)
    return sql.statement(in: dialect)
  }

  /// A text as a table of trigrams gets it; null for null. See ``TrigramFunction``.
  private static func text(_ text: SQLFragment) -> SQLFragment {
    "copal_trigram_text(" + text + ")"
  }

  /// The statements that create the triggers of a connection: for inserts, for changes, and for
  /// deletions.
  ///
  /// Triggers of the connection run although those of the file do not:
  /// https://www.sqlite.org/c3ref/c_dbconfig_defensive.html#sqlitedbconfigenabletrigger
  static func triggers(_ mapping: TableMapping) -> [SQLStatement] {
    guard let stale = mapping.staleName else { return [] }
    return mapping.ownTrigrams.flatMap { triggers($0, mapping, .identifier(stale)) }
      .map { $0.statement(in: dialect) }
  }

  private static func triggers(
    _ trigrams: TableMapping.Trigrams, _ mapping: TableMapping, _ mark: SQLFragment
  ) -> [SQLFragment] {
    let (table, column) = (
      SQLFragment.identifier(trigrams.name), SQLFragment.identifier(trigrams.column)
    )
    func trigger(_ word: String, _ event: SQLFragment, _ condition: SQLFragment) -> SQLFragment {
      "CREATE TEMPORARY TRIGGER IF NOT EXISTS " + .identifier(trigrams.name + " " + word)
        + " AFTER " + event + " ON main." + mapping.table + condition + " BEGIN "
    }
    func remove(_ row: SQLFragment) -> SQLFragment {
      "DELETE FROM " + table + " WHERE rowid = " + row + mapping.key + "; "
    }
    let add: SQLFragment =
      "INSERT INTO " + table + " (rowid, text) SELECT NEW." + mapping.key + ", "
      + text("NEW." + column) + " WHERE NEW." + column + " IS NOT NULL; END"
    let isCurrent: SQLFragment = " WHEN NEW." + mark + " IS NULL"
    let isOther: SQLFragment =
      " AND (OLD." + mark + " IS NOT NULL OR OLD." + column + " IS NOT NEW." + column + ")"
    return [
      trigger("insert", "INSERT", isCurrent) + remove("NEW.") + add,
      trigger("update", "UPDATE OF " + column + ", " + mark, isCurrent + isOther) + remove("OLD.")
        + add,
      trigger("delete", "DELETE", "") + remove("OLD.") + "END",
    ]
  }

  /// A statement that uses a table of trigrams, and finds nothing.
  static func firstUse(_ trigrams: TableMapping.Trigrams) -> SQLStatement {
    ("SELECT 1 FROM " + .identifier(trigrams.name) + " LIMIT 0").statement(in: dialect)
  }

  /// The keys of the rows whose texts a table of trigrams does not have as it should.
  static func wrong(_ trigrams: TableMapping.Trigrams, _ mapping: TableMapping) -> SQLStatement? {
    guard let isCurrent = mapping.isCurrent else { return nil }
    let kept: SQLFragment =
      "(SELECT text FROM " + .identifier(trigrams.name) + " AS kept WHERE kept.rowid = "
      + mapping.table + "." + mapping.key + ")"
    let wanted = text(.identifier(trigrams.column))
    let sql: SQLFragment =
      "SELECT " + mapping.key + " FROM " + mapping.table + " WHERE " + isCurrent + " AND "
      + dialect.isDifferent(wanted, kept) + " ORDER BY " + mapping.key
    return sql.statement(in: dialect)
  }

  // MARK: Keys that other programs remove

  /// The statement that creates the table with the keys of rows that other programs delete, and
  /// with the former keys of those that get others.
  static func createGone(_ mapping: TableMapping) -> SQLStatement {
    let sql: SQLFragment =
      "CREATE TABLE IF NOT EXISTS " + .identifier(mapping.goneName)
      + " (entity TEXT NOT NULL, key INTEGER NOT NULL)"
    return sql.statement(in: dialect)
  }

  /// The statement that removes that table.
  static func dropGone(_ mapping: TableMapping) -> SQLStatement { drop(mapping.goneName) }

  /// The statements that create the triggers of a table by which other programs note the keys that
  /// are those of no text any more, by the names of the triggers; none for a family without
  /// trigrams.
  static func goneTriggers(_ family: [TableMapping]) -> [String: SQLStatement] {
    guard let root = family.first, let stale = root.staleName,
      family.contains(where: { !$0.ownTrigrams.isEmpty })
    else { return [:] }
    let noteKey: SQLFragment =
      "INSERT INTO " + .identifier(root.goneName) + " (entity, key) VALUES ("
      + .literal(root.tableName) + ", OLD." + root.key + "); "
    let deletion: SQLFragment =
      "CREATE TRIGGER " + .identifier(root.goneTriggerName) + " AFTER DELETE ON " + root.table
      + " BEGIN " + noteKey + "END"
    // A statement can give the key its other names. SQLite compares the list of a trigger with the
    // names in the statement.
    let change: SQLFragment =
      "CREATE TRIGGER " + .identifier(root.keyTriggerName) + " AFTER UPDATE OF " + root.key
      + ", rowid, oid, _rowid_ ON " + root.table + " WHEN "
      + dialect.isDifferent("NEW." + root.key, "OLD." + root.key) + " BEGIN " + noteKey
      + SQLiteDialect.markRow(.identifier(stale), root.table, root.key) + "END"
    return [
      root.goneTriggerName: deletion.statement(in: dialect),
      root.keyTriggerName: change.statement(in: dialect),
    ]
  }

  /// A key that another program has removed: one row, or none.
  static func firstGone(_ mapping: TableMapping) -> SQLStatement {
    ("SELECT key FROM " + .identifier(mapping.goneName) + " LIMIT 1").statement(in: dialect)
  }

  /// The statements that remove the texts of such keys from the tables of trigrams, and the notes.
  static func removeGone(_ families: [[TableMapping]]) -> [SQLStatement] {
    guard let first = families.first?.first else { return [] }
    let removals = families.flatMap { family in
      family.flatMap(\.ownTrigrams).map { trigrams -> SQLStatement in
        let keys: SQLFragment =
          "SELECT key FROM " + .identifier(first.goneName) + " WHERE entity = "
          + .literal(family[0].tableName)
        return
          ("DELETE FROM " + .identifier(trigrams.name) + " WHERE rowid IN ("
          + keys + ")").statement(in: dialect)
      }
    }
    return removals + [("DELETE FROM " + .identifier(first.goneName)).statement(in: dialect)]
  }
}
