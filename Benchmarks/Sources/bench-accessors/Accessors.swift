import BenchKit
import BenchModel
import Copal
import Foundation

/// Measures the cost of one access to a public class of another module. Prints lines of name, tab,
/// nanoseconds.
///
/// A single exclusivity check on the read path makes an access 15 times slower.
@main
struct Accessors {
  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appending(
      path: "copal-accessors-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let container = try PersistentContainer(
      model: .bench, store: .sqlite(at: folder.appending(path: "accessors.sqlite")))
    try fill(container)
    let parts = [
      "reads": reads, "writes": writes, "inserts": inserts, "faults": faults, "map": identityMap,
      "release": release, "colors": colors,
    ]
    // Only one part, for use with a profiler.
    let wanted = CommandLine.arguments.dropFirst()
    for name in ["reads", "writes", "inserts", "faults", "map", "release", "colors"]
    where wanted.isEmpty || wanted.contains(name) { try parts[name]?(container) }
  }

  static let count = 1000

  static func fill(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    let notes = ["1234567", "123456789012345", String(repeating: "x", count: 40)]
    for (index, row) in Row.make(100_000).enumerated() {
      let item = Item(context: context)
      item.name = notes[index % 3]
      item.count = row.count
      item.ratio = row.ratio
      item.price = row.price
      item.flag = row.flag
      item.created = Date(timeIntervalSinceReferenceDate: row.created)
      if index < count {
        let money = Money(context: context)
        money.amount = Decimal(index) / 100 + 1234
        money.cents = Decimal(index) / 100 + 1234
      }
    }
    try context.save()
  }

  /// The best of several rounds of a loop over a thousand objects, in nanoseconds per access.
  @inline(__always)
  static func best(
    _ name: String, accesses: Int, rounds: Int = 30, before: () -> Void = {},
    _ body: () throws -> Void
  ) rethrows {
    var least = Double.infinity
    for _ in 0..<rounds {
      before()
      let start = ContinuousClock.now
      try body()
      let time = start.duration(to: .now).components
      least = min(least, Double(time.attoseconds) / 1e9 + Double(time.seconds) * 1e9)
    }
    print("\(name)\t\(least / Double(accesses))")
  }

  static func reads(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    // Few enough for the first-level cache, so that the access is measured and not the memory.
    let items = try context.fetch(Item.self, limit: 99)
    let monies = try context.fetch(Money.self, limit: 99)
    let passes = 1000
    // Inlined, so that the property is measured and not the call of a closure. Without reference
    // counting of the objects, which costs a loop 10 ns and is not a part of the property either.
    @inline(__always)
    func loop<T: AnyObject>(_ name: String, _ objects: [T], _ read: (T) -> UInt64) {
      var sum: UInt64 = 0
      let unmanaged = objects.map(Unmanaged.passUnretained)
      best(name, accesses: passes * objects.count) {
        for _ in 0..<passes {
          for object in unmanaged { sum &+= object._withUnsafeGuaranteedRef(read) }
        }
      }
      withExtendedLifetime(objects) {}
      blackHole = sum
    }
    loop("number", items) { UInt64(bitPattern: $0.count) }
    loop("date", items) { $0.created.timeIntervalSinceReferenceDate.bitPattern }
    loop("flag", items) { $0.flag ? 1 : 0 }
    for (index, length) in [7, 15, 40].enumerated() {
      let some = items.indices.filter { $0 % 3 == index }.map { items[$0] }
      loop("text of \(length) bytes", some) { UInt64($0.name.utf8.count) }
    }
    bare()
    loop("decimal from text", monies) { $0.amount.isZero ? 1 : 2 }
    loop("decimal from a scaled integer", monies) { $0.cents.isZero ? 1 : 2 }
  }

  /// The time that Swift alone needs to make and release a text of forty bytes.
  static func bare() {
    var sum: UInt64 = 0
    let bytes = [UInt8](repeating: 120, count: 40)
    bytes.withUnsafeBufferPointer { bytes in
      best("the same, by Swift alone", accesses: 33_000) {
        for _ in 0..<33_000 { sum &+= UInt64(String(decoding: bytes, as: UTF8.self).utf8.count) }
      }
    }
    blackHole = sum
  }

  nonisolated(unsafe) static var blackHole: UInt64 = 0

  static func writes(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    let items = try context.fetch(Item.self, limit: count)
    best("set a number", accesses: items.count * 100) {
      for pass in 0..<100 { for item in items { item.count = Int64(pass) } }
    }
  }

  static func inserts(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    let color = Data((0..<28).map { UInt8($0) })
    let note = String(repeating: "x", count: 40)
    best("make an object, set eight", accesses: count, rounds: 2000) {
      for number in 0..<count {
        let item = Item(context: context)
        item.name = "a short name"
        item.note = note
        item.count = Int64(number)
        item.ratio = 0.5
        item.price = "12.50"
        item.created = Date(timeIntervalSinceReferenceDate: 1)
        item.flag = true
        item.color = color
      }
      context.reset()
    }
  }

  static func faults(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    var request = Item.fetchRequest()
    request.returnsObjectsAsFaults = true
    request.limit = 10_000
    request.faultBatchSize = 100
    try best("fault, 100 at once", accesses: 10_000, rounds: 10) {
      context.reset()
      for item in try context.fetch(request) { blackHole &+= UInt64(bitPattern: item.count) }
    }
    request.faultBatchSize = 1
    request.limit = 1000
    try best("fault, one by one", accesses: 1000, rounds: 10) {
      context.reset()
      for item in try context.fetch(request) { blackHole &+= UInt64(bitPattern: item.count) }
    }
  }

  /// Look-ups of a few objects that are in the cache. With a hundred thousand, the latency of the
  /// memory would dominate.
  static func identityMap(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    let items = try context.fetch(Item.self, limit: count)
    // First with constants: reading ids from an array counts references to their shared part, which
    // takes as long as the look-up.
    let (a, b, c, d) = (
      items[0].objectID, items[7].objectID, items[300].objectID, items[999].objectID
    )
    var sum: UInt64 = 0
    try best("identity map hit", accesses: 4 * 25_000) {
      for _ in 0..<25_000 {
        sum &+= try context.object(with: a).isFault ? 1 : 2
        sum &+= try context.object(with: b).isFault ? 1 : 2
        sum &+= try context.object(with: c).isFault ? 1 : 2
        sum &+= try context.object(with: d).isFault ? 1 : 2
      }
    }
    let ids = items.indices.map { items[$0 * 7919 % items.count].objectID }
    try best("identity map hit, ids from an array", accesses: ids.count * 100) {
      for _ in 0..<100 {
        for id in ids { sum &+= try context.object(with: id).isFault ? 1 : 2 }
      }
    }
    blackHole = sum
  }

  static func release(_ container: PersistentContainer) throws {
    let context = container.makeContext()
    best("sweep and deinit", accesses: 100_000, rounds: 1) {
      _ = try? context.fetch(Item.self)
    }
  }
}
