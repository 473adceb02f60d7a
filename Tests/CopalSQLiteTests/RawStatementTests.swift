import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("SQL of the program in a session")
struct RawStatementTests {
  @Test("a statement that runs is ended from another thread")
  func interruption() async throws {
    let session = try TestStore().storeTester(StoreModels.sampler()).session
    let interrupt = try #require(session.interrupt)
    let endless = RawStatement([
      .text("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n")
    ])
    let ending = Task.detached {
      // Again and again, because the statement may not run yet.
      while !Task.isCancelled {
        interrupt()
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    let error = #expect(throws: PersistenceError.self) { try session.fetchRows(of: endless) }
    #expect(error?.code == .interrupted)
    ending.cancel()
    await ending.value
    #expect(try session.fetchRows(of: RawStatement([.text("SELECT 1")])).rows == [[1]])
  }

  @Test("an interrupted write undoes its transaction")
  func interruptedWrite() async throws {
    let tester = try TestStore().storeTester(StoreModels.sampler())
    try tester.insert(["text": "a"])
    try tester.session.beginTransaction()
    try tester.insert(["text": "b"])
    let interrupt = try #require(tester.session.interrupt)
    let ending = Task.detached {
      while !Task.isCancelled {
        interrupt()
        try? await Task.sleep(for: .milliseconds(5))
      }
    }
    let endless = RawStatement([
      .text("UPDATE "), .table(entity: 0),
      .text(
        """
         SET text = (WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n)
         SELECT max(i) FROM n)
        """),
    ])
    let error = #expect(throws: PersistenceError.self) {
      try tester.session.executeUnsafe(endless)
    }
    #expect(error?.code == .interrupted)
    ending.cancel()
    await ending.value
    // SQLite has undone the whole transaction.
    let lost = #expect(throws: PersistenceError.self) { try tester.insert(["text": "c"]) }
    #expect(lost?.code == .transactionLost)
    let end = #expect(throws: PersistenceError.self) { try tester.session.commitTransaction() }
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
