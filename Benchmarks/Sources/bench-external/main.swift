import BenchKit
import Copal
import ExternalModel
import Foundation

// Large values in files: what a save of one costs beside the file alone, and what small values cost
// beside those of an attribute that is not external. Prints lines of name, tab, ratio. Both sides
// of a ratio take turns in one process.

struct Failure: Error {}

let folder = FileManager.default.temporaryDirectory.appending(path: "copal-external-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

func open(_ name: String) throws -> PersistentContainer {
  try PersistentContainer(
    model: .external, store: .sqlite(at: folder.appending(path: name)))
}

// MARK: A large value

/// Writes and syncs a file, and syncs its folder.
func writeFile(_ value: Data, _ number: Int) throws {
  let path = folder.appending(path: "file-\(number)").path(percentEncoded: false)
  let file = Foundation.open(path, O_WRONLY | O_CREAT | O_EXCL, 0o666)
  defer { _ = close(file) }
  var rest = value[...]
  while !rest.isEmpty {
    let count = rest.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
    guard count > 0 else { throw Failure() }
    rest = rest.dropFirst(count)
  }
  guard fsync(file) == 0 else { throw Failure() }
  let parent = Foundation.open(folder.path(percentEncoded: false), O_RDONLY)
  defer { _ = close(parent) }
  guard fsync(parent) == 0 else { throw Failure() }
}

func seconds(_ work: () throws -> Void) rethrows -> Double {
  let start = ContinuousClock.now
  try work()
  let time = start.duration(to: .now).components
  return Double(time.seconds) + Double(time.attoseconds) / 1e18
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func largeValue() throws {
  let container = try open("large.sqlite")
  let value = Data((0..<10_000_000).map { UInt8(truncatingIfNeeded: $0 &* 2_654_435_761 >> 7) })
  var times: (save: [Double], file: [Double]) = ([], [])
  for number in 0..<31 {
    let context = container.makeContext()
    let sheet = Sheet(context: context)
    (sheet.number, sheet.image) = (number, value)
    let save = try seconds { try context.save() }
    let file = try seconds { try writeFile(value, number) }
    // The first round creates the folder.
    if number > 0 {
      times.save.append(save)
      times.file.append(file)
    }
  }
  let ratio = median(times.save) / median(times.file)
  print("save of a 10 MB value / the same file written and synced\t\(ratio)")
}

// MARK: Small values

/// The CPU seconds of work for two entities, which take turns.
func ratio(_ name: String, _ external: () throws -> Void, _ plain: () throws -> Void) throws {
  func cpu(_ work: () throws -> Void) throws -> Double {
    let start = Measurement.cpuSeconds()
    try work()
    return Measurement.cpuSeconds() - start
  }
  var ratios: [Double] = []
  for round in 0..<15 {
    let isFirst = round % 2 == 0
    let early = try cpu(isFirst ? external : plain)
    let late = try cpu(isFirst ? plain : external)
    ratios.append(isFirst ? early / late : late / early)
  }
  print("\(name)\t\(median(ratios))")
}

func smallValues() throws {
  let rows = 100_000
  let value = Data(repeating: 7, count: 100)
  func insert(_ name: String, _ make: (ManagedObjectContext) -> Void) throws {
    let context = try open(name).makeContext()
    for _ in 0..<rows { make(context) }
    try context.save()
  }
  var number = 0
  func insertBoth(_ isExternal: Bool) throws {
    number += 1
    try insert("insert-\(number).sqlite") { context in
      if isExternal {
        Sheet(context: context).image = value
      } else {
        PlainSheet(context: context).image = value
      }
    }
  }
  try ratio(
    "insert of 100,000 small values, external / not", { try insertBoth(true) },
    { try insertBoth(false) })

  let container = try open("fetch.sqlite")
  let filling = container.makeContext()
  for _ in 0..<rows {
    Sheet(context: filling).image = value
    PlainSheet(context: filling).image = value
  }
  try filling.save()
  var sum = 0
  try ratio("fetch of 100,000 small values, external / not") {
    for sheet in try container.makeContext().fetch(Sheet.self) { sum &+= sheet.image?.count ?? 0 }
  } _: {
    for sheet in try container.makeContext().fetch(PlainSheet.self) {
      sum &+= sheet.image?.count ?? 0
    }
  }
  guard sum == 2 * 15 * rows * value.count else { throw Failure() }
}

try largeValue()
try smallValues()
