import BenchKit
import Copal
import GrowthModel

/// Measures a call in a context that has nothing unsaved, and then with one object that is not
/// saved.
private func withOnePending(
  _ file: String, _ budget: Budget, units: Int,
  _ call: (ManagedObjectContext) throws -> Int
) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  var clean = 0
  let reference = try budget.measure(units) { _ in clean = try call(context) }
  // A count that no filter of a benchmark asks for.
  makeItem(Row.make(1)[0], in: context).count = 1000
  var found = 0
  var measured = try budget.measure(units) { _ in found = try call(context) }
  measured.setReference(reference)
  measured.checksum = UInt64(clean) &* 1_000_003 &+ UInt64(found)
  return measured
}

extension GrowthMeasurement {
  mutating func setReference(_ reference: GrowthMeasurement) {
    referenceMilliseconds = reference.cpuMilliseconds
    referenceUnits = reference.units
  }
}

func countPending(_ rows: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  try withOnePending(file, budget, units: rows) { try $0.count(Item.self) }
}

func idsPending(_ rows: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  try withOnePending(file, budget, units: rows) {
    try $0.fetchIDs(Item.fetchRequest()).count
  }
}

func limitPending(_ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  try withOnePending(file, budget, units: 1) {
    try $0.fetch(Item.self, sortedBy: \.count.ascending, limit: 10).count
  }
}

/// Fetches items while many tags are not saved.
func besidePending(_ pending: Int, _ file: String, _ budget: Budget) throws -> GrowthMeasurement {
  let context = try open(file).makeContext()
  func found(_ count: Int) throws -> Int {
    try context.fetch(Item.self, limit: 10) { $0.count == Int64(count) }.count
  }
  let reference = try budget.measure { _ = try found($0 % 1000) }
  for (number, name) in GrowthWorkload.names(pending).enumerated() {
    makeTag(name, rank: number, in: context)
  }
  var measured = try budget.measure { _ = try found($0 % 1000) }
  measured.setReference(reference)
  measured.checksum = UInt64(try found(7))
  return measured
}
