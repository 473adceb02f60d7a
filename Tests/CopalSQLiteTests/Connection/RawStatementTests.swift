import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("SQL of the program in a session")
struct RawStatementTests {
  @Test("a statement that runs is ended from another thread")
  func interruption() throws {
    let session = try TestStore().storeTester(StoreModels.sampler()).session
    let interrupt = try #require(session.interrupt)
    let endless = RawStatement([
      .text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    ])
    let ending = Interrupter(interrupt)
    let error = #expect(throws: PersistenceError.self) { try session.fetchRows(of: endless) }
    #expect(error?.code == .interrupted)
    ending.end()
    #expect(try session.fetchRows(of: RawStatement([.text("SELECT 1")])).rows == [[1]])
  }

  @Test("an interrupted write undoes its transaction")
  func interruptedWrite() throws {
    let tester = try TestStore().storeTester(StoreModels.sampler())
    try tester.insert(["text": "a"])
    try tester.session.beginTransaction()
    try tester.insert(["text": "b"])
    let interrupt = try #require(tester.session.interrupt)
    let endless = RawStatement([
      .text("UPDATE "), .table(entity: 0),
      .text(
        """
         SET text = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT max(i) FROM n)
        """),
    ])
    // An interruption can come while the statement is prepared, which has changed nothing yet.
    var lost: PersistenceError?
    for _ in 0..<100 where lost == nil {
      let ending = Interrupter(interrupt)
      let error = #expect(throws: PersistenceError.self) {
        try tester.session.executeUnsafe(endless)
      }
      #expect(error?.code == .interrupted)
      ending.end()
      do { try tester.insert(["text": "c"]) } catch { lost = error as? PersistenceError }
    }
    // SQLite has undone the whole transaction.
    #expect(lost?.code == .transactionLost)
    let end = #expect(throws: PersistenceError.self) { _ = try tester.session.commitTransaction() }
    #expect(end?.code == .transactionLost)
    #expect(try tester.rows().count == 1)
  }

  @Test("preparing with an authorizer leaves other statements as they are")
  func others() throws {
    let tester = try TestStore().storeTester(StoreModels.sampler())
    try tester.insert(["text": "a"])
    for _ in 0..<3 {
      let refused = RawStatement([.text("DELETE FROM "), .table(entity: 0)])
      let error = #expect(throws: PersistenceError.self) {
        try tester.session.fetchRows(of: refused)
      }
      #expect(error?.code == .sqlNotAllowed)
      try tester.insert(["text": "b"])
    }
    #expect(try tester.rows().count == 4)
  }
}

/// Interrupts a session again and again, because its statement may not run yet. It has a thread of
/// its own: the threads of tasks are those that wait for the statements.
private final class Interrupter: Sendable {
  private let isEnded = Locked(false)
  private let hasEnded = DispatchSemaphore(value: 0)

  init(_ interrupt: @escaping @Sendable () -> Void) {
    Thread.detachNewThread { [isEnded, hasEnded] in
      while !isEnded.withLock({ $0 }) {
        interrupt()
        Thread.sleep(forTimeInterval: 0.005)
      }
      hasEnded.signal()
    }
  }

  /// Ends the interruptions. None comes later.
  func end() {
    isEnded.withLock { $0 = true }
    hasEnded.wait()
  }
}
