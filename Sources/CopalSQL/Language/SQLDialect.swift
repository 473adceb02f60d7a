public import CopalModel
public import CopalStore

/// The SQL that differs between databases. Each kind of database has one dialect.
public protocol SQLDialect: Sendable {
  /// A name in the dialect's quotes, those inside it escaped.
  func quote(_ name: String) -> String

  /// A text in the dialect's quotes, those inside it escaped.
  func quote(text: String) -> String

  /// The placeholder at a position, counted from 1.
  func placeholder(_ position: Int) -> String

  /// The type of one of Copal's own columns: keys, versions, positions, names, dates.
  func columnType(_ storage: StorageType) -> String

  /// The type of the column of an attribute. Default: that of its storage type, for a database that
  /// has no types of its own for integers of 16 bits, UUIDs and others.
  ///
  /// - Parameter storage: the storage type of the attribute's values.
  func columnType(of attribute: AttributeDescription, _ storage: StorageType) -> String

  /// The type of the key column, which is the primary key of the table.
  var keyColumnType: String { get }

  /// A condition that is always true or never.
  func truth(_ flag: Bool) -> SQLFragment

  /// The beginning of a statement that inserts rows, up to the name of the table. When it fails,
  /// the transaction is rolled back, so the statement need not undo what it has inserted itself.
  var insertInto: SQLFragment { get }

  /// An expression of texts, changed so that it compares and sorts by the bytes of UTF-8.
  func bytewise(_ expression: SQLFragment) -> SQLFragment

  /// A calculated text, changed so that it compares by the bytes of UTF-8 whatever its parts
  /// compare by. By default the same as ``bytewise(_:)``.
  func bytewiseValue(_ expression: SQLFragment) -> SQLFragment

  /// A key of an order. Nulls are before all values, and after them in a descending order.
  func sorted(_ expression: SQLFragment, isAscending: Bool) -> SQLFragment

  /// An expression of decimals that are stored as text, changed so that it compares and sorts by
  /// number.
  func decimalOrder(_ expression: SQLFragment) -> SQLFragment

  /// An expression of doubles, rounded to the nearest float.
  func roundedToFloat(_ expression: SQLFragment) -> SQLFragment

  /// An expression of texts, changed so that it sorts in an order other than that of its bytes.
  func textOrder(_ order: FetchSortKey.TextOrder, _ expression: SQLFragment) -> SQLFragment

  /// A test of two texts: true or false, and null where one of them is null.
  func textTest(
    _ test: FetchPredicate.TextTest, _ first: SQLFragment, _ second: SQLFragment
  ) -> SQLFragment

  /// The value of a function. The meaning is that of `ValueFunction` in CopalStore.
  ///
  /// - Parameter arguments: the arguments, each with its type. A decimal is a text in its canonical
  ///   form.
  func call(_ function: FetchFunction, _ arguments: [(sql: SQLFragment, type: QueryValueType)])
    -> SQLFragment

  /// The result of the steps of a calculation. The meaning is that of `CalculationProgram` in
  /// CopalStore.
  ///
  /// - Parameter inputs: what the steps read. A boolean is true, or false, or null, which is false.
  func run(_ steps: [CalculationProgram.Step], _ inputs: [SQLFragment]) -> SQLFragment

  /// An aggregate of the values of an expression. The meaning is that of `ValueAggregate` in
  /// CopalStore.
  ///
  /// - Parameters:
  ///   - type: the type of the values.
  ///   - scale: the scale of decimals that are integers; nil for others.
  func aggregate(
    _ aggregate: FetchAggregate, _ value: SQLFragment, of type: QueryValueType, scale: Int?
  ) -> SQLFragment

  /// An expression of decimals that are integers with a scale, as texts in their canonical form.
  func decimalText(_ expression: SQLFragment, scale: Int) -> SQLFragment

  /// An expression of doubles as the texts of their exact values, in the canonical form of
  /// decimals. A comparison of a double with a decimal compares such texts. An infinity is beyond
  /// all decimals.
  func exactDecimal(_ expression: SQLFragment) -> SQLFragment

  /// Whether a column of blobs has the name of a file instead of a value, for the attributes whose
  /// large values are in files. Nil, the default, for a database whose columns have one type: its
  /// stores keep every value in its row.
  func isFileName(_ column: SQLFragment) -> SQLFragment?

  /// Null, and 1 where a column has a value that cannot be read. Nil, the default, for a database
  /// whose columns have only values of their type.
  ///
  /// - Parameter slot: the slot of the column in the layout of an entity.
  func unreadable(_ column: SQLFragment, _ slot: Int, of layout: EntityLayout) -> SQLFragment?

  /// The form of a text that is compared without some differences; null for null, and for a value
  /// that is no text.
  func folded(_ options: FetchPredicate.TextOptions, _ source: SQLFragment) -> SQLFragment

  /// The end of the folded texts that begin with the folded form of a text: it is greater than all
  /// of them, and not greater than any other text that is greater.
  func endOfPrefix(_ options: FetchPredicate.TextOptions, _ prefix: SQLFragment) -> SQLFragment

  /// A projection of a stored form; null for null.
  ///
  /// - Parameter version: the version of the transformer that encoded it; nil where none is kept.
  func projected(
    _ projection: EntityLayout.Projection, _ source: SQLFragment, version: SQLFragment?
  ) -> SQLFragment

  /// The beginning of a statement that changes rows, up to the name of the table. It leaves each
  /// row as it is whose new values a unique index does not allow.
  var updateExceptDuplicates: SQLFragment { get }

  /// The statement that creates a table of trigrams: with the column `text`, and ``trigramKey``.
  func trigramTable(_ name: SQLFragment) -> SQLFragment

  /// The column of a table of trigrams with the key of a row.
  var trigramKey: SQLFragment { get }

  /// A text as a table of trigrams gets it; null for null.
  func trigramText(_ text: SQLFragment) -> SQLFragment

  /// What a table of trigrams is asked for a test: a text that all texts contain for which the test
  /// can be true. Where it is too short for the table, it is a question that finds nothing.
  func trigramQuery(_ test: FetchPredicate.TextTest, _ second: SQLFragment) -> SQLFragment

  /// Whether what a table of trigrams is asked is too short for it.
  func isTooShort(trigramQuery: SQLFragment) -> SQLFragment

  /// The keys of the rows of a table of trigrams whose texts contain what is asked for.
  func trigramKeys(_ table: SQLFragment, _ query: SQLFragment) -> SQLFragment

  /// The triggers of this connection alone that keep a table of trigrams like the column of its
  /// texts: for inserts, for changes, and for deletions.
  ///
  /// - Parameters:
  ///   - name: makes the name of a trigger from the word for its event.
  ///   - trigrams: the table of trigrams.
  ///   - column: the column with the texts.
  ///   - table: the table of the rows.
  ///   - key: the column with the key of a row.
  ///   - mark: the column with the mark of the rows whose column does not hold.
  func trigramTriggers(
    _ name: (String) -> SQLFragment, keeping trigrams: SQLFragment, like column: SQLFragment,
    of table: SQLFragment, key: SQLFragment, mark: SQLFragment
  ) -> [SQLFragment]

  /// The statement that creates a trigger: after a deletion it inserts the name of the table and
  /// the key of the row into another table. It uses no function of the program.
  func goneTrigger(
    _ name: SQLFragment, on table: SQLFragment, called tableName: SQLFragment, key: SQLFragment,
    into gone: SQLFragment
  ) -> SQLFragment

  /// The statement that creates a trigger: after a row has got another key, it inserts the name of
  /// the table and the old key into another table, and sets the mark of the row to 1. It uses no
  /// function of the program.
  func keyTrigger(
    _ name: SQLFragment, on table: SQLFragment, called tableName: SQLFragment, key: SQLFragment,
    into gone: SQLFragment, marking mark: SQLFragment
  ) -> SQLFragment

  /// The statement that creates a trigger: after a change of some columns it sets the mark of the
  /// row to 1. It uses no function of the program.
  ///
  /// - Parameters:
  ///   - columns: the columns.
  ///   - table: the table.
  ///   - key: the column with the key of a row.
  ///   - mark: the column with the mark.
  func trigger(
    _ name: SQLFragment, afterUpdateOf columns: [SQLFragment], on table: SQLFragment,
    key: SQLFragment, marking mark: SQLFragment
  ) -> SQLFragment

  /// A comparison for equality. Two nulls are equal; a null and a value are not.
  func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment

  /// A comparison for inequality. A null and a value differ; two nulls do not.
  func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment

  /// The key as a sort key by which the database does not read the table.
  func sortedLast(_ key: SQLFragment) -> SQLFragment

  /// A condition that holds for few rows, so that an index of it is worth its use.
  func isUnlikely(_ condition: SQLFragment) -> SQLFragment

  /// What stands before a column in a condition for which the database must not use an index.
  var notByIndex: SQLFragment { get }

  /// What follows a table's name so that the database reads it by its key.
  var withoutIndexes: SQLFragment { get }

  /// What follows the definition of a table whose rows are kept in the order of its primary key,
  /// without another key.
  var keptByPrimaryKey: SQLFragment { get }

  /// What a migration makes of a value of a row. The meaning of the conversions is that of
  /// `ColumnConversion`; the database calls a function of the program.
  ///
  /// - Parameters:
  ///   - key: the key of the row, for the error when the value has no new one.
  ///   - conversion: the position of the conversion in ``TableChanges/conversions``.
  func converted(_ value: SQLFragment, ofRow key: SQLFragment, conversion: Int) -> SQLFragment

  /// A new UUID for each row.
  var newUUID: SQLFragment { get }

  /// The clause for a part of a result, with a limit, an offset, or both. The values of its
  /// placeholders are `.limit` and `.offset`.
  func limit(hasLimit: Bool, hasOffset: Bool) -> SQLFragment
}

extension SQLDialect {
  /// The type of the storage type.
  public func columnType(of attribute: AttributeDescription, _ storage: StorageType) -> String {
    columnType(storage)
  }

  /// The same as for a column.
  public func bytewiseValue(_ expression: SQLFragment) -> SQLFragment { bytewise(expression) }

  /// Nil: every value is in its row.
  public func isFileName(_ column: SQLFragment) -> SQLFragment? { nil }

  /// Nil: every value can be read.
  public func unreadable(_ column: SQLFragment, _ slot: Int, of layout: EntityLayout)
    -> SQLFragment?
  { nil }

  /// Nothing: for databases with statistics.
  public var notByIndex: SQLFragment { "" }

  /// The condition itself: for databases with statistics.
  public func isUnlikely(_ condition: SQLFragment) -> SQLFragment { condition }

  /// The text in single quotes, those inside it doubled, as the SQL standard has it.
  public func quote(text: String) -> String { "'" + text.replacing("'", with: "''") + "'" }
}
