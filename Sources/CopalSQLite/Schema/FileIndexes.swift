import CopalSQL
import CopalStore

/// The indexes that a file has, by what they are: a renamed table keeps its indexes under their old
/// names.
struct FileIndexes {
  /// An index of a table, as its definition says.
  struct Found {
    let name: String
    let table: String
    /// Nil for a definition that Copal would not write.
    let shape: SchemaTranslator.IndexShape?
    let definition: String
  }

  private(set) var all: [Found] = []
  /// The names of all tables and indexes in lowercase.
  private var names: Set<String> = []
  private var shapes: Set<SchemaTranslator.IndexShape> = []

  init(_ connection: Connection) throws {
    var (all, names): ([Found], Set<String>) = ([], [])
    try connection.forEachRow("SELECT type, name, tbl_name, sql FROM sqlite_schema") { row in
      guard let name = row.text(1) else { return }
      names.insert(name.lowercased())
      guard row.text(0) == "index", let definition = row.text(3) else { return }
      all.append(
        Found(
          name: name, table: row.text(2) ?? "", shape: Self.shape(definition),
          definition: definition))
    }
    self.all = all
    self.names = names
    shapes = Set(all.compactMap(\.shape))
  }

  /// Whether the file has an index of a shape.
  func contains(_ shape: SchemaTranslator.IndexShape) -> Bool { shapes.contains(shape) }

  /// A name that no table and no index has: the index's own one, or with a number.
  mutating func freeName(for index: SchemaTranslator.Index) -> String {
    var name = index.name
    var number = 2
    while names.contains(name.lowercased()) {
      name = "\(index.name)_\(number)"
      number += 1
    }
    names.insert(name.lowercased())
    return name
  }

  /// Notes an index that the file has got.
  mutating func add(_ index: SchemaTranslator.Index) { shapes.insert(index.shape) }

  mutating func remove(_ index: Found) {
    names.remove(index.name.lowercased())
    if let shape = index.shape { shapes.remove(shape) }
  }

  /// The shape of an index with a definition as Copal and SQLite write it: `CREATE UNIQUE INDEX
  /// "name" ON "Book" ("isbn")`. SQLite writes new names of tables and columns into it.
  static func shape(_ definition: String) -> SchemaTranslator.IndexShape? {
    for (head, isUnique) in [("CREATE UNIQUE INDEX \"", true), ("CREATE INDEX \"", false)]
    where definition.hasPrefix(head) {
      let rest = definition.dropFirst(head.count)
      // A quotation mark in the name is doubled.
      var place = rest.startIndex
      while let mark = rest[place...].firstIndex(of: "\"") {
        let next = rest.index(after: mark)
        if next < rest.endIndex, rest[next] == "\"" {
          place = rest.index(after: next)
          continue
        }
        return SchemaTranslator.IndexShape(isUnique: isUnique, text: String(rest[next...]))
      }
    }
    return nil
  }
}
