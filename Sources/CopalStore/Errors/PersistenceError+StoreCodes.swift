import CopalModel

/// Reading and writing a store of any kind.
extension PersistenceError.Code {
  /// The store cannot be opened: the path does not lead to a file, or the system refuses to open
  /// it.
  public static let cannotOpen = Self("store.cannotOpen") {
    "\($0.storeText) cannot be opened: \($0.foundText); \($0.expected.map { "use \($0) for a path" } ?? "check the path")"
  }
  /// The file of the store, or its folder, does not allow writing.
  public static let notWritable = Self("store.notWritable") {
    "\($0.storeText) cannot be opened for writing: \($0.foundText); check the permissions of the file and of its folder"
  }
  /// The disk, a quota or a limit of the process leaves no room. Nothing was changed.
  public static let diskFull = Self("store.diskFull") {
    "\($0.storeText) could not be written: the disk or the quota is full; nothing was changed; make room and try again"
  }
  /// Another connection has locked the store for longer than the busy timeout. Nothing was changed.
  public static let busy = Self("store.busy") {
    "the database is locked: another connection held its lock on \($0.storeText) for longer than the busy timeout; nothing was changed; try again"
  }
  /// The process, or the system, has as many files open as it may. Nothing was changed.
  public static let tooManyFiles = Self("store.tooManyFiles") {
    "\($0.storeText) needs a file that cannot be opened, because the process has as many open as it may; nothing was changed; release contexts that are not used, close files, or raise the limit (ulimit -n)"
  }
  /// The content of the store is damaged.
  public static let corrupt = Self("store.corrupt") {
    "\($0.storeText) is damaged: \($0.foundText); restore it from a backup"
  }
  /// The system could not read or write. Nothing was changed.
  public static let inputOutput = Self("store.inputOutput") {
    "\($0.storeText) could not be read or written: \($0.foundText); nothing was changed; check the disk and try again"
  }
  /// A value or a row is larger than the store can keep.
  public static let tooBig = Self("store.tooBig") {
    "\($0.subject) is too large for the store: one value and one row have at most a billion bytes; keep large contents in files"
  }
  /// The work on the store was interrupted. Nothing was changed.
  public static let interrupted = Self("store.interrupted") {
    "the work on \($0.storeText) was interrupted; nothing was changed; try again"
  }
  /// The property of an object was read in a context whose task was canceled.
  public static let canceled = Self("store.canceled") { _ in
    "the task of the context was canceled, so its objects are not read any more; end the work"
  }
  /// The database refused a statement for a reason that has no code of its own.
  public static let backend = Self("store.backend") {
    "the database refused a statement on \($0.storeText): \($0.foundText); check whether another program has changed its tables"
  }
  /// The store has an older model, and the container was told not to migrate it. Nothing was
  /// changed.
  public static let migrationNeeded = Self("store.migrationNeeded") {
    "\($0.storeText) has an older model, version \($0.foundText), and this container does not migrate stores; open it once with a container that does; nothing was changed"
  }
  /// Objects were to be copied into a store that has objects already. Nothing was changed.
  public static let notEmpty = Self("store.notEmpty") {
    "objects cannot be copied to \($0.storeText), because it has objects already; copy into a new store"
  }
  /// The store has no files that could be copied.
  public static let noBackup = Self("store.noBackup") {
    "the store is not in a file, so it cannot be copied to \($0.path.map { "'\($0)'" } ?? "a file"); back up a store that is in a file"
  }
  /// A backup cannot replace what is at its path.
  public static let backupExists = Self("store.backupExists") {
    "a backup cannot be written to '\($0.path ?? "")', because there is something already; choose another path, or delete it first"
  }
  /// The store was written without batch operations.
  public static let noBatches = Self("store.noBatches") {
    "the store has no batch operations\($0.entity.map { ", so the objects of \($0) cannot be changed in one step" } ?? ""); fetch the objects, change them and save, or implement execute(_:check:) in its session"
  }
  /// The store cannot be destroyed, replaced or moved while somebody has it open. Nothing was
  /// changed.
  public static let inUse = Self("store.inUse") {
    "\($0.storeText) is open in this program or in another one, so it cannot be destroyed, replaced or moved; release its containers, contexts and objects, and try again; nothing was changed"
  }
  /// There is no store that could be moved or copied.
  public static let noStore = Self("store.noStore") {
    "there is no store at '\($0.path ?? "")'; check the path"
  }
  /// A store cannot be moved to a place where something is.
  public static let pathTaken = Self("store.pathTaken") {
    "\($0.storeText) cannot be moved, because there is '\($0.foundText)' already; choose another path, or destroy that store first; nothing was changed"
  }
  /// A store that is not in a file cannot be replaced or moved.
  public static let noFile = Self("store.noFile") {
    "the store '\($0.path ?? "")' is not in a file, so it can neither be moved nor replaced, nor replace another one; copy its objects with copyObjects(to:)"
  }
  /// The store was written without values beside its objects.
  public static let noMetadata = Self("store.noMetadata") { _ in
    "the store does not keep metadata; use a store that does, or implement keepsMetadata and fetchMetadata(named:)"
  }
  /// The store was written without transactions of several saves.
  public static let noTransactions = Self("store.noTransactions") { _ in
    "the store has no transactions of several saves; put all changes into one save, or implement beginTransaction(), commitTransaction() and rollBackTransaction() in its session"
  }
  /// The database has undone a transaction because a statement in it failed.
  public static let transactionLost = Self("store.transactionLost") {
    "the database has undone the transaction on \($0.storeText) because a statement in it failed; nothing of the transaction was written; let its body throw, and try again"
  }
}

/// Opening a store that is already there.
extension PersistenceError.Code {
  /// A newer version of Copal has written the file.
  public static let newerFormat = Self("store.newerFormat") {
    let difference =
      $0.expected == nil
      ? "this version does not know \($0.foundText)"
      : "it has store format \($0.foundText), and this version reads up to \($0.expectedText)"
    // The functions of projections are those of the program.
    if $0.found?.contains("'projection ") == true {
      return
        "\($0.storeText) was written by a newer version of this program: \(difference); update the program; the file was not changed"
    }
    return
      "\($0.storeText) was written by a newer version of Copal: \(difference); update Copal; the file was not changed"
  }
  /// Copal's own tables in the file are damaged.
  public static let damagedMetadata = Self("store.damagedMetadata") {
    "\($0.storeText) is a Copal store, but its metadata is damaged: \($0.foundText); restore it from a backup"
  }
  /// Another program has changed tables or indexes of the file.
  public static let damagedSchema = Self("store.damagedSchema") {
    "\($0.storeText) is a Copal store, but another program has changed its tables:\($0.foundLines)\nundo the changes, or restore the store from a backup; no rows were changed"
  }
  /// The store has a newer model than the program. It is not changed.
  public static let newerModel = Self("store.newerModel") {
    // Two models with one version: which is the newer one can only be told from what the file had.
    $0.found == $0.expected
      ? "\($0.storeText) had this program's model before, and has another one now; both say version \($0.foundText); the store was not changed; use the newer version of the program, and raise \"version\" with each change of a model"
      : "\($0.storeText) has a newer model than this program: version \($0.foundText), and the program has version \($0.expectedText); the store was not changed; use a newer version of the program, or raise \"version\" if the program's model is the newer one"
  }
  /// The model of the store cannot become that of the program, or has become another one since the
  /// program opened the store.
  public static let modelDiffers = Self("store.modelDiffers") {
    $0.causes.isEmpty
      ? "another program has migrated \($0.storeText) to another model since this program opened it; nothing was written; open the store again with that model"
      : "\($0.storeText) was written with another model, and its migration is refused for the reasons below; nothing was changed\($0.expected.map { "; \($0)" } ?? "")"
  }
  /// The process was made by `fork` while a store was open. Nothing was read or written.
  public static let forked = Self("store.forked") {
    "this process can neither open nor use \($0.storeText), because it was made by fork while a store was open; nothing was changed; fork before the first store is opened, or start another program"
  }
  /// The entity has no free key for a new object, because a row has the greatest possible key.
  public static let keysExhausted = Self("store.keysExhausted") {
    "\($0.entityText) cannot have more objects: another program gave a row the greatest possible copal_id; give that row a smaller copal_id"
  }
}

/// Requests.
extension PersistenceError.Code {
  /// The model has no entity of that name, or no entity with that class.
  public static let unknownEntity = Self("request.unknownEntity") {
    guard let entity = $0.entity else {
      return
        "\($0.foundText) is not the class of an entity of the model; the classes of its entities are \($0.expectedText)"
    }
    return "the model has no entity '\(entity)'\($0.hint)"
  }
  /// An abstract entity has no objects of its own.
  public static let abstractEntity = Self("request.abstractEntity") {
    "\($0.entityText) is abstract, so it has no objects of its own; \($0.expected.map { "insert an object of a subentity of it: \($0)" } ?? "it has no subentity that is not abstract; add one to the model")"
  }
  /// A condition names an entity that is neither a subentity nor an ancestor of the one that is
  /// fetched.
  public static let unrelatedEntity = Self("request.unrelatedEntity") {
    "\($0.foundText) is no subentity of \($0.entityText), so no object of \($0.entityText) is one; \($0.expected.map { "name one of its subentities: \($0)" } ?? "\($0.entityText) has no subentities")"
  }
  /// A condition has a variable without a value.
  public static let unboundVariable = Self("request.unboundVariable") {
    "the condition on \($0.entityText) has the variable '\($0.foundText)', which has no value; give it one with 'replacing(variables:)'"
  }
  /// The entity has no template of that name.
  public static let unknownTemplate = Self("request.unknownTemplate") {
    "\($0.entityText) has no fetch request '\($0.foundText)' in the model\($0.suggestion == nil ? "; add it to \"fetchRequests\", or correct the name" : $0.hint)"
  }
  /// A request was made of a template without a value for each of its variables.
  public static let missingVariable = Self("request.missingVariable") {
    "the fetch request \($0.subject) needs a value for \($0.foundText); give each variable a value"
  }
  /// A request was made of a template with a value for a variable that it does not have.
  public static let unknownVariable = Self("request.unknownVariable") {
    let variables = $0.expected.map { "its variables are \($0)" } ?? "it has no variables"
    return
      "the fetch request \($0.subject) has no variable '\($0.foundText)'\($0.suggestion == nil ? "; \(variables)" : $0.hint)"
  }
  /// A request was made of a template with a list for a variable that stands for one value.
  public static let variableList = Self("request.variableList") {
    "the variable '\($0.foundText)' of the fetch request \($0.subject) stands for a value, and has a list or a key path; give it a value"
  }
  /// An expression of a condition has no meaning for the entity: a function of values of other
  /// types, for example.
  public static let invalidExpression = Self("request.invalidExpression") {
    "a query of \($0.entityText) has an expression without a meaning: \($0.foundText); \($0.expected ?? "use values of types that fit, or calculate in the program")"
  }
  /// A cursor of pages is one of another order, or the order is one that pages cannot continue.
  public static let invalidCursor = Self("request.invalidCursor") {
    "a page of \($0.entityText) cannot be fetched: \($0.foundText); \($0.expected ?? "use a cursor that a page of the same request has returned")"
  }
  /// The database of the store does not decide a part of a request, and the request concerns more
  /// rows and links than the store decides in memory.
  public static let notInSQL = Self("request.notInSQL") {
    "a request of \($0.entityText) needs \($0.foundText), which the store does not decide: its database cannot, and these are too many for memory; \($0.expectedText)"
  }
  /// A value of a result is none that its type can have: the sum of many great integers, for
  /// example.
  public static let valueOutOfRange = Self("request.valueOutOfRange") {
    "\($0.foundText) of the values of \($0.entityText) has a value that its type cannot have; calculate with another type, 'asDecimal' for example, or correct the value in the store"
  }
  /// The entity has no attribute or relationship of that name.
  public static let unknownProperty = Self("request.unknownProperty") {
    "\($0.entityText) has no property '\($0.property ?? "")'\($0.expected.map { "; subentities that have it: \($0); name one of them in the condition, or fetch it" } ?? $0.hint)"
  }
  /// A condition or an order uses an attribute that the store cannot compare.
  public static let notQueryable = Self("request.notQueryable") {
    "\($0.subject) is \($0.foundText), \($0.expected ?? "so a store cannot compare its values; fetch by another attribute and filter the result")"
  }
  /// A condition compares an attribute with a value of another type, or an object with something
  /// else than an id.
  public static let predicateType = Self("request.predicateType") {
    let isObject = $0.expected == PropertyValue.objectKind
    return switch ($0.property, isObject) {
    case (nil, true):
      "an object of \($0.entityText) cannot be compared \($0.foundText); compare it with the id of an object, by == or !="
    case (_?, true):
      "\($0.subject) is a relationship to one object, and cannot be compared \($0.foundText); compare it with the id of an object, by == or !="
    case (nil, false):
      "a query of \($0.entityText) compares or combines a value of type \($0.expectedText) with one of type \($0.foundText); convert one of them, with 'asDecimal' or CAST for example"
    case (_?, false):
      "\($0.subject) has the type \($0.expectedText) and cannot be compared with a value of type \($0.foundText); give a value of type \($0.expectedText)\($0.expectedText == "date" ? ", in a text CAST(\"2026-01-31T00:00:00Z\", \"NSDate\")" : "")"
    }
  }
  /// A condition tests the text of an attribute that has another type.
  public static let notText = Self("request.notText") {
    $0.property == nil
      ? "a value in the query of \($0.entityText) has the type \($0.foundText), and only a string has a text to test or to sort by; convert it with 'asString', or with CAST in a text"
      : "\($0.subject) has the type \($0.foundText), and only an attribute of the type string has a text to test; \($0.expected.map { "convert it with \($0)" } ?? "compare its values in place of their texts")"
  }
  /// A condition has a pattern that is not a regular expression.
  public static let invalidPattern = Self("request.invalidPattern") {
    "the condition of the fetch of \($0.entityText) has a pattern that cannot be used: \($0.foundText); expected \($0.expectedText)"
  }
  /// A limit or an offset is negative.
  public static let invalidLimit = Self("request.invalidLimit") {
    "the fetch of \($0.entityText) has \($0.foundText); a limit and an offset must be 0 or more"
  }
  /// A condition is more complex than the store allows.
  public static let tooComplex = Self("request.tooComplex") {
    "the condition of a fetch is too complex for the store: \($0.foundText); \($0.expected ?? "simplify it, or fetch in several steps")"
  }
  /// Objects were requested with a class that is not the class of their entity.
  public static let wrongClass = Self("request.wrongClass") {
    "the class of the entity \($0.entityText) is \($0.expectedText), not \($0.foundText); ask for objects of the class \($0.expectedText)"
  }

  /// A fetch for the only object with a condition finds several.
  public static let severalObjects = Self("request.severalObjects") {
    "the fetch of the only object of \($0.entityText) finds several: \($0.subject) and \($0.otherID?.shortDescription ?? "another one"); make its condition exact, or ask for the first object"
  }
}

/// Commits and rows.
extension PersistenceError.Code {
  /// A save was refused; `causes` has every reason. Nothing was written, and every change is kept.
  public static let saveFailed = Self("save.failed") {
    "the save failed for \($0.causes.count == 1 ? "one reason" : "\($0.causes.count) reasons"); nothing was written, and every change is kept"
  }
  /// Another context or program has saved the object since it was read.
  public static let conflict = Self("save.conflict") {
    "\($0.subject) was changed by another context or program: it was read at version \($0.expectedText) and now has version \($0.foundText); refresh it with mergeChanges: true and save again"
  }
  /// Another context or program has deleted the object since it was read.
  public static let deletedElsewhere = Self("save.deletedElsewhere") {
    "\($0.subject) was deleted by another context or program after it was read at version \($0.expectedText); delete it in this context too, or refresh it with mergeChanges: false"
  }
  /// Two objects have the same values in the attributes of a unique constraint.
  public static let uniqueConflict = Self("save.uniqueConflict") {
    let isOne = $0.property?.contains(",") != true
    let subject =
      isOne
      ? "\($0.entityText).\($0.property ?? "")"
      : "the combination of \($0.property ?? "") of \($0.entityText)"
    return
      "\(subject) must be unique, and \($0.objectID?.shortDescription ?? "an object") has the same \(isOne ? "value" : "values")\($0.found.map { " \($0)" } ?? "") as \($0.otherID?.shortDescription ?? "another object"); change one of them and save again"
  }
  /// The name of a value of the metadata is empty or too long.
  public static let metadataName = Self("save.metadataName") {
    "the name '\($0.property ?? "")' of a value in the metadata has \($0.foundText) bytes, or a NUL among them; use a name of 1 to \($0.expectedText) bytes without NUL"
  }
  /// A value of the metadata is too large.
  public static let metadataTooBig = Self("save.metadataTooBig") {
    "the value '\($0.property ?? "")' of the metadata has \($0.foundText) bytes, and \($0.expectedText) are allowed; keep it in an attribute"
  }
  /// A row contains a value that does not have the attribute's type. Another program wrote it.
  public static let typeMismatch = Self("object.typeMismatch") {
    // Copal's own columns are no attributes.
    let remedy =
      $0.property?.hasPrefix("copal_") == true
      ? "correct the value in the store" : "correct the value in the store, or set the attribute"
    return
      "\($0.subject) contains \($0.foundText) instead of \($0.expectedText); another program wrote it; \(remedy)"
  }
  /// The file of a large value does not exist.
  public static let externalFileMissing = Self("object.externalFileMissing") {
    "\($0.subject) is in a file that does not exist any more: '\($0.foundText)'; refresh the object, because another context may have replaced the value, or restore the file from a backup"
  }
  /// The file of a large value cannot be read, or is not the file that was written.
  public static let externalFileUnreadable = Self("object.externalFileUnreadable") {
    "\($0.subject) is in a file that cannot be read: \($0.foundText); restore the file from a backup, or set the attribute"
  }
}

extension PropertyValue {
  /// What an error expects or found where a condition has an object in place of a value.
  static let objectKind = "object"
}
