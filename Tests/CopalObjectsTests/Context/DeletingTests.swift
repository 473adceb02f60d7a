import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Deleting")
struct DeletingTests {
  @Test("prepareForDeletion may save, also for a new object", arguments: bothStores)
  func savingHook(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    for number in 0..<200 { Apprentice(context: context).name = "Apprentice \(number)" }
    try context.save()
    let held = try context.fetch(Apprentice.self)
    for _ in 0..<100 {
      let new = Apprentice(context: context)
      new.name = "New"
      new.onPrepareForDeletion = { _ = try? context.save() }
      context.delete(new)
      #expect(new.managedObjectContext == nil)
    }
    try context.save()
    #expect(held.count == 200 && !context.hasChanges)
    #expect(try context.count(Apprentice.self) == 200)
    for apprentice in held { #expect(try context.object(with: apprentice.objectID) === apprentice) }
  }

  @Test("a save in prepareForDeletion leaves out the new object", arguments: bothStores)
  func savingHookOfNewObject(_ kind: StoreKind) throws {
    // After a refused save, a new object has a row.
    for isRefusedBefore in [false, true] {
      let container = try TestStore(kind).studio()
      let context = container.makeContext()
      let emma = Apprentice(context: context, name: "Emma")
      try context.save()
      let other = container.makeContext()
      try other.existingObject(with: emma.objectID, as: Apprentice.self).skill = 9
      try other.save()
      let paul = Apprentice(context: context, name: "Paul")
      emma.skill = 5
      if isRefusedBefore { #expect(throws: PersistenceError.self) { try context.save() } }
      try context.refresh(emma, mergeChanges: true)
      _ = paul.takeHeard()
      paul.onPrepareForDeletion = { #expect(throws: Never.self) { try context.save() } }
      context.delete(paul)
      #expect(paul.takeHeard() == ["prepareForDeletion"])
      #expect(!context.hasChanges && paul.managedObjectContext == nil)
      #expect(try container.makeContext().fetch(Apprentice.self).map(\.skill) == [5])
    }
  }

  @Test("a rollback in prepareForDeletion undoes the deletion", arguments: bothStores)
  func rollbackInHook(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let (paul, emma) = (
      Apprentice(context: context, name: "Paul"), Apprentice(context: context, name: "Emma")
    )
    try context.save()
    paul.skill = 4
    for apprentice in [paul, emma] {
      apprentice.onPrepareForDeletion = { context.rollback() }
      context.delete(apprentice)
      #expect(!apprentice.isDeleted && !context.hasChanges)
    }
    try context.save()
    #expect(try context.count(Apprentice.self) == 2)
  }

  @Test("a deleted object is removed from the store by the next save", arguments: bothStores)
  func saved(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    context.delete(painter)
    #expect(painter.isDeleted && context.hasChanges)
    #expect(try context.fetch(Painter.self).isEmpty)
    #expect(try container.makeContext().count(Painter.self) == 1)
    try context.save()
    #expect(try container.makeContext().count(Painter.self) == 0)
    #expect(painter.name == "Rosa" && painter.isDeleted)
    #expect(painter.managedObjectContext == nil && !painter.hasChanges)
    #expect(throws: PersistenceError.self) { try context.existingObject(with: painter.objectID) }
  }

  @Test("deleting an object twice is the same as deleting it once", arguments: bothStores)
  func twice(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    try context.save()
    _ = apprentice.takeHeard()
    context.delete(apprentice)
    context.delete(apprentice)
    #expect(apprentice.takeHeard() == ["prepareForDeletion"])
    try context.save()
    context.delete(apprentice)
    #expect(!context.hasChanges)
    try context.save()
  }

  @Test("a new object that is deleted is never written", arguments: bothStores)
  func inserted(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    let id = painter.objectID
    context.delete(painter)
    #expect(!context.hasChanges && !painter.isInserted && painter.managedObjectContext == nil)
    #expect(context.insertedObjects.isEmpty && context.deletedObjects.isEmpty)
    #expect(try context.fetch(Painter.self).isEmpty)
    #expect(throws: PersistenceError.self) { try context.object(with: id) }
    painter.name = "Still readable"
    #expect(painter.name == "Still readable" && !context.hasChanges)
    try context.save()
    #expect(try context.count(Painter.self) == 0)
  }

  @Test("changing a deleted object does not bring it back", arguments: bothStores)
  func changed(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    context.delete(painter)
    painter.name = ""
    #expect(context.updatedObjects.isEmpty && context.deletedObjects == [painter])
    try context.save()
    painter.name = "Rosa"
    #expect(!context.hasChanges)
    try context.save()
    #expect(try context.count(Painter.self) == 0)
  }

  @Test("a changed object that is deleted is deleted, whatever its values", arguments: bothStores)
  func changedBefore(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    painter.name = ""
    context.delete(painter)
    try context.save()
    #expect(try context.count(Painter.self) == 0)
  }

  @Test(
    "a fault can be deleted, and a fault without a row needs no deletion", .modelAsIs,
    arguments: bothStores)
  func faults(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painters = ["Rosa", "Berthe"].map { Painter(context: other, name: $0) }
    try other.save()
    let faults = try painters.map { try mine.object(with: $0.objectID) }
    other.delete(painters[1])
    try other.save()
    for fault in faults { mine.delete(fault) }
    #expect(mine.deletedObjects == [faults[0]])
    #expect(faults.allSatisfy { $0.isDeleted })
    try mine.save()
    #expect(try other.count(Painter.self) == 0)
  }

  @Test("the save throws for a deleted fault that cannot be read")
  func unreadable() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .atelier, store: outage.configuration, transformers: TestTransformers.atelier)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: other, name: "Rosa")
    try other.save()
    let fault = try mine.object(with: painter.objectID)
    outage.isDown = true
    mine.delete(fault)
    outage.isDown = false
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.incompleteObject])
    try mine.refresh(fault, mergeChanges: false)
    mine.delete(fault)
    try mine.save()
    #expect(try other.count(Painter.self) == 0)
  }

  @Test("hooks that delete each other's objects end", arguments: bothStores)
  func ring(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let (paul, emma) = (
      Apprentice(context: context, name: "Paul"), Apprentice(context: context, name: "Emma")
    )
    paul.onPrepareForDeletion = { context.delete(emma) }
    emma.onPrepareForDeletion = { context.delete(paul) }
    try context.save()
    _ = (paul.takeHeard(), emma.takeHeard())
    context.delete(paul)
    #expect(paul.takeHeard() == ["prepareForDeletion"])
    #expect(emma.takeHeard() == ["prepareForDeletion"])
    try context.save()
    #expect(try context.count(Apprentice.self) == 0)
  }

  @Test("an invalid deletion is refused, and nothing is deleted", arguments: bothStores)
  func invalid(_ kind: StoreKind) throws {
    struct StillNeeded: Error {}
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let paul = Apprentice(context: context, name: "Paul")
    try context.save()
    paul.onValidate = { throw StillNeeded() }
    context.delete(paul)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.validationFailed])
    #expect(error?.firstCause?.causes.first is StillNeeded)
    #expect(try container.makeContext().count(Apprentice.self) == 1)
    context.rollback()
    #expect(!paul.isDeleted && !context.hasChanges)
  }
}
