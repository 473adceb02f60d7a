import CopalEssentials

/// The changes of a table of links in a save.
///
/// A link has no version, so two contexts can change the links of one object at the same time.
/// Adding a link that exists, and removing one that does not, changes nothing.
public struct LinkChanges: Sendable {
  /// The position of the table in ``StoreSchema/linkTables``.
  public var table: Int
  /// The links to remove.
  public var removed: [Link] = []
  /// The links to add. One that exists gets the positions that are not nil.
  public var added: [Link] = []
  /// The links to move: an existing link gets the positions that are not nil. One that does not
  /// exist is not added.
  public var moved: [Link] = []

  /// No changes yet, for the table at a position in the schema.
  public init(table: Int) { self.table = table }
  /// Whether there is nothing to write.
  public var isEmpty: Bool { removed.isEmpty && added.isEmpty && moved.isEmpty }
}

/// A link between two objects of a many-to-many relationship, or of a one-way to-many relationship.
public struct Link: Sendable, Hashable {
  /// The key of the object at the owner's end: of a row, or the temporary key of a new object.
  public var owner: Int64
  /// The key of the object at the other end.
  public var member: Int64
  /// The position of the member in the list of the owner; nil in an unordered relationship. See
  /// ``ListPosition``.
  public var position: Int64?
  /// The position of the owner in the list of the member; nil where that is not ordered.
  public var inversePosition: Int64?

  /// A link with its positions.
  public init(
    owner: Int64, member: Int64, position: Int64? = nil, inversePosition: Int64? = nil
  ) {
    self.owner = owner
    self.member = member
    self.position = position
    self.inversePosition = inversePosition
  }

  /// The same link, seen from the other end.
  public var reversed: Link {
    Link(owner: member, member: owner, position: inversePosition, inversePosition: position)
  }

  /// The key at an end.
  public func key(at end: LinkTable.End) -> Int64 { end == .owner ? owner : member }

  /// Whether the link has a position at any end.
  public var isPlaced: Bool { position != nil || inversePosition != nil }
}

extension ChangeSet {
  /// Adds links that were removed with deleted rows, by table. A store calls it for the change set
  /// of its receipt.
  public mutating func noteRemoved(_ links: [Int: [Link]]) {
    for (table, links) in links.inOrder(by: { $0.key < $1.key }) where !links.isEmpty {
      if let position = self.links.firstIndex(where: { $0.table == table }) {
        self.links[position].removed += links
      } else {
        var changes = LinkChanges(table: table)
        changes.removed = links
        self.links.append(changes)
      }
    }
  }
}

extension LinkTable {
  /// The rows of a link: a link of a symmetric relationship has one for each direction.
  public func rows(of link: Link) -> [Link] {
    isSymmetric && link.owner != link.member ? [link, link.reversed] : [link]
  }

  /// The link of an object at an end, as a change set names it: that of a symmetric relationship
  /// from the object with the lower key.
  public func link(of key: Int64, at end: End, to other: Int64) -> Link {
    let link = end == .owner ? Link(owner: key, member: other) : Link(owner: other, member: key)
    return isSymmetric && link.owner > link.member ? link.reversed : link
  }
}

/// Positions in ordered relationships: sparse numbers, so that an object that moves gets a number
/// between those of its new neighbors, and no other row is written. Objects with equal positions
/// are in the order of their keys. A null comes first.
public enum ListPosition {
  /// The distance between neighbors in a new list.
  public static let step: Int64 = 1 << 20

  /// From here on, a position in a change set is relative to the end of the list: the store adds
  /// what is above this number to the greatest position that it has. So two contexts can append to
  /// one list at the same time.
  public static let end: Int64 = 1 << 62

  /// Whether a position in a change set is relative to the end of the list.
  public static func isRelative(_ position: Int64) -> Bool { position >= end }
}
