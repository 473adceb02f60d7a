/// Learning of what changes.
extension ManagedObjectContext {
  /// Calls a closure at the end of each turn in which objects of the context have changed.
  ///
  /// A turn ends with a save (before its hooks, and after it), with a merge, when an async function
  /// of the context resumes, with ``processPendingChanges()``, and in a context of the main actor
  /// at the end of the job of the main actor. Each object is in one set, whatever has happened to
  /// it in the turn: see ``ObjectChanges``. A fetch changes nothing, so it is no event.
  ///
  /// ```swift
  /// let subscription = context.onChange { changes in
  ///   for object in changes.updated { print(object.objectID, changes.changedProperties(of: object)) }
  /// }
  /// ```
  ///
  /// The closure belongs to the isolation of the context. It may change objects, save, and end its
  /// own subscription; what it changes belongs to the next turn. It is released with the
  /// subscription or with the context. A closure that uses the context captures it weakly, because
  /// the context keeps the closure.
  ///
  /// While nobody listens, changes cost nothing. Otherwise an event costs time for the objects of
  /// its turn.
  ///
  /// - Returns: keep it: when it is released, the closure is not called any more.
  public func onChange(_ body: @escaping (ObjectChanges) -> Void) -> ChangeSubscription {
    state.listen(\.changes, body)
  }

  /// Calls a closure at the beginning of each save that has something to write, before the hooks of
  /// objects. What it changes is part of the save.
  ///
  /// - Precondition: the closure does not save.
  /// - Returns: keep it: when it is released, the closure is not called any more.
  public func onWillSave(_ body: @escaping () -> Void) -> ChangeSubscription {
    state.listen(\.willSave) { _ in body() }
  }

  /// Calls a closure after each save that has written something, after `didSave()` of the objects.
  /// It gets what the merge policy has resolved, and it may save.
  ///
  /// - Returns: keep it: when it is released, the closure is not called any more.
  public func onDidSave(_ body: @escaping (SaveReport) -> Void) -> ChangeSubscription {
    state.listen(\.didSave, body)
  }

  /// The same events as ``onChange(_:)``, as an asynchronous sequence for the isolation of the
  /// context. While it is awaited, the context merges what others save, also one that does not
  /// merge by itself.
  ///
  /// ```swift
  /// for await changes in context.changes { show(changes.refreshed) }
  /// ```
  ///
  /// Each iteration gets the events from its beginning on. An event that nobody reads is kept, with
  /// its objects. The sequence does not keep the context, and ends with it.
  public var changes: ContextChangeSequence { ContextChangeSequence(self) }

  /// Ends the turn now: the closures of ``onChange(_:)`` are called with what has changed.
  ///
  /// A program needs it for a context that is not of the main actor, when others are to learn of
  /// changes before the save. In a hook of a save or of a deletion it does nothing; the changes
  /// belong to the event after it.
  public func processPendingChanges() { state.endTurn() }
}
