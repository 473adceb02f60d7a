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

  /// Writes the changes of the table. A link of a symmetric relationship has a row for each
  /// direction.
  func write(_ changes: LinkChanges) throws {
    for link in rows(changes.removed) { try run(removal, [link.owner, link.member]) }
    for link in rows(changes.added) {
      try run(addition, [link.owner, link.member] + positions(link))
    }
    if let movement {
      for link in rows(changes.moved) {
        try run(movement, positions(link) + [link.owner, link.member])
      }
    }
  }

  private func rows(_ links: [Link]) -> [Link] {
    self.links.isSymmetric ? links.flatMap { [$0, $0.reversed] } : links
  }

  private func positions(_ link: Link) -> [Int64?] {
    (links.isOrdered ? [link.position] : [])
      + (links.isInverseOrdered && !links.isSymmetric ? [link.inversePosition] : [])
  }

  /// Removes every link of deleted objects at an end.
  func removeAll(of deletes: [ChangeSet.Delete], at end: LinkTable.End) throws {
    let ends = links.isSymmetric ? [end, end.other] : [end]
    for sql in ends.map({ translator.removeAll(at: $0).text }) {
      for delete in deletes { try run(sql, [delete.key]) }
    }
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
