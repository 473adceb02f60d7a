/// The kinds of problems of a model file. Each has a heading in `Docs/Errors.md`.
extension ModelError.Code {
  // MARK: The file as a text

  /// The file cannot be opened or read.
  public static let unreadable: Self = "model.unreadable"
  /// The file is larger than a model may be.
  public static let tooLarge: Self = "model.tooLarge"
  /// The file is not UTF-8 text.
  public static let invalidUTF8: Self = "model.invalidUTF8"
  /// An unexpected token: JSON does not allow it there.
  public static let syntax: Self = "model.syntax"
  /// The file ends inside an array or object.
  public static let unexpectedEnd: Self = "model.unexpectedEnd"
  /// An unterminated string: it does not end on its line.
  public static let unterminatedString: Self = "model.unterminatedString"
  /// An unterminated comment.
  public static let unterminatedComment: Self = "model.unterminatedComment"
  /// An invalid escape sequence, or half of a surrogate pair.
  public static let invalidEscape: Self = "model.invalidEscape"
  /// A string contains a control character that is not escaped.
  public static let controlCharacter: Self = "model.controlCharacter"
  /// A number does not have the syntax of JSON numbers.
  public static let invalidNumber: Self = "model.invalidNumber"
  /// Arrays and objects are nested too deeply.
  public static let tooDeep: Self = "model.tooDeep"
  /// An object has the same key twice.
  public static let duplicateKey: Self = "model.duplicateKey"
  /// There are more problems than are reported.
  public static let tooManyProblems: Self = "model.tooManyProblems"

  // MARK: Keys and their values

  /// The file has a newer format than this version of Copal can read.
  public static let newerFormat: Self = "model.newerFormat"
  /// An unknown key.
  public static let unknownKey: Self = "model.unknownKey"
  /// A key of the format that this version of Copal does not support.
  public static let unsupportedKey: Self = "model.unsupportedKey"
  /// A key of the entity that stands in an attribute, such as `unique`.
  public static let keyOfEntity: Self = "model.keyOfEntity"
  /// A key that says whether an attribute is required: its type says so.
  public static let requiredKey: Self = "model.requiredKey"
  /// A required key is missing.
  public static let missingKey: Self = "model.missingKey"
  /// A key that does not apply to this type of attribute or relationship.
  public static let misplacedKey: Self = "model.misplacedKey"
  /// A rule beside cases, which allow only their values.
  public static let keyBesideCases: Self = "model.keyBesideCases"
  /// An ordered relationship has a sort order as well.
  public static let orderedAndSorted: Self = "model.orderedAndSorted"
  /// A value does not have the JSON type that its key requires.
  public static let wrongType: Self = "model.wrongType"
  /// An unknown keyword, where a key takes one of a few keywords.
  public static let unknownKeyword: Self = "model.unknownKeyword"
  /// A whole number outside the range of its key.
  public static let outOfRange: Self = "model.outOfRange"
  /// An index or constraint without attributes.
  public static let emptyList: Self = "model.emptyList"
  /// A list contains the same name twice.
  public static let repeatedName: Self = "model.repeatedName"

  // MARK: Names

  /// A name that is not a Swift identifier.
  public static let invalidName: Self = "model.invalidName"
  /// A name that is too long.
  public static let nameTooLong: Self = "model.nameTooLong"
  /// A name that is reserved by Copal, the database or Swift.
  public static let reservedName: Self = "model.reservedName"
  /// Two names that are equal when case is ignored.
  public static let nameClash: Self = "model.nameClash"
  /// Two entities with the same class name.
  public static let duplicateClass: Self = "model.duplicateClass"
  /// A class name that would hide a type that generated code uses.
  public static let hidingClass: Self = "model.hidingClass"
  /// An import that Swift does not accept.
  public static let invalidImport: Self = "model.invalidImport"
  /// Two things are renamed from the same name, or one from its own name, or each from the other.
  public static let invalidRenaming: Self = "model.invalidRenaming"
  /// Something is listed as removed, and the model has it.
  public static let invalidRemoval: Self = "model.invalidRemoval"
  /// An entity merges one that the model has, or that another list has.
  public static let invalidMerge: Self = "model.invalidMerge"

  // MARK: Attributes

  /// An unknown attribute type.
  public static let unknownType: Self = "model.unknownType"
  /// The name of an entity as the type of an attribute.
  public static let entityType: Self = "model.entityType"
  /// A list as the type of an attribute, such as `[string]`.
  public static let listType: Self = "model.listType"
  /// The key `optional` together with a type that ends in a question mark, or with a minimum.
  public static let optionalTwice: Self = "model.optionalTwice"
  /// A stored transformable attribute without a transformer.
  public static let missingTransformer: Self = "model.missingTransformer"
  /// A transformable attribute without a class.
  public static let missingClass: Self = "model.missingClass"
  /// A class that is not a Swift type.
  public static let invalidClass: Self = "model.invalidClass"
  /// A default of `null`.
  public static let nullDefault: Self = "model.nullDefault"
  /// A default or limit that is not a valid value of its type.
  public static let invalidValue: Self = "model.invalidValue"
  /// A default or limit that its type cannot represent.
  public static let valueOutOfRange: Self = "model.valueOutOfRange"
  /// A decimal that does not fit the attribute's scale.
  public static let scaleMismatch: Self = "model.scaleMismatch"
  /// A default that breaks a rule of its attribute.
  public static let defaultBreaksRule: Self = "model.defaultBreaksRule"
  /// A default that is not one of the cases of its attribute.
  public static let defaultIsNoCase: Self = "model.defaultIsNoCase"
  /// A form of `search` that needs another one.
  public static let missingSearchForm: Self = "model.missingSearchForm"
  /// A unique constraint that ignores what the store cannot ignore in the attribute.
  public static let invalidIgnoring: Self = "model.invalidIgnoring"
  /// A conversion of stored values that the attribute cannot have.
  public static let invalidConversion: Self = "model.invalidConversion"
  /// A changed raw value that is still one of a case, or that becomes one of none.
  public static let invalidRenamedCase: Self = "model.invalidRenamedCase"
  /// Two cases of an attribute have the same raw value.
  public static let repeatedRawValue: Self = "model.repeatedRawValue"
  /// A minimum that is greater than the maximum.
  public static let emptyRange: Self = "model.emptyRange"
  /// A pattern that is not a regular expression, or uses a feature that Copal's patterns do not
  /// have.
  public static let invalidPattern: Self = "model.invalidPattern"
  /// A name that is not an attribute of the entity.
  public static let unknownAttribute: Self = "model.unknownAttribute"
  /// Attributes that depend on themselves.
  public static let dependencyCycle: Self = "model.dependencyCycle"
  /// More stored attributes than a table can have columns.
  public static let tooManyAttributes: Self = "model.tooManyAttributes"
  /// An index or constraint with an attribute that a store cannot compare.
  public static let unindexableAttribute: Self = "model.unindexableAttribute"
  /// The same index or constraint is listed twice.
  public static let repeatedIndex: Self = "model.repeatedIndex"

  // MARK: Fetch requests

  /// A condition that is not in the language of conditions.
  public static let invalidCondition: Self = "model.invalidCondition"
  /// A name in a condition or an order that is no attribute and no relationship.
  public static let unknownProperty: Self = "model.unknownProperty"
  /// A condition or an order with values of a type that they cannot have.
  public static let conditionType: Self = "model.conditionType"
  /// A variable of a condition without a type, or with several.
  public static let variableType: Self = "model.variableType"

  // MARK: Relationships and inheritance

  /// A relationship's type that is not `Entity`, `Entity?` or `[Entity]`.
  public static let invalidRelationshipType: Self = "model.invalidRelationshipType"
  /// A relationship to an entity that does not exist.
  public static let unknownDestination: Self = "model.unknownDestination"
  /// A relationship that another one names as its inverse, and that names none.
  public static let missingInverse: Self = "model.missingInverse"
  /// An inverse that is not a relationship of the destination.
  public static let unknownInverse: Self = "model.unknownInverse"
  /// An inverse that leads to another entity.
  public static let inverseLeadsElsewhere: Self = "model.inverseLeadsElsewhere"
  /// An inverse that names another relationship as its own inverse.
  public static let inverseNotMutual: Self = "model.inverseNotMutual"
  /// A relationship that deletes orphans, although its objects can have several owners.
  public static let notOwner: Self = "model.notOwner"
  /// Both ends of a relationship delete orphans.
  public static let twoOwners: Self = "model.twoOwners"
  /// An order of a relationship by an attribute that has no order.
  public static let unsortableAttribute: Self = "model.unsortableAttribute"
  /// A parent that is not an entity of the model.
  public static let unknownParent: Self = "model.unknownParent"
  /// Entities that inherit from themselves.
  public static let inheritanceCycle: Self = "model.inheritanceCycle"
  /// An entity with too many ancestors.
  public static let inheritanceTooDeep: Self = "model.inheritanceTooDeep"
  /// A property that an ancestor declares too.
  public static let redeclaredProperty: Self = "model.redeclaredProperty"

  /// Every code of a model file.
  public static let all: [Self] = [
    .unreadable, .tooLarge, .invalidUTF8, .syntax, .unexpectedEnd,
    .unterminatedString, .unterminatedComment, .invalidEscape,
    .controlCharacter, .invalidNumber, .tooDeep, .duplicateKey,
    .tooManyProblems,
    .newerFormat, .unknownKey, .unsupportedKey, .keyOfEntity, .requiredKey, .missingKey,
    .misplacedKey, .keyBesideCases, .orderedAndSorted, .wrongType,
    .unknownKeyword, .outOfRange, .emptyList, .repeatedName,
    .invalidName, .nameTooLong, .reservedName, .nameClash,
    .duplicateClass, .hidingClass, .invalidImport, .invalidRenaming, .invalidRemoval,
    .invalidMerge,
    .unknownType, .entityType, .listType, .optionalTwice,
    .missingTransformer, .missingClass,
    .invalidClass, .nullDefault, .invalidValue, .valueOutOfRange,
    .scaleMismatch, .defaultBreaksRule, .defaultIsNoCase, .missingSearchForm,
    .invalidIgnoring, .invalidConversion, .invalidRenamedCase,
    .repeatedRawValue, .emptyRange,
    .invalidPattern,
    .unknownAttribute, .dependencyCycle, .tooManyAttributes,
    .unindexableAttribute, .repeatedIndex,
    .invalidCondition, .unknownProperty, .conditionType, .variableType,
    .invalidRelationshipType, .unknownDestination, .missingInverse,
    .unknownInverse, .inverseLeadsElsewhere, .inverseNotMutual,
    .notOwner, .twoOwners, .unsortableAttribute,
    .unknownParent, .inheritanceCycle, .inheritanceTooDeep,
    .redeclaredProperty,
  ]
}
