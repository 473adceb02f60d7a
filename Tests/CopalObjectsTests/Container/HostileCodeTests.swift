import Copal
import CopalColor
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// User code that runs in the middle of Copal's work: transformers, stores, configurations.
@Suite("User code that interferes")
struct HostileCodeTests {
  /// Refreshes the whole context while it decodes.
  final class InterferingTransformer: AttributeTransformer, @unchecked Sendable {
    // @unchecked: the test uses it on one thread.
    static let name: TransformerName = "SerializableColorTransformer"
    weak var context: ManagedObjectContext?
    var onEncode: () throws -> Void = {}

    func encode(_ color: SerializableColor) throws -> Data {
      try onEncode()
      return SerializableColorTransformer().encode(color)
    }
    func decode(_ stored: Data) throws -> SerializableColor {
      try SerializableColorTransformer().decode(stored)
    }
    func decode(bytes: UnsafeRawBufferPointer) throws -> SerializableColor {
      context?.refreshAllObjects()
      return try SerializableColorTransformer().decode(bytes: bytes)
    }
  }

  @Test("a transformer that refreshes the context while it decodes still reads its row")
  func meddlingTransformer() throws {
    let (meddler, container) = try meddled(.sqlite)
    let context = container.makeContext()
    Pigment(context: context, name: "Vermilion").color = .red
    try context.save()
    let reader = container.makeContext()
    let pigment = try #require(try reader.fetch(Pigment.self).first)
    meddler.context = reader
    #expect(pigment.color == .red)
    #expect(pigment.isFault)
  }

  private struct Refusal: Error {}

  private func meddled(_ kind: StoreKind) throws -> (InterferingTransformer, PersistentContainer) {
    let meddler = InterferingTransformer()
    let container = try PersistentContainer(
      model: .atelier, store: try TestStore(kind).configuration(),
      transformers: [meddler, ColorArrayTransformer()])
    return (meddler, container)
  }

  @Test(
    "a transformer that changes another object while a save fails does not lose that object's values",
    arguments: bothStores)
  func changesWhileEncoding(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    painter.email = "rosa@example.org"
    Pigment(context: context, name: "Vermilion").color = .red
    meddler.onEncode = {
      #expect(painter.name == "Rosa" && painter.email == "rosa@example.org")
      painter.prizes = 3
      throw Refusal()
    }
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(painter.name == "Rosa" && painter.email == "rosa@example.org" && painter.prizes == 3)
    meddler.onEncode = { painter.prizes = 4 }
    try context.save()
    #expect(!context.hasChanges)
    context.refreshAllObjects()
    #expect(painter.name == "Rosa" && painter.email == "rosa@example.org" && painter.prizes == 4)
  }

  @Test(
    "an object that a transformer deletes during a save is deleted by this save",
    arguments: bothStores)
  func deletesWhileEncoding(_ kind: StoreKind) throws {
    let (meddler, container) = try meddled(kind)
    let context = container.makeContext()
    let first = Pigment(context: context, name: "Ochre")
    let second = Pigment(context: context, name: "Umber")
    try context.save()
    first.opacity = 0.5
    second.color = .red
    meddler.onEncode = { context.delete(first) }
    try context.save()
    #expect(first.managedObjectContext == nil && !context.hasChanges)
    #expect(try context.fetch(Pigment.self) == [second])
  }

  /// An object whose deinit uses its context.
  final class ObjectWithDeinit: ManagedObject {
    nonisolated(unsafe) static weak var context: ManagedObjectContext?
    deinit { if let context = Self.context { _ = try? context.insert("ObjectWithDeinit") } }
  }

  @Test("objects that insert others in their deinit are harmless")
  func insertingDeinit() throws {
    let model = try ManagedObjectModel(
      name: "ObjectWithDeinits",
      entities: [
        EntityDescription(
          "ObjectWithDeinit", attributes: [AttributeDescription("name", .string, isOptional: true)])
      ])
    let container = try TestStore().container(
      ModelBinding(
        model,
        classes: [
          EntityBinding(
            "ObjectWithDeinit", ObjectWithDeinit.self, layoutHash: model.layoutHash(ofEntity: 0))
        ]))
    let context = container.makeContext()
    ObjectWithDeinit.context = context
    defer { ObjectWithDeinit.context = nil }
    for round in 0..<20 {
      for _ in 0..<50 { context.delete(try context.insert("ObjectWithDeinit")) }
      try context.save()
      if round % 5 == 4 { context.reset() }
      #expect(context.insertedObjects.count <= 51 * 20)
    }
    ObjectWithDeinit.context = nil
    try context.save()
    #expect(!context.hasChanges)
  }

  /// A value whose deinit runs an action.
  final class ValueWithDeinit {
    let onRelease: () -> Void
    init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  final class ValueWithDeiniter: AttributeTransformer, @unchecked Sendable {
    // @unchecked: the test uses it on one thread.
    static let name: TransformerName = "ValueWithDeiniter"
    var onRelease: () -> Void = {}
    func encode(_ whisper: ValueWithDeinit) throws -> Data { Data([1]) }
    func decode(_ stored: Data) throws -> ValueWithDeinit {
      ValueWithDeinit { [self] in onRelease() }
    }
  }

  @Test("a value whose deinit reads a fault while a row is read gets the values")
  func readingDeinit() throws {
    let whisperer = ValueWithDeiniter()
    let model = try ManagedObjectModel(
      name: "ValueWithDeinits",
      entities: [
        EntityDescription(
          "Note",
          attributes: [
            AttributeDescription("text", .string),
            AttributeDescription(
              "whisper", .transformable, isOptional: true, transformer: "ValueWithDeiniter",
              customClass: "ValueWithDeinit"),
          ])
      ])
    let container = try PersistentContainer(
      model: ModelBinding(model), store: try TestStore().configuration(),
      transformers: [whisperer])
    let filling = container.makeContext()
    for text in ["first", "second", "third"] {
      let note = try filling.insert("Note")
      try note.setValue(text, forKey: "text")
      try note.setValue(ValueWithDeinit {}, forKey: "whisper")
    }
    try filling.save()

    let context = container.makeContext()
    var request = FetchRequest<ManagedObject>(entityName: "Note")
    request.returnsObjectsAsFaults = true
    request.faultBatchSize = 1
    let notes = try context.fetch(request)
    _ = try notes[0].value(forKey: "whisper")
    let others = try filling.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
    try others[0].setValue("changed", forKey: "text")
    try filling.save()

    var reported: [PersistenceError] = []
    context.readFailureHandler = { reported.append($0) }
    var read: [String] = []
    // The row of the first object is being read, by the statement that also reads the others.
    whisperer.onRelease = {
      read += notes[1...].compactMap { try? $0.value(of: "text", as: String.self) }
    }
    try context.refresh(notes[0], mergeChanges: true)
    whisperer.onRelease = {}
    #expect(read == ["second", "third"] && reported.isEmpty)
    #expect(
      try notes.map { try $0.value(of: "text", as: String.self) } == ["changed", "second", "third"])
  }

  @Test("a container refuses a store that was opened for another model")
  func foreignSchema() throws {
    let other = try ManagedObjectModel(
      name: "Other",
      entities: [EntityDescription("Pigment", attributes: [AttributeDescription("name", .integer)])]
    )
    let store = MemoryStore(StoreSchema(other))
    let error = try #require(throws: PersistenceError.self) {
      try PersistentContainer(
        model: .atelier, store: StoreConfiguration(name: "shared") { _ in store },
        transformers: TestTransformers.atelier)
    }
    #expect(error.code == .layoutDiffers)
  }

  @Test("new objects of two containers never have the same id")
  func temporaryIDs() throws {
    let (a, b) = (try TestStore(.memory), try TestStore(.memory))
    let first = Pigment(context: try a.atelier().makeContext(), name: "Ochre").objectID
    let second = Pigment(context: try b.atelier().makeContext(), name: "Ochre").objectID
    #expect(
      first.description.split(separator: "/").last != second.description.split(separator: "/").last)
  }

  @Test(
    "a program with an older model cannot write after another program has migrated the store",
    .modelAsIs)
  func migratedMeanwhile() throws {
    func model(_ attributes: [AttributeDescription]) throws -> ModelBinding {
      ModelBinding(
        try ManagedObjectModel(
          name: "Notes", entities: [EntityDescription("Note", attributes: attributes)]))
    }
    let text = AttributeDescription("text", .string, isOptional: true)
    let mark = AttributeDescription("mark", .integer, defaultValue: .value(3))
    let test = try TestStore()
    let old = try test.container(try model([text])).makeContext()
    try old.insert("Note").setValue("before", forKey: "text")
    try old.save()
    let new = try test.container(try model([text, mark])).makeContext()
    try old.insert("Note").setValue("after", forKey: "text")
    let error = try #require(throws: PersistenceError.self) { try old.save() }
    #expect(error.code == .modelDiffers && old.hasChanges)
    let notes = try new.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
    #expect(try notes.map { try $0.value(of: "mark", as: Int.self) } == [3])
  }

  @Test("changes of a validation hook in another object are checked by the rules")
  func mutatingValidation() throws {
    let context = try TestStore(.memory).studio().makeContext()
    let paul = Apprentice(context: context, name: "Paul")
    let anna = Apprentice(context: context, name: "Anna")
    try context.save()
    paul.name = "Paula"
    anna.name = "Anne"
    anna.onValidate = { try? paul.setValue(nil, forKey: "name") }
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect((error.causes.first as? PersistenceError)?.code == .required)
  }

  @Test("fifteen thousand filters on one request do not overflow the stack")
  func manyFilters() throws {
    var request = Pigment.fetchRequest()
    for _ in 0..<15_000 { request = request.filter { $0.name != "x" } }
    #expect(request.predicate != nil)
  }
}
