/// The order in which the commits of one store happen in this program.
///
/// Links have no version. If a context learned of "add" and "remove" of one link in the wrong
/// order, its list would be wrong. So each commit has a number, and of two commits that change one
/// row or one link, the later one has the greater number. Numbers may have gaps, and the answers to
/// commits may come in any order.
///
/// A store that takes its numbers under its lock for writing calls ``reserve()`` directly before
/// the commit:
///
/// ```swift
/// let place = order.reserve()
/// do { try connection.run("COMMIT") } catch { order.end(place); throw error }
/// receipt.place = place
/// ```
///
/// A store whose server gives the numbers calls ``begin()`` before the server can draw one, and
/// makes a ``CommitPlace`` of the ticket and the number in the answer.
///
/// The container ends the commits whose places it gets. Until a commit has ended, nothing that was
/// committed after its beginning is merged into other contexts. So a store ends each commit that
/// fails, and one whose result it does not return.
public final class CommitOrder: Sendable {
  private struct State {
    var lastTicket: Int64 = 0
    var lastNumber: Int64 = 0
    /// The commits that have begun and not ended, the first one first.
    var open: [Int64] = []
    /// Those of them that have begun without a number while another one was open, and the other
    /// one.
    var overlapped: Set<Int64> = []
  }

  private let state = Locked(State())

  /// An order without commits.
  public init() {}

  /// Begins a commit, which can take place at any moment from now on.
  public func begin() -> CommitTicket {
    state.withLock { state in
      state.lastTicket += 1
      if !state.open.isEmpty {
        state.overlapped.formUnion(state.open)
        state.overlapped.insert(state.lastTicket)
      }
      state.open.append(state.lastTicket)
      return CommitTicket(number: state.lastTicket)
    }
  }

  /// Begins a commit and gives it the next number. A session calls it while it holds the lock for
  /// writing, directly before the commit.
  public func reserve() -> CommitPlace {
    state.withLock { state in
      state.lastTicket += 1
      state.lastNumber += 1
      state.open.append(state.lastTicket)
      return CommitPlace(CommitTicket(number: state.lastTicket), number: state.lastNumber)
    }
  }

  /// Ends a commit: it has failed, or everybody who must know of it does.
  public func end(_ ticket: CommitTicket) {
    state.withLock { state in
      guard let position = state.open.firstIndex(of: ticket.number) else { return }
      state.open.remove(at: position)
      if !state.overlapped.isEmpty { state.overlapped.remove(ticket.number) }
    }
  }

  /// The same for the place of a commit.
  public func end(_ place: CommitPlace) { end(place.ticket) }

  /// Ends a commit if no other one is open.
  ///
  /// - Returns: false when nothing was done.
  package func endIfAlone(_ ticket: CommitTicket) -> Bool {
    state.withLock { state in
      guard state.open.count == 1, state.open[0] == ticket.number else { return false }
      state.open.removeAll(keepingCapacity: true)
      state.overlapped.removeAll(keepingCapacity: true)
      return true
    }
  }

  /// The last commit that has begun.
  package var last: CommitTicket { CommitTicket(number: state.withLock { $0.lastTicket }) }

  /// Whether a commit has begun and not ended.
  package var hasOpen: Bool { state.withLock { !$0.open.isEmpty } }

  /// Whether every commit has ended that had begun when one was the last.
  package func hasEnded(upTo last: CommitTicket) -> Bool {
    state.withLock { state in state.open.first.map { $0 > last.number } ?? true }
  }

  /// Whether another commit was open while one was. For commits that began without a number.
  package func isOverlapped(_ ticket: CommitTicket) -> Bool {
    state.withLock { $0.overlapped.contains(ticket.number) }
  }

  /// The next number, for a commit that has no number of the store.
  package func nextNumber() -> Int64 {
    state.withLock { state in
      state.lastNumber += 1
      return state.lastNumber
    }
  }
}

/// A commit that has begun, and may take place at any moment.
public struct CommitTicket: Sendable, Hashable {
  let number: Int64
}

/// The place of a commit in a ``CommitOrder``.
public struct CommitPlace: Sendable, Hashable {
  /// The commit. It is open until ``CommitOrder/end(_:)-(CommitPlace)``.
  public let ticket: CommitTicket
  /// The number of the commit. Only the order of two numbers has a meaning.
  public let number: Int64

  /// The place of a commit whose number the store has learned.
  public init(_ ticket: CommitTicket, number: Int64) {
    self.ticket = ticket
    self.number = number
  }
}
