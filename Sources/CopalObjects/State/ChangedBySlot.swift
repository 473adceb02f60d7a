import CopalStore

/// The changed objects of one entity by what has changed, so that a fetch looks only at those whose
/// changes concern it.
struct ChangedBySlot {
  /// The objects that concern every fetch: new and deleted ones.
  private var always: ContiguousArray<ManagedObject> = []
  /// The number of those with a row.
  private var alwaysSaved = 0
  /// By slot, the saved objects with a change there. Some may have lost it.
  private var lists: [ContiguousArray<ManagedObject>] = []
  /// In which lists the saved objects are. `always` is the one after the last slot.
  private var known: [ObjectIdentifier: SlotSet] = [:]
  /// The number of objects of the entity's list that have been added.
  private var count = 0

  /// Adds the objects that are new since the last call, and notes the changes of those that were
  /// written.
  mutating func update(
    _ all: ContiguousArray<ManagedObject>, written: ContiguousArray<ManagedObject>
  ) {
    for object in all[count...] {
      if object.key > 0 { note(object) } else { always.append(object) }
    }
    count = all.count
    for object in written where object.key > 0 { note(object) }
  }

  private mutating func note(_ object: ManagedObject) {
    object.noteIndexed()
    let end = object.runtime.layout.slotCount
    while lists.count < end { lists.append([]) }
    var inLists = known[ObjectIdentifier(object)] ?? SlotSet(count: end + 1)
    if object.flags.contains(.deleted), !inLists.contains(end) {
      inLists.insert(end)
      always.append(object)
      alwaysSaved += 1
    }
    if let changed = object.cells?.isSet.subtracting(inLists) {
      for slot in changed {
        inLists.insert(slot)
        lists[slot].append(object)
      }
    }
    known[ObjectIdentifier(object)] = inLists
  }

  /// An upper bound for the number of objects whose changes concern a fetch, and of those with a
  /// row.
  func count(_ read: ReadSlots) -> (all: Int, saved: Int) {
    var changed = 0
    for slot in read.slots where slot < lists.count { changed += lists[slot].count }
    return (always.count + changed, alwaysSaved + changed)
  }

  /// The objects whose changes concern a fetch, each once. Some may have lost them.
  func objects(_ read: ReadSlots) -> ContiguousArray<ManagedObject> {
    var found = ContiguousArray(
      always.lazy.filter { !$0.flags.isDisjoint(with: [.inserted, .deleted]) })
    for slot in read.slots where slot < lists.count {
      for object in lists[slot] where object.flags.isDisjoint(with: [.inserted, .deleted]) {
        // An object with several of the slots comes from the list of its first one.
        if object.cells?.isSet.first(where: read.slots.contains) == slot { found.append(object) }
      }
    }
    return found
  }
}
