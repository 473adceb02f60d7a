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
}
