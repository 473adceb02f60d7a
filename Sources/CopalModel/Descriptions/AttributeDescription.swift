/// One attribute of an entity, as the model file describes it.
///
/// A value. Reading a model file makes it; a program that builds a ``ManagedObjectModel`` can make
/// one itself.
public struct AttributeDescription: Sendable, Hashable {
  /// The name of the attribute and its property, and of its column when it is stored.
  public var name: String
  /// The type of the attribute.
  public var type: AttributeType
  /// Whether the attribute may have no value.
  public var isOptional: Bool
  /// Whether the attribute is kept in memory only. Its changes are tracked, and it is never stored.
  public var isTransient: Bool
  /// The value that a new object starts with; nil when it starts without one.
  public var defaultValue: Default?
  /// What the property of a required uri or transformable shows before it is set, and where the
  /// stored value cannot be read: the text of a URL, or a static member of the class, such as
  /// `.clear`. The property is then not Optional. Nil, the default: it is Optional.
  public var placeholder: String?
  /// The rules that a value must meet when its object is saved.
  public var rules: Rules
  /// The name of the transformer. A stored transformable needs one; nil for other types.
  public var transformer: TransformerName?
  /// The Swift type of a transformable's property, for example `[SerializableColor]`; nil for other
  /// types.
  public var customClass: String?
  /// The stored form of a transformable; nil means BLOB. A container takes it from the transformer.
  public var storage: StorageType?
  /// Whether the value of a transformable can change while it is in its property, because its class
  /// is a reference type. A save then compares its stored form.
  public var isMutable: Bool
  /// Whether a store keeps, beside the value of a transformable, the version of the transformer
  /// that encoded it.
  public var isVersioned: Bool
  /// The number of bytes above which a store keeps a value in a file of its own. It is for a
  /// binary, or for a transformable that is stored as BLOB. Nil, the default: every value is in its
  /// row. In a model file it is the key `"external"`.
  public var externalThreshold: Int?
  /// Whether the values are secrets, such as names of patients. Descriptions of objects, and other
  /// texts that a program may log, show `‹private›` in their place. In a model file it is the key
  /// `"private"`.
  public var isPrivate: Bool
  /// The forms of a string in which a store keeps it for searches, beside the string itself. None
  /// by default.
  public var search: Set<SearchForm>
  /// What a store keeps of a transformable's value for conditions, orders and indexes, such as the
  /// lightness of a color. In a model file it is the key `"project"`.
  public var projections: [ProjectionDescription]
  /// The cases of an enum, in the order of the model, for a string or an integer. Nil, the default,
  /// for an attribute with any value of its type.
  public var cases: [AttributeCase]?
  /// The name of the generated enum, for an attribute with ``cases``; nil for the name of the
  /// attribute with a capital letter. Written `"enum"`.
  public var enumName: String?
  /// The number of digits after the decimal point, for a decimal that is stored as a scaled integer
  /// (currency). Nil stores a decimal as text.
  public var scale: Int?
  /// Whether the property is generated, or written in your own code on the primitive value.
  public var accessor: Accessor
  /// The code that may set the generated property. In a model file it is the key `"set"`.
  public var setAccess: SetAccess
  /// For a transient attribute: the names of the attributes that it is computed from. Setting one
  /// of them discards the transient value.
  public var dependsOn: [String]
  /// The former names of the attribute, the newest first. A migration finds its values under the
  /// first of them that a store has, unless the store has the name itself. Names of old versions
  /// may stay.
  public var renamedFrom: [String]
  /// The value that objects of an older store get where they have none; nil for ``defaultValue``.
  /// For an attribute that is new or required now, and for the conversion
  /// ``Conversion-swift.enum/fill``. A new object starts with the default.
  public var fill: Default?
  /// What a migration does with values that the type does not have exactly.
  public var conversion: Conversion
  /// The raw values of ``cases`` that have changed, the old one beside the new one.
  public var renamedCases: [RenamedCase]
  /// Whether a migration refuses a store whose values break the rules or are no cases. Otherwise a
  /// plan counts them, and a save checks what has changed. Written `"checkStored"`.
  public var checksStored: Bool
  /// The text of the generated property's documentation comment; nil for none.
  public var documentation: String?
  /// Free-form notes. Copal keeps them and does not use them.
  public var userInfo: UserInfo

  /// An attribute made by a program. `ManagedObjectModel` checks it, not this initializer.
  ///
  /// ```swift
  /// AttributeDescription("price", .decimal, isOptional: true, scale: 2)
  /// ```
  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: Default? = nil, placeholder: String? = nil, rules: Rules = Rules(),
    transformer: TransformerName? = nil, customClass: String? = nil, storage: StorageType? = nil,
    isMutable: Bool = false, isVersioned: Bool = false, externalThreshold: Int? = nil,
    isPrivate: Bool = false, search: Set<SearchForm> = [],
    projections: [ProjectionDescription] = [],
    cases: [AttributeCase]? = nil, enumName: String? = nil, scale: Int? = nil,
    accessor: Accessor = .generated, setAccess: SetAccess = .public, dependsOn: [String] = [],
    renamedFrom: [String] = [], fill: Default? = nil, conversion: Conversion = .exact,
    renamedCases: [RenamedCase] = [], checksStored: Bool = false, documentation: String? = nil,
    userInfo: UserInfo = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.placeholder = placeholder
    self.rules = rules
    self.transformer = transformer
    self.customClass = customClass
    self.storage = storage
    self.isMutable = isMutable
    self.isVersioned = isVersioned
    self.externalThreshold = externalThreshold
    self.isPrivate = isPrivate
    self.search = search
    self.projections = projections
    self.cases = cases
    self.enumName = enumName
    self.scale = scale
    self.accessor = accessor
    self.setAccess = setAccess
    self.dependsOn = dependsOn
    self.renamedFrom = renamedFrom
    self.fill = fill
    self.conversion = conversion
    self.renamedCases = renamedCases
    self.checksStored = checksStored
    self.documentation = documentation
    self.userInfo = userInfo
  }
}

extension AttributeDescription {
  /// The threshold of `"external": true`: 100 KB. A value of more bytes is kept in a file of its
  /// own.
  public static let defaultExternalThreshold = 102_400
}

extension AttributeDescription {
  /// A form of a string in which a store keeps it for searches, with an index.
  ///
  /// A condition that ignores case or diacritics then finds its objects by the index, and compares
  /// no others. `Docs/Searching.md` says which form serves which search.
  public enum SearchForm: String, Sendable, Hashable, CaseIterable {
    /// Without case and diacritics: what ``FetchPredicate/TextOptions`` compares with both options,
    /// and the order ``FetchSortKey/TextOrder/alphabetical``.
    case normalized
    /// Also without case, but with diacritics: the order
    /// ``FetchSortKey/TextOrder/caseInsensitive``. Written `"case"`.
    case caseInsensitive = "case"
    /// Also the parts of the normalized form, by which texts are found that contain another one.
    case substring
  }
}

extension AttributeDescription {
  /// The value that a new object starts with.
  public enum Default: Sendable, Hashable {
    /// The same value for every object.
    case value(PropertyValue)
    /// For dates: the instant of the insert, one for all attributes of the object. Written `"now"`.
    case now
    /// For uuids: a new random one for every object. Written `"new"`.
    case new
  }
}

extension AttributeDescription {
  /// What a migration does with a stored value when the attribute had another type.
  public enum Conversion: String, Sendable, Hashable, CaseIterable {
    /// A value that the new type does not have exactly refuses the migration. The default.
    case exact
    /// Such a value becomes the nearest one of the new type, of two the even one. A value outside
    /// of the range refuses the migration.
    case nearest
    /// Such a value becomes nil. Written `"nil"`.
    case toNil = "nil"
    /// Such a value becomes ``AttributeDescription/fill``, or else the default.
    case fill
    /// A date becomes a number of seconds after 1970-01-01T00:00:00Z, or such a number a date.
    case secondsSince1970
    /// The same after 2001-01-01T00:00:00Z, which is how a store keeps a date.
    case secondsSince2001
    /// A date becomes a number of milliseconds after 1970-01-01T00:00:00Z, or such a number a date.
    case millisecondsSince1970
    /// The versions of a transformable's values are removed.
    case unversioned
  }

  /// A case whose raw value has changed.
  public struct RenamedCase: Sendable, Hashable {
    /// The raw value in older stores.
    public var old: PropertyValue
    /// The raw value of the case now.
    public var new: PropertyValue

    /// A case whose raw value was `old` and is `new`.
    public init(_ old: PropertyValue, to new: PropertyValue) {
      self.old = old
      self.new = new
    }
  }
}

extension AttributeDescription {
  /// The rules that a value must meet when its object is saved. A rule that is nil is not checked.
  public struct Rules: Sendable, Hashable {
    /// The least allowed number, or the earliest date.
    public var minimum: PropertyValue?
    /// The greatest allowed number, or the latest date.
    public var maximum: PropertyValue?
    /// The least length: characters of a string, bytes of a binary.
    public var minimumLength: Int?
    /// The greatest length: characters of a string, bytes of a binary.
    public var maximumLength: Int?
    /// A regular expression that a whole string must match.
    ///
    /// The syntax is that of Swift's `Regex`, without features that can take exponential time, for
    /// example back-references: `Docs/ModelFormat.md` describes it. The time of a match is linear
    /// in the length of the string.
    public var pattern: String?

    /// Rules made by a program. Each rule that is nil is not checked.
    public init(
      minimum: PropertyValue? = nil, maximum: PropertyValue? = nil, minimumLength: Int? = nil,
      maximumLength: Int? = nil, pattern: String? = nil
    ) {
      self.minimum = minimum
      self.maximum = maximum
      self.minimumLength = minimumLength
      self.maximumLength = maximumLength
      self.pattern = pattern
    }

    /// Whether there is no rule.
    public var isEmpty: Bool { self == Rules() }
  }
}

extension AttributeDescription {
  /// How an attribute gets its property.
  public enum Accessor: String, Sendable, Hashable, CaseIterable {
    /// Copal generates the property.
    case generated
    /// The property is written by hand. It reads and sets the generated primitive property.
    case custom
  }

  /// The code that may set a property of a public class.
  public enum SetAccess: String, Sendable, Hashable, CaseIterable {
    /// All code that can read it. The default.
    case `public`
    /// The code of the package that has the model.
    case package
    /// The code of the module that has the model.
    case `internal`
  }
}

/// The stored form of an attribute: one of the four kinds of columns of a SQL store.
public enum StorageType: String, Sendable, Hashable, CaseIterable {
  /// A signed whole number of up to 64 bits.
  case integer
  /// A 64-bit floating-point number.
  case real
  /// Text in UTF-8.
  case text
  /// Bytes.
  case blob
}

extension AttributeDescription {
  /// The stored form of the attribute's values.
  public var storageType: StorageType {
    switch type {
    case .integer16, .integer32, .integer64, .integer, .boolean: .integer
    case .float, .double, .date: .real
    case .decimal: scale == nil ? .text : .integer
    case .string, .uri: .text
    case .binary, .uuid: .blob
    case .transformable: storage ?? .blob
    }
  }
}

/// The name under which a transformer is registered and which a model file gives to an attribute.
///
/// Generated code has a constant for every name in the model, so that the compiler finds a
/// misspelled name.
///
/// ```swift
/// let name: TransformerName = "ColorArrayTransformer"
/// ```
public struct TransformerName: RawRepresentable, Hashable, Sendable, ExpressibleByStringLiteral,
  CustomStringConvertible, Comparable
{
  /// The text of the name, as it is in the model file.
  public let rawValue: String
  /// The transformer name with the given text, as ``init(_:)`` makes it.
  public init(rawValue: String) { self.rawValue = rawValue }
  /// The transformer name with the given text.
  public init(_ name: String) { rawValue = name }
  /// The transformer name with the text of the literal.
  public init(stringLiteral value: String) { rawValue = value }
  /// The text of the name: `ColorArrayTransformer`.
  public var description: String { rawValue }
  /// Whether the text of the first name is less than that of the second one.
  public static func < (a: Self, b: Self) -> Bool { a.rawValue < b.rawValue }
}
