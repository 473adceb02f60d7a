public import CopalModel
import CopalStore

/// Saving: rules of the model, hooks and transformers.
extension PersistenceError.Code {
  /// A required attribute has no value.
  public static let required = Self("save.required") {
    "\($0.subject) is required and has no value; set it, or make it optional in the model"
  }
  /// A number or date is less than the attribute's minimum.
  public static let belowMinimum = Self("save.belowMinimum") {
    "\($0.subject) is below its minimum of \($0.expectedText)"
  }
  /// A number or date is greater than the attribute's maximum.
  public static let aboveMaximum = Self("save.aboveMaximum") {
    "\($0.subject) is above its maximum of \($0.expectedText)"
  }
  /// A string or binary is shorter than the attribute's minimum length.
  public static let tooShort = Self("save.tooShort") {
    "\($0.subject) is too short: its length is \($0.foundText), and the minimum is \($0.expectedText)"
  }
  /// A string or binary is longer than the attribute's maximum length.
  public static let tooLong = Self("save.tooLong") {
    "\($0.subject) is too long: its length is \($0.foundText), and the maximum is \($0.expectedText)"
  }
  /// A string does not match the attribute's pattern.
  public static let patternMismatch = Self("save.patternMismatch") {
    "\($0.subject) does not match the pattern /\($0.expectedText)/"
  }
  /// A floating-point value is NaN, which a store cannot keep.
  public static let notANumber = Self("save.notANumber") {
    "\($0.subject) is NaN, which a database would store as NULL; set a number, or nil where the attribute is optional"
  }
  /// A decimal has more fraction digits, or is greater, than the attribute's scale allows.
  public static let scaleExceeded = Self("save.scaleExceeded") {
    "\($0.subject) does not fit its scale of \($0.expectedText) fraction digits; round it first"
  }
  /// A validation hook of the object's class has thrown.
  public static let validationFailed = Self("save.validationFailed") {
    // What was thrown stands below the sentence, with the other causes.
    $0.causes.isEmpty
      ? "\($0.subject) is not valid: \($0.foundText)"
      : "\($0.subject) is not valid, says a validation hook of its class"
  }
  /// The object was changed although its row could not be read.
  public static let incompleteObject = Self("save.incompleteObject") {
    "\($0.subject) was changed, but its row could not be read, so its other values are unknown; refresh it and make the change again"
  }
  /// Hooks or transformers keep inserting or changing objects while the save calls them.
  public static let endlessHooks = Self("save.endlessHooks") {
    "the save was stopped after \($0.foundText) rounds, because hooks or transformers insert or change further objects in every round; nothing was written; let them change only what differs"
  }
  /// A transformer could not encode a value.
  public static let encodeFailed = Self("transformer.encodeFailed") {
    "\($0.subject) could not be encoded by the transformer '\($0.foundText)'; nothing was written"
  }

  package static let allSaveCodes: [Self] = [
    .required, .belowMinimum, .aboveMaximum, .tooShort, .tooLong, .patternMismatch, .notANumber,
    .scaleExceeded, .validationFailed, .incompleteObject, .endlessHooks, .encodeFailed,
  ]
}

/// Objects and their ids.
extension PersistenceError.Code {
  /// The object is not in the store any more, or its context has ended.
  public static let objectMissing = Self("object.missing") { error in
    error.found.map { "\(error.subject) cannot be read: \($0)" }
      ?? "\(error.subject) is not in the store any more"
  }
  /// The temporary id of an object that this context has never saved, or has deleted since.
  public static let objectUnsaved = Self("object.unsaved") {
    "\($0.subject) is unknown to this context: the id is temporary, and the context has not saved such an object, or has deleted it; save the object in the context that inserted it, and pass its permanent id"
  }
  /// Several objects could not be read; `causes` has an error for each.
  public static let multipleFailures = Self("object.multipleFailures") {
    "\($0.causes.count) objects could not be read"
  }
  /// A stored value has the right storage and does not make a value of the attribute's type.
  public static let undecodable = Self("object.undecodable") {
    "\($0.subject) contains \($0.foundText), which is not a \($0.expectedText); it is kept unchanged"
  }
  /// A value of another type than the attribute's was set or asked for by name.
  public static let wrongValueType = Self("object.wrongValueType") {
    "\($0.subject) is of type \($0.expectedText), not \($0.foundText)"
  }
  /// A number that the attribute's type cannot represent was set by name.
  public static let outOfRange = Self("object.outOfRange") {
    "\($0.subject) is of type \($0.expectedText), and \($0.foundText) is out of its range"
  }
  /// The id of an object in another store.
  public static let idOfAnotherStore = Self("object.idOfAnotherStore") {
    "\($0.objectID?.shortDescription ?? "the id") belongs to another store; ask a context of the container that has that store"
  }
  /// A transformer could not decode a stored value.
  public static let decodeFailed = Self("transformer.decodeFailed") {
    "\($0.subject) could not be decoded by the transformer '\($0.foundText)' from \($0.expectedText); the stored bytes are kept unchanged"
  }

  package static let allObjectCodes: [Self] = [
    .objectMissing, .objectUnsaved, .multipleFailures, .undecodable, .wrongValueType, .outOfRange,
    .idOfAnotherStore, .decodeFailed,
  ]
}

/// Opening a container.
extension PersistenceError.Code {
  /// An attribute's transformer is not registered.
  public static let transformerUnregistered = Self("transformer.unregistered") {
    "\($0.subject) needs the transformer '\($0.foundText)', which is not registered\($0.hint) (registered: \($0.expectedText)); register it before the container is opened, or pass it to the container"
  }
  /// Two transformers were registered under one name.
  public static let transformerDuplicate = Self("transformer.duplicate") {
    "the transformer name '\($0.foundText)' is already used by \($0.expectedText); give one of them another name"
  }
  /// The class of a transformable property is not the type that its transformer makes.
  public static let transformerClass = Self("transformer.wrongClass") {
    "\($0.subject) has the class \($0.expectedText), but its transformer makes \($0.foundText); correct the model's class or its transformer"
  }
  /// The storage that the model declares is not the storage of the transformer.
  public static let transformerStorage = Self("transformer.wrongStorage") {
    "\($0.subject) has the storage \($0.expectedText) in the model, but \($0.foundText); correct the model"
  }
  /// The model uses something that this version of Copal reads and does not support yet.
  public static let unsupportedModel = Self("container.unsupportedModel") {
    "this version of Copal does not support all of the model:\($0.foundLines)\nremove these parts, or use a version that supports them"
  }
  /// A generated class was made from another model.
  public static let layoutDiffers = Self("container.layoutDiffers") {
    "the generated class of \($0.entityText) does not match the model: \($0.foundText); build again, so that the class is generated from this model"
  }
  /// The container cannot be opened for several reasons; `causes` has each.
  public static let multipleProblems = Self("container.multipleProblems") {
    "the container cannot be opened for \($0.causes.count) reasons"
  }

  package static let allContainerCodes: [Self] = [
    .transformerUnregistered, .transformerDuplicate, .transformerClass, .transformerStorage,
    .unsupportedModel, .layoutDiffers, .multipleProblems,
  ]
}
