import CopalModel
import CopalStore

/// The to-many relationships of a context: the members of those objects for which something is known.
struct RelationshipState {
  /// By position of the root, position of the relationship, and key of the owner.
  private var tables: [[[Int64: Members]]] = []
  /// Whether anything is known.
  private(set) var isEmpty = true

  subscript(root: Int, ordinal: Int, key: Int64) -> Members? {
    guard root < tables.count, ordinal < tables[root].count else { return nil }
    return tables[root][ordinal][key]
  }

  /// Changes what is known of the members of an object, in place.
  mutating func change(
    _ root: Int, _ ordinal: Int, _ key: Int64, _ body: (inout Members) -> Void
  ) {
    while root >= tables.count { tables.append([]) }
    while ordinal >= tables[root].count { tables[root].append([:]) }
    isEmpty = false
    body(&tables[root][ordinal][key, default: Members(isNew: key < 0)])
  }

  /// A new object has its permanent key.
  mutating func rename(_ root: Int, from temporary: Int64, to permanent: Int64) {
    guard !isEmpty, root < tables.count else { return }
    for ordinal in tables[root].indices {
      if let members = tables[root][ordinal].removeValue(forKey: temporary) {
        tables[root][ordinal][permanent] = members
      }
    }
  }

  /// Forgets the members of the objects that the context has released, except for changes.
  mutating func sweep(_ isKept: (_ root: Int, _ key: Int64) -> Bool) {
    if isEmpty { return }
    isEmpty = true
    for root in tables.indices {
      for ordinal in tables[root].indices {
        tables[root][ordinal] = tables[root][ordinal].filter { key, members in
          members.hasChanges || isKept(root, key)
        }
        if !tables[root][ordinal].isEmpty { isEmpty = false }
      }
    }
  }

  /// Forgets the stored members of an object, so that the next access reads them.
  mutating func unload(_ root: Int, _ ordinal: Int, _ key: Int64) {
    guard root < tables.count, ordinal < tables[root].count else { return }
    tables[root][ordinal][key]?.unload()
  }

  mutating func removeAll() { self = RelationshipState() }
}
