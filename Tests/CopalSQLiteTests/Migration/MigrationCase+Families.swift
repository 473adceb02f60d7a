import CopalModel
import CopalStore

/// Lines 61 to 69 of the table: entities and properties that move in and between families, and
/// entities that become one.
extension MigrationCase {
  static let families = properties + taken + entities + merges

  // MARK: Properties

  private static let properties: [MigrationCase] = [
    // MARK: 62
    MigrationCase(
      "line 62: attributes of siblings become one of the parent",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" }, "indexes": ["width"] },
        "Video": { "parent": "Asset", "attributes": { "width": "integer?" } }, "Link": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": "integer?" }, "indexes": ["width"] }, "Photo": { "parent": "Asset" },
        "Video": { "parent": "Asset" }, "Link": { "parent": "Asset" }
        """#,
      objects: [
        ("Asset", [:]), ("Photo", ["width": 3]), ("Video", ["width": 4]), ("Link", [:]),
        ("Video", ["width": .null]),
      ],
      gives: [
        "Asset": [["width": .null]], "Photo": [["width": 3]],
        "Video": [["width": 4], ["width": .null]],
        "Link": [["width": .null]],
      ], writes: true),
    MigrationCase(
      "line 62: attributes of siblings with two types that convert, and a value for the others",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } },
        "Video": { "parent": "Asset", "attributes": { "size": "string" } }, "Link": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": { "type": "integer", "default": 9, "renamedFrom": "size" } } },
        "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }, "Link": { "parent": "Asset" }
        """#,
      objects: [
        ("Asset", [:]), ("Photo", ["width": 3]), ("Video", ["size": "4"]), ("Link", [:]),
      ],
      gives: [
        "Asset": [["width": 9]], "Photo": [["width": 3]], "Video": [["width": 4]],
        "Link": [["width": 9]],
      ], writes: true),
    MigrationCase(
      "line 62: a value that does not convert",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } },
        "Video": { "parent": "Asset", "attributes": { "width": "string" } }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["width": 3]), ("Video", ["width": "wide"])],
      refusals: [
        "migration.inexact Asset.width: string to integer?, and 1 value cannot be converted exactly (p2)"
      ]),
    MigrationCase(
      "line 62: types that do not convert",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } },
        "Video": { "parent": "Asset", "attributes": { "width": "binary" } }
        """#,
      to: #"""
        "Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["width": 3])],
      refusals: ["migration.needsStep Asset.width: changes from binary to integer?"],
      refusesEmpty: true),
    MigrationCase(
      "to-one relationships of siblings become one of the parent",
      from: #"""
        "Asset": { "attributes": { "n": "string" } },
        "Photo": { "parent": "Asset", "relationships": { "place": { "type": "Place?", "inverse": "photos" } } },
        "Video": { "parent": "Asset", "relationships": { "place": { "type": "Place?", "inverse": "videos" } } },
        "Place": { "attributes": { "n": "string" }, "relationships": {
          "photos": { "type": "[Photo]", "inverse": "place" }, "videos": { "type": "[Video]", "inverse": "place" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": { "place": { "type": "Place?", "inverse": "assets" } } },
        "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" },
        "Place": { "attributes": { "n": "string" }, "relationships": {
          "assets": { "type": "[Asset]", "inverse": "place", "renamedFrom": ["photos", "videos"] } } }
        """#,
      objects: [
        ("Place", ["n": "home"]), ("Place", ["n": "lake"]), ("Photo", ["n": "a", "place": 1]),
        ("Video", ["n": "b", "place": 2]), ("Asset", ["n": "c"]),
        ("Video", ["n": "d", "place": 1]),
      ],
      relations: [
        "Asset.place": "a: home; b: lake; d: home", "Place.assets": "home: a d; lake: b",
      ],
      naming: "n", writes: true),
    MigrationCase(
      "many-to-many relationships of siblings become one of the parent",
      from: #"""
        "Asset": { "attributes": { "n": "string" } },
        "Photo": { "parent": "Asset", "relationships": { "tags": { "type": "[Tag]", "inverse": "photos" } } },
        "Video": { "parent": "Asset", "relationships": { "tags": { "type": "[Tag]", "inverse": "videos" } } },
        "Tag": { "attributes": { "n": "string" }, "relationships": {
          "photos": { "type": "[Photo]", "inverse": "tags" }, "videos": { "type": "[Video]", "inverse": "tags" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": { "tags": { "type": "[Tag]", "inverse": "assets" } } },
        "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "tags" } } }
        """#,
      objects: [
        ("Tag", ["n": "x"]), ("Tag", ["n": "y"]), ("Photo", ["n": "a"]), ("Video", ["n": "b"]),
      ],
      statements: #"""
        INSERT INTO "copal_links_Photo.tags" VALUES (1, 1), (1, 2);
        INSERT INTO "copal_links_Tag.videos" VALUES (2, 2);
        """#,
      relations: ["Asset.tags": "a: x y; b: y", "Tag.assets": "x: a; y: a b"], naming: "n",
      writes: true),
    // MARK: 63
    MigrationCase(
      "line 63: an attribute that moves to a subentity, and no other object has a value",
      from: #"""
        "Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } }, "Video": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["width": 3]), ("Photo", ["width": .null])],
      gives: ["Photo": [["width": 3], ["width": .null]]]),
    MigrationCase(
      "line 63: an attribute that moves to a subentity, and others have values",
      from: #"""
        "Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } }, "Video": { "parent": "Asset" }
        """#,
      objects: [
        ("Photo", ["width": 3]), ("Asset", ["width": 4]), ("Video", ["width": .null]),
        ("Video", ["width": 5]),
      ],
      refusals: [
        "migration.removed Asset.width: moved to the subentity Photo, and 2 objects of other entities have a value (p2, p4)"
      ]),
    MigrationCase(
      "line 63: an attribute that moves to two subentities, with the word",
      from: #"""
        "Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "removed": ["width"] }, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } },
        "Video": { "parent": "Asset", "attributes": { "size": { "type": "string?", "renamedFrom": "width" } } }
        """#,
      objects: [
        ("Photo", ["width": 3]), ("Asset", ["width": 4]), ("Video", ["width": .null]),
        ("Video", ["width": 5]),
      ],
      gives: ["Photo": [["width": 3]], "Video": [["size": .null], ["size": "5"]], "Asset": [[:]]],
      writes: true),
    MigrationCase(
      "line 63: a one-way relationship that moves to a subentity, and others have objects",
      from: #"""
        "Asset": { "relationships": { "album": { "type": "Album?" }, "tags": { "type": "[Tag]" } } }, "Album": {},
        "Photo": { "parent": "Asset" }, "Tag": {}
        """#,
      to: #"""
        "Asset": {}, "Album": {}, "Tag": {},
        "Photo": { "parent": "Asset", "relationships": { "album": { "type": "Album?" }, "tags": { "type": "[Tag]" } } }
        """#,
      objects: [("Album", [:]), ("Tag", [:]), ("Asset", ["album": 1]), ("Photo", ["album": 1])],
      statements: #"INSERT INTO "copal_links_Asset.tags" VALUES (1, 1), (2, 1);"#,
      refusals: [
        "migration.removed Asset.album: moved to the subentity Photo, and 1 object of another entity has a value (p1)",
        "migration.removed Asset.tags: moved to the subentity Photo, and 1 object of another entity has a value (p1)",
      ]),
    MigrationCase(
      "line 63: a one-way relationship that moves to a subentity, with the word",
      from: #"""
        "Asset": { "relationships": { "album": { "type": "Album?" }, "tags": { "type": "[Tag]" } } }, "Album": {},
        "Photo": { "parent": "Asset" }, "Tag": {}
        """#,
      to: #"""
        "Asset": { "removed": ["album", "tags"] }, "Album": {}, "Tag": {},
        "Photo": { "parent": "Asset", "relationships": { "album": { "type": "Album?" }, "tags": { "type": "[Tag]" } } }
        """#,
      objects: [("Album", [:]), ("Tag", [:]), ("Asset", ["album": 1]), ("Photo", ["album": 1])],
      statements: #"INSERT INTO "copal_links_Asset.tags" VALUES (1, 1), (2, 1);"#,
      relations: ["Photo.album": "2: 1", "Photo.tags": "2: 1"], writes: true),
  ]

  // MARK: What several take

  private static let taken: [MigrationCase] = [
    MigrationCase(
      "one-way links that move to two subentities",
      from: #"""
        "Asset": { "abstract": true, "attributes": { "n": "string" }, "relationships": { "tags": { "type": "[Tag]" } } },
        "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }, "Tag": { "attributes": { "n": "string" } }
        """#,
      to: #"""
        "Asset": { "abstract": true, "attributes": { "n": "string" } },
        "Photo": { "parent": "Asset", "relationships": { "tags": { "type": "[Tag]" } } },
        "Video": { "parent": "Asset", "relationships": { "tags": { "type": "[Tag]" } } }, "Tag": { "attributes": { "n": "string" } }
        """#,
      objects: [("Photo", ["n": "a"]), ("Video", ["n": "b"]), ("Tag", ["n": "t"])],
      statements: #"INSERT INTO "copal_links_Asset.tags" VALUES (1, 1), (2, 1);"#,
      relations: ["Photo.tags": "a: t", "Video.tags": "b: t"], naming: "n", writes: true),
    MigrationCase(
      "a reference that moves to two subentities, of which one leads to fewer objects",
      from: #"""
        "Asset": { "abstract": true, "attributes": { "n": "string" }, "relationships": { "item": "Item?" } },
        "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" },
        "Item": { "attributes": { "n": "string" } }, "Book": { "parent": "Item" }
        """#,
      to: #"""
        "Asset": { "abstract": true, "attributes": { "n": "string" } },
        "Photo": { "parent": "Asset", "relationships": { "item": { "type": "Book?", "conversion": "nil" } } },
        "Video": { "parent": "Asset", "relationships": { "item": "Item?" } },
        "Item": { "attributes": { "n": "string" } }, "Book": { "parent": "Item" }
        """#,
      objects: [
        ("Item", ["n": "i"]), ("Book", ["n": "k"]), ("Photo", ["n": "a", "item": 1]),
        ("Photo", ["n": "b", "item": 2]), ("Video", ["n": "c", "item": 1]),
      ],
      relations: ["Photo.item": "b: k", "Video.item": "c: i"], naming: "n", writes: true),
    MigrationCase(
      "a child leaves with a required reference, which its inverse leaves out",
      from: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": { "album": { "type": "Album", "inverse": "assets" } } },
        "Photo": { "parent": "Asset" },
        "Album": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "album" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": { "album": { "type": "Album", "inverse": "assets" } } },
        "Photo": { "attributes": { "n": "string" }, "relationships": { "album": "Album" } },
        "Album": { "attributes": { "n": "string" }, "relationships": {
          "assets": { "type": "[Asset]", "inverse": "album", "conversion": "nil" } } }
        """#,
      objects: [
        ("Album", ["n": "x"]), ("Asset", ["n": "a", "album": 1]),
        ("Photo", ["n": "b", "album": 1]),
      ],
      relations: ["Photo.album": "b: x", "Asset.album": "a: x", "Album.assets": "x: a"],
      naming: "n", writes: true),
    MigrationCase(
      "rows go out of a table into which others come",
      from: #"""
        "Asset": { "abstract": true, "attributes": { "n": "string" } }, "Photo": { "parent": "Asset" },
        "Paper": { "attributes": { "n": "string" } }, "Sheet": { "parent": "Paper" }
        """#,
      to: #"""
        "Asset": { "abstract": true, "attributes": { "n": "string" } }, "Sheet": { "parent": "Asset" },
        "Photo": { "parent": "Paper" }, "Paper": { "attributes": { "n": "string" } }
        """#,
      objects: [("Photo", ["n": "a"]), ("Sheet", ["n": "b"]), ("Paper", ["n": "c"])],
      gives: ["Photo": [["n": "a"]], "Sheet": [["n": "b"]], "Paper": [["n": "c"]]], writes: true),
    MigrationCase(
      "rows go out of a table into which others come with their name",
      from: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset" },
        "Paper": { "attributes": { "n": "string" } }, "Sheet": { "parent": "Paper" }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset", "renamedFrom": "Sheet" },
        "Paper": { "attributes": { "n": "string" } }, "Picture": { "parent": "Paper", "renamedFrom": "Photo" }
        """#,
      objects: [("Photo", ["n": "a"]), ("Sheet", ["n": "b"]), ("Asset", ["n": "c"])],
      gives: ["Picture": [["n": "a"]], "Photo": [["n": "b"]], "Asset": [["n": "c"]]], writes: true),
    MigrationCase(
      "an attribute that moves to two subentities, with a constraint",
      from: #"""
        "Asset": { "attributes": { "width": "integer?" } }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" }, "unique": ["width"] },
        "Video": { "parent": "Asset", "attributes": { "width": "integer?" } }
        """#,
      objects: [("Photo", ["width": 3]), ("Video", ["width": 3]), ("Video", ["width": 3])],
      gives: ["Photo": [["width": 3]], "Video": [["width": 3], ["width": 3]]], writes: true),
    MigrationCase(
      "a relationship that moves to a subentity, and its inverse is removed",
      from: #"""
        "Asset": { "relationships": { "album": { "type": "Album?", "inverse": "assets" } } }, "Photo": { "parent": "Asset" },
        "Album": { "relationships": { "assets": { "type": "[Asset]", "inverse": "album" } } }
        """#,
      to: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "relationships": { "album": { "type": "Album?" } } }, "Album": {}
        """#,
      objects: [("Album", [:]), ("Asset", ["album": 1]), ("Photo", ["album": 1])],
      refusals: [
        "migration.removed Asset.album: moved to the subentity Photo, and 1 object of another entity has a value (p1)"
      ]),
    MigrationCase(
      "entities of a family that take each other's name, with a constraint of one of them",
      from: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset", "unique": ["n"] }, "Clip": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } }, "Picture": { "parent": "Asset", "renamedFrom": "Photo" },
        "Photo": { "parent": "Asset", "renamedFrom": "Clip", "unique": ["n"] }
        """#,
      objects: [("Clip", ["n": "x"]), ("Photo", ["n": "x"])],
      gives: ["Photo": [["n": "x"]], "Picture": [["n": "x"]]], writes: true),
    MigrationCase(
      "values that become equal by a conversion in rows that move",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "a": "string" }, "unique": ["a"] }
        """#,
      to: #"""
        "Asset": {}, "Photo": { "attributes": { "a": { "type": "integer", "conversion": "nearest" } }, "unique": ["a"] }
        """#,
      objects: [("Photo", ["a": "7"]), ("Photo", ["a": "007"])],
      refusals: ["migration.duplicates Photo.a: 1 group of objects have equal values (p1, p2)"]),
    MigrationCase(
      "a value that does not convert, in an attribute that is required now",
      from: #""Book": { "attributes": { "a": "string?" } }"#,
      to: #""Book": { "attributes": { "a": "integer" } }"#,
      objects: [("Book", ["a": "x"])],
      refusals: [
        "migration.inexact Book.a: string? to integer, and 1 value cannot be converted exactly (p1)"
      ]),
  ]

  // MARK: Entities

  /// Objects with the names a to h, of which some refer to others.
  private static let world = #"""
    "Asset": { "attributes": { "n": "string" } },
    "Photo": { "attributes": { "n": "string", "width": "integer?" }, "unique": ["n"], "indexes": ["width"], "relationships": {
      "next": { "type": "Photo?", "inverse": "previous" }, "previous": { "type": "[Photo]", "inverse": "next", "ordered": true },
      "tags": { "type": "[Tag]", "inverse": "photos", "ordered": true }, "alike": { "type": "[Photo]", "inverse": "alike" },
      "cover": { "type": "Album?" } } },
    "Scan": { "parent": "Photo" },
    "Tag": { "attributes": { "n": "string" }, "relationships": { "photos": { "type": "[Photo]", "inverse": "tags" } } },
    "Album": { "attributes": { "n": "string" }, "relationships": {
      "front": { "type": "Photo" }, "photos": { "type": "[Photo]" } } }
    """#
  private static let inhabitants: Objects = [
    ("Asset", ["n": "a"]), ("Asset", ["n": "b"]), ("Photo", ["n": "c", "width": 3]),
    ("Scan", ["n": "d", "width": 4, "next": 1]), ("Photo", ["n": "e", "next": 1]),
    ("Tag", ["n": "f"]), ("Tag", ["n": "g"]), ("Album", ["n": "h", "front": 2]),
  ]
  private static let links = #"""
    UPDATE Photo SET copal_order_next = 9 WHERE copal_id = 2; UPDATE Photo SET copal_order_next = 5 WHERE copal_id = 3;
    UPDATE Photo SET cover = 1 WHERE copal_id = 3;
    INSERT INTO "copal_links_Photo.tags" VALUES (2, 1, 7), (2, 2, 3), (3, 1, 1);
    INSERT INTO "copal_links_Photo.alike" VALUES (1, 3), (3, 1);
    INSERT INTO "copal_links_Album.photos" VALUES (1, 3);
    """#
  private static let related = [
    "Photo.next": "d: c; e: c", "Photo.previous": "c: e d", "Photo.tags": "d: g f; e: f",
    "Photo.alike": "c: e; e: c", "Photo.cover": "e: h", "Tag.photos": "f: d e; g: d",
    "Album.front": "h: d", "Album.photos": "h: e",
  ]

  private static let album = #"""
    "Asset": { "attributes": { "a": "string?" }, "relationships": { "album": { "type": "Album?", "inverse": "assets" } } },
    "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } },
    "Album": { "relationships": { "assets": { "type": "[Asset]", "inverse": "album" }, "front": { "type": "Asset?" } } }
    """#
  private static let albumObjects: Objects = [
    ("Album", [:]), ("Asset", ["a": "x", "album": 1]),
    ("Photo", ["a": "y", "width": 3, "album": 1]),
    ("Album", ["front": 2]), ("Album", ["front": 1]),
  ]

  private static let entities: [MigrationCase] = [
    // MARK: 64
    MigrationCase(
      "line 64: an entity under a parent that the store has, with relations to and from it",
      from: world,
      to: world.replacing(#""Photo": {"#, with: #""Photo": { "parent": "Asset","#)
        .replacing(#""n": "string", "width""#, with: #""width""#),
      objects: inhabitants,
      gives: [
        "Asset": [["n": "a"], ["n": "b"]],
        "Photo": [["n": "c", "width": 3], ["n": "e", "width": .null]],
        "Scan": [["n": "d", "width": 4]],
      ], statements: links, relations: related, naming: "n", writes: true),
    MigrationCase(
      "line 64: a required attribute of the new parent, which the objects do not have",
      from: #""Asset": { "attributes": { "a": "string" } }, "Photo": {}"#,
      to: #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      objects: [("Asset", ["a": "x"]), ("Photo", [:]), ("Photo", [:])],
      refusals: [
        "migration.newRequired Asset.a: new and required for Photo, and 2 objects have no value"
      ]),
    // MARK: 65
    MigrationCase(
      "line 65: a child leaves, and a relationship of its parent's type has it", from: album,
      to: album.replacing(
        #""Photo": { "parent": "Asset", "attributes": {"#,
        with: #""Photo": { "attributes": { "a": "string?","#),
      objects: albumObjects,
      refusals: [
        "migration.wrongEntity Album.assets: Asset without Photo, and 1 object has an object of another entity (p1)",
        "migration.wrongEntity Album.front: Asset without Photo, and 1 object has an object of another entity (p2)",
      ]),
    MigrationCase(
      "line 65: a child leaves, and the relationships leave it out", from: album,
      to: #"""
        "Asset": { "attributes": { "a": "string?" }, "relationships": { "album": { "type": "Album?", "inverse": "assets" } } },
        "Photo": { "attributes": { "a": "string?", "width": "integer?" } },
        "Album": { "relationships": {
          "assets": { "type": "[Asset]", "inverse": "album", "conversion": "nil" },
          "front": { "type": "Asset?", "conversion": "nil" } } }
        """#,
      objects: albumObjects,
      gives: ["Asset": [["a": "x"]], "Photo": [["a": "y", "width": 3]]],
      relations: ["Album.assets": "1: 1", "Album.front": "3: 1"], writes: true),
    MigrationCase(
      "line 65: a child leaves with its relationships",
      from: #"""
        "Asset": { "attributes": { "n": "string" } },
        "Photo": { "parent": "Asset", "relationships": { "next": { "type": "Photo?" }, "tags": { "type": "[Tag]", "inverse": "photos" } } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "photos": { "type": "[Photo]", "inverse": "tags" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } },
        "Photo": { "attributes": { "n": "string" }, "relationships": { "next": { "type": "Photo?" }, "tags": { "type": "[Tag]", "inverse": "photos" } } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "photos": { "type": "[Photo]", "inverse": "tags" } } }
        """#,
      objects: [
        ("Asset", ["n": "a"]), ("Photo", ["n": "b"]), ("Photo", ["n": "c", "next": 2]),
        ("Tag", ["n": "t"]),
      ],
      statements: #"INSERT INTO "copal_links_Photo.tags" VALUES (3, 1);"#,
      relations: ["Photo.next": "c: b", "Photo.tags": "c: t", "Tag.photos": "t: c"], naming: "n",
      writes: true),
    MigrationCase(
      "line 65: a child leaves with relationships that its parent still has",
      from: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": {
          "marks": { "type": "[Mark]", "ordered": true }, "tags": { "type": "[Tag]", "inverse": "assets", "ordered": true },
          "notes": { "type": "[Note]", "inverse": "assets" }, "place": { "type": "Place?", "inverse": "assets" } } },
        "Photo": { "parent": "Asset" }, "Mark": { "attributes": { "n": "string" } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "tags" } } },
        "Note": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "notes" } } },
        "Place": { "attributes": { "n": "string" }, "relationships": { "assets": { "type": "[Asset]", "inverse": "place" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": {
          "marks": { "type": "[Mark]", "ordered": true }, "tags": { "type": "[Tag]", "inverse": "assets", "ordered": true },
          "notes": { "type": "[Note]", "inverse": "assets" }, "place": { "type": "Place?", "inverse": "assets" } } },
        "Photo": { "attributes": { "n": "string" }, "relationships": {
          "marks": { "type": "[Mark]", "ordered": true }, "tags": { "type": "[Tag]", "inverse": "photos", "ordered": true },
          "notes": { "type": "[Note]", "inverse": "photos" }, "place": { "type": "Place?", "inverse": "photos" } } },
        "Mark": { "attributes": { "n": "string" } },
        "Tag": { "attributes": { "n": "string" }, "relationships": {
          "assets": { "type": "[Asset]", "inverse": "tags" }, "photos": { "type": "[Photo]", "inverse": "tags" } } },
        "Note": { "attributes": { "n": "string" }, "relationships": {
          "assets": { "type": "[Asset]", "inverse": "notes" }, "photos": { "type": "[Photo]", "inverse": "notes" } } },
        "Place": { "attributes": { "n": "string" }, "relationships": {
          "assets": { "type": "[Asset]", "inverse": "place" }, "photos": { "type": "[Photo]", "inverse": "place" } } }
        """#,
      objects: [
        ("Place", ["n": "p"]), ("Asset", ["n": "a", "place": 1]),
        ("Photo", ["n": "b", "place": 1]),
        ("Mark", ["n": "m"]), ("Mark", ["n": "o"]), ("Tag", ["n": "t"]), ("Note", ["n": "x"]),
      ],
      statements: #"""
        INSERT INTO "copal_links_Asset.marks" VALUES (1, 1, 1), (2, 1, 5), (2, 2, 3);
        INSERT INTO "copal_links_Asset.tags" VALUES (1, 1, 1), (2, 1, 1);
        INSERT INTO "copal_links_Asset.notes" VALUES (1, 1), (2, 1);
        """#,
      relations: [
        "Asset.marks": "a: m", "Photo.marks": "b: o m", "Asset.tags": "a: t", "Photo.tags": "b: t",
        "Tag.assets": "t: a", "Tag.photos": "t: b", "Note.assets": "x: a", "Note.photos": "x: b",
        "Asset.place": "a: p", "Photo.place": "b: p", "Place.assets": "p: a",
        "Place.photos": "p: b",
      ], naming: "n", writes: true),
    // MARK: 66
    MigrationCase(
      "line 66: a child gets another parent of its family",
      from: #"""
        "Asset": { "attributes": { "n": "string" } }, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } },
        "Photo": { "parent": "Asset" }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } }, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } },
        "Photo": { "parent": "Media" }
        """#,
      objects: [("Photo", ["n": "a"]), ("Media", ["n": "b", "length": 2])],
      gives: ["Photo": [["n": "a", "length": .null]], "Media": [["n": "b", "length": 2]]]),
    MigrationCase(
      "line 66: a child leaves its parent for the root, without the word",
      from: #"""
        "Asset": {}, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } }, "Photo": { "parent": "Media" }
        """#,
      to: #"""
        "Asset": {}, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } }, "Photo": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["length": 2])],
      refusals: ["migration.removed Photo.length: removed"], refusesEmpty: true),
    MigrationCase(
      "line 66: a child leaves its parent for the root, with the word",
      from: #"""
        "Asset": {}, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } }, "Photo": { "parent": "Media" }
        """#,
      to: #"""
        "Asset": {}, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } },
        "Photo": { "parent": "Asset", "removed": ["length"] }
        """#,
      objects: [("Photo", ["length": 2]), ("Media", ["length": 3])],
      gives: ["Photo": [[:]], "Media": [["length": 3]]], writes: true),
    MigrationCase(
      "line 66: a parent in between is removed with its objects, and its attribute moves down",
      from: #"""
        "Asset": {}, "Media": { "parent": "Asset", "attributes": { "length": "integer?" } }, "Photo": { "parent": "Media" }
        """#,
      to: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "length": "integer?" } }
        """#, keys: #""removed": ["Media"]"#,
      objects: [("Photo", ["length": 2]), ("Media", ["length": 3]), ("Asset", [:])],
      gives: ["Photo": [["length": 2]], "Asset": [[:]]], writes: true),
    MigrationCase(
      "line 66: a child goes to a parent of another family",
      from: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset", "attributes": { "width": "integer" } },
        "Paper": { "attributes": { "n": "string", "weight": "integer?" } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "photo": { "type": "Photo?" }, "all": { "type": "[Photo]" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Paper", "attributes": { "width": "integer" } },
        "Paper": { "attributes": { "n": "string", "weight": "integer?" } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "photo": { "type": "Photo?" }, "all": { "type": "[Photo]" } } }
        """#,
      objects: [
        ("Asset", ["n": "a"]), ("Photo", ["n": "b", "width": 3]),
        ("Paper", ["n": "c", "weight": 9]),
        ("Tag", ["n": "t", "photo": 2]),
      ],
      gives: [
        "Asset": [["n": "a"]], "Photo": [["n": "b", "width": 3, "weight": .null]],
        "Paper": [["n": "c", "weight": 9]],
      ],
      statements: #"INSERT INTO "copal_links_Tag.all" VALUES (1, 2);"#,
      relations: ["Tag.photo": "t: b", "Tag.all": "t: b"], naming: "n", writes: true),
    // MARK: 67
    MigrationCase(
      "line 67: two roots get one new parent, and their attribute becomes one",
      from: #"""
        "Photo": { "attributes": { "n": "string" } }, "Video": { "attributes": { "n": "string", "length": "integer" } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "photo": { "type": "Photo?" }, "video": { "type": "Video?" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset" },
        "Video": { "parent": "Asset", "attributes": { "length": "integer" } },
        "Tag": { "attributes": { "n": "string" }, "relationships": { "photo": { "type": "Photo?" }, "video": { "type": "Video?" } } }
        """#,
      objects: [
        ("Photo", ["n": "a"]), ("Video", ["n": "b", "length": 2]),
        ("Video", ["n": "c", "length": 3]),
        ("Tag", ["n": "t", "photo": 1, "video": 2]),
      ],
      gives: [
        "Photo": [["n": "a"]], "Video": [["n": "b", "length": 2], ["n": "c", "length": 3]],
      ],
      relations: ["Tag.photo": "t: a", "Tag.video": "t: c"], naming: "n", writes: true),
    MigrationCase(
      "line 67: two roots get one new parent with a constraint, and have equal values",
      from: #"""
        "Photo": { "attributes": { "a": "string" }, "unique": ["a"] }, "Video": { "attributes": { "a": "string" }, "unique": ["a"] }
        """#,
      to: #"""
        "Asset": { "attributes": { "a": "string" }, "unique": ["a"] }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["a": "x"]), ("Video", ["a": "y"]), ("Video", ["a": "x"])],
      refusals: [
        "migration.duplicates Asset.a: unique among the objects of Photo and Video, and 1 group of objects have equal values (Video p2, Photo p1)"
      ]),
    MigrationCase(
      "line 67: two roots get one new parent with a constraint, and have different values",
      from: #"""
        "Photo": { "attributes": { "a": "string" }, "unique": ["a"] }, "Video": { "attributes": { "a": "string" }, "unique": ["a"] }
        """#,
      to: #"""
        "Asset": { "attributes": { "a": "string" }, "unique": ["a"] }, "Photo": { "parent": "Asset" }, "Video": { "parent": "Asset" }
        """#,
      objects: [("Photo", ["a": "x"]), ("Video", ["a": "y"]), ("Video", ["a": "z"])],
      gives: ["Photo": [["a": "x"]], "Video": [["a": "y"], ["a": "z"]]], writes: true),
    // MARK: 68
    MigrationCase(
      "line 68: abstract, and there are objects",
      from: #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      to:
        #""Asset": { "abstract": true, "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      objects: [("Asset", ["a": "x"]), ("Photo", ["a": "y"])],
      refusals: [
        "migration.abstractWithObjects Asset: abstract now, and the store has 1 object of it that is of no subentity"
      ]),
    MigrationCase(
      "line 68: abstract, and there are no objects of exactly the entity",
      from: #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      to:
        #""Asset": { "abstract": true, "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      objects: [("Photo", ["a": "y"])], gives: ["Photo": [["a": "y"]]]),
    MigrationCase(
      "line 68: abstract, and it merges an entity with objects",
      from:
        #""Photo": { "attributes": { "a": "string" } }, "Video": { "attributes": { "a": "string" } }"#,
      to:
        #""Asset": { "abstract": true, "merges": ["Photo"], "attributes": { "a": "string" } }, "Video": { "parent": "Asset" }"#,
      objects: [("Photo", ["a": "x"]), ("Video", ["a": "y"])],
      refusals: [
        "migration.abstractWithObjects Asset: abstract, and the store has 1 object of it that is of no subentity"
      ]),
    MigrationCase(
      "line 68: abstract no longer",
      from:
        #""Asset": { "abstract": true, "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      to: #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      objects: [("Photo", ["a": "y"])], gives: ["Photo": [["a": "y"]]]),
    // MARK: Removed subentities
    MigrationCase(
      "a subentity removed, to which relationships lead",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset" },
        "Album": { "relationships": { "front": { "type": "Asset?" }, "all": { "type": "[Asset]", "ordered": true } } }
        """#,
      to: #"""
        "Asset": {}, "Album": { "relationships": { "front": { "type": "Asset?" }, "all": { "type": "[Asset]", "ordered": true } } }
        """#, keys: #""removed": ["Photo"]"#,
      objects: [
        ("Asset", [:]), ("Photo", [:]), ("Album", ["front": 2]), ("Album", ["front": 1]),
      ],
      gives: ["Asset": [[:]]],
      statements: #"INSERT INTO "copal_links_Album.all" VALUES (1, 1, 3), (1, 2, 1), (2, 2, 1);"#,
      relations: ["Album.front": "2: 1", "Album.all": "1: 1"], writes: true),
    MigrationCase(
      "a subentity removed, of which an object needs one",
      from: #"""
        "Asset": {}, "Photo": { "parent": "Asset" }, "Album": { "relationships": { "front": { "type": "Asset" } } }
        """#,
      to: #""Asset": {}, "Album": { "relationships": { "front": { "type": "Asset" } } }"#,
      keys: #""removed": ["Photo"]"#,
      objects: [("Asset", [:]), ("Photo", [:]), ("Album", ["front": 2]), ("Album", ["front": 1])],
      refusals: [
        "migration.missingObject Album.front: some of its objects are removed, and 1 object has an object that does not exist (p1)"
      ]),
    MigrationCase(
      "the last subentity removed",
      from: #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset" }"#,
      to: #""Asset": { "attributes": { "a": "string" } }"#, keys: #""removed": ["Photo"]"#,
      objects: [("Asset", ["a": "x"]), ("Photo", ["a": "y"])], gives: ["Asset": [["a": "x"]]],
      writes: true),
  ]

  // MARK: 69

  private static let books = #"""
    "Book": { "attributes": { "n": "string" }, "relationships": {
      "author": { "type": "Author?", "inverse": "books" }, "editors": { "type": "[Editor]", "inverse": "books", "ordered": true } } },
    "Author": { "attributes": { "n": "string", "born": "integer?" }, "relationships": {
      "books": { "type": "[Book]", "inverse": "author" }, "land": { "type": "Land?", "inverse": "authors" } } },
    "Editor": { "attributes": { "name": "string", "born": "string?" }, "relationships": {
      "books": { "type": "[Book]", "inverse": "editors" }, "land": { "type": "Land?", "inverse": "editors" } } },
    "Land": { "attributes": { "n": "string" }, "relationships": {
      "authors": { "type": "[Author]", "inverse": "land" }, "editors": { "type": "[Editor]", "inverse": "land" } } }
    """#
  private static let party = #"""
    "Book": { "attributes": { "n": "string" }, "relationships": {
      "author": { "type": "Party?", "inverse": "written" }, "editors": { "type": "[Party]", "inverse": "edited", "ordered": true } } },
    "Party": { "merges": ["Author", "Editor"],
      "attributes": { "n": { "type": "string", "renamedFrom": "name" }, "born": "integer?" }, "relationships": {
      "written": { "type": "[Book]", "inverse": "author" }, "edited": { "type": "[Book]", "inverse": "editors" },
      "land": { "type": "Land?", "inverse": "parties" } } },
    "Land": { "attributes": { "n": "string" }, "relationships": { "parties": { "type": "[Party]", "inverse": "land" } } }
    """#
  private static let bookObjects: Objects = [
    ("Land", ["n": "here"]), ("Author", ["n": "a", "born": 1900, "land": 1]),
    ("Author", ["n": "b"]), ("Editor", ["name": "c", "born": "1950", "land": 1]),
    ("Editor", ["name": "d"]), ("Book", ["n": "x", "author": 2]), ("Book", ["n": "y"]),
  ]
  private static let bookLinks =
    #"INSERT INTO "copal_links_Book.editors" VALUES (1, 2, 1), (1, 1, 3), (2, 1, 1);"#

  private static let merges: [MigrationCase] = [
    MigrationCase(
      "line 69: two entities become one, with relationships to both", from: books, to: party,
      objects: bookObjects,
      gives: [
        "Party": [
          ["n": "a", "born": 1900], ["n": "b", "born": .null], ["n": "c", "born": 1950],
          ["n": "d", "born": .null],
        ]
      ], statements: bookLinks,
      relations: [
        "Book.author": "x: b", "Book.editors": "x: d c; y: c", "Party.written": "b: x",
        "Party.edited": "c: x y; d: x", "Party.land": "a: here; c: here",
        "Land.parties": "here: a c",
      ], naming: "n", writes: true),
    MigrationCase(
      "line 69: two entities become one, and a value does not convert", from: books, to: party,
      objects: bookObjects + [("Editor", ["name": "e", "born": "?"])],
      refusals: [
        "migration.inexact Party.born: string? to integer?, and 1 value cannot be converted exactly (p3)"
      ]),
    MigrationCase(
      "line 69: an entity merges another one, which lacks a required attribute",
      from: #"""
        "Author": { "attributes": { "a": "string", "b": "string" } }, "Editor": { "attributes": { "a": "string" } }
        """#,
      to: #""Author": { "merges": ["Editor"], "attributes": { "a": "string", "b": "string" } }"#,
      objects: [("Author", ["a": "x", "b": "y"]), ("Editor", ["a": "z"]), ("Editor", ["a": "w"])],
      refusals: [
        "migration.newRequired Author.b: new and required for Editor, and 2 objects have no value"
      ]),
    MigrationCase(
      "line 69: an entity merges another one with a value for its objects",
      from: #"""
        "Author": { "attributes": { "a": "string", "b": "string" } }, "Editor": { "attributes": { "a": "string" } }
        """#,
      to: #"""
        "Author": { "merges": ["Editor"], "attributes": { "a": "string", "b": { "type": "string", "fill": "none" } } }
        """#,
      objects: [("Author", ["a": "x", "b": "y"]), ("Editor", ["a": "z"]), ("Editor", ["a": "w"])],
      gives: [
        "Author": [["a": "x", "b": "y"], ["a": "z", "b": "none"], ["a": "w", "b": "none"]]
      ], writes: true),
    MigrationCase(
      "line 69: a parent merges its subentities, and has none any more",
      from: #"""
        "Asset": { "attributes": { "n": "string" }, "relationships": { "next": { "type": "Asset?" } } },
        "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } },
        "Video": { "parent": "Asset", "attributes": { "width": "integer?" } }
        """#,
      to: #"""
        "Asset": { "merges": ["Photo", "Video"], "attributes": { "n": "string", "width": "integer?" },
          "relationships": { "next": { "type": "Asset?" } } }
        """#,
      objects: [
        ("Asset", ["n": "a"]), ("Video", ["n": "b", "width": 2, "next": 1]),
        ("Photo", ["n": "c", "width": 3, "next": 2]),
      ],
      relations: ["Asset.next": "b: a; c: b"], naming: "n", writes: true),
    MigrationCase(
      "line 69: two entities with a constraint become one, and have equal values",
      from: #"""
        "Author": { "attributes": { "a": "string" }, "unique": ["a"] }, "Editor": { "attributes": { "a": "string" }, "unique": ["a"] }
        """#,
      to:
        #""Party": { "merges": ["Author", "Editor"], "attributes": { "a": "string" }, "unique": ["a"] }"#,
      objects: [("Author", ["a": "x"]), ("Author", ["a": "y"]), ("Editor", ["a": "x"])],
      refusals: [
        "migration.duplicates Party.a: unique among the objects of Author and Editor, and 1 group of objects have equal values (Author p1, Editor p1)"
      ]),
    MigrationCase(
      "line 69: objects of a subentity become objects of an entity of another family",
      from: #"""
        "Asset": { "attributes": { "n": "string" } }, "Photo": { "parent": "Asset", "attributes": { "width": "integer?" } },
        "Paper": { "attributes": { "n": "string" } }, "Album": { "attributes": { "n": "string" }, "relationships": { "front": { "type": "Photo?" } } }
        """#,
      to: #"""
        "Asset": { "attributes": { "n": "string" } },
        "Paper": { "merges": ["Photo"], "attributes": { "n": "string", "width": "integer?" } },
        "Album": { "attributes": { "n": "string" }, "relationships": { "front": { "type": "Paper?" } } }
        """#,
      objects: [
        ("Asset", ["n": "a"]), ("Photo", ["n": "b", "width": 3]), ("Paper", ["n": "c"]),
        ("Album", ["n": "d", "front": 2]),
      ],
      gives: [
        "Asset": [["n": "a"]], "Paper": [["n": "c", "width": .null], ["n": "b", "width": 3]],
      ],
      relations: ["Album.front": "d: b"], naming: "n", writes: true),
  ]
}
