import BenchKit
import Foundation
import GRDB

/// A record written by hand and decoded by position: the fastest of GRDB's kinds.
struct Item: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Item"
  static var databaseSelection: [any SQLSelectable] {
    [
      Column("copal_id"), Column("copal_version"), Column("name"), Column("note"), Column("count"),
      Column("ratio"), Column("price"), Column("created"), Column("flag"), Column("color"),
    ]
  }

  var key: Int64
  var version: Int64
  var name: String
  var note: String?
  var count: Int64
  var ratio: Double
  var price: String
  var created: Double
  var flag: Bool
  var color: Data?

  init(row: GRDB.Row) {
    key = row[0]
    version = row[1]
    name = row[2]
    note = row[3]
    count = row[4]
    ratio = row[5]
    price = row[6]
    created = row[7]
    flag = row[8]
    color = row[9]
  }

  init(_ key: Int64, _ row: BenchKit.Row, _ color: Data) {
    self.key = key
    version = 1
    name = row.name
    note = row.note
    count = row.count
    ratio = row.ratio
    price = row.price
    created = row.created
    flag = row.flag
    self.color = color
  }

  func encode(to container: inout PersistenceContainer) {
    container["copal_id"] = key
    container["copal_version"] = version
    container["name"] = name
    container["note"] = note
    container["count"] = count
    container["ratio"] = ratio
    container["price"] = price
    container["created"] = created
    container["flag"] = flag
    container["color"] = color
  }
}

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

func open(_ file: String) throws -> DatabasePool {
  var configuration = Configuration()
  configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous=NORMAL") }
  return try DatabasePool(path: file, configuration: configuration)
}

benchmarkProgram { workload, rows, file in
  switch workload {
  case .insert:
    let data = BenchKit.Row.make(rows)
    let colors = data.map { Data($0.color) }
    return {
      let pool = try open(file)
      try pool.write { database in
        try database.execute(
          sql:
            "CREATE TABLE Item (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, note TEXT, count INTEGER, ratio REAL, price TEXT, created REAL, flag INTEGER, color BLOB)"
        )
        try database.execute(sql: "CREATE INDEX copal_index_Item_count ON Item (count)")
        for (index, (row, color)) in zip(data, colors).enumerated() {
          try Item(Int64(index + 1), row, color).insert(database)
        }
      }
      return UInt64(data.count)
    }
  case .fetchAll, .fetchOne:
    let pool = try open(file)
    return {
      try pool.read { database in
        var sum = Checksum()
        for item in try Item.fetchAll(database) {
          if workload == .fetchAll { sum.add(item) } else { sum.add(item.count) }
        }
        return sum.value
      }
    }
  case .ids:
    let pool = try open(file)
    return {
      try pool.read { database in
        let keys = try Int64.fetchAll(
          database, sql: "SELECT copal_id FROM Item ORDER BY copal_id")
        return UInt64(keys.count)
      }
    }
  case .get:
    let pool = try open(file)
    let keys = Workload.keys(of: rows)
    return {
      var sum = Checksum()
      for key in keys {
        let item = try pool.read { try Item.fetchOne($0, key: key) }
        if let item { sum.add(item) }
      }
      return sum.value
    }
  case .getReading:
    let pool = try open(file)
    let keys = Workload.keys(of: rows)
    return {
      try pool.read { database in
        var sum = Checksum()
        for key in keys {
          if let item = try Item.fetchOne(database, key: key) { sum.add(item) }
        }
        return sum.value
      }
    }
  case .filter:
    let pool = try open(file)
    return {
      var sum = Checksum()
      for number in 0..<1000 {
        let items = try pool.read { database in
          try Item.fetchAll(
            database,
            sql:
              "SELECT copal_id, copal_version, name, note, count, ratio, price, created, flag, color FROM Item WHERE count = ? AND ratio >= ? ORDER BY name LIMIT ?",
            arguments: [number, 0.1, 50])
        }
        for item in items { sum.add(item) }
      }
      return sum.value
    }
  case .update:
    let pool = try open(file)
    return {
      try pool.write { database in
        let items = try Item.filter(Column("count") < 100).fetchAll(database)
        for var item in items {
          item.ratio += 1
          item.name = "changed name"
          item.version += 1
          try item.update(database, columns: ["copal_version", "ratio", "name"])
        }
        return UInt64(items.count)
      }
    }
  case .delete:
    let pool = try open(file)
    return {
      try pool.write { database in
        let items = try Item.filter(Column("count") < 100).fetchAll(database)
        for item in items { try item.delete(database) }
        return UInt64(items.count)
      }
    }
  case .reopen:
    return {
      var sum = Checksum()
      for _ in 0..<200 {
        let pool = try open(file)
        let item = try pool.read { try Item.limit(1).fetchOne($0) }
        if let item { sum.add(item) }
      }
      return sum.value
    }
  }
} relationships: {
  try relationshipWork($0, $1, $2)
}
