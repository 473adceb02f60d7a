package import CopalEssentials
package import CopalModel
import CopalSQL
package import CopalStore

/// What a file says of its store, for people: the models that it had, its rows and its sizes. It is
/// read as an inspection reads: nothing is changed, and others can write meanwhile.
package struct StoreReport: Sendable {
  /// The identifier of the contents.
  package var identifier: UUID
  /// The complete text of the model.
  package var modelText: String
  /// The model, but only the parts that concern a store.
  package var model: ManagedObjectModel
  /// The version of the model.
  package var version: Int
  /// The hash of the schema.
  package var schemaHash: String
  /// The versions of older models whose programs can still use the store.
  package var acceptedVersions: [Int]
  /// The version of Copal that has written the model; nil for one that did not say it.
  package var writer: String?
  /// What a program must know to read the file.
  package var requirements: [String]
  /// The models that the file has had, the first one first.
  package var migrations: [Migration]
  /// The number of objects of exactly each entity that is not abstract, in the order of the model.
  package var counts: [Count]
  /// The tables and indexes with their sizes, the largest first; nil where SQLite cannot say it.
  package var sizes: [Size]?
  /// The size of the file, and of its log, in bytes.
  package var fileSize: Int64
  package var logSize: Int64
  /// The bytes of pages that are free.
  package var freeSize: Int64
  /// The number of files of large values, and their bytes.
  package var externalFileCount: Int
  package var externalFileSize: Int64
  /// What programs keep beside the objects.
  package var metadata: [String: MetadataValue]
  /// Whether another program has the store open, or had it when it ended without closing it.
  package var hasLog: Bool

  /// A model that the file got.
  package struct Migration: Sendable {
    package var number: Int64
    package var version: Int
    package var date: Date
    package var writer: String
    package var plan: String
  }

  /// The number of objects of an entity.
  package struct Count: Sendable {
    package var entity: String
    package var count: Int64
  }

  /// The size of a table or an index.
  package struct Size: Sendable {
    package var name: String
    /// The name of the table of an index; that of the table itself for a table.
    package var table: String
    package var isIndex: Bool
    package var bytes: Int64
  }

  /// Reads the report of a file.
  ///
  /// - Returns: nil when there is no file, or an empty one.
  /// - Throws: what an inspection throws.
  package init?(at path: String) throws {
    let path = StorePath(path)
    let report = try StoreInspection(path: path, options: SQLiteStore.Options()).read {
      try Self(path, $0)
    }
    guard let report else { return nil }
    self = report
  }

  private init(_ path: StorePath, _ connection: Connection) throws {
    let metadata = StoreMetadata(connection)
    let record = try metadata.read()
    identifier = record.identifier
    model = try metadata.readModel()
    modelText =
      try connection.text("SELECT value FROM copal_metadata WHERE name = 'model'") ?? ""
    version = record.version
    schemaHash = record.schemaHash
    acceptedVersions = record.accepted.map(\.version).inOrder()
    writer = record.writer
    requirements = record.required
    migrations = try MigrationHistory(connection).entries().map {
      Migration(
        number: $0.number, version: $0.version, date: Date(storedSeconds: $0.seconds),
        writer: $0.writer, plan: $0.plan)
    }
    counts = try Self.counts(StoreSchema(model), connection)
    sizes = try? Self.sizes(connection)
    let page = try connection.integer("PRAGMA page_size") ?? 0
    freeSize = page * (try connection.integer("PRAGMA freelist_count") ?? 0)
    fileSize = page * (try connection.integer("PRAGMA page_count") ?? 0)
    let log = FileStatus(path.filePath + "-wal")
    logSize = log?.size ?? 0
    hasLog = log != nil
    let folder = ExternalFolder(of: path.filePath, record.identifier)
    let files = folder.valueSizes
    (externalFileCount, externalFileSize) = (files.count, files.reduce(0, +))
    self.metadata = try ProgramMetadata(connection).values(nil)
  }

  private static func counts(_ schema: StoreSchema, _ connection: Connection) throws -> [Count] {
    let translator = RowCountTranslator(SQLiteDialect())
    return try schema.entities.compactMap { layout in
      if layout.entity.isAbstract { return nil }
      let sql = translator.objectCount(TableMapping(layout, in: schema))
      return Count(entity: layout.name, count: try connection.integers(sql).first ?? 0)
    }
  }

  /// The pages of each table and index: <https://www.sqlite.org/dbstat.html>. Debian's SQLite has
  /// this table.
  private static func sizes(_ connection: Connection) throws -> [Size] {
    var sizes: [Size] = []
    try connection.forEachRow(
      """
      SELECT s.name, s.pgsize, coalesce(o.tbl_name, s.name), coalesce(o.type = 'index', 0) \
      FROM dbstat AS s LEFT JOIN sqlite_schema AS o ON o.name = s.name WHERE s.aggregate = 1 \
      ORDER BY 2 DESC, 1
      """
    ) { row in
      sizes.append(
        Size(
          name: row.text(0) ?? "", table: row.text(2) ?? "", isIndex: row.integer(3) != 0,
          bytes: row.integer(1)))
    }
    return sizes
  }
}

extension ExternalFolder {
  /// The sizes of the files of values; empty where there is no folder.
  fileprivate var valueSizes: [Int64] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []
    return names.compactMap { ExternalFileName($0).map { Int64($0.byteCount) } }
  }
}
