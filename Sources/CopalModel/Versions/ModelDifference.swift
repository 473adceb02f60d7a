/// The differences between the model of a store and a newer model, in the order of the newer one.
///
/// Each property is compared once: in the entity that declares it. What the rows say is not known
/// here, so a change may depend on them.
package struct ModelDifference: Sendable {
  package let mapping: ModelMapping
  package private(set) var changes: [ModelChange] = []

  package init(_ mapping: ModelMapping) {
    self.mapping = mapping
    for index in mapping.old.entities.indices where mapping.newEntity(of: index) == nil {
      addRemoval(of: index)
    }
    let refusedRoots = compareFamilies()
    let kept = mapping.keptPairs
    for index in mapping.new.entities.indices {
      if refusedRoots.contains(mapping.new.line(index)[0]) { continue }
      compareEntity(index)
      compareAttributes(index)
      compareConstraints(index)
      compareIndexes(index)
      compareRelationships(index, keeping: kept)
    }
  }

  /// Whether programs with the older model can go on with the store.
  package var isHarmless: Bool { changes.allSatisfy(\.isHarmless) }

  mutating func add(_ change: ModelChange) { changes.append(change) }

  /// An entity of the newer model.
  func entity(_ index: Int) -> EntityDescription { mapping.new.entities[index] }

  /// The old form of an entity of the newer model; nil for a new one.
  func former(_ index: Int) -> EntityDescription? {
    mapping.oldEntity(of: index).map { mapping.old.entities[$0] }
  }

  /// The names of new entities, for a sentence.
  func list(_ entities: [Int]) -> String { entities.map { entity($0).name }.sorted().enumeration }

  // MARK: Entities

  private mutating func addRemoval(of index: Int) {
    let (old, name) = (mapping.old, mapping.old.entities[index].name)
    let survivors = mapping.oldKinds[index].compactMap(mapping.newEntity)
    guard survivors.isEmpty else {
      let names = list(survivors)
      return add(
        .needingStep(
          .parent, entity: name,
          "was removed, and its subentities \(names) would leave the table of the family"))
    }
    if old.entities[index].isAbstract, old.line(index).count == 1 {
      return add(ModelChange(.removed, entity: name, detail: "removed"))
    }
    guard mapping.new.removed.contains(name) else {
      let heir = mapping.new.entities.first { $0.renamedFrom.contains(name) }?.name
      let taken = heir.flatMap(mapping.new.entityIndex).flatMap(mapping.oldEntity)
        .map { old.entities[$0].name }
      let cure =
        (taken == heir ? heir : nil).map(Self.cureOfTakenName)
        ?? "add \(name.quoted) to \"removed\" of the model"
        + (heir == nil
          ? ", or write \"renamedFrom\": \(name.quoted) at the entity that it is now" : "")
      return add(
        ModelChange(
          .removed, entity: name, detail: "removed" + Self.clause(heir: heir, taken: taken),
          refused: ModelChange.Refusal(
            .migrationRemoved, cure: cure, suggestion: suggestion(forEntity: index))))
    }
    // The rows of a subentity are in the table of its family, and others may refer to them.
    if old.line(index).count > 1, let referring = relationship(to: index) {
      return add(
        .needingStep(
          .removed, entity: name,
          "was removed, and the relationship \(referring) can lead to its objects"))
    }
    add(
      ModelChange(
        .removed, entity: name, detail: "removed", effect: .writesRows,
        outcome: .lossy(word: "removed")))
  }

  /// Why a renaming does not apply: the store has the new name, or another former name of it.
  ///
  /// - Parameters:
  ///   - heir: what names the removed thing as its former name; nil if nothing does.
  ///   - taken: what the heir is in the store.
  static func clause(heir: String?, taken: String?) -> String {
    guard let heir, let taken else { return "" }
    return heir == taken
      ? ", and \(heir) is in the store, too" : ", and \(heir) is what was \(taken)"
  }

  /// What a person can do about that.
  static func cureOfTakenName(_ name: String) -> String {
    "use two versions: in the first one, remove or rename what the store has as \(name)"
  }

  /// The new entity that an old one may be: the only new one with the same attributes.
  private func suggestion(forEntity index: Int) -> String? {
    func types(_ entity: EntityDescription) -> [String: AttributeType] {
      Dictionary(
        entity.storedAttributes.map { ($0.name, $0.type) }, uniquingKeysWith: { first, _ in first })
    }
    let wanted = types(mapping.old.entities[index])
    let found = mapping.new.entities.indices.filter {
      mapping.oldEntity(of: $0) == nil && types(entity($0)) == wanted
    }
    return found.count == 1 ? entity(found[0]).name : nil
  }

  /// A relationship that can lead to an old entity, or that it has.
  private func relationship(to index: Int) -> String? {
    let line = Set(mapping.old.line(index).map { mapping.old.entities[$0].name })
    for entity in mapping.old.entities {
      for relationship in entity.relationships
      where line.contains(relationship.destination) || line.contains(entity.name) {
        return "\(entity.name).\(relationship.name)"
      }
    }
    return nil
  }

  private mutating func compareEntity(_ index: Int) {
    let now = entity(index)
    guard let was = former(index) else {
      return add(
        ModelChange(.added, entity: now.name, detail: "new", isHarmless: isAlone(index)))
    }
    if was.name != now.name {
      // In a family, each row has the name of its entity.
      let isInFamily = mapping.new.line(index).count > 1 || mapping.kinds[index].count > 1
      add(
        ModelChange(
          .renamed, entity: now.name, detail: "renamed from \(was.name)",
          effect: isInFamily && !now.isAbstract ? .writesRows : .inPlace))
    }
    if was.isAbstract != now.isAbstract {
      add(
        ModelChange(
          .abstract, entity: now.name,
          detail: now.isAbstract ? "abstract now" : "not abstract any more", effect: .nothing,
          outcome: now.isAbstract ? .dependsOnRows : .lossless,
          refusal: now.isAbstract
            ? ModelChange.Refusal(
              .migrationAbstractWithObjects,
              cure:
                "remove \"abstract\", or delete these objects with the program that had the model")
            : nil))
    }
  }

  /// Whether a new entity has nothing to do with the entities that the store has. Older programs
  /// remove files of large values that are in no attribute that they know.
  private func isAlone(_ index: Int) -> Bool {
    if entity(index).storedAttributes.contains(where: { $0.externalThreshold != nil }) {
      return false
    }
    let family = mapping.new.line(index) + mapping.kinds[index]
    let destinations = entity(index).relationships.map(\.destination)
    let reached = family + destinations.compactMap(mapping.new.entityIndex)
    return reached.allSatisfy { mapping.oldEntity(of: $0) == nil }
  }

  // MARK: Unique constraints

  private mutating func compareConstraints(_ index: Int) {
    let before = Set(
      (former(index)?.uniqueConstraints ?? []).map { names in
        names.map { mapping.newName(ofAttribute: $0, of: index) ?? $0 }.sorted()
      })
    let after = entity(index).constraintsInAnyOrder
    for names in before.subtracting(after).inOrder where !hasMoved(names, from: index) {
      add(
        ModelChange(
          .unique, entity: entity(index).name, property: names.joined(separator: ", "),
          detail: "not unique any more"))
    }
    let hasObjects = !mapping.entitiesWithObjects(of: index).isEmpty
    // Of a new entity there are no objects yet.
    for names in after.subtracting(before).inOrder where former(index) != nil || hasObjects {
      add(
        ModelChange(
          .unique, entity: entity(index).name, property: names.joined(separator: ", "),
          detail: "unique", outcome: hasObjects ? .dependsOnRows : .lossless,
          refusal: ModelChange.Refusal(
            .migrationDuplicates,
            cure:
              "make the values different with the program that had the model, or remove the constraint"
          )))
    }
  }

  /// Whether an ancestor has a constraint now.
  private func hasMoved(_ constraint: [String], from index: Int) -> Bool {
    mapping.new.ancestors(ofEntity: index).contains {
      entity($0).constraintsInAnyOrder.contains(constraint)
    }
  }

  private mutating func compareIndexes(_ index: Int) {
    if former(index) == nil { return }
    let before = Set(
      (former(index)?.indexes ?? []).map { description in
        description.attributes.map { mapping.newName(ofAttribute: $0, of: index) ?? $0 }
      })
    let after = Set(entity(index).indexes.map(\.attributes))
    for (names, detail) in after.subtracting(before).inOrder.map({ ($0, "index") })
      + before.subtracting(after).inOrder.map({ ($0, "no index any more") })
    {
      add(
        ModelChange(
          .index, entity: entity(index).name, property: names.joined(separator: ", "),
          detail: detail, isHarmless: true))
    }
  }
}

extension ModelChange {
  /// A change that no model file can describe yet.
  ///
  /// - Parameter sentence: what follows the subject.
  static func needingStep(
    _ kind: Kind, entity: String, property: String? = nil, _ sentence: String
  ) -> ModelChange {
    let cure = "undo the change, or copy the objects into a new store"
    return ModelChange(
      kind, entity: entity, property: property, detail: sentence,
      refused: Refusal(.migrationNeedsStep, cure: cure))
  }
}

extension EntityDescription {
  /// The unique constraints. The order of attributes in a constraint does not matter.
  package var constraintsInAnyOrder: Set<[String]> { Set(uniqueConstraints.map { $0.sorted() }) }
}

extension Set<[String]> {
  /// The lists in the order of their texts.
  fileprivate var inOrder: [[String]] {
    sorted { $0.joined(separator: ", ") < $1.joined(separator: ", ") }
  }
}

extension [String] {
  /// The words as an enumeration: `Link, Photo and Video`.
  var enumeration: String {
    guard let last, count > 1 else { return first ?? "" }
    return dropLast().joined(separator: ", ") + " and " + last
  }
}

extension String {
  /// The text in quotation marks, as in a model file.
  var quoted: String { "\"\(self)\"" }
}
