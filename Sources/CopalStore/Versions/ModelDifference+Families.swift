import CopalEssentials
import CopalModel

/// The differences in the lines of inheritance, and entities that become one.
extension ModelDifference {
  mutating func compareParents(_ index: Int) {
    let name = entity(index).name
    let merged = mapping.oldEntities(of: index).filter { $0 != mapping.oldEntity(of: index) }
    if !merged.isEmpty {
      let names = merged.map { mapping.old.entities[$0].name }
      add(
        ModelChange(
          .merged, entity: name, detail: "has the objects of \(names.enumeration)",
          effect: .writesRows))
      addAbstract(index, merging: merged)
    }
    let roots = mapping.oldRoots(ofFamily: index)
    // What is merged, is said already.
    let isMerged = roots.allSatisfy(mapping.oldEntities(of: index).contains)
    if mapping.new.line(index) == [index], roots.count > 1, !isMerged {
      let names = roots.map { mapping.old.entities[$0].name }.inOrder()
      add(
        ModelChange(
          .parent, entity: name, detail: "has one table for the families of \(names.enumeration)",
          effect: .writesRows))
    }
    if let former = mapping.oldEntity(of: index), let sentence = changeOfParent(former, index) {
      let isAlone = mapping.newRoots(ofFamily: mapping.old.line(former)[0]).count == 1
      let now = mapping.oldRoots(ofFamily: mapping.new.line(index)[0])
      add(
        ModelChange(
          .parent, entity: name, detail: sentence,
          effect: isAlone && now.count == 1 ? .inPlace : .writesRows))
    }
  }

  /// An abstract entity cannot have the objects of others.
  private mutating func addAbstract(_ index: Int, merging merged: [Int]) {
    guard entity(index).isAbstract, former(index)?.isAbstract != false,
      merged.contains(where: { !mapping.old.entities[$0].isAbstract })
    else { return }
    add(
      ModelChange(
        .abstract, entity: entity(index).name, detail: "abstract", effect: .nothing,
        outcome: .dependsOnRows, refusal: Self.refusalOfAbstract))
  }

  /// What is different for an entity that has another ancestor than before, not counting new ones.
  private func changeOfParent(_ former: Int, _ index: Int) -> String? {
    let was = mapping.old.ancestors(ofEntity: former).last { mapping.newEntity(of: $0) != nil }
    let now = mapping.new.ancestors(ofEntity: index).last { mapping.oldEntity(of: $0) != nil }
    if was.flatMap(mapping.newEntity) == now { return nil }
    let (oldName, newName) = (
      was.map { mapping.old.entities[$0].name }, now.map { entity($0).name }
    )
    return switch (oldName, newName) {
    case (let was?, let now?): "inherited from \(was), and inherits from \(now) now"
    case (let was?, nil): "inherited from \(was), and does not now"
    default: "inherits from \(newName ?? "") now"
    }
  }
}

extension ModelMapping {
  /// The roots of the old entities whose objects are in the family of a new root.
  package func oldRoots(ofFamily root: Int) -> [Int] {
    var roots: [Int] = []
    for former in kinds[root].flatMap(oldEntities) {
      let root = old.line(former)[0]
      if !roots.contains(root) { roots.append(root) }
    }
    return roots
  }

  /// The roots of the new entities that have the objects of the family of an old root.
  package func newRoots(ofFamily root: Int) -> [Int] {
    var roots: [Int] = []
    for index in oldKinds[root].compactMap(newEntity) {
      let root = new.line(index)[0]
      if !roots.contains(root) { roots.append(root) }
    }
    return roots
  }
}
