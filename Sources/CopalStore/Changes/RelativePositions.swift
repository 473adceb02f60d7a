import CopalModel

/// The list of one object in an ordered relationship.
public struct OrderedList: Sendable, Hashable {
  /// Where the relationship and its positions are kept.
  public var storage: RelationshipLayout.Storage
  /// The position in the schema of the entity whose objects are in the list. Where it has a to-one
  /// relationship to the owner, the entity that declares this relationship: a list can have objects
  /// of several subentities.
  public var entity: Int
  /// The key of the object that has the list.
  public var owner: Int64
}

/// Positions at the end of a list, which a context does not know: another context may have appended
/// objects.
extension ChangeSet {
  /// The same changes, with absolute positions in place of those that are relative to the end of a
  /// list.
  ///
  /// A store calls it in the transaction of the commit, after ``withReferences(to:in:)`` and before
  /// it writes the first row. Rows of entities without an ordered relationship are not looked at.
  ///
  /// - Parameters:
  ///   - schema: the schema of the store.
  ///   - greatestPosition: the greatest position that the store has in a list; nil for an empty
  ///     list. It is called once for each list to which something is appended.
  public func withPositions(
    in schema: StoreSchema, greatestPosition: (OrderedList) throws -> Int64?
  ) rethrows -> ChangeSet {
    var ends = ListEnds()
    forEachPosition(in: schema) { ends.note($1, in: $0, isRelative: $2) }
    if ends.isEmpty { return self }
    try ends.add(greatestPosition)
    var result = self
    for (place, change) in entities.enumerated() {
      let layout = schema.entities[change.entity]
      if layout.references.allSatisfy({ $0.positionSlot == nil }) { continue }
      for (index, insert) in change.inserts.enumerated() {
        if let row = ends.resolved(insert.row, layout) {
          result.entities[place].inserts[index].row = row
        }
      }
      for (index, update) in change.updates.enumerated() {
        if let row = ends.resolved(update.row, layout, changed: update.changed) {
          result.entities[place].updates[index].row = row
        }
      }
    }
    for (place, change) in links.enumerated() {
      let lists = LinkLists(change.table, schema)
      result.links[place].added = change.added.map { ends.resolved($0, lists) }
      result.links[place].moved = change.moved.map { ends.resolved($0, lists) }
    }
    return result
  }

  /// Every position of the rows and links that the change set writes.
  private func forEachPosition(
    in schema: StoreSchema, _ body: (OrderedList, Int64, _ isRelative: Bool) -> Void
  ) {
    for change in entities {
      let layout = schema.entities[change.entity]
      if layout.references.allSatisfy({ $0.positionSlot == nil }) { continue }
      func note(_ row: PackedRow, _ changed: SlotSet?) {
        row.forEachPosition(layout, changed) { list, _, position, isRelative in
          body(list, position, isRelative)
        }
      }
      for insert in change.inserts { note(insert.row, nil) }
      for update in change.updates { note(update.row, update.changed) }
    }
    for change in links {
      let lists = LinkLists(change.table, schema)
      func note(_ position: Int64?, _ link: Link, _ end: LinkTable.End) {
        guard let position else { return }
        body(lists.list(of: link, end), position, ListPosition.isRelative(position))
      }
      for link in [change.added, change.moved].joined() {
        note(link.position, link, .owner)
        note(link.inversePosition, link, .member)
      }
    }
  }
}

/// The greatest positions of the lists to which a change set appends.
private struct ListEnds {
  private var greatest: [OrderedList: Int64] = [:]
  private var extended: Set<OrderedList> = []

  var isEmpty: Bool { extended.isEmpty }

  mutating func note(_ position: Int64, in list: OrderedList, isRelative: Bool) {
    if isRelative {
      extended.insert(list)
    } else {
      greatest[list] = max(greatest[list] ?? 0, position)
    }
  }

  /// Adds the greatest positions of the store.
  mutating func add(_ stored: (OrderedList) throws -> Int64?) rethrows {
    for list in extended {
      greatest[list] = max(greatest[list] ?? 0, try stored(list) ?? 0)
    }
  }

  func absolute(_ position: Int64, in list: OrderedList) -> Int64 {
    guard ListPosition.isRelative(position) else { return position }
    let (sum, isTooGreat) = (greatest[list] ?? 0).addingReportingOverflow(
      position - ListPosition.end)
    return isTooGreat ? .max : sum
  }

  func resolved(_ link: Link, _ lists: LinkLists) -> Link {
    var new = link
    new.position = link.position.map { absolute($0, in: lists.list(of: link, .owner)) }
    new.inversePosition = link.inversePosition.map {
      absolute($0, in: lists.list(of: link, .member))
    }
    return new
  }

  /// A copy of a row with absolute positions; nil when it has no relative one.
  func resolved(_ row: PackedRow, _ layout: EntityLayout, changed: SlotSet? = nil) -> PackedRow? {
    var new: [Int: Int64] = [:]
    row.forEachPosition(layout, changed) { list, slot, position, isRelative in
      if isRelative { new[slot] = absolute(position, in: list) }
    }
    return row.replacing(new, layout)
  }
}

/// The lists of a table of links.
private struct LinkLists {
  private let table: Int
  private let links: LinkTable

  init(_ table: Int, _ schema: StoreSchema) {
    self.table = table
    links = schema.linkTables[table]
  }

  /// The list of the object at an end of a link. A symmetric table has a row for each direction, so
  /// both objects are owners there.
  func list(of link: Link, _ end: LinkTable.End) -> OrderedList {
    OrderedList(
      storage: .links(table, links.isSymmetric ? .owner : end), entity: links.entity(at: end.other),
      owner: link.key(at: end))
  }
}

extension PackedRow {
  /// Every position in the row, with its list and its slot.
  ///
  /// A position that an update does not change is never relative: it is a number that the store has
  /// given, and such a number can be as great as ``ListPosition/end``.
  ///
  /// - Parameter changed: the slots that are written; nil for all.
  fileprivate func forEachPosition(
    _ layout: EntityLayout, _ changed: SlotSet?,
    _ body: (OrderedList, _ slot: Int, _ position: Int64, _ isRelative: Bool) -> Void
  ) {
    withExtendedLifetime(self) {
      for reference in layout.references {
        guard let slot = reference.positionSlot, !PackedRowValues.isNull(base, slot),
          !PackedRowValues.isNull(base, reference.slot)
        else { continue }
        let list = OrderedList(
          storage: .inverseSlot(reference.slot, position: slot),
          entity: reference.declaringEntity,
          owner: PackedRowValues.integer(base, reference.slot))
        let position = PackedRowValues.integer(base, slot)
        let isWritten = changed?.contains(slot) ?? true
        body(list, slot, position, isWritten && ListPosition.isRelative(position))
      }
    }
  }

  /// A copy of the row with other integers in some slots; nil without any.
  package func replacing(_ integers: [Int: Int64], _ layout: EntityLayout) -> PackedRow? {
    if integers.isEmpty { return nil }
    var changed = SlotSet(count: layout.slotCount)
    var values = [PropertyValue](repeating: .null, count: layout.slotCount)
    for (slot, number) in integers {
      changed.insert(slot)
      values[slot] = .integer(number)
    }
    return repacked(layout, values, changed: changed, version: version)
  }
}
