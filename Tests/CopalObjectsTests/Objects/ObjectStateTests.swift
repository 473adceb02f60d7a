import Copal
import CopalColor
import CopalStore
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("The state of an object")
struct ObjectStateTests {
  @Test("an object is new, clean, changed, deleted and gone", arguments: bothStores)
  func states(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe")
    #expect(painter.objectState == .new)
    try context.save()
    #expect(painter.objectState == .clean)
    painter.prizes = 2
    #expect(painter.objectState == .changed)
    context.rollback()
    #expect(painter.objectState == .clean)
    context.delete(painter)
    #expect(painter.objectState == .deleted)
    context.rollback()
    #expect(painter.objectState == .clean)
    context.delete(painter)
    try context.save()
    #expect(painter.objectState == .gone)

    let unsaved = Painter(context: context, name: "Édouard")
    context.delete(unsaved)
    #expect(unsaved.objectState == .gone)
  }

  @Test(
    "a combination of flags that is not legal is found",
    arguments: [
      ([.updated], [], "a new object is not changed"),
      ([.fault], [], "a new object is no fault"),
      ([.missing], [], "a new object is no fault"),
      ([], [.inserted], "an object without a row is new or a fault"),
      ([.hasTypeMismatch], [], "the row and the object disagree about type mismatches"),
      ([], [.hasPendingValues], "a cell is set, and reads do not look for it"),
    ] as [(ObjectFlags, ObjectFlags, String)])
  func illegal(added: ObjectFlags, removed: ObjectFlags, problem: String) throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe")
    #expect(painter.stateProblem == nil)
    painter.flags.formUnion(added)
    painter.flags.subtract(removed)
    #expect(painter.stateProblem == problem)
  }

  @Test(
    "a saved object that is marked as a fault, or as unreadable, is found",
    arguments: [
      (.fault, "a fault has no values"), (.failed, "only a fault is unreadable"),
    ] as [(ObjectFlags, String)])
  func illegalSaved(added: ObjectFlags, problem: String) throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe")
    try context.save()
    #expect(painter.stateProblem == nil)
    painter.flags.formUnion(added)
    #expect(painter.stateProblem == problem)
  }
}

@Suite("Objects of a save that the store has refused")
struct RefusedSaveTests {
  /// A context with a change that the store refuses, until `refresh` has read the row again.
  private func refused(_ kind: StoreKind) throws -> (ManagedObjectContext, Painter) {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let stale = Painter(context: context, name: "Berthe")
    try context.save()
    let other = container.makeContext()
    try other.existingObject(with: stale.objectID, as: Painter.self).prizes = 5
    try other.save()
    stale.prizes = 1
    return (context, stale)
  }

  @Test("a new object keeps its values, and the next save writes them", arguments: bothStores)
  func kept(_ kind: StoreKind) throws {
    let (context, stale) = try refused(kind)
    let new = Painter(context: context, name: "Édouard")
    new.email = "e@manet"
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(new.isInserted && new.hasChanges && new.objectID.isTemporary)
    #expect(new.name == "Édouard" && new.email == "e@manet" && new.prizes == 0)
    #expect(new.changedValues()["email"] as? String == "e@manet")
    #expect(new.changedValues().keys.sorted() == ["email", "joined", "name", "prizes"])
    #expect(new.changes().allSatisfy { $0.old == nil })
    #expect(new.committedValues().isEmpty)
    #expect(try context.count(Painter.self) { $0.email == "e@manet" } == 1)

    // The row is kept instead of the values on top of it.
    #expect(new.row != nil && new.cells == nil)
    new.email = nil
    new.prizes = 3
    #expect(new.changedValues().keys.sorted() == ["joined", "name", "prizes"])
    #expect(try context.count(Painter.self) { $0.email == "e@manet" } == 0)
    try context.refresh(stale, mergeChanges: true)
    try context.save()
    context.reset()
    let stored = try #require(try context.fetch(Painter.self) { $0.name == "Édouard" }.first)
    #expect(stored.email == nil && stored.prizes == 3)
  }

  @Test("the rules hold for what is set after the refused save", arguments: bothStores)
  func rules(_ kind: StoreKind) throws {
    let (context, stale) = try refused(kind)
    let new = Painter(context: context, name: "Édouard")
    #expect(throws: PersistenceError.self) { try context.save() }
    try context.refresh(stale, mergeChanges: true)
    try new.setValue(nil, forKey: "name")
    new.prizes = 101
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.required, .aboveMaximum])
    new.name = "Édouard"
    new.prizes = 100
    try context.save()
    #expect(new.prizes == 100)
  }

  @Test(
    "the rules hold for an object that was checked in a save with other broken rules",
    arguments: bothStores)
  func brokenRules(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let (good, bad) = (
      Painter(context: context, name: "Berthe"), Painter(context: context, name: "")
    )
    for _ in 0..<2 {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.causeCodes == [.tooShort] && error?.firstCause?.objectID == bad.objectID)
    }
    bad.name = "Édouard"
    try context.save()
    #expect(good.name == "Berthe" && bad.name == "Édouard")
  }

  @Test("a rollback removes the new object, which keeps its values", arguments: bothStores)
  func rollback(_ kind: StoreKind) throws {
    let (context, _) = try refused(kind)
    let new = Painter(context: context, name: "Édouard")
    #expect(throws: PersistenceError.self) { try context.save() }
    context.rollback()
    #expect(new.objectState == .gone && new.name == "Édouard")
    #expect(try context.count(Painter.self) == 1)
  }
}

@Suite("What an object remembers beside its changed values")
struct RememberedValueTests {
  @Test("a decoded value of a property that is not written outlives a save", arguments: bothStores)
  func decoded(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let decodes = Tally()
    let container = try PersistentContainer(
      model: .atelier, store: store.configuration(),
      transformers: [CountingTransformer(decodes), ColorArrayTransformer()])
    let context = container.makeContext()
    let pigment = Pigment(context: context, name: "Ultramarine")
    pigment.color = SerializableColor(red: 0, green: 0, blue: 1)
    try context.save()
    // The value that was written is decoded from what was stored.
    #expect(pigment.color?.blue == 1 && decodes.value == 1)
    pigment.price = 3
    try context.save()
    #expect(pigment.color?.blue == 1 && decodes.value == 1)
    pigment.color = SerializableColor(red: 1, green: 0, blue: 0)
    try context.save()
    #expect(pigment.color?.red == 1 && decodes.value == 2)
  }

  private struct CountingTransformer: AttributeTransformer {
    static let name: TransformerName = "SerializableColorTransformer"
    let decodes: Tally
    init(_ decodes: Tally) { self.decodes = decodes }
    func encode(_ color: SerializableColor) -> Data { SerializableColorTransformer().encode(color) }
    func decode(_ stored: Data) throws -> SerializableColor {
      decodes.add(1)
      return try SerializableColorTransformer().decode(stored)
    }
  }
}
