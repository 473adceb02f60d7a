/// The kinds of problems of a model file. Each has a heading in `Docs/Errors.md`.
extension ErrorCode {
  // MARK: The file as a text

  /// The file cannot be opened or read.
  public static let modelUnreadable: ErrorCode = "model.unreadable"
  /// The file is larger than any model.
  public static let modelTooLarge: ErrorCode = "model.tooLarge"
  /// The file is not UTF-8 text.
  public static let modelInvalidUTF8: ErrorCode = "model.invalidUTF8"
  /// Something stands where JSON allows it not.
  public static let modelSyntax: ErrorCode = "model.syntax"
  /// The file ends inside an array or object.
  public static let modelUnexpectedEnd: ErrorCode = "model.unexpectedEnd"
  /// A string does not end on its line.
  public static let modelUnterminatedString: ErrorCode = "model.unterminatedString"
  /// A comment does not end.
  public static let modelUnterminatedComment: ErrorCode = "model.unterminatedComment"
  /// A backslash begins no escape, or half of a surrogate pair stands alone.
  public static let modelInvalidEscape: ErrorCode = "model.invalidEscape"
  /// A control character stands in a string unescaped.
  public static let modelControlCharacter: ErrorCode = "model.controlCharacter"
  /// A number is not written as JSON writes numbers.
  public static let modelInvalidNumber: ErrorCode = "model.invalidNumber"
  /// Arrays and objects are nested too deeply.
  public static let modelTooDeep: ErrorCode = "model.tooDeep"
  /// An object has the same key twice.
  public static let modelDuplicateKey: ErrorCode = "model.duplicateKey"
  /// There are more problems than are told.
  public static let modelTooManyProblems: ErrorCode = "model.tooManyProblems"

  // MARK: Keys and their values

  /// The file is of a newer format than this version of Copal knows.
  public static let modelNewerFormat: ErrorCode = "model.newerFormat"
  /// A key that has no meaning there.
  public static let modelUnknownKey: ErrorCode = "model.unknownKey"
  /// A key that must be there is not.
  public static let modelMissingKey: ErrorCode = "model.missingKey"
  /// A key that has no meaning for this type of attribute or relationship.
  public static let modelMisplacedKey: ErrorCode = "model.misplacedKey"
  /// A value is of another kind than its key takes.
  public static let modelWrongType: ErrorCode = "model.wrongType"
  /// A word that is none of the key's few words.
  public static let modelUnknownWord: ErrorCode = "model.unknownWord"
  /// A whole number outside the range of its key.
  public static let modelOutOfRange: ErrorCode = "model.outOfRange"
  /// A list that must name something is empty.
  public static let modelEmptyList: ErrorCode = "model.emptyList"
  /// A list names the same thing twice.
  public static let modelRepeatedName: ErrorCode = "model.repeatedName"

  // MARK: Names

  /// A name that is no Swift identifier.
  public static let modelInvalidName: ErrorCode = "model.invalidName"
  /// A name that is too long.
  public static let modelNameTooLong: ErrorCode = "model.nameTooLong"
  /// A name that Copal, SQLite or Swift keeps for itself.
  public static let modelReservedName: ErrorCode = "model.reservedName"
  /// Two names that differ in case at most.
  public static let modelNameClash: ErrorCode = "model.nameClash"
  /// Two entities with the same class name.
  public static let modelDuplicateClass: ErrorCode = "model.duplicateClass"
  /// A class name that hides a type which generated code uses.
  public static let modelHidingClass: ErrorCode = "model.hidingClass"
  /// A name of a module that is none.
  public static let modelInvalidImport: ErrorCode = "model.invalidImport"
  /// Two things are renamed from the same one, or one from itself.
  public static let modelInvalidRenaming: ErrorCode = "model.invalidRenaming"

  // MARK: Attributes

  /// An attribute type that does not exist.
  public static let modelUnknownType: ErrorCode = "model.unknownType"
  /// A key `optional` beside a type with a question mark.
  public static let modelOptionalTwice: ErrorCode = "model.optionalTwice"
  /// A stored transformable without a transformer.
  public static let modelMissingTransformer: ErrorCode = "model.missingTransformer"
  /// A transformable without a class.
  public static let modelMissingClass: ErrorCode = "model.missingClass"
  /// A class that is not written as a Swift type.
  public static let modelInvalidClass: ErrorCode = "model.invalidClass"
  /// A default of `null`.
  public static let modelNullDefault: ErrorCode = "model.nullDefault"
  /// A default or limit that is not written as its type's values are.
  public static let modelInvalidValue: ErrorCode = "model.invalidValue"
  /// A default or limit that its type cannot hold.
  public static let modelValueOutOfRange: ErrorCode = "model.valueOutOfRange"
  /// A decimal that does not fit the attribute's scale.
  public static let modelScaleMismatch: ErrorCode = "model.scaleMismatch"
  /// A default that the attribute's own rules refuse.
  public static let modelDefaultBreaksRule: ErrorCode = "model.defaultBreaksRule"
  /// A minimum above the maximum.
  public static let modelEmptyRange: ErrorCode = "model.emptyRange"
  /// A pattern that is not a regular expression, or asks for more than Copal's patterns can.
  public static let modelInvalidPattern: ErrorCode = "model.invalidPattern"
  /// A name that is no attribute of the entity.
  public static let modelUnknownAttribute: ErrorCode = "model.unknownAttribute"
  /// Attributes that depend on themselves.
  public static let modelDependencyCycle: ErrorCode = "model.dependencyCycle"
  /// More stored attributes than a store's table takes.
  public static let modelTooManyAttributes: ErrorCode = "model.tooManyAttributes"
  /// An attribute in an index or constraint that a store cannot compare.
  public static let modelUnindexableAttribute: ErrorCode = "model.unindexableAttribute"
  /// The same index or constraint twice.
  public static let modelRepeatedIndex: ErrorCode = "model.repeatedIndex"

  // MARK: Relationships and inheritance

  /// A relationship's type that is neither `Entity`, `Entity?` nor `[Entity]`.
  public static let modelInvalidRelationshipType: ErrorCode = "model.invalidRelationshipType"
  /// A relationship to an entity that does not exist.
  public static let modelUnknownDestination: ErrorCode = "model.unknownDestination"
  /// A relationship without an inverse.
  public static let modelMissingInverse: ErrorCode = "model.missingInverse"
  /// An inverse that the destination does not have.
  public static let modelUnknownInverse: ErrorCode = "model.unknownInverse"
  /// An inverse that leads to another entity.
  public static let modelInverseLeadsElsewhere: ErrorCode = "model.inverseLeadsElsewhere"
  /// An inverse that names another relationship as its own inverse.
  public static let modelInverseNotMutual: ErrorCode = "model.inverseNotMutual"
  /// A parent that does not exist.
  public static let modelUnknownParent: ErrorCode = "model.unknownParent"
  /// Entities that inherit from themselves.
  public static let modelInheritanceCycle: ErrorCode = "model.inheritanceCycle"
  /// Too many generations of entities.
  public static let modelInheritanceTooDeep: ErrorCode = "model.inheritanceTooDeep"
  /// A property that an ancestor has already.
  public static let modelRedeclaredProperty: ErrorCode = "model.redeclaredProperty"

  /// Every code of a model file.
  public static let allModelCodes: [ErrorCode] = [
    .modelUnreadable, .modelTooLarge, .modelInvalidUTF8, .modelSyntax, .modelUnexpectedEnd,
    .modelUnterminatedString, .modelUnterminatedComment, .modelInvalidEscape,
    .modelControlCharacter, .modelInvalidNumber, .modelTooDeep, .modelDuplicateKey,
    .modelTooManyProblems,
    .modelNewerFormat, .modelUnknownKey, .modelMissingKey, .modelMisplacedKey, .modelWrongType,
    .modelUnknownWord, .modelOutOfRange, .modelEmptyList, .modelRepeatedName,
    .modelInvalidName, .modelNameTooLong, .modelReservedName, .modelNameClash,
    .modelDuplicateClass, .modelHidingClass, .modelInvalidImport, .modelInvalidRenaming,
    .modelUnknownType, .modelOptionalTwice, .modelMissingTransformer, .modelMissingClass,
    .modelInvalidClass, .modelNullDefault, .modelInvalidValue, .modelValueOutOfRange,
    .modelScaleMismatch, .modelDefaultBreaksRule, .modelEmptyRange, .modelInvalidPattern,
    .modelUnknownAttribute, .modelDependencyCycle, .modelTooManyAttributes,
    .modelUnindexableAttribute, .modelRepeatedIndex,
    .modelInvalidRelationshipType, .modelUnknownDestination, .modelMissingInverse,
    .modelUnknownInverse, .modelInverseLeadsElsewhere, .modelInverseNotMutual,
    .modelUnknownParent, .modelInheritanceCycle, .modelInheritanceTooDeep,
    .modelRedeclaredProperty,
  ]
}
