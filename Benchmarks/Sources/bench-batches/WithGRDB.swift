import GRDB

/// A record written by hand, as in bench-grdb.
private struct Part: PersistableRecord {
  static let databaseTableName = "Part"
  var line: Line

  func encode(to container: inout PersistenceContainer) {
    container["copal_version"] = 1
    container["code"] = line.code
    container["name"] = line.name
    container["note"] = line.note
    container["count"] = line.count
    container["ratio"] = line.ratio
  }
}

/// Upserts with GRDB into a file of its own.
func upsertWithGRDB(_ lines: [Line], into path: String) throws {
  let pool = try DatabasePool(path: path)
  try pool.write { database in
    for line in lines { try Part(line: line).upsert(database) }
  }
  try pool.close()
}
