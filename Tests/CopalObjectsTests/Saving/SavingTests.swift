import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Saving")
struct SavingTests {
  @Test("an unchanged context sends no statement")
  func unchanged() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa Bonheur")
    try context.save()
    #expect(try store.recorder.statements { try context.save() } == [])
    _ = painter.name
    #expect(try store.recorder.statements { try context.save() } == [])
    // Inserted and deleted again: there is nothing to save.
    context.delete(Painter(context: context, name: "Nobody"))
    #expect(!context.hasChanges)
    #expect(try store.recorder.statements { try context.save() } == [])
  }

  @Test("one statement gives many neighbors the same value, or deletes them", .modelAsIs)
  func neighbors() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    let painters = (0..<40).map { Painter(context: context, name: "\($0)") }
    try context.save()
    func writes() throws -> [String] {
      try store.recorder.statements { try context.save() }.filter {
        $0.hasPrefix("UPDATE") || $0.hasPrefix("DELETE")
      }
    }
    for painter in painters { painter.prizes = 3 }
    let update = """
      UPDATE "Painter" SET "copal_version" = ?, "prizes" = ? \
      WHERE "copal_id" BETWEEN ? AND ? AND "copal_version" = ?
      """
    #expect(try writes() == [update])
    // Fewer than 16 neighbors, and one in between with another value.
    for painter in painters { painter.prizes = painter === painters[10] ? 5 : 4 }
    #expect(try writes().count == 12)
    #expect(try store.sqlite3("SELECT sum(prizes), max(prizes) FROM Painter") == "161|5")
    #expect(try store.sqlite3("SELECT DISTINCT copal_version FROM Painter") == "3")
    for painter in painters { context.delete(painter) }
    #expect(
      try writes() == [
        """
        DELETE FROM "Painter" WHERE "copal_id" BETWEEN ? AND ? AND "copal_version" = ?
        """
      ])
    #expect(try context.count(Painter.self) == 0)
  }

  @Test("setting a property to its current value calls the hooks and writes nothing", .modelAsIs)
  func sameValue() throws {
    let store = try TestStore()
    let context = try store.studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    try context.save()
    _ = apprentice.takeHeard()
    apprentice.name = "Paul"
    #expect(context.hasChanges && apprentice.changedValues().isEmpty)
    #expect(try store.recorder.statements { try context.save() } == [])
    #expect(apprentice.takeHeard() == ["willSave", "validateForUpdate", "didSave"])
    #expect(!context.hasChanges)
    #expect(try store.sqlite3("SELECT copal_version FROM Apprentice") == "1")
  }

  @Test(
    "a property that was set to its current value takes the value that another context saves",
    arguments: bothStores)
  func sameValueIsForgotten(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: mine, name: "Rosa")
    try mine.save()
    painter.name = "Rosa"
    try mine.save()

    try #require(try other.fetch(Painter.self).first).name = "Berthe"
    try other.save()
    mine.refreshAllObjects()
    #expect(painter.name == "Berthe")
    painter.prizes = 1
    try mine.save()
    #expect(try container.makeContext().fetch(Painter.self).first?.name == "Berthe")
  }

  @Test("an update writes the changed columns and no other")
  func changedColumns() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ultramarine")
    pigment.color = .blue
    try context.save()
    pigment.opacity = 0.5
    pigment.name = "Ultramarine"
    let statements = try store.recorder.statements { try context.save() }
    let updates = statements.filter { $0.hasPrefix("UPDATE") }
    #expect(updates.count == 1)
    #expect(updates.first?.contains("\"opacity\"") == true)
    for name in ["name", "color", "price", "spectrum"] {
      #expect(updates.first?.contains("\"\(name)\"") == false)
    }
  }

  @Test(
    "insertedObjects, updatedObjects and deletedObjects are what the next save writes",
    arguments: bothStores)
  func sets(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let kept = Painter(context: context, name: "Kept")
    let changed = Painter(context: context, name: "Changed")
    let deleted = Painter(context: context, name: "Deleted")
    #expect(context.insertedObjects == [kept, changed, deleted])
    try context.save()
    let new = Painter(context: context, name: "New")
    changed.prizes = 1
    deleted.prizes = 2
    context.delete(deleted)
    #expect(context.insertedObjects == [new])
    #expect(context.updatedObjects == [changed])
    #expect(context.deletedObjects == [deleted])
    #expect(context.registeredObjects == [kept, changed, deleted, new])
    try context.save()
    #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty)
    #expect(context.deletedObjects.isEmpty && !context.hasChanges)
    #expect(context.registeredObjects == [kept, changed, new])
  }

  @Test(
    "changedValues has the values that differ, committedValues the stored values",
    arguments: bothStores)
  func values(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    #expect(Set(painter.changedValues().keys) == ["name", "joined", "prizes"])
    #expect(painter.committedValues().isEmpty)
    try context.save()
    #expect(painter.changedValues().isEmpty)
    painter.name = "Rosa Bonheur"
    painter.email = "rosa@example.com"
    painter.prizes = 0
    #expect(Set(painter.changedValues().keys) == ["name", "email"])
    #expect(painter.changedValues()["name"] as? String == "Rosa Bonheur")
    #expect(painter.committedValues()["name"] as? String == "Rosa")
    #expect(painter.committedValues()["email"].map { $0 == nil } == true)
    #expect(painter.committedValues()["prizes"] as? Int16 == 0)
    painter.email = nil
    #expect(Set(painter.changedValues().keys) == ["name"])
  }

  @Test(
    "two strings that look the same and have different bytes are different values",
    arguments: bothStores)
  func normalForms(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Andr\u{e9}")
    try context.save()
    painter.name = "Andre\u{301}"
    #expect(Set(painter.changedValues().keys) == ["name"])
    try context.save()
    let found = try #require(try container.makeContext().fetch(Painter.self).first)
    #expect(Array(found.name.utf8) == Array("Andre\u{301}".utf8))
  }

  @Test("a transformable counts as changed when its stored form does", arguments: bothStores)
  func transformables(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Lead white")
    pigment.color = .white
    try context.save()
    pigment.color = .white
    #expect(pigment.changedValues().isEmpty)
    pigment.color = .red
    #expect(pigment.changedValues()["color"] as? SerializableColor == .red)
    #expect(pigment.committedValues()["color"] as? SerializableColor == .white)
    pigment.color = nil
    #expect(pigment.changedValues()["color"].map { $0 == nil } == true)
    try context.save()
    #expect(pigment.color == nil && pigment.committedValues()["color"].map { $0 == nil } == true)
  }

  @Test(
    "a save that fails because of the file system keeps every change, and the next save succeeds")
  func outage() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
    let context = container.makeContext()
    let kept = Painter(context: context, name: "Kept")
    let deleted = Painter(context: context, name: "Deleted")
    try context.save()
    kept.name = "Renamed"
    context.delete(deleted)
    let new = Painter(context: context, name: "New")
    outage.isDown = true
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .inputOutput)
    #expect(kept.isUpdated && deleted.isDeleted && new.isInserted && new.objectID.isTemporary)
    #expect(kept.name == "Renamed")
    outage.isDown = false
    try context.save()
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Renamed", "New"])
  }
}
