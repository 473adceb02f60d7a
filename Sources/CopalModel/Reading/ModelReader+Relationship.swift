extension ModelReader {
  private static let relationshipKeys = [
    "type", "optional", "ordered", "sort", "inverse", "delete", "orphans", "minimum", "maximum",
    "prefetch", "accessor", "set", "renamedFrom", "conversion", "doc", "userInfo",
  ]

  /// Reads one member of `relationships`, in its short form or its long one.
  @inline(never)
  mutating func readRelationship(
    _ member: JSONMember, of entity: String, namesAreComplete: Bool
  ) -> RelationshipDraft {
    let subject = entity.asSubject + "." + member.key
    if case .string(let text) = member.value.kind {
      let type = relationshipType(text, at: member.value.position, subject: subject)
      return RelationshipDraft(
        relationship(member.key, type), member: member, entity: entity, typeIsKnown: type != nil)
    }
    let expected = "a type such as \"[\(entity.asSubject)]\", or an object"
    guard let fields = fields(of: member.value, subject: subject, expected: expected) else {
      return RelationshipDraft(
        relationship(member.key, nil), member: member, entity: entity, typeIsKnown: false)
    }
    checkKeys(of: fields, among: Self.relationshipKeys)
    requireKeys(["type"], in: fields, namesAreComplete: namesAreComplete)
    var type: RelationshipType?
    if let node = fields["type"], let text = text("type", in: fields) {
      type = relationshipType(text, at: node.position, subject: subject)
      if type != nil { reportOptionalTwice(text, in: fields) }
    }
    var relationship = relationship(member.key, type)
    relationship.isOrdered = flag("ordered", in: fields) ?? false
    let sort = sortKeys(in: fields)
    relationship.sortKeys = sort.map(\.key)
    relationship.inverse = text("inverse", in: fields)
    relationship.deleteRule = word("delete", in: fields) ?? .nullify
    relationship.orphanRule = word("orphans", in: fields) ?? .keep
    relationship.minimumCount = whole("minimum", in: fields, 0...Int.max)
    relationship.maximumCount = whole("maximum", in: fields, 1...Int.max)
    readOptional(of: &relationship, in: fields)
    relationship.isPrefetched = flag("prefetch", in: fields) ?? false
    relationship.accessor = word("accessor", in: fields) ?? .generated
    relationship.setAccess = word("set", in: fields) ?? .public
    relationship.renamedFrom = formerNames(in: fields).map(\.name)
    relationship.conversion = word("conversion", in: fields) ?? .exact
    relationship.documentation = text("doc", in: fields)
    relationship.userInfo = userInfo(in: fields)
    return RelationshipDraft(
      relationship, member: member, entity: entity, typeIsKnown: type != nil,
      sort: sort.map(\.name))
  }

  /// Reads the key `optional`. For a to-many relationship, false is the same as a minimum of 1.
  @inline(never)
  private mutating func readOptional(
    of relationship: inout RelationshipDescription, in fields: Fields
  ) {
    let isOptional = flag("optional", in: fields)
    guard relationship.isToMany else {
      relationship.isOptional = isOptional ?? relationship.isOptional
      return
    }
    if let key = fields.members.first(where: { $0.key == "optional" }) {
      if fields["minimum"] != nil {
        reportMinimum(relationship.minimumCount, isOptional, at: key.position, fields.subject)
      } else if isOptional == false {
        relationship.minimumCount = 1
      }
    }
    relationship.isOptional = (relationship.minimumCount ?? 0) == 0
  }

  /// Reports a relationship with both `optional` and `minimum`: they say the same, or contradict
  /// each other.
  @inline(never)
  private mutating func reportMinimum(
    _ minimum: Int?, _ isOptional: Bool?, at position: TextPosition, _ subject: String
  ) {
    guard let minimum, let isOptional, isOptional == (minimum > 0) else {
      problems.add(.optionalTwice, at: position, subject: subject, found: "minimum")
      return
    }
    problems.add(
      .optionalTwice, at: position, subject: subject,
      found: "\"optional\": \(isOptional) and \"minimum\": \(minimum)",
      expected: "\"minimum\": \(max(1, minimum))")
  }

  /// The names of the key `sort`, with their positions, and what they mean: a hyphen at the
  /// beginning stands for descending.
  @inline(never)
  private mutating func sortKeys(in fields: Fields) -> [(name: LocatedName, key: FetchSortKey)] {
    nameOrNames("sort", in: fields, of: "attributes").map { name in
      let isAscending = !name.name.hasPrefix("-")
      let attribute = isAscending ? name.name : String(name.name.dropFirst())
      return (
        LocatedName(name: attribute, position: name.position),
        FetchSortKey(attribute, isAscending: isAscending)
      )
    }
  }

  private struct RelationshipType {
    var destination: String
    var isToMany = false
    /// Nil for a to-many relationship, whose type does not say it.
    var isOptional: Bool?
  }

  private func relationship(_ name: String, _ type: RelationshipType?) -> RelationshipDescription {
    RelationshipDescription(
      name, to: type?.destination ?? "", isToMany: type?.isToMany ?? false,
      isOptional: type?.isOptional)
  }

  /// `Painter`, `Painter?` or `[Painting]`.
  @inline(never)
  private mutating func relationshipType(
    _ text: String, at position: TextPosition, subject: String
  ) -> RelationshipType? {
    var type = RelationshipType(destination: text, isOptional: false)
    if text.hasPrefix("["), text.hasSuffix("]") {
      type = RelationshipType(destination: String(text.dropFirst().dropLast()), isToMany: true)
    } else if text.hasSuffix("?") {
      type = RelationshipType(destination: String(text.dropLast()), isOptional: true)
    }
    if !type.destination.isEmpty, !type.destination.contains(where: { "[]? ".contains($0) }) {
      return type
    }
    let bare = text.filter { !"[]? ".contains($0) }
    let entity = bare.isEmpty ? "Entity" : bare
    problems.add(
      .invalidRelationshipType, at: position, subject: subject, found: text,
      expected: "\"\(entity)\", \"\(entity)?\" or \"[\(entity)]\"")
    return nil
  }
}
