import CopalModel
import CopalSQL
import CopalStore

/// One table of links in a session.
final class LinkRows {
  let mapping: LinkMapping
  private let connection: Connection
  private let translator: LinkTranslator
  // Translated once; the connection keeps the prepared statements.
  private lazy var addition = translator.add().text
  private lazy var removal = translator.remove().text
  private lazy var movement = translator.move()?.text

  init(_ links: LinkTable, _ schema: StoreSchema, _ connection: Connection) {
    mapping = LinkMapping(links, in: schema)
    self.connection = connection
    translator = LinkTranslator(mapping, SQLiteDialect())
  }

  private var links: LinkTable { mapping.links }

  // MARK: Writing

  /// Writes the changes of the table.
  ///
  /// - Returns: what has really changed.
  func write(_ changes: LinkChanges) throws -> LinkChanges {
    var written = LinkChanges(table: changes.table)
    written.removed = try changes.removed.filter(remove)
    for link in changes.added {
      // A link that exists gets the positions that it is given.
      if try change(link, addition, values: { [$0.owner, $0.member] + positions($0) }) {
        written.added.append(link)
      } else if try move(link) {
        written.moved.append(link)
      }
    }
    written.moved += try changes.moved.filter(move)
    return written
  }

  private func remove(_ link: Link) throws -> Bool {
    try change(link, removal) { [$0.owner, $0.member] }
  }

  private func move(_ link: Link) throws -> Bool {
    guard let movement, link.isPlaced else { return false }
    return try change(link, movement) { positions($0) + [$0.owner, $0.member] }
  }

  /// Runs a statement for each row of a link.
  ///
  /// - Returns: whether it has changed any.
  private func change(_ link: Link, _ sql: String, values: (Link) -> [Int64?]) throws
    -> Bool
  {
    var isChanged = false
    for row in links.rows(of: link) {
      try run(sql, values(row))
      if connection.changes > 0 { isChanged = true }
    }
    return isChanged
  }

  private func positions(_ link: Link) -> [Int64?] {
    (links.isOrdered ? [link.position] : [])
      + (links.isInverseOrdered && !links.isSymmetric ? [link.inversePosition] : [])
  }

  /// Removes every link of deleted objects at an end.
  ///
  /// - Returns: the links.
  func removeAll(of deletes: [ChangeSet.Delete], at end: LinkTable.End) throws -> [Link] {
    let ends = links.isSymmetric ? [end, end.other] : [end]
    let sql = ends.map { translator.removeAll(at: $0).text }
    let search = translator.linked(at: end)
    var removed: [Link] = []
    for delete in deletes {
      // Most deleted objects have no link, and a search costs less than a removal.
      let others = try connection.integers(search, key: delete.key)
      if others.isEmpty { continue }
      for sql in sql { try run(sql, [delete.key]) }
      removed += others.map { links.link(of: delete.key, at: end, to: $0) }
    }
    return removed
  }

  private func run(_ sql: String, _ values: [Int64?]) throws {
    let statement = try connection.statement(sql)
    defer { statement.reset() }
    try statement.setPlaceholders(values)
    _ = try statement.step()
  }

  // MARK: Reading

  func greatestPosition(of key: Int64, from end: LinkTable.End) throws -> Int64? {
    try translator.greatestPosition(from: end).flatMap { try connection.greatest($0, key: key) }
  }

  func linked(to key: Int64, at end: LinkTable.End) throws -> [Int64] {
    try connection.integers(translator.linked(at: end), key: key)
  }
}

extension Connection {
  /// The only value of a query for the greatest position; nil when there is none.
  func greatest(_ sql: SQLStatement, key: Int64 = 0) throws -> Int64? {
    let statement = try statement(sql.text)
    defer { statement.reset() }
    try statement.setPlaceholders(sql.values, key: key)
    return try statement.step() ? statement.integerOrNil(0) : nil
  }
}
