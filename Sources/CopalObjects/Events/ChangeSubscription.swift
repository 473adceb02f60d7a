import Synchronization

/// Keeps a closure that listens to a context. The closure is not called any more when the
/// subscription is canceled or released.
///
/// ```swift
/// let subscription = context.onChange { changes in print(changes) }
/// // …
/// subscription.cancel()
/// ```
///
/// Keep it in a property. A local constant may be released after its last use, before its scope
/// ends; `withExtendedLifetime(subscription) {}` keeps it until there.
///
/// It may be canceled and released in any isolation. The closure stays in the isolation of the
/// context, and is released there: at the next event, at a later subscription, or with the context.
public final class ChangeSubscription: Sendable {
  /// Whether the closure is still wanted. The context has it, too.
  let mark = SubscriptionMark()

  init() {}

  deinit { cancel() }

  /// Ends it. A closure that is being called is called to its end.
  public func cancel() { mark.end() }
}

/// Whether a subscription has ended.
final class SubscriptionMark: Sendable {
  private let ended = Atomic<Bool>(false)

  func end() { ended.store(true, ordering: .relaxed) }
  var isEnded: Bool { ended.load(ordering: .relaxed) }
}

/// The closures that listen to one kind of event.
struct Listeners<Event> {
  private struct Listener {
    let mark: SubscriptionMark
    let body: (Event) -> Void
  }

  private var listeners: [Listener] = []
  /// The number of listeners at which those that have ended are released.
  private var limit = 8

  /// - Returns: what was released with listeners that have ended. The caller keeps it until its
  ///   state is consistent: a deinit may call anything.
  mutating func add(_ body: @escaping (Event) -> Void) -> (ChangeSubscription, released: [Any]) {
    var released: [Any] = []
    if listeners.count >= limit {
      released = removeEnded()
      limit = max(8, 2 * listeners.count)
    }
    let subscription = ChangeSubscription()
    listeners.append(Listener(mark: subscription.mark, body: body))
    return (subscription, released)
  }

  /// Whether anybody may listen.
  var isEmpty: Bool { listeners.isEmpty }

  /// Removes the listeners that have ended.
  ///
  /// - Returns: their closures.
  mutating func removeEnded() -> [Any] {
    guard listeners.contains(where: \.mark.isEnded) else { return [] }
    let ended = listeners.filter(\.mark.isEnded)
    listeners.removeAll(where: \.mark.isEnded)
    return ended
  }

  /// What is called for one event: the listeners of now, without those that end meanwhile.
  var calls: [(Event) -> Void] {
    listeners.map { listener in
      { event in if !listener.mark.isEnded { listener.body(event) } }
    }
  }
}
