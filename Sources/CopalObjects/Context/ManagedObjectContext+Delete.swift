import CopalModel
import CopalStore

extension ManagedObjectContext {
  /// Marks an object as deleted. The next save deletes its row. A new object, which has no row,
  /// leaves the context at once.
  ///
  /// `prepareForDeletion()` is called first. Then the delete rules of the object's relationships
  /// apply: `cascade` deletes the related objects, `nullify` removes the object from them. `deny`
  /// is judged when the deletion is saved. Deleting an object twice has no effect.
  ///
  /// - Precondition: the object belongs to this context. Pass ids, not objects, between contexts.
  public func delete(_ object: ManagedObject) {
    requireOwn(object)
    state.noticeBatches()
    let former = state.begin(.delete, object.runtime)
    defer { former?.end() }
    if object.runtime.hasRelationships {
      DeletePropagation(self, state).delete(object)
    } else {
      markDeleted(object)
    }
  }

  /// Marks one object as deleted, and calls its hook.
  ///
  /// - Returns: whether it was not deleted before.
  @discardableResult
  func markDeleted(_ object: ManagedObject) -> Bool {
    if object.runtime.memberships.isEmpty { return mark(deleted: object) }
    var isMarked = false
    state.updatingMembers(with: object) { isMarked = mark(deleted: object) }
    return isMarked
  }

  private func mark(deleted object: ManagedObject) -> Bool {
    guard object.flags.isDisjoint(with: [.deleted, .gone]) else { return false }
    // The save needs the row's version, and throws when the row cannot be read. It is read before
    // the object is marked, because `awakeFromFetch()` may do anything.
    if object.flags.contains(.fault) {
      let former = state.begin(.delete, object.runtime, coversLazyRead: true)
      defer { former?.end() }
      try? state.askedFor { try object.fulfillIfFault() }
    }
    guard object.flags.isDisjoint(with: [.deleted, .gone]) else { return false }
    // A save that has checked the object must check it again: a deleted object has another
    // validation hook.
    state.noteWrite(to: object)
    state.recorder?.willDelete(object)
    // Marked before its hook runs, so that hooks that delete each other's objects end. In the list
    // as well, so that a rollback of the hook undoes this deletion, too.
    object.becomeDeleted()
    state.note(changed: object)
    if object.runtime.overridesHooks { prepareForDeletion(object) }
    // The hook may have refreshed the object or reset the context.
    guard object.flags.contains(.deleted), !object.flags.contains(.gone) else { return false }
    if state.events != nil { state.collect { $0.note(object, .deleted) } }
    if object.flags.contains(.inserted) {
      object.leaveContext()
      state.noteLoss(of: object)
      return true
    }
    // A row that is already missing needs no deletion.
    if object.flags.contains(.missing) {
      object.becomeUndeleted()
      object.dropCells()
      state.noteLoss(of: object)
      return false
    }
    return true
  }

  private func prepareForDeletion(_ object: ManagedObject) {
    // One hook may delete another object.
    let outer = state.preparing
    state.preparing = object
    defer { state.preparing = outer }
    object.prepareForDeletion()
  }
}
