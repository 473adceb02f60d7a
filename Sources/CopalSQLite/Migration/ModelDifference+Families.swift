import CopalStore

/// The differences in the lines of inheritance.
///
/// New entities may come before, between and after the entities of a line. The others stay where
/// they are.
extension ModelDifference {
  /// - Returns: the roots of the families that are refused, as positions in the new model.
  mutating func compareFamilies() -> Set<Int> {
    var refusedRoots: Set<Int> = []
    for root in history.new.entities where root.root == root.index {
      let lines = linesOfFamily(root)
      if lines.isEmpty { continue }
      refused += lines
      refusedRoots.insert(root.index)
    }
    return refusedRoots
  }

  private func linesOfFamily(_ root: EntityLayout) -> [String] {
    let family = history.new.kinds(of: root.index).map { history.new.entities[$0] }
    let moves = family.compactMap(lineOfMove)
    if !moves.isEmpty { return moves }
    let oldRoots = Set(family.compactMap { history.before($0)?.root })
    if oldRoots.count < 2 { return [] }
    let names = list(oldRoots.map { history.old.entities[$0] })
    return [
      "the entities \(names) have tables of their own, which cannot become the one table of \(root.name)"
    ]
  }

  /// The line for an entity that has another ancestor than before, not counting new entities.
  private func lineOfMove(_ layout: EntityLayout) -> String? {
    guard let before = history.before(layout) else { return nil }
    let was = before.ancestors.map { history.old.entities[$0] }
      .last { history.after($0) != nil }?.name
    let now = layout.ancestors.map { history.new.entities[$0] }
      .last { history.before($0) != nil }?.name
    if was == now { return nil }
    return switch (was, now) {
    case (let was?, let now?):
      "the entity \(layout.name) inherited from \(was), and inherits from \(now) now"
    case (let was?, nil): "the entity \(layout.name) inherited from \(was), and does not now"
    default: "the entity \(layout.name) did not inherit from \(now ?? ""), and does now"
    }
  }
}
