import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Rollback, refresh and reset")
struct RollbackAndRefreshTests {
  private func saved(_ kind: StoreKind) throws -> (
    PersistentContainer, ManagedObjectContext, Painter
  ) {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    return (container, context, painter)
  }

  @Test("a rollback undoes every change", arguments: bothStores)
  func rollback(_ kind: StoreKind) throws {
    let (_, context, painter) = try saved(kind)
    let deleted = Painter(context: context, name: "Berthe")
    try context.save()
    painter.name = "Changed"
    painter.email = "x@example.com"
    context.delete(deleted)
    let new = Painter(context: context, name: "New")
    context.rollback()
    #expect(!context.hasChanges)
    #expect(painter.name == "Rosa" && painter.email == nil && !painter.isUpdated)
    #expect(!deleted.isDeleted && !new.isInserted && new.managedObjectContext == nil)
    #expect(try context.fetch(Painter.self) == [painter, deleted])
    #expect(throws: PersistenceError.self) { try context.existingObject(with: new.objectID) }
    painter.name = "Changed again"
    try context.save()
    #expect(try context.count(Painter.self) { $0.name == "Changed again" } == 1)
  }

  @Test("a rollback restores transients that awakeFromFetch sets", arguments: bothStores)
  func rollbackTransients(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    _ = Apprentice(context: filling, name: "Paul")
    try filling.save()
    let context = container.makeContext()
    let apprentice = try #require(try context.fetch(Apprentice.self).first)
    apprentice.mood = "tired"
    apprentice.name = "Emma"
    context.rollback()
    #expect(apprentice.mood == "fresh" && apprentice.name == "Paul" && !context.hasChanges)
  }

  @Test(
    "a refresh without merging discards changes, and the object is read again when needed",
    arguments: bothStores)
  func refresh(_ kind: StoreKind) throws {
    let (container, context, painter) = try saved(kind)
    let other = container.makeContext()
    try #require(try other.fetch(Painter.self).first).name = "Rosa Bonheur"
    try other.save()
    painter.email = "lost@example.com"
    try context.refresh(painter, mergeChanges: false)
    #expect(painter.isFault && !context.hasChanges)
    #expect(painter.name == "Rosa Bonheur" && painter.email == nil)
    painter.email = "kept@example.com"
    try context.save()
    #expect(try other.count(Painter.self) { $0.email == "kept@example.com" } == 1)
  }

  @Test("a rollback does not change an object without changes", arguments: bothStores)
  func rollbackOfUnchanged(_ kind: StoreKind) throws {
    let (_, context, painter) = try saved(kind)
    painter.prizes = 5
    try context.refresh(painter, mergeChanges: false)
    try painter.setPrimitiveValue("primitive@example.com", forKey: "email")
    context.rollback()
    #expect(painter.email == "primitive@example.com" && !context.hasChanges)
  }

  @Test(
    "a refresh with merging keeps changes over the store's current values",
    arguments: bothStores)
  func merge(_ kind: StoreKind) throws {
    let (container, context, painter) = try saved(kind)
    let other = container.makeContext()
    let theirs = try #require(try other.fetch(Painter.self).first)
    (theirs.name, theirs.prizes) = ("Theirs", 7)
    try other.save()
    painter.name = "Mine"
    try context.refresh(painter, mergeChanges: true)
    #expect(painter.name == "Mine" && painter.prizes == 7 && painter.isUpdated)
    #expect(painter.committedValues()["name"] as? String == "Theirs")
    try context.save()
    #expect(try container.makeContext().fetch(Painter.self).first?.name == "Mine")
  }

  @Test(
    "a refresh undoes a deletion, and a refresh with merging keeps it",
    arguments: bothStores)
  func deleted(_ kind: StoreKind) throws {
    let (_, context, painter) = try saved(kind)
    context.delete(painter)
    try context.refresh(painter, mergeChanges: true)
    #expect(painter.isDeleted)
    try context.refresh(painter, mergeChanges: false)
    #expect(!painter.isDeleted && !context.hasChanges)
    try context.save()
    #expect(try context.count(Painter.self) == 1)
  }

  @Test("a refresh does not change a new object", arguments: bothStores)
  func inserted(_ kind: StoreKind) throws {
    let (_, context, _) = try saved(kind)
    let new = Painter(context: context, name: "New")
    try context.refresh(new, mergeChanges: false)
    try context.refresh(new, mergeChanges: true)
    #expect(new.name == "New" && new.isInserted)
  }

  @Test("a refresh with merging throws when the row does not exist", arguments: bothStores)
  func gone(_ kind: StoreKind) throws {
    let (container, context, painter) = try saved(kind)
    let other = container.makeContext()
    try other.delete(other.existingObject(with: painter.objectID))
    try other.save()
    let error = #expect(throws: PersistenceError.self) {
      try context.refresh(painter, mergeChanges: true)
    }
    #expect(error?.code == .objectMissing && painter.name == "Rosa" && painter.isDeleted)
  }

  @Test("refreshAllObjects turns unchanged objects into faults", arguments: bothStores)
  func refreshAll(_ kind: StoreKind) throws {
    let (container, context, painter) = try saved(kind)
    let changed = Painter(context: context, name: "Berthe")
    try context.save()
    changed.name = "Mine"
    let other = container.makeContext()
    for painter in try other.fetch(Painter.self) { painter.name += " of others" }
    try other.save()
    context.refreshAllObjects()
    #expect(painter.isFault && painter.name == "Rosa of others")
    #expect(!changed.isFault && changed.name == "Mine" && changed.isUpdated)
  }

  @Test("after refreshAllObjects a value that could not be read is read again")
  func retries() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
    container.readFailureHandler = { _ in }
    let filling = container.makeContext()
    let id = { [painter = Painter(context: filling, name: "Rosa")] in painter.objectID }
    try filling.save()
    let context = container.makeContext()
    let fault = try context.object(with: id(), as: Painter.self)
    #expect(try context.count(Painter.self) == 1)
    outage.isDown = true
    #expect(fault.name == "")
    outage.isDown = false
    #expect(fault.name == "")
    context.refreshAllObjects()
    #expect(fault.name == "Rosa")
  }

  @Test(
    "a reset removes all objects from the context; the objects keep their values",
    arguments: bothStores)
  func reset(_ kind: StoreKind) throws {
    let (_, context, painter) = try saved(kind)
    painter.name = "Changed"
    let new = Painter(context: context, name: "New")
    let fault = try context.object(with: painter.objectID)
    context.reset()
    #expect(!context.hasChanges && context.registeredObjects.isEmpty)
    #expect(painter === fault && painter.name == "Changed" && new.name == "New")
    #expect(painter.managedObjectContext == nil && new.managedObjectContext == nil)
    painter.name = "Nobody listens"
    #expect(!context.hasChanges)
    let again = try #require(try context.fetch(Painter.self).first)
    #expect(again !== painter && again.objectID == painter.objectID && again.name == "Rosa")
  }

  @Test(
    "refreshing or deleting an object from before a reset has no effect",
    arguments: bothStores)
  func afterReset(_ kind: StoreKind) throws {
    let (_, context, painter) = try saved(kind)
    context.reset()
    try context.refresh(painter, mergeChanges: true)
    try context.refresh(painter, mergeChanges: false)
    context.delete(painter)
    #expect(painter.name == "Rosa" && !context.hasChanges)
    #expect(try context.count(Painter.self) == 1)
  }
}
