import CopalModel
import CopalSQL
import CopalSQLite
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("Broken references and links in a store")
struct BrokenReferenceTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  @Test("a link whose owner or member is missing is found, one between the same objects once")
  func links() throws {
    test.expectsBrokenReferences()
    let tester = try test.storeTester(StoreModels.gallery())
    try tester.commit { changes in
      let painters = try ["Vermeer", "de Hooch"].map {
        try changes.insert("Painter", ["name": .string($0)])
      }
      let paintings = try ["Milkmaid", "Delft"].map {
        try changes.insert("Painting", ["title": .string($0)])
      }
      let pigments = try ["Ochre", "Azure"].map {
        try changes.insert("Pigment", ["name": .string($0)])
      }
      try changes.link("Painter", "friends", added: [Link(owner: painters[0], member: painters[1])])
      try changes.link(
        "Painting", "pigments",
        added: paintings.flatMap { painting in
          pigments.map { Link(owner: painting, member: $0) }
        })
    }
    #expect(try tester.session.brokenReferences() == [])
    #expect(
      try test.sqlite3(
        """
        DELETE FROM Painter WHERE copal_id = 2; DELETE FROM Painting WHERE copal_id = 1; \
        DELETE FROM Pigment WHERE copal_id = 2
        """) == "")
    let painting = try tester.layout("Painting").index
    let pigments = RelationshipName(entity: painting, name: "pigments")
    let friends = RelationshipName(entity: try tester.layout("Painter").index, name: "friends")
    func broken(_ kind: BrokenReference.Kind, _ key: Int64, _ other: Int64) -> BrokenReference {
      BrokenReference(kind, pigments, entity: painting, key: key, other: other)
    }
    #expect(
      Set(try tester.session.brokenReferences()) == [
        broken(.missingOwner, 1, 1), broken(.missingOwner, 1, 2),
        broken(.missingObject, 1, 2), broken(.missingObject, 2, 2),
        BrokenReference(.missingObject, friends, entity: friends.entity, key: 1, other: 2),
      ])
    #expect(try tester.session.brokenReferences().count == 5)
  }

  /// Owners with a dog; dogs and cats are animals, so that their keys differ.
  private func pets() throws -> StoreSchema {
    func name() -> [AttributeDescription] {
      [AttributeDescription("name", .string, isOptional: true)]
    }
    return try StoreModels.schema([
      EntityDescription("Animal", attributes: name()),
      EntityDescription(
        "Dog", parent: "Animal",
        relationships: [
          RelationshipDescription("owners", to: "Owner", isToMany: true, inverse: "dog")
        ]),
      EntityDescription("Cat", parent: "Animal"),
      EntityDescription("Puppy", parent: "Dog"),
      EntityDescription(
        "Owner", attributes: name(),
        relationships: [
          RelationshipDescription("dog", to: "Dog", isOptional: true, inverse: "owners")
        ]),
    ])
  }

  @Test(
    "a reference to a row of another entity is found; a row of a subentity is right",
    arguments: StoreKind.allCases)
  func wrongEntity(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    // SQLite checks that the table has a row, and does not know the entities.
    let tester = try test.storeTester(pets())
    let dog = try tester.insert([:], into: "Dog")
    let cat = try tester.insert([:], into: "Cat")
    let puppy = try tester.insert([:], into: "Puppy")
    let owners = try (0..<3).map { _ in try tester.insert([:], into: "Owner") }
    let references = zip(owners, [dog, cat, puppy])
    for (owner, animal) in references {
      if kind == .sqlite {
        #expect(
          try test.sqlite3("UPDATE Owner SET dog = \(animal) WHERE copal_id = \(owner)") == "")
      } else {
        // A commit in memory looks for a row of the root.
        try tester.update(tester.row(owner, of: "Owner"), ["dog": .integer(animal)])
      }
    }
    let owner = try tester.layout("Owner").index
    #expect(
      try tester.session.brokenReferences() == [
        BrokenReference(
          .wrongEntity(try tester.layout("Cat").index),
          RelationshipName(entity: owner, name: "dog"), entity: owner, key: owners[1], other: cat)
      ])
  }

  @Test("the search reads each table once, and looks up keys")
  func plans() throws {
    let schema = try StoreModels.gallery()
    let tester = try test.storeTester(schema)
    let statements = try test.recorder.statements { _ = try tester.session.brokenReferences() }
      .filter { $0.hasPrefix("SELECT") }
    #expect(
      statements == [
        #"SELECT "copal_id", "painter" FROM "Painting" WHERE "painter" IS NOT NULL AND "painter" NOT IN (SELECT "copal_id" FROM "Painter") ORDER BY "copal_id""#,
        #"SELECT "owner", "member" FROM "copal_links_Painter.friends" WHERE "member" NOT IN (SELECT "copal_id" FROM "Painter") ORDER BY "owner", "member""#,
        #"SELECT "owner", "member" FROM "copal_links_Painting.pigments" WHERE "owner" NOT IN (SELECT "copal_id" FROM "Painting") ORDER BY "owner", "member""#,
        #"SELECT "owner", "member" FROM "copal_links_Painting.pigments" WHERE "member" NOT IN (SELECT "copal_id" FROM "Pigment") ORDER BY "owner", "member""#,
      ])
    for sql in statements {
      let plan = try test.sqlite3("EXPLAIN QUERY PLAN " + sql)
      #expect(plan.contains("USING ROWID SEARCH ON TABLE"), "\(sql)\n\(plan)")
      #expect(!plan.contains("TEMP B-TREE"), "\(sql)\n\(plan)")
    }
  }
}
