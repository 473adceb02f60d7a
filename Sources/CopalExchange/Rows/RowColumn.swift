import CopalModel
import CopalObjects
import CopalStore

/// A column of a dump: a property, or a property of related objects.
struct RowColumn {
  /// The name, such as `maker.name`; `$id` and `$entity` for what is no property.
  let name: String
  let content: Content

  enum Content {
    case id
    case entity
    case attribute(String)
    /// The id of the object of a to-one relationship.
    case reference(String)
    /// What is behind a path of to-one relationships: an attribute, or a to-one.
    case followed([String], attribute: String)
    /// The members of a to-many relationship: their ids, or values of an attribute.
    case members(String, attribute: String?)
  }

  /// Whether a value of the column can be there for one row alone.
  var needsOthers: Bool {
    switch content {
    case .followed, .members: true
    default: false
    }
  }

  /// The columns of an entity: its id, its stored attributes, and its to-one relationships.
  static func all(of layout: EntityLayout, in schema: StoreSchema) -> [RowColumn] {
    var columns = [RowColumn(name: "$id", content: .id)]
    if !schema.descendants[layout.index].isEmpty {
      columns.append(RowColumn(name: "$entity", content: .entity))
    }
    var names: Set<String> = []
    // Subentities have further properties.
    for kind in schema.kinds(of: layout.index) {
      for slot in schema.entities[kind].slots {
        switch slot {
        case .attribute(let attribute) where !attribute.isTransient:
          if names.insert(attribute.name).inserted {
            columns.append(RowColumn(name: attribute.name, content: .attribute(attribute.name)))
          }
        case .reference(let relationship):
          if names.insert(relationship.name).inserted {
            columns.append(
              RowColumn(name: relationship.name, content: .reference(relationship.name)))
          }
        default: break
        }
      }
    }
    return columns
  }

  /// The column of a name or a path.
  ///
  /// - Throws: `request.unknownProperty`.
  init(_ path: String, of layout: EntityLayout, in schema: StoreSchema) throws {
    name = path
    if path == "$id" || path == "id" && layout.slotByName["id"] == nil {
      content = .id
      return
    }
    if path == "$entity" {
      content = .entity
      return
    }
    var steps = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
    let last = steps.removeLast()
    var entity = layout.index
    for (place, step) in steps.enumerated() {
      guard let relationship = Self.relationship(step, of: entity, in: schema) else {
        throw Self.unknown(step, of: entity, in: schema)
      }
      if relationship.relationship.isToMany {
        guard place == 0, steps.count == 1 else {
          throw PersistenceError(
            .unknownProperty, entity: schema.entities[entity].name,
            property: path + " (a to-many relationship must be the only step of a path)")
        }
        guard Self.isAttribute(last, of: relationship.destination, in: schema) else {
          throw Self.unknown(last, of: relationship.destination, in: schema)
        }
        content = .members(step, attribute: last)
        return
      }
      entity = relationship.destination
    }
    if Self.isAttribute(last, of: entity, in: schema) {
      content = steps.isEmpty ? .attribute(last) : .followed(steps, attribute: last)
      return
    }
    guard let relationship = Self.relationship(last, of: entity, in: schema) else {
      throw Self.unknown(last, of: entity, in: schema)
    }
    if relationship.relationship.isToMany {
      guard steps.isEmpty else {
        throw Self.unknown(last, of: entity, in: schema)
      }
      content = .members(last, attribute: nil)
    } else {
      content = steps.isEmpty ? .reference(last) : .followed(steps, attribute: last)
    }
  }

  private init(name: String, content: Content) { (self.name, self.content) = (name, content) }

  private static func relationship(_ name: String, of entity: Int, in schema: StoreSchema)
    -> RelationshipLayout?
  {
    for kind in schema.kinds(of: entity) {
      let found = schema.relationships[kind].first { !$0.isHidden && $0.relationship.name == name }
      if let found { return found }
    }
    return nil
  }

  private static func isAttribute(_ name: String, of entity: Int, in schema: StoreSchema) -> Bool {
    schema.kinds(of: entity).contains { kind in
      let layout = schema.entities[kind]
      guard let slot = layout.slotByName[name] else { return false }
      return !layout.slots[slot].isReference && layout.slots[slot].isStored
    }
  }

  private static func unknown(_ name: String, of entity: Int, in schema: StoreSchema)
    -> PersistenceError
  {
    let names = schema.kinds(of: entity).flatMap { kind in
      Array(schema.entities[kind].slotByName.keys)
        + schema.relationships[kind].filter { !$0.isHidden }.map(\.relationship.name)
    }
    return PersistenceError(
      .unknownProperty, entity: schema.entities[entity].name, property: name,
      suggestion: NearestName.of(name, among: Set(names).sorted()))
  }
}
