import CopalModel

/// References to objects that would not exist after the save.
extension ConflictSearch {
  /// Rows and links that refer to objects which are not stored, and deleted rows to which others
  /// still refer. Both are judged in the state that the save would produce.
  func referenceConflicts(of changes: ChangeSet) throws -> [CommitConflict] {
    if !schema.hasReferences { return [] }
    let keys = KeysAfterSave(changes, schema)
    var found: [CommitConflict] = []
    for change in changes.entities {
      found += try missingObjects(of: change, keys)
      found += try remainingReferences(to: change, keys)
      found += try remainingLinks(of: change, changes.links, keys)
    }
    for change in changes.links { found += try missingEnds(of: change, keys) }
    return found
  }

  // MARK: References in rows

  private func missingObjects(of change: ChangeSet.EntityChanges, _ keys: KeysAfterSave) throws
    -> [CommitConflict]
  {
    var found: [CommitConflict] = []
    for reference in schema.entities[change.entity].references where !reference.mayDangle {
      func check(_ key: Int64, _ row: PackedRow, version: Int64?) throws {
        guard let other = row.integer(reference.slot),
          try !exists(other, reference.destination, keys)
        else { return }
        found.append(
          CommitConflict(
            .missingObject(schema.name(of: reference)), entity: change.entity, key: key,
            version: version, other: other))
      }
      for update in change.updates where update.changed.contains(reference.slot) {
        try check(update.key, update.row, version: update.version)
      }
      for insert in change.inserts { try check(insert.key, insert.row, version: nil) }
    }
    return found
  }

  private func remainingReferences(to change: ChangeSet.EntityChanges, _ keys: KeysAfterSave) throws
    -> [CommitConflict]
  {
    var found: [CommitConflict] = []
    for referrer in schema.referrers[change.entity] where !referrer.reference.mayDangle {
      let layout = schema.entities[referrer.entity]
      for delete in change.deletes where !isBack(delete, change.entity, keys) {
        let others = try source.referrers(to: delete.key, referrer.reference, in: layout)
        let other = others.first { !keys.drops(referrer.reference.slot, of: $0, layout) }
        guard let other else { continue }
        found.append(
          CommitConflict(
            .stillReferenced(schema.name(of: referrer.reference)), entity: change.entity,
            key: delete.key, version: delete.version, other: other))
      }
    }
    return found
  }

  /// Whether the same change set inserts a row with the key of a deleted one.
  private func isBack(_ delete: ChangeSet.Delete, _ entity: Int, _ keys: KeysAfterSave) -> Bool {
    keys.exists(delete.key, schema.entities[entity]) == true
  }

  private func exists(_ key: Int64, _ entity: Int, _ keys: KeysAfterSave) throws -> Bool {
    // Databases check that the table has a row. Contexts refer to objects of the right entity only.
    let layout = schema.entities[schema.entities[entity].root]
    if let known = keys.exists(key, layout) { return known }
    do {
      return try source.row(key, of: layout) != nil
    } catch let error as PersistenceError where error.code == .typeMismatch {
      return true
    }
  }

  // MARK: Links

  private func missingEnds(of change: LinkChanges, _ keys: KeysAfterSave) throws -> [CommitConflict]
  {
    let table = schema.linkTables[change.table]
    var found: [CommitConflict] = []
    for link in change.added {
      for end in [LinkTable.End.owner, .member]
      where try !exists(link.key(at: end), table.entity(at: end), keys) {
        found.append(
          CommitConflict(
            .missingObject(table.relationship(at: end.other)), entity: table.entity(at: end.other),
            key: link.key(at: end.other), other: link.key(at: end)))
      }
    }
    return found
  }

  /// Links of deleted objects whose delete rule does not remove them.
  private func remainingLinks(
    of change: ChangeSet.EntityChanges, _ changes: [LinkChanges], _ keys: KeysAfterSave
  ) throws -> [CommitConflict] {
    if change.deletes.isEmpty { return [] }
    var found: [CommitConflict] = []
    for (position, end) in schema.linkEnds(ofEntity: change.entity) {
      let table = schema.linkTables[position]
      if table.deletesLinks(at: end) { continue }
      let removed = table.removed(in: changes, position)
      let otherLayout = schema.entities[table.entity(at: end.other)]
      for delete in change.deletes where !isBack(delete, change.entity, keys) {
        let others = try source.linked(to: delete.key, position, at: end)
        let remaining = others.first { other in
          let link =
            end == .owner
            ? Link(owner: delete.key, member: other) : Link(owner: other, member: delete.key)
          return !removed.contains(link)
            && !(table.deletesLinks(at: end.other) && keys.exists(other, otherLayout) == false)
        }
        guard let remaining else { continue }
        found.append(
          CommitConflict(
            .stillReferenced(table.relationship(at: end.other)), entity: change.entity,
            key: delete.key, version: delete.version, other: remaining))
      }
    }
    return found
  }
}

/// What a change set says of the existence of rows.
private struct KeysAfterSave {
  /// By position of the root.
  private var inserted: [Int: Set<Int64>] = [:]
  private var deleted: [Int: Set<Int64>] = [:]
  private var changed: [Int: [Int64: SlotSet]] = [:]

  init(_ changes: ChangeSet, _ schema: StoreSchema) {
    for change in changes.entities {
      let root = schema.entities[change.entity].root
      inserted[root, default: []].formUnion(change.inserts.lazy.map(\.key))
      deleted[root, default: []].formUnion(change.deletes.lazy.map(\.key))
      for update in change.updates { changed[root, default: [:]][update.key] = update.changed }
    }
  }

  /// Whether the object of a key exists after the save; nil when the change set does not say it.
  func exists(_ key: Int64, _ layout: EntityLayout) -> Bool? {
    if inserted[layout.root]?.contains(key) == true { return true }
    if key < 0 || deleted[layout.root]?.contains(key) == true { return false }
    return nil
  }

  /// Whether a stored row does not refer to the same object after the save.
  func drops(_ slot: Int, of key: Int64, _ layout: EntityLayout) -> Bool {
    deleted[layout.root]?.contains(key) == true
      || changed[layout.root]?[key]?.contains(slot) == true
  }
}

extension LinkTable {
  /// The links that a change set removes, without their positions, in both directions where a link
  /// has two rows.
  fileprivate func removed(in changes: [LinkChanges], _ position: Int) -> Set<Link> {
    let removed = changes.filter { $0.table == position }.flatMap(\.removed).map {
      Link(owner: $0.owner, member: $0.member)
    }
    return Set(isSymmetric ? removed + removed.map(\.reversed) : removed)
  }
}

extension StoreSchema {
  /// The tables of links that have objects of an entity, with the end at which these are.
  public func linkEnds(ofEntity index: Int) -> [(table: Int, end: LinkTable.End)] {
    let line = entities[index].ancestors + [index]
    return linkTables.enumerated().flatMap { position, table in
      // The links of a relationship that is its own inverse have a row for each direction.
      (table.isSymmetric ? [LinkTable.End.owner] : [.owner, .member])
        .filter { line.contains(table.entity(at: $0)) }.map { (position, $0) }
    }
  }
}
