import BenchKit
import BenchModel
import Copal
import Foundation

// What it costs that contexts merge what others save. Prints lines of name, tab, figure. All sides
// of a ratio take turns in one process.

struct Failure: Error {}

let rounds = 9
let folder = FileManager.default.temporaryDirectory.appending(path: "copal-contexts-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// The values of a row, by its number.
func set(_ part: QueryProperties<Part>, _ number: Int, count: Int64) -> [BatchAssignment] {
  [
    part.code.set(to: "P-\(number)"), part.name.set(to: "Part number \(number)"),
    part.note.set(to: number % 3 == 0 ? nil : "a note about the part"),
    part.count.set(to: count), part.ratio.set(to: Double(number) / 3),
  ]
}

/// A new container with some rows.
func container(_ rows: Int, _ name: String) throws -> PersistentContainer {
  let made = try PersistentContainer(
    model: .bench, store: .sqlite(at: folder.appending(path: "\(name).sqlite")))
  if rows > 0 {
    try made.makeContext().insertAll(Part.self, from: 0..<rows) { set($0, $1, count: 0) }
  }
  return made
}

func cpu(_ work: () throws -> Void) rethrows -> Double {
  let start = Measurement.cpuSeconds()
  try work()
  return Measurement.cpuSeconds() - start
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

/// A context that merges by itself and that nothing calls: a view whose main actor is busy.
func merging(_ container: PersistentContainer) -> ManagedObjectContext {
  let context = container.makeContext()
  context.automaticallyMergesChanges = true
  return context
}

// MARK: One save beside 100,000 clean objects

do {
  let container = try container(100_000, "beside")
  let writer = container.makeContext()
  let part = try writer.fetch(Part.self, limit: 1)[0]
  func save(_ count: Int) throws {
    for _ in 0..<count {
      part.count += 1
      try writer.save()
    }
  }
  try save(200)
  var (alone, beside, merges): ([Double], [Double], [Double]) = ([], [], [])
  let view = merging(container)
  let objects = try view.fetch(Part.self)
  for _ in 0..<rounds {
    view.automaticallyMergesChanges = true
    beside.append(try cpu { try save(200) })
    merges.append(cpu { view.mergeChanges() })
    var times: [Double] = []
    for _ in 0..<200 {
      try save(1)
      times.append(cpu { view.mergeChanges() })
    }
    merges.append(median(times))
    // Without a context that merges.
    let other = container.makeContext()
    _ = other
    alone.append(try cpu { try save(200) })
    view.mergeChanges()
  }
  guard objects.count == 100_000 else { throw Failure() }
  let single = merges.enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  print("a save beside 100,000 objects that merge / alone\t\(median(beside) / median(alone))")
  print("microseconds to merge a save of 1 into 100,000 objects\t\(median(single) * 1e6)")
}

// MARK: Many rows

do {
  let container = try container(10_000, "many")
  let (writer, view) = (container.makeContext(), merging(container))
  let log = StatementLog()
  let theirs = try writer.fetch(Part.self)
  let mine = try view.fetch(Part.self)
  var (merges, fetches): ([Double], [Double]) = ([], [])
  for round in 0..<rounds {
    for part in theirs { part.count = Int64(round) }
    try writer.save()
    view.statementLog = log
    merges.append(cpu { view.mergeChanges() })
    view.statementLog = nil
    guard mine[9_999].count == Int64(round) else { throw Failure() }
    // The same rows, placed by a fetch into objects that are there.
    for part in theirs { part.count = Int64(round) + 1000 }
    try writer.save()
    var request = Part.fetchRequest()
    request.refreshesObjects = true
    fetches.append(try cpu { _ = try view.fetch(request) })
    guard mine[9_999].count == Int64(round) + 1000 else { throw Failure() }
    view.mergeChanges()
  }
  print(
    "a merge of 10,000 updated objects / a fetch that places their rows\t\(median(merges) / median(fetches))"
  )
  print("statements of a merge of rows\t\(Double(log.statementCount))")
}

do {
  let container = try container(10, "few")
  let view = merging(container)
  let mine = try view.fetch(Part.self)
  var times: [Double] = []
  for round in 0..<3 {
    _ = try container.makeContext().upsertAll(Part.self, from: 0..<100_000, on: \.code) {
      set($0, $1, count: Int64(round + 1))
    }
    let writer = container.makeContext()
    for number in 0..<10_000 {
      _ = Part(
        context: writer, code: "new \(round) \(number)", name: "n", count: 1, ratio: 1)
    }
    try writer.save()
    times.append(cpu { view.mergeChanges() })
  }
  guard mine.count == 10 else { throw Failure() }
  print(
    "milliseconds to merge 110,000 rows into a context with 10 of them\t\(median(times) * 1000)")
}

// MARK: Many contexts, and much that nobody takes

do {
  let container = try container(100, "contexts")
  let contexts = (0..<10).map { _ in merging(container) }
  let held = try contexts.map { try $0.fetch(Part.self) }
  let writer = container.makeContext()
  let part = try writer.fetch(Part.self, limit: 1)[0]
  func work(_ saves: Int) throws -> Double {
    try cpu {
      for _ in 0..<saves {
        part.count += 1
        try writer.save()
        for context in contexts { context.mergeChanges() }
      }
    } / Double(saves)
  }
  _ = try work(200)
  let (short, long) = (try work(1_000), try work(10_000))
  guard held.allSatisfy({ $0[0].count == part.count }) else { throw Failure() }
  print("10 merging contexts: a save of 10,000 / of 1,000\t\(long / short)")
}

do {
  // In memory, so that the rows of a million saves are not on a disk.
  let container = try PersistentContainer(model: .bench, store: .inMemory)
  let writer = container.makeContext()
  let part = Part(context: writer, code: "a", name: "b", count: 0, ratio: 1)
  try writer.save()
  // A context that never comes to its turn, and a stream that nobody reads.
  let view = merging(container)
  let mine = try view.fetch(Part.self)
  let saves = container.saves
  func run(_ count: Int) throws {
    for number in 0..<count {
      part.count += 1
      part.note = "a note that is not short, number \(number)"
      try writer.save()
    }
  }
  try run(20_000)
  let start = Measurement.residentKilobytes()
  try run(980_000)
  let end = Measurement.residentKilobytes()
  withExtendedLifetime((mine, saves)) {}
  print(
    "memory after 1,000,000 saves that nobody takes / after 20,000\t\(Double(end) / Double(start))")
}

// MARK: Events, lists and observers

do {
  let lists = ListMeasurements(folder: folder)
  try lists.events()
  try lists.lists()
  try ObserverMeasurements().reads()
}
