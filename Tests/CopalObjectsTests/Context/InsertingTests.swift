import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Inserting")
struct InsertingTests {
  @Test("a new object is fetched by its context before it is saved", arguments: bothStores)
  func beforeTheSave(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Berthe Morisot")
    #expect(painter.isInserted)
    #expect(!painter.isFault && !painter.isUpdated && !painter.isDeleted)
    #expect(painter.objectID.isTemporary)
    #expect(painter.managedObjectContext === context)
    #expect(context.hasChanges)
    #expect(context.insertedObjects == [painter])
    #expect(try context.fetch(Painter.self) == [painter])
    #expect(try context.count(Painter.self) == 1)
  }

  @Test("a saved object is fetched by other contexts", arguments: bothStores)
  func afterTheSave(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigment = Pigment(context: context, name: "Ultramarine")
    pigment.code = "PB29"
    pigment.color = .blue
    try context.save()
    #expect(!pigment.isInserted && !pigment.objectID.isTemporary && !context.hasChanges)

    let found = try #require(try container.makeContext().fetch(Pigment.self).first)
    #expect(found !== pigment && found.objectID == pigment.objectID)
    #expect(found.name == "Ultramarine" && found.code == "PB29" && found.color == .blue)
  }

  @Test("an object can be inserted by the name of its entity", arguments: bothStores)
  func byName(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = try context.insert("Painter")
    #expect(painter is Painter)
    try painter.setValue("Rosa Bonheur", forKey: "name")
    #expect(try context.fetch(Painter.self).map(\.name) == ["Rosa Bonheur"])
  }

  @Test("the error of a misspelled entity suggests the right name")
  func misspelled() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let error = #expect(throws: PersistenceError.self) { try context.insert("Paintr") }
    #expect(error?.code == .unknownEntity)
    #expect(error?.suggestion == "Painter")
    #expect(!context.hasChanges)
  }

  @Test(
    "awakeFromInsert is called once, after the defaults are set, and never by a fetch",
    arguments: bothStores)
  func awakes(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    #expect(apprentice.takeHeard() == ["awakeFromInsert"])
    #expect(apprentice.task == "grind 0 pigments")
    try context.save()
    _ = apprentice.takeHeard()
    #expect(try context.fetch(Apprentice.self) == [apprentice])
    #expect(apprentice.takeHeard() == [])

    let found = try #require(try container.makeContext().fetch(Apprentice.self).first)
    #expect(found.takeHeard() == ["awakeFromFetch"])
    #expect(found.task == "grind 0 pigments")
  }

  @Test("objects are stored in the order of their insertion", arguments: bothStores)
  func order(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let names = (0..<600).map { "Painter \($0)" }
    for name in names { _ = Painter(context: context, name: name) }
    try context.save()
    #expect(try context.fetch(Painter.self).map(\.name) == names)
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == names)
  }

  @Test(
    "a property may have the name of an internal member of ManagedObject", arguments: bothStores)
  func innerNames(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let context = container.makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    (apprentice.flags, apprentice.key) = (7, "brass")
    try context.save()
    let found = try #require(try container.makeContext().fetch(Apprentice.self).first)
    #expect(found.flags == 7 && found.key == "brass")
    #expect(try container.makeContext().count(Apprentice.self) { $0.key == "brass" } == 1)
  }

  /// A class with a stored property that has no default.
  private class Jotting: ManagedObject {
    let pen: String

    required init(_copal seed: consuming ObjectSeed) {
      pen = "quill"
      super.init(_copal: seed)
    }
  }

  @Test("a custom initializer of a class runs for new, fetched and faulted objects")
  func ownInitializer() throws {
    let entity = EntityDescription(
      "Jotting", attributes: [AttributeDescription("text", .string, isOptional: true)])
    let model = try ManagedObjectModel(name: "Notes", entities: [entity])
    let binding = EntityBinding(
      "Jotting", Jotting.self, layoutHash: model.layoutHash(of: "Jotting"))
    let container = try PersistentContainer(
      model: ModelBinding(model, classes: [binding]), store: .inMemory)
    let context = container.makeContext()
    let new = Jotting(context: context)
    try new.setValue("ink", forKey: "text")
    try context.save()
    let other = container.makeContext()
    let fault = try other.object(with: new.objectID, as: Jotting.self)
    #expect(fault.isFault)
    let found = try container.makeContext().fetch(FetchRequest<Jotting>(entityName: "Jotting"))
    for jotting in found + [new, fault] {
      #expect(jotting.pen == "quill")
    }
    #expect(try fault.value(of: "text", as: String.self) == "ink")
  }
}
