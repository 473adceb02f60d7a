/// The kinds of problems of a model file. Each has a heading in `Docs/Errors.md`.
extension ModelError.Code {
  // MARK: The file as a text

  /// The file cannot be opened or read.
  public static let unreadable: Self = "model.unreadable"
  /// The file is larger than any model.
  public static let tooLarge: Self = "model.tooLarge"
  /// The file is not UTF-8 text.
  public static let invalidUTF8: Self = "model.invalidUTF8"
  /// Something stands where JSON allows it not.
  public static let syntax: Self = "model.syntax"
  /// The file ends inside an array or object.
  public static let unexpectedEnd: Self = "model.unexpectedEnd"
  /// A string does not end on its line.
  public static let unterminatedString: Self = "model.unterminatedString"
  /// A comment does not end.
  public static let unterminatedComment: Self = "model.unterminatedComment"
  /// A backslash begins no escape, or half of a surrogate pair stands alone.
  public static let invalidEscape: Self = "model.invalidEscape"
  /// A control character stands in a string unescaped.
  public static let controlCharacter: Self = "model.controlCharacter"
  /// A number is not written as JSON writes numbers.
  public static let invalidNumber: Self = "model.invalidNumber"
  /// Arrays and objects are nested too deeply.
  public static let tooDeep: Self = "model.tooDeep"
  /// An object has the same key twice.
  public static let duplicateKey: Self = "model.duplicateKey"
  /// There are more problems than are told.
  public static let tooManyProblems: Self = "model.tooManyProblems"

  // MARK: Keys and their values

  /// The file is of a newer format than this version of Copal knows.
  public static let newerFormat: Self = "model.newerFormat"
  /// A key that has no meaning there.
  public static let unknownKey: Self = "model.unknownKey"
  /// A key that must be there is not.
  public static let missingKey: Self = "model.missingKey"
  /// A key that has no meaning for this type of attribute or relationship.
  public static let misplacedKey: Self = "model.misplacedKey"
  /// A value is of another kind than its key takes.
  public static let wrongType: Self = "model.wrongType"
  /// A word that is none of the key's few words.
  public static let unknownWord: Self = "model.unknownWord"
  /// A whole number outside the range of its key.
  public static let outOfRange: Self = "model.outOfRange"
  /// A list that must name something is empty.
  public static let emptyList: Self = "model.emptyList"
  /// A list names the same thing twice.
  public static let repeatedName: Self = "model.repeatedName"

  // MARK: Names

  /// A name that is no Swift identifier.
  public static let invalidName: Self = "model.invalidName"
  /// A name that is too long.
  public static let nameTooLong: Self = "model.nameTooLong"
  /// A name that Copal, SQLite or Swift keeps for itself.
  public static let reservedName: Self = "model.reservedName"
  /// Two names that differ in case at most.
  public static let nameClash: Self = "model.nameClash"
  /// Two entities with the same class name.
  public static let duplicateClass: Self = "model.duplicateClass"
  /// A class name that hides a type which generated code uses.
  public static let hidingClass: Self = "model.hidingClass"
  /// A name of a module that is none.
  public static let invalidImport: Self = "model.invalidImport"
  /// Two things are renamed from the same one, or one from itself.
  public static let invalidRenaming: Self = "model.invalidRenaming"

  // MARK: Attributes

  /// An attribute type that does not exist.
  public static let unknownType: Self = "model.unknownType"
  /// A key `optional` beside a type with a question mark.
  public static let optionalTwice: Self = "model.optionalTwice"
  /// A stored transformable without a transformer.
  public static let missingTransformer: Self = "model.missingTransformer"
  /// A transformable without a class.
  public static let missingClass: Self = "model.missingClass"
  /// A class that is not written as a Swift type.
  public static let invalidClass: Self = "model.invalidClass"
  /// A default of `null`.
  public static let nullDefault: Self = "model.nullDefault"
  /// A default or limit that is not written as its type's values are.
  public static let invalidValue: Self = "model.invalidValue"
  /// A default or limit that its type cannot hold.
  public static let valueOutOfRange: Self = "model.valueOutOfRange"
  /// A decimal that does not fit the attribute's scale.
  public static let scaleMismatch: Self = "model.scaleMismatch"
  /// A default that the attribute's own rules refuse.
  public static let defaultBreaksRule: Self = "model.defaultBreaksRule"
  /// A minimum above the maximum.
  public static let emptyRange: Self = "model.emptyRange"
  /// A pattern that is not a regular expression, or asks for more than Copal's patterns can.
  public static let invalidPattern: Self = "model.invalidPattern"
  /// A name that is no attribute of the entity.
  public static let unknownAttribute: Self = "model.unknownAttribute"
  /// Attributes that depend on themselves.
  public static let dependencyCycle: Self = "model.dependencyCycle"
  /// More stored attributes than a store's table takes.
  public static let tooManyAttributes: Self = "model.tooManyAttributes"
  /// An attribute in an index or constraint that a store cannot compare.
  public static let unindexableAttribute: Self = "model.unindexableAttribute"
  /// The same index or constraint twice.
  public static let repeatedIndex: Self = "model.repeatedIndex"

  // MARK: Relationships and inheritance

  /// A relationship's type that is neither `Entity`, `Entity?` nor `[Entity]`.
  public static let invalidRelationshipType: Self = "model.invalidRelationshipType"
  /// A relationship to an entity that does not exist.
  public static let unknownDestination: Self = "model.unknownDestination"
  /// A relationship without an inverse.
  public static let missingInverse: Self = "model.missingInverse"
  /// An inverse that the destination does not have.
  public static let unknownInverse: Self = "model.unknownInverse"
  /// An inverse that leads to another entity.
  public static let inverseLeadsElsewhere: Self = "model.inverseLeadsElsewhere"
  /// An inverse that names another relationship as its own inverse.
  public static let inverseNotMutual: Self = "model.inverseNotMutual"
  /// A parent that does not exist.
  public static let unknownParent: Self = "model.unknownParent"
  /// Entities that inherit from themselves.
  public static let inheritanceCycle: Self = "model.inheritanceCycle"
  /// Too many generations of entities.
  public static let inheritanceTooDeep: Self = "model.inheritanceTooDeep"
  /// A property that an ancestor has already.
  public static let redeclaredProperty: Self = "model.redeclaredProperty"

  /// Every code of a model file.
  public static let all: [Self] = [
    .unreadable, .tooLarge, .invalidUTF8, .syntax, .unexpectedEnd,
    .unterminatedString, .unterminatedComment, .invalidEscape,
    .controlCharacter, .invalidNumber, .tooDeep, .duplicateKey,
    .tooManyProblems,
    .newerFormat, .unknownKey, .missingKey, .misplacedKey, .wrongType,
    .unknownWord, .outOfRange, .emptyList, .repeatedName,
    .invalidName, .nameTooLong, .reservedName, .nameClash,
    .duplicateClass, .hidingClass, .invalidImport, .invalidRenaming,
    .unknownType, .optionalTwice, .missingTransformer, .missingClass,
    .invalidClass, .nullDefault, .invalidValue, .valueOutOfRange,
    .scaleMismatch, .defaultBreaksRule, .emptyRange, .invalidPattern,
    .unknownAttribute, .dependencyCycle, .tooManyAttributes,
    .unindexableAttribute, .repeatedIndex,
    .invalidRelationshipType, .unknownDestination, .missingInverse,
    .unknownInverse, .inverseLeadsElsewhere, .inverseNotMutual,
    .unknownParent, .inheritanceCycle, .inheritanceTooDeep,
    .redeclaredProperty,
  ]
}
