/// The kinds of problems of a model file. Each has a heading in `Docs/Errors.md`.
extension ModelError.Code {
  // MARK: The file as a text

  /// The file cannot be opened or read.
  public static let unreadable = Self(
    "model.unreadable",
    "the model file cannot be read; check the path and the permissions: {found}")
  /// The file is larger than a model may be.
  public static let tooLarge = Self(
    "model.tooLarge",
    "the model file is too large: it has {found}; the maximum is {expected}; shorten it")
  /// The file is not UTF-8 text.
  public static let invalidUTF8 = Self(
    "model.invalidUTF8",
    "the model file is not {expected} text: found {found}; save it as {expected}")
  /// An unexpected token: JSON does not allow it there.
  public static let syntax = Self("model.syntax", "unexpected token '{found}'; expected {expected}")
  /// The file ends inside an array or object.
  public static let unexpectedEnd = Self(
    "model.unexpectedEnd",
    "unexpected end of the file; expected {expected}")
  /// An unterminated string: it does not end on its line.
  public static let unterminatedString = Self(
    "model.unterminatedString",
    """
    unterminated string: it does not end on its line; close it with {expected}, and write \\n \
    for a line break
    """)
  /// An unterminated comment.
  public static let unterminatedComment = Self(
    "model.unterminatedComment",
    "unterminated comment; close it with {expected}")
  /// An invalid escape sequence, or half of a surrogate pair.
  public static let invalidEscape = Self(
    "model.invalidEscape",
    "invalid escape sequence '{found}'; expected {expected}")
  /// A string contains a control character that is not escaped.
  public static let controlCharacter = Self(
    "model.controlCharacter",
    "a string contains the control character {found}; write {expected} instead")
  /// A number does not have the syntax of JSON numbers.
  public static let invalidNumber = Self(
    "model.invalidNumber",
    "invalid number '{found}'; expected {expected}")
  /// Arrays and objects are nested too deeply.
  public static let tooDeep = Self(
    "model.tooDeep",
    "arrays and objects are nested too deeply; the maximum is {expected}; use fewer levels")
  /// An object has the same key twice.
  public static let duplicateKey = Self(
    "model.duplicateKey",
    "duplicate key '{found}', first used on {expected}; remove or rename one of them")
  /// There are more problems than are reported.
  public static let tooManyProblems = Self(
    "model.tooManyProblems",
    "there are {found} problems; the others are not shown; correct these first")

  // MARK: Keys and their values

  /// The file has a newer format than this version of Copal can read.
  public static let newerFormat = Self(
    "model.newerFormat",
    """
    the model file has format {found}, and this version of Copal reads formats up to {expected}; \
    update Copal
    """)
  /// An unknown key.
  public static let unknownKey = Self(
    "model.unknownKey",
    "unknown key '{found}' in {owner}",
    otherwise: "; the keys are {expected}")
  /// A key of the format that this version of Copal does not support.
  public static let unsupportedKey = Self(
    "model.unsupportedKey",
    """
    the key '{found}' in {owner} is one of the format, and this version of Copal does not \
    support it; remove it
    """)
  /// A key of the entity that stands in an attribute, such as `unique`.
  public static let keyOfEntity = Self(
    "model.keyOfEntity",
    """
    "{found}" is a key of the entity, not of an attribute; remove it from {owner}, and write \
    {expected} in the entity, beside "attributes"
    """)
  /// A key that says whether an attribute is required: its type says so.
  public static let requiredKey = Self(
    "model.requiredKey",
    "\"{found}\" is not a key of an attribute; {expected}")
  /// A required key is missing.
  public static let missingKey = Self(
    "model.missingKey",
    "the key '{expected}' is missing in {owner}; add it")
  /// A key that does not apply to this type of attribute or relationship.
  public static let misplacedKey = Self(
    "model.misplacedKey",
    """
    the key '{found}' does not apply to {owner}; it is only for {expected}; remove it, or \
    {remedy}
    """)
  /// A rule beside cases, which allow only their values.
  public static let keyBesideCases = Self(
    "model.keyBesideCases",
    "the key '{found}' does not apply to {owner}, which has cases; remove it")
  /// An ordered relationship has a sort order as well.
  public static let orderedAndSorted = Self(
    "model.orderedAndSorted",
    """
    {owner} has both "ordered" and "{found}", which contradict each other: with "ordered" the \
    program decides the order, with "{found}" the attributes do; remove one of them
    """)
  /// A value does not have the JSON type that its key requires.
  public static let wrongType = Self(
    "model.wrongType",
    "{location}: found {found}; expected {expected}")
  /// An unknown keyword, where a key takes one of a few keywords.
  public static let unknownKeyword = Self(
    "model.unknownKeyword",
    "unknown keyword '{found}' for {location}",
    otherwise: "; the keywords are {expected}")
  /// A whole number outside the range of its key.
  public static let outOfRange = Self(
    "model.outOfRange",
    "{location}: {found} is out of range; expected {expected}")
  /// An index or constraint without attributes.
  public static let emptyList = Self(
    "model.emptyList",
    "{location} contains an empty list; name {expected}, or remove the list")
  /// A list contains the same name twice.
  public static let repeatedName = Self(
    "model.repeatedName",
    "{location} lists '{found}' twice; remove one of them")

  // MARK: Names

  /// A name that is not a Swift identifier.
  public static let invalidName = Self(
    "model.invalidName",
    "invalid name '{found}'; expected {expected}")
  /// A name that is too long.
  public static let nameTooLong = Self(
    "model.nameTooLong",
    "the name is too long: it has {found} bytes; the maximum is {expected}; shorten it")
  /// A name that is reserved by Copal, the database or Swift.
  public static let reservedName = Self(
    "model.reservedName",
    "the name '{found}' is reserved: {expected}; choose another name",
    suggestion: ", such as '{suggestion}'",
    otherwise: "")
  /// Two names that are equal when case is ignored.
  public static let nameClash = Self(
    "model.nameClash",
    """
    the name '{found}' is already used by {expected}; names are case-insensitive; rename one of \
    them
    """)
  /// Two entities with the same class name.
  public static let duplicateClass = Self(
    "model.duplicateClass",
    "the class '{found}' is already the class of {expected}; give {owner} another \"class\"")
  /// A class name that would hide a type that generated code uses.
  public static let hidingClass = Self(
    "model.hidingClass",
    """
    the class '{found}' would hide the type '{found}' that generated code uses; give {owner} \
    another "class", such as "{expected}"
    """)
  /// An import that Swift does not accept.
  public static let invalidImport = Self(
    "model.invalidImport",
    """
    invalid import '{found}'; expected the name of a module, or one declaration with its kind, \
    such as struct Foundation.Date
    """)
  /// Two things are renamed from the same name, or one from its own name, or each from the other.
  public static let invalidRenaming = Self(
    "model.invalidRenaming",
    "{owner} cannot be renamed from '{found}'; expected {expected}")
  /// Something is listed as removed, and the model has it.
  public static let invalidRemoval = Self(
    "model.invalidRemoval",
    "{owner} cannot list '{found}' as removed: the model has {expected}; remove it from the list")
  /// An entity merges one that the model has, or that another list has.
  public static let invalidMerge = Self(
    "model.invalidMerge",
    "{owner} cannot merge '{found}': {expected}; remove it from one of the two")

  // MARK: Attributes

  /// An unknown attribute type.
  public static let unknownType = Self(
    "model.unknownType",
    "unknown attribute type '{found}'",
    otherwise: "; the types are {expected}")
  /// The name of an entity as the type of an attribute.
  public static let entityType = Self(
    "model.entityType",
    """
    '{found}' is an entity, and an attribute stores a value; move {owner} from "attributes" to \
    "relationships"
    """)
  /// A list as the type of an attribute, such as `[string]`.
  public static let listType = Self(
    "model.listType",
    "'{found}' is a list, and an attribute stores one value; write {expected}")
  /// The key `optional` together with a type that ends in a question mark, or with a minimum.
  public static let optionalTwice = Self(
    "model.optionalTwice",
    """
    {owner} has both the key "optional" and a ? in its type "{found}"; remove the key, or write \
    the type "{expected}"
    """)
  /// A stored transformable attribute without a transformer.
  public static let missingTransformer = Self(
    "model.missingTransformer",
    """
    the transformable attribute {owner} has no "transformer"; add one, or make the attribute \
    transient
    """)
  /// A transformable attribute without a class.
  public static let missingClass = Self(
    "model.missingClass",
    "the transformable attribute {owner} has no \"class\"; add the Swift type of its values")
  /// A class that is not a Swift type.
  public static let invalidClass = Self(
    "model.invalidClass",
    "invalid \"class\" '{found}' of {owner}; expected {expected}")
  /// A default of `null`.
  public static let nullDefault = Self(
    "model.nullDefault",
    "the {key} of {owner} is null; remove the key \"{key}\"")
  /// A default or limit that is not a valid value of its type.
  public static let invalidValue = Self(
    "model.invalidValue",
    "{location}: invalid value '{found}'; expected {expected}")
  /// A default or limit that its type cannot represent.
  public static let valueOutOfRange = Self(
    "model.valueOutOfRange",
    "{location}: {found} does not fit {expected}; change the value or the type")
  /// A decimal that does not fit the attribute's scale.
  public static let scaleMismatch = Self(
    "model.scaleMismatch",
    """
    {location}: {found} does not fit a scale of {expected}: it has more than {expected} decimal \
    places, or is too large for 64 bits; change the value or "scale"
    """)
  /// A default that breaks a rule of its attribute.
  public static let defaultBreaksRule = Self(
    "model.defaultBreaksRule",
    """
    the {key} '{found}' of {owner} breaks the attribute's own rule: {expected}; change one of \
    them
    """)
  /// A default that is not one of the cases of its attribute.
  public static let defaultIsNoCase = Self(
    "model.defaultIsNoCase",
    "the {key} '{found}' of {owner} is none of its cases",
    otherwise: "; the cases are {expected}")
  /// A form of `search` that needs another one.
  public static let missingSearchForm = Self(
    "model.missingSearchForm",
    """
    "search" of {owner} has '{found}' without '{expected}', whose index finds the objects of \
    every search; write [{forms}]
    """)
  /// A unique constraint that ignores what the store cannot ignore in the attribute.
  public static let invalidIgnoring = Self(
    "model.invalidIgnoring",
    "{location} ignores {found}: {expected}")
  /// A conversion of stored values that the attribute cannot have.
  public static let invalidConversion = Self(
    "model.invalidConversion",
    "the conversion '{found}' does not apply to {owner}; it is only for {expected}")
  /// A changed raw value that is still one of a case, or that becomes one of none.
  public static let invalidRenamedCase = Self(
    "model.invalidRenamedCase",
    "{location}: '{found}' {expected}")
  /// Two cases of an attribute have the same raw value.
  public static let repeatedRawValue = Self(
    "model.repeatedRawValue",
    """
    {location} has the raw value '{found}' twice, first for '{expected}'; give each case a raw \
    value of its own
    """)
  /// A minimum that is greater than the maximum.
  public static let emptyRange = Self(
    "model.emptyRange",
    "the range of {owner} is empty: {found} is greater than {expected}; exchange them")
  /// A pattern that is not a regular expression, or uses a feature that Copal's patterns do not
  /// have.
  public static let invalidPattern = Self(
    "model.invalidPattern",
    "invalid pattern of {owner}: found '{found}'; expected {expected}")
  /// A name that is not an attribute of the entity.
  public static let unknownAttribute = Self(
    "model.unknownAttribute",
    "unknown attribute '{found}' in {location}",
    otherwise: "; expected {expected}")
  /// Attributes that depend on themselves.
  public static let dependencyCycle = Self(
    "model.dependencyCycle",
    "attributes depend on themselves: {found}; remove the cycle")
  /// More stored attributes than a table can have columns.
  public static let tooManyAttributes = Self(
    "model.tooManyAttributes",
    """
    {owner}, with its subentities, has {found} columns of stored attributes and their searches; \
    the maximum is {expected}; split the entity
    """)
  /// An index or constraint with an attribute that a store cannot compare.
  public static let unindexableAttribute = Self(
    "model.unindexableAttribute",
    """
    {location} names '{found}', which is {expected}, so a store cannot compare its values; \
    remove it from the list
    """)
  /// The same index or constraint is listed twice.
  public static let repeatedIndex = Self(
    "model.repeatedIndex",
    "{location} lists ({found}) twice, first on {expected}; remove one of them")

  // MARK: Fetch requests

  /// A condition that is not in the language of conditions.
  public static let invalidCondition = Self(
    "model.invalidCondition",
    "the condition of {owner} cannot be read: {expected} ({found})")
  /// A name in a condition or an order that is no attribute and no relationship.
  public static let unknownProperty = Self(
    "model.unknownProperty",
    """
    unknown name '{found}' in {location}: {expected} has no attribute and no relationship of \
    this name
    """,
    otherwise: "; add it there, or correct the name")
  /// A condition or an order with values of a type that they cannot have.
  public static let conditionType = Self(
    "model.conditionType",
    "{location}: {whole}; expected {expected}",
    otherwise: "")
  /// A variable of a condition without a type, or with several.
  public static let variableType = Self(
    "model.variableType",
    "the variable '${found}' of {owner} {expected}")

  // MARK: Relationships and inheritance

  /// A relationship's type that is not `Entity`, `Entity?` or `[Entity]`.
  public static let invalidRelationshipType = Self(
    "model.invalidRelationshipType",
    "invalid relationship type '{found}'; expected {expected}")
  /// A relationship to an entity that does not exist.
  public static let unknownDestination = Self(
    "model.unknownDestination",
    "unknown entity '{found}' in the type of {owner}",
    otherwise: "; add the entity, or correct the name")
  /// A relationship that another one names as its inverse, and that names none.
  public static let missingInverse = Self(
    "model.missingInverse",
    "{owner} has no inverse, but {expected} ",
    suggestion: "names it; write \"inverse\": \"{suggestion}\"",
    otherwise: "name it; write the name of one of them as \"inverse\"")
  /// An inverse that is not a relationship of the destination.
  public static let unknownInverse = Self(
    "model.unknownInverse",
    "unknown inverse '{found}' of {owner}: {expected} has no relationship of this name",
    otherwise: "; add it there, or correct the name")
  /// An inverse that leads to another entity.
  public static let inverseLeadsElsewhere = Self(
    "model.inverseLeadsElsewhere",
    """
    the inverse of {owner} must lead back to {expected}; found {found}; name another inverse for \
    {owner}, or remove its "inverse"
    """)
  /// An inverse that names another relationship as its own inverse.
  public static let inverseNotMutual = Self(
    "model.inverseNotMutual",
    "the inverse of {owner} must name '{expected}' as its own inverse; found {whole}; ",
    suggestion: "write \"inverse\": \"{suggestion}\" there, or name another inverse for {owner}",
    otherwise: "name another inverse for {owner}, or remove its \"inverse\"")
  /// A relationship that deletes orphans, although its objects can have several owners.
  public static let notOwner = Self(
    "model.notOwner",
    """
    {owner} cannot delete orphans: its inverse '{found}' is to-many, so an object can have \
    several owners; remove "orphans", or make the inverse to-one
    """)
  /// Both ends of a relationship delete orphans.
  public static let twoOwners = Self(
    "model.twoOwners",
    """
    {owner} cannot delete orphans: its inverse '{found}' deletes orphans too, and only one end \
    can be the owner; remove "orphans" from one of them
    """)
  /// An order of a relationship by an attribute that has no order.
  public static let unsortableAttribute = Self(
    "model.unsortableAttribute",
    """
    {location} names '{found}', which is {expected}, so it gives the objects no order; remove it \
    from the list
    """)
  /// A parent that is not an entity of the model.
  public static let unknownParent = Self(
    "model.unknownParent",
    "unknown parent '{found}' of {owner}: the model has no entity of this name",
    otherwise: "; add the entity, or correct the name")
  /// Entities that inherit from themselves.
  public static let inheritanceCycle = Self(
    "model.inheritanceCycle",
    "entities inherit from themselves: {found}; remove the cycle")
  /// An entity with too many ancestors.
  public static let inheritanceTooDeep = Self(
    "model.inheritanceTooDeep",
    "{owner} has more than {expected} ancestors; the maximum is {expected}; merge some of them")
  /// A property that an ancestor declares too.
  public static let redeclaredProperty = Self(
    "model.redeclaredProperty",
    """
    '{found}' of {owner} is already declared by its ancestor {expected}; names are \
    case-insensitive; remove it from {owner}, or rename it
    """)

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
