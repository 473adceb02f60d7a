import CopalModel

extension EntityLayout {
  /// The slot of a property in a query.
  ///
  /// - Parameter isNullTest: whether the query only asks for null, which is allowed for every
  ///   stored attribute.
  func querySlot(_ name: String, isNullTest: Bool = false) throws -> Int {
    guard let slot = slot(named: name) else {
      if let kind = relationshipKind(name) {
        throw PersistenceError(
          .notQueryable, entity: self.name, property: name, found: kind, expected: Self.askObjects)
      }
      if let attribute = attribute(atStartOf: name) {
        throw PersistenceError(
          .notQueryable, entity: self.name, property: name, found: "a path through an attribute",
          expected: remedy(forPathThrough: attribute),
          suggestion: NearestName.of(name, among: projections.map(\.path)))
      }
      if name == "objectID" {
        throw PersistenceError(
          .notQueryable, entity: self.name, property: name, found: "the id of an object",
          expected: Self.writeSelf)
      }
      throw PersistenceError(
        .unknownProperty, entity: self.name, property: name,
        suggestion: nearestPath(name))
    }
    return try querySlot(slot, name, isNullTest: isNullTest)
  }

  /// The attribute that a path of several names begins with; nil for another path.
  private func attribute(atStartOf path: String) -> String? {
    let first = String(path.prefix { $0 != "." })
    guard first.utf8.count < path.utf8.count, let slot = slotByName[first] else { return nil }
    return slots[slot].isReference ? nil : first
  }

  private func remedy(forPathThrough attribute: String) -> String {
    let paths = projections.map(\.path).filter { $0.hasPrefix(attribute + ".") }
    if let slot = slotByName[attribute], types[slot] == .transformable {
      return paths.isEmpty
        ? "which has no projections; \"project\" in the model makes the store keep some"
        : "which has the projections \(paths.joined(separator: ", "))"
    }
    return
      "which has no properties; name the attribute alone, or CAST(\(attribute), \"NSString\") for its text"
  }

  /// The path with the nearest name in place of its first one; nil when none is near.
  private func nearestPath(_ path: String) -> String? {
    let first = path.prefix { $0 != "." }
    return NearestName.of(String(first), among: slotByName.keys).map {
      $0 + path.dropFirst(first.count)
    }
  }

  /// The same for a slot whose name is known.
  func querySlot(_ slot: Int, _ name: String, isNullTest: Bool) throws -> Int {
    guard storedSlots.contains(slot) || projection(ofSlot: slot) != nil else {
      throw PersistenceError(
        .notQueryable, entity: self.name, property: name, found: "transient")
    }
    guard types[slot] != .transformable || isNullTest else {
      throw PersistenceError(
        .notQueryable, entity: self.name, property: name, found: "transformable")
    }
    guard isNullTest || !externalSlots.contains(slot) else {
      throw PersistenceError(
        .notQueryable, entity: self.name, property: name, found: "external")
    }
    return slot
  }

  /// The remedy for Core Data's `objectID` in a text.
  private static let writeSelf =
    "and no property; compare SELF, or the relationship itself, with an id, and leave it out of an order: without an order, objects come in that of their insertion"

  /// The remedy for a condition on a to-many relationship that does not say how its objects are
  /// asked.
  package static let askObjects =
    "so it has no single value; ask about its objects, with 'contains', 'allSatisfy' or 'count', or with ANY, ALL or @count in a text"

  /// What a name is that conditions cannot use: a to-many relationship, or a path that begins with
  /// a relationship.
  private func relationshipKind(_ name: String) -> String? {
    if toManyNames.contains(name) { return "a to-many relationship" }
    guard let point = name.firstIndex(of: ".") else { return nil }
    let first = String(name[..<point])
    let isToOne = slotByName[first].map { slots[$0].isReference } ?? false
    if toManyNames.contains(first) { return "a path through a to-many relationship" }
    return isToOne ? "a path through a relationship" : nil
  }
}
