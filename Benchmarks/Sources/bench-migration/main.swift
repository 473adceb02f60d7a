import BenchSQLite
import Copal
import Foundation

// What a migration costs beside SQLite's own statements on the same table. Prints lines of name,
// tab, ratio. All sides of a ratio take turns in one process, and each starts with a fresh copy of
// one file. Each side opens and closes its file.

struct Failure: Error {}

let rounds = 5
let folder = FileManager.default.temporaryDirectory.appending(path: "copal-migration-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// The model of the files, or with other lines in place of its first attributes.
func model(
  _ lines: String = #""code": "string?", "pages": "string", "size": "string", "price": "double","#,
  keys: String = "", entity: String = "Book", version: Int = 2
) throws -> ModelBinding {
  ModelBinding(
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "Books", "version": \(version), "entities": { "\(entity)": {\(keys)
          "indexes": ["title"],
          "attributes": { \(lines) "title": "string", "shelf": "string?", "note": "string?" } } } }
        """, file: "Books.model.json"))
}

let first = try model(version: 1)

/// A store of the first version with a number of rows.
func makeStore(_ rows: Int) throws -> URL {
  let file = folder.appending(path: "original-\(rows).sqlite")
  _ = try PersistentContainer(model: first, store: .sqlite(at: file))
  let raw = try RawConnection(file)
  try raw.run(
    """
    WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < \(rows))
    INSERT INTO Book (copal_id, copal_version, code, pages, size, price, title, shelf, note)
    SELECT n, 1, 'C-' || n, '' || (n % 900), '' || (n * 7), n * 0.5, 'The title of the book ' || n,
      CASE WHEN n % 3 = 0 THEN 'A ' || n % 50 END, 'a note about the book'
    FROM numbers;
    UPDATE copal_keys SET last = \(rows) WHERE entity = 'Book';
    PRAGMA wal_checkpoint(TRUNCATE)
    """)
  return file
}

/// Does work with a fresh copy of a file, and returns its CPU seconds.
func cpu(_ original: URL, _ work: (URL) throws -> Void) throws -> Double {
  let file = folder.appending(path: "copy.sqlite")
  for suffix in ["", "-wal", "-shm"] {
    try? FileManager.default.removeItem(atPath: file.path(percentEncoded: false) + suffix)
  }
  try FileManager.default.copyItem(at: original, to: file)
  // Otherwise the first commit would write the whole copy to the disk.
  let handle = try FileHandle(forUpdating: file)
  try handle.synchronize()
  try handle.close()
  let start = clock(CLOCK_PROCESS_CPUTIME_ID)
  try work(file)
  return clock(CLOCK_PROCESS_CPUTIME_ID) - start
}

func clock(_ id: clockid_t) -> Double {
  var time = timespec()
  clock_gettime(id, &time)
  return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

/// The CPU seconds of each way in each round. All take turns.
struct Measured {
  private var seconds: [[Double]]

  init(_ ways: [(original: URL, work: (URL) throws -> Void)]) throws {
    seconds = [[Double]](repeating: [], count: ways.count)
    for round in 0..<rounds {
      for step in ways.indices {
        let way = (round + step) % ways.count
        seconds[way].append(try cpu(ways[way].original, ways[way].work))
      }
    }
  }

  private func median(_ figures: [Double]) -> Double { figures.sorted()[rounds / 2] }

  /// The median of a way's seconds, less those of another way.
  func seconds(_ way: Int, above other: Int? = nil) -> Double {
    let base = other.map { seconds[$0] } ?? [Double](repeating: 0, count: rounds)
    return median(zip(seconds[way], base).map { $0 - $1 })
  }

  /// The median ratio of two ways in the same round.
  func ratio(_ way: Int, to other: Int) -> Double {
    median(zip(seconds[way], seconds[other]).map { $0 / $1 })
  }
}

/// A migration to a model, without a copy before it: the copy is SQLite's own statement.
func migration(to model: ModelBinding) -> (URL) throws -> Void {
  { file in
    _ = try PersistentContainer(
      model: model, store: .sqlite(at: file), migration: StoreMigration(backup: .never))
  }
}

func raw(_ sql: String) -> (URL) throws -> Void { { file in try RawConnection(file).run(sql) } }

func version(_ lines: String, removed: String = "") throws -> (URL) throws -> Void {
  migration(to: try model(lines, keys: removed.isEmpty ? "" : #" "removed": [\#(removed)],"#))
}

// MARK: Memory and log

let large = try makeStore(1_000_000)

/// Kilobytes of the process, from a line of the system's table of it; 0 where there is none.
func status(_ key: String) -> Double {
  let text = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
  let line = text.split(separator: "\n").first { $0.hasPrefix(key) }
  return Double(line?.filter(\.isNumber) ?? "") ?? 0
}

var (megabytes, log) = (0.0, 0.0)
_ = try cpu(large) { file in
  let path = file.path(percentEncoded: false)
  // A reader keeps the log from being copied into the file.
  let reader = try RawConnection(file)
  try reader.run("BEGIN; SELECT count(*) FROM copal_keys")
  let before = status("VmRSS:")
  try? "5".write(toFile: "/proc/self/clear_refs", atomically: false, encoding: .utf8)
  try version(#""code": "string?", "pages": "integer16", "size": "string", "price": "double","#)(
    file)
  megabytes = max(0, status("VmHWM:") - before) / 1024
  func size(_ path: String) throws -> Double {
    (try FileManager.default.attributesOfItem(atPath: path)[.size] as? NSNumber)?.doubleValue ?? 0
  }
  log = try size(path + "-wal") / size(path)
  try reader.run("COMMIT")
}
print("megabytes of memory for a conversion of 1,000,000 rows\t\(megabytes)")
print("log of a conversion of 1,000,000 rows / bytes of the file\t\(log)")

// MARK: Renames

let renamed = try model(
  #""key": { "type": "string?", "renamedFrom": "code" }, "pages": "string", "size": "string", "price": "double","#,
  keys: #" "renamedFrom": "Book","#, entity: "Volume")
let small = try makeStore(1_000)
let open = migration(to: first)
let costs = try Measured([
  (small, open), (small, migration(to: renamed)), (large, open), (large, migration(to: renamed)),
])
print(
  "rename of an entity and an attribute of 1,000,000 rows / of 1,000 rows\t\(costs.ratio(3, to: 1))"
)
print(
  "milliseconds of a rename above an opening, 1,000,000 rows\t\(costs.seconds(3, above: 2) * 1000)")

// MARK: Rows that are written

let middle = try makeStore(100_000)
let columns = "copal_id, copal_version, code, pages, size, price, title, shelf, note"
let insertSelect = raw(
  """
  BEGIN IMMEDIATE;
  CREATE TABLE copied (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, code TEXT,
    pages TEXT, size TEXT, price REAL, title TEXT, shelf TEXT, note TEXT);
  INSERT INTO copied (\(columns)) SELECT \(columns) FROM Book;
  COMMIT
  """)
let fill = try version(
  #""code": "string?", "pages": "string", "size": "string", "price": "double", "author": { "type": "string", "default": "unknown" },"#
)
let rawFill = raw(
  "BEGIN IMMEDIATE; ALTER TABLE Book ADD COLUMN author TEXT; UPDATE Book SET author = 'unknown'; COMMIT"
)
let one = try version(
  #""code": "string?", "pages": "integer16", "size": "string", "price": "double","#)
let three = try version(
  #""code": "string?", "pages": "integer16", "size": "integer", "price": "string","#)
let removedOne = try version(
  #""code": "string?", "pages": "string", "size": "string","#, removed: #""price""#)
let removedThree = try version(#""code": "string?","#, removed: #""pages", "size", "price""#)
let written = try Measured([
  (middle, insertSelect), (middle, fill), (middle, rawFill), (middle, one), (middle, three),
  (middle, removedOne), (middle, removedThree),
])
print("a default for 100,000 rows / SQLite's ADD COLUMN and UPDATE\t\(written.ratio(1, to: 2))")
print("one conversion of 100,000 rows / INSERT … SELECT\t\(written.ratio(3, to: 0))")
print("three conversions of 100,000 rows / INSERT … SELECT\t\(written.ratio(4, to: 0))")
print("removal of an attribute of 100,000 rows / INSERT … SELECT\t\(written.ratio(5, to: 0))")
print("removal of three attributes of 100,000 rows / INSERT … SELECT\t\(written.ratio(6, to: 0))")

// MARK: Plans

let checked = try model(
  #""code": { "type": "string" }, "pages": "string", "size": "string","#,
  keys: #" "removed": ["price"], "unique": ["code"],"#)
func plan(_ detail: MigrationPlan.Detail, _ model: ModelBinding) -> (URL) throws -> Void {
  { file in
    guard try StoreMigrator(.sqlite(at: file), to: model).plan(detail)?.isAllowed == true else {
      throw Failure()
    }
  }
}
let scan = raw(
  """
  SELECT count(*) FROM Book; SELECT count(price) FROM Book; SELECT copal_id FROM Book WHERE code IS NULL;
  SELECT min(copal_id), max(copal_id), count(*) FROM Book WHERE code IS NOT NULL GROUP BY code
    HAVING count(*) > 1 ORDER BY 1
  """)
let plans = try Measured([
  (middle, plan(.rows, checked)), (middle, scan), (middle, plan(.model, checked)),
])
print(
  "a plan with the rows, 100,000 rows / a scan with the same conditions\t\(plans.ratio(0, to: 1))")
print("milliseconds of a plan without the rows\t\(plans.seconds(2) * 1000)")
