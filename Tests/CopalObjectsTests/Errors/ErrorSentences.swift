import Copal
import CopalColor
import CopalModel
import CopalObjects
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// The errors whose sentences are recorded in `Tests/References/Sentences/CopalObjects.txt`, in
/// their order.
struct ErrorSentence: Sendable {
  /// The error. Most are thrown by the code that a program calls, so that they have the details
  /// that this code puts in; the others are made by hand, with the same details.
  let error: @Sendable (TestStore) throws -> PersistenceError

  init(_ error: @escaping @Sendable (TestStore) throws -> PersistenceError) { self.error = error }

  /// An error that is made by hand.
  static func made(
    _ code: PersistenceError.Code, entity: String? = nil, property: String? = nil,
    objectID: ManagedObjectID? = nil, otherID: ManagedObjectID? = nil, path: String? = nil,
    found: String? = nil, expected: String? = nil, suggestion: String? = nil,
    backendCode: Int? = nil, causes: [any Error] = [], row: Int? = nil
  ) -> Self {
    Self { _ in
      PersistenceError(
        code, entity: entity, property: property, objectID: objectID, otherID: otherID, path: path,
        found: found, expected: expected, suggestion: suggestion, backendCode: backendCode,
        causes: causes, row: row)
    }
  }

  /// The description of the error in a new store. FOLDER stands for the folder of the test.
  func description() throws -> String {
    let store = try TestStore()
    let folder = String(store.folder.path(percentEncoded: false).dropLast())
    return try error(store).description.replacing(folder, with: "FOLDER")
  }

  static let all =
    made + requests + validation + saving + reading + byName + opening + transformers
    + predicates + fetchRequests
}

/// Errors that are made by hand.
extension ErrorSentence {
  struct TooYoung: Error, CustomStringConvertible {
    var description: String { "too young" }
  }

  static func pigment(_ key: Int64) -> ManagedObjectID {
    ManagedObjectID(store: UUID(), entityName: "Pigment", key: key)
  }

  private static let made: [Self] = [
    made(.cannotOpen, path: "a.sqlite", found: "it is a folder"),
    made(.notWritable, path: "a.sqlite", found: "attempt to write a readonly database"),
    made(.diskFull, path: "a.sqlite"),
    made(.busy, path: "a.sqlite"), made(.tooManyFiles, path: "a.sqlite"),
    made(.corrupt, path: "a.sqlite", found: "database disk image is malformed"),
    made(.inputOutput, path: "a.sqlite", found: "disk I/O error"),
    made(.inputOutput, objectID: pigment(1), found: "disk I/O error"),
    made(.tooBig, path: "a.sqlite"),
    made(.tooBig, entity: "Pigment", objectID: pigment(1)),
    made(.interrupted, path: "a.sqlite"),
    made(.backend, path: "a.sqlite", found: "no such table: Pigment"),
    made(.backendTooOld, found: "3.22.0", expected: "3.37.0"),
    made(.modelDiffers, path: "a.sqlite"),
    made(.newerModel, path: "a.sqlite", found: "3", expected: "2"),
    made(.newerModel, path: "a.sqlite", found: "2", expected: "2"),
    made(.newerFormat, path: "a.sqlite", found: "the feature 'history'"),
    made(
      .newerFormat, path: "a.sqlite",
      found: "the feature 'projection Pigment.color.hue 2 InkTransformer'"),
    made(.migrationNeeded, path: "a.sqlite", found: "1"),
    made(.notEmpty, path: "a.sqlite"),
    made(
      .migrationRemoved, entity: "Pigment", property: "title", found: "removed",
      expected:
        "add \"title\" to \"removed\" of Pigment, or write \"renamedFrom\": \"title\" at the attribute that it is now",
      suggestion: "name"),
    made(
      .migrationNewRequired, entity: "Pigment", property: "origin",
      found: "new and required, and 2 objects have no value",
      expected: "add \"default\", or \"fill\" with a value for these objects only"),
    made(
      .migrationMissingValues, entity: "Pigment", property: "code",
      found: "required, and 2 of 3 objects have no value (p2, p3)",
      expected: "add \"default\", or \"fill\" with a value for these objects only"),
    made(
      .migrationInexact, entity: "Pigment", property: "weight",
      found: "integer64 to integer16, and 1 value cannot be converted exactly (p2)",
      expected:
        "write \"conversion\" with \"nearest\" or \"fill\" beside a \"fill\" or a \"default\", or change these values with the program that had the model"
    ),
    made(
      .migrationNeedsWord, entity: "Pigment", property: "made", found: "date to double",
      expected:
        "write \"conversion\" with \"secondsSince1970\", \"secondsSince2001\" or \"millisecondsSince1970\", so that the instant of the number 0 is known"
    ),
    made(
      .migrationNeedsStep, entity: "Pigment", property: "maker",
      found: "led to Maker, and leads to Seller now",
      expected: "undo the change, or copy the objects into a new store"),
    made(
      .migrationDuplicates, entity: "Pigment", property: "code",
      found: "unique, and 2 groups of objects have equal values (p1, p3; p4, p6 and 1 more)",
      expected:
        "make the values different with the program that had the model, or remove the constraint"),
    made(
      .migrationBrokenRules, entity: "Pigment", property: "form",
      found: "stored values are checked, and 2 values break the rules (p2, p4)",
      expected:
        "remove \"checkStored\", or change these values with the program that had the model"),
    made(
      .migrationAbstractWithObjects, entity: "Asset",
      found: "abstract now, and the store has 3 objects of it that are of no subentity",
      expected:
        "remove \"abstract\", or delete these objects with the program that had the model"),
    made(
      .migrationMissingFile, entity: "Painting", property: "scan",
      found: "all values in their rows, and a file is missing (p4)",
      expected: "put the files back, or write \"conversion\": \"nil\" at an optional attribute"),
    made(
      .migrationSeveralObjects, entity: "Pigment", property: "maker",
      found: "to-many to to-one, and 1 object has several objects (p4)",
      expected:
        "write \"conversion\": \"first\", or leave one object for each with the program that had the model"
    ),
    made(
      .migrationWrongEntity, entity: "Pigment", property: "maker",
      found: "Party to Maker, and 2 objects have an object of another entity (p1, p4)",
      expected:
        "write \"conversion\": \"nil\", or take these objects out of the relationship with the program that had the model"
    ),
    made(
      .migrationMissingObject, entity: "Pigment", property: "maker",
      found: "its objects must exist now, and 1 object has an object that does not exist (p4)",
      expected:
        "write \"conversion\": \"nil\", or take these objects out of the relationship with the program that had the model"
    ),
    made(
      .migrationOtherProgram, path: "a.sqlite",
      found: "error in view names after drop column: no such column: title"),
    made(
      .modelDiffers, path: "a.sqlite",
      expected:
        "during development you can erase the store with SQLiteStore.Options(erasesWhenModelDiffers: true)",
      causes: [
        PersistenceError(
          .migrationRemoved, entity: "Pigment", property: "title", found: "removed",
          expected:
            "add \"title\" to \"removed\" of Pigment, or write \"renamedFrom\": \"title\" at the attribute that it is now",
          suggestion: "name")
      ]),
    made(.fileReplaced, path: "a.sqlite"), made(.forked, path: "a.sqlite"),
    made(
      .searchNeedsRebuild, path: "a.sqlite",
      found: "no such table: copal_substring_Pigment.name"),
    made(.filesOfAnotherStore, path: "a.sqlite", found: "a.sqlite-files"),
    made(.noBackup, path: "copy.sqlite"),
    made(.inUse, path: "a.sqlite"),
    made(.noStore, path: "a.sqlite"),
    made(.pathTaken, path: "a.sqlite", found: "b.sqlite"),
    made(.noFile, path: "in memory"),
    made(.noMetadata),
    made(.canceled, entity: "Pigment", objectID: pigment(1)),
    made(.metadataName, property: "", found: "0", expected: "255"),
    made(.metadataTooBig, property: "anchor", found: "2000000", expected: "1048576"),
    made(.backupExists, path: "copy.sqlite"),
    made(
      .unrecognizedCase, entity: "Pigment", property: "form", objectID: pigment(1),
      expected: "oil, tempera", suggestion: "tempera"),
    made(.keysExhausted, entity: "Pigment", path: "a.sqlite"),
    made(
      .saveFailed, causes: [PersistenceError(.required, property: "name", objectID: pigment(-3))]),
    made(.validationFailed, objectID: pigment(1), found: "too young"),
    made(.validationFailed, objectID: pigment(1), found: "too young", causes: [TooYoung()]),
    made(.incompleteObject, objectID: pigment(1)),
    made(
      .uniqueConflict, entity: "Pigment", property: "group, select", objectID: pigment(2),
      otherID: pigment(1), found: "\"Earth\", 3"),
    made(.noBatches, entity: "Pigment"),
    made(.noTransactions),
    made(.transactionLost, path: "/data/Atelier.sqlite"),
    made(.noSQL),
    made(
      .notInSQL, entity: "Pigment",
      found: "a comparison of texts without case, for more than 100000 rows and links",
      expected: "add \"search\": \"normalized\" to Pigment.name"),
    refused { _ = try $0.fetchRows(sql: "SELECT name FORM Pigment") },
    refused { _ = try $0.fetchRows(sql: "DELETE FROM Pigment") },
    refused { _ = try $0.fetchRows(sql: "SELECT 1; DROP TABLE Pigment") },
    made(.sqlFailed, found: "UNIQUE constraint failed: Pigment.code"),
    refused { context in
      _ = Pigment(context: context, name: "Ochre")
      try context.save()
      let row = try context.fetchRows(sql: "SELECT name, code FROM Pigment")[0]
      _ = try row.value(of: "price", as: Int.self)
    },
    refused { _ = try $0.fetch(Pigment.self, sql: "SELECT 1, 2") },
    refused { context in
      _ = Pigment(context: context, name: "Ochre")
      try context.executeUnsafe(sql: "DELETE FROM Pigment")
    },
    made(.transactionPendingChanges, found: "Pigment"),
    made(.batchPendingChanges, entity: "Pigment", found: "Pigment"),
    made(
      .batchFailed,
      causes: [
        PersistenceError(.required, entity: "Pigment", property: "name"),
        PersistenceError(.belowMinimum, entity: "Pigment", property: "price", expected: "0"),
      ]),
    made(.batchNotAssignable, entity: "Pigment", property: "color", found: "transformable"),
    made(
      .batchMissingObject, entity: "Painting", property: "painter", expected: "Painter.name",
      row: 12),
    made(.batchPendingChanges, entity: "Pigment"),
    made(.batchNoConstraint, entity: "Pigment", found: "price", expected: "name; code"),
    made(
      .deletionDenied, entity: "Museum", property: "paintings",
      objectID: ManagedObjectID(store: UUID(), entityName: "Museum", key: 1), found: "3"),
    made(
      .deletionDenied, entity: "Museum", property: "paintings",
      objectID: ManagedObjectID(store: UUID(), entityName: "Museum", key: 1), found: "1"),
    made(
      .tooFewObjects, entity: "Recipe", property: "steps",
      objectID: ManagedObjectID(store: UUID(), entityName: "Recipe", key: 1), found: "0",
      expected: "1"),
    made(
      .tooManyObjects, entity: "Recipe", property: "steps",
      objectID: ManagedObjectID(store: UUID(), entityName: "Recipe", key: 1), found: "4",
      expected: "3"),
    made(
      .missingReference, property: "painter",
      objectID: ManagedObjectID(store: UUID(), entityName: "Painting", key: 1), otherID: pigment(2)),
    made(.notAssignable, entity: "Painting", property: "painter", found: "a relationship"),
    made(.stillReferenced, objectID: pigment(1), otherID: pigment(2), found: "base"),
    made(.endlessHooks, found: "1000"),
    made(
      .encodeFailed, property: "color", objectID: pigment(1), found: "InkTransformer",
      causes: [TooYoung()]),
    made(.objectMissing, objectID: pigment(1), found: "its context was released or reset"),
    made(.objectUnsaved, objectID: pigment(-3)),
    made(.changeLost, objectID: pigment(1), found: "the object is deleted"),
    made(
      .multipleFailures,
      causes: [
        PersistenceError(.objectMissing, objectID: pigment(1)),
        PersistenceError(.objectMissing, objectID: pigment(2)),
      ]),
    made(
      .typeMismatch, entity: "Pigment", property: "copal_id", found: "TEXT",
      expected: "a number from 1 to 9223372036854775807"),
    made(
      .externalFileMissing, entity: "Pigment", property: "color", objectID: pigment(1),
      found: "0123456789abcdef0123456789abcdef-5000"),
    made(
      .externalFileUnreadable, entity: "Pigment", property: "color", objectID: pigment(1),
      found: "'0123456789abcdef0123456789abcdef-5000': it has 10 bytes instead of 5000"),
    made(
      .transformerUnregistered, entity: "Pigment", property: "color", found: "InkTransfomer",
      expected: "InkTransformer, PaintTransformer", suggestion: "InkTransformer"),
    made(
      .transformerUnregistered, entity: "Pigment", property: "color", found: "InkTransformer",
      expected: "none"),
    made(.transformerDuplicate, found: "InkTransformer", expected: "Paint.InkTransformer"),
    made(
      .transformerWrongClass, entity: "Pigment", property: "color", found: "Ink", expected: "Color"),
    made(.layoutDiffers, entity: "Pigment", found: "Paint is also the class of Canvas"),
    made(.layoutDiffers, found: "Library", expected: "Atelier"),
    made(.multipleProblems, causes: [TooYoung(), TooYoung()]),
  ]
}

/// Requests that are refused.
extension ErrorSentence {
  private static func refused(
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) -> Self {
    Self { store in
      let context = try store.atelier().makeContext()
      return try #require(throws: PersistenceError.self) { try body(context) }
    }
  }

  /// What a context of a model with some entities says.
  private static func family(
    _ entities: String,
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) -> Self {
    Self { store in
      let json = #"{ "copal": 1, "model": "Family", "entities": { \#(entities) } }"#
      let container = try store.container(ModelBinding(name: "Family", json: json, classes: []))
      return try #require(throws: PersistenceError.self) { try body(container.makeContext()) }
    }
  }

  private static func fetch(
    _ predicate: @autoclosure @escaping @Sendable () -> FetchPredicate
  )
    -> Self
  {
    refused { context in
      _ = try context.fetch(FetchRequest<Pigment>(entityName: "Pigment", predicate: predicate()))
    }
  }

  /// A condition of 30 levels of "and" and "or".
  private static var nested: FetchPredicate {
    let isOchre = FetchPredicate.comparison(.property("name"), .equal, .constant("Ochre"))
    return (0..<30).reduce(isOchre) { $1 % 2 == 0 ? .and([$0, isOchre]) : .or([$0, isOchre]) }
  }

  private static let requests: [Self] = [
    refused { _ = try $0.insert("Pigmnt") },
    refused { _ = try $0.insert("Brush") },
    family(
      #""Person": { "abstract": true }, "Painter": { "parent": "Person" }, "Collector": { "parent": "Person" }"#
    ) { _ = try $0.insert("Person") },
    family(
      #""Person": { "abstract": true }"#
    ) { _ = try $0.insert("Person") },
    family(
      #""Person": {}, "Painter": { "parent": "Person" }, "Collector": { "parent": "Person" }, "Painting": {}"#
    ) {
      _ = try $0.count(
        FetchRequest<ManagedObject>(entityName: "Person", predicate: .isKind("Painting")))
    },
    family(
      #""Person": {}, "Painting": {}"#
    ) {
      _ = try $0.count(
        FetchRequest<ManagedObject>(entityName: "Painting", predicate: .isKind("Person")))
    },
    refused { _ = try $0.fetch(FetchRequest<ManagedObject>()) },
    access { _ = try $0.value(forKey: "nmae") },
    fetch(.comparison(.property("nmae"), .equal, .constant("Ochre"))),
    fetch(.comparison(.property("weight"), .equal, .constant(1))),
    refused { context in
      struct Row: Decodable { var nmae: String }
      _ = Pigment(context: context, name: "Ochre")
      _ = try context.fetchValues(Pigment.self, as: Row.self) { ["name": $0.name] }
    },
    refused { context in
      for name in ["Ochre", "Umber"] { _ = Pigment(context: context, name: name) }
      _ = try context.fetchValue(Pigment.self) { ($0.name.count * 0 + Int.max).sum }
    },
    refused { context in
      let pigment = Pigment(context: context, name: "Ochre")
      let cursor = FetchCursor(values: [.null], objectID: pigment.objectID)
      _ = try context.fetchPage(Pigment.fetchRequest(), size: 1, after: cursor)
    },
    fetch(.comparison(.property("price"), .less, .variable("limit"))),
    fetch(.comparison(.call(.add, [.property("name"), .constant(1)]), .equal, .constant(1))),
    fetch(.comparison(.property("swatch"), .equal, .constant("red"))),
    fetch(.comparison(.property("color"), .equal, .constant("red"))),
    fetch(.comparison(.property("name"), .equal, .constant(1))),
    fetch(.comparison(.property("name"), .less, .property("price"))),
    fetch(.text(.property("name"), .contains([]), .constant(1))),
    fetch(.text(.object, .contains([]), .constant("x"))),
    fetch(.comparison(.call(.length, [.property("name")]), .equal, .property("code"))),
    fetch(.text(.call(.length, [.property("name")]), .contains([]), .constant("1"))),
    // The first page, of no objects.
    refused {
      _ = try $0.fetchPage(
        Pigment.fetchRequest().sorted(by: \.name.natural.ascending), size: 1)
    },
    fetch(.text(.property("price"), .hasPrefix([]), .constant("1"))),
    refused {
      _ = try $0.fetch(
        FetchRequest<Pigment>(entityName: "Pigment", sortKeys: [.ascending("price").natural]))
    },
    fetch(.text(.property("code"), .matches, .constant("PB(29"))),
    fetch(.text(.property("code"), .matches, .property("name"))),
    fetch(
      .text(.property("code"), .like([]), .constant(.string(String(repeating: "é", count: 501))))),
    fetch(.comparison(.object, .less, .constant(.null))),
    fetch(.comparison(.object, .equal, .constant(3))),
    refused { _ = try $0.fetch(FetchRequest<Pigment>(entityName: "Pigment", limit: -1)) },
    refused {
      _ = try $0.fetch(FetchRequest<Pigment>(entityName: "Pigment", limit: -1, offset: -3))
    },
    fetch(nested),
    refused { _ = try $0.fetch(FetchRequest<Painter>(entityName: "Pigment")) },
    refused { context in
      for name in ["Ochre", "Umber"] { _ = Pigment(context: context, name: name) }
      try context.save()
      _ = try context.one(Pigment.self) { $0.price >= 0 }
    },
  ]
}

/// Values that a save refuses.
extension ErrorSentence {
  /// What a save says after a change to the saved object `Pigment p1`.
  private static func changed(
    _ change: @escaping @Sendable (Pigment) throws -> Void
  ) -> Self {
    Self { store in
      let context = try store.atelier().makeContext()
      let pigment = Pigment(context: context, name: "Ochre")
      try context.save()
      try change(pigment)
      return try reason { try context.save() }
    }
  }

  /// The one reason why a save failed.
  private static func reason(_ save: () throws -> Void) throws -> PersistenceError {
    let error = try #require(throws: PersistenceError.self) { try save() }
    try #require(error.code == .saveFailed && error.causes.count == 1)
    return try #require(error.causes.first as? PersistenceError)
  }

  private static let validation: [Self] = [
    changed { try $0.setValue(nil, forKey: "name") },
    changed { $0.opacity = -1 },
    changed { $0.price = -1 },
    changed { $0.density = 21 },
    changed { $0.introduced = Date(timeIntervalSince1970: -20_000_000_000) },
    changed { $0.name = "" },
    changed { $0.code = "blue" },
    changed { $0.opacity = .nan },
    changed { $0.price = Decimal(1005) / 1000 },
    Self { store in
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      painter.name = String(repeating: "x", count: 201)
      return try reason { try context.save() }
    },
    Self { store in
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      painter.portrait = Data(count: 1_048_577)
      return try reason { try context.save() }
    },
    Self { store in
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      (painter.prizes, painter.name) = (-1, "")
      return try #require(throws: PersistenceError.self) { try context.save() }
    },
  ]
}

/// Saves that are refused because of other objects.
extension ErrorSentence {
  /// What a save of one context says after a save of another one; both know `Pigment p1`.
  private static func conflict(
    _ theirs: @escaping @Sendable (ManagedObjectContext, Pigment) throws -> Void,
    _ mine: @escaping @Sendable (ManagedObjectContext, Pigment) throws -> Void
  ) -> Self {
    Self { store in
      let container = try store.atelier()
      let (context, other) = (container.makeContext(), container.makeContext())
      let pigment = Pigment(context: context, name: "Ochre")
      try context.save()
      try theirs(other, try other.existingObject(with: pigment.objectID, as: Pigment.self))
      try other.save()
      try mine(context, pigment)
      return try reason { try context.save() }
    }
  }

  private static let saving: [Self] = [
    conflict({ $1.price = 3 }, { $1.price = 4 }),
    conflict({ $0.delete($1) }, { $1.price = 4 }),
    Self { store in
      let context = try store.atelier().makeContext()
      _ = Pigment(context: context, name: "Ochre")
      let second = Pigment(context: context, name: "Smalt")
      try context.save()
      second.name = "Ochre"
      return try reason { try context.save() }
    },
  ]
}

/// Rows that another program has written or deleted, and ids that lead nowhere.
extension ErrorSentence {
  /// What reading an attribute of `Pigment p1` says after another program has changed its row.
  private static func read(_ name: String, after sql: String) -> Self {
    Self { store in
      let container = try store.atelier()
      let context = container.makeContext()
      _ = Pigment(context: context, name: "Ochre")
      try context.save()
      _ = try store.sqlite3("UPDATE Pigment SET \(sql)")
      let pigment = try #require(try container.makeContext().fetch(Pigment.self).first)
      return try #require(throws: PersistenceError.self) { try pigment.value(forKey: name) }
    }
  }

  /// What a context says that looks for an object by the id of another one.
  private static func lookup(
    _ body: @escaping @Sendable (PersistentContainer, ManagedObjectContext) throws -> Void
  ) -> Self {
    Self { store in
      let container = try store.atelier()
      let context = container.makeContext()
      return try #require(throws: PersistenceError.self) { try body(container, context) }
    }
  }

  private static let reading: [Self] = [
    Self { test in
      let container = try test.gallery()
      let writer = container.makeContext()
      Work(context: writer, title: "The Milkmaid").artist = Artist(context: writer, name: "Vermeer")
      try writer.save()
      _ = try test.sqlite3("DELETE FROM Artist")
      test.expectsBrokenReferences()
      let context = container.makeContext()
      let work = try #require(
        try context.fetch(Work.fetchRequest().prefetching(\.artist)).first)
      _ = work.artist
      return try #require(test.takeReadFailures().first)
    },
    Self { _ in
      func id(_ entity: String, _ key: Int64) -> ManagedObjectID {
        ManagedObjectID(store: UUID(), entityName: entity, key: key)
      }
      return PersistenceError(
        .danglingReference, entity: "Owner", property: "dog", objectID: id("Owner", 1),
        otherID: id("Cat", 2), expected: "Dog")
    },
    made(
      .lazyLoad, entity: "Artist", property: "works",
      found: "read lazily for 2 objects of the fetch of Artist, with 1 read"),
    made(.sectionPath, entity: "Painter", property: "born"),
    made(.tooManyStatements, found: "60", expected: "3"),
    Self { test in
      let container = try test.gallery()
      let writer = container.makeContext()
      for number in 0..<20 { _ = Artist(context: writer, name: "\(number)") }
      try writer.save()
      let context = container.makeContext()
      let log = StatementLog(keepsCallSites: false)
      let artists = try context.fetch(Artist.self)
      context.statementLog = log
      for artist in artists { _ = artist.works.count }
      let error = try #require(throws: PersistenceError.self) {
        try log.expectStatements(atMost: 1)
      }
      return try #require(error.firstCause)
    },
    Self { test in
      let container = try test.gallery()
      let writer = container.makeContext()
      for name in ["Vermeer", "Rembrandt"] { _ = Artist(context: writer, name: name) }
      try writer.save()
      let context = container.makeContext()
      var request = Artist.fetchRequest().filter { $0.name != "Hals" }
      request.returnsObjectsAsFaults = true
      return try #require(throws: PersistenceError.self) {
        try context.forbiddingLazyLoads {
          for artist in try context.fetch(request) { _ = (artist.name, artist.works.count) }
        }
      }
    },
    read("price", after: "price = 'x'"),
    read("name", after: "name = x'FF'"),
    read("isLightfast", after: "isLightfast = 7"),
    read("price", after: "price = 1.5"),
    read("origin", after: "origin = 'a b'"),
    read("color", after: "color = x'C0'"),
    read("density", after: "density = '1.50'"),
    read("name", after: "name = CAST(x'FF' AS TEXT)"),
    Self { store in
      let container = try store.atelier()
      let context = container.makeContext()
      _ = Painter(context: context, name: "Rosa")
      try context.save()
      _ = try store.sqlite3("UPDATE Painter SET prizes = 40000")
      let painter = try #require(try container.makeContext().fetch(Painter.self).first)
      return try #require(throws: PersistenceError.self) { try painter.value(forKey: "prizes") }
    },
    lookup { container, context in
      let other = container.makeContext()
      let pigment = Pigment(context: other, name: "Ochre")
      try other.save()
      other.delete(pigment)
      try other.save()
      _ = try context.existingObject(with: pigment.objectID)
    },
    lookup { _, context in
      let other = try TestStore(.memory).atelier().makeContext()
      let pigment = Pigment(context: other, name: "Ochre")
      try other.save()
      _ = try context.existingObject(with: pigment.objectID)
    },
    lookup { container, context in
      let pigment = Pigment(context: context, name: "Ochre")
      try context.save()
      _ = try context.existingObject(with: pigment.objectID, as: Painter.self)
    },
  ]
}

/// Values that are set or read by name.
extension ErrorSentence {
  /// What an access by name to the saved object `Pigment p1` says.
  private static func access(
    _ body: @escaping @Sendable (Pigment) throws -> Void
  ) -> Self {
    refused { context in
      let pigment = Pigment(context: context, name: "Ochre")
      try context.save()
      try body(pigment)
    }
  }

  private static let byName: [Self] = [
    access { try $0.setValue("cheap", forKey: "price") },
    access { _ = try $0.value(of: "price", as: String.self) },
    access { try $0.setValue(SerializableColor.red, forKey: "name") },
    access { try $0.setValue("red", forKey: "color") },
    access { try $0.setValue(UInt64.max, forKey: "opacity") },
    Self { store in
      let context = try store.atelier().makeContext()
      let painting = Painting(context: context, widthMillimetres: 1, heightMillimetres: 1)
      try context.save()
      return try #require(throws: PersistenceError.self) {
        try painting.setValue([SerializableColor.red, "green"] as [Any], forKey: "palette")
      }
    },
    Self { store in
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      return try #require(throws: PersistenceError.self) {
        try painter.setValue(40_000, forKey: "prizes")
      }
    },
  ]
}

/// Stores and containers that cannot be opened.
extension ErrorSentence {
  /// What opening a store says, after it was created and then changed by another program.
  private static func file(
    _ body: @escaping @Sendable (TestStore) throws -> Void
  ) -> Self {
    Self { store in
      try body(store)
      return try #require(throws: PersistenceError.self) { try store.atelier() }
    }
  }

  /// What opening a container with a model says.
  private static func model(_ entities: String, version: Int = 1) -> Self {
    Self { store in
      let json =
        #"{ "copal": 1, "model": "Notes", "version": \#(version), "entities": { \#(entities) } }"#
      return try #require(throws: PersistenceError.self) {
        try store.container(ModelBinding(name: "Notes", json: json, classes: []))
      }
    }
  }

  /// What opening a container says whose model has other entities than its generated classes.
  private static func layout(
    _ change: @escaping @Sendable ([EntityDescription]) -> [EntityDescription]
  ) -> Self {
    Self { store in
      let model = try ModelBinding.atelier.model
      let other = try ManagedObjectModel(
        name: model.name, imports: model.imports, entities: change(model.entities))
      return try #require(throws: PersistenceError.self) {
        try store.container(ModelBinding(other, classesOf: .atelier))
      }
    }
  }

  private static func path(_ path: String) -> Self {
    Self { store in
      let url = store.folder.appending(path: path)
      return try #require(throws: PersistenceError.self) {
        try PersistentContainer(
          model: .atelier, store: .sqlite(at: url), transformers: TestTransformers.atelier)
      }
    }
  }

  private static let opening: [Self] = [
    path("no/such/Atelier.sqlite"),
    path("."),
    file {
      try Data("not a database, but long enough for the header of one".utf8).write(to: $0.file)
    },
    file { _ = try $0.sqlite3("CREATE TABLE t (a)") },
    file { _ = try $0.sqlite3("PRAGMA application_id=7; CREATE TABLE t (a)") },
    file { _ = try $0.sqlite3("PRAGMA encoding='UTF-16le'; CREATE TABLE t (a); DROP TABLE t") },
    file {
      let folder = $0.file.path(percentEncoded: false) + "-files"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let name = String(repeating: "a", count: 32) + "-3"
      try Data("abc".utf8).write(to: URL(filePath: folder + "/" + name))
    },
    file {
      _ = try $0.atelier()
      _ = try $0.sqlite3("PRAGMA user_version=9")
    },
    file {
      _ = try $0.atelier()
      _ = try $0.sqlite3("DELETE FROM copal_metadata WHERE name = 'identifier'")
    },
    file {
      _ = try $0.atelier()
      _ = try $0.sqlite3("DROP TABLE Painter; ALTER TABLE Pigment DROP COLUMN density")
    },
    Self { store in
      _ = try store.studio()
      return try #require(throws: PersistenceError.self) { try store.atelier() }
    },
    layout { $0.filter { $0.name != "Pigment" } },
    layout { entities in
      entities.map { entity in
        var entity = entity
        if entity.name == "Pigment" { entity.attributes.removeLast() }
        return entity
      }
    },
    model(
      #""Note": { "attributes": { "ink": { "type": "transformable?", "class": "SerializableColor", "transformer": "SerializableColorTransformer", "storage": "text" } } }"#,
      version: 1),
  ]
}
