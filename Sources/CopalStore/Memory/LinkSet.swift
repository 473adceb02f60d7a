import CopalEssentials

/// The links of a table in memory, for stores that keep their contents there. A value type.
///
/// A link of a symmetric relationship has an entry for each direction.
public struct LinkSet: Sendable {
  private var members: [Int64: [Int64: Int64?]] = [:]
  private var owners: [Int64: [Int64: Int64?]] = [:]

  /// No links.
  public init() {}

  /// The objects that are linked to an object at an end, in any order. Sorted, they are in the
  /// order of the relationship.
  public func linked(to key: Int64, at end: LinkTable.End) -> [RelatedKey] {
    let found = end == .owner ? members[key] : owners[key]
    return (found ?? [:]).map { RelatedKey(key: $0.key, position: $0.value) }
  }

  /// Every link, by owner and member, without positions.
  public var links: [Link] {
    members.inOrder { $0.key < $1.key }.flatMap { owner, members in
      members.keys.inOrder().map { Link(owner: owner, member: $0) }
    }
  }

  /// Writes the changes of the table. Their positions must be absolute.
  ///
  /// - Returns: what has really changed, for a ``CommitReceipt``.
  @discardableResult
  public mutating func apply(_ changes: LinkChanges, _ table: LinkTable) -> LinkChanges {
    var written = LinkChanges(table: changes.table)
    for link in changes.removed where contains(link) {
      for row in table.rows(of: link) { remove(row.owner, row.member) }
      written.removed.append(link)
    }
    for link in changes.added {
      let existed = contains(link)
      for row in table.rows(of: link) { set(row) }
      if !existed {
        written.added.append(link)
      } else if link.isPlaced {
        written.moved.append(link)
      }
    }
    for link in changes.moved where link.isPlaced && contains(link) {
      for row in table.rows(of: link) { set(row) }
      written.moved.append(link)
    }
    return written
  }

  private func contains(_ link: Link) -> Bool { members[link.owner]?[link.member] != nil }

  /// Removes every link of an object that is at an end of the table.
  ///
  /// - Returns: the links.
  @discardableResult
  public mutating func removeLinks(of key: Int64, at end: LinkTable.End, _ table: LinkTable)
    -> [Link]
  {
    let others = linked(to: key, at: end).map(\.key).inOrder()
    let links = others.map { table.link(of: key, at: end, to: $0) }
    for link in links { for row in table.rows(of: link) { remove(row.owner, row.member) } }
    return links
  }

  private mutating func remove(_ owner: Int64, _ member: Int64) {
    members[owner]?[member] = nil
    if members[owner]?.isEmpty == true { members[owner] = nil }
    owners[member]?[owner] = nil
    if owners[member]?.isEmpty == true { owners[member] = nil }
  }

  /// Adds a link, or changes the positions of one that exists.
  private mutating func set(_ link: Link) {
    let position = members[link.owner]?[link.member] ?? nil
    let inversePosition = owners[link.member]?[link.owner] ?? nil
    members[link.owner, default: [:]][link.member] = .some(link.position ?? position)
    owners[link.member, default: [:]][link.owner] = .some(link.inversePosition ?? inversePosition)
  }
}

/// The key of an object of a to-many relationship, with its position in the list. Such keys compare
/// in the order of the relationship: by position, those without one first, then by key.
public struct RelatedKey: Sendable, Hashable, Comparable {
  /// The key of the object.
  public var key: Int64
  /// The position; nil in an unordered relationship.
  public var position: Int64?

  /// A key with its position.
  public init(key: Int64, position: Int64?) {
    self.key = key
    self.position = position
  }

  /// Whether the first object comes before the second one.
  public static func < (a: Self, b: Self) -> Bool {
    (a.position ?? .min, a.key) < (b.position ?? .min, b.key)
  }
}
