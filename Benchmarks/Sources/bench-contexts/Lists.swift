import BenchKit
import BenchModel
import Copal
import Foundation

/// Events and lists of a context: what a change costs when somebody follows it.
struct ListMeasurements {
  let folder: URL
  let rounds = 9

  /// A context with 100,000 objects.
  private func context() throws -> ManagedObjectContext {
    let container = try PersistentContainer(
      model: .bench, store: .sqlite(at: folder.appending(path: "lists.sqlite")))
    let context = container.makeContext()
    if try context.count(Part.self) == 0 {
      try context.insertAll(Part.self, from: 0..<100_000) { set($0, $1, count: Int64($1)) }
    }
    return context
  }

  /// A thousand writes to each of 100 objects, with an event at their end. Only the first one of each
  /// object is noticed, so with few writes the event is most of the work.
  func events() throws {
    let context = try context()
    let parts = try context.fetch(Part.self, limit: 100)
    func write() {
      for round in 0..<1000 { for part in parts { part.count += Int64(round) } }
      context.processPendingChanges()
    }
    var (alone, listened): ([Double], [Double]) = ([], [])
    write()
    for _ in 0..<rounds {
      alone.append(cpu { for _ in 0..<20 { write() } })
      var count = 0
      let subscription = context.onChange { _ in count += 1 }
      listened.append(cpu { for _ in 0..<20 { write() } })
      guard count == 20 else { throw Failure() }
      subscription.cancel()
      // The next write releases it.
      write()
    }
    print(
      "1,000 writes to each of 100 objects, with a listener / without one\t\(median(listened) / median(alone))"
    )
  }

  /// One change of an object in a list of 100,000, and 1,000 changes in one turn.
  func lists() throws {
    try measure("a controller of 100,000", limit: nil)
    try measure("a controller of the first 50 of 100,000", limit: 50)
  }

  private func measure(_ name: String, limit: Int?) throws {
    let context = try context()
    var request = Part.fetchRequest().sorted(by: \.count.ascending)
    request.limit = limit
    let list = try FetchedResultsController(request, in: context)
    try list.performFetch()
    let parts = try context.fetch(Part.self, sortedBy: \.count.ascending)
    var changes = 0
    let subscription = list.onChange { _ in changes += 1 }
    var (ones, many): ([Double], [Double]) = ([], [])
    for round in 0..<400 {
      // From its place to another one, and back.
      let part = parts[limit == nil ? (round * 7919) % parts.count : round % 60]
      let place = part.count
      part.count = Int64((round * 104_729) % 100_000)
      ones.append(cpu { context.processPendingChanges() })
      part.count = place
      ones.append(cpu { context.processPendingChanges() })
    }
    for round in 0..<rounds {
      for number in 0..<1000 {
        parts[number * (limit == nil ? 97 : 1)].count += Int64(number % 50 + round)
      }
      many.append(cpu { context.processPendingChanges() })
    }
    guard changes > 100, Array(list.objects) == (try context.fetch(request)) else {
      throw Failure()
    }
    withExtendedLifetime(subscription) {}
    print("microseconds of one change, \(name)\t\(median(ones) * 1e6)")
    if limit == nil {
      print("milliseconds of 1,000 changes in a turn, \(name)\t\(median(many) * 1000)")
    }
  }
}
