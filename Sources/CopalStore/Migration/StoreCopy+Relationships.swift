import CopalModel

/// The copy of references and links, after all objects were copied.
extension StoreCopy {
  func copyReferences(of layout: EntityLayout) throws {
    guard let former = oldLayout(layout.index) else { return }
    let pairs = layout.references.compactMap { reference -> CopiedReference? in
      let name = layout.slots[reference.slot].propertyName
      guard let was = former.references.first(where: { former.slots[$0.slot].propertyName == name })
      else { return nil }
      return CopiedReference(old: was, new: reference)
    }
    if pairs.isEmpty { return }
    let changed = SlotSet(
      pairs.flatMap { [$0.new.slot] + ($0.new.positionSlot.map { [$0] } ?? []) },
      count: layout.slotCount)
    try forEachBatch(of: former) { batch in
      var wanted: [Int64: [PropertyValue]] = [:]
      for (key, row) in try rows(batch, of: former.index, in: source) {
        guard let newKey = keys[former.root]?[key] else { continue }
        var values = [PropertyValue](repeating: .null, count: layout.slotCount)
        var isEmpty = true
        for pair in pairs {
          guard let other = row.integer(pair.old.slot),
            let newOther = keys[pair.old.destinationRoot]?[other]
              ?? (pair.new.mayDangle ? other : nil)
          else { continue }
          isEmpty = false
          values[pair.new.slot] = .integer(newOther)
          if let slot = pair.new.positionSlot,
            let position = pair.old.positionSlot.flatMap(row.integer)
          {
            values[slot] = .integer(position)
          }
        }
        if !isEmpty { wanted[newKey] = values }
      }
      try update(wanted, changed, layout)
    }
  }

  private func update(
    _ wanted: [Int64: [PropertyValue]], _ changed: SlotSet, _ layout: EntityLayout
  ) throws {
    if wanted.isEmpty { return }
    var change = ChangeSet.EntityChanges(entity: layout.index)
    let keys = wanted.keys.sorted()
    for (key, before) in try rows(keys[...], of: layout.index, in: target) {
      guard let values = wanted[key] else { continue }
      guard
        let row = before.repacked(layout, with: values, changed: changed, version: before.version)
      else { throw PersistenceError(.tooBig, entity: layout.name) }
      change.updates.append(
        ChangeSet.Update(key: key, before: before, row: row, changed: changed))
    }
    _ = try commit(ChangeSet([change]))
  }

  func copyLinks(of table: Int) throws {
    let links = new.linkTables[table]
    for (name, end) in [(links.relationship, LinkTable.End.owner), (links.inverse, .member)] {
      // From the other end only the positions there.
      guard let name, end == .owner || links.isInverseOrdered,
        !(end == .member && links.isSymmetric)
      else { continue }
      try copyLinks(of: table, name, end)
    }
  }

  private func copyLinks(of table: Int, _ name: RelationshipName, _ end: LinkTable.End) throws {
    for index in new.kinds(of: name.entity) where mapping.mayHaveObjects(index) {
      guard let former = oldLayout(index),
        let position = old.relationships[former.index].firstIndex(where: {
          !$0.isHidden && $0.relationship.name == name.name
        })
      else { continue }
      let destination = old.entities[old.relationships[former.index][position].destination].root
      try forEachBatch(of: former) { batch in
        let receiver = CopiedLinks()
        try source.fetchRelated(
          RelatedQuery(
            entity: former.index, relationship: position, owners: Array(batch), wantsKeysOnly: true),
          into: receiver)
        if let failure = receiver.failure { throw failure }
        var change = LinkChanges(table: table)
        for link in receiver.links {
          guard let owner = keys[former.root]?[link.owner],
            let member = keys[destination]?[link.member]
          else { continue }
          let copy = Link(owner: owner, member: member, position: link.position)
          if end == .owner { change.added.append(copy) } else { change.moved.append(copy.reversed) }
        }
        _ = try commit(ChangeSet([], links: [change]))
      }
    }
  }
}

/// A to-one relationship in both models.
private struct CopiedReference {
  let old: EntityLayout.Reference
  let new: EntityLayout.Reference
}

/// Keeps the links of a batch.
private final class CopiedLinks: RelatedReceiver {
  var links: [Link] = []
  var failure: PersistenceError?
  private var owner: Int64 = 0
  private var position: Int64?

  func beginRow(relatedTo owner: Int64, position: Int64?) {
    self.owner = owner
    self.position = position
  }
  func wantsRow(key: Int64, version: Int64) -> Bool { false }
  func receive(key: Int64, row: consuming PackedRow) {}
  func skip(key: Int64) { links.append(Link(owner: owner, member: key, position: position)) }
  func receive(key: Int64, failure: PersistenceError) { self.failure = failure }
}
