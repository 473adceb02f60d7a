import CopalModel
import CopalStore

/// What changes in an object that is observed.
///
/// A write of an attribute notifies at once, when no other code of the context is running.
/// Everything else is noted, and notifies at the end of the turn: then the objects of the context
/// agree with each other, and an observer may do anything.
extension ManagedObject {
  /// The first observer may come now.
  final func becomeObserved() {
    // It ends with its row, and nobody waits for it.
    if flags.contains(.detached) { return }
    noteObserver()
    core.state()?.beginObserving()
  }

  /// Some slots have other values.
  final func noteObserved(_ slots: some Sequence<Int>) {
    guard flags.contains(.observed) else { return }
    core.state()?.noteObserved(self, slots.flatMap { observedProperties(ofSlot: $0) })
  }

  /// The members of its to-many relationships may be others.
  final func noteObservedMembers() {
    guard flags.contains(.observed) else { return }
    core.state()?.noteObserved(self, runtime.observedProperties.lazy.filter { $0 < 0 })
  }

  /// The object gets another row. A fault has notified already that its values will be others.
  final func noteObserved(ofAdopting newRow: PackedRow) {
    guard let row else { return }
    var slots = runtime.layout.columns.filter { !row.hasSameValues(as: newRow, in: [$0]) }
      .map(\.slot)
    // Those that are no changes of the new row are removed.
    if let cells { slots += cells.isSet }
    noteObserved(slots)
  }

  /// Runs a write of a slot, and notifies the observers.
  final func writeObserved(_ slot: Int, _ write: () -> Void) {
    let properties = observedProperties(ofSlot: slot)
    let state = core.state()
    // The other end of a relationship is not written yet, and a hook must not be interrupted.
    guard !runtime.layout.slots[slot].isReference, state?.isBusy != true else {
      write()
      state?.noteObserved(self, properties)
      return
    }
    notifyObservers(.willChange, of: properties)
    write()
    notifyObservers(.didChange, of: properties)
  }

  final func notifyObservers(
    _ moment: ObservedEvent.Moment, of properties: some Sequence<ObservedProperty>
  ) {
    guard let type = runtime.observedClass else { return }
    for property in properties {
      type._copalNotify(ObservedEvent(moment: moment), of: property, self)
    }
  }

  /// The property of a slot, and the transients that are computed from it.
  private final func observedProperties(ofSlot slot: Int) -> Set<ObservedProperty> {
    let property = runtime.propertySlots[slot]
    return runtime.layout.dependents[property].reduce(into: [property]) {
      $0.formUnion(observedProperties(ofSlot: $1))
    }
  }
}

extension ContextState {
  /// Whether a save, a deletion or a merge is running.
  fileprivate var isBusy: Bool { isSaving || isPreparingDeletion || merging.isMerging }
}
