import CopalEssentials

/// A model as it was read, with the positions of its parts, before the checks.
struct ModelDraft {
  /// The greatest number of ancestors of an entity.
  static let maximumAncestorCount = 32

  let name: LocatedName?
  let imports: [LocatedName]
  let removed: [LocatedName]
  let entities: [EntityDraft]
  /// The text that was read.
  let text: [UInt8]
  /// Whether every name of the file was read, so that a name that is not found is certainly
  /// missing.
  let namesAreComplete: Bool
  /// The model itself; valid only when all checks have passed.
  let model: ManagedObjectModel?

  private let indexByName: [String: Int]

  @inline(never)
  init(
    name: LocatedName?, version: Int, imports: [LocatedName], access: ManagedObjectModel.Access,
    documentation: String?, userInfo: UserInfo, removed: [LocatedName], entities: [EntityDraft],
    text: [UInt8],
    namesAreComplete: Bool
  ) {
    self.name = name
    self.imports = imports
    self.removed = removed
    self.entities = entities
    self.text = text
    self.namesAreComplete = namesAreComplete
    model = name.map {
      ManagedObjectModel(
        unchecked: $0.name, version: version, imports: imports.map(\.name), access: access,
        documentation: documentation, userInfo: userInfo, removed: removed.map(\.name),
        entities: entities.map(\.description))
    }
    indexByName = Dictionary(
      entities.enumerated().map { ($1.description.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  var entityNames: some Sequence<String> { entities.lazy.map(\.description.name) }

  /// The position of the entity of that name in `entities`.
  func index(of name: String) -> Int? { indexByName[name] }

  /// The ancestors of the entity, nearest first; `nil` when one is missing, when they form a cycle,
  /// or when there are too many. Another check reports that.
  @inline(never)
  func ancestors(of index: Int) -> [Int]? {
    var ancestors: [Int] = []
    var entity = entities[index]
    while let parent = entity.description.parent {
      guard let next = indexByName[parent], ancestors.count < Self.maximumAncestorCount else {
        return nil
      }
      ancestors.append(next)
      entity = entities[next]
    }
    return ancestors
  }

  /// The entity and its ancestors, as far as they are known.
  func family(of index: Int) -> [EntityDraft] {
    [entities[index]] + (ancestors(of: index) ?? []).map { entities[$0] }
  }

  /// Whether every attribute and relationship of the entity, its own or inherited, is known.
  func knowsProperties(of index: Int) -> Bool { namesAreComplete && ancestors(of: index) != nil }
}

/// An entity as it was read, with the positions of its parts.
final class EntityDraft {
  let description: EntityDescription
  let member: JSONMember
  let attributes: [AttributeDraft]
  let relationships: [RelationshipDraft]
  let fetchRequests: [FetchRequestDraft]
  let fetchedProperties: [FetchRequestDraft]
  let unique: [NameList]
  let indexes: [NameList]
  let merges: [LocatedName]
  let removed: [LocatedName]

  private let attributeIndexes: [String: Int]
  private let relationshipIndexes: [String: Int]

  @inline(never)
  init(
    _ description: EntityDescription, member: JSONMember, attributes: [AttributeDraft] = [],
    relationships: [RelationshipDraft] = [], fetchRequests: [FetchRequestDraft] = [],
    fetchedProperties: [FetchRequestDraft] = [], unique: [NameList] = [], indexes: [NameList] = [],
    merges: [LocatedName] = [], removed: [LocatedName] = []
  ) {
    self.description = description
    self.member = member
    self.attributes = attributes
    self.relationships = relationships
    self.fetchRequests = fetchRequests
    self.fetchedProperties = fetchedProperties
    self.unique = unique
    self.indexes = indexes
    self.merges = merges
    self.removed = removed
    attributeIndexes = Dictionary(
      attributes.enumerated().map { ($1.description.name, $0) },
      uniquingKeysWith: { first, _ in first })
    relationshipIndexes = Dictionary(
      relationships.enumerated().map { ($1.description.name, $0) },
      uniquingKeysWith: { first, _ in first })
  }

  var name: String { description.name }

  func attribute(_ name: String) -> AttributeDraft? {
    attributeIndexes[name].map { attributes[$0] }
  }

  func relationship(_ name: String) -> RelationshipDraft? {
    relationshipIndexes[name].map { relationships[$0] }
  }

  /// The names of attributes, relationships, templates and fetched properties in the order of the
  /// file.
  var properties: [JSONMember] {
    let requests = (fetchRequests + fetchedProperties).map(\.member)
    return (attributes.map(\.member) + relationships.map(\.member) + requests)
      .inOrder { $0.position < $1.position }
  }
}

/// An attribute as it was read, with its position.
final class AttributeDraft {
  var description: AttributeDescription
  let member: JSONMember
  let subject: String
  /// Whether the file names a type; if not, nothing that depends on it is checked.
  let typeIsKnown: Bool

  init(
    _ description: AttributeDescription, member: JSONMember, entity: String, typeIsKnown: Bool
  ) {
    self.description = description
    self.member = member
    self.typeIsKnown = typeIsKnown
    subject = entity.asSubject + "." + description.name
  }
}

/// A relationship as it was read.
final class RelationshipDraft {
  var description: RelationshipDescription
  let member: JSONMember
  let subject: String
  /// Whether the file names a destination.
  let typeIsKnown: Bool
  /// The attributes of the key `sort`, without hyphens.
  let sort: [LocatedName]

  @inline(never)
  init(
    _ description: RelationshipDescription, member: JSONMember, entity: String, typeIsKnown: Bool,
    sort: [LocatedName] = []
  ) {
    self.description = description
    self.member = member
    self.typeIsKnown = typeIsKnown
    self.sort = sort
    subject = entity.asSubject + "." + description.name
  }
}

/// A template or a fetched property as it was read.
final class FetchRequestDraft {
  let member: JSONMember
  let subject: String
  /// The entity that a fetched property fetches; nil for a template.
  var destination: LocatedName?
  /// The text of the condition.
  var condition: LocatedName?
  var sort: [LocatedSortKey] = []
  /// The position of a list without keys.
  var emptySort: TextPosition?
  var limit: Int?
  var documentation: String?

  init(member: JSONMember, entity: String) {
    self.member = member
    subject = entity.asSubject + "." + member.key
  }
}

/// A key of an order and its position.
struct LocatedSortKey {
  let key: FetchSortKey
  let position: TextPosition
}

extension String {
  /// The name for messages, cut at the greatest length of a name. Each attribute's subject repeats
  /// the entity's name, which may have a megabyte in a hostile file.
  var asSubject: String {
    if utf8.count <= NameLimit.name { return self }
    return String(String.UnicodeScalarView(unicodeScalars.prefix(80))) + "…"
  }
}

extension JSONMember {
  /// The member of that key, if the value is an object that has it.
  func member(_ key: String) -> JSONMember? {
    guard case .object(let members) = value.kind else { return nil }
    return members.first { $0.key == key }
  }

  /// The position of a key's value; in a short form, the position of the whole.
  func position(of key: String) -> TextPosition { value[key]?.position ?? value.position }
}
