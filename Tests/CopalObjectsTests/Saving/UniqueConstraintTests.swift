import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Unique constraints")
struct UniqueConstraintTests {
  private func pigments(_ kind: StoreKind) throws -> (ManagedObjectContext, Pigment, Pigment) {
    let context = try TestStore(kind).atelier().makeContext()
    let (ochre, white) = (
      Pigment(context: context, name: "Ochre"), Pigment(context: context, name: "White")
    )
    (ochre.code, white.code) = ("PY43", "PW1")
    try context.save()
    return (context, ochre, white)
  }

  @Test(
    "a save refuses a new object with an existing unique value, and names both ids",
    arguments: bothStores)
  func insert(_ kind: StoreKind) throws {
    let (context, ochre, _) = try pigments(kind)
    let new = Pigment(context: context, name: "Ochre")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    let cause = error?.firstCause
    #expect(error?.code == .saveFailed && cause?.code == .uniqueConflict)
    #expect(cause?.property == "name" && cause?.entity == "Pigment")
    #expect(cause?.objectID == new.objectID && cause?.otherID == ochre.objectID)
  }

  @Test("a save refuses an update to an existing unique value", arguments: bothStores)
  func update(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    white.code = "PY43"
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.firstCause?.property == "code")
    #expect(error?.firstCause?.objectID == white.objectID)
    #expect(error?.firstCause?.otherID == ochre.objectID)
  }

  @Test("a save refuses two new objects with the same unique value", arguments: bothStores)
  func twoNew(_ kind: StoreKind) throws {
    let (context, _, _) = try pigments(kind)
    let (first, second) = (
      Pigment(context: context, name: "Umber"), Pigment(context: context, name: "Umber")
    )
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(
      Set([error?.firstCause?.objectID, error?.firstCause?.otherID])
        == [first.objectID, second.objectID])
  }

  @Test(
    "the error of a large save names the two conflicting objects at any position",
    arguments: bothStores,
    [(0, 1), (3, 4), (30, 70), (99, 100), (118, 119)])
  func many(_ kind: StoreKind, _ pair: (Int, Int)) throws {
    let (context, ochre, _) = try pigments(kind)
    let new = (0..<120).map { Pigment(context: context, name: "Pigment \($0)") }
    new[pair.1].name = new[pair.0].name
    var cause = #expect(throws: PersistenceError.self) { try context.save() }?.firstCause
    #expect(cause?.code == .uniqueConflict)
    #expect(
      Set([cause?.objectID, cause?.otherID])
        == [new[pair.0].objectID, new[pair.1].objectID])
    new[pair.1].name = "Ochre"
    cause = #expect(throws: PersistenceError.self) { try context.save() }?.firstCause
    #expect(cause?.objectID == new[pair.1].objectID && cause?.otherID == ochre.objectID)
    new[pair.1].name = "another"
    try context.save()
    #expect(try context.count(Pigment.self) == 122)
    #expect(new.map(\.objectID.isTemporary).allSatisfy { !$0 })
    let fresh = try context.fetch(Pigment.self, sortedBy: \.name.ascending) { $0.name == "another" }
    #expect(fresh == [new[pair.1]])
  }

  @Test(
    "the error of a save has all conflicts of all entities, of versions and of unique values",
    arguments: bothStores)
  func everything(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let id = UUID()
    Pigment(context: theirs, name: "Ochre").code = "PY43"
    Painting(context: theirs, widthMillimetres: 1, heightMillimetres: 1).id = id
    _ = Painter(context: theirs, name: "Rosa")
    try theirs.save()

    let painter = try #require(try mine.fetch(Painter.self).first)
    painter.prizes = 1
    try theirs.fetch(Painter.self).first?.prizes = 2
    try theirs.save()
    let twin = Pigment(context: mine, name: "Ochre")
    twin.code = "PY43"
    _ = Pigment(context: mine, name: "White")
    let white = Pigment(context: mine, name: "White")
    let painting = Painting(context: mine, widthMillimetres: 1, heightMillimetres: 1)
    painting.id = id
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.code == .saveFailed)
    let causes = (error?.causes ?? []).compactMap { $0 as? PersistenceError }
    #expect(
      causes.map { "\($0.code) \($0.entity ?? "") \($0.property ?? "")" } == [
        "save.conflict Painter ", "save.uniqueConflict Painting id",
        "save.uniqueConflict Pigment name", "save.uniqueConflict Pigment code",
        "save.uniqueConflict Pigment name",
      ])
    #expect(
      causes.map(\.objectID) == [
        painter.objectID, painting.objectID, twin.objectID, twin.objectID, white.objectID,
      ])
    #expect(mine.insertedObjects.count == 4 && painter.isUpdated)
  }

  @Test("the search for conflicts runs only when a save is refused")
  func statements() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    for name in ["Ochre", "White"] { _ = Pigment(context: context, name: name) }
    #expect(
      try store.recorder.statements { try context.save() }.count { $0.hasPrefix("SELECT") } == 3)
    let new = (0..<10).map { Pigment(context: context, name: "Pigment \($0)") }
    new[9].name = "Ochre"
    let statements = store.recorder.statements {
      #expect(throws: PersistenceError.self) { try context.save() }
    }
    // Its constraints are name and code, of which only the name has values.
    #expect(statements.count { $0.contains("<> ?") } == 10)
    #expect(statements.count { $0 == "BEGIN IMMEDIATE" } == 2 && statements.last == "ROLLBACK")
  }

  @Test("a refused save does not affect the next save", arguments: bothStores)
  func next(_ kind: StoreKind) throws {
    let (context, _, white) = try pigments(kind)
    let new = Pigment(context: context, name: "Ochre")
    white.opacity = 0.5
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(new.isInserted && new.objectID.isTemporary && white.isUpdated)
    new.name = "Red ochre"
    try context.save()
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.name.ascending).map(\.name)
        == ["Ochre", "Red ochre", "White"])
    #expect(white.committedValues()["opacity"] as? Double == 0.5)
  }

  @Test("nil never conflicts in a unique constraint", arguments: bothStores)
  func nils(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    (ochre.code, white.code) = (nil, nil)
    _ = Pigment(context: context, name: "Umber")
    try context.save()
    #expect(try context.count(Pigment.self) { $0.code == nil } == 3)
  }

  @Test("two objects can swap unique values in one save", arguments: bothStores)
  func swap(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    (ochre.name, white.name) = (white.name, ochre.name)
    (ochre.code, white.code) = (white.code, ochre.code)
    try context.save()
    context.refreshAllObjects()
    #expect(ochre.name == "White" && ochre.code == "PW1")
    #expect(white.name == "Ochre" && white.code == "PY43")
  }

  @Test("several objects can rotate unique values in one save", arguments: bothStores)
  func ring(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigments = (0..<10).map { Pigment(context: context, name: "Pigment \($0)") }
    try context.save()
    let names = pigments.map(\.name)
    for (index, pigment) in pigments.enumerated() { pigment.name = names[(index + 1) % 10] }
    try context.save()
    #expect(
      try container.makeContext().fetch(Pigment.self).map(\.name)
        == Array(names[1...]) + [names[0]])
  }

  @Test(
    "a new object can use the unique value of a deleted or changed object in the same save",
    arguments: bothStores)
  func reuse(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    context.delete(ochre)
    white.name = "Lead white"
    Pigment(context: context, name: "Ochre").code = "PY43"
    _ = Pigment(context: context, name: "White")
    try context.save()
    #expect(
      try context.fetch(Pigment.self).map(\.name) == ["Lead white", "Ochre", "White"])
  }

  @Test("unique strings are compared by their bytes", arguments: bothStores)
  func bytes(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    for name in ["Ochre", "ochre", "Ochre ", "\u{e9}", "e\u{301}"] {
      _ = Pigment(context: context, name: name)
    }
    try context.save()
    #expect(try context.count(Pigment.self) == 5)
  }
}
