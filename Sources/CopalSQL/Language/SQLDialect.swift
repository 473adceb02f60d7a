/// The SQL that differs between databases. Each kind of database has one dialect.
public protocol SQLDialect: SchemaDialect, RowDialect, QueryDialect, MigrationDialect {
  /// A name in the dialect's quotes, those inside it escaped.
  func quote(_ name: String) -> String

  /// A text in the dialect's quotes, those inside it escaped.
  func quote(text: String) -> String

  /// The placeholder at a position, counted from 1.
  func placeholder(_ position: Int) -> String

  /// A condition that is always true or never.
  func truth(_ flag: Bool) -> SQLFragment

  /// A comparison for equality. Two nulls are equal; a null and a value are not.
  func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment

  /// A comparison for inequality. A null and a value differ; two nulls do not.
  func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment

  /// Derived columns and tables of trigrams. Nil for a database without them: no column is derived
  /// then, and a search reads the texts themselves. The naming of such a database has no
  /// ``StoreNaming/stale``.
  var search: (any SearchDialect)? { get }
}

extension SQLDialect {
  /// The text in single quotes, those inside it doubled, as the SQL standard has it.
  public func quote(text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
