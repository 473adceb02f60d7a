import BenchKit
import BenchModel
import BenchSQLite
import CBenchSQLite
import Copal
import Foundation

// What batches cost beside one statement in C, and upserts beside C and GRDB. Prints lines of name,
// tab, ratio. All sides of a ratio take turns in one process, and each starts with a fresh copy of
// one file.

struct Failure: Error {}

let rows = 100_000
let rounds = 7
let folder = FileManager.default.temporaryDirectory.appending(path: "copal-batches-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

let original = folder.appending(path: "original.sqlite")
let stored = Line.make(rows / 2, from: 0)
do {
  let container = try PersistentContainer(model: .bench, store: .sqlite(at: original))
  try container.makeContext().insertAll(Part.self, from: stored, values: set)
}

@BatchAssignments
func set(_ part: QueryProperties<Part>, _ line: Line) -> [BatchAssignment] {
  part.code.set(to: line.code)
  part.name.set(to: line.name)
  part.note.set(to: line.note)
  part.count.set(to: line.count)
  part.ratio.set(to: line.ratio)
}

/// The file that each piece of work gets a copy of.
nonisolated(unsafe) var template = original

/// Does work with a fresh copy of the file, and returns its CPU seconds.
func cpu(_ prepare: (URL) throws -> () throws -> Void) throws -> Double {
  let file = folder.appending(path: "copy.sqlite")
  for suffix in ["", "-wal", "-shm"] {
    try? FileManager.default.removeItem(atPath: file.path(percentEncoded: false) + suffix)
  }
  try FileManager.default.copyItem(at: template, to: file)
  let work = try prepare(file)
  let start = Measurement.cpuSeconds()
  try work()
  return Measurement.cpuSeconds() - start
}

/// Prints the median ratio of the first way to each of the others. All take turns.
func ratios(_ names: [String], _ ways: [(URL) throws -> () throws -> Void]) throws {
  var seconds = [[Double]](repeating: [], count: ways.count)
  for round in 0..<rounds {
    for step in ways.indices {
      let way = (round + step) % ways.count
      seconds[way].append(try cpu(ways[way]))
    }
  }
  for (index, name) in names.enumerated() {
    let ratios = zip(seconds[0], seconds[index + 1]).map { $0 / $1 }.sorted()
    print("\(name)\t\(ratios[ratios.count / 2])")
  }
}

extension RawConnection {
  func upsert(_ lines: [Line]) throws {
    try run("BEGIN IMMEDIATE")
    var statement: OpaquePointer?
    let sql = """
      INSERT INTO Part (copal_version, code, name, note, count, ratio) VALUES (1, ?, ?, ?, ?, ?)
      ON CONFLICT (code) DO UPDATE SET copal_version = copal_version + 1, name = excluded.name,
      note = excluded.note, count = excluded.count, ratio = excluded.ratio
      """
    guard sqlite3_prepare_v2(database, sql, -1, &statement, nil) == SQLITE_OK else {
      throw failure
    }
    defer { sqlite3_finalize(statement) }
    let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)
    func bind(_ position: Int32, _ text: String) {
      sqlite3_bind_text(statement, position, text, -1, copied)
    }
    for line in lines {
      bind(1, line.code)
      bind(2, line.name)
      if let note = line.note { bind(3, note) } else { sqlite3_bind_null(statement, 3) }
      sqlite3_bind_int64(statement, 4, line.count)
      sqlite3_bind_double(statement, 5, line.ratio)
      guard sqlite3_step(statement) == SQLITE_DONE else { throw failure }
      sqlite3_reset(statement)
    }
    try run("COMMIT")
  }
}

// Half of the lines are stored already.
let lines = Line.make(rows, from: rows / 4)

try ratios(
  [
    "upsert of 100,000 / raw C's ON CONFLICT", "upsert of 100,000 / GRDB's upsert",
  ],
  [
    { file in
      let context = try PersistentContainer(model: .bench, store: .sqlite(at: file)).makeContext()
      return {
        let result = try context.upsertAll(Part.self, from: lines, on: \.code, values: set)
        guard result.updated.count == rows / 4, result.inserted.count == rows * 3 / 4 else {
          throw Failure()
        }
      }
    },
    { file in
      let raw = try RawConnection(file)
      return { try raw.upsert(lines) }
    },
    { file in { try upsertWithGRDB(lines, into: file.path(percentEncoded: false)) } },
  ])

/// Deletes most of the rows, with a context that has some objects.
func deleting(_ registered: Int) -> (URL) throws -> () throws -> Void {
  { file in
    let container = try PersistentContainer(model: .bench, store: .sqlite(at: file))
    let (context, other) = (container.makeContext(), container.makeContext())
    let objects = try other.fetch(FetchRequest<Part>(limit: registered))
    return {
      guard try context.deleteAll(Part.self, where: { $0.count < 900 }) > 0 else { throw Failure() }
      // The first use of the other context finds the batch.
      guard try other.count(Part.self) > 0, objects.count == registered else { throw Failure() }
    }
  }
}
let rawDelete: (URL) throws -> () throws -> Void = { file in
  let raw = try RawConnection(file)
  return { try raw.run("DELETE FROM Part WHERE count < 900; SELECT count(*) FROM Part") }
}

try ratios(
  ["delete of 45,000 by a condition / one DELETE in raw C"], [deleting(0), rawDelete])
try ratios(
  ["delete of 45,000 with 50,000 objects in a context / one DELETE in raw C"],
  [deleting(rows / 2), rawDelete])

// Order lines with the numbers of their orders: both sides look the orders up.
template = folder.appending(path: "orders.sqlite")
try makeOrders(20_000, at: template)
let imported = ImportedLine.make(rows, orders: 20_000)
try ratios(
  ["import of 100,000 order lines by the number of their order / raw C with a subquery"],
  [importWithCopal(imported), importWithRaw(imported)])

// Objects that fill rows, beside a closure that returns the values of a row.
template = original
let new = Line.make(rows, from: rows)
try ratios(
  ["100,000 rows that objects fill / the same as values of rows"],
  [
    { file in
      let context = try PersistentContainer(model: .bench, store: .sqlite(at: file)).makeContext()
      return { try fill(rows, in: context) { new[$0] } }
    },
    { file in
      let context = try PersistentContainer(model: .bench, store: .sqlite(at: file)).makeContext()
      return { try context.insertAll(Part.self, from: new, values: set) }
    },
  ])

do {
  let file = folder.appending(path: "filled.sqlite")
  let context = try PersistentContainer(model: .bench, store: .sqlite(at: file)).makeContext()
  var start = 0
  try fill(1_000_000, in: context) { number in
    if number == 100_000 { start = Measurement.residentKilobytes() }
    return new[number % rows]
  }
  let end = Measurement.residentKilobytes()
  print(
    "memory after 1,000,000 rows that objects fill / after 100,000\t\(Double(end) / Double(start))")
}
