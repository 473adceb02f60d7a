import Copal
import CopalTestSupport
import Testing

@Suite("Hooks of a save")
struct SaveHookTests {
  private func saved(_ kind: StoreKind) throws -> (ManagedObjectContext, Apprentice, Apprentice) {
    let context = try TestStore(kind).studio().makeContext()
    let (paul, emma) = (
      Apprentice(context: context, name: "Paul"), Apprentice(context: context, name: "Emma")
    )
    try context.save()
    _ = (paul.takeHeard(), emma.takeHeard())
    return (context, paul, emma)
  }

  @Test("each hook is called once a save, in a fixed order", arguments: bothStores)
  func order(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let paul = Apprentice(context: context, name: "Paul")
    try context.save()
    #expect(paul.takeHeard() == ["awakeFromInsert", "willSave", "validateForInsert", "didSave"])
    paul.skill = 1
    try context.save()
    #expect(paul.takeHeard() == ["willSave", "validateForUpdate", "didSave"])
    context.delete(paul)
    try context.save()
    #expect(paul.takeHeard() == ["prepareForDeletion", "willSave", "validateForDelete", "didSave"])
  }

  @Test(
    "willSave may change its own and other objects, whose hooks are called too, and which are saved",
    arguments: bothStores)
  func changesOthers(_ kind: StoreKind) throws {
    let (context, paul, emma) = try saved(kind)
    paul.onWillSave = {
      paul.skill += 1
      emma.task = "help Paul"
    }
    paul.task = "gild"
    try context.save()
    #expect(paul.skill == 1 && !context.hasChanges)
    #expect(emma.takeHeard() == ["willSave", "validateForUpdate", "didSave"])
    #expect(emma.committedValues()["task"] as? String == "help Paul")
  }

  @Test("willSave may insert and delete objects", arguments: bothStores)
  func insertsAndDeletes(_ kind: StoreKind) throws {
    let (context, paul, emma) = try saved(kind)
    paul.onWillSave = {
      paul.onWillSave = {}
      _ = Apprentice(context: context, name: "Successor")
      context.delete(emma)
    }
    paul.skill = 2
    try context.save()
    #expect(try context.fetch(Apprentice.self).map(\.name) == ["Paul", "Successor"])
    #expect(emma.takeHeard() == ["prepareForDeletion", "willSave", "validateForDelete", "didSave"])
  }

  @Test(
    "willSave of an object that is inserted after a rollback comes before its validation",
    arguments: bothStores)
  func insertsAfterRollback(_ kind: StoreKind) throws {
    let (context, paul, emma) = try saved(kind)
    var successor: Apprentice?
    paul.onWillSave = {
      context.rollback()
      successor = Apprentice(context: context, name: "Successor")
    }
    (paul.skill, emma.skill) = (2, 3)
    try context.save()
    #expect(
      successor?.takeHeard() == ["awakeFromInsert", "willSave", "validateForInsert", "didSave"])
    #expect(try context.fetch(Apprentice.self).map(\.skill) == [0, 0, 0])
  }

  @Test("a willSave that inserts an object in every call is stopped", arguments: bothStores)
  func endless(_ kind: StoreKind) throws {
    let (context, paul, _) = try saved(kind)
    func multiply(_ apprentice: Apprentice) {
      apprentice.onWillSave = { multiply(Apprentice(context: context, name: "Another")) }
    }
    multiply(paul)
    paul.skill = 1
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .endlessHooks)
    #expect(paul.isUpdated)
    context.rollback()
    #expect(try context.count(Apprentice.self) == 2)
  }

  @Test("changes that didSave makes belong to the next save", arguments: bothStores)
  func didSaveChanges(_ kind: StoreKind) throws {
    let (context, paul, emma) = try saved(kind)
    paul.onDidSave = {
      paul.onDidSave = {}
      emma.skill = 9
    }
    paul.skill = 1
    try context.save()
    #expect(context.updatedObjects == [emma])
    try context.save()
    #expect(!context.hasChanges && emma.committedValues()["skill"] as? Int32 == 9)
  }

  @Test("didSave may call save", arguments: bothStores)
  func didSaveSaves(_ kind: StoreKind) throws {
    let (context, paul, emma) = try saved(kind)
    paul.onDidSave = {
      paul.onDidSave = {}
      emma.skill = 9
      _ = try? context.save()
    }
    paul.skill = 1
    try context.save()
    #expect(!context.hasChanges)
    #expect(emma.committedValues()["skill"] as? Int32 == 9)
  }

  @Test(
    "changes of a validation hook in other objects are checked and saved, after their hooks are called",
    arguments: bothStores)
  func validationChanges(_ kind: StoreKind) throws {
    let (context, paul, emma) = try saved(kind)
    paul.onValidate = {
      paul.onValidate = {}
      emma.skill = 5
      _ = Apprentice(context: context, name: "Late")
    }
    paul.skill = 1
    try context.save()
    #expect(!context.hasChanges)
    #expect(emma.takeHeard() == ["willSave", "validateForUpdate", "didSave"])
    context.refreshAllObjects()
    #expect(emma.skill == 5)
    #expect(try context.fetch(Apprentice.self).map(\.name) == ["Paul", "Emma", "Late"])
  }

  @Test(
    "a willSave that rolls back leaves nothing to save, and is called again in the next save",
    arguments: bothStores)
  func willSaveRollsBack(_ kind: StoreKind) throws {
    let (context, paul, _) = try saved(kind)
    paul.onWillSave = { context.rollback() }
    paul.skill = 1
    try context.save()
    #expect(paul.skill == 0 && !context.hasChanges)
    paul.onWillSave = {}
    _ = paul.takeHeard()
    paul.skill = 2
    try context.save()
    #expect(paul.takeHeard() == ["willSave", "validateForUpdate", "didSave"])
  }

  @Test("a validation hook that rolls back leaves nothing to save", arguments: bothStores)
  func hookRollsBack(_ kind: StoreKind) throws {
    let (context, paul, _) = try saved(kind)
    let new = Apprentice(context: context, name: "New")
    new.onValidate = { context.rollback() }
    paul.skill = 1
    try context.save()
    #expect(paul.skill == 0 && !context.hasChanges && !new.isInserted)
    #expect(try context.count(Apprentice.self) == 2)
  }
}
