/// What changes in a context, as an asynchronous sequence for the isolation of the context:
/// ``ManagedObjectContext/changes``.
public struct ContextChangeSequence: AsyncSequence {
  /// What has changed in one turn.
  public typealias Element = ObjectChanges
  /// It throws nothing.
  public typealias Failure = Never

  private weak var context: ManagedObjectContext?

  init(_ context: ManagedObjectContext) { self.context = context }

  /// Begins to collect events.
  public func makeAsyncIterator() -> Iterator { Iterator(context) }

  /// Reads the events one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// The events that were not read yet. In the isolation of the context.
    private final class Buffer {
      var events: [ObjectChanges] = []
    }

    private let buffer = Buffer()
    private let signal = Signal()
    private weak var context: ManagedObjectContext?
    private let subscription: ChangeSubscription?
    private let signals: MergeSignals?

    fileprivate init(_ context: ManagedObjectContext?) {
      self.context = context
      subscription = context?.onChange { [buffer, signal] changes in
        buffer.events.append(changes)
        signal.give()
      }
      signals = context?.state.beginSignals(signal)
    }

    /// Waits for the next event, and merges what others save meanwhile. Nil when the task was
    /// canceled, and when the context has ended.
    public mutating func next(isolation actor: isolated (any Actor)?) async -> ObjectChanges? {
      while !Task.isCancelled {
        if !buffer.events.isEmpty { return buffer.events.removeFirst() }
        if context?.mergeAndEndTurn() == nil { return nil }
        if buffer.events.isEmpty { await signal.wait() }
      }
      return nil
    }
  }
}

extension ManagedObjectContext {
  /// What a sequence does before it waits.
  func mergeAndEndTurn() {
    mergeChanges()
    processPendingChanges()
  }
}

@available(*, unavailable, message: "it stays in the isolation of its context")
extension ContextChangeSequence: Sendable {}
