extension ModelReader {
  private static let relationshipKeys = [
    "type", "optional", "ordered", "inverse", "delete", "minimum", "maximum", "renamedFrom", "doc",
    "userInfo",
  ]

  /// Reads one member of `relationships`, in its short form or its long one.
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
    relationship.isOptional = flag("optional", in: fields) ?? relationship.isOptional
    relationship.isOrdered = flag("ordered", in: fields) ?? false
    relationship.inverse = text("inverse", in: fields)
    relationship.deleteRule = word("delete", in: fields) ?? .nullify
    relationship.minimumCount = whole("minimum", in: fields, 0...Int.max)
    relationship.maximumCount = whole("maximum", in: fields, 0...Int.max)
    relationship.renamedFrom = text("renamedFrom", in: fields)
    relationship.documentation = text("doc", in: fields)
    relationship.userInfo = userInfo(in: fields)
    return RelationshipDraft(
      relationship, member: member, entity: entity, typeIsKnown: type != nil)
  }

  private struct RelationshipType {
    var destination: String
    var isToMany = false
    var isOptional = false
  }

  private func relationship(_ name: String, _ type: RelationshipType?) -> RelationshipDescription {
    RelationshipDescription(
      name, to: type?.destination ?? "", isToMany: type?.isToMany ?? false,
      isOptional: type?.isOptional ?? false)
  }

  /// `Painter`, `Painter?` or `[Painting]`.
  private mutating func relationshipType(
    _ text: String, at position: TextPosition, subject: String
  ) -> RelationshipType? {
    var type = RelationshipType(destination: text)
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
