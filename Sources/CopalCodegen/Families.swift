import CopalEssentials
import CopalModel

/// The children of each entity of a model, which itself only says the parents.
struct Families {
  private var children: [[Int]]

  init(_ model: ManagedObjectModel) {
    children = Array(repeating: [], count: model.entities.count)
    for (index, entity) in model.entities.enumerated() {
      guard let parent = entity.parent.flatMap(model.entityIndex) else { continue }
      children[parent].append(index)
    }
  }

  func hasChildren(_ index: Int) -> Bool { !children[index].isEmpty }

  /// The entities below one, in the order of the model.
  func descendants(of index: Int) -> [Int] {
    var (found, open) = ([] as [Int], [index])
    while let next = open.popLast() {
      found += children[next]
      open += children[next]
    }
    return found.inOrder()
  }
}
