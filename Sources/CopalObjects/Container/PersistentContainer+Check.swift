import CopalModel
public import CopalStore

extension PersistentContainer {
  /// Finds what is wrong in the store: what other programs have left broken, and damage of the
  /// file.
  ///
  /// Copal's own saves keep a store right. So a program needs the check for a store that other
  /// programs change, after a failure of a disk, and for a file of unknown origin. It changes
  /// nothing.
  ///
  /// ```swift
  /// for problem in try container.check() { print(problem) }
  /// // Painting.painter of Painting p3 refers to Painter p7, which does not exist
  /// ```
  ///
  /// All parts are looked at in one state of the store; others can write meanwhile. They come in
  /// this order: ``StoreCheckParts/integrity``, ``StoreCheckParts/schema``,
  /// ``StoreCheckParts/references``, ``StoreCheckParts/search``, ``StoreCheckParts/uniqueness``,
  /// ``StoreCheckParts/values`` and ``StoreCheckParts/files``. The problems of a part are in the
  /// order of entities and keys, so that two checks of the same store give the same problems. When
  /// the database has found damage, and a later part cannot be read because of it, the check ends
  /// there.
  ///
  /// A relationship whose inverse has the delete rule `noAction` may refer to an object that does
  /// not exist, and is left out. The values of transformables are not decoded:
  /// ``scan(_:of:with:progress:)`` does that.
  ///
  /// It blocks the calling thread. What each part costs is said there; the memory that it takes
  /// does not depend on the number of rows in a file.
  ///
  /// - Parameters:
  ///   - parts: what is looked at. Default: references, and what is kept for searches.
  ///   - limit: the greatest number of problems. A result with so many may lack further ones.
  ///   - progress: is called on the calling thread, at each entity and at most 20 times a second.
  /// - Returns: the problems.
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read;
  ///   `CancellationError` when the task that calls it is canceled.
  public func check(
    _ parts: StoreCheckParts = [.references, .search], limit: Int = 1000,
    progress: ((StoreCheckProgress) -> Void)? = nil
  ) throws -> [StoreProblem] {
    let check = StoreCheck(parts, of: runtime.store, limit: limit, progress: progress)
    let session = try runtime.store.makeSession()
    session.endCalls { Task.isCancelled }
    defer { session.endCalls(when: nil) }
    try Task.checkCancellation()
    do {
      try session.check(check)
    } catch let error as PersistenceError
      where (error.code == .interrupted || error.code == .busy) && Task.isCancelled
    {
      throw CancellationError()
    }
    return check.problems
  }

  /// Makes everything again that the store keeps for searches, in one transaction.
  ///
  /// It is needed only after another program has changed rows around the triggers of the file,
  /// which ``check(_:limit:progress:)`` finds: with triggers that were switched off or removed.
  /// What other programs write otherwise is marked, and each save mends it. It costs about as much
  /// as reading and writing the tables with `"search"`; it blocks the calling thread and other
  /// writers meanwhile.
  ///
  /// ```swift
  /// try container.rebuildSearch()
  /// ```
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…`. Then nothing is changed.
  public func rebuildSearch() throws { try runtime.store.makeSession().deriveAll() }
}
