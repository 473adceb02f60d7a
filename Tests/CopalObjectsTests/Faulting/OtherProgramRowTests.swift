import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Rows that another program has written")
struct OtherProgramRowTests {
  private let store: TestStore
  private let container: PersistentContainer

  init() throws {
    store = try TestStore()
    container = try store.atelier()
    let filling = container.makeContext()
    for number in 1...5 { _ = Painter(context: filling, name: "Painter \(number)") }
    try filling.save()
  }

  private func faults() throws -> (ManagedObjectContext, [Painter]) {
    let context = container.makeContext()
    var request = Painter.fetchRequest()
    request.returnsObjectsAsFaults = true
    return (context, try context.fetch(request))
  }

  // MARK: Versions

  @Test(
    "an object whose row has any valid version can be saved and read again", .modelAsIs,
    arguments: [
      (.max - 1, [1, 2, 3]), (.max - 2, [.max - 1, 1, 2]), (0, [1, 2, 3]),
    ] as [(Int64, [Int64])])
  func greatestVersion(version: Int64, following: [Int64]) throws {
    _ = try store.sqlite3("UPDATE Painter SET copal_version = \(version)")
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let painter = try #require(try mine.fetch(Painter.self).first)
    for (round, next) in following.enumerated() {
      painter.prizes = Int16(round + 1)
      try mine.save()
      #expect(
        try store.sqlite3("SELECT copal_version FROM Painter WHERE copal_id = 1") == "\(next)")
      #expect(try container.makeContext().fetch(Painter.self).first?.prizes == painter.prizes)
    }
    // A change by another context is still a conflict.
    let other = try #require(try theirs.fetch(Painter.self).first)
    painter.prizes = 50
    try mine.save()
    other.prizes = 60
    let error = #expect(throws: PersistenceError.self) { try theirs.save() }
    #expect(error?.causeCodes == [.conflict])
  }

  @Test(
    "a row with an invalid version fails alone among its neighbors, and the error has its key",
    .modelAsIs)
  func oneOfABatch() throws {
    _ = try store.sqlite3("UPDATE Painter SET copal_version = 'x' WHERE copal_id = 3")
    let (context, painters) = try faults()
    var reported: [PersistenceError] = []
    context.readFailureHandler = { reported.append($0) }
    let statements = store.recorder.statements {
      #expect(painters[0].name == "Painter 1")
      #expect(painters[4].name == "Painter 5")
      #expect(reported.isEmpty)
      for _ in 0..<2 { #expect(painters[2].name == "" && painters[2].prizes == 0) }
    }
    #expect(statements.count == 1)
    #expect(reported.map(\.code) == [.typeMismatch])
    #expect(reported.first?.objectID == painters[2].objectID)
    #expect(
      reported.first.map { "\($0)" }
        == "Painter.copal_version of Painter p3 contains TEXT instead of a number from 0 to 9223372036854775806; another program wrote it; correct the value in the store [object.typeMismatch]"
    )
    let error = #expect(throws: PersistenceError.self) { try painters[2].value(forKey: "name") }
    #expect(error?.code == .typeMismatch && error?.objectID == painters[2].objectID)

    // No placeholder is saved, and a repaired row is readable again.
    painters[2].prizes = 1
    painters[1].prizes = 1
    #expect(
      #expect(throws: PersistenceError.self) { try context.save() }?.causeCodes == [
        .incompleteObject
      ])
    _ = try store.sqlite3("UPDATE Painter SET copal_version = 7 WHERE copal_id = 3")
    try context.refresh(painters[2], mergeChanges: true)
    try context.save()
    #expect(try store.sqlite3("SELECT prizes FROM Painter") == "0\n1\n1\n0\n0")
  }

  @Test(
    "a fetch gives every row; an unreadable row becomes an object that reports the failure",
    .modelAsIs)
  func fetched() throws {
    _ = try store.sqlite3("UPDATE Painter SET copal_version = -4 WHERE copal_id = 2")
    let context = container.makeContext()
    var reported: [PersistenceError] = []
    context.readFailureHandler = { reported.append($0) }
    let painters = try context.fetch(Painter.self, sortedBy: \.name.descending)
    #expect(painters.map(\.objectID.description).map { $0.suffix(1) } == ["5", "4", "3", "2", "1"])
    #expect(painters.map(\.name) == ["Painter 5", "Painter 4", "Painter 3", "", "Painter 1"])
    #expect(reported.map(\.objectID) == [painters[3].objectID])
    #expect(throws: PersistenceError.self) { try context.fulfill(painters) }
    #expect(throws: PersistenceError.self) {
      try context.refresh(painters[3], mergeChanges: true)
    }
    #expect(throws: PersistenceError.self) {
      try container.makeContext().existingObject(with: painters[3].objectID)
    }
  }

  @Test("an object with values keeps them when its row becomes unreadable", .modelAsIs)
  func already() throws {
    let context = container.makeContext()
    let painters = try context.fetch(Painter.self)
    _ = try store.sqlite3("UPDATE Painter SET copal_version = -4 WHERE copal_id = 2")
    #expect(try context.fetch(Painter.self) == painters)
    #expect(painters[1].name == "Painter 2")
    #expect(throws: PersistenceError.self) { try context.refresh(painters[1], mergeChanges: true) }
    #expect(painters[1].name == "Painter 2")
    painters[1].prizes = 3
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.typeMismatch])
    #expect(error?.firstCause?.objectID == painters[1].objectID)
  }
}
