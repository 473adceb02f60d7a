import CopalModel
import CopalStore

@testable import CopalObjects

extension ManagedObjectContext {
  /// What is wrong with the relationships of the context: members, references and rows must agree.
  /// It reads nothing.
  var graphProblems: [String] {
    state.relationships.places.flatMap(problems(at:)) + referenceProblems
  }

  /// What is wrong with the members of one object.
  private func problems(at place: RelationshipPlace) -> [String] {
    guard let list = state.relationships.list(place) else { return [] }
    let relationship = state.container.entities[place.entity].relationships[place.ordinal]
    let name = "\(relationship.description.name) of \(place.key)"
    let entries = Self.entries(of: list)
    var found: [String] = []
    if entries != entries.sorted() { found.append("\(name) is not in order") }
    if Set(entries.map(\.key)).count != entries.count { found.append("\(name) has one twice") }
    if list.count != entries.count { found.append("\(name) counts \(list.count)") }
    let owner = state.object(entity: place.entity, key: place.key)
    if owner?.flags.isDisjoint(with: [.deleted, .gone]) == false { return found }
    for entry in entries {
      let object = state.object(entity: relationship.destination, key: entry.key)
      if let object, !object.flags.isDisjoint(with: [.deleted, .gone]) {
        found.append("\(name) has \(entry.key), which is deleted")
      }
      if entry.key < 0, object == nil { found.append("\(name) has \(entry.key), which is gone") }
      if let problem = problem(entry, object, of: place, relationship) {
        found.append("\(name): \(problem)")
      }
    }
    return found + orderProblems(at: place, relationship, entries)
  }

  /// Whether a sort order that is kept is not that of the values.
  private func orderProblems(
    at place: RelationshipPlace, _ relationship: RelationshipRuntime, _ entries: [MemberEntry]
  ) -> [String] {
    guard let owner = state.object(entity: place.entity, key: place.key),
      let kept = SortOrder(state, relationship, of: owner).current()?.keys
    else { return [] }
    let name = "\(relationship.description.name) of \(place.key)"
    let objects = entries.compactMap {
      state.object(entity: relationship.destination, key: $0.key)
    }
    guard objects.count == entries.count, objects.allSatisfy({ !$0.isFault || $0.isMissingInStore })
    else { return ["\(name) keeps the order of objects that are not in memory"] }
    let keys = relationship.sortKeys
    let values = objects.map { object in keys.map { object.queryValue($0.slot) } }
    let order = objects.indices.sorted { keys.order(values[$0], values[$1]) ?? ($0 < $1) }
    return order.map { entries[$0].key } == Array(kept) ? [] : ["\(name) is not sorted"]
  }

  private static func entries(of list: MemberList) -> [MemberEntry] {
    (0..<list.count).compactMap { list[$0] }
  }

  /// Whether the other end of a member disagrees.
  private func problem(
    _ entry: MemberEntry, _ object: ManagedObject?, of place: RelationshipPlace,
    _ relationship: RelationshipRuntime
  ) -> String? {
    if let slot = relationship.inverseSlot {
      guard let object, !object.flags.contains(.fault) else { return nil }
      let root = state.container.entities[place.entity].root
      let held = object.heldReference(slot).map { state.permanent($0, root: root) }
      if held != place.key { return "\(entry.key) refers to \(held ?? 0)" }
      guard let position = relationship.positionSlot else { return nil }
      return (object.heldPosition(position) ?? .min) == entry.position
        ? nil : "\(entry.key) is at \(object.heldPosition(position) ?? .min), not \(entry.position)"
    }
    guard case .toMany(let ordinal, _) = relationship.inverse else { return nil }
    let back = RelationshipPlace(
      entity: relationship.inverseEntity, ordinal: ordinal, key: entry.key)
    guard let list = state.relationships.list(back) else { return nil }
    let isThere = Self.entries(of: list).contains { $0.key == place.key }
    return isThere ? nil : "\(entry.key) does not have it"
  }

  /// Objects that refer to another one, and are not among its members.
  private var referenceProblems: [String] {
    var objects: Set<ManagedObject> = Set(state.changed.objects)
    state.forEachRegistered { objects.insert($0) }
    var found: [String] = []
    for object in objects
    where object.flags.isDisjoint(with: [.fault, .deleted, .gone, .missing]) {
      for relationship in object.runtime.memberships {
        guard let slot = relationship.slot, case .toMany(let ordinal, _) = relationship.inverse,
          let held = object.heldReference(slot)
        else { continue }
        let key = state.permanent(held, root: relationship.destinationRoot)
        let place = RelationshipPlace(
          entity: relationship.inverseEntity, ordinal: ordinal, key: key)
        guard let list = state.relationships.list(place) else { continue }
        if !Self.entries(of: list).contains(where: { $0.key == object.key }) {
          found.append("\(object.objectID) is not in \(relationship.description.name) of \(key)")
        }
      }
    }
    return found
  }
}
