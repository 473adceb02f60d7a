import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Two processes that save in one file, each with its policy.
@Suite("Two programs and a policy", .modelAsIs)
struct TwoProgramsTests {
  static let binding = Result {
    ModelBinding(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Counters", "entities": {
            "Counter": { "attributes": { "code": "string", "total": { "type": "integer", "default": 0 },
                "first": { "type": "integer", "default": 0 }, "second": { "type": "integer", "default": 0 } },
              "unique": ["code"] } } }
          """, file: "Counters"))
  }

  /// Adds 1 to counters, each of which it inserts anew: the policy makes it the stored one.
  static func run(_ path: String, _ number: Int) throws {
    let container = try PersistentContainer(
      model: binding.get(), store: .sqlite(at: URL(filePath: path)))
    container.defaultMergePolicy = .custom { conflict in
      guard case .changed = conflict.kind, case .integer(let mine)? = conflict.mine?["total"],
        case .integer(let base)? = conflict.base?["total"],
        case .integer(let stored)? = conflict.stored?["total"]
      else { return .keepMine }
      return .values(["total": .integer(stored + mine - base)])
    }
    var random = SplitMix(seed: UInt64(number))
    let context = container.makeContext()
    for _ in 0..<200 {
      let code = "counter \(Int.random(in: 0..<5, using: &random))"
      // Inserted with a value that is taken: it becomes the stored object, with its value.
      let new = try context.insert("Counter")
      try new.setValue(code, forKey: "code")
      try context.saveUntilDone()
      // Values that were read may be old: the policy adds the difference to what is stored.
      let counter = try #require(
        try context.fetch(FetchRequest<ManagedObject>(entityName: "Counter")).first {
          try $0.value(of: "code") == code
        })
      let property = number == 1 ? "first" : "second"
      let (value, own): (Int, Int) = (
        try counter.value(of: "total") ?? 0, try counter.value(of: property) ?? 0
      )
      try counter.setValue(value + 1, forKey: "total")
      try counter.setValue(own + 1, forKey: property)
      try context.saveUntilDone()
    }
  }

  @Test("counters have what both have added, and each code is there once")
  func counters() async throws {
    let test = try TestStore()
    let path = test.file.path(percentEncoded: false)
    _ = try PersistentContainer(model: Self.binding.get(), store: .sqlite(at: test.file))
    await withTaskGroup(of: Void.self) { group in
      for number in 1...2 {
        group.addTask {
          await #expect(processExitsWith: .success) {
            [path = path as String, number = number as Int] in
            try TwoProgramsTests.run(path, number)
          }
        }
      }
    }
    let container = try PersistentContainer(
      model: Self.binding.get(), store: .sqlite(at: test.file))
    let counters = try container.makeContext().fetch(
      FetchRequest<ManagedObject>(entityName: "Counter"))
    #expect(counters.count == 5)
    var sums = [0, 0, 0]
    for counter in counters {
      for (index, name) in ["total", "first", "second"].enumerated() {
        sums[index] += try counter.value(of: name) ?? 0
      }
    }
    #expect(sums == [400, 200, 200])
  }
}

extension ManagedObjectContext {
  /// Saves until no conflict is left: under contention, three attempts may not be enough.
  fileprivate func saveUntilDone() throws {
    for _ in 0..<1000 {
      do {
        try save()
        return
      } catch let error as PersistenceError where error.code == .saveFailed {}
    }
    try save()
  }
}
