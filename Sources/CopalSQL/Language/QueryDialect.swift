public import CopalModel
public import CopalStore

/// Conditions, orders, calculations and parts of a result.
public protocol QueryDialect: Sendable {
  /// An expression of texts, changed so that it compares and sorts by the bytes of UTF-8.
  func bytewise(_ expression: SQLFragment) -> SQLFragment

  /// A calculated text, changed so that it compares by the bytes of UTF-8 whatever its parts
  /// compare by. By default the same as ``bytewise(_:)``.
  func bytewiseValue(_ expression: SQLFragment) -> SQLFragment

  /// A key of an order. Nulls are before all values, and after them in a descending order.
  func sorted(_ expression: SQLFragment, isAscending: Bool) -> SQLFragment

  /// A key of an order whose nulls are where ``sorted(_:isAscending:)`` does not have them. Nil,
  /// the default, for a database without words for it: another key before it says where they are.
  func sorted(_ expression: SQLFragment, isAscending: Bool, isNullFirst: Bool) -> SQLFragment?

  /// A selection in the FROM of another one. By default in parentheses; some databases want a name
  /// for it.
  func from(_ selection: SQLFragment) -> SQLFragment

  /// Whether a value that is not null is not in a selection of one column without nulls. By default
  /// `NOT IN`.
  func isNotIn(_ value: SQLFragment, selection: SQLFragment) -> SQLFragment

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

  /// Whether a list contains a value, or does not. The list is one value: ``PlaceholderType/list``.
  /// Nil, the default, for a database without such values: each value of a list has a placeholder
  /// then.
  func isIn(_ value: SQLFragment, _ list: SQLFragment, isNegated: Bool) -> SQLFragment?

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

  /// Null, and 1 where a column has a value that cannot be read. Nil, the default, for a database
  /// whose columns have only values of their type.
  ///
  /// - Parameter slot: the slot of the column in the layout of an entity.
  func unreadable(_ column: SQLFragment, _ slot: Int, of layout: EntityLayout) -> SQLFragment?

  /// The key as a sort key by which the database does not read the table.
  func sortedLast(_ key: SQLFragment) -> SQLFragment

  /// A condition that holds for few rows, so that an index of it is worth its use.
  func isUnlikely(_ condition: SQLFragment) -> SQLFragment

  /// What stands before a column in a condition for which the database must not use an index.
  var notByIndex: SQLFragment { get }

  /// What follows a table's name so that the database reads it by its key.
  var withoutIndexes: SQLFragment { get }

  /// The clause for a part of a result, with a limit, an offset, or both. The values of its
  /// placeholders are `.limit` and `.offset`.
  func limit(hasLimit: Bool, hasOffset: Bool) -> SQLFragment
}

extension QueryDialect {
  /// Nil: another key says where nulls are.
  public func sorted(_ expression: SQLFragment, isAscending: Bool, isNullFirst: Bool)
    -> SQLFragment?
  { nil }

  /// The selection in parentheses.
  public func from(_ selection: SQLFragment) -> SQLFragment { "(" + selection + ")" }

  /// `NOT IN` and the selection.
  public func isNotIn(_ value: SQLFragment, selection: SQLFragment) -> SQLFragment {
    value + " NOT IN (" + selection + ")"
  }

  /// The same as for a column.
  public func bytewiseValue(_ expression: SQLFragment) -> SQLFragment { bytewise(expression) }

  /// Nil: each value of a list has a placeholder.
  public func isIn(_ value: SQLFragment, _ list: SQLFragment, isNegated: Bool) -> SQLFragment? {
    nil
  }

  /// Nil: every value can be read.
  public func unreadable(_ column: SQLFragment, _ slot: Int, of layout: EntityLayout)
    -> SQLFragment?
  { nil }

  /// Nothing: for databases with statistics.
  public var notByIndex: SQLFragment { "" }

  /// The condition itself: for databases with statistics.
  public func isUnlikely(_ condition: SQLFragment) -> SQLFragment { condition }
}
