import BenchKit
import BenchModel
import Copal
import Foundation

extension Checksum {
  @inline(__always)
  mutating func add(_ item: Item) {
    add(item.name)
    add(item.note)
    add(item.count)
    add(item.ratio)
    add(item.price)
    add(item.created.timeIntervalSinceReferenceDate)
    add(item.flag)
    if let color = item.color { add(bytes: color.count, first: color.first ?? 0) }
  }
}

func open(_ file: String) throws -> PersistentContainer {
  try PersistentContainer(model: .bench, store: .sqlite(at: URL(filePath: file)))
}

func checksum(_ items: [Item]) -> UInt64 {
  var sum = Checksum()
  for item in items { sum.add(item) }
  return sum.value
}

// A context keeps fetched objects for a while. Each piece of work has its own context, so that
// releasing everything is part of the measurement, as in the other programs.
benchmarkProgram { workload, rows, file in
  switch workload {
  case .insert:
    let data = Row.make(rows)
    let colors = data.map { Data($0.color) }
    return {
      let context = try open(file).makeContext()
      for (row, color) in zip(data, colors) {
        let item = Item(context: context)
        item.name = row.name
        item.note = row.note
        item.count = row.count
        item.ratio = row.ratio
        item.price = row.price
        item.created = Date(timeIntervalSinceReferenceDate: row.created)
        item.flag = row.flag
        item.color = color
      }
      try context.save()
      return UInt64(try context.count(Item.self))
    }
  case .fetchAll:
    let container = try open(file)
    return { checksum(try container.makeContext().fetch(Item.self)) }
  case .fetchOne:
    let container = try open(file)
    return {
      let context = container.makeContext()
      var sum = Checksum()
      for item in try context.fetch(Item.self) { sum.add(item.count) }
      return sum.value
    }
  case .ids:
    let container = try open(file)
    return {
      let context = container.makeContext()
      return UInt64(try context.fetchIDs(Item.fetchRequest()).count)
    }
  case .get, .getReading:
    let container = try open(file)
    let all = Dictionary(
      uniqueKeysWithValues: try container.makeContext().fetchIDs(Item.fetchRequest()).enumerated()
        .map {
          (Int64($0 + 1), $1)
        })
    let ids = Workload.keys(of: rows).compactMap { all[$0] }
    func get(_ context: ManagedObjectContext) throws -> UInt64 {
      var sum = Checksum()
      for id in ids { sum.add(try context.existingObject(with: id, as: Item.self)) }
      return sum.value
    }
    return {
      let context = container.makeContext()
      return workload == .get
        ? try get(context) : try context.readTransaction { try get(context) }
    }
  case .filter:
    let container = try open(file)
    return {
      let context = container.makeContext()
      var sum = Checksum()
      for number in 0..<1000 {
        let items = try context.fetch(Item.self, sortedBy: \.name.ascending, limit: 50) {
          $0.count == Int64(number) && $0.ratio >= 0.1
        }
        for item in items { sum.add(item) }
      }
      return sum.value
    }
  case .update:
    let container = try open(file)
    return {
      let context = container.makeContext()
      let items = try context.fetch(Item.self) { $0.count < 100 }
      for item in items {
        item.ratio += 1
        item.name = "changed name"
      }
      try context.save()
      return UInt64(items.count)
    }
  case .delete:
    let container = try open(file)
    return {
      let context = container.makeContext()
      let items = try context.fetch(Item.self) { $0.count < 100 }
      for item in items { context.delete(item) }
      try context.save()
      return UInt64(items.count)
    }
  case .reopen:
    return {
      var sum = Checksum()
      for _ in 0..<200 {
        let context = try open(file).makeContext()
        for item in try context.fetch(Item.self, limit: 1) { sum.add(item) }
      }
      return sum.value
    }
  }
}
