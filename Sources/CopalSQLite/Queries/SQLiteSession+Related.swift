import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

extension SQLiteSession {
  func fetchRelated(_ query: RelatedQuery, into receiver: any RelatedReceiver) throws {
    let relationship = store.schema.relationships[query.entity][query.relationship]
    let reader = RelatedReader(
      session: self, query: query, relationship: relationship, receiver: receiver)
    let owners = query.owners.inOrder()
    if owners.count <= RelatedReader.greatestCount {
      try prepareToRead()
      return try reader.read(owners[...])
    }
    // Several statements must see one state of the store.
    try beginReadTransaction()
    defer { endReadTransaction() }
    try prepareToRead()
    var rest = owners[...]
    while !rest.isEmpty {
      try reader.read(rest.prefix(RelatedReader.greatestCount))
      rest = rest.dropFirst(RelatedReader.greatestCount)
    }
  }
}

/// Reads the objects of a to-many relationship.
private struct RelatedReader {
  let session: SQLiteSession
  let query: RelatedQuery
  let relationship: RelationshipLayout
  let receiver: any RelatedReceiver

  /// The numbers of keys per statement. Few sizes, so that each statement is prepared once. SQLite
  /// allows 32,766 placeholders: <https://www.sqlite.org/limits.html>.
  private static let counts = [1, 10, 100, 1000, 30_000]
  static let greatestCount = 30_000

  func read(_ owners: ArraySlice<Int64>) throws {
    guard let first = owners.first, let last = owners.last else { return }
    let table = session.table(relationship.destination)
    let isRange = first < last && zip(owners, owners.dropFirst()).allSatisfy { $0 &+ 1 == $1 }
    let count = Self.counts.first { $0 >= owners.count } ?? Self.greatestCount
    guard let sql = text(table, isRange ? .range : .keys(count: count)) else { return }
    let statement = try session.connection.statement(sql)
    defer { statement.reset() }
    try statement.setPlaceholders(keys: isRange ? [first, last] : owners, to: isRange ? 2 : count)
    try deliver(statement, table)
  }

  /// The text of the statement for some owners, translated at its first use.
  private func text(_ table: EntityTable, _ owners: RelatedTranslator.Owners) -> String? {
    let name = RelatedStatement(
      entity: query.entity, relationship: query.relationship, owners: owners,
      readsKeysOnly: query.wantsKeysOnly)
    if let known = session.relatedStatements[name] { return known }
    let made = sql(table, owners)?.text
    // A text with a place for each of very many owners would keep much memory.
    if owners != .keys(count: Self.greatestCount) { session.relatedStatements[name] = made }
    return made
  }

  private func sql(_ table: EntityTable, _ owners: RelatedTranslator.Owners) -> SQLStatement? {
    let translator = RelatedTranslator(table.mapping, SQLiteDialect())
    switch relationship.storage {
    case .slot: return nil
    case .inverseSlot(let slot, let position):
      return translator.related(
        bySlot: slot, position: position, of: owners, keysOnly: query.wantsKeysOnly)
    case .links(let links, let end):
      return translator.linked(
        session.links(links).mapping, from: end, of: owners, keysOnly: query.wantsKeysOnly)
    }
  }

  private func deliver(_ statement: Statement, _ table: EntityTable) throws {
    let (owner, position) = columns(statement, table)
    while try statement.step() {
      let key = try session.key(of: statement, table)
      receiver.beginRow(
        relatedTo: statement.integer(owner),
        position: position.flatMap { statement.integerOrNil($0) })
      guard let version = session.version(of: statement, 1) else {
        receiver.receive(key: key, failure: session.invalidVersion(statement, 1, of: key, table))
        continue
      }
      guard receiver.wantsRow(key: key, version: version), !query.wantsKeysOnly else {
        receiver.skip(key: key)
        continue
      }
      guard let family = table.familyReader else {
        receiver.receive(key: key, row: try table.reader.row(of: statement, version: version))
        continue
      }
      if let reader = family.reader(of: statement) {
        receiver.receive(key: key, row: try reader.row(of: statement, version: version))
      } else {
        receiver.receive(key: key, failure: try session.unknownEntity(statement, of: key, table))
      }
    }
  }

  /// The columns with the key of the owner, and with the position.
  private func columns(_ statement: Statement, _ table: EntityTable) -> (Int32, Int32?) {
    let first: Int32 = table.familyReader == nil ? 2 : FamilyRowReader.entityColumn + 1
    func column(_ slot: Int) -> Int32 {
      Int32(table.layout.columns.prefix { $0.slot != slot }.count) + first
    }
    if case .inverseSlot(let slot, let position) = relationship.storage, !query.wantsKeysOnly {
      return (column(slot), position.map(column))
    }
    // The last ones.
    let hasPosition = relationship.relationship.isOrdered
    return (
      statement.columnCount - (hasPosition ? 2 : 1), hasPosition ? statement.columnCount - 1 : nil
    )
  }
}
