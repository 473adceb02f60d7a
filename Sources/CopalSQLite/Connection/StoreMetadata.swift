import CopalEssentials
import CopalModel
import CopalSQL
import CopalStore

/// The metadata of a store in its two own tables: identifier, model, and the last key of every
/// entity.
struct StoreMetadata {
  private let connection: Connection

  init(_ connection: Connection) { self.connection = connection }

  struct Record {
    var identifier: UUID
    /// The hash of the schema of the stored model.
    var schemaHash: String
    /// The version of the model, and the older models whose programs may go on.
    var version: Int
    var accepted: Set<ModelMark>
    /// What a program must know to read the file.
    var required: [String]
    /// The version of Copal that has written the model.
    var writer: String?
    /// The versions of the functions of derived columns: ``StoreSchema/derivedMark(_:former:)``.
    /// Nil for a store that has none.
    var folding: String?
    /// Whether there are ids of former entities.
    var hasFormerIDs: Bool

    /// What the store says about its model.
    var model: StoredModel {
      StoredModel(hash: schemaHash, version: version, accepted: accepted)
    }
  }

  func createTables() throws {
    try connection.run(
      "CREATE TABLE copal_metadata (name TEXT PRIMARY KEY NOT NULL, value TEXT NOT NULL)")
    try connection.run(LastKeys.table)
  }

  func write(identifier: UUID, _ schema: StoreSchema) throws {
    try set("identifier", identifier.uuidString)
    try update(schema, schema.modelGuard.mark, accepted: [])
    if schema.derivedMark(connection.folding, former: nil) != nil { try updateDerivedMark(schema) }
  }

  /// Notes the versions of the functions by which the derived columns were made. A program whose
  /// version is older may not read or write the file.
  func updateDerivedMark(_ schema: StoreSchema) throws {
    // A program without the transformers has marked the rows: the next one with them derives.
    if let mark = schema.derivedMark(connection.folding, former: nil) {
      try set("folding", mark)
    } else {
      try connection.run("DELETE FROM copal_metadata WHERE name = 'folding'")
    }
    try updateRequirements()
  }

  /// Notes what a program must know to read the file: the functions of derived columns, which
  /// `folding` has, and the words of other features, which stay.
  private func updateRequirements() throws {
    let derived = Self.lines(try get("folding"))
    let others = Self.lines(try get("requires")).filter { line in
      !["folding ", "projection "].contains(where: line.hasPrefix)
    }
    try set("requires", (derived + others).joined(separator: "\n"))
  }

  static func lines(_ text: String?) -> [String] {
    (text ?? "").split(separator: "\n").map(String.init)
  }

  /// Notes the model that the file has from now on.
  func update(_ schema: StoreSchema, _ mark: ModelMark, accepted: Set<ModelMark>) throws {
    try set("schemaHash", mark.hash)
    try set("model", schema.model.canonicalJSON)
    try set("version", "\(mark.version)")
    try set("accepts", accepted.map(\.text).inOrder().joined(separator: "\n"))
    try updateRequirements()
    try set("writer", CopalRelease.version)
  }

  /// Notes that there are ids of former entities, so that an opening reads them.
  func noteFormerIDs() throws { try set("formerIDs", "copal_ids") }

  func read() throws -> Record {
    let values = try values()
    guard let text = values["identifier"] else { throw damaged("its identifier is missing") }
    // The text may go on after a UUID.
    guard let identifier = UUID(uuidString: text), identifier.uuidString == text else {
      throw damaged("its identifier is not a UUID")
    }
    guard let schemaHash = values["schemaHash"] else {
      throw damaged("its schema hash is missing")
    }
    return Record(
      identifier: identifier, schemaHash: schemaHash, version: try version(in: values),
      accepted: ModelMark.marks(values["accepts"] ?? ""),
      required: Self.lines(values["requires"]),
      writer: values["writer"], folding: values["folding"], hasFormerIDs: values["formerIDs"] != nil
    )
  }

  /// The version of the model: 1 in a store that says nothing.
  private func version(in values: [String: String]) throws -> Int {
    guard let text = values["version"] else { return 1 }
    guard let version = Int(written: text), version > 0 else {
      throw damaged("its version '\(text.prefix(40))' is no number from 1")
    }
    return version
  }

  /// Checks that this version of Copal knows what a program must know to read the file.
  ///
  /// - Throws: `store.newerFormat`.
  func check(_ record: Record) throws {
    for feature in record.required {
      if let needed = Self.foldingVersion(feature), needed <= connection.folding.version {
        continue
      }
      if connection.schema?.isKnown(projection: feature) ?? feature.hasPrefix("projection ") {
        continue
      }
      throw PersistenceError(
        .newerFormat, path: connection.path, found: Self.feature(feature))
    }
  }

  /// A feature that a program must know, for an error.
  static func feature(_ name: String) -> String { "the feature '\(name.prefix(100))'" }

  /// The first line of what a store says of its derived columns that a program does not expect.
  static func feature(of stored: String?, beyond expected: String?) -> String {
    let known = lines(expected)
    return lines(stored).first { !known.contains($0) } ?? stored ?? ""
  }

  /// The version of a feature `folding 14.0.0`; nil for another one.
  static func foldingVersion(_ feature: String) -> UnicodeVersion? {
    let words = feature.split(separator: " ", omittingEmptySubsequences: false)
    return words.count == 2 && words[0] == "folding" ? UnicodeVersion(String(words[1])) : nil
  }

  /// What an inspection returns.
  func readDescription() throws -> StoreDescription {
    let record = try read()
    return StoreDescription(
      identifier: record.identifier, model: try readModel(), schemaHash: record.schemaHash,
      metadata: try ProgramMetadata(connection).values(nil))
  }

  /// Everything but the model, which is long, in one statement.
  private func values() throws -> [String: String] {
    try explainingDamage {
      let statement = try connection.statement(
        "SELECT name, value FROM copal_metadata WHERE name <> 'model'")
      defer { statement.reset() }
      var values: [String: String] = [:]
      while try statement.step() {
        if let name = statement.text(0) { values[name] = statement.text(1) }
      }
      return values
    }
  }

  /// The hash of the schema of the stored model.
  func schemaHash() throws -> String? { try get("schemaHash") }

  /// The hash of the schema of the stored model, and what the store says of its derived texts if
  /// that is wanted: in one statement.
  func marks(withFolding: Bool) throws -> (hash: String?, folding: String?) {
    guard withFolding else { return (try schemaHash(), nil) }
    var marks: [String: String] = [:]
    try connection.forEachRow(
      "SELECT name, value FROM copal_metadata WHERE name IN ('folding', 'schemaHash')"
    ) { row in if let name = row.text(0) { marks[name] = row.text(1) } }
    return (marks["schemaHash"], marks["folding"])
  }

  /// What the store says about its model.
  func storedModel() throws -> StoredModel { try read().model }

  /// The model that the store was written with. Only wanted when the program's differs.
  ///
  /// Only the parts that concern a store are read, because an older version may have allowed what a
  /// model may not have today.
  func readModel() throws -> ManagedObjectModel {
    guard let json = try get("model") else { throw damaged("its model is missing") }
    do {
      return try ManagedObjectModel(stored: json)
    } catch  where error.problems.allSatisfy({ $0.code == .unknownKey }) {
      throw PersistenceError(
        .newerFormat, path: connection.path,
        found: "its model has the key '\(error.problems.first?.found ?? "")'", causes: [error])
    } catch {
      throw damaged("its model cannot be read", error)
    }
  }

  private func get(_ name: String) throws -> String? {
    try explainingDamage {
      let statement = try connection.statement("SELECT value FROM copal_metadata WHERE name = ?1")
      defer { statement.reset() }
      try statement.setPlaceholders([.text(name)])
      return try statement.step() ? statement.text(0) : nil
    }
  }

  private func explainingDamage<R>(_ body: () throws -> R) throws -> R {
    do {
      return try body()
    } catch let error as PersistenceError where error.code == .backend {
      throw damaged(error.found ?? "", error)
    }
  }

  private func damaged(_ found: String, _ causes: any Error...) -> PersistenceError {
    PersistenceError(.damagedMetadata, path: connection.path, found: found, causes: causes)
  }

  private func set(_ name: String, _ value: String) throws {
    let statement = try connection.statement(
      "INSERT INTO copal_metadata (name, value) VALUES (?1, ?2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
    )
    defer { statement.reset() }
    try statement.setPlaceholders([.text(name), .text(value)])
    _ = try statement.step()
  }
}

extension StoreSchema {
  /// What a store says about its derived columns, a line for each function: `folding 14.0.0`,
  /// `projection Paint.color.lightness 1 ColorTransformer`. Nil for a store that has none.
  ///
  /// - Parameter former: what the store says now. A program without the transformers does not know
  ///   the versions of projections, and keeps them.
  func derivedMark(_ folding: VersionedFolding, former: String?) -> String? {
    if rootsWithDerivedColumns.isEmpty { return nil }
    let own = entities.flatMap { layout in
      layout.projections.filter { $0.declaringEntity == layout.index }.map { (layout, $0) }
    }
    let projections: [String] =
      if let projector {
        own.map { layout, projection in
          let transformer = layout.attributes[projection.source].transformer?.rawValue ?? ""
          return "projection \(layout.name).\(projection.path) \(projector.version(projection))"
            + " \(transformer)"
        }.inOrder()
      } else {
        StoreMetadata.lines(former).filter { line in
          own.contains { line.hasPrefix("projection \($0.name).\($1.path) ") }
        }
      }
    let foldings =
      entities.contains { $0.derivedColumns.contains(where: \.isFolded) }
      ? ["folding \(folding.version)"] : []
    return (foldings + projections).joined(separator: "\n")
  }

  /// Whether a feature that the store requires is a projection whose function this program has, or
  /// may remove.
  func isKnown(projection feature: String) -> Bool {
    let words = feature.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 4, words[0] == "projection", let needed = Int(written: String(words[2]))
    else {
      return false
    }
    guard let projector else { return true }
    for layout in entities {
      for projection in layout.projections
      where projection.declaringEntity == layout.index
        && words[1] == "\(layout.name).\(projection.path)"
      {
        // Another transformer has another function, whose versions cannot be compared.
        let transformer = layout.attributes[projection.source].transformer?.rawValue ?? ""
        return words[3] != transformer || needed <= projector.version(projection)
      }
    }
    // The model has the projection no more, so it is removed.
    return true
  }
}
