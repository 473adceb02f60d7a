import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// What a program has kept of ids before its model changed: in user defaults as texts, in JSON, and
/// in a cursor.
@Suite("Ids from before a migration", .modelAsIs)
struct OldIDTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  private func open(_ entities: String, version: Int, keys: String = "") throws
    -> ManagedObjectContext
  {
    let model = try ManagedObjectModel(
      json:
        #"{ "copal": 1, "model": "Test", "version": \#(version), \#(keys) "entities": { \#(entities) } }"#,
      file: "Test.model.json")
    return try PersistentContainer(model: ModelBinding(model), store: test.configuration())
      .makeContext()
  }

  private static let old = #"""
    "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset" },
    "Paper": { "attributes": { "n": "string" } }, "Note": { "attributes": { "n": "string" } },
    "Album": { "attributes": { "n": "string" }, "relationships": { "front": { "type": "Photo?" }, "paper": { "type": "Paper?" } } }
    """#

  /// The entities that the objects are of after each kind of move.
  static let moves: [(new: String, entities: [String: String])] = [
    // Nothing moves but a name.
    (
      old.replacing(#""Note": {"#, with: #""Memo": { "renamedFrom": "Note","#), ["c": "Memo"]
    ),
    // Photos leave their family.
    (
      old.replacing(
        #""Photo": { "parent": "Asset" }"#, with: #""Photo": { "attributes": { "n": "string" } }"#),
      [:]
    ),
    // Papers get a parent that has objects.
    (
      old.replacing(
        #""Paper": { "attributes": { "n": "string" } }"#, with: #""Paper": { "parent": "Asset" }"#),
      [:]
    ),
    // Photos go to another family.
    (
      old.replacing(#""Photo": { "parent": "Asset" }"#, with: #""Photo": { "parent": "Paper" }"#),
      [:]
    ),
    // Two roots get one new parent.
    (
      #""Thing": { "attributes": { "n": "string" } }, "#
        + old.replacing(
          #""Asset": { "attributes": { "n": "string" } }"#, with: #""Asset": { "parent": "Thing" }"#
        )
        .replacing(
          #""Paper": { "attributes": { "n": "string" } }"#, with: #""Paper": { "parent": "Thing" }"#
        ),
      [:]
    ),
    // Papers and notes become one.
    (
      old.replacing(#""Paper": {"#, with: #""Sheet": { "merges": ["Paper", "Note"],"#)
        .replacing(#" "Note": { "attributes": { "n": "string" } },"#, with: "")
        .replacing("Paper?", with: "Sheet?"), ["b": "Sheet", "c": "Sheet"]
    ),
    // A subentity becomes objects of its parent.
    (
      old.replacing(#""Asset": {"#, with: #""Asset": { "merges": ["Photo"],"#)
        .replacing(#", "Photo": { "parent": "Asset" }"#, with: "")
        .replacing("Photo?", with: "Asset?"), ["a": "Asset"]
    ),
  ]

  @Test("find their objects after each kind of move", arguments: moves)
  func ids(new: String, entities: [String: String]) throws {
    var texts: [String: String] = [:]
    let json: Data
    let cursor: Data
    do {
      let context = try open(Self.old, version: 1)
      var ids: [ManagedObjectID] = []
      var objects: [String: ManagedObject] = [:]
      // The same keys in all families.
      for (name, entity) in [
        ("x", "Asset"), ("a", "Photo"), ("b", "Paper"), ("y", "Paper"), ("c", "Note"),
      ] {
        let object = try context.insert(entity)
        try object.setValue(name, forKey: "n")
        try context.save()
        objects[name] = object
        ids.append(object.objectID)
        texts[name] = object.objectID.description
      }
      let album = try context.insert("Album")
      try album.setValue("album", forKey: "n")
      try album.setValue(objects["a"], forKey: "front")
      try album.setValue(objects["b"], forKey: "paper")
      try context.save()
      json = try JSONEncoder().encode(ids)
      let request = FetchRequest<ManagedObject>(
        entityName: "Paper", sortKeys: [FetchSortKey("n")])
      let page = try context.fetchPage(request, size: 1)
      cursor = try JSONEncoder().encode(try #require(page.next))
    }
    for _ in 0..<2 {
      let context = try open(new, version: 2)
      func name(_ object: ManagedObject?) throws -> String? {
        try object?.value(of: "n", as: String.self)
      }
      for (name, text) in texts {
        let id = try #require(ManagedObjectID(uri: text))
        let object = try context.existingObject(with: id)
        #expect(try name == object.value(of: "n", as: String.self), "\(text)")
        if let entity = entities[name] { #expect(object.entityName == entity) }
        #expect(try context.object(with: id) === object)
        #expect(try context.objects(with: [id, id]).allSatisfy { $0 === object })
        // A condition with an id from text.
        let found = try context.fetch(
          FetchRequest<ManagedObject>(
            entityName: object.entityName,
            predicate: .comparison(.object, .equal, .constant(.object(id)))))
        #expect(found == [object])
      }
      let decoded = try JSONDecoder().decode([ManagedObjectID].self, from: json)
      #expect(
        try decoded.map { try name(context.existingObject(with: $0)) } == ["x", "a", "b", "y", "c"])
      let album = try #require(
        try context.fetch(FetchRequest<ManagedObject>(entityName: "Album")).first)
      #expect(try name(album.value(of: "front", as: ManagedObject.self)) == "a")
      #expect(try name(album.value(of: "paper", as: ManagedObject.self)) == "b")
      // The page behind the paper b.
      let paper = entities["b"] ?? "Paper"
      let request = FetchRequest<ManagedObject>(entityName: paper, sortKeys: [FetchSortKey("n")])
      let next = try context.fetchPage(
        request, size: 10, after: JSONDecoder().decode(FetchCursor.self, from: cursor))
      let names = try next.objects.map { try $0.value(of: "n", as: String.self) ?? "" }
      #expect(names.last == "y" && !names.contains("a") && !names.contains("b"))
      // New objects get ids that no old text has.
      let taken = Set(texts.values)
      for entity in context.model.entities.map(\.name) {
        let object = try context.insert(entity)
        try object.setValue("z", forKey: "n")
        try context.save()
        #expect(!taken.contains(object.objectID.description))
        context.delete(object)
        try context.save()
      }
    }
  }

  /// Makes a store with a photo, and keeps the text of its id.
  private func textOfPhoto(named name: String) throws -> String {
    let context = try open(Self.old, version: 1)
    let photo = try context.insert("Photo")
    try photo.setValue(name, forKey: "n")
    try context.save()
    return photo.objectID.description
  }

  @Test("of objects that are removed with their subentity find nothing")
  func removedSubentity() throws {
    let id = try #require(ManagedObjectID(uri: textOfPhoto(named: "a")))
    let new = Self.old.replacing(#", "Photo": { "parent": "Asset" }"#, with: "")
      .replacing(#""front": { "type": "Photo?" }, "#, with: "")
      .replacing(#""Album": {"#, with: #""Album": { "removed": ["front"],"#)
    let context = try open(new, version: 2, keys: #""removed": ["Photo"],"#)
    let asset = try context.insert("Asset")
    try asset.setValue("b", forKey: "n")
    try context.save()
    #expect(
      #expect(throws: PersistenceError.self) { try context.existingObject(with: id) }?.code
        == .objectMissing)
  }

  @Test("of deleted objects find nothing, also when a family has gone apart")
  func deleted() throws {
    let text = try textOfPhoto(named: "a")
    let id = try #require(ManagedObjectID(uri: text))
    do {
      let new = Self.moves[1].new
      let context = try open(new, version: 2)
      let photo = try context.existingObject(with: id)
      #expect(photo.entityName == "Photo")
      context.delete(photo)
      try context.save()
      #expect(
        #expect(throws: PersistenceError.self) { try context.existingObject(with: id) }?.code
          == .objectMissing)
      #expect(
        #expect(throws: PersistenceError.self) { try context.object(with: id) }?.code
          == .objectMissing)
    }
  }

  @Test("have other texts than those of a family that gets the name of an earlier one")
  func name() throws {
    func texts(_ context: ManagedObjectContext, _ entity: String, _ names: [String]) throws
      -> [String]
    {
      try names.map { name in
        let object = try context.insert(entity)
        try object.setValue(name, forKey: "n")
        try context.save()
        return object.objectID.description
      }
    }
    func expect(_ text: String, _ name: String?, _ context: ManagedObjectContext) throws {
      let id = try #require(ManagedObjectID(uri: text))
      let object = try? context.existingObject(with: id)
      #expect(try object?.value(of: "n", as: String.self) == name)
    }
    let (tag, mark): (String, String)
    do {
      let context = try open(
        #""Tag": { "attributes": { "n": "string" } }, "Mark": { "attributes": { "n": "string" } }"#,
        version: 1)
      tag = try texts(context, "Tag", ["tag"])[0]
      mark = try texts(context, "Mark", ["mark"])[0]
    }
    // The id of an object that was never saved is nobody's.
    let unsaved = try #require(ManagedObjectID(uri: mark.replacing("/p1", with: "/t1")))
    // The name of the tags goes to the marks, in one version.
    let context = try open(
      #""Label": { "renamedFrom": "Tag", "attributes": { "n": "string" } }, "Tag": { "renamedFrom": "Mark", "attributes": { "n": "string" } }"#,
      version: 2)
    #expect(
      #expect(throws: PersistenceError.self) { try context.existingObject(with: unsaved) }?.code
        != .objectMissing)
    try expect(tag, "tag", context)
    try expect(mark, "mark", context)
    for (entity, name) in [("Label", "tag"), ("Tag", "mark")] {
      let object = try #require(
        try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).first)
      #expect(object.objectID.description != tag)
      try expect(object.objectID.description, name, context)
    }
  }

  @Test("of a subentity that is gone do not find objects of a new entity with its name")
  func subentity() throws {
    let text = try textOfPhoto(named: "old")
    let id = try #require(ManagedObjectID(uri: text))
    _ = try open(try #require(Self.moves.last).new, version: 2)
    let context = try open(
      try #require(Self.moves.last).new.replacing(#""merges": ["Photo"],"#, with: "")
        + #", "Photo": { "attributes": { "n": "string" } }"#,
      version: 3)
    let photo = try context.insert("Photo")
    try photo.setValue("new", forKey: "n")
    try context.save()
    let found = try context.existingObject(with: id)
    #expect(try found.value(of: "n", as: String.self) == "old")
    #expect(found.entityName == "Asset" && found.objectID != photo.objectID)
  }

  @Test("are kept in a file whose table of them an older version of Copal has made")
  func oldTable() throws {
    let text = try textOfPhoto(named: "a")
    _ = try test.sqlite3(
      """
      DROP TABLE copal_ids;
      CREATE TABLE copal_ids (former TEXT NOT NULL, last INTEGER NOT NULL, entity TEXT, added INTEGER NOT NULL,
        PRIMARY KEY (former, last));
      INSERT INTO copal_ids VALUES ('Book', 7, NULL, 0);
      """)
    let context = try open(Self.moves[1].new, version: 2)
    let photo = try context.existingObject(with: #require(ManagedObjectID(uri: text)))
    #expect(try photo.value(of: "n", as: String.self) == "a")
    #expect(
      try test.sqlite3("SELECT former, last, entity, added FROM copal_ids ORDER BY 1, 3")
        == "Asset|1|Asset|0\nAsset|1|Photo|0\nBook|7||0")
  }
}
