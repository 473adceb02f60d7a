public import CopalModel

/// Reading and writing a store of any kind.
extension PersistenceError.Code {
  /// The store cannot be opened: the path is no path of a file, or the system refuses.
  public static let cannotOpen = Self("store.cannotOpen") {
    "\($0.place) cannot be opened: \($0.foundText)"
  }
  /// The store, or its folder, may only be read.
  public static let notWritable = Self("store.notWritable") {
    "\($0.place) cannot be opened for writing: \($0.foundText); check the permissions of the file and of its folder"
  }
  /// The disk, a quota or a limit of the process leaves no room. Nothing was changed.
  public static let diskFull = Self("store.diskFull") {
    "\($0.place) could not be written: the disk or the quota is full; nothing was changed; make room and try again"
  }
  /// Another connection has locked the store for longer than the busy timeout. Nothing was changed.
  public static let busy = Self("store.busy") {
    "\($0.place) is locked by another connection, for longer than the busy timeout; nothing was changed; try again"
  }
  /// The content of the store is damaged.
  public static let corrupt = Self("store.corrupt") {
    "\($0.place) is damaged: \($0.foundText); restore it from a backup"
  }
  /// The system could not read or write. Nothing was changed.
  public static let inputOutput = Self("store.inputOutput") {
    "\($0.place) could not be read or written: \($0.foundText); nothing was changed; check the disk and try again"
  }
  /// A value or a row is larger than the store can keep.
  public static let tooBig = Self("store.tooBig") {
    "\($0.subject) is too big for the store; one value may have a billion bytes, and so may one object"
  }
  /// Something interrupted the work on the store. Nothing was changed.
  public static let interrupted = Self("store.interrupted") {
    "the work on \($0.place) was interrupted; nothing was changed; try again"
  }
  /// The database refused a statement for a reason that has no code of its own.
  public static let backend = Self("store.backend") {
    "the database of \($0.place) refused a statement: \($0.foundText)"
  }

  package static let allStoreCodes: [Self] = [
    .cannotOpen, .notWritable, .diskFull, .busy, .corrupt, .inputOutput, .tooBig, .interrupted,
    .backend,
  ]
}

/// Requests.
extension PersistenceError.Code {
  /// The model has no entity of that name.
  public static let unknownEntity = Self("request.unknownEntity") {
    "the model has no entity '\($0.entity ?? $0.foundText)'\($0.hint)"
  }
  /// The entity has no attribute or relationship of that name.
  public static let unknownProperty = Self("request.unknownProperty") {
    "\($0.entityText) has no property '\($0.property ?? "")'\($0.hint)"
  }
  /// A condition or an order uses an attribute that the store cannot compare.
  public static let notQueryable = Self("request.notQueryable") {
    "\($0.subject) is \($0.foundText), which a store cannot compare; fetch by another attribute and filter the result"
  }
  /// A condition compares an attribute with a value of another type.
  public static let predicateType = Self("request.predicateType") {
    "\($0.subject) is of type \($0.expectedText) and cannot be compared with \($0.foundText)"
  }
  /// A limit or an offset is negative.
  public static let invalidLimit = Self("request.invalidLimit") {
    "a fetch of \($0.entityText) has a negative \($0.foundText); give zero or more"
  }
  /// A condition is more complex than the store allows.
  public static let tooComplex = Self("request.tooComplex") {
    "the condition of a fetch is too complex for the store: \($0.foundText); simplify it, or fetch in several steps"
  }
  /// Objects were asked for as a class that is not theirs.
  public static let wrongClass = Self("request.wrongClass") {
    "the class of \($0.entityText) is \($0.expectedText), not \($0.foundText); fetch it as \($0.expectedText)"
  }

  package static let allRequestCodes: [Self] = [
    .unknownEntity, .unknownProperty, .notQueryable, .predicateType, .invalidLimit, .tooComplex,
    .wrongClass,
  ]
}

/// What a store finds when it commits, and in its rows.
extension PersistenceError.Code {
  /// A save was refused; `causes` has every reason. Nothing was written, and every change is kept.
  public static let saveFailed = Self("save.failed") {
    "the save failed for \($0.causes.count == 1 ? "one reason" : "\($0.causes.count) reasons"); nothing was written, and every change is kept"
  }
  /// Another context or program has saved the object since it was read.
  public static let conflict = Self("save.conflict") {
    "\($0.subject) was changed by another context or program: it was read at version \($0.expectedText) and now has version \($0.foundText); refresh it, apply the change again and save"
  }
  /// Another context or program has deleted the object since it was read.
  public static let deletedElsewhere = Self("save.deletedElsewhere") {
    "\($0.subject) was deleted by another context or program after it was read at version \($0.expectedText); delete it here too, or insert a new object"
  }
  /// Two objects have the same value where a constraint of the model wants unique ones.
  public static let uniqueConflict = Self("save.uniqueConflict") {
    let isOne = $0.property?.contains(",") != true
    let subject = isOne ? "\($0.property ?? "a value")" : "the combination of \($0.property ?? "")"
    return
      "\($0.entityText): \(subject) must be unique, and \($0.objectID?.shortDescription ?? "another object") repeats that of \($0.otherID?.shortDescription ?? "another object"); change one of them and save again"
  }
  /// Another program has written a value that does not have the attribute's type.
  public static let typeMismatch = Self("object.typeMismatch") {
    "\($0.subject) contains \($0.foundText), and the model declares \($0.expectedText); another program wrote it; it is kept unchanged"
  }

  package static let allCommitCodes: [Self] = [
    .saveFailed, .conflict, .deletedElsewhere, .uniqueConflict, .typeMismatch,
  ]
}
