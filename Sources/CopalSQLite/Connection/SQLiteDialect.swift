package import CopalModel
package import CopalSQL
package import CopalStore

/// The dialect of SQLite.
package struct SQLiteDialect: SQLDialect, SearchDialect {
  package init() {}

  package var search: (any SearchDialect)? { self }

  package func quote(_ name: String) -> String {
    // Almost no name has a quote, and searching is much cheaper than replacing.
    guard name.utf8.contains(UInt8(ascii: "\"")) else { return "\"\(name)\"" }
    return "\"" + name.replacing("\"", with: "\"\"") + "\""
  }

  /// Without a number: SQLite searches a list for numbered placeholders, which takes 12 seconds for
  /// 100,000.
  package func placeholder(_ position: Int) -> String { "?" }

  package func columnType(_ storage: StorageType) -> String { storage.rawValue.uppercased() }

  /// An alias of the rowid. Copal assigns the keys, so that no key is used twice.
  package var keyColumnType: String { "INTEGER PRIMARY KEY" }

  package func truth(_ flag: Bool) -> SQLFragment { flag ? "1" : "0" }

  /// OR FAIL: a failing statement does not undo its own inserts. The undo journal of a statement
  /// with several rows would cost more than the batch saves.
  package var insertInto: SQLFragment { "INSERT OR FAIL INTO " }

  /// The columns of Copal's tables have the collation BINARY.
  package func bytewise(_ expression: SQLFragment) -> SQLFragment { expression }

  /// Explicit: a COLLATE in any part of an expression holds for the comparison of the whole
  /// expression.
  package func bytewiseValue(_ expression: SQLFragment) -> SQLFragment {
    expression + " COLLATE BINARY"
  }

  /// SQLite sorts nulls before all values.
  package func sorted(_ expression: SQLFragment, isAscending: Bool) -> SQLFragment {
    isAscending ? expression : expression + " DESC"
  }

  package func decimalOrder(_ expression: SQLFragment) -> SQLFragment {
    expression + " COLLATE copal_decimal"
  }

  package func roundedToFloat(_ expression: SQLFragment) -> SQLFragment {
    "copal_float(" + expression + ")"
  }

  package func textOrder(_ order: FetchSortKey.TextOrder, _ expression: SQLFragment)
    -> SQLFragment
  {
    switch order {
    case .bytes: expression
    case .caseInsensitive: "copal_case_insensitive(" + expression + ")"
    case .alphabetical: "copal_alphabetical(" + expression + ")"
    case .natural: "copal_natural(" + expression + ")"
    }
  }

  package func textTest(
    _ test: FetchPredicate.TextTest, _ first: SQLFragment, _ second: SQLFragment
  ) -> SQLFragment {
    let function: SQLFragment =
      switch test {
      case .equal: "copal_equal("
      case .contains: "copal_contains("
      case .hasPrefix: "copal_has_prefix("
      case .hasSuffix: "copal_has_suffix("
      case .like: "copal_like("
      case .matches: "copal_matches("
      }
    return function + first + ", " + second + letters(of: test.options)
  }

  /// The last argument of a function of texts, and its end.
  private func letters(of options: FetchPredicate.TextOptions) -> SQLFragment {
    switch options {
    case []: ")"
    case .caseInsensitive: ", 'c')"
    case .diacriticInsensitive: ", 'd')"
    default: ", 'cd')"
    }
  }

  /// Doubles are calculated by SQLite: it has the same results, and NULL for a NaN and for a
  /// division by zero.
  package func call(
    _ function: FetchFunction, _ arguments: [(sql: SQLFragment, type: QueryValueType)]
  ) -> SQLFragment {
    let values = arguments.map(\.sql)
    let areDoubles = arguments.allSatisfy { $0.type == .double || $0.type == .date }
    switch function {
    case .ifNil: return "ifnull(" + values.joined(by: ", ") + ")"
    case .add where areDoubles: return "(" + values.joined(by: " + ") + ")"
    case .subtract where areDoubles: return "(" + values.joined(by: " - ") + ")"
    case .multiply where areDoubles: return "(" + values.joined(by: " * ") + ")"
    case .divide where areDoubles: return "(" + values.joined(by: " / ") + ")"
    case .negate where areDoubles: return "(-" + values.joined(by: "") + ")"
    case .absolute where areDoubles: return "abs(" + values.joined(by: "") + ")"
    case .toDouble where arguments.allSatisfy { $0.type == .integer }:
      return "CAST(" + values.joined(by: "") + " AS REAL)"
    case .toDate,
      .toDouble where areDoubles:
      return values.joined(by: "")
    default:
      let types = arguments.map { CalculationFunction.letter(of: $0.type) }.joined()
      return CalculationFunction.name(of: function) + "(" + .literal(types) + ", "
        + values.joined(by: ", ") + ")"
    }
  }

  package func run(_ steps: [CalculationProgram.Step], _ inputs: [SQLFragment]) -> SQLFragment {
    let text = SQLFragment.literal(ProgramFunction.text(of: steps))
    return "copal_calc_run(" + ([text] + inputs).joined(by: ", ") + ")"
  }

  package func aggregate(
    _ aggregate: FetchAggregate, _ value: SQLFragment, of type: QueryValueType, scale: Int?
  ) -> SQLFragment {
    let ordered =
      type == .decimal ? decimalOrder(value) : type == .string ? bytewiseValue(value) : value
    switch aggregate {
    case .count: return "count(" + value + ")"
    case .distinctCount:
      return "count(DISTINCT " + (type == .string ? bytewiseValue(value) : value) + ")"
    case .min: return "min(" + ordered + ")"
    case .max: return "max(" + ordered + ")"
    case .sum, .average:
      let name = AggregateFunction.name(of: aggregate, type)
      guard let scale else { return name + "(" + value + ")" }
      return name + "(" + value + ", " + .integer(Int64(scale)) + ")"
    }
  }

  package func decimalText(_ expression: SQLFragment, scale: Int) -> SQLFragment {
    "copal_calc_decimal_text(" + expression + ", " + .integer(Int64(scale)) + ")"
  }

  package func exactDecimal(_ expression: SQLFragment) -> SQLFragment {
    "copal_calc_exact_decimal(" + expression + ")"
  }

  /// A name is a TEXT in a column of BLOBs.
  package func isFileName(_ column: SQLFragment) -> SQLFragment? {
    "typeof(" + column + ") = 'text'"
  }

  /// See `UnreadableFunction`.
  package func unreadable(_ column: SQLFragment, _ slot: Int, of layout: EntityLayout)
    -> SQLFragment?
  {
    let isOptional = layout.columns.first { $0.slot == slot }?.isOptional ?? true
    let arguments = [
      Int(layout.storage(slot).sqliteClass), Int(ValueCheck(layout, slot).rawValue),
      isOptional ? 1 : 0,
    ]
    return UnreadableFunction.name + "("
      + ([column] + arguments.map { .number($0) }).joined(by: ", ") + ")"
  }

  /// See `ConversionFunction`.
  package func converted(_ value: SQLFragment, ofRow key: SQLFragment, conversion: Int)
    -> SQLFragment
  {
    "copal_convert(" + value + ", " + key + ", " + .integer(Int64(conversion)) + ")"
  }

  package var newUUID: SQLFragment { "copal_new_uuid()" }

  /// See `FoldingFunction`.
  package func folded(_ options: FetchPredicate.TextOptions, _ source: SQLFragment) -> SQLFragment {
    "copal_folded(" + source + letters(of: options)
  }

  package func endOfPrefix(_ options: FetchPredicate.TextOptions, _ prefix: SQLFragment)
    -> SQLFragment
  {
    "copal_folded_end(" + prefix + letters(of: options)
  }

  /// See `ProjectionFunction`.
  package func projected(
    _ projection: EntityLayout.Projection, _ source: SQLFragment, version: SQLFragment?
  ) -> SQLFragment {
    let place: SQLFragment = .number(projection.declaringEntity) + ", " + .number(projection.slot)
    return "copal_project(" + place + ", " + source + ", " + (version ?? "NULL") + ")"
  }

  package var updateExceptDuplicates: SQLFragment { "UPDATE OR IGNORE " }

  package func trigramQuery(_ test: FetchPredicate.TextTest, _ second: SQLFragment) -> SQLFragment {
    if case .like = test { return "copal_trigram_query(" + second + ", 'like')" }
    return "copal_trigram_query(" + second + ", '')"
  }

  /// FTS5 refuses NULL, and finds nothing for an empty phrase.
  package func isTooShort(trigramQuery: SQLFragment) -> SQLFragment {
    trigramQuery + " = '\"\"'"
  }

  package func trigramKeys(_ table: SQLFragment, _ query: SQLFragment) -> SQLFragment {
    "SELECT rowid FROM " + table + " WHERE " + table + " MATCH " + query
  }

  /// What a trigger does to mark its row.
  static func markRow(_ mark: SQLFragment, _ table: SQLFragment, _ key: SQLFragment)
    -> SQLFragment
  {
    "UPDATE " + table + " SET " + mark + " = 1 WHERE " + key + " = NEW." + key + "; "
  }

  /// https://www.sqlite.org/lang_createtrigger.html
  package func trigger(
    _ name: SQLFragment, afterUpdateOf columns: [SQLFragment], on table: SQLFragment,
    key: SQLFragment, marking mark: SQLFragment
  ) -> SQLFragment {
    "CREATE TRIGGER " + name + " AFTER UPDATE OF " + columns.joined(by: ", ") + " ON " + table
      + " BEGIN " + Self.markRow(mark, table, key) + "END"
  }

  package func isSame(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { a + " IS " + b }

  package func isDifferent(_ a: SQLFragment, _ b: SQLFragment) -> SQLFragment { a + " IS NOT " + b }

  package func sortedLast(_ key: SQLFragment) -> SQLFragment { "+" + key }

  package var notByIndex: SQLFragment { "+" }

  package func isUnlikely(_ condition: SQLFragment) -> SQLFragment { "unlikely(" + condition + ")" }

  package var withoutIndexes: SQLFragment { " NOT INDEXED" }

  package var keptByPrimaryKey: SQLFragment { " WITHOUT ROWID" }

  package func limit(hasLimit: Bool, hasOffset: Bool) -> SQLFragment {
    // OFFSET needs a LIMIT; -1 means no limit in SQLite.
    let limit: SQLFragment = " LIMIT " + .value(hasLimit ? .limit : .integer(-1), .integer)
    return hasOffset ? limit + " OFFSET " + .value(.offset, .integer) : limit
  }
}
