public import CopalModel

/// A relationship of an entity, and where a store keeps it. ``StoreSchema/relationships`` has them.
///
/// A relationship without an inverse has a hidden one here, so that contexts find the objects that
/// refer to another one.
public struct RelationshipLayout: Sendable, Hashable {
  /// The description of the relationship.
  public let relationship: RelationshipDescription
  /// The position of the entity that declares the relationship: the entity or an ancestor.
  public let declaringEntity: Int
  /// The position of the entity of the objects at the other end.
  public let destination: Int
  /// Where a store keeps the relationship.
  public let storage: Storage
  /// Whether the model does not declare the relationship: it is the inverse of a one-way
  /// relationship.
  package let isHidden: Bool
  /// The position of the inverse among the relationships of the destination.
  package let inverse: Int?

  /// Where a store keeps a relationship.
  public enum Storage: Sendable, Hashable {
    /// To-one: the slot with the key of the other object.
    case slot(Int)
    /// To-many with a to-one inverse: each object of the destination has the key of its owner in
    /// this slot; and, when the relationship is ordered, its position in the list.
    case inverseSlot(Int, position: Int?)
    /// Many-to-many, or to-many without an inverse: a table of links, in which the entity is at
    /// this end.
    case links(Int, LinkTable.End)
  }
}

/// The name of a relationship in a conflict.
public struct RelationshipName: Sendable, Hashable {
  /// The position of the entity that declares the relationship.
  public var entity: Int
  /// The name of the relationship.
  public var name: String
  /// The relationship of that name which the entity at a position declares.
  public init(entity: Int, name: String) {
    self.entity = entity
    self.name = name
  }
}

/// A table of links: the pairs of objects of a many-to-many relationship, or of a to-many
/// relationship without an inverse.
///
/// Of the two relationships of a pair, the one whose entity and name come first in the order of
/// their characters names the table; its objects are the owners. So the table does not depend on
/// the order of entities in the model file.
public struct LinkTable: Sendable, Hashable {
  /// The owner's relationship, to the members.
  public let relationship: RelationshipName
  /// The relationship of the members to the owners; nil for a one-way relationship.
  public let inverse: RelationshipName?
  /// The position of the entity of the owners.
  public let owner: Int
  /// The position of the entity of the members.
  public let member: Int
  /// Whether the members of an owner have an order.
  public let isOrdered: Bool
  /// Whether the owners of a member have an order.
  public let isInverseOrdered: Bool
  /// What happens when an owner is deleted.
  public let deleteRule: RelationshipDescription.DeleteRule
  /// What happens when a member is deleted.
  public let inverseDeleteRule: RelationshipDescription.DeleteRule

  /// Whether the relationship is its own inverse, such as `friends`. Then a link has a row for each
  /// direction.
  public var isSymmetric: Bool { relationship == inverse }

  /// One end of a link.
  public enum End: Sendable, Hashable {
    /// The object whose relationship names the table.
    case owner
    /// The other object.
    case member
    /// The other end.
    public var other: End { self == .owner ? .member : .owner }
  }

  /// The entity at an end.
  public func entity(at end: End) -> Int { end == .owner ? owner : member }

  /// Whether the objects that are linked to an object at this end have an order.
  public func isOrdered(from end: End) -> Bool { end == .owner ? isOrdered : isInverseOrdered }

  /// Whether the links of a deleted object at this end are removed, also those that the change set
  /// does not name. Otherwise the object cannot be deleted while it has a link.
  public func deletesLinks(at end: End) -> Bool {
    let rule = end == .owner ? deleteRule : inverseDeleteRule
    return rule == .nullify || rule == .noAction
  }

  /// The relationship of the objects at an end; for the members of a one-way relationship, that of
  /// the owners.
  public func relationship(at end: End) -> RelationshipName {
    end == .owner ? relationship : inverse ?? relationship
  }
}

/// Finds where each relationship of a model is kept.
struct RelationshipLayouts {
  private let model: ManagedObjectModel
  private let layouts: [EntityLayout]
  private(set) var tables: [LinkTable] = []
  private var tableByName: [RelationshipName: Int] = [:]
  private var placesByEntity: [Int: Places] = [:]

  init(_ model: ManagedObjectModel, _ layouts: [EntityLayout]) {
    self.model = model
    self.layouts = layouts
  }

  /// The relationships of an entity, with inherited and hidden ones.
  mutating func relationships(of layout: EntityLayout) -> [RelationshipLayout] {
    model.allRelationships(ofEntity: layout.index).compactMap { complete in
      guard let destination = model.entityIndex(complete.relationship.destination),
        let storage = storage(of: complete, to: destination)
      else { return nil }
      return RelationshipLayout(
        relationship: complete.relationship, declaringEntity: complete.entity,
        destination: destination, storage: storage, isHidden: complete.isHidden,
        inverse: inverse(of: complete, in: destination))
    }
  }

  /// The position of the inverse among the relationships of the destination.
  private mutating func inverse(of complete: CompleteRelationship, in destination: Int) -> Int? {
    if let oneWay = complete.oneWay {
      return places(destination).declared[
        RelationshipName(entity: oneWay.entity, name: oneWay.relationship.name)]
    }
    guard let inverse = model.declaredInverse(of: complete.relationship) else {
      return places(destination).hidden[
        RelationshipName(entity: complete.entity, name: complete.relationship.name)]
    }
    return places(destination).declared[
      RelationshipName(entity: inverse.entity, name: inverse.relationship.name)]
  }

  /// Where the relationships of an entity are among its relationships.
  private struct Places {
    var declared: [RelationshipName: Int] = [:]
    /// The hidden inverses, by the names of the one-way relationships.
    var hidden: [RelationshipName: Int] = [:]
  }

  private mutating func places(_ entity: Int) -> Places {
    if let known = placesByEntity[entity] { return known }
    var made = Places()
    for (place, complete) in model.allRelationships(ofEntity: entity).enumerated() {
      if let oneWay = complete.oneWay {
        let name = RelationshipName(entity: oneWay.entity, name: oneWay.relationship.name)
        made.hidden[name] = place
      } else {
        let name = RelationshipName(entity: complete.entity, name: complete.relationship.name)
        made.declared[name] = place
      }
    }
    placesByEntity[entity] = made
    return made
  }

  private mutating func storage(
    of complete: CompleteRelationship, to destination: Int
  ) -> RelationshipLayout.Storage? {
    guard let oneWay = complete.oneWay else {
      return storage(of: complete.relationship, in: complete.entity, to: destination)
    }
    switch storage(of: oneWay.relationship, in: oneWay.entity, to: complete.entity) {
    case .slot(let slot): return .inverseSlot(slot, position: nil)
    case .links(let table, let end): return .links(table, end.other)
    case .inverseSlot, nil: return nil
    }
  }

  private mutating func storage(
    of relationship: RelationshipDescription, in entity: Int, to destination: Int
  ) -> RelationshipLayout.Storage? {
    if !relationship.isToMany {
      return layouts[entity].slotByName[relationship.name].map { .slot($0) }
    }
    let inverse = model.declaredInverse(of: relationship)
    if let inverse, !inverse.relationship.isToMany {
      let reference = layouts[destination].references.first { reference in
        layouts[destination].attributes[reference.slot].name == inverse.relationship.name
      }
      return reference.map { .inverseSlot($0.slot, position: $0.positionSlot) }
    }
    let name = RelationshipName(entity: entity, name: relationship.name)
    let back = inverse.map { RelationshipName(entity: $0.entity, name: $0.relationship.name) }
    if let known = tableByName[name] {
      return .links(known, tables[known].relationship == name ? .owner : .member)
    }
    let isOwner = back.map { !comesFirst($0, name) } ?? true
    let rule = inverse?.relationship.deleteRule ?? .nullify
    let isInverseOrdered = inverse?.relationship.isOrdered ?? false
    let table = tables.count
    tables.append(
      isOwner
        ? LinkTable(
          relationship: name, inverse: back, owner: entity, member: destination,
          isOrdered: relationship.isOrdered, isInverseOrdered: isInverseOrdered,
          deleteRule: relationship.deleteRule, inverseDeleteRule: rule)
        : LinkTable(
          relationship: back ?? name, inverse: name, owner: destination, member: entity,
          isOrdered: isInverseOrdered, isInverseOrdered: relationship.isOrdered,
          deleteRule: rule, inverseDeleteRule: relationship.deleteRule))
    tableByName[name] = table
    if let back { tableByName[back] = table }
    return .links(table, isOwner ? .owner : .member)
  }

  private func comesFirst(_ a: RelationshipName, _ b: RelationshipName) -> Bool {
    let (first, second) = (model.entities[a.entity].name, model.entities[b.entity].name)
    return first == second ? a.name < b.name : first < second
  }
}
