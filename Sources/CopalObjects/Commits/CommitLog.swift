import CopalEssentials
import CopalStore
import Synchronization

/// What was committed to a store by the contexts of a container, in the order of the commits: for
/// the contexts that merge it, and for the readers of saves.
///
/// Each of these has a cursor. A commit is kept until all cursors have passed it, so without a
/// cursor nothing is kept. Above a limit, only the entities of the oldest commits are kept.
///
/// A commit is published when it is certain that no earlier one follows: when every commit has
/// ended that was open when it arrived (``CommitOrder``).
final class CommitLog: Sendable {
  /// The order of the store's commits; of their arrival, for a store without one.
  let order: CommitOrder
  private let hasOrder: Bool
  // Only numbers are read without the lock: each look-up of an object asks for the batches.
  private let batchTotal = Atomic<Int>(0)
  private let publishedTotal = Atomic<Int>(0)
  private let state: Locked<State>
  /// Looks for the commits of other programs; nil when they are not wanted.
  private let foreign: ForeignCommitTask?
  /// Makes the contexts of the main actor merge soon.
  private let beginTurn: @Sendable () -> Void

  /// - Parameters:
  ///   - order: that of the store; nil for a store without one.
  ///   - beginTurn: is called when a commit is published that a context of the main actor merges.
  init(
    _ order: CommitOrder?, entityCount: Int, foreign: ForeignCommitTask? = nil,
    beginTurn: @escaping @Sendable () -> Void
  ) {
    self.foreign = foreign
    hasOrder = order != nil
    self.order = order ?? CommitOrder()
    self.beginTurn = beginTurn
    state = Locked(State(entityCount: entityCount))
  }

  /// A commit that is not published yet.
  private struct Arrival {
    let commit: Commit
    /// Its number in the order of commits; nil when that does not matter.
    let number: Int64?
    /// The last commit that had begun when it arrived.
    let last: CommitTicket
  }

  private struct CursorState {
    /// The number of the last published commit that was taken.
    var position: Int
    /// Whether it belongs to a context that merges between the jobs of the main actor.
    var hasTurns: Bool
    /// A reader that waits for the next commit.
    var reader: CheckedContinuation<Void, Never>?
    /// Those who want to know of each commit, and of the end of the cursor.
    var signals: [Signal] = []
  }

  private struct State {
    var limits = CommitLogLimits()
    var hasEnded = false
    var arrived: [Arrival] = []
    /// The number of published commits.
    var published = 0
    /// The last published commits, as far as a cursor needs them.
    var commits: CommitQueue = CommitQueue()
    /// For each entity, the last commit that has changed objects or links of it.
    var lastByEntity: [Int]
    /// For each entity, the last commit of which only the entities were kept.
    var coarse: [Int]
    /// The last commit of which only the entities were kept.
    var lastCoarse = 0
    var cursors: [UInt64: CursorState] = [:]
    var lastCursor: UInt64 = 0
    /// Those who wait until commits have ended.
    var waiters: [(last: CommitTicket, continuation: CheckedContinuation<Void, Never>)] = []
    var batches: BatchLog

    init(entityCount: Int) {
      lastByEntity = [Int](repeating: 0, count: entityCount)
      coarse = lastByEntity
      batches = BatchLog(entityCount: entityCount)
    }
  }

  /// What is to be done outside of the lock.
  private struct Wakening {
    var continuations: [CheckedContinuation<Void, Never>] = []
    var beginsTurn = false
    var signals: [Signal] = []
    /// What nobody needs any more. Releasing many rows takes time.
    var released: [Commit] = []
  }

  private func wake(_ wakening: Wakening) {
    for continuation in wakening.continuations { continuation.resume() }
    if wakening.beginsTurn { beginTurn() }
    for signal in wakening.signals { signal.give() }
  }

  // MARK: Committing

  /// Begins a commit, for a store whose commits have no order.
  func begin() -> CommitTicket? { hasOrder ? nil : order.begin() }

  /// Ends a commit of which there is nothing to publish. Others may have waited for it, or for one
  /// that the store has ended itself.
  func end(_ ticket: CommitTicket?, at place: CommitPlace? = nil) {
    ticket.map(order.end)
    place.map { order.end($0) }
    publishArrived()
  }

  /// Whether anybody needs what is committed.
  var hasCursors: Bool { state.withLock { !$0.cursors.isEmpty } }

  /// Whether somebody will need what is committed.
  var needsCommits: Bool { state.withLock { !$0.hasEnded && !$0.cursors.isEmpty } }

  /// Whether something may be committed that is not published.
  var isBehind: Bool { state.withLock { !$0.arrived.isEmpty || order.hasOpen } }

  /// Adds a commit. It is published at once if no other one is open.
  ///
  /// - Parameters:
  ///   - place: its place in the order of the store; nil without an order, and for a commit that
  ///     may have failed.
  ///   - ticket: what ``begin()`` has returned.
  ///   - seen: the number of the last batch that the context has noticed.
  /// - Returns: the position of the context's cursor; nil without one.
  func publish(
    _ commit: Commit, at place: CommitPlace?, _ ticket: CommitTicket?, _ seen: inout Int
  ) -> Int? {
    var commit = commit
    var place = place
    if let ticket {
      // Two writers were open at once, so the order of their rows is not known.
      if order.isOverlapped(ticket) { commit.forgetRows() }
      place = CommitPlace(ticket, number: order.nextNumber())
    }
    let (wakening, position) = state.withLock { log in
      if !commit.batched.isEmpty {
        add(commit.batched, &log, &seen)
        commit.batch = log.batches.total
      }
      if let place { order.end(place) }
      let isNext = log.arrived.isEmpty
      log.arrived.append(Arrival(commit: commit, number: place?.number, last: order.last))
      let wakening = publishArrived(&log, own: isNext ? commit.source : 0)
      return (wakening, log.cursors[commit.source]?.position)
    }
    wake(wakening)
    return position
  }

  /// Publishes a commit of which nothing has to be kept, because nobody merges and nobody reads:
  /// only which entities it has written. This is usual, and a save of one object notices more work.
  ///
  /// While another commit is open, it does nothing. A cursor that begins before the other one is
  /// published gets that one, and then needs this one, too: a link that the other one has added
  /// may be one that this one has removed.
  ///
  /// - Returns: false when it must be kept, and nothing was done.
  func publishUnkept(
    _ contents: CommitContents, _ schema: StoreSchema, at ticket: CommitTicket,
    _ seen: inout Int
  ) -> Bool {
    state.withLock { log in
      guard log.cursors.isEmpty, log.arrived.isEmpty, log.waiters.isEmpty,
        order.endIfAlone(ticket)
      else { return false }
      add(contents.batched, &log, &seen)
      log.published += 1
      contents.forEachEntity(schema) { log.lastByEntity[$0] = log.published }
      publishedTotal.store(log.published, ordering: .releasing)
      return true
    }
  }

  private func add(_ batched: WrittenObjects, _ log: inout State, _ seen: inout Int) {
    if batched.isEmpty { return }
    let hasNoticed = seen == log.batches.total
    log.batches.add(batched)
    batchTotal.store(log.batches.total, ordering: .relaxed)
    if hasNoticed { seen = log.batches.total }
  }

  private func publishArrived() { wake(state.withLock { publishArrived(&$0) }) }

  /// Publishes what has arrived, as far as no earlier commit can follow.
  ///
  /// - Parameter own: the context that has just made the only commit that has arrived; 0 for none.
  private func publishArrived(_ log: inout State, own: UInt64 = 0) -> Wakening {
    var wakening = Wakening()
    publishReady(&log, own: own, &wakening)
    log.waiters.removeAll { waiter in
      guard order.hasEnded(upTo: waiter.last) else { return false }
      wakening.continuations.append(waiter.continuation)
      return true
    }
    return wakening
  }

  private func publishReady(_ log: inout State, own: UInt64, _ wakening: inout Wakening) {
    if log.arrived.isEmpty { return }
    let ready = log.arrived.prefix { order.hasEnded(upTo: $0.last) }
    guard !ready.isEmpty else { return }
    // With a commit, every one with a smaller number is ready.
    let greatest = ready.compactMap(\.number).max() ?? .min
    var rest = Array(log.arrived.dropFirst(ready.count))
    let earlier = rest.filter { $0.number.map { $0 < greatest } ?? false }
    rest.removeAll { $0.number.map { $0 < greatest } ?? false }
    let all = Array(ready) + earlier
    log.arrived = rest
    let hasCursors = !log.cursors.isEmpty
    for arrival in all.count > 1 ? all.sortedByNumber(\.number) : all {
      log.published += 1
      for entity in arrival.commit.entities { log.lastByEntity[entity] = log.published }
      if hasCursors { log.commits.append(arrival.commit, number: log.published) }
    }
    publishedTotal.store(log.published, ordering: .releasing)
    if !hasCursors { return }
    // A context has its own commit already. It needs it only together with earlier ones of others:
    // those that it has not merged, or that were not published when it made its own.
    if own != 0, log.cursors[own]?.position == log.published - 1 {
      log.cursors[own]?.position = log.published
    }
    trim(&log, &wakening)
    for id in log.cursors.keys {
      guard let cursor = log.cursors[id], cursor.position < log.published else { continue }
      if cursor.hasTurns { wakening.beginsTurn = true }
      wakening.signals += cursor.signals
      if let reader = cursor.reader {
        wakening.continuations.append(reader)
        log.cursors[id]?.reader = nil
      }
    }
  }

  /// Releases the commits that every cursor has passed, and the oldest ones above the limit.
  private func trim(_ log: inout State, _ wakening: inout Wakening) {
    let least = log.cursors.values.reduce(Int.max) { min($0, $1.position) }
    log.commits.removeFirst(upTo: least, into: &wakening.released)
    while log.commits.rowCount > log.limits.rowCount || log.commits.byteCount > log.limits.byteCount
    {
      guard let (commit, number) = log.commits.removeFirst() else { return }
      for entity in commit.entities { log.coarse[entity] = number }
      log.lastCoarse = number
      wakening.released.append(commit)
    }
  }

  // MARK: Taking

  /// What a cursor has not taken yet.
  struct Taken {
    /// The commits in their order.
    var commits: ArraySlice<Commit> = []
    /// The entities of earlier commits, of which the log has no more than that.
    var entities: Set<Int> = []
    /// Whether the log had all commits.
    var isComplete = true
    /// Whether something may be committed that is not published.
    fileprivate(set) var isBehind = false
    /// The number of the last published commit.
    fileprivate(set) var position = 0
    /// The number of the last batch.
    fileprivate(set) var seen = 0

    var isEmpty: Bool { commits.isEmpty && entities.isEmpty }
  }

  /// The number of published commits.
  var position: Int { publishedTotal.load(ordering: .acquiring) }

  /// Takes what was published since a position, and moves the cursor.
  func take(_ id: UInt64, after position: Int) -> Taken {
    let (taken, wakening) = state.withLock { log in
      var wakening = publishArrived(&log)
      var taken = Taken(position: log.published, seen: log.batches.total)
      let start = log.cursors[id]?.position ?? position
      taken.isBehind = !log.arrived.isEmpty || order.hasOpen
      taken.commits = log.commits.after(start)
      if log.lastCoarse > start {
        taken.isComplete = false
        taken.entities = Set(log.coarse.indices.filter { log.coarse[$0] > start })
      }
      if log.cursors[id] != nil {
        log.cursors[id]?.position = log.published
        trim(&log, &wakening)
      }
      return (taken, wakening)
    }
    wake(wakening)
    return taken
  }

  /// Begins a cursor at the last published commit.
  ///
  /// - Returns: its position; and the entities that were written since an earlier one.
  func addCursor(_ id: UInt64, hasTurns: Bool, since earlier: Int) -> (
    position: Int, entities: Set<Int>
  ) {
    defer { foreign?.begin(self) }
    return state.withLock { log in
      log.cursors[id] = CursorState(position: log.published, hasTurns: hasTurns)
      return (
        log.published, Set(log.lastByEntity.indices.filter { log.lastByEntity[$0] > earlier })
      )
    }
  }

  /// Gives a signal at each commit from now on, and at the end of the cursor.
  func add(_ signal: Signal, to id: UInt64) {
    state.withLock { log in log.cursors[id]?.signals.append(signal) }
  }

  /// Ends a signal.
  func remove(_ signal: Signal, from id: UInt64) {
    state.withLock { log in log.cursors[id]?.signals.removeAll { $0 === signal } }
  }

  /// Says whether the context of a cursor merges between the jobs of the main actor.
  func setTurns(_ id: UInt64, _ hasTurns: Bool) {
    wake(
      state.withLock { log in
        log.cursors[id]?.hasTurns = hasTurns
        var wakening = Wakening()
        wakening.beginsTurn =
          hasTurns && log.cursors[id].map { $0.position < log.published } ?? false
        return wakening
      })
  }

  /// Begins the cursor of a reader, where another one is.
  ///
  /// - Returns: its number.
  func addReader(at other: UInt64 = 0) -> UInt64 {
    let number = state.withLock { log in
      log.lastCursor += 1
      log.cursors[log.lastCursor] = CursorState(
        position: log.cursors[other]?.position ?? log.published, hasTurns: false)
      return log.lastCursor
    }
    foreign?.begin(self)
    return number
  }

  /// Ends a cursor, from any thread.
  func removeCursor(_ id: UInt64) {
    let wakening = state.withLock { log in
      var wakening = Wakening()
      if let cursor = log.cursors.removeValue(forKey: id) {
        if let reader = cursor.reader { wakening.continuations.append(reader) }
        wakening.signals += cursor.signals
      }
      trim(&log, &wakening)
      return wakening
    }
    wake(wakening)
  }

  // MARK: Waiting

  /// Waits until every commit is published that has been committed.
  func publishAll() async {
    let last = order.last
    await withCheckedContinuation { continuation in
      let wakening = state.withLock { log in
        log.waiters.append((last, continuation))
        return publishArrived(&log)
      }
      wake(wakening)
    }
  }

  /// Waits until a reader can take something.
  ///
  /// - Returns: false when there will be nothing more.
  func waitForCommits(_ id: UInt64) async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let waits = state.withLock { log in
          guard !log.hasEnded, !Task.isCancelled, let cursor = log.cursors[id],
            cursor.position == log.published
          else { return false }
          log.cursors[id]?.reader = continuation
          return true
        }
        if !waits { continuation.resume() }
      }
    } onCancel: {
      let reader = state.withLock { log in
        defer { log.cursors[id]?.reader = nil }
        return log.cursors[id]?.reader
      }
      reader?.resume()
    }
    return state.withLock { log in
      !Task.isCancelled && (log.cursors[id].map { $0.position < log.published } ?? false)
    }
  }

  /// The container and its contexts have ended: there will be no commit.
  func end() {
    let readers = state.withLock { log in
      log.hasEnded = true
      let readers = log.cursors.values.compactMap(\.reader)
      for id in log.cursors.keys { log.cursors[id]?.reader = nil }
      return readers
    }
    for reader in readers { reader.resume() }
  }

  var limits: CommitLogLimits {
    get { state.withLock { $0.limits } }
    set {
      wake(
        state.withLock { log in
          log.limits = newValue
          var wakening = Wakening()
          trim(&log, &wakening)
          return wakening
        })
    }
  }

  /// The number of rows that are kept. For tests.
  var keptRowCount: Int { state.withLock { $0.commits.rowCount } }

  // MARK: Batches, for contexts that do not merge

  /// The number of a new context, the last batch, and the last published commit.
  func start() -> (number: UInt64, seen: Int, position: Int) {
    state.withLock { log in
      log.lastCursor += 1
      return (log.lastCursor, log.batches.total, log.published)
    }
  }

  /// Whether there were batches since a context has looked, when there were some in all.
  @inline(__always)
  func hasNewBatches(since seen: Int) -> Bool { batchTotal.load(ordering: .relaxed) != seen }

  /// What batches have written since a context has looked.
  func noticeBatches(_ seen: inout Int) -> WrittenObjects {
    state.withLock { log in
      let written = log.batches.written(after: seen)
      seen = log.batches.total
      return written
    }
  }
}

extension Array {
  /// The elements with a number in its order. Those without one come last.
  fileprivate func sortedByNumber(_ number: (Element) -> Int64?) -> [Element] {
    enumerated().inOrder {
      (number($0.element) ?? .max, $0.offset) < (number($1.element) ?? .max, $1.offset)
    }.map(\.element)
  }
}
