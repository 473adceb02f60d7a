import BenchKit
import Copal
import GrowthModel

// Work on one object in a context that has many.

/// A context with all tags of a file, each with an unsaved name.
private func contextWithChanges(_ file: String) throws -> (ManagedObjectContext, [Tag]) {
  let context = try open(file).makeContext()
  let tags = try context.fetch(Tag.self)
  for tag in tags { tag.name += "!" }
  return (context, tags)
}

func limitBesideChanges(_ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let (context, tags) = try contextWithChanges(file)
  var sum = Checksum()
  var measured = try budget.measure { call in
    for tag in try context.fetch(Tag.self, sortedBy: \.rank.ascending, limit: 1) {
      sum.add(tag.rank, of: call)
    }
  }
  measured.checksum = sum.value
  return withExtendedLifetime(tags) { measured }
}

func countBesideChanges(_ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let (context, tags) = try contextWithChanges(file)
  var sum = Checksum()
  var measured = try budget.measure { call in
    sum.add(Int64(try context.count(Tag.self) { $0.rank == Int64(call % 1000) }), of: call)
  }
  measured.checksum = sum.value
  return withExtendedLifetime(tags) { measured }
}

func batchBesideObjects(_ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  let tags = try context.fetch(Tag.self, sortedBy: \.rank.ascending)
  let names = tags.prefix(1000).map(\.name)
  var sum = Checksum()
  var measured = try budget.measure(3) { call in
    let rank = Int64(call % names.count)
    var changed = try context.updateAll(Tag.self, where: { $0.rank == rank }) {
      $0.rank.set(to: -rank - 1)
    }
    changed += try context.deleteAll(Tag.self) { $0.rank == -rank - 1 }
    // The next workloads use the file, too.
    let name = names[call % names.count]
    changed += try context.insertAll(Tag.self, from: [name]) { tag, name in
      tag.name.set(to: name)
      tag.rank.set(to: rank)
    }.count
    sum.add(Int64(changed), of: call)
  }
  measured.checksum = sum.value
  return withExtendedLifetime(tags) { measured }
}

func undoBesideObjects(_ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  struct Undo: Error {}
  let context = try open(file).makeContext()
  let tags = try context.fetch(Tag.self)
  var sum = Checksum()
  var measured = try budget.measure { call in
    do {
      try context.transaction {
        tags[call % tags.count].name = "new"
        try context.save()
        throw Undo()
      }
    } catch is Undo {
      sum.add(1, of: call)
    }
  }
  measured.checksum = sum.value
  return withExtendedLifetime(tags) { measured }
}
