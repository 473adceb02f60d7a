public import CopalModel

/// Opening a store.
extension ErrorCode {
  public static let parentMissing: ErrorCode = "store.parentMissing"
  public static let notWritable: ErrorCode = "store.notWritable"
  public static let notADatabase: ErrorCode = "store.notADatabase"
  public static let notACopalStore: ErrorCode = "store.notACopalStore"
  public static let newerFormat: ErrorCode = "store.newerFormat"
  public static let modelDiffers: ErrorCode = "store.modelDiffers"
  public static let damagedMetadata: ErrorCode = "store.damagedMetadata"
  public static let damagedSchema: ErrorCode = "store.damagedSchema"
  public static let sqliteTooOld: ErrorCode = "store.sqliteTooOld"
  public static let cannotOpen: ErrorCode = "store.cannotOpen"
}

/// Reading and writing a store.
extension ErrorCode {
  public static let diskFull: ErrorCode = "store.diskFull"
  public static let busy: ErrorCode = "store.busy"
  public static let corrupt: ErrorCode = "store.corrupt"
  public static let inputOutput: ErrorCode = "store.inputOutput"
  public static let tooBig: ErrorCode = "store.tooBig"
  public static let interrupted: ErrorCode = "store.interrupted"
  public static let sqlite: ErrorCode = "store.sqlite"
  public static let movedAway: ErrorCode = "store.movedAway"
  public static let keysExhausted: ErrorCode = "store.keysExhausted"
}

/// Requests.
extension ErrorCode {
  public static let unknownEntity: ErrorCode = "request.unknownEntity"
  public static let unknownAttribute: ErrorCode = "request.unknownAttribute"
  public static let notQueryable: ErrorCode = "request.notQueryable"
  public static let predicateType: ErrorCode = "request.predicateType"
  public static let invalidLimit: ErrorCode = "request.invalidLimit"
  public static let tooComplex: ErrorCode = "request.tooComplex"
  public static let wrongClass: ErrorCode = "request.wrongClass"
}

/// Saving.
extension ErrorCode {
  public static let saveFailed: ErrorCode = "save.failed"
  public static let conflict: ErrorCode = "save.conflict"
  public static let deletedElsewhere: ErrorCode = "save.deletedElsewhere"
  public static let uniqueConflict: ErrorCode = "save.uniqueConflict"
  public static let required: ErrorCode = "save.required"
  public static let belowMinimum: ErrorCode = "save.belowMinimum"
  public static let aboveMaximum: ErrorCode = "save.aboveMaximum"
  public static let tooShort: ErrorCode = "save.tooShort"
  public static let tooLong: ErrorCode = "save.tooLong"
  public static let patternMismatch: ErrorCode = "save.patternMismatch"
  public static let notANumber: ErrorCode = "save.notANumber"
  public static let scaleExceeded: ErrorCode = "save.scaleExceeded"
  public static let custom: ErrorCode = "save.custom"
  public static let unreadObject: ErrorCode = "save.unreadObject"
  public static let endlessHooks: ErrorCode = "save.endlessHooks"
}

/// Objects.
extension ErrorCode {
  public static let objectMissing: ErrorCode = "object.missing"
  public static let objectUnsaved: ErrorCode = "object.unsaved"
  public static let foreignValue: ErrorCode = "object.foreignValue"
  public static let undecodable: ErrorCode = "object.undecodable"
  public static let wrongValueType: ErrorCode = "object.wrongValueType"
  public static let outOfRange: ErrorCode = "object.outOfRange"
  public static let foreignID: ErrorCode = "object.foreignID"
}

/// Transformers and containers.
extension ErrorCode {
  public static let transformerUnregistered: ErrorCode = "transformer.unregistered"
  public static let transformerDuplicate: ErrorCode = "transformer.duplicate"
  public static let transformerClass: ErrorCode = "transformer.wrongClass"
  public static let transformerStorage: ErrorCode = "transformer.wrongStorage"
  public static let encodeFailed: ErrorCode = "transformer.encodeFailed"
  public static let decodeFailed: ErrorCode = "transformer.decodeFailed"
  public static let unsupportedModel: ErrorCode = "container.unsupportedModel"
  public static let layoutDiffers: ErrorCode = "container.layoutDiffers"
}

extension ErrorCode {
  /// The codes of stores, contexts, objects and containers; a test holds `Docs/Errors.md` to this list.
  package static let allPersistenceCodes: [ErrorCode] = [
    .parentMissing, .notWritable, .notADatabase, .notACopalStore, .newerFormat, .modelDiffers,
    .damagedMetadata, .damagedSchema, .sqliteTooOld, .cannotOpen, .diskFull, .busy, .corrupt,
    .inputOutput, .tooBig,
    .interrupted, .sqlite, .movedAway, .keysExhausted, .unknownEntity, .unknownAttribute,
    .notQueryable, .predicateType, .invalidLimit, .tooComplex, .wrongClass, .saveFailed, .conflict,
    .deletedElsewhere, .uniqueConflict, .required, .belowMinimum, .aboveMaximum, .tooShort,
    .tooLong, .patternMismatch, .notANumber, .scaleExceeded, .custom, .unreadObject, .endlessHooks,
    .objectMissing, .objectUnsaved, .foreignValue, .undecodable, .wrongValueType, .outOfRange,
    .foreignID, .transformerUnregistered, .transformerDuplicate, .transformerClass,
    .transformerStorage, .encodeFailed,
    .decodeFailed, .unsupportedModel, .layoutDiffers,
  ]
}
