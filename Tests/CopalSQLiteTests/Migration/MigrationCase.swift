import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// An edit of a model file, objects of the former model, and what becomes of them. The expected
/// values are written by hand.
struct MigrationCase: Sendable, CustomTestStringConvertible {
  typealias Objects = [(entity: String, values: [String: PropertyValue])]

  let testDescription: String
  /// The entities of the store, as JSON.
  let old: String
  /// The entities of the program.
  let new: String
  /// Further keys of the program's model, such as `"removed": ["Voucher"]`.
  let keys: String
  /// The objects of the store. Their keys are counted from 1 in each family.
  let objects: Objects
  /// What the objects are after the migration, for each entity in the order of keys.
  let result: [String: [[String: PropertyValue]]]
  /// What another program does with the store: for example, links between the objects.
  let statements: String
  /// The objects of relationships after the migration: `"Book.authors": "1: 2 3; 4: 2"` for a book
  /// with the key 1, with the authors 2 and 3 in this order, and one with the key 4.
  let relations: [String: String]
  /// An attribute that all entities have: its values stand for the objects in ``relations``. Nil
  /// for keys.
  let naming: String?
  /// The causes of a refusal: code and what was found. Empty when the migration is made.
  let refusals: [String]
  /// Whether a store without objects is refused, too.
  let refusesEmpty: Bool
  /// Whether rows are written.
  let writes: Bool

  init(
    _ description: String, from old: String, to new: String, keys: String = "",
    objects: Objects = [], gives result: [String: [[String: PropertyValue]]] = [:],
    statements: String = "", relations: [String: String] = [:],
    naming: String? = nil, refusals: [String] = [], refusesEmpty: Bool = false, writes: Bool = false
  ) {
    testDescription = description
    self.old = old
    self.new = new
    self.keys = keys
    self.objects = objects
    self.result = result
    self.statements = statements
    self.relations = relations
    self.naming = naming
    self.refusals = refusals
    self.refusesEmpty = refusesEmpty
    self.writes = writes
  }

  /// One attribute `a` of the entity Book.
  static func attribute(
    _ description: String, _ old: String, to new: String, _ values: [PropertyValue],
    gives result: [PropertyValue] = [], refusals: [String] = [], refusesEmpty: Bool = false,
    writes: Bool = false
  ) -> MigrationCase {
    MigrationCase(
      description, from: #""Book": { "attributes": { "a": \#(old) } }"#,
      to: #""Book": { "attributes": { "a": \#(new) } }"#,
      objects: values.map { ("Book", ["a": $0]) }, gives: ["Book": result.map { ["a": $0] }],
      refusals: refusals, refusesEmpty: refusesEmpty, writes: writes)
  }

  static func schema(_ entities: String, keys: String = "") throws -> StoreSchema {
    let others = keys.isEmpty ? "" : keys + ", "
    return StoreSchema(
      try ManagedObjectModel(
        json: #"{ "copal": 1, "model": "Test", \#(others)"entities": { \#(entities) } }"#,
        file: "Test.model.json"))
  }
}

extension MigrationCase {
  static let exact = "migration.inexact"

  /// Rules, indexes, new attributes and constraints.
  static let tables: [MigrationCase] = [
    MigrationCase(
      "line 1: rules, documentation, order, counts",
      from: #"""
        "Book": {
          "attributes": { "a": "string", "b": "integer?" },
          "relationships": { "tags": { "type": "[Tag]", "inverse": "book" } }
        },
        "Tag": { "relationships": { "book": { "type": "Book?", "inverse": "tags" } } }
        """#,
      to: #"""
        "Tag": { "relationships": { "book": { "type": "Book?", "inverse": "tags" } } },
        "Book": {
          "doc": "A book.",
          "attributes": { "b": { "type": "integer?", "minimum": 5 }, "a": { "type": "string", "maximumLength": 1 } },
          "relationships": { "tags": { "type": "[Tag]", "inverse": "book", "minimum": 1 } }
        }
        """#,
      objects: [("Book", ["a": "long", "b": 1])], gives: ["Book": [["a": "long", "b": 1]]]),
    MigrationCase(
      "line 2: a delete rule, a default, a threshold",
      from: #"""
        "Book": {
          "attributes": { "a": { "type": "integer?", "default": 1 }, "b": { "type": "binary?", "external": 5 } },
          "relationships": { "tags": { "type": "[Tag]", "inverse": "book", "delete": "cascade" } }
        },
        "Tag": { "relationships": { "book": { "type": "Book?", "inverse": "tags" } } }
        """#,
      to: #"""
        "Book": {
          "attributes": { "a": { "type": "integer?", "default": 2 }, "b": { "type": "binary?", "external": 500 } },
          "relationships": { "tags": { "type": "[Tag]", "inverse": "book", "delete": "deny" } }
        },
        "Tag": { "relationships": { "book": { "type": "Book?", "inverse": "tags" } } }
        """#,
      objects: [("Book", ["a": .null, "b": .binary(Data([7]))])],
      gives: ["Book": [["a": .null, "b": .binary(Data([7]))]]]),
    MigrationCase(
      "line 3: a greater version of the same schema",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to: #""Book": { "attributes": { "a": "string" } }"#, keys: #""version": 2"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 4: new entities with relationships between them",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to: #"""
        "Book": { "attributes": { "a": "string" } },
        "Author": { "relationships": { "prizes": { "type": "[Prize]", "inverse": "author" } } },
        "Prize": { "relationships": { "author": { "type": "Author?", "inverse": "prizes" } } }
        """#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 5: new optional attributes, one of them with a default",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to:
        #""Book": { "attributes": { "a": "string", "b": "integer?", "c": { "type": "integer?", "default": 7 } } }"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["a": "x", "b": .null, "c": 7]]],
      writes: true),
    MigrationCase(
      "line 6: a new required attribute with a default, and one with another fill",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to:
        #""Book": { "attributes": { "a": "string", "b": { "type": "string", "default": "new" }, "c": { "type": "string", "default": "new", "fill": "old" } } }"#,
      objects: [("Book", ["a": "x"]), ("Book", ["a": "y"])],
      gives: ["Book": [["a": "x", "b": "new", "c": "old"], ["a": "y", "b": "new", "c": "old"]]],
      writes: true),
    MigrationCase(
      "line 6: a new required attribute with neither",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to: #""Book": { "attributes": { "a": "string", "b": "string" } }"#,
      objects: [("Book", ["a": "x"]), ("Book", ["a": "y"])],
      refusals: ["migration.newRequired Book.b: new and required, and 2 objects have no value"]),
    MigrationCase(
      "line 8: an index added, one removed, and one of a renamed attribute",
      from:
        #""Book": { "attributes": { "a": "string", "b": "string", "c": "string" }, "indexes": ["a", "c"] }"#,
      to:
        #""Book": { "attributes": { "d": { "type": "string", "renamedFrom": "a" }, "b": "string", "c": "string" }, "indexes": ["d", "b"] }"#,
      objects: [("Book", ["a": "1", "b": "2", "c": "3"])],
      gives: ["Book": [["d": "1", "b": "2", "c": "3"]]]),
    MigrationCase(
      "line 9: a new unique constraint over different values and over nil",
      from: #""Book": { "attributes": { "a": "string?" } }"#,
      to: #""Book": { "attributes": { "a": "string?" }, "unique": ["a"] }"#,
      objects: [("Book", ["a": "x"]), ("Book", ["a": .null]), ("Book", ["a": .null])],
      gives: ["Book": [["a": "x"], ["a": .null], ["a": .null]]]),
    MigrationCase(
      "line 9: a new unique constraint over equal values",
      from: #""Book": { "attributes": { "a": "string", "b": "integer" } }"#,
      to: #""Book": { "attributes": { "a": "string", "b": "integer" }, "unique": [["b", "a"]] }"#,
      objects: [
        ("Book", ["a": "x", "b": 1]), ("Book", ["a": "y", "b": 1]), ("Book", ["a": "x", "b": 1]),
        ("Book", ["a": "y", "b": 2]), ("Book", ["a": "y", "b": 2]), ("Book", ["a": "y", "b": 2]),
      ],
      refusals: [
        "migration.duplicates Book.a, b: unique, and 2 groups of objects have equal values (p1, p3; p4, p6 and 1 more)"
      ]),
    MigrationCase(
      "line 10: a constraint removed",
      from:
        #""Book": { "attributes": { "a": "string", "b": "string" }, "unique": ["a", ["a", "b"]] }"#,
      to: #""Book": { "attributes": { "a": "string", "b": "string" }, "unique": [["b", "a"]] }"#,
      objects: [("Book", ["a": "x", "b": "y"])], gives: ["Book": [["a": "x", "b": "y"]]]),
    MigrationCase(
      "line 10: a constraint of a subentity, over its objects only",
      from: #"""
        "Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset", "unique": ["a"] }
        """#,
      objects: [
        ("Asset", ["a": "x"]), ("Asset", ["a": "x"]), ("Photo", ["a": "x"]), ("Photo", ["a": "x"]),
      ],
      refusals: [
        "migration.duplicates Photo.a: unique, and 1 group of objects have equal values (p3, p4)"
      ]),
    .attribute(
      "line 11: required, and optional now", #""string""#, to: #""string?""#, ["x"], gives: ["x"]),
    .attribute(
      "line 12: optional, and required now, without nil", #""string?""#, to: #""string""#, ["x"],
      gives: ["x"]),
    .attribute(
      "line 12: optional, and required now, with a default", #""string?""#,
      to: #"{ "type": "string", "default": "d" }"#, ["x", .null], gives: ["x", "d"], writes: true),
    .attribute(
      "line 12: optional, and required now, with a fill", #""string?""#,
      to: #"{ "type": "string", "default": "d", "fill": "f" }"#, ["x", .null], gives: ["x", "f"],
      writes: true),
    .attribute(
      "line 12: optional, and required now, with neither", #""string?""#, to: #""string""#,
      ["x", .null, .null],
      refusals: [
        "migration.missingValues Book.a: required, and 2 of 3 objects have no value (p2, p3)"
      ]),
    .attribute(
      "line 12: a new UUID for each object without one", #""uuid?""#,
      to: #"{ "type": "uuid", "default": "new" }"#, [.uuid(one)], gives: [.uuid(one)], writes: true),
  ]

  static let one = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  /// Names, and what is not there any more.
  static let names: [MigrationCase] = [
    MigrationCase(
      "line 13: an attribute renamed, indexed and unique",
      from:
        #""Book": { "attributes": { "a": "string", "b": "integer" }, "unique": ["a"], "indexes": [["b", "a"]] }"#,
      to:
        #""Book": { "attributes": { "title": { "type": "string", "renamedFrom": "a" }, "b": "integer" }, "unique": ["title"], "indexes": [["b", "title"]] }"#,
      objects: [("Book", ["a": "x", "b": 1])], gives: ["Book": [["title": "x", "b": 1]]]),
    MigrationCase(
      "line 13: an attribute renamed only in case",
      from: #""Book": { "attributes": { "isbn": "string" }, "unique": ["isbn"] }"#,
      to:
        #""Book": { "attributes": { "ISBN": { "type": "string", "renamedFrom": "isbn" } }, "unique": ["ISBN"] }"#,
      objects: [("Book", ["isbn": "x"])], gives: ["Book": [["ISBN": "x"]]]),
    MigrationCase(
      "line 14: names of three versions, and a file of the first",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to:
        #""Book": { "attributes": { "d": { "type": "string", "renamedFrom": ["c", "b", "a"] } } }"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["d": "x"]]]),
    MigrationCase(
      "line 14: names of three versions, and a file of the second",
      from: #""Book": { "attributes": { "b": "string" } }"#,
      to:
        #""Book": { "attributes": { "d": { "type": "string", "renamedFrom": ["c", "b", "a"] } } }"#,
      objects: [("Book", ["b": "x"])], gives: ["Book": [["d": "x"]]]),
    MigrationCase(
      "line 15: a becomes b, and c becomes a, at once",
      from: #""Book": { "attributes": { "a": "string", "c": "string" } }"#,
      to:
        #""Book": { "attributes": { "b": { "type": "string", "renamedFrom": "a" }, "a": { "type": "string", "renamedFrom": "c" } } }"#,
      objects: [("Book", ["a": "1", "c": "3"])], gives: ["Book": [["b": "1", "a": "3"]]]),
    MigrationCase(
      "line 16: renamed without the key",
      from: #""Book": { "attributes": { "title": "string" } }"#,
      to: #""Book": { "attributes": { "name": "string?" } }"#,
      objects: [("Book", ["title": "x"])],
      refusals: ["migration.removed Book.title: removed"], refusesEmpty: true),
    MigrationCase(
      "line 17: a former name that the file lacks",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to: #""Book": { "attributes": { "a": { "type": "string", "renamedFrom": "z" } } }"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 17: a former name that a new attribute has",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to:
        #""Book": { "attributes": { "b": { "type": "string", "renamedFrom": "a" }, "a": "string?" } }"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["b": "x", "a": .null]]]),
    MigrationCase(
      "line 18: renamed and another type at once",
      from: #""Book": { "attributes": { "a": "integer" } }"#,
      to: #""Book": { "attributes": { "b": { "type": "string", "renamedFrom": "a" } } }"#,
      objects: [("Book", ["a": 7])], gives: ["Book": [["b": "7"]]], writes: true),
    MigrationCase(
      "line 19: an entity renamed, referenced by others and by links",
      from: #"""
        "Book": {
          "attributes": { "a": "string" }, "unique": ["a"],
          "relationships": { "tags": { "type": "[Tag]", "inverse": "books" }, "next": { "type": "Book?" } }
        },
        "Tag": { "relationships": { "books": { "type": "[Book]", "inverse": "tags" } } },
        "Loan": { "relationships": { "book": { "type": "Book" } } }
        """#,
      to: #"""
        "Copy": {
          "renamedFrom": "Book", "attributes": { "a": "string" }, "unique": ["a"],
          "relationships": { "tags": { "type": "[Tag]", "inverse": "books" }, "next": { "type": "Copy?" } }
        },
        "Tag": { "relationships": { "books": { "type": "[Copy]", "inverse": "tags" } } },
        "Loan": { "relationships": { "book": { "type": "Copy" } } }
        """#,
      objects: [
        ("Book", ["a": "x"]), ("Book", ["a": "y", "next": 1]), ("Tag", [:]), ("Loan", ["book": 2]),
      ],
      gives: ["Copy": [["a": "x", "next": .null], ["a": "y", "next": 1]], "Loan": [["book": 2]]]),
    MigrationCase(
      "line 19: the root of a family renamed",
      from: #"""
        "Asset": { "attributes": { "a": "string" }, "unique": ["a"], "indexes": ["a"] },
        "Photo": { "parent": "Asset", "attributes": { "width": "integer" }, "indexes": ["width"] }
        """#,
      to: #"""
        "Item": { "renamedFrom": "Asset", "attributes": { "a": "string" }, "unique": ["a"], "indexes": ["a"] },
        "Photo": { "parent": "Item", "attributes": { "width": "integer" }, "indexes": ["width"] }
        """#,
      objects: [("Asset", ["a": "x"]), ("Photo", ["a": "y", "width": 3])],
      gives: ["Item": [["a": "x"]], "Photo": [["a": "y", "width": 3]]], writes: true),
    MigrationCase(
      "line 19: a subentity renamed, with a constraint over its objects",
      from: #"""
        "Asset": { "attributes": { "a": "string" } },
        "Photo": { "parent": "Asset", "attributes": { "width": "integer" }, "unique": ["a"] },
        "Video": { "parent": "Asset", "attributes": { "width": "integer" } }
        """#,
      to: #"""
        "Asset": { "attributes": { "a": "string" } },
        "Image": { "renamedFrom": "Photo", "parent": "Asset", "attributes": { "width": "integer" }, "unique": ["a"] },
        "Video": { "parent": "Asset", "attributes": { "width": "integer" } }
        """#,
      objects: [("Photo", ["a": "x", "width": 1]), ("Video", ["a": "x", "width": 2])],
      gives: ["Image": [["a": "x", "width": 1]], "Video": [["a": "x", "width": 2]]], writes: true),
    MigrationCase(
      "line 20: an entity renamed only in case",
      from: #""book": { "attributes": { "a": "string" }, "unique": ["a"] }"#,
      to: #""Book": { "renamedFrom": "book", "attributes": { "a": "string" }, "unique": ["a"] }"#,
      objects: [("book", ["a": "x"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 20: an entity renamed to the name of another one that is removed",
      from:
        #""Book": { "attributes": { "a": "string" } }, "Tag": { "attributes": { "b": "string" } }"#,
      to: #""Tag": { "renamedFrom": "Book", "attributes": { "a": "string" } }"#,
      objects: [("Book", ["a": "x"])],
      refusals: [
        "migration.removed Book: removed, and Tag is in the store, too",
        "migration.removed Tag.b: removed",
      ], refusesEmpty: true),
    MigrationCase(
      "line 20: an attribute renamed to the name of another one that is removed",
      from: #""Book": { "attributes": { "a": "string", "b": "string" } }"#,
      to: #""Book": { "attributes": { "b": { "type": "string", "renamedFrom": "a" } } }"#,
      objects: [("Book", ["a": "x", "b": "y"])],
      refusals: ["migration.removed Book.a: removed, and b is in the store, too"],
      refusesEmpty: true),
    MigrationCase(
      "line 23: an attribute removed with the word, indexed and unique",
      from:
        #""Book": { "attributes": { "a": "string", "b": "string" }, "unique": ["b"], "indexes": [["a", "b"]] }"#,
      to: #""Book": { "removed": ["b"], "attributes": { "a": "string" } }"#,
      objects: [("Book", ["a": "x", "b": "y"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 24: five attributes removed",
      from:
        #""Book": { "attributes": { "a": "string", "b": "string", "c": "string", "d": "date?", "e": "binary?", "f": "uuid?" } }"#,
      to: #""Book": { "removed": ["b", "c", "d", "e", "f"], "attributes": { "a": "string" } }"#,
      objects: [("Book", ["a": "x", "b": "y", "c": "z"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 25: an entity removed without the word",
      from:
        #""Book": { "attributes": { "a": "string" } }, "Voucher": { "attributes": { "b": "string" } }"#,
      to: #""Book": { "attributes": { "a": "string" } }"#,
      objects: [("Book", ["a": "x"])], refusals: ["migration.removed Voucher: removed"],
      refusesEmpty: true),
    MigrationCase(
      "line 25: an entity removed with the word, which refers to another one",
      from:
        #""Book": { "attributes": { "a": "string" } }, "Voucher": { "attributes": { "b": "string" }, "relationships": { "book": { "type": "Book?" }, "books": { "type": "[Book]" } } }"#,
      to: #""Book": { "attributes": { "a": "string" } }"#, keys: #""removed": ["Voucher"]"#,
      objects: [("Book", ["a": "x"]), ("Voucher", ["b": "y", "book": 1])],
      gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 26: an abstract entity without objects removed",
      from: #""Book": { "attributes": { "a": "string" } }, "Thing": { "abstract": true }"#,
      to: #""Book": { "attributes": { "a": "string" } }"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "a subentity removed with its objects",
      from: #"""
        "Asset": { "attributes": { "a": "string" } },
        "Photo": { "parent": "Asset", "attributes": { "width": "integer" }, "indexes": ["width"] },
        "Video": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "a": "string" } }, "Video": { "parent": "Asset" }
        """#, keys: #""removed": ["Photo"]"#,
      objects: [("Asset", ["a": "x"]), ("Photo", ["a": "y", "width": 3]), ("Video", ["a": "z"])],
      gives: ["Asset": [["a": "x"]], "Video": [["a": "z"]]], writes: true),
    MigrationCase(
      "line 27: stored, and transient now, without the word",
      from: #""Book": { "attributes": { "a": "string", "b": "string" } }"#,
      to:
        #""Book": { "attributes": { "a": "string", "b": { "type": "string?", "transient": true } } }"#,
      objects: [("Book", ["a": "x", "b": "y"])],
      refusals: ["migration.removed Book.b: removed, and transient now"], refusesEmpty: true),
    MigrationCase(
      "line 27: stored, and transient now, with the word",
      from: #""Book": { "attributes": { "a": "string", "b": "string" } }"#,
      to:
        #""Book": { "removed": ["b"], "attributes": { "a": "string", "b": { "type": "string?", "transient": true } } }"#,
      objects: [("Book", ["a": "x", "b": "y"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 28: an attribute that is a relationship now",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to: #""Book": { "relationships": { "a": { "type": "Book?" } } }"#,
      objects: [("Book", ["a": "x"])],
      refusals: ["migration.needsStep Book.a: was an attribute, and is a relationship now"],
      refusesEmpty: true),
    MigrationCase(
      "line 29: the word for what never was",
      from: #""Book": { "attributes": { "a": "string" } }"#,
      to: #""Book": { "removed": ["z"], "attributes": { "a": "string" }, "indexes": ["a"] }"#,
      objects: [("Book", ["a": "x"])], gives: ["Book": [["a": "x"]]]),
    MigrationCase(
      "line 61: an attribute that moves to the parent, with a value for the objects of others",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": { "type": "integer", "default": 9 } } }, "Photo": { "parent": "Asset" }
        """#,
      objects: [("Asset", [:]), ("Photo", ["width": 3])],
      gives: ["Asset": [["width": 9]], "Photo": [["width": 3]]], writes: true),
    MigrationCase(
      "line 61: a required attribute that moves to the parent, without a value for others",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } }, "Link": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": "integer" } }, "Photo": { "parent": "Asset" }, "Link": { "parent": "Asset" }
        """#,
      objects: [("Asset", [:]), ("Photo", ["width": 3]), ("Link", [:])],
      refusals: [
        "migration.newRequired Asset.width: new and required for Asset and Link, and 2 objects have no value"
      ]),
    MigrationCase(
      "line 61: a constraint that moves to the parent with its attribute",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" }, "unique": ["width"] }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": "integer?" }, "unique": ["width"] }, "Photo": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["width": 3]), ("Asset", [:])], gives: ["Photo": [["width": 3]]]),
  ]
}
