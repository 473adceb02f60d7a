import BenchKit
import Copal
import Foundation
import RelationshipModel

func open(_ file: String) throws -> PersistentContainer {
  try PersistentContainer(model: .relationships, store: .sqlite(at: URL(filePath: file)))
}

func makeParent(_ row: Row, rank: Int, in context: ManagedObjectContext) -> Parent {
  let parent = Parent(context: context)
  parent.name = row.name
  parent.rank = Int64(rank)
  return parent
}

func makeChild(_ row: Row, in context: ManagedObjectContext) -> Child {
  let child = Child(context: context)
  child.name = row.name
  child.note = row.note
  child.count = row.count
  child.ratio = row.ratio
  return child
}

/// Makes the objects of a family, and sets the relationship from either end in turn.
func makeObjects(_ family: Family, in context: ManagedObjectContext) -> [Parent] {
  let parents = family.parents.enumerated().map { makeParent($1, rank: $0, in: context) }
  for (number, row) in family.children.enumerated() {
    let child = makeChild(row, in: context)
    let parent = parents[Family.parent(ofChild: number)]
    if number % 2 == 0 { child.parent = parent } else { parent.children.insert(child) }
  }
  return parents
}
