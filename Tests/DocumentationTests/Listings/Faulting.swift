import Copal
import CopalColor
import CopalStore
import CopalTestSupport
import Foundation

// The listings of Docs/Faulting.md, in their order.

func fetchFaults(_ context: ManagedObjectContext) throws -> [Pigment] {
  var request = Pigment.fetchRequest().sorted(by: \.name.ascending)
  request.returnsObjectsAsFaults = true
  request.faultBatchSize = 50

  let pigments = try context.fetch(request)  // one statement, ids only
  print(pigments.first?.isFault ?? false)  // true
  print(pigments.first?.name ?? "")  // one statement reads 50 pigments
  return pigments
}

func lookUp(_ context: ManagedObjectContext, _ ids: [ManagedObjectID]) throws -> [ManagedObject] {
  let objects = try context.objects(with: ids)
  try context.fulfill(objects)
  return objects
}

func readOneState(_ context: ManagedObjectContext) throws -> (count: Int, names: [String]) {
  try context.readTransaction {
    let count = try context.count(Pigment.self)
    let names = try context.fetch(Pigment.self).map(\.name)
    return (count, names)
  }
}

/// A log that anybody may write to.
final class Log: Sendable {
  private let written = Locked<[String]>([])
  var lines: [String] { written.withLock { $0 } }
  func append(_ line: String) { written.withLock { $0.append(line) } }
}

func keepLog(_ container: PersistentContainer, _ log: Log) {
  container.readFailureHandler = { error in
    log.append("\(error.code) \(error.entity ?? "").\(error.property ?? "")")
  }
}

func readOrThrow(_ pigment: Pigment) throws -> SerializableColor? {
  try pigment.value(of: "color", as: SerializableColor.self)
}
