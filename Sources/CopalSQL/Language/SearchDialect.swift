public import CopalModel
public import CopalStore

/// Derived columns, the mark of the rows where they do not hold, and tables of trigrams.
public protocol SearchDialect: Sendable {
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

  /// What a table of trigrams is asked for a test: a text that all texts contain for which the test
  /// can be true. Where it is too short for the table, it is a question that finds nothing.
  func trigramQuery(_ test: FetchPredicate.TextTest, _ second: SQLFragment) -> SQLFragment

  /// Whether what a table of trigrams is asked is too short for it.
  func isTooShort(trigramQuery: SQLFragment) -> SQLFragment

  /// The keys of the rows of a table of trigrams whose texts contain what is asked for.
  func trigramKeys(_ table: SQLFragment, _ query: SQLFragment) -> SQLFragment

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
}
