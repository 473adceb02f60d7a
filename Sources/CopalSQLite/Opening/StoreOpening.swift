import CopalModel
import CopalSQL
import CopalStore
import Foundation

/// Opening a store, step by step: look before touching, refuse without a trace, create or take over in
/// one transaction.
struct StoreOpening {
  let path: String
  let schema: StoreSchema
  let options: SQLiteStore.Options

  /// What this version writes; a file with a greater number is left alone.
  static let format: Int64 = 1
  /// "Copl", in the file's header: how a store is told from other databases.
  static let applicationID: Int64 = 0x436f_706c

  func open() throws -> (Connection, UUID) {
    try SQLiteLibrary.check()
    try checkPath()
    do {
      let connection = try connect()
      let metadata = StoreMetadata(connection)
      switch try kind(of: connection) {
      case .empty: return (connection, try create(connection, metadata))
      case .store: return (connection, try adopt(connection, metadata))
      }
    } catch let error as PersistenceError where error.code == .modelDiffers {
      guard options.erasesWhenModelDiffers else { throw error }
      try erase()
      let connection = try connect()
      return (connection, try create(connection, StoreMetadata(connection)))
    }
  }

  /// One more connection to a store that is open already.
  func connect() throws -> Connection {
    let connection = try Connection(
      path: path, busyTimeoutSeconds: options.busyTimeoutSeconds,
      onStatement: options.onStatement)
    if options.durability == .normal { try connection.run("PRAGMA synchronous=NORMAL") }
    return connection
  }

  // MARK: Looking

  private func checkPath() throws {
    let url = URL(filePath: path)
    let parent = url.deletingLastPathComponent().path(percentEncoded: false)
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: parent, isDirectory: &isFolder) else {
      throw PersistenceError(.parentMissing, path: path)
    }
    guard isFolder.boolValue else {
      throw PersistenceError(.cannotOpen, path: path, found: "'\(parent)' is not a folder")
    }
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      throw PersistenceError(.cannotOpen, path: path, found: "it is a folder")
    }
  }

  private enum Kind { case empty, store }

  private func kind(of connection: Connection) throws -> Kind {
    do {
      let id = try connection.integer("PRAGMA application_id") ?? 0
      if id == Self.applicationID {
        if connection.isReadOnly { throw notWritable }
        return .store
      }
      let objects = try connection.integer("SELECT count(*) FROM sqlite_schema") ?? 0
      if id == 0, objects == 0 {
        if connection.isReadOnly { throw notWritable }
        return .empty
      }
    } catch {
      connection.leaveUntouched()
      throw error
    }
    connection.leaveUntouched()
    throw PersistenceError(
      .notACopalStore, path: path, found: "it was made by another program")
  }

  private var notWritable: PersistenceError {
    PersistenceError(.notWritable, path: path, found: "the file may only be read")
  }

  // MARK: Creating

  private func create(_ connection: Connection, _ metadata: StoreMetadata) throws -> UUID {
    try connection.run("PRAGMA journal_mode=WAL")
    return try connection.immediately {
      // Another process may have been first.
      if try connection.integer("PRAGMA application_id") == Self.applicationID {
        return try metadata.read(path: path).identifier
      }
      let identifier = UUID()
      try metadata.createTables()
      for layout in schema.entities { try createTable(layout, connection) }
      try metadata.write(identifier: identifier, meaning: StoreMeaning(schema.model))
      try connection.run("PRAGMA user_version=1")
      // Last, so that a file has our mark only when everything else is there.
      try connection.run("PRAGMA application_id=1131376748")
      return identifier
    }
  }

  private func createTable(_ layout: EntityLayout, _ connection: Connection) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    let mapping = TableMapping(layout)
    try connection.run(translator.createTable(mapping).text)
    for index in translator.createIndexes(mapping) { try connection.run(index.text) }
  }

  private func erase() throws {
    for suffix in ["", "-wal", "-shm"] {
      let file = path + suffix
      if FileManager.default.fileExists(atPath: file) {
        try FileManager.default.removeItem(atPath: file)
      }
    }
  }

  // MARK: Taking over

  private func adopt(_ connection: Connection, _ metadata: StoreMetadata) throws -> UUID {
    let format = try connection.integer("PRAGMA user_version") ?? 0
    guard format <= Self.format else {
      connection.leaveUntouched()
      throw PersistenceError(
        .newerFormat, path: path, found: "\(format)", expected: "\(Self.format)")
    }
    let meaning = StoreMeaning(schema.model)
    let stored = try metadata.read(path: path)
    if stored.meaning == meaning.hash { return stored.identifier }
    try connection.immediately {
      // Read again under the lock: another process may have taken the model over.
      let stored = try metadata.read(path: path)
      if stored.meaning == meaning.hash { return }
      let old = try metadata.readModel(path: path)
      let difference = ModelDifference(from: old, to: schema)
      guard difference.refused.isEmpty else {
        throw PersistenceError(
          .modelDiffers, path: path,
          found: difference.refused.map { "  " + $0 }.joined(separator: "\n"))
      }
      try takeOver(difference, connection)
      try metadata.update(meaning: meaning)
    }
    return stored.identifier
  }

  private func takeOver(_ difference: ModelDifference, _ connection: Connection) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    for layout in difference.addedEntities { try createTable(layout, connection) }
    for (layout, slot) in difference.addedAttributes {
      let mapping = TableMapping(layout)
      try connection.run(translator.addColumn(slot, mapping).text)
      try fill(slot, mapping, connection)
    }
    for layout in difference.changedIndexes {
      for index in translator.createIndexes(TableMapping(layout)) { try connection.run(index.text) }
    }
  }

  /// Gives the rows that are there the default of a new attribute.
  private func fill(_ slot: Int, _ mapping: TableMapping, _ connection: Connection) throws {
    let translator = SchemaTranslator(SQLiteDialect())
    switch mapping.layout.attributes[slot].defaultValue {
    case nil: return
    case .value(let value):
      try connection.run(translator.fillColumn(slot, with: value, mapping))
    case .now:
      try connection.run(translator.fillColumn(slot, with: .date(Date()), mapping))
    case .new:
      for key in try connection.integers(
        SelectTranslator(mapping, SQLiteDialect()).keys(
          StoreQuery(entity: mapping.layout.index)))
      {
        try connection.run(translator.setColumn(slot, to: .uuid(UUID()), mapping), key: key)
      }
    }
  }
}
