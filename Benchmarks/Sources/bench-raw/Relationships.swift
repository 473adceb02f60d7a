import BenchKit
import CBenchSQLite
import Foundation

/// A parent with its children, as a careful program without a framework keeps them.
struct Parent {
  var key: Int64
  var version: Int64
  var name: String
  var rank: Int64
  var children: [Child] = []

  static let columns = ["copal_id", "copal_version", "name", "rank"]

  /// Reads the current row of a statement from a column on, and checks storage classes and
  /// nullability as Copal does.
  @inline(__always)
  init(_ statement: OpaquePointer, _ first: Int32 = 0) throws {
    key = sqlite3_column_int64(statement, first)
    version = sqlite3_column_int64(statement, first + 1)
    guard sqlite3_column_type(statement, first + 2) == SQLITE_TEXT,
      sqlite3_column_type(statement, first + 3) == SQLITE_INTEGER
    else { throw Failure(message: "a column holds what it should not") }
    name = Item.text(statement, first + 2)
    rank = sqlite3_column_int64(statement, first + 3)
  }
}

struct Child {
  var key: Int64
  var version: Int64
  var name: String
  var note: String?
  var count: Int64
  var ratio: Double
  /// The key of its parent.
  var parent: Int64?

  static let columns = ["copal_id", "copal_version", "name", "note", "count", "ratio", "parent"]

  @inline(__always)
  init(_ statement: OpaquePointer) throws {
    key = sqlite3_column_int64(statement, 0)
    version = sqlite3_column_int64(statement, 1)
    guard sqlite3_column_type(statement, 2) == SQLITE_TEXT,
      sqlite3_column_type(statement, 4) == SQLITE_INTEGER,
      sqlite3_column_type(statement, 5) == SQLITE_FLOAT
    else { throw Failure(message: "a column holds what it should not") }
    name = Item.text(statement, 2)
    switch sqlite3_column_type(statement, 3) {
    case SQLITE_NULL: note = nil
    case SQLITE_TEXT: note = Item.text(statement, 3)
    default: throw Failure(message: "a column holds what it should not")
    }
    count = sqlite3_column_int64(statement, 4)
    ratio = sqlite3_column_double(statement, 5)
    switch sqlite3_column_type(statement, 6) {
    case SQLITE_NULL: parent = nil
    case SQLITE_INTEGER: parent = sqlite3_column_int64(statement, 6)
    default: throw Failure(message: "a column holds what it should not")
    }
  }
}

/// The tables, references and indexes of Copal's store.
private func makeTables(_ database: Database) throws {
  try database.run("PRAGMA journal_mode=WAL")
  try database.run(
    "CREATE TABLE Parent (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, rank INTEGER)"
  )
  try database.run(
    "CREATE TABLE Child (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, note TEXT, count INTEGER, ratio REAL, parent INTEGER REFERENCES Parent (copal_id) DEFERRABLE INITIALLY DEFERRED)"
  )
  try database.run("CREATE INDEX \"copal_index_Child(parent)\" ON Child (parent)")
}

/// A connection that checks references, as Copal's does.
private func open(_ file: String) throws -> Database {
  let database = try Database(file)
  try database.run("PRAGMA foreign_keys=ON")
  return database
}

extension Database {
  fileprivate func rows<R>(
    _ sql: String, _ keys: [Int64] = [], _ read: (OpaquePointer) throws -> R
  ) throws -> [R] {
    let statement = try prepare(sql)
    defer { sqlite3_finalize(statement) }
    for (index, key) in keys.enumerated() {
      try check(sqlite3_bind_int64(statement, Int32(index + 1), key))
    }
    var rows: [R] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      try check(code)
      rows.append(try read(statement))
    }
  }

  fileprivate func number(_ sql: String, _ keys: [Int64] = []) throws -> Int64 {
    try rows(sql, keys) { sqlite3_column_int64($0, 0) }.first ?? 0
  }

  fileprivate func bind(_ statement: OpaquePointer, _ position: Int32, _ text: String) throws {
    var text = text
    try text.withUTF8 {
      try check(
        sqlite3_bind_text(
          statement, position,
          UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self),
          Int32($0.count), Self.transient))
    }
  }

  fileprivate func step(_ statement: OpaquePointer) throws {
    try check(sqlite3_step(statement))
    sqlite3_reset(statement)
  }
}

/// A list of placeholders.
private func places(_ keys: [Int64]) -> String {
  "(" + [String](repeating: "?", count: keys.count).joined(separator: ",") + ")"
}

private let selectParents =
  "SELECT \(Parent.columns.joined(separator: ", ")) FROM Parent ORDER BY copal_id"
private let selectChildren = "SELECT \(Child.columns.joined(separator: ", ")) FROM Child"

/// All parents with their children: two queries.
private func family(_ database: Database) throws -> [Parent] {
  var parents = try database.rows(selectParents) { try Parent($0) }
  let keys = parents.map(\.key)
  let statement = try database.prepare(
    "\(selectChildren) WHERE parent IN \(places(keys)) ORDER BY parent, copal_id")
  defer { sqlite3_finalize(statement) }
  for (index, key) in keys.enumerated() {
    try database.check(sqlite3_bind_int64(statement, Int32(index + 1), key))
  }
  // Both results are in the order of the parents' keys.
  var position = 0
  while true {
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { return parents }
    try database.check(code)
    let child = try Child(statement)
    while parents[position].key != child.parent { position += 1 }
    parents[position].children.append(child)
  }
}

private func insert(_ family: Family, into file: String) throws -> UInt64 {
  let database = try open(file)
  try makeTables(database)
  try database.run("BEGIN IMMEDIATE")
  let parent = try database.prepare("INSERT INTO Parent VALUES (?,?,?,?)")
  defer { sqlite3_finalize(parent) }
  for (index, row) in family.parents.enumerated() {
    try database.check(sqlite3_bind_int64(parent, 1, Int64(index + 1)))
    try database.check(sqlite3_bind_int64(parent, 2, 1))
    try database.bind(parent, 3, row.name)
    try database.check(sqlite3_bind_int64(parent, 4, Int64(index)))
    try database.step(parent)
  }
  let child = try database.prepare("INSERT INTO Child VALUES (?,?,?,?,?,?,?)")
  defer { sqlite3_finalize(child) }
  for (index, row) in family.children.enumerated() {
    try database.check(sqlite3_bind_int64(child, 1, Int64(index + 1)))
    try database.check(sqlite3_bind_int64(child, 2, 1))
    try database.bind(child, 3, row.name)
    if let note = row.note {
      try database.bind(child, 4, note)
    } else {
      try database.check(sqlite3_bind_null(child, 4))
    }
    try database.check(sqlite3_bind_int64(child, 5, row.count))
    try database.check(sqlite3_bind_double(child, 6, row.ratio))
    try database.check(sqlite3_bind_int64(child, 7, Int64(Family.parent(ofChild: index) + 1)))
    try database.step(child)
  }
  try database.run("COMMIT")
  return try countOfChildren(of: Int64(family.parents.count), database)
}

/// The number of all children and of those of one parent.
private func countOfChildren(of parent: Int64, _ database: Database) throws -> UInt64 {
  let all = try database.number("SELECT count(*) FROM Child")
  return UInt64(
    all * 1_000_000
      + (try database.number("SELECT count(*) FROM Child WHERE parent = ?", [parent])))
}

/// Moves the children of the first tenth of the parents to the last one.
private func move(_ database: Database) throws -> UInt64 {
  let parents = try database.rows(selectParents) { try Parent($0) }
  guard let target = parents.last else { return 0 }
  let former = parents.prefix(parents.count / 10).map(\.key)
  let children = try database.rows(
    "\(selectChildren) WHERE parent IN \(places(former)) ORDER BY ratio, copal_id", former
  ) { try Child($0) }
  let statement = try database.prepare(
    "UPDATE Child SET copal_version = ?, parent = ? WHERE copal_id = ? AND copal_version = ?")
  defer { sqlite3_finalize(statement) }
  try database.run("BEGIN IMMEDIATE")
  for child in children {
    sqlite3_bind_int64(statement, 1, child.version + 1)
    sqlite3_bind_int64(statement, 2, target.key)
    sqlite3_bind_int64(statement, 3, child.key)
    sqlite3_bind_int64(statement, 4, child.version)
    try database.step(statement)
    guard sqlite3_changes(database.handle) == 1 else { throw Failure(message: "conflict") }
  }
  try database.run("COMMIT")
  return try countOfChildren(of: target.key, database)
}

/// Deletes all parents and their children: two statements.
private func cascade(_ database: Database) throws -> UInt64 {
  let parents = try database.rows(selectParents) { try Parent($0) }
  let keys = parents.map(\.key)
  try database.run("BEGIN IMMEDIATE")
  _ = try database.number("DELETE FROM Child WHERE parent IN \(places(keys))", keys)
  _ = try database.number("DELETE FROM Parent WHERE copal_id IN \(places(keys))", keys)
  guard Int(sqlite3_changes(database.handle)) == keys.count else {
    throw Failure(message: "conflict")
  }
  try database.run("COMMIT")
  let rest =
    try database.number("SELECT count(*) FROM Parent")
    + database.number("SELECT count(*) FROM Child")
  return UInt64(Int64(parents.count) * 1_000_000 + rest)
}

func relationshipWork(_ workload: RelationshipWorkload, _ rows: Int, _ file: String) throws
  -> () throws -> UInt64
{
  if workload == .insertGraph {
    let data = Family.make(rows)
    return { try insert(data, into: file) }
  }
  let database = try open(file)
  switch workload {
  case .insertGraph, .children, .childrenLazy:
    return {
      var sum = Checksum()
      for parent in try family(database) {
        for child in parent.children { sum.add(child: child.count, parent: parent.rank) }
      }
      return sum.value
    }
  case .parents:
    return {
      let columns =
        Child.columns.map { "Child.\($0)" } + Parent.columns.map { "Parent.\($0)" }
      let pairs = try database.rows(
        "SELECT \(columns.joined(separator: ", ")) FROM Child JOIN Parent ON Parent.copal_id = Child.parent ORDER BY Child.copal_id"
      ) { (try Child($0), try Parent($0, Int32(Child.columns.count))) }
      var sum = Checksum()
      for (child, parent) in pairs { sum.add(child: child.count, parent: parent.rank) }
      return sum.value
    }
  case .move: return { try move(database) }
  case .cascade, .cascadeRows: return { try cascade(database) }
  }
}
