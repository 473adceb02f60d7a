import BenchKit
import CBenchSQLite
import Foundation

extension Checksum {
  @inline(__always)
  mutating func add(_ item: Item) {
    add(item.name)
    add(item.note)
    add(item.count)
    add(item.ratio)
    add(item.price)
    add(item.created)
    add(item.flag)
    if let color = item.color { add(bytes: color.count, first: color.first ?? 0) }
  }
}

/// All rows of a statement as structs.
func fetch(_ database: Database, _ statement: OpaquePointer) throws -> [Item] {
  var items: [Item] = []
  while true {
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { break }
    try database.check(code)
    items.append(try Item(statement))
  }
  sqlite3_reset(statement)
  return items
}

func insert(_ data: [Row], into file: String) throws -> UInt64 {
  let database = try Database(file)
  try database.run("PRAGMA journal_mode=WAL")
  try database.run(
    "CREATE TABLE Item (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, note TEXT, count INTEGER, ratio REAL, price TEXT, created REAL, flag INTEGER, color BLOB)"
  )
  try database.run("CREATE INDEX copal_index_Item_count ON Item (count)")
  let statement = try database.prepare("INSERT INTO Item VALUES (?,?,?,?,?,?,?,?,?,?)")
  try database.run("BEGIN IMMEDIATE")
  func bind(_ position: Int32, _ text: String) throws {
    var text = text
    try text.withUTF8 {
      try database.check(
        sqlite3_bind_text(
          statement, position,
          UnsafeRawPointer($0.baseAddress)?.assumingMemoryBound(to: CChar.self),
          Int32($0.count), Database.transient))
    }
  }
  for (index, row) in data.enumerated() {
    try database.check(sqlite3_bind_int64(statement, 1, Int64(index + 1)))
    try database.check(sqlite3_bind_int64(statement, 2, 1))
    try bind(3, row.name)
    if let note = row.note {
      try bind(4, note)
    } else {
      try database.check(sqlite3_bind_null(statement, 4))
    }
    try database.check(sqlite3_bind_int64(statement, 5, row.count))
    try database.check(sqlite3_bind_double(statement, 6, row.ratio))
    try bind(7, row.price)
    try database.check(sqlite3_bind_double(statement, 8, row.created))
    try database.check(sqlite3_bind_int64(statement, 9, row.flag ? 1 : 0))
    try row.color.withUnsafeBytes {
      try database.check(
        sqlite3_bind_blob(statement, 10, $0.baseAddress, Int32($0.count), Database.transient))
    }
    try database.check(sqlite3_step(statement))
    sqlite3_reset(statement)
  }
  try database.run("COMMIT")
  sqlite3_finalize(statement)
  return UInt64(data.count)
}

func get(_ keys: [Int64], _ database: Database) throws -> UInt64 {
  let statement = try database.prepare("SELECT \(Item.columns) FROM Item WHERE copal_id = ?")
  defer { sqlite3_finalize(statement) }
  var sum = Checksum()
  for key in keys {
    sqlite3_bind_int64(statement, 1, key)
    for item in try fetch(database, statement) { sum.add(item) }
  }
  return sum.value
}

func changed(_ database: Database) throws -> [Item] {
  let statement = try database.prepare("SELECT \(Item.columns) FROM Item WHERE count < ?")
  defer { sqlite3_finalize(statement) }
  sqlite3_bind_int64(statement, 1, 100)
  return try fetch(database, statement)
}

benchmarkProgram { workload, rows, file in
  switch workload {
  case .insert:
    let data = Row.make(rows)
    return { try insert(data, into: file) }
  case .fetchAll, .fetchOne:
    let database = try Database(file)
    return {
      let statement = try database.prepare("SELECT \(Item.columns) FROM Item ORDER BY copal_id")
      defer { sqlite3_finalize(statement) }
      var sum = Checksum()
      for item in try fetch(database, statement) {
        if workload == .fetchAll { sum.add(item) } else { sum.add(item.count) }
      }
      return sum.value
    }
  case .ids:
    let database = try Database(file)
    return {
      let statement = try database.prepare("SELECT copal_id FROM Item ORDER BY copal_id")
      defer { sqlite3_finalize(statement) }
      var keys: [Int64] = []
      while sqlite3_step(statement) == SQLITE_ROW {
        keys.append(sqlite3_column_int64(statement, 0))
      }
      return UInt64(keys.count)
    }
  case .get:
    let database = try Database(file)
    try database.run("SELECT copal_id FROM Item")
    let keys = Workload.keys(of: rows)
    return { try get(keys, database) }
  case .getReading:
    let database = try Database(file)
    // As Copal does to get its ids.
    try database.run("SELECT copal_id FROM Item")
    let keys = Workload.keys(of: rows)
    return {
      try database.run("BEGIN")
      defer { try? database.run("COMMIT") }
      return try get(keys, database)
    }
  case .filter:
    let database = try Database(file)
    return {
      let statement = try database.prepare(
        "SELECT \(Item.columns) FROM Item WHERE count = ? AND ratio >= ? ORDER BY name LIMIT ?")
      defer { sqlite3_finalize(statement) }
      var sum = Checksum()
      for number in 0..<1000 {
        sqlite3_bind_int64(statement, 1, Int64(number))
        sqlite3_bind_double(statement, 2, 0.1)
        sqlite3_bind_int64(statement, 3, 50)
        for item in try fetch(database, statement) { sum.add(item) }
      }
      return sum.value
    }
  case .update:
    let database = try Database(file)
    return {
      let items = try changed(database)
      let statement = try database.prepare(
        "UPDATE Item SET copal_version = ?, ratio = ?, name = ? WHERE copal_id = ? AND copal_version = ?"
      )
      defer { sqlite3_finalize(statement) }
      try database.run("BEGIN IMMEDIATE")
      for item in items {
        sqlite3_bind_int64(statement, 1, item.version + 1)
        sqlite3_bind_double(statement, 2, item.ratio + 1)
        sqlite3_bind_text(statement, 3, "changed name", -1, Database.transient)
        sqlite3_bind_int64(statement, 4, item.key)
        sqlite3_bind_int64(statement, 5, item.version)
        try database.check(sqlite3_step(statement))
        guard sqlite3_changes(database.handle) == 1 else { throw Failure(message: "conflict") }
        sqlite3_reset(statement)
      }
      try database.run("COMMIT")
      return UInt64(items.count)
    }
  case .delete:
    let database = try Database(file)
    return {
      let items = try changed(database)
      let statement = try database.prepare(
        "DELETE FROM Item WHERE copal_id = ? AND copal_version = ?")
      defer { sqlite3_finalize(statement) }
      try database.run("BEGIN IMMEDIATE")
      for item in items {
        sqlite3_bind_int64(statement, 1, item.key)
        sqlite3_bind_int64(statement, 2, item.version)
        try database.check(sqlite3_step(statement))
        guard sqlite3_changes(database.handle) == 1 else { throw Failure(message: "conflict") }
        sqlite3_reset(statement)
      }
      try database.run("COMMIT")
      return UInt64(items.count)
    }
  case .reopen:
    return {
      var sum = Checksum()
      for _ in 0..<200 {
        let database = try Database(file)
        let statement = try database.prepare(
          "SELECT \(Item.columns) FROM Item ORDER BY copal_id LIMIT 1")
        for item in try fetch(database, statement) { sum.add(item) }
        sqlite3_finalize(statement)
      }
      return sum.value
    }
  }
} relationships: {
  try relationshipWork($0, $1, $2)
} families: {
  try familyWork($0, $1, $2)
}
