/// The differences in the lines of inheritance.
///
/// New entities may come before, between and after the entities of a line. The others stay where
/// they are.
extension ModelDifference {
  /// - Returns: the roots of the families that are refused, as positions in the new model.
  mutating func compareFamilies() -> Set<Int> {
    var refusedRoots: Set<Int> = []
    for root in mapping.new.entities.indices where mapping.new.line(root) == [root] {
      let found = changesOfFamily(root)
      if found.isEmpty { continue }
      for change in found { add(change) }
      refusedRoots.insert(root)
    }
    return refusedRoots
  }

  private func changesOfFamily(_ root: Int) -> [ModelChange] {
    let moves = mapping.kinds[root].compactMap(changeOfParent)
    if !moves.isEmpty { return moves }
    let oldRoots = Set(
      mapping.kinds[root].compactMap(mapping.oldEntity).map { mapping.old.line($0)[0] })
    if oldRoots.count < 2 { return [] }
    let names = oldRoots.map { mapping.old.entities[$0].name }.sorted().enumeration
    return [
      .needingStep(
        .parent, entity: entity(root).name,
        "is the parent of \(names), whose tables cannot become one")
    ]
  }

  /// The change of an entity that has another ancestor than before, not counting new entities.
  private func changeOfParent(_ index: Int) -> ModelChange? {
    guard let former = mapping.oldEntity(of: index) else { return nil }
    let was = mapping.old.ancestors(ofEntity: former).last { mapping.newEntity(of: $0) != nil }
    let now = mapping.new.ancestors(ofEntity: index).last { mapping.oldEntity(of: $0) != nil }
    if was.flatMap(mapping.newEntity) == now { return nil }
    let (oldName, newName) = (
      was.map { mapping.old.entities[$0].name }, now.map { entity($0).name }
    )
    let sentence =
      switch (oldName, newName) {
      case (let was?, let now?): "inherited from \(was), and inherits from \(now) now"
      case (let was?, nil): "inherited from \(was), and does not now"
      default: "did not inherit from \(newName ?? ""), and does now"
      }
    return .needingStep(.parent, entity: entity(index).name, sentence)
  }
}
