extension ModelReader {
  private static let attributeKeys = [
    "type", "optional", "default", "placeholder", "transient", "minimum", "maximum",
    "minimumLength", "maximumLength", "pattern", "cases", "enum", "transformer", "class", "storage",
    "mutable", "versioned", "external", "private", "search", "project", "scale", "accessor", "set",
    "dependsOn", "renamedFrom", "fill", "conversion", "renamedCases", "checkStored", "doc",
    "userInfo",
  ]

  /// Reads one member of `attributes`, in its short form or its long one.
  @inline(never)
  mutating func readAttribute(
    _ member: JSONMember, of entity: String, namesAreComplete: Bool
  ) -> AttributeDraft {
    let subject = entity.asSubject + "." + member.key
    if case .string(let text) = member.value.kind {
      let type = attributeType(text, at: member.value.position, subject: subject)
      let attribute = AttributeDescription(
        member.key, type?.type ?? .string, isOptional: type?.isOptional ?? false)
      return AttributeDraft(attribute, member: member, entity: entity, typeIsKnown: type != nil)
    }
    let expected = "a type such as \"string\", or an object"
    guard let fields = fields(of: member.value, subject: subject, expected: expected) else {
      let attribute = AttributeDescription(member.key, .string)
      return AttributeDraft(attribute, member: member, entity: entity, typeIsKnown: false)
    }
    reportKeysOfOtherTools(in: fields, attribute: member.key)
    checkKeys(
      of: fields, among: Self.attributeKeys, reported: Self.keysOfOtherTools, later: ["reencode"])
    requireKeys(["type"], in: fields, namesAreComplete: namesAreComplete)
    var type: (type: AttributeType, isOptional: Bool)?
    if let node = fields["type"], let text = text("type", in: fields) {
      type = attributeType(text, at: node.position, subject: subject)
      reportOptionalTwice(text, in: fields)
    }
    let attribute = attribute(member.key, type, fields)
    return AttributeDraft(attribute, member: member, entity: entity, typeIsKnown: type != nil)
  }

  @inline(never)
  private mutating func attribute(
    _ name: String, _ type: (type: AttributeType, isOptional: Bool)?, _ fields: Fields
  ) -> AttributeDescription {
    let optional = flag("optional", in: fields) ?? false
    var attribute = AttributeDescription(
      name, type?.type ?? .string, isOptional: type?.isOptional ?? false || optional,
      isTransient: flag("transient", in: fields) ?? false,
      transformer: text("transformer", in: fields).map { TransformerName($0) },
      customClass: swiftType("class", in: fields), storage: word("storage", in: fields),
      isMutable: flag("mutable", in: fields) ?? false,
      isVersioned: flag("versioned", in: fields) ?? false,
      externalThreshold: externalThreshold(in: fields),
      isPrivate: flag("private", in: fields) ?? false, search: searchForms(in: fields),
      projections: projections(in: fields),
      enumName: text("enum", in: fields),
      scale: whole("scale", in: fields, 0...18),
      accessor: word("accessor", in: fields) ?? .generated,
      setAccess: word("set", in: fields) ?? .public,
      dependsOn: names("dependsOn", in: fields, of: "attributes").map(\.name),
      renamedFrom: formerNames(in: fields).map(\.name),
      conversion: word("conversion", in: fields) ?? .exact,
      checksStored: flag("checkStored", in: fields) ?? false,
      documentation: text("doc", in: fields),
      userInfo: userInfo(in: fields))
    attribute.rules.minimumLength = whole("minimumLength", in: fields, 0...Int.max)
    attribute.rules.maximumLength = whole("maximumLength", in: fields, 0...Int.max)
    attribute.rules.pattern = text("pattern", in: fields)
    // Values can be read only when the type is known.
    guard type != nil else { return attribute }
    attribute.rules.minimum = limit("minimum", of: attribute, in: fields)
    attribute.rules.maximum = limit("maximum", of: attribute, in: fields)
    attribute.cases = cases(of: attribute, in: fields)
    attribute.defaultValue = defaultValue("default", of: attribute, in: fields)
    attribute.placeholder = placeholder(of: attribute, in: fields)
    attribute.fill = defaultValue("fill", of: attribute, in: fields)
    attribute.renamedCases = renamedCases(of: attribute, in: fields)
    return attribute
  }

  /// The threshold of `external`: true, false or a number of bytes.
  @inline(never)
  private mutating func externalThreshold(in fields: Fields) -> Int? {
    let key = "external"
    switch fields[key]?.kind {
    case nil, .boolean(false): return nil
    case .boolean(true): return AttributeDescription.defaultExternalThreshold
    case .number: return whole(key, in: fields, 1...Int.max)
    default:
      if let node = fields[key] {
        reportKind(
          of: node, subject: fields.subject, key: key, expected: "true, false or a number of bytes")
      }
      return nil
    }
  }

  /// The forms of `search`: a word, or a list of words.
  @inline(never)
  private mutating func searchForms(in fields: Fields) -> Set<AttributeDescription.SearchForm> {
    guard let node = fields["search"] else { return [] }
    let nodes = if case .array(let elements) = node.kind { elements } else { [node] }
    if nodes.isEmpty {
      problems.add(
        .emptyList, at: node.position, subject: fields.subject, key: "search",
        expected: "one form at least")
    }
    var forms: Set<AttributeDescription.SearchForm> = []
    for node in nodes {
      guard let form: AttributeDescription.SearchForm = word(of: node, "search", in: fields) else {
        continue
      }
      if !forms.insert(form).inserted {
        problems.add(
          .repeatedName, at: node.position, subject: fields.subject, key: "search",
          found: form.rawValue)
      }
    }
    return forms
  }

  /// The projections of `project`: their types by their names.
  @inline(never)
  private mutating func projections(in fields: Fields) -> [ProjectionDescription] {
    let key = "project"
    guard let node = fields[key],
      let members = self.fields(
        of: node, subject: fields.subject, key: key,
        expected: "an object with the type of each projection, such as {\"lightness\": \"double\"}"
      )?.members
    else { return [] }
    if members.isEmpty {
      problems.add(
        .emptyList, at: node.position, subject: fields.subject, key: key,
        expected: "one projection at least")
    }
    var seen: Set<String> = []
    return members.compactMap { member in
      // A database does not tell names apart that differ only in case.
      if !seen.insert(member.key.lowercased()).inserted {
        problems.add(
          .repeatedName, at: member.position, subject: fields.subject, key: key,
          found: member.key)
        return nil
      }
      let type: ProjectionDescription.ValueType? = word(of: member.value, key, in: fields)
      return type.map { ProjectionDescription(member.key, $0) }
    }
  }

  // MARK: Habits

  private static let keysOfOtherTools = ["unique", "indexed", "index", "required", "nullable"]

  /// Reports keys that other tools have in an attribute, and that a model file has elsewhere or not
  /// at all.
  @inline(never)
  private mutating func reportKeysOfOtherTools(in fields: Fields, attribute: String) {
    for member in fields.members where Self.keysOfOtherTools.contains(member.key) {
      let code: ModelError.Code
      let expected: String
      switch member.key {
      case "unique", "indexed", "index":
        code = .keyOfEntity
        let key = member.key == "unique" ? "unique" : "indexes"
        expected = "\"\(key)\": [\"\(attribute.asSubject)\"]"
      default:
        code = .requiredKey
        expected =
          "remove it: an attribute is required unless its type ends in ?, such as \"string?\""
      }
      problems.add(
        code, at: member.position, subject: fields.subject, found: member.key, expected: expected)
    }
  }

  /// Reports an entity, or a list of something, where the type of an attribute should be.
  ///
  /// - Returns: whether the type was one of these.
  @inline(never)
  private mutating func reportEntityOrList(
    _ text: String, at position: TextPosition, subject: String
  ) -> Bool {
    let name = text.hasSuffix("?") ? String(text.dropLast()) : text
    if entityNames.contains(name) {
      problems.add(.entityType, at: position, subject: subject, found: name)
      return true
    }
    guard name.hasPrefix("["), name.hasSuffix("]"), name.count > 2 else { return false }
    let element = String(name.dropFirst().dropLast())
    if entityNames.contains(element) {
      problems.add(.entityType, at: position, subject: subject, found: element)
      return true
    }
    let type = AttributeType(rawValue: element) ?? Self.typesByOtherNames[element.lowercased()]
    let list = "[\(type?.swiftType ?? element)]"
    problems.add(
      .listType, at: position, subject: subject, found: name,
      expected: "the type \"transformable\" with \"class\": \"\(list)\" and a \"transformer\"")
    return true
  }

  // MARK: Types

  @inline(never)
  private mutating func attributeType(
    _ text: String, at position: TextPosition, subject: String
  ) -> (type: AttributeType, isOptional: Bool)? {
    let isOptional = text.hasSuffix("?")
    let name = isOptional ? String(text.dropLast()) : text
    if let type = AttributeType(rawValue: name) { return (type, isOptional) }
    if reportEntityOrList(text, at: position, subject: subject) { return nil }
    let types = AttributeType.allCases.map(\.rawValue)
    let suggestion =
      Self.typesByOtherNames[name.lowercased()]?.rawValue
      ?? problems.nearest(to: name, among: types)
    problems.add(
      .unknownType, at: position, subject: subject, found: name,
      expected: types.joined(separator: ", "), suggestion: suggestion)
    return nil
  }

  /// Names of types in Swift, SQL and other tools, for suggestions.
  private static let typesByOtherNames: [String: AttributeType] = [
    "int": .integer, "int16": .integer16, "int32": .integer32, "int64": .integer64,
    "bigint": .integer64, "smallint": .integer16, "long": .integer64, "short": .integer16,
    "number": .double, "real": .double, "money": .decimal, "numeric": .decimal,
    "bool": .boolean, "datetime": .date, "timestamp": .date, "time": .date, "data": .binary,
    "bytes": .binary, "blob": .binary, "text": .string, "char": .string, "varchar": .string,
    "guid": .uuid, "url": .uri, "json": .transformable, "object": .transformable,
    "array": .transformable,
  ]

  @inline(never)
  private mutating func swiftType(_ key: String, in fields: Fields) -> String? {
    guard let node = fields[key], let text = text(key, in: fields) else { return nil }
    if let type = SwiftTypeText.normalized(text) { return type }
    let inner = text.hasSuffix("?") ? SwiftTypeText.normalized(String(text.dropLast())) : nil
    problems.add(
      .invalidClass, at: node.position, subject: fields.subject, found: text,
      expected: inner.map { "\($0), and the ? on the attribute's type: \"transformable?\"" }
        ?? "a Swift type such as Color, CoreUI.Color or [Color]")
    return nil
  }

  mutating func reportOptionalTwice(_ type: String, in fields: Fields) {
    guard type.hasSuffix("?"), let key = fields.members.first(where: { $0.key == "optional" })
    else { return }
    problems.add(
      .optionalTwice, at: key.position, subject: fields.subject, found: type,
      expected: String(type.dropLast()))
  }

  // MARK: Values

  private mutating func limit(
    _ key: String, of attribute: AttributeDescription, in fields: Fields
  ) -> PropertyValue? {
    guard attribute.type.hasLimits, let node = fields[key] else { return nil }
    return value(of: node, for: attribute, key, in: fields)
  }

  /// The value of `default` or `fill`.
  @inline(never)
  private mutating func defaultValue(
    _ key: String, of attribute: AttributeDescription, in fields: Fields
  ) -> AttributeDescription.Default? {
    guard attribute.type != .transformable, let node = fields[key] else { return nil }
    switch (attribute.type, node.kind) {
    case (_, .null):
      problems.add(
        .nullDefault, at: node.position, subject: fields.subject, key: key == "default" ? "" : key)
      return nil
    case (.date, .string("now")): return .now
    case (.uuid, .string("new")): return .new
    default: return value(of: node, for: attribute, key, in: fields).map { .value($0) }
    }
  }

  /// The text of `placeholder`: a URL, or a static member of the class of a transformable.
  @inline(never)
  private mutating func placeholder(of attribute: AttributeDescription, in fields: Fields)
    -> String?
  {
    let key = "placeholder"
    guard let node = fields[key] else { return nil }
    switch attribute.type {
    case .uri:
      guard value(of: node, for: attribute, key, in: fields) != nil else { return nil }
      return text(key, in: fields)
    case .transformable:
      guard let text = text(key, in: fields) else { return nil }
      let name = String(text.dropFirst())
      // What a name of the model may be.
      if text.hasPrefix("."), name.utf8.count <= NameLimit.name, SwiftIdentifier.isValid(name),
        !ReservedNames.notIdentifiers.contains(name)
      {
        return text
      }
      problems.add(
        .invalidValue, at: node.position, subject: fields.subject, key: key, found: text,
        expected: "a static member of the class, such as \".clear\"")
      return nil
    default: return nil
    }
  }

  @inline(never)
  mutating func value(
    of node: JSONNode, for attribute: AttributeDescription, _ key: String, in fields: Fields
  ) -> PropertyValue? {
    guard !node.isBroken else { return nil }
    do throws(ValueProblem) {
      return try ValueText.value(of: node, as: attribute.type, scale: attribute.scale)
    } catch {
      // An invalid date may have been meant as the keyword `"now"`.
      let word = attribute.type == .date && ["default", "fill"].contains(key) ? "\"now\", or " : ""
      problems.add(
        error.code, at: node.position, subject: fields.subject, key: key,
        found: error.found, expected: word + error.expected)
      return nil
    }
  }
}

extension AttributeType {
  /// Whether `minimum` and `maximum` apply to the type.
  var hasLimits: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .integer, .float, .double, .decimal, .date: true
    case .boolean, .binary, .string, .uuid, .uri, .transformable: false
    }
  }

  /// Whether values of the type have a length.
  var hasLength: Bool { self == .string || self == .binary }
}
