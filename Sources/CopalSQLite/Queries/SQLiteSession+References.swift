import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  func brokenReferences() throws -> [BrokenReference] { try brokenReferences(atMost: .max) }

  /// The first broken references.
  func brokenReferences(atMost limit: Int) throws -> [BrokenReference] {
    // All statements must see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    let schema = store.schema
    var found: [BrokenReference] = []
    var room: Int { limit - found.count }
    for layout in schema.entities {
      for reference in layout.references where !reference.mayDangle && room > 0 {
        found += try brokenReferences(reference, layout, atMost: room)
      }
    }
    for (position, table) in schema.linkTables.enumerated() where room > 0 {
      // The other row of a symmetric link has this end as its other one.
      found += table.isSymmetric ? [] : try brokenLinks(position, at: .owner, atMost: room)
      found += try brokenLinks(position, at: .member, atMost: room)
    }
    return found
  }

  private func brokenReferences(
    _ reference: EntityLayout.Reference, _ layout: EntityLayout, atMost limit: Int
  ) throws -> [BrokenReference] {
    let name = store.schema.name(of: reference)
    let sql = CheckTranslator(SQLiteDialect()).missing(
      bySlot: reference.slot, of: table(layout.index).mapping,
      in: table(reference.destination).mapping)
    return try rows(sql, atMost: limit).map { key, other in
      BrokenReference(
        try other.map { try kind($0, reference.destination) } ?? .noKey, name,
        entity: layout.index, key: key ?? 0, other: other)
    }
  }

  private func brokenLinks(
    _ position: Int, at end: LinkTable.End, atMost limit: Int
  ) throws -> [BrokenReference] {
    let table = store.schema.linkTables[position]
    let sql = CheckTranslator(SQLiteDialect()).missing(
      end, of: links(position).mapping, in: self.table(table.entity(at: end)).mapping)
    return try rows(sql, atMost: limit).map { owner, member in
      let kind: BrokenReference.Kind =
        end == .owner ? .missingOwner : try member.map { try self.kind($0, table.member) } ?? .noKey
      return BrokenReference(
        kind, table.relationship, entity: table.owner, key: owner ?? 0, other: member)
    }
  }

  private func rows(_ sql: SQLStatement, atMost limit: Int) throws -> [(Int64?, Int64?)] {
    let statement = try connection.statement(sql.text)
    defer { statement.reset() }
    var found: [(Int64?, Int64?)] = []
    try FileSizeSignal.heldBack(failuresAreThrown: true) {
      while found.count < limit, try statement.step() {
        found.append((statement.integerOrNil(0), statement.integerOrNil(1)))
      }
    }
    return found
  }

  /// What is wrong with a key that no object of an entity has.
  private func kind(_ key: Int64, _ entity: Int) throws -> BrokenReference.Kind {
    let schema = store.schema
    let kinds = schema.kinds(of: entity)
    let others = schema.entities.filter { other in
      other.root == schema.entities[entity].root && !kinds.contains(other.index)
    }
    for other in others {
      let statement = try connection.statement(table(other.index).select.version().text)
      defer { statement.reset() }
      try statement.setPlaceholder(1, integer: key)
      if try statement.step() { return .wrongEntity(other.index) }
    }
    return .missingObject
  }
}
