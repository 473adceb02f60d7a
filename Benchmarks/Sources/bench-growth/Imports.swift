import BenchKit
import Copal
import GrowthModel

/// The usual loop of an import: find an object by a value, create it when it is missing.
func findOrCreate(_ questions: Int, _ file: String, _ budget: Budget) throws
  -> GrowthMeasurement
{
  let container = try open(file)
  let names = GrowthWorkload.names(questions)
  let start = Measurement.cpuSeconds()
  let context = container.makeContext()
  var sum = Checksum()
  var done = 0
  for number in 0..<questions {
    // Reading the clock in each iteration would be a part of the cost.
    if number % 256 == 255, budget.isSpent { break }
    let name = names[GrowthWorkload.askedName(number)]
    if let tag = try context.fetch(Tag.self, limit: 1, where: { $0.name == name }).first {
      sum.add(tag.rank)
    } else {
      makeTag(name, rank: number, in: context)
    }
    done += 1
  }
  try context.save()
  var measured = GrowthMeasurement(
    cpuMilliseconds: (Measurement.cpuSeconds() - start) * 1000, units: done,
    isStopped: done < questions)
  measured.checksum = sum.value
  return measured
}

/// A feed that is imported again: each second new object becomes a stored one, which the context has.
/// Beside it stands the save of as many new objects without a conflict.
func becoming(_ count: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let container = try open(file)
  let names = GrowthWorkload.names(2 * count)
  /// Saves entries with some names.
  func save(_ range: Range<Int>, in context: ManagedObjectContext) throws -> GrowthMeasurement {
    for number in range {
      let entry = Entry(context: context)
      (entry.code, entry.rank) = (names[number], Int64(number))
    }
    let start = Measurement.cpuSeconds()
    let report = try context.save()
    var measured = GrowthMeasurement(
      cpuMilliseconds: (Measurement.cpuSeconds() - start) * 1000, units: range.count)
    measured.checksum = UInt64(report.resolved.count)
    return measured
  }
  let reference = try save(0..<count, in: container.makeContext())
  let context = container.makeContext()
  context.mergePolicy = .mergeByPropertyObjectTrump
  let held = try context.fetch(Entry.self)
  var measured = try save(count / 2..<count / 2 + count, in: context)
  precondition(held.count == count && measured.checksum == UInt64(count - count / 2))
  measured.setReference(reference)
  return measured
}

/// Reads the id that stays the same over a save, after objects of two entities were inserted
/// alternately.
func idAfterTurns(pairs: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let rows = Row.make(pairs)
  let names = GrowthWorkload.names(pairs)
  let container = try open(file)
  /// Up to a thousand ids, spread over the inserted objects.
  func measureIDs(_ tags: [Tag]) -> GrowthMeasurement {
    let asked = (0..<min(1000, tags.count)).map { tags[$0 * 7919 % tags.count] }
    var temporary = 0
    let measured = budget.measure(asked.count) { _ in
      for tag in asked where tag.id.isTemporary { temporary += 1 }
    }
    precondition(temporary % asked.count == 0, "the id of an object changes")
    return measured
  }
  let alone = container.makeContext()
  let ordered = names.enumerated().map { makeTag($1, rank: $0, in: alone) }
  try alone.save()
  let reference = measureIDs(ordered)
  let context = container.makeContext()
  var tags: [Tag] = []
  var items: [Item] = []
  for (number, row) in rows.enumerated() {
    items.append(makeItem(row, in: context))
    tags.append(makeTag(names[number], rank: number, in: context))
  }
  try context.save()
  var measured = measureIDs(tags)
  measured.setReference(reference)
  measured.checksum = UInt64(items.count + tags.count)
  return measured
}

/// The last ten to twenty in rank of a growing table. With one bound alone, SQLite takes such a
/// range for a large part of the table, and a wrong order makes it read all.
func range(_ rows: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  var sum = Checksum()
  var calls = 0
  let start = Measurement.cpuSeconds()
  // As many as the C program, so that the sums can be compared.
  while calls < 1000, !(calls > 0 && calls % 8 == 0 && budget.isSpent) {
    let first = GrowthWorkload.rangeStart(calls, rows: rows)
    for tag in try context.fetch(Tag.self, where: { $0.rank >= first }) {
      sum.add(tag.rank)
    }
    calls += 1
  }
  var measured = GrowthMeasurement(
    cpuMilliseconds: (Measurement.cpuSeconds() - start) * 1000, units: calls,
    isStopped: calls < 1000)
  measured.checksum = sum.value
  return measured
}
