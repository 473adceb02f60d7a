import CopalEssentials
import CopalModel

/// The differences between the model of a store and a newer model, in the order of the newer one.
///
/// Each property is compared once: in the entity that declares it. What the rows say is not known
/// here, so a change may depend on them.
package struct ModelDifference: Sendable {
  package let mapping: ModelMapping
  package private(set) var changes: [ModelChange] = []
  /// What some objects had, and do not have any more.
  package let losses: [PropertyLoss]
  /// The old properties that several new ones go on with.
  private let shared: Set<ModelMapping.Place>

  package init(_ mapping: ModelMapping) {
    self.mapping = mapping
    shared = mapping.sharedPlaces
    losses = PropertyLoss.all(of: mapping)
    for index in mapping.old.entities.indices where mapping.newEntity(of: index) == nil {
      addRemoval(of: index)
    }
    let kept = mapping.keptPairs
    for index in mapping.new.entities.indices {
      compareEntity(index)
      compareParents(index)
      compareAttributes(index)
      compareConstraints(index)
      compareIndexes(index)
      compareRelationships(index, keeping: kept)
    }
  }

  /// Whether programs with the older model can go on with the store.
  package var isHarmless: Bool { changes.allSatisfy(\.isHarmless) }

  mutating func add(_ change: ModelChange) { changes.append(change) }

  /// Whether another property goes on with the values of an old one, too.
  func isShared(_ place: ModelMapping.Place) -> Bool { shared.contains(place) }

  /// An entity of the newer model.
  func entity(_ index: Int) -> EntityDescription { mapping.new.entities[index] }

  /// The old form of an entity of the newer model; nil for a new one.
  func former(_ index: Int) -> EntityDescription? {
    mapping.oldEntity(of: index).map { mapping.old.entities[$0] }
  }

  /// The names of old entities, for a sentence: the names of now, but where objects become those of
  /// an entity that merges them.
  func list(_ formers: [Int]) -> String {
    formers.compactMap { former in
      mapping.newEntity(of: former).map { index in
        mapping.oldEntity(of: index) == former
          ? entity(index).name : mapping.old.entities[former].name
      }
    }.inOrder().enumeration
  }

  // MARK: Entities

  private mutating func addRemoval(of index: Int) {
    let (old, name) = (mapping.old, mapping.old.entities[index].name)
    if old.entities[index].isAbstract {
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

  private mutating func compareEntity(_ index: Int) {
    let now = entity(index)
    guard let was = former(index) else {
      return add(
        ModelChange(.added, entity: now.name, detail: "new", isHarmless: isAlone(index)))
    }
    if was.name != now.name {
      // In a family, each row has the name of its entity. Rows of a root get other keys where ids
      // of another one have had its name.
      let isInFamily = mapping.new.line(index).count > 1 || mapping.kinds[index].count > 1
      let isTaken =
        mapping.old.entity(now.name)?.parent == nil
        && mapping.old.entity(now.name) != nil
      add(
        ModelChange(
          .renamed, entity: now.name, detail: "renamed from \(was.name)",
          effect: isInFamily && !now.isAbstract || isTaken ? .writesRows : .inPlace))
    }
    if was.isAbstract != now.isAbstract {
      add(
        ModelChange(
          .abstract, entity: now.name,
          detail: now.isAbstract ? "abstract now" : "not abstract any more", effect: .nothing,
          outcome: now.isAbstract ? .dependsOnRows : .lossless,
          refusal: now.isAbstract ? Self.refusalOfAbstract : nil))
    }
  }

  static let refusalOfAbstract = ModelChange.Refusal(
    .migrationAbstractWithObjects,
    cure: "remove \"abstract\", or delete these objects with the program that had the model")

  /// Whether a new entity has nothing to do with the entities that the store has. Older programs
  /// remove files of large values that are in no attribute that they know. A store with search has
  /// requirements.
  private func isAlone(_ index: Int) -> Bool {
    if entity(index).storedAttributes.contains(where: {
      $0.externalThreshold != nil || !$0.search.isEmpty || !$0.projections.isEmpty
    }) {
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
      mapping.oldEntity(of: index).map { former in
        mapping.old.entities[former].uniqueConstraints.map { constraint in
          constraint.renamed { mapping.newName(ofAttribute: $0, from: former) ?? $0 }
            .attributesWithIgnored.inOrder()
        }
      } ?? [])
    let after = entity(index).constraintsInAnyOrder
    for names in before.subtracting(after).inTextOrder where !hasMoved(names, from: index) {
      add(
        ModelChange(
          .unique, entity: entity(index).name, property: names.joined(separator: ", "),
          detail: "not unique any more"))
    }
    let formers = mapping.entitiesWithObjects(of: index)
    for names in after.inTextOrder {
      let scopes = Set(formers.map { scope(of: names, from: $0) })
      if scopes.isEmpty ? before.contains(names) : scopes.count == 1 && scopes != [nil] { continue }
      // Of a new entity there are no objects yet.
      if former(index) == nil, formers.isEmpty { continue }
      add(
        ModelChange(
          .unique, entity: entity(index).name, property: names.joined(separator: ", "),
          detail: scopes.contains(nil) || scopes.isEmpty
            ? "unique" : "unique among the objects of \(list(formers))",
          outcome: formers.isEmpty ? .lossless : .dependsOnRows,
          refusal: ModelChange.Refusal(.migrationDuplicates, cure: Self.cureOfDuplicates)))
    }
  }

  package static let cureOfDuplicates =
    "make the values different with the program that had the model, or remove the constraint"

  /// The old entity whose constraint has kept the values of some attributes of an old entity's
  /// objects different; nil if there was none.
  ///
  /// - Parameter names: the names that the attributes have now.
  private func scope(of names: [String], from former: Int) -> Int? {
    mapping.old.line(former).first { ancestor in
      mapping.old.entities[ancestor].uniqueConstraints.contains { constraint in
        constraint.renamed { mapping.newName(ofAttribute: $0, from: former) }
          .attributesWithIgnored.inOrder() == names
      }
    }
  }

  /// Whether an ancestor has a constraint now.
  private func hasMoved(_ constraint: [String], from index: Int) -> Bool {
    mapping.new.ancestors(ofEntity: index).contains {
      entity($0).constraintsInAnyOrder.contains(constraint)
    }
  }

  private mutating func compareIndexes(_ index: Int) {
    guard let former = mapping.oldEntity(of: index) else { return }
    let before = Set(
      mapping.old.entities[former].indexes.map { description in
        let names = description.attributes.map { name in
          (old: name, new: mapping.newName(ofAttribute: name, from: former) ?? name)
        }
        let descending = names.filter { description.descending.contains($0.old) }.map(\.new)
        return IndexDescription(names.map(\.new), descending: Set(descending)).directedAttributes
      })
    let after = Set(entity(index).indexes.map(\.directedAttributes))
    for (names, detail) in after.subtracting(before).inTextOrder.map({ ($0, "index") })
      + before.subtracting(after).inTextOrder.map({ ($0, "no index any more") })
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

extension UniqueConstraintDescription {
  /// The constraint with other names of its attributes, without those that have none.
  fileprivate func renamed(_ newName: (String) -> String?) -> Self {
    var ignoring: [String: Set<Difference>] = [:]
    for (name, differences) in self.ignoring {
      if let name = newName(name) { ignoring[name] = differences }
    }
    return Self(attributes.compactMap(newName), ignoring: ignoring)
  }
}

extension Set<[String]> {
  /// The lists in the order of their texts.
  fileprivate var inTextOrder: [[String]] {
    inOrder { $0.joined(separator: ", ") < $1.joined(separator: ", ") }
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
