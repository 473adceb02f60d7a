import BenchKit
import Copal
import Foundation
import ObservedModel

/// What a read of a property costs that can be observed, and that nobody observes.
struct ObserverMeasurements {
  let rounds = 15
  let count = 1000

  func reads() throws {
    let container = try PersistentContainer(model: .observed, store: .inMemory)
    let context = container.makeContext()
    for number in 0..<count {
      _ = Watched(context: context, name: "w", count: Int64(number))
      _ = Plain(context: context, name: "p", count: Int64(number))
    }
    try context.save()
    let (watched, plain) = (try context.fetch(Watched.self), try context.fetch(Plain.self))
    var (observable, alone): ([Double], [Double]) = ([], [])
    for _ in 0..<rounds {
      var sum: Int64 = 0
      observable.append(cpu { for _ in 0..<1000 { for each in watched { sum += each.count } } })
      alone.append(cpu { for _ in 0..<1000 { for each in plain { sum += each.count } } })
      guard sum == 2 * 1000 * Int64(count * (count - 1) / 2) else { throw Failure() }
    }
    let reads = Double(1000 * count)
    print("nanoseconds of a read of an observable property\t\(median(observable) / reads * 1e9)")
    print("nanoseconds of a read of another property\t\(median(alone) / reads * 1e9)")
  }
}
