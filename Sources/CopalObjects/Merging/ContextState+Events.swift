extension ContextState {
  /// Ends the turn: calls the listeners with what has changed.
  func endTurn() {
    guard let events, events.collects || events.hasObservedObjects, !events.isDelivering,
      !isSaving, !isPreparingDeletion, !merging.isMerging
    else { return }
    deliver(events)
  }

  /// The same at the beginning of a save. A listener may save: then the turn goes on.
  func endTurnBeforeSave() {
    guard let events, events.collects || events.hasObservedObjects else { return }
    if events.isDelivering { events.turn.keepNames() } else { endTurn() }
  }

  private func deliver(_ events: ContextEvents) {
    _ = noteMutations()
    if !events.turn.isEmpty { deliverTurn(events) }
    notifyObservers(events)
    if !events.turn.isEmpty || !events.observed.isEmpty, merging.isOfMainActor {
      container.mainContexts.beginTurn()
    }
  }

  private func deliverTurn(_ events: ContextEvents) {
    let turn = events.turn
    events.turn = TurnChanges()
    let released = events.changes.removeEnded()
    // From now on the next write of these objects is a change of the next turn.
    for entry in turn.entries.values where entry.object.hasChanges {
      entry.object.setRecorded(true)
    }
    if !events.changes.isEmpty, !turn.isUndone {
      let changes = ObjectChanges(turn, container.names)
      events.isDelivering = true
      for call in events.changes.calls { call(changes) }
      events.isDelivering = false
    }
    withExtendedLifetime(released) {}
  }

  /// Calls the listeners of saves.
  func tell<Event>(
    _ listeners: ReferenceWritableKeyPath<ContextEvents, Listeners<Event>>, _ event: Event
  ) {
    guard let events, !events[keyPath: listeners].isEmpty else { return }
    let released = events[keyPath: listeners].removeEnded()
    for call in events[keyPath: listeners].calls { call(event) }
    withExtendedLifetime(released) {}
  }

  /// The listeners of the context, which has some from now on.
  func listen<Event>(
    _ listeners: ReferenceWritableKeyPath<ContextEvents, Listeners<Event>>,
    _ body: @escaping (Event) -> Void
  ) -> ChangeSubscription {
    let events = self.events ?? ContextEvents()
    let collected = events.collects
    self.events = events
    let (subscription, released) = events[keyPath: listeners].add(body)
    if !collected, events.collects {
      // What has changed before belongs to no event.
      for object in changed.objects { object.setRecorded(true) }
    }
    withExtendedLifetime(released) {}
    return subscription
  }
}
