import CopalStore

/// The hooks that come before a save writes: each object with changes is told once with `willSave()` and
/// asked once by the validation hook of its state, also those that a hook has only just changed.
struct SaveHooks {
  private let state: ContextState
  /// The objects that have been told or asked, not the list of changes: a hook that rolls back empties
  /// that.
  private var marked: ContiguousArray<ManagedObject> = []
  private let limit: Int
  /// How many objects of the list of changes have been looked at for each hook.
  private var toldCount = 0
  private var askedCount = 0

  init(_ state: ContextState) {
    self.state = state
    // Each object is told once, so that only hooks which insert ever new objects have no end.
    limit = 1000 + state.registeredCount
  }

  /// Calls the hooks of every object with changes that have not been called in this save.
  ///
  /// All objects are told before the first is asked. What hooks change is told and asked in turn.
  ///
  /// - Throws: `save.endlessHooks` when the hooks keep changing further objects.
  mutating func call(_ validation: inout ObjectValidation) throws {
    guard state.container.overridesHooks else { return }
    // A chain of objects, each of which changes the next, takes two turns an object: to tell and to ask.
    for _ in 0..<2 * limit where marked.count <= 100 * limit {
      // Objects that are changed now are at the end of the list, as a rule.
      if tell(waiting(.told, &toldCount)) || ask(waiting(.asked, &askedCount), &validation) {
        continue
      }
      (toldCount, askedCount) = (0, 0)
      if tell(waiting(.told, &toldCount)) || ask(waiting(.asked, &askedCount), &validation) {
        continue
      }
      return
    }
    throw PersistenceError(.endlessHooks, found: "\(limit)")
  }

  /// Ends the save: the next one calls the hooks again.
  func end() {
    for object in marked { object.flags.remove([.told, .asked]) }
  }

  private func waiting(_ mark: ObjectFlags, _ count: inout Int) -> ContiguousArray<ManagedObject> {
    let objects = state.changed.objects
    let start = min(count, objects.count)
    count = objects.count
    return ContiguousArray(
      objects[start...].lazy.filter {
        $0.runtime.overridesHooks && $0.hasChanges && $0.flags.isDisjoint(with: mark)
      })
  }

  private mutating func tell(_ objects: ContiguousArray<ManagedObject>) -> Bool {
    for object in objects where object.hasChanges {
      mark(object, .told)
      object.willSave()
    }
    return !objects.isEmpty
  }

  private mutating func ask(
    _ objects: ContiguousArray<ManagedObject>, _ validation: inout ObjectValidation
  ) -> Bool {
    for object in objects where object.hasChanges {
      mark(object, .asked)
      validation.ask(object)
    }
    return !objects.isEmpty
  }

  private mutating func mark(_ object: ManagedObject, _ mark: ObjectFlags) {
    object.flags.insert(mark)
    marked.append(object)
  }
}
