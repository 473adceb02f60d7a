public import CopalModel

/// An order of the texts of an attribute in a typed query.
///
/// ```swift
/// try context.fetch(Pigment.self, sortedBy: \.name.natural.ascending, \.name.ascending)
/// ```
public struct QueryTextOrder: Sendable {
  let name: String
  let order: FetchSortKey.TextOrder

  /// Sorts by the attribute, the least value first. Nil comes before every value.
  public var ascending: FetchSortKey { key(isAscending: true) }
  /// Sorts by the attribute, the greatest value first. Nil comes after every value.
  public var descending: FetchSortKey { key(isAscending: false) }

  private func key(isAscending: Bool) -> FetchSortKey {
    var key = FetchSortKey(name, isAscending: isAscending)
    key.textOrder = order
    return key
  }
}

extension QueryAttribute where V == String {
  /// The order without case: "a" and "A" are equal. ``FetchSortKey/TextOrder`` describes the
  /// orders.
  public var caseInsensitive: QueryTextOrder {
    QueryTextOrder(name: _name, order: .caseInsensitive)
  }
  /// The order without case and diacritics: "a", "A" and "á" are equal.
  public var alphabetical: QueryTextOrder { QueryTextOrder(name: _name, order: .alphabetical) }
  /// The order without case and diacritics, and with numbers by their values: "file 2" before "file
  /// 10".
  public var natural: QueryTextOrder { QueryTextOrder(name: _name, order: .natural) }
}

extension RequiredQueryAttribute where V == String {
  /// The order without case: "a" and "A" are equal. ``FetchSortKey/TextOrder`` describes the
  /// orders.
  public var caseInsensitive: QueryTextOrder {
    QueryTextOrder(name: _name, order: .caseInsensitive)
  }
  /// The order without case and diacritics: "a", "A" and "á" are equal.
  public var alphabetical: QueryTextOrder { QueryTextOrder(name: _name, order: .alphabetical) }
  /// The order without case and diacritics, and with numbers by their values: "file 2" before "file
  /// 10".
  public var natural: QueryTextOrder { QueryTextOrder(name: _name, order: .natural) }
}
