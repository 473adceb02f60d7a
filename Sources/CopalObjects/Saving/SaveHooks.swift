import CopalModel
import CopalStore

/// The hooks before a save writes: `willSave()` of each object with changes, once, and then the
/// validation hook for its state. Objects that a hook changes are included.
struct SaveHooks {
  private let state: ContextState
  /// The objects whose hooks have been called. Not the list of changes, because a hook that rolls
  /// back empties it.
  private var marked: ContiguousArray<ManagedObject> = []
  private let roundLimit: Int
  /// The number of objects of the list of changes that were considered for each hook.
  private var notifiedCount = 0
  private var validatedCount = 0

  init(_ state: ContextState) {
    self.state = state
    // Each object's hooks are called once a save, so only hooks that keep inserting objects reach
    // this limit. A chain of objects that each change the next takes two rounds for each object:
    // one for `willSave()` and one for the validation hook.
    roundLimit = 2 * (1000 + state.registeredCount)
  }

  /// Calls the hooks of every object with changes that have not been called in this save.
  ///
  /// `willSave()` of all objects is called before the first validation hook. Then come the objects
  /// that hooks have changed, in the same order.
  ///
  /// - Throws: `save.endlessHooks` when the hooks keep changing further objects.
  mutating func call(_ validation: inout ObjectValidation) throws {
    for _ in 0..<roundLimit where marked.count <= 50 * roundLimit {
      // Newly changed objects are usually at the end of the list.
      if notify(waiting(.notified, &notifiedCount))
        || validate(waiting(.validated, &validatedCount), &validation)
      {
        continue
      }
      (notifiedCount, validatedCount) = (0, 0)
      if notify(waiting(.notified, &notifiedCount))
        || validate(waiting(.validated, &validatedCount), &validation)
      {
        continue
      }
      return
    }
    throw PersistenceError(.endlessHooks, found: "\(roundLimit)")
  }

  /// Ends the save: the next one calls the hooks again.
  func end() {
    for object in marked { object.forgetHooks() }
  }

  private func waiting(_ mark: ObjectFlags, _ count: inout Int) -> ContiguousArray<ManagedObject> {
    let objects = state.changed.objects
    let start = min(count, objects.count)
    count = objects.count
    // A hook that rolls back empties the list, and new objects take the places of those that were
    // considered. Their `willSave()` comes first all the same.
    let before: ObjectFlags = mark == .validated ? .notified : []
    return ContiguousArray(
      objects[start...].lazy.filter {
        $0.runtime.overridesHooks && $0.hasChanges && $0.flags.isDisjoint(with: mark)
          && $0.flags.isSuperset(of: before)
      })
  }

  private mutating func notify(_ objects: ContiguousArray<ManagedObject>) -> Bool {
    for object in objects where object.hasChanges {
      mark(object, .notified)
      object.willSave()
    }
    return !objects.isEmpty
  }

  private mutating func validate(
    _ objects: ContiguousArray<ManagedObject>, _ validation: inout ObjectValidation
  ) -> Bool {
    for object in objects where object.hasChanges {
      mark(object, .validated)
      validation.callHook(of: object)
    }
    return !objects.isEmpty
  }

  private mutating func mark(_ object: ManagedObject, _ mark: ObjectFlags) {
    object.noteHook(mark)
    marked.append(object)
  }
}
