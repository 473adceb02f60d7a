/// What changes in a turn, for those who listen.
extension ContextState {
  /// Collects a change for the next event.
  func collect(_ note: (inout TurnChanges) -> Void) {
    guard let events, events.collects else { return }
    let wasEmpty = events.turn.isEmpty
    note(&events.turn)
    if wasEmpty, merging.isOfMainActor { container.mainContexts.beginTurn() }
  }

  /// A property of an observable object is read for the first time.
  func beginObserving() {
    let events = self.events ?? ContextEvents()
    self.events = events
    events.hasObservedObjects = true
  }

  /// Whether somebody has read a property of an observable object of the context.
  var hasObservedObjects: Bool { events?.hasObservedObjects == true }

  func noteObserved(_ object: ManagedObject, _ properties: some Sequence<ObservedProperty>) {
    guard let events, object.flags.contains(.observed) else { return }
    let wasEmpty = events.observed.isEmpty
    events.observed.note(object, properties)
    if wasEmpty, merging.isOfMainActor { container.mainContexts.beginTurn() }
  }
}
