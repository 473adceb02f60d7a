import BenchKit
import BenchModel
import CBenchSQLite
import Copal
import Foundation

// What conditions cost beside the same SQL in C. Prints lines of name, tab, ratio. Both sides of a ratio take turns in one process.

struct Failure: Error {}

let rows = 100_000
let folder = FileManager.default.temporaryDirectory.appending(path: "copal-queries-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }
let file = folder.appending(path: "queries.sqlite")

func fill() throws -> PersistentContainer {
  let container = try PersistentContainer(model: .bench, store: .sqlite(at: file))
  let context = container.makeContext()
  for row in Row.make(rows) {
    let item = Item(context: context)
    (item.name, item.note, item.count, item.price) = (row.name, row.note, row.count, row.price)
    (item.ratio, item.flag) = (row.ratio, row.flag)
    item.created = Date(timeIntervalSinceReferenceDate: row.created)
  }
  try context.save()
  return container
}

/// A connection of SQLite's own interface.
func openRaw() throws -> OpaquePointer {
  var database: OpaquePointer?
  guard sqlite3_open(file.path(percentEncoded: false), &database) == SQLITE_OK, let database,
    bench_register_fold_contains(database) == SQLITE_OK
  else { throw Failure() }
  return database
}

/// The keys of a statement with one text.
func keys(_ database: OpaquePointer, _ sql: String, _ text: String) throws -> [Int64] {
  var statement: OpaquePointer?
  guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw Failure() }
  defer { sqlite3_finalize(statement) }
  sqlite3_bind_text(
    statement, 1, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  var keys: [Int64] = []
  while sqlite3_step(statement) == SQLITE_ROW { keys.append(sqlite3_column_int64(statement, 0)) }
  return keys
}

/// Prints the median ratio of the CPU seconds of two ways, which take turns and find the same number of objects.
func ratio(_ name: String, _ copal: () throws -> Int, _ raw: () throws -> Int) throws {
  func cpu(_ work: () throws -> Int, _ count: inout Int) throws -> Double {
    let start = Measurement.cpuSeconds()
    count = try work()
    return Measurement.cpuSeconds() - start
  }
  var (found, expected) = (0, 0)
  var ratios: [Double] = []
  for round in 0..<15 {
    let isFirst = round % 2 == 0
    let early = try isFirst ? cpu(copal, &found) : cpu(raw, &expected)
    let late = try isFirst ? cpu(raw, &expected) : cpu(copal, &found)
    guard found == expected, found > 0 else { throw Failure() }
    ratios.append(isFirst ? early / late : late / early)
  }
  print("\(name)\t\(ratios.sorted()[ratios.count / 2])")
}

let container = try fill()
let database = try openRaw()
defer { sqlite3_close(database) }
let context = container.makeContext()

try ratio("contains without case and diacritics, 100,000 rows / raw C with the same folding") {
  try context.fetchIDs(Item.self) {
    $0.note.contains("QUX", [.caseInsensitive, .diacriticInsensitive])
  }.count
} _: {
  try keys(
    database, "SELECT copal_id FROM Item WHERE fold_contains(note, ?) ORDER BY copal_id", "qux"
  ).count
}
