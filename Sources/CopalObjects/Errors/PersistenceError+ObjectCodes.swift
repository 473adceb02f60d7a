import CopalModel
public import CopalStore

/// Saving: hooks, transformers and relationships.
extension PersistenceError.Code {
  /// A validation hook of the object's class has thrown.
  public static let validationFailed = Self("save.validationFailed") {
    // The description shows what was thrown below the sentence, as a cause.
    $0.causes.isEmpty
      ? "\($0.subject) is not valid: \($0.foundText)"
      : "\($0.subject) is not valid: a validation hook of its class threw an error"
  }
  /// The object was changed or deleted, but its row could not be read.
  public static let incompleteObject = Self("save.incompleteObject") {
    "\($0.subject) was changed or deleted, but its row could not be read, so it cannot be saved; refresh it and make the change again"
  }
  /// Hooks or transformers keep changing or inserting further objects while the save calls them.
  public static let endlessHooks = Self("save.endlessHooks") {
    "the save was stopped after \($0.foundText) rounds: hooks or transformers changed or inserted further objects in every round; nothing was written; make each hook change or insert an object only when this is still needed"
  }
  /// A transformer could not encode a value.
  public static let encodeFailed = Self("transformer.encodeFailed") {
    "\($0.subject) could not be encoded by the transformer '\($0.foundText)'; nothing was written; correct the value or the transformer"
  }

  /// An attribute was set whose transformer only decodes.
  public static let transformerReadOnly = Self("transformer.readOnly") {
    "\($0.subject) cannot be saved, because its transformer '\($0.foundText)' only decodes; nothing was written; do not set it, or implement encode(_:)"
  }

  /// An object was deleted, and a relationship with the delete rule deny has objects.
  public static let deletionDenied = Self("save.deletionDenied") {
    let (objects, remedy) =
      $0.found == "1"
      ? ("an object", "delete that object or move it")
      : ("\($0.foundText) objects", "delete these objects or move them")
    return
      "\($0.objectID?.shortDescription ?? $0.entityText) has \(objects) in '\($0.property ?? "a relationship")', whose delete rule is deny, so it cannot be deleted; \(remedy) first"
  }
  /// A to-many relationship has fewer objects than its minimum.
  public static let tooFewObjects = Self("save.tooFewObjects") {
    "\($0.subject) has too few objects: their number is \($0.foundText), and the minimum is \($0.expectedText); add objects, or \($0.expected == "1" ? "leave 'minimum' and 'optional: false' out of the model" : "lower 'minimum' in the model")"
  }
  /// A to-many relationship has more objects than its maximum.
  public static let tooManyObjects = Self("save.tooManyObjects") {
    "\($0.subject) has too many objects: their number is \($0.foundText), and the maximum is \($0.expectedText); remove objects, or raise the maximum in the model"
  }
  /// A new or changed object refers to an object that another context has deleted.
  public static let missingReference = Self("save.missingReference") {
    "\($0.subject) refers to \($0.otherID?.shortDescription ?? "an object"), which is not in the store any more; set another object, or nil"
  }
  /// An object was deleted, and another context has added an object that refers to it.
  public static let stillReferenced = Self("save.stillReferenced") {
    "\($0.subject) cannot be deleted: \($0.otherID?.shortDescription ?? "an object") refers to it by '\($0.foundText)', which another context has set; refresh the object and delete it again"
  }
  /// The values that a merge policy has returned contain a property that only objects can change.
  public static let notAssignable = Self("save.notAssignable") {
    "\($0.subject) is \($0.foundText), so it cannot be one of the values of a merge policy; leave it out, or return takeStored, keepMine or overwrite"
  }
}

/// Objects and their ids.
extension PersistenceError.Code {
  /// The object is not in the store any more, or its context has ended.
  public static let objectMissing = Self("object.missing") { error in
    error.found.map {
      "\(error.subject) cannot be read: \($0); keep the context as long as you use its objects"
    } ?? "\(error.subject) is not in the store any more; it was deleted"
  }
  /// The id is temporary, and this context has not saved an object with this id, or has deleted it.
  public static let objectUnsaved = Self("object.unsaved") {
    "\($0.subject) is unknown to this context: its id is temporary, and this context has not saved an object with this id, or has deleted it; save the object in the context that inserted it, and use its permanent id"
  }
  /// A property was set that no save writes: the object is deleted, or has no context any more.
  public static let changeLost = Self("object.changeLost") {
    "\($0.subject) was changed, and the change is not saved: \($0.foundText); check isDeleted and managedObjectContext before you change an object"
  }
  /// Several objects could not be read; `causes` has an error for each.
  public static let multipleFailures = Self("object.multipleFailures") {
    "\($0.causes.count) objects could not be read, each for the cause below"
  }
  /// A to-one relationship refers to an object that does not exist, or that is of another entity.
  /// It reads nil.
  public static let danglingReference = Self("object.danglingReference") {
    let other = $0.otherID?.shortDescription ?? "an object"
    return $0.expected == nil
      ? "\($0.subject) refers to \(other), which is not in the store any more, so it reads nil; set another object or nil, or refresh the object"
      : "\($0.subject) refers to \(other), which is not of the entity \($0.expectedText), so it reads nil; another program wrote it; set another object, or nil"
  }
  /// Something was read lazily where the program forbids it; `causes` has each relationship or
  /// entity once.
  public static let lazyLoads = Self("object.lazyLoads") {
    "forbiddingLazyLoads found \($0.causes.count == 1 ? "a lazy load" : "\($0.causes.count) lazy loads"); everything was read all the same"
  }
  /// Objects of a relationship, or values of faults, were read lazily.
  public static let lazyLoad = Self("object.lazyLoad") {
    $0.property == nil
      ? "the values of \($0.entityText) were \($0.foundText); fetch the objects with their values, or call fulfill(_:) before"
      : "\($0.subject) was \($0.foundText); add it to prefetching(_:) of the fetch, or call load() or fulfill(_:) before"
  }
  /// The sections of a list go back and forth along its order.
  public static let sectionPath = Self("request.sectionPath") {
    "the list of \($0.entityText) cannot be divided by '\($0.property ?? "")': a section begins before another one has ended; sort by what the sections are made of, or divide by another attribute"
  }
  /// A context ran more statements than a budget allows; `causes` has each operation and place in
  /// the program once.
  public static let tooManyStatements = Self("context.tooManyStatements") {
    "\($0.foundText) statements were run, and at most \($0.expectedText) are expected; prefetch what a loop reads, or allow more"
  }
  /// Statements that one operation has run at one place in the program.
  public static let statements = Self("context.statements") { $0.foundText }
  /// A stored value has the right storage class, but cannot be read as a value of the attribute's
  /// type.
  public static let undecodable = Self("object.undecodable") {
    "\($0.subject) contains \($0.foundText) that cannot be read as \($0.expectedText); another program wrote it; correct the value in the store, or set the attribute"
  }
  /// A value was set or read by name with a type that is not the attribute's.
  public static let wrongValueType = Self("object.wrongValueType") {
    "\($0.subject) has the type \($0.expectedText), not \($0.foundText); use the type \($0.expectedText)"
  }
  /// A number was set by name, or is stored, that the attribute's type cannot represent.
  public static let outOfRange = Self("object.outOfRange") {
    "\($0.subject) has the type \($0.expectedText), which cannot represent \($0.foundText); use a number in its range, or change the type in the model"
  }
  /// The id of an object in another store.
  public static let idOfAnotherStore = Self("object.idOfAnotherStore") {
    "\($0.objectID?.shortDescription ?? "the id") belongs to another store; use a context of the container that opened that store"
  }
  /// A transformer could not decode a stored value.
  public static let decodeFailed = Self("transformer.decodeFailed") {
    "\($0.subject) could not be decoded by the transformer '\($0.foundText)' from \($0.expectedText); the stored value is kept unchanged; correct the transformer, or set the attribute"
  }

  /// A value was encoded by an older version of a transformer, which does not implement decoding
  /// it.
  public static let transformerOlderVersion = Self("transformer.olderVersion") {
    "the value was encoded by version \($0.foundText) of the transformer, and version \($0.expectedText) does not decode it; implement decode(_:version:)"
  }
  /// A value was encoded by a newer version of a transformer.
  public static let transformerNewerVersion = Self("transformer.newerVersion") {
    "the value was encoded by version \($0.foundText) of the transformer, and this program has version \($0.expectedText); update the program"
  }
  /// A warning: an attribute of the type `uri` has the absolute URL of a file.
  public static let absoluteFileURL = Self("object.absoluteFileURL") {
    "\($0.subject) is the absolute URL of a file, which is wrong when its folder moves; store it with RelativeURLTransformer where that can happen"
  }
  /// A scan was asked for an attribute that has no transformer.
  public static let notTransformable = Self("request.notTransformable") {
    "\($0.subject) is not a stored transformable attribute, so it has no transformer; name a transformable attribute"
  }
  /// A row of a fetch of values cannot be decoded as the type that the fetch names.
  public static let notDecodable = Self("request.notDecodable") {
    "\($0.property.map { "the column '\($0)'" } ?? "a row") of the values of \($0.entityText) cannot be decoded: \($0.foundText)\($0.suggestion == nil ? "; give each property of the type a column with its name and type" : $0.hint)"
  }
}

/// Opening a container.
extension PersistenceError.Code {
  /// An attribute's transformer is not registered.
  public static let transformerUnregistered = Self("transformer.unregistered") {
    "\($0.subject) needs the transformer '\($0.foundText)', which is not registered; register it before you open the container, or pass it to the container; registered: \($0.expectedText)\($0.hint)"
  }
  /// Two transformers were registered under one name.
  public static let transformerDuplicate = Self("transformer.duplicate") {
    "the transformer name '\($0.foundText)' is already used by \($0.expectedText); give one of them another name"
  }
  /// The class of a transformable attribute is not the type that its transformer decodes to.
  public static let transformerWrongClass = Self("transformer.wrongClass") {
    "\($0.subject) has the class \($0.expectedText), but its transformer decodes to \($0.foundText); correct the class or the transformer in the model"
  }
  /// The storage that the model declares is not the storage of the transformer.
  public static let transformerWrongStorage = Self("transformer.wrongStorage") {
    "\($0.subject) has the storage \($0.expectedText) in the model, but \($0.foundText); correct \"storage\" in the model, or remove it"
  }
  /// A transformer could not encode or decode one of its samples when the container opened.
  public static let transformerSelfTestFailed = Self("transformer.selfTestFailed") {
    "the transformer '\($0.foundText)' failed the test of its sample \($0.expectedText); correct the transformer, or its samples"
  }
  /// A transformer changes a value again each time it is stored.
  public static let transformerNotIdempotent = Self("transformer.notIdempotent") {
    "the transformer '\($0.foundText)' stores its sample \($0.expectedText) in another form when it was read before; encode the decoded value to the same form"
  }
  /// A warning: a transformer makes objects of whatever class the stored bytes name.
  public static let transformerNotSecure = Self("transformer.notSecure") {
    "\($0.subject) uses the transformer '\($0.foundText)', which is not secure: stored bytes decide which classes it makes objects of; use SecureUnarchiveTransformer with the classes that you allow, or let isSecure return true if it checks the classes itself"
  }
  /// A warning: a required attribute has a transformer that only decodes, so no new object can be
  /// saved.
  public static let transformerReadOnlyRequired = Self("transformer.readOnlyRequired") {
    "\($0.subject) must have a value, but its transformer '\($0.foundText)' only decodes, so that no new object of \($0.entityText) can be saved; make the attribute optional, or implement encode(_:)"
  }
  /// A transformer of a versioned attribute has no version.
  public static let transformerNotVersioned = Self("transformer.notVersioned") {
    "\($0.subject) is versioned, but its transformer '\($0.foundText)' has no version; implement version, or remove \"versioned\" from the model"
  }
  /// A warning: a transformer has a version, but the store does not keep it for this attribute.
  public static let transformerVersionNotKept = Self("transformer.versionNotKept") {
    "\($0.subject) uses the transformer '\($0.foundText)', which has a version, but the store does not keep it, so older values cannot be distinguished from new ones; write \"versioned\": true in the model"
  }
  /// The model names a projection that the transformer of the attribute does not have.
  public static let transformerUnknownProjection = Self("transformer.unknownProjection") {
    "the model keeps the projection \($0.subject), which the transformer '\($0.foundText)' does not have; it has: \($0.expectedText); correct \"project\" in the model, or add the projection to the transformer\($0.hint)"
  }
  /// The model gives a projection another type than the transformer does.
  public static let transformerWrongProjection = Self("transformer.wrongProjection") {
    "the projection \($0.subject) has the type \"\($0.expectedText)\" in the model, but the transformer \($0.foundText); correct the type in \"project\" of the model"
  }
  /// A generated class, or the opened store, does not match the container's model.
  public static let layoutDiffers = Self("container.layoutDiffers") {
    $0.entity == nil
      ? "the store was opened with the model '\($0.foundText)', which differs from the container's model '\($0.expectedText)'; open it with the schema that the configuration receives"
      : "the generated class of \($0.entityText) does not match the model: \($0.foundText); generate the classes from this model and build again"
  }
  /// The container cannot be opened for several reasons; `causes` has each.
  public static let multipleProblems = Self("container.multipleProblems") {
    "the container cannot be opened, for \($0.causes.count) reasons"
  }
}

/// Batches.
extension PersistenceError.Code {
  /// A batch was to change objects of which the context has unsaved changes.
  public static let batchPendingChanges = Self("batch.pendingChanges") {
    let subject =
      $0.entity.map { "a batch cannot change the objects of \($0)" }
      ?? "a statement cannot change rows"
    return $0.found.map {
      "\(subject) while this context has unsaved changes of \($0); save or roll back first"
    } ?? "\(subject) in a hook of a save; run it before or after the save"
  }
  /// A batch would break several rules of the model; `causes` has them.
  public static let batchFailed = Self("batch.failed") {
    "the batch was refused for \($0.found ?? "\($0.causes.count)") reasons\($0.found == nil ? "" : ", of which these are the first"); nothing was written"
  }
  /// A batch was to give a value to a property that only objects can change.
  public static let batchNotAssignable = Self("batch.notAssignable") {
    "\($0.subject) \($0.expected == nil ? "is \($0.foundText), so a batch cannot give it a value" : $0.foundText); \($0.expected ?? "fetch the objects and change them")"
  }
  /// An object that a batch looks up for a relationship is neither in the store nor in the batch.
  public static let batchMissingObject = Self("batch.missingObject") {
    "\($0.subject) names an object by \($0.expectedText), and there is none with this value; insert that object first, or in the same batch"
  }
  /// The properties by which an upsert finds objects are no unique constraint of the entity.
  public static let batchNoConstraint = Self("batch.noConstraint") {
    "\($0.entityText) has no unique constraint of \($0.foundText), so a batch cannot find its objects by it; \($0.expected.map { "its unique constraints are: \($0)" } ?? "it has no unique constraint; add one to the model")"
  }
}

/// Transactions of several saves.
extension PersistenceError.Code {
  /// A transaction was to begin while the context has unsaved changes.
  public static let transactionPendingChanges = Self("transaction.pendingChanges") {
    "a transaction cannot begin while this context has unsaved changes of \($0.foundText), because an error in it could not restore them; save or roll back first, or make the changes in the transaction"
  }
}
