import CopalModel
public import CopalStore

/// Makes the statements of queries for values.
extension SelectTranslator {
  /// The statement of a query for values. A row has the columns of the query.
  ///
  /// - Parameter stale: as for a query of rows.
  public func statement(_ query: ValueQuery, _ stale: StaleRows = .some) -> SQLStatement {
    var translator = ConditionTranslator(mapping, dialect, query.form, stale)
    let condition = condition(query.objects.shape(.count), nil, stale)
    translator.groups = (
      keys: query.keys.map(translator.sql),
      aggregates: query.aggregates.map { translator.aggregate($0.aggregate, $0.value) }
    )
    var columns = query.columns.map(translator.sql)
    if query.countsUnreadable {
      columns += query.values.map(translator.unreadable).map {
        query.isGrouped ? "count(" + $0 + ")" : $0
      }
    }
    var sql: SQLFragment = query.isDistinct ? "SELECT DISTINCT " : "SELECT "
    sql += columns.joined(by: ", ") + " FROM " + mapping.table + condition
    if query.isGrouped, !query.keys.isEmpty {
      sql += " GROUP BY " + query.keys.map(translator.grouped).joined(by: ", ")
    }
    if let having = query.having {
      sql +=
        (query.isGrouped ? " HAVING " : condition == "" ? " WHERE " : " AND ")
        + translator.sql(having)
    }
    let order = order(query, translator)
    if !order.isEmpty { sql += " ORDER BY " + order.joined(by: ", ") }
    if query.limit != nil || query.offset != 0 {
      sql += dialect.limit(hasLimit: query.limit != nil, hasOffset: query.offset != 0)
    }
    return sql.statement(in: dialect)
  }

  private func order(_ query: ValueQuery, _ translator: ConditionTranslator) -> [SQLFragment] {
    var order = query.order.flatMap { key in
      let value = translator.sql(key.value)
      let ordered =
        key.textOrder == .bytes
        ? translator.comparable(key.value, value, isOrder: true)
        : dialect.textOrder(key.textOrder, value)
      return self.order(
        value, by: ordered, key.textOrder, isAscending: key.isAscending,
        isNullFirst: key.isNullFirst)
    }
    if query.isGrouped || query.isDistinct {
      order += query.columns.map {
        dialect.sorted(
          translator.comparable($0, translator.sql($0), isOrder: true), isAscending: true)
      }
    } else {
      order.append(mapping.key)
    }
    return query.isGrouped && query.keys.isEmpty ? [] : order
  }
}

extension ConditionTranslator {
  /// A key of groups: the column itself, where its values are equal if those of the key are.
  fileprivate func grouped(_ key: QueryCalculation) -> SQLFragment {
    if case .slot(let slot) = key.operation, mapping.layout.attributes[slot].type != .float {
      return column(slot)
    }
    return comparable(key, sql(key), isOrder: false)
  }
}
