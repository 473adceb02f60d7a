import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// Changes that hooks, transformers and deinits make during a save or a read. They belong to that
/// save or to the next one. They are never lost, and every rule is checked.
@Suite("Changes made in the middle of a save or a read")
struct LateChangeTests {
  /// Runs an action of the test while it encodes or decodes.
  final class InterferingTransformer: AttributeTransformer, @unchecked Sendable {
    // @unchecked: the test uses it on one thread.
    static let name: TransformerName = "SerializableColorTransformer"
    var onEncode: () throws -> Void = {}
    var onDecode: () -> Void = {}

    func encode(_ color: SerializableColor) throws -> Data {
      try onEncode()
      return SerializableColorTransformer().encode(color)
    }
    func decode(_ stored: Data) throws -> SerializableColor {
      onDecode()
      return try SerializableColorTransformer().decode(stored)
    }
  }

  private func meddled(_ kind: StoreKind) throws -> (InterferingTransformer, PersistentContainer) {
    let meddler = InterferingTransformer()
    let container = try PersistentContainer(
      model: .atelier, store: try TestStore(kind).configuration(),
      transformers: [meddler, ColorArrayTransformer()])
    return (meddler, container)
  }

  // MARK: Hooks

  @Test(
    "changes of a validation hook in other objects are checked by the rules", arguments: bothStores)
  func hookAndRules(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let (paul, emma) = (
      Apprentice(context: context, name: "Paul"), Apprentice(context: context, name: "Emma")
    )
    try context.save()
    paul.onValidate = { try? emma.setValue(nil, forKey: "name") }
    paul.skill = 1
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.required])
    #expect(error?.firstCause?.objectID == emma.objectID)
  }

  @Test("an object that a validation hook inserts is saved, in each save", arguments: bothStores)
  func audit(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let paul = Apprentice(context: context, name: "Paul")
    for round in 1...3 {
      paul.onValidate = {
        try context.insert("Tool").setValue("audit", forKey: "name")
      }
      paul.skill += 1
      try context.save()
      #expect(!context.hasChanges)
      #expect(try context.count(FetchRequest<ManagedObject>(entityName: "Tool")) == round)
    }
  }

  @Test(
    "validateForDelete is called for an object that a validation hook deletes",
    arguments: bothStores)
  func deletingHook(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let (paul, emma) = (
      Apprentice(context: context, name: "Paul"), Apprentice(context: context, name: "Emma")
    )
    try context.save()
    _ = emma.takeHeard()
    (emma.skill, paul.skill) = (1, 1)
    paul.onValidate = { context.delete(emma) }
    try context.save()
    #expect(emma.takeHeard().contains("validateForDelete"))
    #expect(try context.fetch(Apprentice.self) == [paul])
  }

  @Test("the error of a save has failures of hooks, rules and encodings", arguments: bothStores)
  func allAtOnce(_ kind: StoreKind) throws {
    struct Refusal: Error {}
    let context = try TestStore(kind).studio().makeContext()
    let paul = Apprentice(context: context, name: "Paul")
    paul.onValidate = { throw Refusal() }
    try context.insert("Tool")
    Sample(context: context).recipe = Recipe(text: "unwritable")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.validationFailed, .required, .encodeFailed])
    #expect(context.insertedObjects.count == 3)
  }

  @Test(
    "an object whose awakeFromFetch refreshes it has values and can be deleted",
    arguments: bothStores, [false, true])
  func refreshingAwake(_ kind: StoreKind, _ inBatch: Bool) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    let ids = ["Refreshing", "Paul"].map { Apprentice(context: filling, name: $0) }
    try filling.save()
    let context = container.makeContext()
    let objects = try context.objects(with: ids.map(\.objectID).prefix(inBatch ? 2 : 1))
    let object = try #require(objects.first as? Apprentice)
    #expect(object.name == "Refreshing" && !object.isDeleted)
    #expect(
      try context.existingObject(with: object.objectID, as: Apprentice.self).name == "Refreshing")
    context.delete(object)
    #expect(object.isDeleted)
    try context.save()
    #expect(try container.makeContext().fetch(Apprentice.self).map(\.name) == ["Paul"])
  }

  @Test("a fault whose awakeFromFetch refreshes it can be deleted unread", arguments: bothStores)
  func deletingRefreshing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    let saved = Apprentice(context: filling, name: "Refreshing")
    try filling.save()
    let context = container.makeContext()
    let fault = try context.object(with: saved.objectID, as: Apprentice.self)
    context.delete(fault)
    #expect(fault.isDeleted)
    try context.save()
    #expect(try container.makeContext().count(Apprentice.self) == 0)
  }

  @Test("a chain of hooks that each change the next object ends")
  func longChain() throws {
    let context = try TestStore(.memory).studio().makeContext()
    let apprentices = (0..<1100).map { Apprentice(context: context, name: "\($0)") }
    try context.save()
    for (index, apprentice) in apprentices.dropLast().enumerated() {
      apprentice.onValidate = { apprentices[index + 1].skill = 1 }
    }
    apprentices[0].skill = 1
    try context.save()
    #expect(!context.hasChanges && apprentices[1099].skill == 1)
  }

  @Test("refreshAllObjects keeps changes that didTurnIntoFault makes", arguments: bothStores)
  func turningIntoFault(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let apprentices = (0..<8).map { Apprentice(context: context, name: "\($0)") }
    try context.save()
    for (index, apprentice) in apprentices.enumerated() {
      apprentice.onTurnIntoFault = { apprentices[(index + 3) % 8].skill += 1 }
    }
    context.refreshAllObjects()
    let changed = apprentices.filter(\.hasChanges)
    #expect(!changed.isEmpty)
    for apprentice in apprentices { apprentice.onTurnIntoFault = {} }
    let skills = changed.map(\.skill)
    try context.save()
    context.refreshAllObjects()
    #expect(changed.map(\.skill) == skills && skills.allSatisfy { $0 > 0 })
  }

  // MARK: Transformers

  @Test(
    "a value that a transformer sets in another object is checked and written",
    arguments: bothStores)
  func setsAnother(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    let (first, second) = (
      Pigment(context: context, name: "Ochre"), Pigment(context: context, name: "Umber")
    )
    try context.save()
    for late in [painter, first] as [ManagedObject] {
      (first.price, painter.prizes) = (3, 3)
      second.color = .red
      meddler.onEncode = {
        painter.prizes = late === painter ? 101 : 4
        first.opacity = late === first ? 2 : 0.5
      }
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.causeCodes == [.aboveMaximum] && error?.firstCause?.objectID == late.objectID)
    }
    first.opacity = 1
    meddler.onEncode = { (painter.prizes, first.opacity) = (5, 0.25) }
    try context.save()
    meddler.onEncode = {}
    #expect(!context.hasChanges)
    context.refreshAllObjects()
    #expect(painter.prizes == 5 && first.opacity == 0.25 && first.price == 3)
  }

  @Test(
    "a value that a transformer sets in the object that it encodes is written",
    arguments: bothStores)
  func setsItself(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    for isNew in [true, false] {
      let pigment = Pigment(context: context, name: isNew ? "New" : "Changed")
      if !isNew { try context.save() }
      pigment.color = .red
      meddler.onEncode = { pigment.opacity = 0.125 }
      try context.save()
      meddler.onEncode = {}
      #expect(pigment.opacity == 0.125 && !context.hasChanges)
      try context.refresh(pigment, mergeChanges: false)
      #expect(pigment.opacity == 0.125 && pigment.color == .red)
    }
  }

  @Test(
    "a value that a transformer keeps changing is checked by the rules, and a late one is kept",
    arguments: bothStores)
  func restlessTransformer(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let (first, second) = (
      Pigment(context: context, name: "Ochre"), Pigment(context: context, name: "Umber")
    )
    try context.save()
    (first.opacity, first.color, second.color) = (0.5, .red, .red)
    // The value is valid when the rules are checked, and invalid when it is packed.
    meddler.onEncode = { first.opacity = first.opacity == 2 ? 0.5 : 2 }
    _ = try? context.save()
    meddler.onEncode = {}
    let other = container.makeContext()
    #expect(try other.existingObject(with: first.objectID, as: Pigment.self).opacity <= 1)
    first.opacity = 0.5
    first.color = .blue
    var calls = 0
    meddler.onEncode = {
      calls += 1
      first.opacity = 0.25
      if calls == 2 { first.density = 5 }
    }
    try context.save()
    meddler.onEncode = {}
    #expect(first.density == 5)
    try context.save()
    try context.refresh(first, mergeChanges: false)
    #expect(first.density == 5 && first.opacity == 0.25 && first.color == .blue)
  }

  @Test("a new object that a transformer deletes late is not inserted", arguments: bothStores)
  func deletesNew(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    let lost = Painter(context: context, name: "Zoe")
    Pigment(context: context, name: "Ochre").color = .red
    var calls = 0
    meddler.onEncode = {
      calls += 1
      painter.prizes = 5
      if calls == 2 { context.delete(lost) }
    }
    try context.save()
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Rosa"])
  }

  @Test("an object that a transformer inserts is saved with the others", arguments: bothStores)
  func inserts(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    var made: Painter?
    meddler.onEncode = { if made == nil { made = Painter(context: context, name: "Late") } }
    Pigment(context: context, name: "Ochre").color = .red
    try context.save()
    #expect(!context.hasChanges && made?.isInserted == false)
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Late"])
  }

  @Test(
    "a transformer that changes objects in every round is stopped, and no change is lost",
    arguments: bothStores)
  func endless(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    let pigment = Pigment(context: context, name: "Ochre")
    pigment.color = .red
    meddler.onEncode = { painter.prizes += 1 }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .endlessHooks)
    #expect(painter.isInserted && painter.name == "Rosa" && painter.prizes > 1)
    meddler.onEncode = {}
    try context.save()
    #expect(!context.hasChanges && pigment.color == .red)
  }

  @Test("a value that is set while the same attribute is decoded is kept", arguments: bothStores)
  func setsWhileDecoding(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let filling = container.makeContext()
    Pigment(context: filling, name: "Ochre").color = .red
    try filling.save()
    let context = container.makeContext()
    let pigment = try #require(try context.fetch(Pigment.self).first)
    meddler.onDecode = { pigment.color = .blue }
    #expect(pigment.color == .blue)
    meddler.onDecode = {}
    #expect(pigment.color == .blue && pigment.isUpdated)
    try context.save()
    #expect(try container.makeContext().fetch(Pigment.self).first?.color == .blue)
  }

  // MARK: Deinits

  /// A value that changes an object when it is released.
  final class ValueWithDeinit {
    var onDeinit: () -> Void = {}
    deinit { onDeinit() }
  }

  struct ValueWithDeinitTransformer: AttributeTransformer {
    func encode(_ parting: ValueWithDeinit) -> Data { Data([1]) }
    func decode(_ stored: Data) -> ValueWithDeinit { ValueWithDeinit() }
  }

  private func partings(_ kind: StoreKind) throws -> PersistentContainer {
    let model = try ManagedObjectModel(
      name: "ValueWithDeinits",
      entities: [
        EntityDescription(
          "Note",
          attributes: [
            AttributeDescription("text", .string, isOptional: true),
            AttributeDescription("mark", .integer, isOptional: true),
            AttributeDescription(
              "parting", .transformable, isOptional: true,
              transformer: "ValueWithDeinitTransformer",
              customClass: "ValueWithDeinit"),
          ])
      ])
    return try PersistentContainer(
      model: ModelBinding(model), store: try TestStore(kind).configuration(),
      transformers: [ValueWithDeinitTransformer()])
  }

  @Test(
    "a value that a deinit sets at the end of a save is a change for the next save",
    arguments: bothStores)
  func deinitAfterPacking(_ kind: StoreKind) throws {
    let context = try partings(kind).makeContext()
    let notes = try (0..<4).map { number in
      let note = try context.insert("Note")
      try note.setValue("\(number)", forKey: "text")
      return note
    }
    for round in 1...3 {
      // Each value changes its own object, and one before and one after it.
      for (index, note) in notes.enumerated() {
        let parting = ValueWithDeinit()
        parting.onDeinit = {
          for other in [index, (index + 1) % 4, (index + 3) % 4] {
            try? notes[other].setValue(round * 10, forKey: "mark")
          }
        }
        try note.setValue(parting, forKey: "parting")
      }
      try context.save()
      #expect(
        try notes.map { try $0.value(of: "mark", as: Int.self) }
          == [Int](repeating: round * 10, count: 4))
      #expect(notes.allSatisfy(\.isUpdated) && context.hasChanges)
      try context.save()
      #expect(!context.hasChanges)
      context.refreshAllObjects()
      #expect(
        try notes.map { try $0.value(of: "mark", as: Int.self) }
          == [Int](repeating: round * 10, count: 4))
    }
  }

  @Test("the deinit of a value sees objects in their saved state", arguments: bothStores)
  func deinitWhileSaving(_ kind: StoreKind) throws {
    let context = try partings(kind).makeContext()
    let notes = try (0..<4).map { _ in try context.insert("Note") }
    let all = FetchRequest<ManagedObject>(entityName: "Note")
    var found: [ManagedObject] = []
    do {
      let parting = ValueWithDeinit()
      parting.onDeinit = {
        found = (try? context.fetch(all)) ?? []
        context.delete(notes[3])
      }
      try notes[0].setValue(parting, forKey: "parting")
    }
    try context.save()
    #expect(found == notes && notes[3].isDeleted)
    try context.save()
    #expect(try context.fetch(all) == Array(notes.dropLast()))
  }
}
