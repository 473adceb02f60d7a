import CopalModel
public import CopalStore

/// What a request finds in a context, and again each time it has changed:
/// ``ManagedObjectContext/results(of:)``.
public struct ResultsSequence<Object: ManagedObject>: AsyncSequence {
  /// The objects in their order.
  public typealias Element = [Object]

  private weak var context: ManagedObjectContext?
  private let request: FetchRequest<Object>

  init(_ request: FetchRequest<Object>, in context: ManagedObjectContext) {
    self.request = request
    self.context = context
  }

  /// Begins to follow the context.
  public func makeAsyncIterator() -> Iterator { Iterator(request, context) }

  /// Reads the results one by one.
  public struct Iterator: AsyncIteratorProtocol {
    /// Whether the list has changed since the last result. In the isolation of the context.
    private final class Changes {
      var areThere = false
    }

    private let request: FetchRequest<Object>
    private weak var context: ManagedObjectContext?
    private let changes = Changes()
    private let signal = Signal()
    private var results: LiveResults?
    private var subscription: ChangeSubscription?
    private var signals: MergeSignals?

    fileprivate init(_ request: FetchRequest<Object>, _ context: ManagedObjectContext?) {
      self.request = request
      self.context = context
    }

    /// The present result; after that, waits until it has changed, and merges what others save
    /// meanwhile. States between two calls are left out, never the last one. Nil when the task was
    /// canceled, and when the context has ended.
    ///
    /// - Throws: as a fetch, by the first call. Later errors go to the `readFailureHandler`.
    public mutating func next(isolation actor: isolated (any Actor)?) async throws -> [Object]? {
      if Task.isCancelled { return nil }
      guard let results else { return try start() }
      while !Task.isCancelled {
        if context?.mergeAndEndTurn() == nil { return nil }
        if changes.areThere {
          changes.areThere = false
          return objects(results)
        }
        await signal.wait()
      }
      return nil
    }

    private mutating func start() throws -> [Object]? {
      guard let context else { return nil }
      let results = try LiveResults(request, nil, in: context)
      try results.fetch()
      subscription = results.onChange { [changes, signal] _ in
        changes.areThere = true
        signal.give()
      }
      signals = context.state.beginSignals(signal)
      self.results = results
      return objects(results)
    }

    private func objects(_ results: LiveResults) -> [Object] {
      Array(LiveObjects<Object>(results.contents.list, count: results.contents.count))
    }
  }
}

@available(*, unavailable, message: "it stays in the isolation of its context")
extension ResultsSequence: Sendable {}

extension ManagedObjectContext {
  /// What a request finds, and again each time it has changed, for a loop in the isolation of the
  /// context. While it is awaited, the context merges what others save.
  ///
  /// ```swift
  /// for try await pigments in context.results(of: Pigment.fetchRequest().sorted(by: \.name.ascending)) {
  ///   show(pigments)
  /// }
  /// ```
  ///
  /// The sequence does not keep the context, and ends with it.
  public func results<T: ManagedObject>(of request: FetchRequest<T>) -> ResultsSequence<T> {
    ResultsSequence(request, in: self)
  }
}
