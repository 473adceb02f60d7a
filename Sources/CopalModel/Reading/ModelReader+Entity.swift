extension ModelReader {
  private static let entityKeys = [
    "class", "codegen", "set", "parent", "abstract", "observable", "identity", "attributes",
    "relationships", "fetchRequests", "fetchedProperties", "unique", "indexes", "renamedFrom",
    "merges", "removed", "doc", "userInfo",
  ]

  /// Reads one member of `entities`. An unreadable entity keeps its name, so that references to it
  /// are not reported as well.
  @inline(never)
  mutating func readEntity(_ member: JSONMember, namesAreComplete: Bool) -> EntityDraft {
    let name = member.key
    guard let fields = fields(of: member.value, subject: name, expected: "an object") else {
      return EntityDraft(EntityDescription(name), member: member)
    }
    checkKeys(of: fields, among: Self.entityKeys, later: ["fullText"])
    // The key of an entity stands for the same key at each of its properties that has none.
    let setAccess: AttributeDescription.SetAccess = word("set", in: fields) ?? .public
    let attributes = properties("attributes", in: fields).map { member in
      let draft = readAttribute(member, of: name, namesAreComplete: namesAreComplete)
      if member.member("set") == nil { draft.description.setAccess = setAccess }
      return draft
    }
    let relationships = properties("relationships", in: fields).map { member in
      let draft = readRelationship(member, of: name, namesAreComplete: namesAreComplete)
      if member.member("set") == nil { draft.description.setAccess = setAccess }
      return draft
    }
    let fetchRequests = properties("fetchRequests", in: fields).map {
      readFetchRequest($0, of: name)
    }
    let fetchedProperties = properties("fetchedProperties", in: fields).map {
      readFetchedProperty($0, of: name, namesAreComplete: namesAreComplete)
    }
    let merges = names("merges", in: fields, of: "former entities")
    let removed = names("removed", in: fields, of: "former properties")
    let unique = nameLists("unique", in: fields)
    let indexes = nameLists("indexes", in: fields)
    let entity = EntityDescription(
      name, className: text("class", in: fields), codegen: word("codegen", in: fields) ?? .class,
      parent: text("parent", in: fields), isAbstract: flag("abstract", in: fields) ?? false,
      isObservable: flag("observable", in: fields) ?? false, identity: text("identity", in: fields),
      attributes: attributes.map(\.description), relationships: relationships.map(\.description),
      fetchRequests: fetchRequests.map(\.template),
      fetchedProperties: fetchedProperties.map(\.property),
      uniqueConstraints: unique.map(\.constraint),
      indexes: indexes.map(\.index),
      renamedFrom: formerNames(in: fields).map(\.name), merges: merges.map(\.name),
      removed: removed.map(\.name), documentation: text("doc", in: fields),
      userInfo: userInfo(in: fields))
    return EntityDraft(
      entity, member: member, attributes: attributes, relationships: relationships,
      fetchRequests: fetchRequests, fetchedProperties: fetchedProperties, unique: unique,
      indexes: indexes, merges: merges, removed: removed)
  }

  private mutating func properties(_ key: String, in fields: Fields) -> [JSONMember] {
    guard let node = fields[key] else { return [] }
    return self.fields(of: node, subject: fields.subject, key: key, expected: "an object")?.members
      ?? []
  }
}

extension NameList {
  fileprivate var constraint: UniqueConstraintDescription {
    UniqueConstraintDescription(
      names.map(\.name),
      ignoring: Dictionary(
        names.map { ($0.name, $0.ignored) }, uniquingKeysWith: { first, _ in first }))
  }

  fileprivate var index: IndexDescription {
    IndexDescription(
      names.map(\.name), descending: Set(names.filter(\.isDescending).map(\.name)))
  }
}
