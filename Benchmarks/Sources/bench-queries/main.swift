import BenchKit
import BenchModel
import CBenchSQLite
import Copal
import Foundation
import RelationshipModel

// What conditions cost beside the same SQL in C. Prints lines of name, tab, ratio. Both sides of a
// ratio take turns in one process.

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

/// Prints the median ratio of the CPU seconds of two ways, which take turns and find the same
/// number of objects.
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

try Searches(folder: folder).run()

/// The first column of the only row of a statement, as an integer.
func integer(_ database: OpaquePointer, _ sql: String) throws -> Int64 {
  var statement: OpaquePointer?
  guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else { throw Failure() }
  defer { sqlite3_finalize(statement) }
  guard sqlite3_step(statement) == SQLITE_ROW else { throw Failure() }
  return sqlite3_column_int64(statement, 0)
}

// MARK: Aggregates

let moneyContext = container.makeContext()
for number in 0..<rows {
  let money = Money(context: moneyContext)
  money.amount = Decimal(number % 10_000) / 100
  money.cents = Decimal(number % 10_000) / 100
}
try moneyContext.save()

try ratio("sum of 100,000 decimals with a scale / raw C's sum of integers") {
  try context.fetchValue(Money.self) { $0.cents.sum } > 0 ? 1 : 0
} _: {
  try integer(database, "SELECT sum(cents) FROM Money") > 0 ? 1 : 0
}

try ratio("sum of 100,000 decimals without a scale / raw C's sum of integers") {
  try context.fetchValue(Money.self) { $0.amount.sum } > 0 ? 1 : 0
} _: {
  try integer(database, "SELECT sum(cents) FROM Money") > 0 ? 1 : 0
}

// MARK: Pages

/// The cursor behind the first objects of the order.
@MainActor func cursor(behind count: Int) throws -> FetchCursor? {
  try context.fetchPage(Item.self, sortedBy: \.count.ascending, size: count).next
}

let (first, far) = (try cursor(behind: 10), try cursor(behind: rows * 9 / 10))
@MainActor func fiveHundredPages(after cursor: FetchCursor?) throws -> Int {
  let context = container.makeContext()
  var found = 0
  for _ in 0..<500 {
    found += try context.fetchPage(
      Item.self, sortedBy: \.count.ascending, size: 20, after: cursor
    ).objects.count
  }
  return found
}
try ratio("a page by key at 90,000 of 100,000 / the same at the start") {
  try fiveHundredPages(after: far)
} _: {
  try fiveHundredPages(after: first)
}

// MARK: Relationships

let graphFile = folder.appending(path: "graph.sqlite")
let graph = try PersistentContainer(model: .relationships, store: .sqlite(at: graphFile))
let graphContext = graph.makeContext()
for number in 0..<10_000 {
  let parent = Parent(context: graphContext, name: "parent \(number)", rank: Int64(number % 100))
  for place in 0..<10 {
    let child = Child(
      context: graphContext, name: "child \(place)", count: Int64((number * 7 + place * 13) % 1000),
      ratio: 0.5)
    child.parent = parent
  }
}
try graphContext.save()
var rawGraph: OpaquePointer?
guard sqlite3_open(graphFile.path(percentEncoded: false), &rawGraph) == SQLITE_OK, let rawGraph else {
  throw Failure()
}
defer { sqlite3_close(rawGraph) }
let reading = graph.makeContext()

try ratio("a to-one followed in a condition, 100,000 rows / the best SQL") {
  try reading.fetchIDs(Child.self) { $0.parent.rank == 7 && $0.count < 500 }.count
} _: {
  try keys(
    rawGraph,
    "SELECT c.copal_id FROM Child c WHERE c.parent IN (SELECT copal_id FROM Parent WHERE rank = ?) AND c.count < 500 ORDER BY c.copal_id",
    "7"
  ).count
}

try ratio("a to-many asked in a condition, 100,000 rows / the best SQL") {
  try reading.fetchIDs(Parent.self) { $0.children.contains { $0.count > 990 } }.count
} _: {
  try keys(
    rawGraph,
    "SELECT p.copal_id FROM Parent p WHERE EXISTS (SELECT 1 FROM Child c WHERE c.parent = p.copal_id AND c.count > 990) ORDER BY p.copal_id",
    ""
  ).count
}

try ratio("the number of a to-many in a condition, 100,000 rows / the best SQL") {
  try reading.fetchIDs(Parent.self) { $0.children.filter { $0.count > 500 }.count > 3 }.count
} _: {
  try keys(
    rawGraph,
    "SELECT p.copal_id FROM Parent p WHERE (SELECT count(*) FROM Child c WHERE c.parent = p.copal_id AND c.count > 500) > 3 ORDER BY p.copal_id",
    ""
  ).count
}

// MARK: Texts

/// Prints the CPU seconds of one of many runs.
func time(_ name: String, _ count: Int, _ work: (Int) throws -> Void) throws {
  for index in 0..<count / 10 { try work(index) }
  let start = Measurement.cpuSeconds()
  for index in 0..<count { try work(index) }
  print("\(name)\t\((Measurement.cpuSeconds() - start) / Double(count) * 1e6)")
}

// A comment of its own makes each text a new one.
try time("microseconds to parse a condition of five clauses", 20_000) { index in
  _ = try PredicateFormat(
    "count > \(index) AND name ==[c] 'woad' AND (price < 20.5 OR note CONTAINS[cd] 'ultra') AND flag == YES")
}
try time("microseconds to bind a known text", 200_000) { index in
  _ = try FetchPredicate(format: "count > %@ AND name ==[c] %@", index, "woad")
}
