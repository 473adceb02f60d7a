extension PersistentContainer {
  /// Everything that the contexts of the container commit from now on, as values: saves, batches,
  /// SQL and transactions, in the order of the commits.
  ///
  /// ```swift
  /// for await changes in container.saves { notify(changes.updated) }
  /// ```
  ///
  /// Any number of readers can read, each in its own isolation. A slow reader gets everything until
  /// it is more than ``commitLogLimits`` behind; then one element that is not complete has the
  /// entities of what was dropped. The sequence ends with the container and its contexts, and when
  /// the task is canceled. What other programs save is not among it.
  public var saves: SavedChangesSequence { SavedChangesSequence(runtime) }

  /// How much is kept of what was committed, for contexts that merge it later and for readers of
  /// ``saves``. Default: 10,000 rows and 32 MB.
  public var commitLogLimits: CommitLogLimits {
    get { runtime.log.limits }
    set { runtime.log.limits = newValue }
  }
}
