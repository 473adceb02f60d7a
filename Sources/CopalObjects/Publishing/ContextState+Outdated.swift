extension ContextState {
  /// Objects that had unsaved changes when the changes of others arrived, and have none any more,
  /// take what the store has. Public functions call it after objects have lost their changes.
  ///
  /// - Returns: the objects that have a new row.
  @discardableResult
  func forgetOutdated() -> [ManagedObject] {
    if outdated.isEmpty { return [] }
    var renewed: [ManagedObject] = []
    for note in outdated.removeUnchanged() where !note.object.hasChanges {
      switch note.newest {
      case .unknown: note.object.turnIntoFault()
      case .deleted: leave(note.object)
      case .row(let row):
        let former = note.object.row
        note.object.adoptRow(row)
        collect { $0.noteRow(of: note.object, former: former) }
        renewed.append(note.object)
      }
    }
    return renewed
  }

  /// An object that others have deleted leaves the context. It keeps its last values.
  func leave(_ object: ManagedObject) {
    Links(self).dropAdditions(of: object)
    updatingMembers(with: object) {
      object.becomeMissing()
      object.leaveContext(wasDeleted: true)
    }
    collect { $0.note(object, .deleted) }
    noteLoss(of: object)
    forgetTemporaryKeys(of: [object])
    maps[object.runtime.index].remove(object.key)
  }
}
