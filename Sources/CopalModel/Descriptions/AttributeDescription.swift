/// One attribute of an entity: what the model file says of it.
///
/// Immutable and Sendable. `ModelReader` makes it from a model file; a program can make one itself.
public struct AttributeDescription: Sendable, Hashable {
  public var name: String
  public var type: AttributeType
  /// Whether the attribute may have no value.
  public var isOptional: Bool
  /// Whether the attribute is kept in memory only: tracked as changed, never stored.
  public var isTransient: Bool
  /// What a new object starts with.
  public var defaultValue: Default?
  /// The rules a value must meet when its object is saved.
  public var rules: Rules
  /// The name of the transformer; required for a stored transformable.
  public var transformer: TransformerName?
  /// The Swift type of a transformable's property, such as `[SerializableColor]`.
  public var customClass: String?
  /// The stored form of a transformable, where it is not BLOB. The transformer decides it.
  public var storage: StorageType?
  /// Digits after the point of a decimal that is stored as a scaled integer (currency).
  public var scale: Int?
  /// Whether the property is generated, or a person writes it over the primitive value.
  public var accessor: Accessor
  /// For a transient: the attributes whose change discards its value.
  public var dependsOn: [String]
  /// The name of the attribute in the version before, for migration.
  public var renamedFrom: String?
  /// Text that becomes the generated property's documentation.
  public var documentation: String?
  /// Anything a program wants to keep beside the attribute.
  public var userInfo: UserInfo

  public init(
    _ name: String, _ type: AttributeType, isOptional: Bool = false, isTransient: Bool = false,
    defaultValue: Default? = nil, rules: Rules = Rules(),
    transformer: TransformerName? = nil, customClass: String? = nil, storage: StorageType? = nil,
    scale: Int? = nil, accessor: Accessor = .generated, dependsOn: [String] = [],
    renamedFrom: String? = nil, documentation: String? = nil, userInfo: UserInfo = [:]
  ) {
    self.name = name
    self.type = type
    self.isOptional = isOptional
    self.isTransient = isTransient
    self.defaultValue = defaultValue
    self.rules = rules
    self.transformer = transformer
    self.customClass = customClass
    self.storage = storage
    self.scale = scale
    self.accessor = accessor
    self.dependsOn = dependsOn
    self.renamedFrom = renamedFrom
    self.documentation = documentation
    self.userInfo = userInfo
  }
}

extension AttributeDescription {
  /// What a new object starts with.
  public enum Default: Sendable, Hashable {
    /// The same value for every object.
    case value(PropertyValue)
    /// For dates: the instant of the insert, one for all attributes of the object. Written `"now"`.
    case now
    /// For uuids: a fresh random one for every object. Written `"new"`.
    case new
  }
}

extension AttributeDescription {
  /// The rules that a value must meet when its object is saved. `nil` means no such rule.
  public struct Rules: Sendable, Hashable {
    /// The least number or earliest date.
    public var minimum: PropertyValue?
    /// The greatest number or latest date.
    public var maximum: PropertyValue?
    /// The least length: characters of a string, bytes of a binary.
    public var minimumLength: Int?
    /// The greatest length: characters of a string, bytes of a binary.
    public var maximumLength: Int?
    /// A regular expression that a whole string must match.
    ///
    /// Its syntax is that of Swift's `Regex` without what can take exponential time, such as
    /// back-references; `Docs/ModelFormat.md` has it. The time of a match is linear in the string.
    public var pattern: String?

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
  /// Who writes an attribute's property.
  public enum Accessor: String, Sendable, Hashable, CaseIterable {
    case generated
    /// A person writes the property over the generated primitive one.
    case custom
  }
}
