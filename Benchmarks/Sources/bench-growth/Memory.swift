import BenchKit
import Copal
import GrowthModel

/// Does the work in batches of a thousand, and measures the memory after the first hundredth and at
/// the end. No object is referenced, so no memory may stay in use.
private func measureMemory(_ count: Int, _ budget: Budget, _ batch: (Int) throws -> Void) throws
  -> GrowthMeasurement
{
  let size = 1000
  let start = Measurement.cpuSeconds()
  var resident: (start: Int, end: Int) = (0, 0)
  var done = 0
  while done < count, !budget.isSpent {
    try batch(size)
    done += size
    // At least ten batches, because pages of the allocator and of SQLite's cache are allocated
    // once.
    if done == max(count / 100, size * 10) { resident.start = Measurement.residentKilobytes() }
  }
  resident.end = Measurement.residentKilobytes()
  var measured = GrowthMeasurement(
    cpuMilliseconds: (Measurement.cpuSeconds() - start) * 1000, units: done,
    isStopped: done < count)
  if resident.start > 0 {
    measured.residentStart = resident.start
    measured.residentEnd = resident.end
  }
  return measured
}

private let names = GrowthWorkload.names(1000)

func memoryUnsaved(_ count: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  return try measureMemory(count, budget) { size in
    for number in 0..<size {
      context.delete(makeTag(names[number], rank: number, in: context))
    }
  }
}

func memorySaved(_ count: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  return try measureMemory(count, budget) { size in
    let tags = (0..<size).map { makeTag(names[$0], rank: $0, in: context) }
    try context.save()
    for tag in tags { context.delete(tag) }
    try context.save()
  }
}

func memoryTurns(_ count: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  let rows = Row.make(500)
  return try measureMemory(count, budget) { size in
    var objects: [ManagedObject] = []
    for number in 0..<size / 2 {
      objects.append(makeItem(rows[number], in: context))
      objects.append(makeTag(names[number], rank: number, in: context))
    }
    try context.save()
    for object in objects { context.delete(object) }
    try context.save()
  }
}
