import CopalEssentials
import CopalModel
import CopalStore

/// Takes what others have saved into a context.
///
/// It runs no statement for commits whose rows are known, looks up only the changed keys, and
/// replaces a row only by a newer one. So the same commit can be merged twice.
struct ContextMerge {
  let state: ContextState
  /// What has changed in the context.
  var result = MergedObjects()
  private var awaking: ContiguousArray<ManagedObject> = []
  /// The objects that keep their rows, because the same property has different values here and
  /// there.
  private var kept: Set<ObjectIdentifier> = []
  /// The entities of rows whose owners are not known.
  private var ownerless: Set<Int> = []
  /// The keys of deleted rows, by entity, while this context has deleted rows that it has not read.
  private var deletedKeys: [Int: Set<Int64>] = [:]
  /// Released last: a deinit may call anything.
  private var released: ContiguousArray<ManagedObject> = []

  init(_ state: ContextState) { self.state = state }

  /// Merges some commits in their order.
  ///
  /// - Parameter entities: those of which any object may have been changed in addition.
  mutating func merge(_ commits: some Collection<Commit>, _ entities: Set<Int>) {
    _ = state.noteMutations()
    state.storedChangeCount += 1
    // The program may have set back what was in conflict.
    let changes = NetChanges(
      commits, state.container.schema, after: state.outdated.newerRows)
    findConflicts(changes)
    // They may have what is not merged yet, so they are read again.
    for place in state.merging.ahead { state.unloadMembers(at: place) }
    for change in changes.rows { merge(change) }
    for (table, links) in changes.links { merge(links, of: table) }
    if state.events != nil { result.lists += changedLists(changes) }
    for (entity, keys) in deletedKeys { state.unreadDeletions.remove(keys, of: entity) }
    if !ownerless.isEmpty { state.unloadMembers(of: ownerless) }
    var written = WrittenObjects(of: entities, keys: nil)
    for commit in commits where !state.hasNoticed(commit) { written.formUnion(commit.written) }
    forget(written)
    end()
  }

  /// Reads the rows of some objects that the context has, by root, and merges them.
  mutating func merge(read keys: [Int: [Int64]], _ entities: Set<Int>, changesRows: Set<Int>) throws
  {
    _ = state.noteMutations()
    state.storedChangeCount += 1
    // All is read before anything changes.
    let found = try keys.map { root, keys in
      try read(keys.compactMap { state.maps[root].heldObject($0, &released) }, of: root)
    }
    for found in found { merge(found) }
    state.unloadMembers(of: changesRows)
    forget(WrittenObjects(of: entities, keys: nil))
    end()
  }

  private mutating func end() {
    // Unsaved references to objects that others have deleted lead to none, and so do those in rows
    // that stay because of a conflict.
    state.noteObservedReferences(
      to: result.deleted, of: state.changed.objects + state.outdated.objects)
    for object in awaking where object.flags.isDisjoint(with: [.fault, .gone, .missing]) {
      object.awakeFromFetch()
    }
    awaking = []
    released = []
  }

  /// For a save: what is to be released when the context is consistent.
  mutating func takeReleased() -> ContiguousArray<ManagedObject> {
    defer { released = [] }
    return released
  }

  /// For a save, which calls the hooks itself: the objects with newer values.
  mutating func takeAwaking() -> ContiguousArray<ManagedObject> {
    defer { awaking = [] }
    return awaking
  }

  // MARK: Conflicts

  /// Finds the objects that keep their rows. A save of the context finds the conflict, and its
  /// policy decides.
  private mutating func findConflicts(_ changes: NetChanges) {
    if state.changed.objects.isEmpty { return }
    for change in changes.rows {
      guard let (object, row) = renewed(by: change), object.flags.contains(.updated),
        object.changesDiffer(from: row, state.mergePolicy)
      else { continue }
      kept.insert(ObjectIdentifier(object))
    }
    if !kept.isEmpty { keepPartners(changes) }
  }

  /// If one object of a one-to-one pair keeps its row, so does the other.
  private mutating func keepPartners(_ changes: NetChanges) {
    var count = 0
    while kept.count > count {
      count = kept.count
      for change in changes.rows {
        guard let (object, row) = renewed(by: change), !kept.contains(ObjectIdentifier(object)),
          partners(of: object, row).contains(where: { kept.contains(ObjectIdentifier($0)) })
        else { continue }
        kept.insert(ObjectIdentifier(object))
      }
    }
  }

  /// The objects that a row would make the partners of an object, and those that would not be any
  /// more.
  private func partners(of object: ManagedObject, _ row: PackedRow) -> [ManagedObject] {
    object.runtime.relationships.flatMap { relationship -> [ManagedObject] in
      guard let slot = relationship.slot, case .slot = relationship.inverse else { return [] }
      let (old, new) = (object.storedReference(slot), row.integer(slot))
      if old == new { return [] }
      return [old, new].compactMap { $0 }.compactMap {
        state.object($0, of: relationship.destination)
      }
    }
  }

  /// The object that a change gives a newer row.
  private func renewed(by change: NetChanges.RowChange) -> (ManagedObject, PackedRow)? {
    guard let after = change.after, let object = state.maps[change.entity].object(change.key),
      let row = object.row, isNewer(after, than: row, change)
    else { return nil }
    return (object, after)
  }

  /// Whether a row is newer than that of an object. A foreign writer can lower a version; then the
  /// row counts if it follows that of the object.
  private func isNewer(_ after: PackedRow, than row: PackedRow, _ change: NetChanges.RowChange)
    -> Bool
  {
    if after.version == row.version { return false }
    return RowVersion.isNewer(after.version, than: row.version)
      || change.hadVersion(row.version)
  }

  // MARK: Rows

  mutating func merge(_ change: NetChanges.RowChange) {
    let count = released.count
    if change.after == nil, !state.unreadDeletions.isEmpty {
      deletedKeys[change.entity, default: []].insert(change.key)
    }
    guard let object = state.maps[change.entity].heldObject(change.key, &released) else {
      var change = change
      if released.count > count, let row = released[count].row { change.note(row) }
      return updateOwners(change)
    }
    if object.flags.contains(.fault) {
      updateOwners(change)
      if change.after == nil { return leave(object) }
      return object.forgetFailures()
    }
    guard let row = object.row else { return }
    if let after = change.after {
      if isNewer(after, than: row, change) { take(after, object) }
      return compare(object, change)
    }
    if row.version == change.deletedVersion
      || RowVersion.isNewer(change.deletedVersion, than: row.version)
    {
      lose(object)
      // Lists that were read before the row that the object has may still have it.
      object.flags.contains(.gone) ? updateOwners(change) : compare(object, change)
    }
  }

  /// Gives an object a newer row, below its changes.
  private mutating func take(_ row: PackedRow, _ object: ManagedObject) {
    if object.flags.contains(.deleted) || kept.contains(ObjectIdentifier(object)) {
      return state.outdated.note(object, .row(row))
    }
    let former = object.row
    state.outdated.remove(object)
    if object.flags.contains(.updated) {
      let owners = object.changedOwners(state)
      object.mergeRow(row)
      // Others may have moved it to the same owner.
      for owner in owners { owner.endChangeOfMembers(state) }
    } else {
      object.adoptRow(row)
    }
    if object.flags.contains(.missing) { return result.invalidated.append(object) }
    result.refreshed.append((object, former, row))
    if object.runtime.overridesHooks { awaking.append(object) }
  }

  /// Others have deleted an object.
  private mutating func lose(_ object: ManagedObject) {
    // A deletion is final on both sides, and so two deletions are one.
    if object.flags.contains(.updated), !object.flags.contains(.deleted) {
      state.outdated.note(object, .deleted)
      object.becomeMissing()
      return result.deleted.append(object)
    }
    leave(object)
  }

  private mutating func leave(_ object: ManagedObject) {
    state.outdated.remove(object)
    state.leave(object)
    result.deleted.append(object)
    released.append(object)
  }

  // MARK: Owners

  /// Updates the lists of the owners of an object that the context does not have, or has not read.
  private mutating func updateOwners(_ change: NetChanges.RowChange) {
    if state.relationships.isEmpty { return }
    if change.lacksFormer { ownerless.insert(change.entity) }
    let memberships = state.container.entities[change.entity].memberships
    for relationship in memberships {
      guard let slot = relationship.slot else { continue }
      let owner = change.after?.integer(slot)
      for former in change.formerKeys(slot) where former != owner {
        update(relationship, of: former) {
          $0.noteStored(change.key, isMember: false, position: nil)
        }
      }
      guard let owner else { continue }
      let position = relationship.positionSlot.flatMap { change.after?.integer($0) }
      update(relationship, of: owner) {
        $0.noteStored(
          change.key, isMember: true, position: position.map(MemberEntry.position(stored:)))
      }
    }
  }

  private func update(
    _ relationship: RelationshipRuntime, of owner: Int64, _ body: (inout KnownMembers) -> Void
  ) {
    guard let place = relationship.membersPlace(of: owner) else { return }
    state.relationships.changeKnown(place, body)
  }

  /// Compares an object that the context has with the lists of all owners that the change names:
  /// its row says to which one it belongs.
  private func compare(_ object: ManagedObject, _ change: NetChanges.RowChange) {
    if state.relationships.isEmpty { return }
    for relationship in object.runtime.memberships {
      guard let slot = relationship.slot else { continue }
      var owners = change.formerKeys(slot)
      if let after = change.after, after.entity == change.entity, let owner = after.integer(slot) {
        owners.insert(owner)
      }
      for owner in owners { state.updateMembers(with: object, relationship, of: owner) }
    }
  }

  // MARK: Links

  private func merge(_ changes: ContiguousArray<NetChanges.LinkChange>, of table: Int) {
    if state.relationships.isEmpty { return }
    let links = state.container.schema.linkTables[table]
    // The reversed row of a symmetric relationship has its list at the owner's end, too.
    let ends: [LinkTable.End] = links.isSymmetric ? [.owner] : [.owner, .member]
    for change in changes {
      let sides = links.rows(of: change.link).flatMap { row in
        ends.compactMap { LinkSide(state, row, at: $0, of: table) }
      }
      let isChangedHere = sides.contains { $0.isChanged }
      if sides.contains(where: { $0.isAhead }) {
        for side in sides { side.unload() }
      } else if change.isRemoved {
        let isAddedHere = sides.contains { $0.isAdded }
        for side in sides { side.noteRemoval(isAddedHere: isAddedHere) }
      } else {
        let isRemovedHere = sides.contains { $0.isRemoved }
        for side in sides { side.noteLink(isRemovedHere: isRemovedHere) }
      }
      // Others have done the same.
      if isChangedHere { for side in sides { side.endChange() } }
    }
  }

  // MARK: Objects whose rows are not known

  /// Makes the objects faults that were written. Of those with unsaved changes, the rows are read.
  private mutating func forget(_ written: WrittenObjects) {
    if written.isEmpty { return }
    var changed: [Int: [ManagedObject]] = [:]
    state.forgetStored(written) { changed[$0.runtime.root, default: []].append($0) }
    findDeleted(written)
    if written.unknown.isEmpty {
      for (root, keys) in written.keys {
        for key in keys {
          guard let object = state.maps[root].object(key), object.isFault else { continue }
          result.invalidated.append(object)
        }
      }
    } else {
      result.invalidatesAll = true
    }
    for (root, objects) in changed {
      do {
        merge(try read(objects, of: root))
      } catch {
        for object in objects { state.outdated.note(object, .unknown) }
      }
    }
  }

  /// Of the objects that are faults now, those leave the context that the store does not have any
  /// more. Listeners want to know which; without them, the next read of an object finds out.
  private mutating func findDeleted(_ written: WrittenObjects) {
    if state.events == nil { return }
    var faults: [Int: [Int64]] = [:]
    func note(_ object: ManagedObject) {
      guard object.isFault, object.flags.isDisjoint(with: [.gone, .missing]) else { return }
      faults[object.runtime.root, default: []].append(object.key)
    }
    for (root, keys) in written.keys {
      for key in keys { state.maps[root].object(key).map(note) }
    }
    if !written.unknown.isEmpty {
      state.sweep { if written.unknown.contains($0.runtime.index) { note($0) } }
    }
    for (root, keys) in faults {
      // What cannot be read is reported when it is used.
      guard let found = try? existingKeys(keys, of: root) else { continue }
      for key in keys where !found.contains(key) {
        state.maps[root].heldObject(key, &released).map { leave($0) }
      }
    }
  }

  /// The keys, of some, of which the store has rows.
  private func existingKeys(_ keys: [Int64], of root: Int) throws -> Set<Int64> {
    let former = state.begin(.merge, state.container.entities[root])
    defer { former?.end() }
    return try state.session.opened().existing(keys, of: root, count: Self.keyCount)
  }

  /// The number of keys that one statement looks up.
  private static let keyCount = 1000

  /// The number of rows that one statement reads.
  private static let readCount = 100

  /// The rows of some objects, read again.
  private struct ReadRows {
    let objects: [ManagedObject]
    let receiver: MergedRowReceiver
  }

  /// Reads the rows of some objects again.
  private func read(_ objects: [ManagedObject], of root: Int) throws -> ReadRows {
    let receiver = MergedRowReceiver()
    let former = state.begin(.merge, state.container.entities[root])
    defer { former?.end() }
    for part in objects.map(\.key).parts(of: Self.readCount) {
      try state.session.opened().fetchRows(part, entity: root, into: receiver)
    }
    return ReadRows(objects: objects, receiver: receiver)
  }

  private mutating func merge(_ read: ReadRows) {
    for object in read.objects {
      if let row = read.receiver.rows[object.key] {
        mergeRead(row, object)
      } else if read.receiver.failed.contains(object.key) {
        state.outdated.note(object, .unknown)
      } else if object.isFault {
        leave(object)
      } else {
        lose(object)
      }
    }
  }

  private mutating func mergeRead(_ row: PackedRow, _ object: ManagedObject) {
    if object.isFault { return object.forgetFailures() }
    guard let former = object.row, former.version != row.version else { return }
    if object.flags.contains(.updated), object.changesDiffer(from: row, state.mergePolicy) {
      kept.insert(ObjectIdentifier(object))
    }
    take(row, object)
  }
}

/// Collects rows by their keys.
final class MergedRowReceiver: RowReceiver {
  private(set) var rows: [Int64: PackedRow] = [:]
  private(set) var failed: Set<Int64> = []

  func wantsRow(key: Int64, version: Int64) -> Bool { true }
  func receive(key: Int64, row: consuming PackedRow) { rows[key] = row }
  func skip(key: Int64) {}
  func receive(key: Int64, failure: PersistenceError) { failed.insert(key) }
}

extension ManagedObject {
  /// Whether a slot has the position of the object in a list to which it was appended, and to which
  /// it belongs by a row.
  private final func isAppended(_ slot: Int, like newRow: PackedRow) -> Bool {
    runtime.memberships.contains { $0.positionSlot == slot && isAppended($0, like: newRow) }
  }

  /// Whether an unsaved change of a property has another value than a row in which others have
  /// changed the same property. A policy of the program is asked about equal values, too.
  ///
  /// A property is a group of slots that only make sense together: a reference and its position, a
  /// transformable and its version.
  final func changesDiffer(from newRow: PackedRow, _ policy: MergePolicy) -> Bool {
    guard let row, let cells, newRow.entity == runtime.index else { return false }
    var different: Set<Int> = []
    for slot in cells.isSet where runtime.layout.storedSlots.contains(slot) && differs(slot) {
      let group = runtime.propertySlots[slot]
      if policy.isCustom || cellDiffers(slot, from: newRow), !isAppended(slot, like: newRow) {
        different.insert(group)
      }
    }
    if different.isEmpty { return false }
    return runtime.layout.columns.contains { column in
      different.contains(runtime.propertySlots[column.slot])
        && !row.hasSameValues(as: newRow, in: [column])
    }
  }
}
