import Copal
import CopalColor
import CopalModel
import CopalObjects
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A row of the table of the sentences of `PersistenceError`.
struct ErrorSentence: Sendable, CustomTestStringConvertible {
  /// The description of the error. FOLDER stands for the folder of the test.
  let sentence: String
  /// The error. Most are thrown by the code that a program calls, so that they have the details
  /// that this code puts in; the others are made by hand, with the same details.
  let error: @Sendable (TestStore) throws -> PersistenceError

  init(
    _ sentence: String, _ error: @escaping @Sendable (TestStore) throws -> PersistenceError
  ) {
    self.sentence = sentence
    self.error = error
  }

  var testDescription: String { sentence }

  /// The description of the error in a new store.
  func description() throws -> String {
    let store = try TestStore()
    let folder = String(store.folder.path(percentEncoded: false).dropLast())
    return try error(store).description.replacing(folder, with: "FOLDER")
  }

  /// The sentence on one line, without the causes, if it is one of the code.
  func head(of code: PersistenceError.Code) -> String? {
    let parts = sentence.components(separatedBy: " [\(code)]")
    guard parts.count > 1 else { return nil }
    return parts[0].components(separatedBy: "\n").map { $0.trimmingCharacters(in: .whitespaces) }
      .joined(separator: " ")
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
    Self(
      "'a.sqlite' cannot be opened: it is a folder; check the path [store.cannotOpen]"
    ) { _ in
      PersistenceError(.cannotOpen, path: "a.sqlite", found: "it is a folder")
    },
    Self(
      """
      'a.sqlite' cannot be opened for writing: attempt to write a readonly database; \
      check the permissions of the file and of its folder [store.notWritable]
      """
    ) { _ in
      PersistenceError(
        .notWritable, path: "a.sqlite", found: "attempt to write a readonly database")
    },
    Self(
      """
      'a.sqlite' could not be written: the disk or the quota is full; nothing was \
      changed; make room and try again [store.diskFull]
      """
    ) { _ in
      PersistenceError(.diskFull, path: "a.sqlite")
    },
    Self(
      """
      the database is locked: another connection held its lock on 'a.sqlite' for longer \
      than the busy timeout; nothing was changed; try again [store.busy]
      """
    ) { _ in
      PersistenceError(.busy, path: "a.sqlite")
    },
    Self(
      """
      'a.sqlite' is damaged: database disk image is malformed; restore it from a backup \
      [store.corrupt]
      """
    ) { _ in
      PersistenceError(.corrupt, path: "a.sqlite", found: "database disk image is malformed")
    },
    Self(
      """
      'a.sqlite' could not be read or written: disk I/O error; nothing was changed; check \
      the disk and try again [store.inputOutput]
      """
    ) { _ in
      PersistenceError(.inputOutput, path: "a.sqlite", found: "disk I/O error")
    },
    Self(
      """
      the store could not be read or written: disk I/O error; nothing was changed; check \
      the disk and try again [store.inputOutput]
      """
    ) { _ in
      PersistenceError(.inputOutput, objectID: pigment(1), found: "disk I/O error")
    },
    Self(
      """
      the value is too large for the store: one value and one row have at most a billion \
      bytes; keep large contents in files [store.tooBig]
      """
    ) { _ in
      PersistenceError(.tooBig, path: "a.sqlite")
    },
    Self(
      """
      Pigment p1 is too large for the store: one value and one row have at most a billion \
      bytes; keep large contents in files [store.tooBig]
      """
    ) { _ in
      PersistenceError(.tooBig, entity: "Pigment", objectID: pigment(1))
    },
    Self(
      """
      the work on 'a.sqlite' was interrupted; nothing was changed; try again \
      [store.interrupted]
      """
    ) { _ in
      PersistenceError(.interrupted, path: "a.sqlite")
    },
    Self(
      """
      the database refused a statement on 'a.sqlite': no such table: Pigment; check \
      whether another program has changed its tables [store.backend]
      """
    ) { _ in
      PersistenceError(.backend, path: "a.sqlite", found: "no such table: Pigment")
    },
    Self(
      """
      the SQLite of this system has version 3.22.0, and Copal needs 3.37.0 or later; \
      update SQLite [store.backendTooOld]
      """
    ) { _ in
      PersistenceError(.backendTooOld, found: "3.22.0", expected: "3.37.0")
    },
    Self(
      """
      another program has migrated 'a.sqlite' to another model since this program opened \
      it; nothing was written; open the store again with that model [store.modelDiffers]
      """
    ) { _ in
      PersistenceError(.modelDiffers, path: "a.sqlite")
    },
    Self(
      """
      'a.sqlite' was deleted, moved or replaced while it was open; nothing was written; \
      open the store again [store.fileReplaced]
      """
    ) { _ in
      PersistenceError(.fileReplaced, path: "a.sqlite")
    },
    Self(
      """
      the folder 'a.sqlite-files' has large values of another store than 'a.sqlite'; no file was \
      written or removed; put the folder of this store in its place, or move it away \
      [store.filesOfAnotherStore]
      """
    ) { _ in
      PersistenceError(.filesOfAnotherStore, path: "a.sqlite", found: "a.sqlite-files")
    },
    Self(
      """
      the store is not in a file, so it cannot be copied to 'copy.sqlite'; back up a store that \
      is in a file [store.noBackup]
      """
    ) { _ in
      PersistenceError(.noBackup, path: "copy.sqlite")
    },
    Self(
      """
      a backup cannot be written to 'copy.sqlite', because there is something already; \
      choose another path, or delete it first [store.backupExists]
      """
    ) { _ in
      PersistenceError(.backupExists, path: "copy.sqlite")
    },
    Self(
      """
      Pigment.form of Pigment p1 is 'temperra', which is none of its cases; set one of oil, \
      tempera; did you mean 'tempera'? [save.unrecognizedCase]
      """
    ) { _ in
      PersistenceError(
        .unrecognizedCase, entity: "Pigment", property: "form", objectID: pigment(1),
        found: "temperra", expected: "oil, tempera", suggestion: "tempera")
    },
    Self(
      """
      Pigment cannot have more objects: another program gave a row the greatest possible \
      copal_id; give that row a smaller copal_id [store.keysExhausted]
      """
    ) { _ in
      PersistenceError(.keysExhausted, entity: "Pigment", path: "a.sqlite")
    },
    Self(
      """
      the save failed for one reason; nothing was written, and every change is kept \
      [save.failed]
        - Pigment.name of the new Pigment t3 is required and has no value; set it, or \
      make it optional in the model [save.required]
      """
    ) { _ in
      PersistenceError(
        .saveFailed, causes: [PersistenceError(.required, property: "name", objectID: pigment(-3))])
    },
    Self("Pigment p1 is not valid: too young [save.validationFailed]") { _ in
      PersistenceError(.validationFailed, objectID: pigment(1), found: "too young")
    },
    Self(
      """
      Pigment p1 is not valid: a validation hook of its class threw an error \
      [save.validationFailed]
        - too young
      """
    ) { _ in
      PersistenceError(
        .validationFailed, objectID: pigment(1), found: "too young", causes: [TooYoung()])
    },
    Self(
      """
      Pigment p1 was changed or deleted, but its row could not be read, so it cannot be \
      saved; refresh it and make the change again [save.incompleteObject]
      """
    ) { _ in
      PersistenceError(.incompleteObject, objectID: pigment(1))
    },
    Self(
      """
      the combination of group, select of Pigment must be unique, and Pigment p2 has the \
      same values as Pigment p1; change one of them and save again [save.uniqueConflict]
      """
    ) { _ in
      PersistenceError(
        .uniqueConflict, entity: "Pigment", property: "group, select", objectID: pigment(2),
        otherID: pigment(1))
    },
    Self(
      """
      the store has no batch operations, so the objects of Pigment cannot be changed in one step; \
      fetch the objects, change them and save, or implement execute(_:check:) in its session \
      [store.noBatches]
      """
    ) { _ in
      PersistenceError(.noBatches, entity: "Pigment")
    },
    Self(
      """
      the store has no transactions of several saves; put all changes into one save, or implement \
      beginTransaction(), commitTransaction() and rollBackTransaction() in its session \
      [store.noTransactions]
      """
    ) { _ in PersistenceError(.noTransactions) },
    Self(
      """
      the database has undone the transaction on '/data/Atelier.sqlite' because a statement in it \
      failed; nothing of the transaction was written; let its body throw, and try again \
      [store.transactionLost]
      """
    ) { _ in PersistenceError(.transactionLost, path: "/data/Atelier.sqlite") },
    Self(
      """
      the store does not understand SQL, so it cannot run a statement; use a fetch request or a batch, \
      or a store that does [store.noSQL]
      """
    ) { _ in PersistenceError(.noSQL) },
    Self(
      """
      the statement cannot be prepared: near "Pigment": syntax error, at 'Pigment' (character 18); \
      correct its text [sql.invalid]
      """
    ) { test in
      try test.sqlError { _ = try $0.fetchRows(sql: "SELECT name FORM Pigment") }
    },
    Self(
      """
      the statement is not allowed, because it has DELETE; only reading with SELECT is allowed; \
      write with a batch, or with executeUnsafe(sql:) [sql.notAllowed]
      """
    ) { test in
      try test.sqlError { _ = try $0.fetchRows(sql: "DELETE FROM Pigment") }
    },
    Self(
      """
      the text has more than one statement: after the first one comes 'DROP TABLE Pigment' \
      (character 11); run each statement alone, in a transaction if they belong together \
      [sql.severalStatements]
      """
    ) { test in
      try test.sqlError { _ = try $0.fetchRows(sql: "SELECT 1; DROP TABLE Pigment") }
    },
    Self(
      """
      the statement has failed: UNIQUE constraint failed: Pigment.code; nothing was changed; correct \
      the statement or its values [sql.failed]
      """
    ) { _ in PersistenceError(.sqlFailed, found: "UNIQUE constraint failed: Pigment.code") },
    Self(
      """
      the column 'price' of the result is missing, and one of name, code was expected; correct the \
      statement, or ask for another column or type [sql.wrongColumn]
      """
    ) { test in
      try test.sqlError { context in
        _ = Pigment(context: context, name: "Ochre")
        try context.save()
        let row = try context.fetchRows(sql: "SELECT name, code FROM Pigment")[0]
        _ = try row.value(of: "price", as: Int.self)
      }
    },
    Self(
      """
      the statement for objects of Pigment has given 2 columns in place of the key of an object; \
      select one column, the key of Pigment, and no other rows than those of its objects [sql.noKey]
      """
    ) { test in
      try test.sqlError { _ = try $0.fetch(Pigment.self, sql: "SELECT 1, 2") }
    },
    Self(
      """
      a statement cannot change rows while this context has unsaved changes of Pigment; save or roll \
      back first [batch.pendingChanges]
      """
    ) { test in
      try test.sqlError { context in
        _ = Pigment(context: context, name: "Ochre")
        try context.executeUnsafe(sql: "DELETE FROM Pigment")
      }
    },
    Self(
      """
      a transaction cannot begin while this context has unsaved changes of Pigment, because an error \
      in it could not restore them; save or roll back first, or make the changes in the transaction \
      [transaction.pendingChanges]
      """
    ) { _ in PersistenceError(.transactionPendingChanges, found: "Pigment") },
    Self(
      """
      a batch cannot change the objects of Pigment while this context has unsaved changes of \
      Pigment; save or roll back first [batch.pendingChanges]
      """
    ) { _ in
      PersistenceError(.batchPendingChanges, entity: "Pigment", found: "Pigment")
    },
    Self(
      """
      the batch was refused for 2 reasons; nothing was written [batch.failed]
        - Pigment.name is required and has no value; set it, or make it optional in the model [save.required]
        - Pigment.price is below its minimum of 0; set a greater value [save.belowMinimum]
      """
    ) { _ in
      PersistenceError(
        .batchFailed,
        causes: [
          PersistenceError(.required, entity: "Pigment", property: "name"),
          PersistenceError(.belowMinimum, entity: "Pigment", property: "price", expected: "0"),
        ])
    },
    Self(
      """
      Work.artist is a relationship, so a batch cannot give it a value; fetch the objects and \
      change them [batch.notAssignable]
      """
    ) { _ in
      PersistenceError(
        .batchNotAssignable, entity: "Work", property: "artist", found: "a relationship")
    },
    Self(
      """
      a batch cannot change the objects of Pigment in a hook of a save; run it before or after \
      the save [batch.pendingChanges]
      """
    ) { _ in PersistenceError(.batchPendingChanges, entity: "Pigment") },
    Self(
      """
      Pigment has no unique constraint of price, so an upsert cannot find its objects by it; \
      its unique constraints are: name; code [batch.noConstraint]
      """
    ) { _ in
      PersistenceError(
        .batchNoConstraint, entity: "Pigment", found: "price", expected: "name; code")
    },
    Self(
      """
      Museum p1 has 3 objects in 'paintings', whose delete rule is deny, so it cannot be \
      deleted; delete these objects or move them first [save.deletionDenied]
      """
    ) { _ in
      PersistenceError(
        .deletionDenied, entity: "Museum", property: "paintings",
        objectID: ManagedObjectID(store: UUID(), entityName: "Museum", key: 1), found: "3")
    },
    Self(
      """
      Recipe.steps of Recipe p1 has too few objects: their number is 0, and the minimum is 1; \
      add objects, or lower the minimum in the model [save.tooFewObjects]
      """
    ) { _ in
      PersistenceError(
        .tooFewObjects, entity: "Recipe", property: "steps",
        objectID: ManagedObjectID(store: UUID(), entityName: "Recipe", key: 1), found: "0",
        expected: "1")
    },
    Self(
      """
      Recipe.steps of Recipe p1 has too many objects: their number is 4, and the maximum is 3; \
      remove objects, or raise the maximum in the model [save.tooManyObjects]
      """
    ) { _ in
      PersistenceError(
        .tooManyObjects, entity: "Recipe", property: "steps",
        objectID: ManagedObjectID(store: UUID(), entityName: "Recipe", key: 1), found: "4",
        expected: "3")
    },
    Self(
      """
      Painting.painter of Painting p1 refers to Pigment p2, which is not in the store any \
      more; set another object, or nil [save.missingReference]
      """
    ) { _ in
      PersistenceError(
        .missingReference, property: "painter",
        objectID: ManagedObjectID(store: UUID(), entityName: "Painting", key: 1),
        otherID: pigment(2))
    },
    Self(
      """
      Pigment p1 cannot be deleted: Pigment p2 refers to it by 'base', which another context \
      has set; refresh the object and delete it again [save.stillReferenced]
      """
    ) { _ in
      PersistenceError(
        .stillReferenced, objectID: pigment(1), otherID: pigment(2), found: "base")
    },
    Self(
      """
      the save was stopped after 1000 rounds: hooks or transformers changed or inserted \
      further objects in every round; nothing was written; make each hook change or \
      insert an object only when this is still needed [save.endlessHooks]
      """
    ) { _ in
      PersistenceError(.endlessHooks, found: "1000")
    },
    Self(
      """
      Pigment.color of Pigment p1 could not be encoded by the transformer \
      'InkTransformer'; nothing was written; correct the value or the transformer \
      [transformer.encodeFailed]
        - too young
      """
    ) { _ in
      PersistenceError(
        .encodeFailed, property: "color", objectID: pigment(1), found: "InkTransformer",
        causes: [TooYoung()])
    },
    Self(
      """
      Pigment p1 cannot be read: its context was released or reset; keep the context as \
      long as you use its objects [object.missing]
      """
    ) { _ in
      PersistenceError(
        .objectMissing, objectID: pigment(1), found: "its context was released or reset")
    },
    Self(
      """
      the new Pigment t3 is unknown to this context: its id is temporary, and this \
      context has not saved an object with this id, or has deleted it; save the object in \
      the context that inserted it, and use its permanent id [object.unsaved]
      """
    ) { _ in
      PersistenceError(.objectUnsaved, objectID: pigment(-3))
    },
    Self(
      """
      Pigment p1 was changed, and the change is not saved: the object is deleted; check \
      isDeleted and managedObjectContext before you change an object [object.changeLost]
      """
    ) { _ in
      PersistenceError(.changeLost, objectID: pigment(1), found: "the object is deleted")
    },
    Self(
      """
      2 objects could not be read, each for the cause below [object.multipleFailures]
        - Pigment p1 is not in the store any more; it was deleted [object.missing]
        - Pigment p2 is not in the store any more; it was deleted [object.missing]
      """
    ) { _ in
      PersistenceError(
        .multipleFailures,
        causes: [
          PersistenceError(.objectMissing, objectID: pigment(1)),
          PersistenceError(.objectMissing, objectID: pigment(2)),
        ])
    },
    Self(
      """
      Pigment.copal_id contains TEXT instead of a number from 1 to 9223372036854775807; \
      another program wrote it; correct the value in the store [object.typeMismatch]
      """
    ) { _ in
      PersistenceError(
        .typeMismatch, entity: "Pigment", property: "copal_id", found: "TEXT",
        expected: "a number from 1 to 9223372036854775807")
    },
    Self(
      """
      Pigment.color of Pigment p1 is in a file that does not exist any more: \
      '0123456789abcdef0123456789abcdef-5000'; refresh the object, because another context \
      may have replaced the value, or restore the file from a backup \
      [object.externalFileMissing]
      """
    ) { _ in
      PersistenceError(
        .externalFileMissing, entity: "Pigment", property: "color", objectID: pigment(1),
        found: "0123456789abcdef0123456789abcdef-5000")
    },
    Self(
      """
      Pigment.color of Pigment p1 is in a file that cannot be read: \
      '0123456789abcdef0123456789abcdef-5000': it has 10 bytes instead of 5000; restore \
      the file from a backup, or set the attribute [object.externalFileUnreadable]
      """
    ) { _ in
      PersistenceError(
        .externalFileUnreadable, entity: "Pigment", property: "color", objectID: pigment(1),
        found: "'0123456789abcdef0123456789abcdef-5000': it has 10 bytes instead of 5000")
    },
    Self(
      """
      Pigment.color needs the transformer 'InkTransfomer', which is not registered; \
      register it before you open the container, or pass it to the container; registered: \
      InkTransformer, PaintTransformer; did you mean 'InkTransformer'? \
      [transformer.unregistered]
      """
    ) { _ in
      PersistenceError(
        .transformerUnregistered, entity: "Pigment", property: "color", found: "InkTransfomer",
        expected: "InkTransformer, PaintTransformer", suggestion: "InkTransformer")
    },
    Self(
      """
      Pigment.color needs the transformer 'InkTransformer', which is not registered; \
      register it before you open the container, or pass it to the container; registered: \
      none [transformer.unregistered]
      """
    ) { _ in
      PersistenceError(
        .transformerUnregistered, entity: "Pigment", property: "color", found: "InkTransformer",
        expected: "none")
    },
    Self(
      """
      the transformer name 'InkTransformer' is already used by Paint.InkTransformer; give \
      one of them another name [transformer.duplicate]
      """
    ) { _ in
      PersistenceError(
        .transformerDuplicate, found: "InkTransformer", expected: "Paint.InkTransformer")
    },
    Self(
      """
      Pigment.color has the class Color, but its transformer decodes to Ink; correct the \
      class or the transformer in the model [transformer.wrongClass]
      """
    ) { _ in
      PersistenceError(
        .transformerWrongClass, entity: "Pigment", property: "color", found: "Ink",
        expected: "Color")
    },
    Self(
      """
      the generated class of Pigment does not match the model: Paint is also the class of \
      Canvas; generate the classes from this model and build again \
      [container.layoutDiffers]
      """
    ) { _ in
      PersistenceError(
        .layoutDiffers, entity: "Pigment", found: "Paint is also the class of Canvas")
    },
    Self(
      """
      the store was opened with the model 'Library', which differs from the container's \
      model 'Atelier'; open it with the schema that the configuration receives \
      [container.layoutDiffers]
      """
    ) { _ in
      PersistenceError(.layoutDiffers, found: "Library", expected: "Atelier")
    },
    Self(
      """
      the container cannot be opened, for 2 reasons [container.multipleProblems]
        - too young
        - too young
      """
    ) { _ in
      PersistenceError(.multipleProblems, causes: [TooYoung(), TooYoung()])
    },
  ]
}

/// Requests that are refused.
extension ErrorSentence {
  private static func refused(
    _ sentence: String, _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) -> Self {
    Self(sentence) { store in
      let context = try store.atelier().makeContext()
      return try #require(throws: PersistenceError.self) { try body(context) }
    }
  }

  /// What a context of a model with some entities says.
  private static func family(
    _ sentence: String, _ entities: String,
    _ body: @escaping @Sendable (ManagedObjectContext) throws -> Void
  ) -> Self {
    Self(sentence) { store in
      let json = #"{ "copal": 1, "model": "Family", "entities": { \#(entities) } }"#
      let container = try store.container(ModelBinding(name: "Family", json: json, classes: []))
      return try #require(throws: PersistenceError.self) { try body(container.makeContext()) }
    }
  }

  private static func fetch(
    _ sentence: String, _ predicate: @autoclosure @escaping @Sendable () -> FetchPredicate
  )
    -> Self
  {
    refused(sentence) { context in
      _ = try context.fetch(
        FetchRequest<Pigment>(entityName: "Pigment", predicate: predicate()))
    }
  }

  /// A condition of 30 levels of "and" and "or".
  private static var nested: FetchPredicate {
    let isOchre = FetchPredicate.comparison(.property("name"), .equal, .constant("Ochre"))
    return (0..<30).reduce(isOchre) { $1 % 2 == 0 ? .and([$0, isOchre]) : .or([$0, isOchre]) }
  }

  private static let requests: [Self] = [
    refused(
      "the model has no entity 'Pigmnt'; did you mean 'Pigment'? [request.unknownEntity]"
    ) { _ = try $0.insert("Pigmnt") },
    refused("the model has no entity 'Brush' [request.unknownEntity]") {
      _ = try $0.insert("Brush")
    },
    family(
      "Person is abstract, so it has no objects of its own; insert an object of a subentity of it: Painter, Collector [request.abstractEntity]",
      #""Person": { "abstract": true }, "Painter": { "parent": "Person" }, "Collector": { "parent": "Person" }"#
    ) { _ = try $0.insert("Person") },
    family(
      "Person is abstract, so it has no objects of its own; it has no subentity that is not abstract; add one to the model [request.abstractEntity]",
      #""Person": { "abstract": true }"#
    ) { _ = try $0.insert("Person") },
    family(
      "Painting is no subentity of Person, so no object of Person is one; name one of its subentities: Painter, Collector [request.unrelatedEntity]",
      #""Person": {}, "Painter": { "parent": "Person" }, "Collector": { "parent": "Person" }, "Painting": {}"#
    ) {
      _ = try $0.count(
        FetchRequest<ManagedObject>(entityName: "Person", predicate: .isKind("Painting")))
    },
    family(
      "Person is no subentity of Painting, so no object of Painting is one; Painting has no subentities [request.unrelatedEntity]",
      #""Person": {}, "Painting": {}"#
    ) {
      _ = try $0.count(
        FetchRequest<ManagedObject>(entityName: "Painting", predicate: .isKind("Person")))
    },
    refused(
      "ManagedObject is not the class of an entity of the model; the classes of its entities are Painter, Painting, Pigment [request.unknownEntity]"
    ) { _ = try $0.fetch(FetchRequest<ManagedObject>()) },
    access(
      "Pigment has no property 'nmae'; did you mean 'name'? [request.unknownProperty]"
    ) { _ = try $0.value(forKey: "nmae") },
    fetch(
      "Pigment has no property 'nmae'; did you mean 'name'? [request.unknownProperty]",
      .comparison(.property("nmae"), .equal, .constant("Ochre"))),
    fetch(
      "Pigment has no property 'weight' [request.unknownProperty]",
      .comparison(.property("weight"), .equal, .constant(1))),
    refused(
      "the column 'nmae' of the values of Pigment cannot be decoded: no column has this name; did you mean 'name'? [request.notDecodable]"
    ) { context in
      struct Row: Decodable { var nmae: String }
      _ = Pigment(context: context, name: "Ochre")
      _ = try context.fetchValues(Pigment.self, as: Row.self) { ["name": $0.name] }
    },
    refused(
      "column 1 of the values of Pigment has a value that its type cannot have; calculate with another type, 'asDecimal' for example, or correct the value in the store [request.valueOutOfRange]"
    ) { context in
      for name in ["Ochre", "Umber"] { _ = Pigment(context: context, name: name) }
      _ = try context.fetchValue(Pigment.self) {
        ($0.name.count * 0 + Int.max).sum
      }
    },
    refused(
      "the page of Pigment cannot begin at the cursor: it has 1 value, and the order has 0 keys; use a cursor that a page of the same request has returned [request.invalidCursor]"
    ) { context in
      let pigment = Pigment(context: context, name: "Ochre")
      let cursor = FetchCursor(values: [.null], objectID: pigment.objectID)
      _ = try context.fetchPage(Pigment.fetchRequest(), size: 1, after: cursor)
    },
    fetch(
      "the condition on Pigment has the variable 'limit', which has no value; give it one with 'replacing(variables:)' [request.unboundVariable]",
      .comparison(.property("price"), .less, .variable("limit"))),
    fetch(
      "a query of Pigment has an expression without a meaning: '+' is used with string and integer; use values of types that fit, or calculate in the program [request.invalidExpression]",
      .comparison(
        .call(.add, [.property("name"), .constant(1)]), .equal, .constant(1))),
    fetch(
      """
      Pigment.swatch is transient, so a store cannot compare its values; fetch by another \
      attribute and filter the result [request.notQueryable]
      """,
      .comparison(.property("swatch"), .equal, .constant("red"))),
    fetch(
      """
      Pigment.color is transformable, so a store cannot compare its values; fetch by \
      another attribute and filter the result [request.notQueryable]
      """,
      .comparison(.property("color"), .equal, .constant("red"))),
    fetch(
      """
      Pigment.name has the type string and cannot be compared with a value of type \
      integer; give a value of type string [request.predicateType]
      """,
      .comparison(.property("name"), .equal, .constant(1))),
    fetch(
      """
      Pigment.name has the type string and cannot be compared with a value of type \
      decimal; give a value of type string [request.predicateType]
      """,
      .comparison(.property("name"), .less, .property("price"))),
    fetch(
      """
      Pigment.name has the type string and cannot be compared with a value of type \
      integer; give a value of type string [request.predicateType]
      """,
      .text(.property("name"), .contains([]), .constant(1))),
    fetch(
      """
      an object of Pigment cannot be compared by a test of texts; compare it with the id of an \
      object, by == or != [request.predicateType]
      """,
      .text(.object, .contains([]), .constant("x"))),
    fetch(
      """
      a query of Pigment compares or combines a value of type integer with one of type string; convert one of them, \
      with 'asDecimal' or CAST for example [request.predicateType]
      """,
      .comparison(.call(.length, [.property("name")]), .equal, .property("code"))),
    fetch(
      """
      a value in the query of Pigment has the type integer, and only a string has a text to test \
      or to sort by; convert it with 'asString', or with CAST in a text [request.notText]
      """,
      .text(.call(.length, [.property("name")]), .contains([]), .constant("1"))),
    refused(
      """
      the page of Pigment cannot begin at the cursor: the order 'natural' sorts numbers in texts \
      by their values, which a page cannot continue; sort by another order, 'alphabetical' for \
      example, or use fetchBatches [request.invalidCursor]
      """
    ) { context in
      let pigment = Pigment(context: context, name: "Ochre")
      let cursor = FetchCursor(values: [.string("Ochre")], objectID: pigment.objectID)
      _ = try context.fetchPage(
        Pigment.fetchRequest().sorted(by: \.name.natural.ascending), size: 1, after: cursor)
    },
    fetch(
      """
      Pigment.price has the type decimal, and only an attribute of the type string has a text \
      to test; compare its values in place of their texts [request.notText]
      """,
      .text(.property("price"), .hasPrefix([]), .constant("1"))),
    refused(
      """
      Pigment.price has the type decimal, and only an attribute of the type string has a text \
      to test; compare its values in place of their texts [request.notText]
      """
    ) {
      _ = try $0.fetch(
        FetchRequest<Pigment>(entityName: "Pigment", sortKeys: [.ascending("price").natural]))
    },
    fetch(
      """
      the condition of the fetch of Pigment has a pattern that cannot be used: '(' at offset 2 \
      of 'PB(29'; expected a ) that closes this group; write \\( for the character itself \
      [request.invalidPattern]
      """,
      .text(.property("code"), .matches, .constant("PB(29"))),
    fetch(
      """
      the condition of the fetch of Pigment has a pattern that cannot be used: an attribute; \
      expected a constant, because a pattern is checked before the fetch \
      [request.invalidPattern]
      """,
      .text(.property("code"), .matches, .property("name"))),
    fetch(
      """
      the condition of a fetch is too complex for the store: a pattern of 'like' has more than \
      1000 bytes; use a shorter pattern [request.tooComplex]
      """,
      .text(.property("code"), .like([]), .constant(.string(String(repeating: "é", count: 501))))),
    fetch(
      """
      an object of Pigment cannot be compared by an order; compare it with the id of an object, \
      by == or != [request.predicateType]
      """,
      .comparison(.object, .less, .constant(.null))),
    fetch(
      """
      an object of Pigment cannot be compared with a value of type integer; compare it with \
      the id of an object, by == or != [request.predicateType]
      """,
      .comparison(.object, .equal, .constant(3))),
    refused(
      """
      the fetch of Pigment has limit -1; a limit and an offset must be 0 or more \
      [request.invalidLimit]
      """
    ) { _ = try $0.fetch(FetchRequest<Pigment>(entityName: "Pigment", limit: -1)) },
    refused(
      """
      the fetch of Pigment has limit -1 and offset -3; a limit and an offset must be 0 or \
      more [request.invalidLimit]
      """
    ) { _ = try $0.fetch(FetchRequest<Pigment>(entityName: "Pigment", limit: -1, offset: -3)) },
    fetch(
      """
      the condition of a fetch is too complex for the store: 'and' and 'or' are nested \
      more than 25 levels deep; simplify it, or fetch in several steps \
      [request.tooComplex]
      """,
      nested),
    refused(
      """
      the class of the entity Pigment is Pigment, not Painter; ask for objects of the \
      class Pigment [request.wrongClass]
      """
    ) { _ = try $0.fetch(FetchRequest<Painter>(entityName: "Pigment")) },
    refused(
      """
      the fetch of the only object of Pigment finds several: Pigment p1 and Pigment p2; make its \
      condition exact, or ask for the first object [request.severalObjects]
      """
    ) { context in
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
    _ sentence: String, _ change: @escaping @Sendable (Pigment) throws -> Void
  ) -> Self {
    Self(sentence) { store in
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
    changed(
      """
      Pigment.name of Pigment p1 is required and has no value; set it, or make it \
      optional in the model [save.required]
      """
    ) { try $0.setValue(nil, forKey: "name") },
    changed(
      """
      Pigment.opacity of Pigment p1 is below its minimum of 0.0; set a greater value \
      [save.belowMinimum]
      """
    ) { $0.opacity = -1 },
    changed(
      """
      Pigment.price of Pigment p1 is below its minimum of 0; set a greater value \
      [save.belowMinimum]
      """
    ) { $0.price = -1 },
    changed(
      """
      Pigment.density of Pigment p1 is above its maximum of 20; set a smaller value \
      [save.aboveMaximum]
      """
    ) { $0.density = 21 },
    changed(
      """
      Pigment.introduced of Pigment p1 is below its minimum of 1500-01-01T00:00:00Z; set \
      a greater value [save.belowMinimum]
      """
    ) { $0.introduced = Date(timeIntervalSince1970: -20_000_000_000) },
    changed(
      """
      Pigment.name of Pigment p1 is too short: its length is 0 characters, and the \
      minimum is 1; set a longer value [save.tooShort]
      """
    ) { $0.name = "" },
    changed(
      """
      Pigment.code of Pigment p1 does not match the pattern /P[A-Z]+[0-9]+/; set a value \
      that matches it as a whole [save.patternMismatch]
      """
    ) { $0.code = "blue" },
    changed(
      """
      Pigment.opacity of Pigment p1 is NaN, which a database would store as NULL; set a \
      number, or nil where the attribute is optional [save.notANumber]
      """
    ) { $0.opacity = .nan },
    changed(
      """
      Pigment.price of Pigment p1 does not fit its scale of 2: it has more decimal \
      places, or is too large for 64 bits; round it before you set it [save.scaleExceeded]
      """
    ) { $0.price = Decimal(1005) / 1000 },
    Self(
      """
      Painter.name of Painter p1 is too long: its length is 201 characters, and the \
      maximum is 200; shorten it [save.tooLong]
      """
    ) { store in
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      painter.name = String(repeating: "x", count: 201)
      return try reason { try context.save() }
    },
    Self(
      """
      Painter.portrait of Painter p1 is too long: its length is 1048577 bytes, and the \
      maximum is 1048576; shorten it [save.tooLong]
      """
    ) { store in
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      painter.portrait = Data(count: 1_048_577)
      return try reason { try context.save() }
    },
    Self(
      """
      the save failed for 2 reasons; nothing was written, and every change is kept \
      [save.failed]
        - Painter.name of Painter p1 is too short: its length is 0 characters, and the \
      minimum is 1; set a longer value [save.tooShort]
        - Painter.prizes of Painter p1 is below its minimum of 0; set a greater value \
      [save.belowMinimum]
      """
    ) { store in
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
    _ sentence: String,
    _ theirs: @escaping @Sendable (ManagedObjectContext, Pigment) throws -> Void,
    _ mine: @escaping @Sendable (ManagedObjectContext, Pigment) throws -> Void
  ) -> Self {
    Self(sentence) { store in
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
    conflict(
      """
      Pigment p1 was changed by another context or program: it was read at version 1 and \
      now has version 2; refresh it with mergeChanges: true and save again [save.conflict]
      """,
      { $1.price = 3 }, { $1.price = 4 }),
    conflict(
      """
      Pigment p1 was deleted by another context or program after it was read at version \
      1; delete it in this context too, or refresh it with mergeChanges: false \
      [save.deletedElsewhere]
      """,
      { $0.delete($1) }, { $1.price = 4 }),
    Self(
      """
      Pigment.name must be unique, and Pigment p2 has the same value as Pigment p1; \
      change one of them and save again [save.uniqueConflict]
      """
    ) { store in
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
  private static func read(_ sentence: String, _ name: String, after sql: String) -> Self {
    Self(sentence) { store in
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
    _ sentence: String,
    _ body: @escaping @Sendable (PersistentContainer, ManagedObjectContext) throws -> Void
  ) -> Self {
    Self(sentence) { store in
      let container = try store.atelier()
      let context = container.makeContext()
      return try #require(throws: PersistenceError.self) { try body(container, context) }
    }
  }

  private static let reading: [Self] = [
    Self(
      """
      Work.artist of Work p1 refers to Artist p1, which is not in the store any more, so it \
      reads nil; set another object or nil, or refresh the object [object.danglingReference]
      """
    ) { test in
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
    Self(
      """
      Owner.dog of Owner p1 refers to Cat p2, which is not of the entity Dog, so it reads nil; \
      another program wrote it; set another object, or nil [object.danglingReference]
      """
    ) { _ in
      func id(_ entity: String, _ key: Int64) -> ManagedObjectID {
        ManagedObjectID(store: UUID(), entityName: entity, key: key)
      }
      return PersistenceError(
        .danglingReference, entity: "Owner", property: "dog", objectID: id("Owner", 1),
        otherID: id("Cat", 2), expected: "Dog")
    },
    Self(
      """
      Artist.works was read lazily for 2 objects of the fetch of Artist, with 1 read; add \
      it to prefetching(_:) of the fetch, or call load() or fulfill(_:) before \
      [object.lazyLoad]
      """
    ) { _ in
      PersistenceError(
        .lazyLoad, entity: "Artist", property: "works",
        found: "read lazily for 2 objects of the fetch of Artist, with 1 read")
    },
    Self(
      """
      60 statements were run, and at most 3 are expected; prefetch what a loop reads, or \
      allow more [context.tooManyStatements]
      """
    ) { _ in PersistenceError(.tooManyStatements, found: "60", expected: "3") },
    Self(
      #"""
      20 times: the number of objects of Artist.works, of 1 object each; prefetch it: fetch \#
      the objects of Artist with prefetching(\.works), or fetch the numbers with fetchValues \#
      [context.statements]
      """#
    ) { test in
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
    Self(
      """
      forbiddingLazyLoads found 2 lazy loads; everything was read all the same \
      [object.lazyLoads]
        - the values of Artist were read lazily for 2 objects of the fetch of Artist where \
      name != ?, with 1 read; fetch the objects with their values, or call fulfill(_:) \
      before [object.lazyLoad]
        - Artist.works was counted lazily for 2 objects of the fetch of Artist where name \
      != ?, with 2 reads; add it to prefetching(_:) of the fetch, or call load() or \
      fulfill(_:) before [object.lazyLoad]
      """
    ) { test in
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
    read(
      """
      Pigment.price of Pigment p1 contains TEXT instead of INTEGER; another program wrote \
      it; correct the value in the store, or set the attribute [object.typeMismatch]
      """,
      "price", after: "price = 'x'"),
    read(
      """
      Pigment.name of Pigment p1 contains BLOB instead of TEXT; another program wrote it; \
      correct the value in the store, or set the attribute [object.typeMismatch]
      """,
      "name", after: "name = x'FF'"),
    read(
      """
      Pigment.isLightfast of Pigment p1 contains INTEGER that cannot be read as a value \
      of type boolean; another program wrote it; correct the value in the store, or set \
      the attribute [object.undecodable]
      """,
      "isLightfast", after: "isLightfast = 7"),
    read(
      """
      Pigment.price of Pigment p1 contains REAL instead of INTEGER; another program wrote \
      it; correct the value in the store, or set the attribute [object.typeMismatch]
      """,
      "price", after: "price = 1.5"),
    read(
      """
      Pigment.origin of Pigment p1 contains 3 bytes that cannot be read as a value of \
      type uri; another program wrote it; correct the value in the store, or set the \
      attribute [object.undecodable]
      """,
      "origin", after: "origin = 'a b'"),
    read(
      """
      Pigment.color of Pigment p1 could not be decoded by the transformer \
      'SerializableColorTransformer' from 1 byte; the stored value is kept unchanged; \
      correct the transformer, or set the attribute [transformer.decodeFailed]
        - the stored bytes end too early: the header has 3 bytes, but 1 is stored; \
      restore the value from a backup [color.truncated]
      """,
      "color", after: "color = x'C0'"),
    read(
      """
      Pigment.density of Pigment p1 contains TEXT that cannot be read as a decimal \
      without extra zeros (1.5, not 1.50); another program wrote it; correct the value in \
      the store, or set the attribute [object.undecodable]
      """,
      "density", after: "density = '1.50'"),
    read(
      """
      Pigment.name of Pigment p1 contains TEXT that cannot be read as UTF-8 text; another \
      program wrote it; correct the value in the store, or set the attribute \
      [object.undecodable]
      """,
      "name", after: "name = CAST(x'FF' AS TEXT)"),
    Self(
      """
      Painter.prizes of Painter p1 has the type integer16 (-32768 to 32767), which cannot \
      represent the stored number; use a number in its range, or change the type in the \
      model [object.outOfRange]
      """
    ) { store in
      let container = try store.atelier()
      let context = container.makeContext()
      _ = Painter(context: context, name: "Rosa")
      try context.save()
      _ = try store.sqlite3("UPDATE Painter SET prizes = 40000")
      let painter = try #require(try container.makeContext().fetch(Painter.self).first)
      return try #require(throws: PersistenceError.self) { try painter.value(forKey: "prizes") }
    },
    lookup(
      "Pigment p1 is not in the store any more; it was deleted [object.missing]"
    ) { container, context in
      let other = container.makeContext()
      let pigment = Pigment(context: other, name: "Ochre")
      try other.save()
      other.delete(pigment)
      try other.save()
      _ = try context.existingObject(with: pigment.objectID)
    },
    lookup(
      """
      Pigment p1 belongs to another store; use a context of the container that opened \
      that store [object.idOfAnotherStore]
      """
    ) { _, context in
      let other = try TestStore(.memory).atelier().makeContext()
      let pigment = Pigment(context: other, name: "Ochre")
      try other.save()
      _ = try context.existingObject(with: pigment.objectID)
    },
    lookup(
      """
      the class of the entity Pigment is Pigment, not Painter; ask for objects of the \
      class Pigment [request.wrongClass]
      """
    ) { container, context in
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
    _ sentence: String, _ body: @escaping @Sendable (Pigment) throws -> Void
  ) -> Self {
    refused(sentence) { context in
      let pigment = Pigment(context: context, name: "Ochre")
      try context.save()
      try body(pigment)
    }
  }

  private static let byName: [Self] = [
    access(
      """
      Pigment.price of Pigment p1 has the type Decimal, not String; use the type Decimal \
      [object.wrongValueType]
      """
    ) { try $0.setValue("cheap", forKey: "price") },
    access(
      """
      Pigment.price of Pigment p1 has the type Decimal, not String; use the type Decimal \
      [object.wrongValueType]
      """
    ) { _ = try $0.value(of: "price", as: String.self) },
    access(
      """
      Pigment.name of Pigment p1 has the type String, not SerializableColor; use the type \
      String [object.wrongValueType]
      """
    ) { try $0.setValue(SerializableColor.red, forKey: "name") },
    access(
      """
      Pigment.color of Pigment p1 has the type SerializableColor, not String; use the \
      type SerializableColor [object.wrongValueType]
      """
    ) { try $0.setValue("red", forKey: "color") },
    access(
      """
      Pigment.opacity of Pigment p1 has the type Double, which cannot represent the given \
      number; use a number in its range, or change the type in the model \
      [object.outOfRange]
      """
    ) { try $0.setValue(UInt64.max, forKey: "opacity") },
    Self(
      """
      Painting.palette of Painting p1 has the type [SerializableColor], not an array with \
      String at index 1; use the type [SerializableColor] [object.wrongValueType]
      """
    ) { store in
      let context = try store.atelier().makeContext()
      let painting = Painting(context: context, widthMillimetres: 1, heightMillimetres: 1)
      try context.save()
      return try #require(throws: PersistenceError.self) {
        try painting.setValue([SerializableColor.red, "green"] as [Any], forKey: "palette")
      }
    },
    Self(
      """
      Painter.prizes of Painter p1 has the type Int16 (-32768 to 32767), which cannot \
      represent the given number; use a number in its range, or change the type in the \
      model [object.outOfRange]
      """
    ) { store in
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
    _ sentence: String, _ body: @escaping @Sendable (TestStore) throws -> Void
  ) -> Self {
    Self(sentence) { store in
      try body(store)
      return try #require(throws: PersistenceError.self) { try store.atelier() }
    }
  }

  /// What opening a container with a model says.
  private static func model(_ sentence: String, _ entities: String, version: Int = 1) -> Self {
    Self(sentence) { store in
      let json =
        #"{ "copal": 1, "model": "Notes", "version": \#(version), "entities": { \#(entities) } }"#
      return try #require(throws: PersistenceError.self) {
        try store.container(ModelBinding(name: "Notes", json: json, classes: []))
      }
    }
  }

  /// What opening a container says whose model has other entities than its generated classes.
  private static func layout(
    _ sentence: String, _ change: @escaping @Sendable ([EntityDescription]) -> [EntityDescription]
  ) -> Self {
    Self(sentence) { store in
      let model = try ModelBinding.atelier.model
      let other = try ManagedObjectModel(
        name: model.name, imports: model.imports, entities: change(model.entities))
      return try #require(throws: PersistenceError.self) {
        try store.container(ModelBinding(other, classesOf: .atelier))
      }
    }
  }

  private static func path(_ sentence: String, _ path: String) -> Self {
    Self(sentence) { store in
      let url = store.folder.appending(path: path)
      return try #require(throws: PersistenceError.self) {
        try PersistentContainer(
          model: .atelier, store: .sqlite(at: url), transformers: TestTransformers.atelier)
      }
    }
  }

  private static let opening: [Self] = [
    path(
      """
      'FOLDER/no/such/Atelier.sqlite' cannot be opened: its folder does not exist; create \
      the folder first [store.folderMissing]
      """,
      "no/such/Atelier.sqlite"),
    path(
      "'FOLDER/.' cannot be opened: it is a folder; check the path [store.cannotOpen]",
      "."),
    file(
      """
      'FOLDER/Atelier.sqlite' is not a SQLite database: file is not a database; choose \
      another path, or restore the file from a backup [store.notADatabase]
      """
    ) { try Data("not a database, but long enough for the header of one".utf8).write(to: $0.file) },
    file(
      """
      'FOLDER/Atelier.sqlite' is a SQLite database, but not a Copal store: its \
      application_id is 0, and must be 1131376748; choose another path; the file was not \
      changed [store.notACopalStore]
      """
    ) { _ = try $0.sqlite3("CREATE TABLE t (a)") },
    file(
      """
      'FOLDER/Atelier.sqlite' is a SQLite database, but not a Copal store: its \
      application_id is 7, and must be 1131376748; choose another path; the file was not \
      changed [store.notACopalStore]
      """
    ) { _ = try $0.sqlite3("PRAGMA application_id=7; CREATE TABLE t (a)") },
    file(
      """
      'FOLDER/Atelier.sqlite' has its texts in UTF-16le, and Copal needs UTF-8, because \
      SQLite sorts and compares texts by the bytes of their encoding; copy the data into a \
      database in UTF-8, or choose another path; the file was not changed [store.notUTF8]
      """
    ) { _ = try $0.sqlite3("PRAGMA encoding='UTF-16le'; CREATE TABLE t (a); DROP TABLE t") },
    file(
      """
      a new store cannot be made at 'FOLDER/Atelier.sqlite', because the folder \
      'FOLDER/Atelier.sqlite-files' has large values of a store that was deleted or emptied; put \
      the database of that store back, or move or delete the folder; nothing was changed \
      [store.filesWithoutStore]
      """
    ) {
      let folder = $0.file.path(percentEncoded: false) + "-files"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: false)
      let name = String(repeating: "a", count: 32) + "-3"
      try Data("abc".utf8).write(to: URL(filePath: folder + "/" + name))
    },
    file(
      """
      'FOLDER/Atelier.sqlite' was written by a newer version of Copal: it has store \
      format 9, and this version reads up to 1; update Copal; the file was not changed \
      [store.newerFormat]
      """
    ) {
      _ = try $0.atelier()
      _ = try $0.sqlite3("PRAGMA user_version=9")
    },
    file(
      """
      'FOLDER/Atelier.sqlite' is a Copal store, but its metadata is damaged: its \
      identifier is missing; restore it from a backup [store.damagedMetadata]
      """
    ) {
      _ = try $0.atelier()
      _ = try $0.sqlite3("DELETE FROM copal_metadata WHERE name = 'identifier'")
    },
    file(
      """
      'FOLDER/Atelier.sqlite' is a Copal store, but another program has changed its \
      tables:
        the table Painter is missing
        Pigment has no column density
      undo the changes, or restore the store from a backup; no rows were changed \
      [store.damagedSchema]
      """
    ) {
      _ = try $0.atelier()
      _ = try $0.sqlite3("DROP TABLE Painter; ALTER TABLE Pigment DROP COLUMN density")
    },
    Self(
      """
      'FOLDER/Atelier.sqlite' was written with another model, and lightweight migration \
      cannot make these changes:
        the entity Apprentice was removed
        the entity Sample was removed
        the entity Tool was removed
      undo the changes in the model, or copy the data into a new store; during \
      development you can erase the store with \
      SQLiteStore.Options(erasesWhenModelDiffers: true) [store.modelDiffers]
      """
    ) { store in
      _ = try store.studio()
      return try #require(throws: PersistenceError.self) { try store.atelier() }
    },
    layout(
      """
      the generated class of Pigment does not match the model: the model has no entity of \
      this name; generate the classes from this model and build again \
      [container.layoutDiffers]
      """
    ) { $0.filter { $0.name != "Pigment" } },
    layout(
      """
      the generated class of Pigment does not match the model: the attributes of the \
      class and of the model differ; generate the classes from this model and build again \
      [container.layoutDiffers]
      """
    ) { entities in
      entities.map { entity in
        var entity = entity
        if entity.name == "Pigment" { entity.attributes.removeLast() }
        return entity
      }
    },
    model(
      """
      this version of Copal does not support these parts of the model:
        version 2 (migration between versions)
        Note has "renamedFrom"
      remove them, or use a version of Copal that supports them \
      [container.unsupportedModel]
      """,
      #""Note": { "renamedFrom": "Memo", "attributes": { "text": "string" } }"#,
      version: 2),
    model(
      """
      Note.ink has the storage TEXT in the model, but 'SerializableColorTransformer' \
      stores BLOB; correct "storage" in the model, or remove it [transformer.wrongStorage]
      """,
      #""Note": { "attributes": { "ink": { "type": "transformable?", "class": "SerializableColor", "transformer": "SerializableColorTransformer", "storage": "text" } } }"#,
      version: 1),
  ]
}

extension TestStore {
  /// The error of calls of a context of the atelier.
  fileprivate func sqlError(
    _ body: (ManagedObjectContext) throws -> Void
  ) throws -> PersistenceError {
    let context = try atelier().makeContext()
    return try #require(throws: PersistenceError.self) { try body(context) }
  }
}
