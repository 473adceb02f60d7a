import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Batches: inserting")
struct BatchInsertTests {
  @Test("inserts objects with defaults, and returns their ids", arguments: bothStores)
  func insert(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let ids = try context.insertAll(Pigment.self, from: ["Ochre", "Umber"]) { pigment, name in
      pigment.name.set(to: name)
      if name == "Umber" { pigment.price.set(to: 3) }
    }
    #expect(!context.hasChanges && ids.count == 2)
    let found = try context.objects(with: ids, as: Pigment.self)
    #expect(found.map(\.name) == ["Ochre", "Umber"] && found.map(\.price) == [12.5, 3])
    #expect(found.allSatisfy { $0.isLightfast })
    try context.insertAll("Pigment", [["name": "Woad", "price": 1]])
    let other = container.makeContext()
    #expect(try other.fetch(Pigment.self).map(\.name) == ["Ochre", "Umber", "Woad"])
    found[0].price = 2
    try context.save()
  }

  @Test("checks the rules of every object, and writes all of them or none", arguments: bothStores)
  func rules(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    try context.insertAll("Pigment", [["name": "Ochre"]])
    func error(_ rows: [[String: PropertyValue]]) -> PersistenceError? {
      #expect(throws: PersistenceError.self) { try context.insertAll("Pigment", rows) }
    }
    #expect(error([["name": "Umber"], ["price": 1]])?.code == .required)
    let both = error([["name": ""], ["name": "Umber", "price": -1]])
    #expect(both?.code == .batchFailed && both?.causeCodes == [.tooShort, .belowMinimum])
    let unique = error([["name": "Umber"], ["name": "Ochre"]])
    #expect(unique?.code == .uniqueConflict && unique?.otherID?.key == 1)
    #expect(try context.count(Pigment.self) == 1)
    let ticket = #expect(throws: PersistenceError.self) {
      try TestStore(kind).gallery().makeContext().insertAll("Ticket", [[:]])
    }
    #expect(ticket?.code == .required && ticket?.property == "museum")
  }

  @Test("an upsert inserts new keys and updates stored ones", arguments: bothStores)
  func upsert(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (context, other) = (container.makeContext(), container.makeContext())
    try context.insertAll("Pigment", [["name": "Ochre", "price": 1, "code": "PY43"]])
    let theirs = try #require(try other.fetch(Pigment.self).first)
    let lines: [(name: String, price: Decimal)] = [("Umber", 2), ("Ochre", 5), ("Umber", 7)]
    let result = try context.upsertAll(Pigment.self, from: lines, on: \.name) { pigment, line in
      pigment.name.set(to: line.name)
      pigment.price.set(to: line.price)
    }
    #expect(result.inserted.map(\.key) == [2] && result.updated.map(\.key) == [1])
    let found = try context.fetch(Pigment.self)
    #expect(found.map(\.name) == ["Ochre", "Umber"] && found.map(\.price) == [5, 7])
    #expect(found.map(\.code) == ["PY43", nil], "only given values are written")
    #expect(try other.existingObject(with: theirs.objectID) === theirs && theirs.price == 5)
    // Keys are not used twice.
    let next = Pigment(context: context, name: "Woad")
    try context.save()
    #expect(next.objectID.key == 3)
  }

  @Test("an upsert with a null in its key inserts", arguments: bothStores)
  func upsertNull(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let result = try context.upsertAll(
      "Pigment", [["name": "A"], ["name": "B"], ["name": "C", "code": "PB29"]], on: ["code"])
    #expect(result.inserted.count == 3)
  }

  @Test("an upsert that breaks another constraint is refused", arguments: bothStores)
  func upsertConflict(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    try context.insertAll(
      "Pigment", [["name": "A", "code": "PB1"], ["name": "B", "code": "PB2"]])
    let error = #expect(throws: PersistenceError.self) {
      try context.upsertAll("Pigment", [["name": "A", "code": "PB2"]], on: ["code"])
    }
    #expect(error?.code == .uniqueConflict && error?.property == "name")
    #expect(try context.fetch(Pigment.self).map(\.name) == ["A", "B"])
    let none = #expect(throws: PersistenceError.self) {
      try context.upsertAll("Pigment", [["name": "A"]], on: ["price"])
    }
    #expect(none?.code == .batchNoConstraint && none?.expected == "name; code")
  }

  @Test("a batch refuses what is pending", arguments: bothStores)
  func pending(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    _ = Pigment(context: context, name: "Ochre")
    for batch in [
      { try _ = context.insertAll("Pigment", [["name": "A"]]) },
      { try _ = context.upsertAll("Pigment", [["name": "A"]], on: ["name"]) },
    ] {
      let error = #expect(throws: PersistenceError.self) { try batch() }
      #expect(error?.code == .batchPendingChanges)
    }
  }
}
