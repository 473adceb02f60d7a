import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Errors that concern the entities of a family")
struct FamilyErrorTests {
  /// Works with a number that no other work has, and paintings with a frame that no other painting
  /// has.
  private static let model = """
    {
      "copal": 1, "model": "Works",
      "entities": {
        "Work": { "abstract": true, "attributes": { "number": "integer" }, "unique": ["number"] },
        "Drawing": { "parent": "Work", "attributes": { "paper": "string?" } },
        "Painting": {
          "parent": "Work", "attributes": { "frame": "string?" }, "unique": ["frame"]
        },
        "Fresco": { "parent": "Painting", "attributes": { "wall": "string?" } }
      }
    }
    """

  private static func container(_ store: TestStore) throws -> PersistentContainer {
    try store.container(ModelBinding(name: "Works", json: model, classes: []))
  }

  @discardableResult
  private static func insert(
    _ entity: String, _ number: Int, frame: String? = nil, into context: ManagedObjectContext
  ) throws -> ManagedObject {
    let object = try context.insert(entity)
    try object.setValue(number, forKey: "number")
    if let frame { try object.setValue(frame, forKey: "frame") }
    return object
  }

  /// The sentence of the only cause of a save that the store refuses.
  private static func cause(_ context: ManagedObjectContext) throws -> String {
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(error.causes.count == 1)
    return try #require(error.causes.first as? PersistenceError).description
  }

  @Test(
    "a repeated value: the other object has the name of its entity, or of the entity with the constraint",
    arguments: bothStores)
  func repeatedValue(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try Self.container(store)
    let first = container.makeContext()
    let fresco = try Self.insert("Fresco", 1, frame: "oak", into: first)
    try first.save()

    // A context that has the fresco knows what it is.
    try Self.insert("Drawing", 1, into: first)
    #expect(try Self.cause(first).contains("has the same value 1 as Fresco p1;"))
    first.rollback()

    // The store says only the key. A drawing cannot be meant: there is none.
    for (entity, number, frame, other) in [
      ("Drawing", 1, nil, "Work p1"), ("Painting", 2, "oak", "Painting p1"),
      ("Fresco", 3, "oak", "Painting p1"),
    ] {
      let context = container.makeContext()
      try Self.insert(entity, number, frame: frame, into: context)
      #expect(
        try Self.cause(context).contains(
          "has the same value \(frame.map { "\"\($0)\"" } ?? "1") as \(other);"))
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      let id = (error?.causes.first as? PersistenceError)?.otherID
      #expect(id == fresco.objectID, "the same object, whatever the name")
    }

    // Two new objects of one save.
    let context = container.makeContext()
    try Self.insert("Drawing", 7, into: context)
    try Self.insert("Fresco", 7, into: context)
    #expect(try Self.cause(context).contains("has the same value 7 as the new Drawing t"))
  }

  @Test(
    "a property of subentities alone: the error names them",
    arguments: [
      (
        "Work", "wall",
        "Work has no property 'wall'; subentities that have it: Fresco; name one of them in the condition, or fetch it"
      ),
      (
        "Work", "frame",
        "Work has no property 'frame'; subentities that have it: Painting, Fresco; name one of them in the condition, or fetch it"
      ),
      (
        "Work", "wall.height",
        "Work has no property 'wall.height'; subentities that have it: Fresco; name one of them in the condition, or fetch it"
      ),
      ("Painting", "paper", "Painting has no property 'paper'"),
      ("Painting", "numbre", "Painting has no property 'numbre'; did you mean 'number'?"),
    ])
  func unknownProperty(_ entity: String, _ property: String, _ sentence: String) throws {
    let store = try TestStore(.memory)
    let container = try Self.container(store)
    let context = container.makeContext()
    let condition = FetchPredicate.comparison(.property(property), .equal, .constant("oak"))
    for request in [
      FetchRequest<ManagedObject>(entityName: entity, predicate: condition),
      FetchRequest<ManagedObject>(entityName: entity, sortKeys: [.ascending(property)]),
    ] {
      let error = #expect(throws: PersistenceError.self) { try context.fetch(request) }
      #expect(error?.description == "\(sentence) [request.unknownProperty]")
    }
  }

  @Test("an attribute has no properties, and the error says how to ask for its text")
  func pathThroughAttribute() throws {
    let context = try Self.container(TestStore(.memory)).makeContext()
    for text in ["frame.scheme BEGINSWITH %@", "frame.scheme == %@"] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Painting", predicate: try FetchPredicate(format: text, "oak"))
      let error = #expect(throws: PersistenceError.self) { try context.fetch(request) }
      #expect(
        error?.description
          == "Painting.frame.scheme is a path through an attribute, which has no properties; name the "
          + "attribute alone, or CAST(frame, \"NSString\") for its text [request.notQueryable]")
    }
  }
}
