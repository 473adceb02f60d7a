import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Synchronization

/// Blocks work on its thread until the test opens the gate.
///
/// No test depends on time; the deadlines only end a test that would hang. They are longer than the
/// whole suite takes on a slow machine, where a test can wait for the threads of all others.
final class Gate: Sendable {
  private let deadlineSeconds: Double
  private let semaphore = DispatchSemaphore(value: 0)
  private let arrivals = Atomic<Int>(0)
  private let opened = Atomic<Bool>(false)
  private let timeouts = Atomic<Int>(0)

  init(deadlineSeconds: Double = 1800) { self.deadlineSeconds = deadlineSeconds }

  /// The number of arrivals at the gate.
  var arrivedCount: Int { arrivals.load(ordering: .sequentiallyConsistent) }

  /// Whether a wait has reached its deadline.
  var hasTimedOut: Bool { timeouts.load(ordering: .sequentiallyConsistent) > 0 }

  /// Blocks this thread until the gate is open.
  func pass() {
    arrivals.add(1, ordering: .sequentiallyConsistent)
    if opened.load(ordering: .sequentiallyConsistent) { return }
    if semaphore.wait(timeout: .now() + deadlineSeconds) == .timedOut {
      timeouts.add(1, ordering: .sequentiallyConsistent)
    }
    // Wakes the next waiting thread too.
    semaphore.signal()
  }

  func open() {
    opened.store(true, ordering: .sequentiallyConsistent)
    semaphore.signal()
  }

  /// Waits until a condition holds.
  ///
  /// - Returns: whether it did, before the deadline.
  static func waits(until condition: () -> Bool) async -> Bool {
    let deadline = ContinuousClock.now + .seconds(1800)
    while !condition() {
      if ContinuousClock.now > deadline { return false }
      try? await Task.sleep(for: .milliseconds(1))
    }
    return true
  }
}

/// A counter for several threads.
final class Tally: Sendable {
  private let number = Atomic<Int>(0)
  private let greatest = Atomic<Int>(0)

  var value: Int { number.load(ordering: .sequentiallyConsistent) }

  /// The greatest value that it has had.
  var maximum: Int { greatest.load(ordering: .sequentiallyConsistent) }

  func add(_ amount: Int) {
    let new = number.add(amount, ordering: .sequentiallyConsistent).newValue
    greatest.max(new, ordering: .sequentiallyConsistent)
  }
}

/// A store in memory that allows a number of threads.
final class WideStore: PersistentStore {
  private let memory: MemoryStore
  let maximumBackgroundThreadCount: Int

  private init(_ memory: MemoryStore, _ width: Int) {
    self.memory = memory
    maximumBackgroundThreadCount = width
  }

  var identifier: UUID { memory.identifier }
  var schema: StoreSchema { memory.schema }

  func makeSession() throws -> sending any StoreSession { memory.makeSession() }

  /// A container of the atelier with such a store.
  static func container(width: Int) throws -> PersistentContainer {
    try PersistentContainer(
      model: .atelier,
      store: StoreConfiguration(name: "wide") { WideStore(MemoryStore($0), width) },
      transformers: TestTransformers.atelier)
  }

  /// Many more threads than processors.
  static var manyThreads: Int { ProcessInfo.processInfo.activeProcessorCount + 60 }
}
