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

// MARK: Relationships and families

/// A store with books, papers and loans, each with 100,000 rows.
let library = folder.appending(path: "library.sqlite")

/// The model of the library. A book has an author, or several.
func libraryModel(
  version: Int, manyAuthors: Bool = false, paper: String = "",
  photo: String = #""parent": "Asset","#
) throws -> ModelBinding {
  ModelBinding(
    try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "Library", "version": \(version), "entities": {
          "Author": { "attributes": { "name": "string" },
            "relationships": { "books": { "type": "[Book]", "inverse": "author" } } },
          "Book": { "attributes": { "title": "string", "note": "string?" },
            "relationships": { "author": { "type": "\(manyAuthors ? "[Author]" : "Author?")", "inverse": "books" } } },
          "Asset": { "attributes": { "title": "string" } },
          "Photo": { \(photo) "attributes": { \(photo.isEmpty ? #""title": "string","# : "") "width": "integer" } },
          "Paper": { \(paper) "attributes": { \(paper.isEmpty ? #""title": "string","# : "") "sort": "string?", "weight": "integer" } },
          "Loan": { "attributes": { "note": "string?" }, "relationships": { "paper": { "type": "Paper?" } } }
        } }
        """, file: "Library.model.json"))
}

do {
  _ = try PersistentContainer(model: libraryModel(version: 1), store: .sqlite(at: library))
  try RawConnection(library).run(
    """
    CREATE TEMP TABLE numbers AS WITH RECURSIVE numbers (n) AS
      (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 100000) SELECT n FROM numbers;
    INSERT INTO Author (copal_id, copal_version, name) SELECT n, 1, 'Author ' || n FROM numbers WHERE n <= 1000;
    INSERT INTO Book (copal_id, copal_version, title, note, author)
      SELECT n, 1, 'The title of the book ' || n, 'a note about the book', n * 7919 % 1000 + 1 FROM numbers;
    INSERT INTO Asset (copal_id, copal_version, copal_entity, title, width)
      SELECT n, 1, 'Photo', 'The title of the photo ' || n, n FROM numbers;
    INSERT INTO Paper (copal_id, copal_version, title, sort, weight)
      SELECT n, 1, 'The title of the paper ' || n, 'a sort of paper', n FROM numbers;
    INSERT INTO Loan (copal_id, copal_version, note, paper)
      SELECT n, 1, 'a note about the loan', n * 7919 % 100000 + 1 FROM numbers;
    DELETE FROM copal_keys;
    INSERT INTO copal_keys SELECT value, 100000 FROM json_each('["Author", "Book", "Asset", "Paper", "Loan"]');
    PRAGMA wal_checkpoint(TRUNCATE)
    """)
}
let linked = folder.appending(path: "linked.sqlite")
try FileManager.default.copyItem(at: library, to: linked)
try migration(to: libraryModel(version: 2, manyAuthors: true))(linked)

/// The rows of a table in a new one without indexes, or with one index.
func copied(_ table: String, _ columns: String, index: String? = nil) -> (URL) throws -> Void {
  raw(
    """
    BEGIN IMMEDIATE;
    CREATE TABLE copied (copal_id INTEGER PRIMARY KEY, \(columns));
    INSERT INTO copied SELECT copal_id, \(columns) FROM \(table);
    \(index.map { "CREATE INDEX copied_\($0) ON copied (\($0));" } ?? "")
    COMMIT
    """)
}

let relations = try Measured([
  (library, copied("Book", "copal_version, title, note, author")),
  (linked, migration(to: try libraryModel(version: 3))),
  (library, migration(to: try libraryModel(version: 2, manyAuthors: true))),
])
print(
  "links to a to-one relationship of 100,000 rows / INSERT … SELECT\t\(relations.ratio(1, to: 0))")
print(
  "a to-one relationship to links of 100,000 rows / INSERT … SELECT\t\(relations.ratio(2, to: 0))")

// Without loans, and with them: the difference are the references.
let alone = folder.appending(path: "alone.sqlite")
try FileManager.default.copyItem(at: library, to: alone)
try RawConnection(alone).run("DELETE FROM Loan; PRAGMA wal_checkpoint(TRUNCATE)")
let under = migration(to: try libraryModel(version: 2, paper: #""parent": "Asset","#))
let families = try Measured([
  (library, copied("Paper", "copal_version, title, sort, weight", index: "sort")),
  (alone, under), (library, under),
  (library, copied("Loan", "copal_version, note, paper")),
  (library, copied("Asset", "copal_version, copal_entity, title, width", index: "copal_entity")),
  (alone, migration(to: try libraryModel(version: 2, photo: ""))),
])
print("100,000 rows under a parent / INSERT … SELECT and an index\t\(families.ratio(1, to: 0))")
print(
  "references to 100,000 rows under a parent / INSERT … SELECT\t\(families.seconds(2, above: 1) / families.seconds(3))"
)
print("100,000 rows out of a family / INSERT … SELECT and an index\t\(families.ratio(5, to: 4))")

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
