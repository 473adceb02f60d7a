import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// What hooks, transformers and deinits change in the middle of something else: it is part of it, or it
/// stays for the next time. It is never lost, and no rule is passed by.
@Suite("Changes made in the middle of a save or a read")
struct LateChangeTests {
  /// Does what a test wants while it encodes or decodes.
  final class Meddler: AttributeTransformer, @unchecked Sendable {
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

  private func meddled(_ kind: StoreKind) throws -> (Meddler, PersistentContainer) {
    let meddler = Meddler()
    let container = try PersistentContainer(
      model: .atelier, store: try TestStore(kind).configuration(),
      transformers: [meddler, ColorArrayTransformer()])
    return (meddler, container)
  }

  // MARK: Hooks

  @Test("what a validation hook changes elsewhere passes the rules", arguments: bothStores)
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

  @Test(
    "a validation hook that inserts an audit row has it saved, each time", arguments: bothStores)
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
    "an object that a validation hook deletes is asked whether it may go", arguments: bothStores)
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

  @Test("hooks, rules and encodings are reported together", arguments: bothStores)
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
    "an object whose awakeFromFetch refreshes it has its values and can be deleted",
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

  @Test("a chain of hooks, each of which changes the next object, comes to its end")
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

  @Test("refreshAllObjects keeps what didTurnIntoFault changes", arguments: bothStores)
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
    "a value that a transformer sets to and fro passes no rule by, and one that comes late is kept",
    arguments: bothStores)
  func restlessTransformer(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let (first, second) = (
      Pigment(context: context, name: "Ochre"), Pigment(context: context, name: "Umber")
    )
    try context.save()
    (first.opacity, first.color, second.color) = (0.5, .red, .red)
    // Legal when the rules look, and illegal when it is packed.
    meddler.onEncode = { first.opacity = first.opacity == 2 ? 0.5 : 2 }
    try? context.save()
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
    "a transformer that never comes to an end is stopped, and nothing is lost",
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

  @Test("a value that is set while the same attribute is decoded stays", arguments: bothStores)
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
  final class Parting {
    var onDeinit: () -> Void = {}
    deinit { onDeinit() }
  }

  struct PartingTransformer: AttributeTransformer {
    func encode(_ parting: Parting) -> Data { Data([1]) }
    func decode(_ stored: Data) -> Parting { Parting() }
  }

  private func partings(_ kind: StoreKind) throws -> PersistentContainer {
    let model = try ManagedObjectModel(
      name: "Partings",
      entities: [
        EntityDescription(
          "Note",
          attributes: [
            AttributeDescription("text", .string, isOptional: true),
            AttributeDescription("mark", .integer, isOptional: true),
            AttributeDescription(
              "parting", .transformable, isOptional: true, transformer: "PartingTransformer",
              customClass: "Parting"),
          ])
      ])
    return try PersistentContainer(
      model: ModelBinding(model), store: try TestStore(kind).configuration(),
      transformers: [PartingTransformer()])
  }

  @Test(
    "what a value's deinit sets while its save ends is a change for the next one",
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
        let parting = Parting()
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

  @Test("a value's deinit meets objects that are saved", arguments: bothStores)
  func deinitWhileSaving(_ kind: StoreKind) throws {
    let context = try partings(kind).makeContext()
    let notes = try (0..<4).map { _ in try context.insert("Note") }
    let all = FetchRequest<ManagedObject>(entityName: "Note")
    var found: [ManagedObject] = []
    do {
      let parting = Parting()
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
