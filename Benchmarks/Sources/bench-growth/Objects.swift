import BenchKit
import Copal
import Foundation
import GrowthModel

func open(_ file: String) throws -> PersistentContainer {
  try PersistentContainer(model: .growth, store: .sqlite(at: URL(filePath: file)))
}

extension Item {
  func set(_ row: BenchKit.Row) {
    name = row.name
    note = row.note
    count = row.count
    ratio = row.ratio
    price = row.price
    created = Date(timeIntervalSinceReferenceDate: row.created)
    flag = row.flag
    color = Data(row.color)
  }
}

/// Makes an item with all its values.
@discardableResult
func makeItem(_ row: BenchKit.Row, in context: ManagedObjectContext) -> Item {
  let item = Item(context: context)
  item.set(row)
  return item
}

@discardableResult
func makeTag(_ name: String, rank: Int, in context: ManagedObjectContext) -> Tag {
  let tag = Tag(context: context)
  tag.name = name
  tag.rank = Int64(rank)
  return tag
}

/// Makes a file and closes it, so that all programs start in the same state.
func fill(_ content: GrowthWorkload.Content, _ size: Int, _ file: String) throws {
  let context = try open(file).makeContext()
  switch content {
  case .nothing: break
  case .items, .fewItems:
    for row in Row.make(content == .items ? size : 10_000) { makeItem(row, in: context) }
  case .tags:
    // Neighbors in rank are not neighbors in the table.
    for (number, name) in GrowthWorkload.names(size).enumerated() {
      makeTag(name, rank: number * 7919 % size, in: context)
    }
  }
  try context.save()
}
