import BenchKit
import GRDB

/// Records written by hand and decoded by position, with GRDB's associations.
struct Parent: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Parent"
  static var databaseSelection: [any SQLSelectable] {
    [Column("copal_id"), Column("copal_version"), Column("name"), Column("rank")]
  }
  static let children = hasMany(Child.self, using: Child.foreignKey).forKey("children")

  var key: Int64
  var version: Int64
  var name: String
  var rank: Int64

  var children: QueryInterfaceRequest<Child> { request(for: Self.children) }

  init(row: GRDB.Row) {
    key = row[0]
    version = row[1]
    name = row[2]
    rank = row[3]
  }

  init(_ key: Int64, _ row: BenchKit.Row) {
    self.key = key
    version = 1
    name = row.name
    rank = key - 1
  }

  func encode(to container: inout PersistenceContainer) {
    container["copal_id"] = key
    container["copal_version"] = version
    container["name"] = name
    container["rank"] = rank
  }
}

struct Child: FetchableRecord, PersistableRecord {
  static let databaseTableName = "Child"
  static var databaseSelection: [any SQLSelectable] {
    [
      Column("copal_id"), Column("copal_version"), Column("name"), Column("note"), Column("count"),
      Column("ratio"), Column("parent"),
    ]
  }
  static let foreignKey = ForeignKey(["parent"], to: ["copal_id"])
  static let parent = belongsTo(Parent.self, using: foreignKey).forKey("owner")

  var key: Int64
  var version: Int64
  var name: String
  var note: String?
  var count: Int64
  var ratio: Double
  var parent: Int64?

  init(row: GRDB.Row) {
    key = row[0]
    version = row[1]
    name = row[2]
    note = row[3]
    count = row[4]
    ratio = row[5]
    parent = row[6]
  }

  init(_ key: Int64, _ row: BenchKit.Row, parent: Int64) {
    self.key = key
    version = 1
    name = row.name
    note = row.note
    count = row.count
    ratio = row.ratio
    self.parent = parent
  }

  func encode(to container: inout PersistenceContainer) {
    container["copal_id"] = key
    container["copal_version"] = version
    container["name"] = name
    container["note"] = note
    container["count"] = count
    container["ratio"] = ratio
    container["parent"] = parent
  }
}

/// What `including(all:)` gives.
struct ParentWithChildren: FetchableRecord {
  var parent: Parent
  var children: [Child]

  init(row: GRDB.Row) throws {
    parent = Parent(row: row)
    children = row["children"]
  }
}

/// What `including(required:)` gives.
struct ChildWithParent: FetchableRecord {
  var child: Child
  var parent: Parent

  init(row: GRDB.Row) throws {
    child = Child(row: row)
    parent = row["owner"]
  }
}

private func insert(_ family: Family, into file: String) throws -> UInt64 {
  let pool = try open(file)
  return try pool.write { database in
    try database.execute(
      sql: """
        CREATE TABLE Parent (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, rank INTEGER);
        CREATE TABLE Child (copal_id INTEGER PRIMARY KEY, copal_version INTEGER NOT NULL, name TEXT, note TEXT, count INTEGER, ratio REAL, parent INTEGER REFERENCES Parent (copal_id) DEFERRABLE INITIALLY DEFERRED);
        CREATE INDEX "copal_index_Child(parent)" ON Child (parent)
        """)
    for (index, row) in family.parents.enumerated() {
      try Parent(Int64(index + 1), row).insert(database)
    }
    for (index, row) in family.children.enumerated() {
      let parent = Int64(Family.parent(ofChild: index) + 1)
      try Child(Int64(index + 1), row, parent: parent).insert(database)
    }
    return try countOfChildren(of: Int64(family.parents.count), database)
  }
}

/// The number of all children and of those of one parent.
private func countOfChildren(of parent: Int64, _ database: Database) throws -> UInt64 {
  let all = try Child.fetchCount(database)
  let own = try Child.filter(Column("parent") == parent).fetchCount(database)
  return UInt64(all * 1_000_000 + own)
}

func relationshipWork(_ workload: RelationshipWorkload, _ rows: Int, _ file: String) throws
  -> () throws -> UInt64
{
  if workload == .insertGraph {
    let data = Family.make(rows)
    return { try insert(data, into: file) }
  }
  let pool = try open(file)
  switch workload {
  case .insertGraph, .children:
    return {
      try pool.read { database in
        var sum = Checksum()
        let request = Parent.including(all: Parent.children).asRequest(of: ParentWithChildren.self)
        for each in try request.fetchAll(database) {
          for child in each.children { sum.add(child: child.count, parent: each.parent.rank) }
        }
        return sum.value
      }
    }
  case .childrenLazy:
    return {
      try pool.read { database in
        var sum = Checksum()
        for parent in try Parent.fetchAll(database) {
          for child in try parent.children.fetchAll(database) {
            sum.add(child: child.count, parent: parent.rank)
          }
        }
        return sum.value
      }
    }
  case .parents:
    return {
      try pool.read { database in
        var sum = Checksum()
        let request = Child.including(required: Child.parent).asRequest(of: ChildWithParent.self)
        for each in try request.fetchAll(database) {
          sum.add(child: each.child.count, parent: each.parent.rank)
        }
        return sum.value
      }
    }
  case .move:
    return {
      try pool.write { database in
        let parents = try Parent.fetchAll(database)
        guard let target = parents.last else { return 0 }
        let former = parents.prefix(parents.count / 10).map(\.key)
        let children = try Child.filter(former.contains(Column("parent"))).order(Column("ratio"))
          .fetchAll(database)
        for var child in children {
          child.parent = target.key
          child.version += 1
          try child.update(database, columns: ["copal_version", "parent"])
        }
        return try countOfChildren(of: target.key, database)
      }
    }
  case .cascade, .cascadeRows:
    return {
      try pool.write { database in
        let keys = try Parent.fetchAll(database).map(\.key)
        _ = try Child.filter(keys.contains(Column("parent"))).deleteAll(database)
        _ = try Parent.deleteAll(database, keys: keys)
        let rest = try Parent.fetchCount(database) + Child.fetchCount(database)
        return UInt64(keys.count * 1_000_000 + rest)
      }
    }
  }
}
