import CopalEssentials
import CopalModel

/// Properties that some objects do not have any more, and those that have the values of others.
extension ModelDifference {
  /// A property that was removed, or that has moved to a subentity.
  struct Removal {
    let loss: PropertyLoss
    /// `attribute` or `relationship`.
    let kind: String
    /// Whether a transient attribute has the name now.
    var isTransient = false
    /// What names it as its former name; nil if nothing does.
    let heir: String?
    /// What the heir is in the store.
    let taken: String?
    /// The name that it may have now.
    let suggestion: String?
  }

  /// Adds the removal of a property. Without the word, it is refused; where a subentity has the
  /// property now, only if other objects have a value.
  mutating func add(_ removal: Removal) {
    let (name, owner) = (removal.loss.place.name, entity(removal.loss.entity))
    let hasWord = owner.removed.contains(name)
    if let keeper = removal.loss.keeper {
      let detail = "moved to the subentity \(entity(keeper).name)"
      return add(
        hasWord
          ? ModelChange(
            .moved, entity: owner.name, property: name, detail: detail, effect: .writesRows,
            outcome: .lossy(word: "removed"))
          : ModelChange(
            .moved, entity: owner.name, property: name, detail: detail, outcome: .dependsOnRows,
            refusal: ModelChange.Refusal(
              .migrationRemoved, cure: "add \(name.quoted) to \"removed\" of \(owner.name)")))
    }
    let detail =
      removal.isTransient
      ? "removed, and transient now"
      : "removed" + Self.clause(heir: removal.heir, taken: removal.taken)
    if hasWord {
      return add(
        ModelChange(
          .removed, entity: owner.name, property: name, detail: detail, effect: .writesRows,
          outcome: .lossy(word: "removed")))
    }
    let isInStore = removal.heir != nil && removal.taken == removal.heir
    let cure =
      (isInStore ? removal.heir : nil).map(Self.cureOfTakenName)
      ?? "add \(name.quoted) to \"removed\" of \(owner.name)"
      + (removal.isTransient || removal.heir != nil
        ? ""
        : ", or write \"renamedFrom\": \(name.quoted) at the \(removal.kind) that it is now")
    add(
      ModelChange(
        .removed, entity: owner.name, property: name, detail: detail,
        refused: ModelChange.Refusal(.migrationRemoved, cure: cure, suggestion: removal.suggestion))
    )
  }

  /// Adds that a property has the values of several old ones, or of one that others go on with,
  /// too.
  mutating func addJoin(_ places: [ModelMapping.Place], of name: String, _ owner: String) {
    if places.count < 2, !places.contains(where: isShared) { return }
    add(
      ModelChange(
        .moved, entity: owner, property: name, detail: "has the values of \(texts(places))",
        effect: .writesRows))
  }

  /// The old properties, for a sentence.
  func texts(_ places: [ModelMapping.Place]) -> String {
    places.map { "\(mapping.old.entities[$0.entity].name).\($0.name)" }.inOrder().enumeration
  }
}
