import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// The acceptance table: every change of a model, with an empty file, with rows that fit, and with
/// rows that do not.
@Suite("What a change of a model does to a file")
struct MigrationMatrixTests {
  private let test: TestStore

  init() throws { test = try TestStore() }

  static let cases =
    MigrationCase.tables + MigrationCase.names + MigrationCase.types
    + MigrationCase.relationships + MigrationCase.families

  /// A store of the old model with its objects, closed.
  private func makeStore(_ one: MigrationCase, isEmpty: Bool = false) throws {
    let tester = try test.storeTester(MigrationCase.schema(one.old))
    if !isEmpty {
      for (entity, values) in one.objects { try tester.insert(values, into: entity) }
      if !one.statements.isEmpty { _ = try test.sqlite3(one.statements) }
    }
  }

  /// The objects of relationships, as ``MigrationCase/relations`` has them.
  private func relations(_ tester: StoreTester, _ one: MigrationCase) throws -> [String: String] {
    var found: [String: String] = [:]
    for name in one.relations.keys {
      let parts = name.split(separator: ".").map(String.init)
      let layout = try #require(tester.schema.layout(parts[0]))
      let position = try #require(
        tester.schema.relationships[layout.index].firstIndex {
          $0.relationship.name == parts[1]
        })
      let destination = tester.schema.relationships[layout.index][position].destination
      let names = try self.names(of: tester.schema.entities[destination].name, tester, one)
      let owners = try self.names(of: parts[0], tester, one)
      var lists: [String] = []
      for row in try tester.rows(of: parts[0]) {
        let keys: [Int64]
        if case .slot(let slot) = tester.schema.relationships[layout.index][position].storage {
          keys = row.row.integer(slot).map { [$0] } ?? []
        } else {
          keys = try tester.members(parts[1], of: parts[0], row.key)
        }
        if !keys.isEmpty {
          // A list without an order is in that of keys, which a copy chooses itself.
          let isOrdered =
            tester.schema.relationships[layout.index][position].relationship.isOrdered
          var members = keys.map { names[$0] ?? "?" }
          if one.naming != nil, !isOrdered { members.sort() }
          lists.append(
            "\(owners[row.key] ?? "?"): " + members.joined(separator: " "))
        }
      }
      found[name] = (one.naming == nil ? lists : lists.sorted()).joined(separator: "; ")
    }
    return found
  }

  /// What stands for the objects of an entity.
  private func names(of entity: String, _ tester: StoreTester, _ one: MigrationCase) throws
    -> [Int64: String]
  {
    var names: [Int64: String] = [:]
    for row in try tester.rows(of: entity) {
      if let naming = one.naming {
        if case .string(let name) = row[naming] { names[row.key] = name }
      } else {
        names[row.key] = String(row.key)
      }
    }
    return names
  }

  /// Everything that must be equal in a migrated file and in a new one: columns in any order,
  /// references, and each index without its name.
  private static let shape = """
    SELECT t.name, c.name, c.type, c.pk FROM sqlite_schema t, pragma_table_xinfo(t.name) c
      WHERE t.type = 'table' ORDER BY 1, 2;
    SELECT t.name, f."from", f."table", f."to", f.on_delete FROM sqlite_schema t, pragma_foreign_key_list(t.name) f
      WHERE t.type = 'table' ORDER BY 1, 2;
    SELECT tbl_name, substr(sql, instr(sql, ' ON ')), substr(sql, 1, 13) FROM sqlite_schema
      WHERE type = 'index' AND sql IS NOT NULL ORDER BY 1, 2;
    SELECT name FROM copal_metadata ORDER BY name;
    """

  private func checkFile(_ one: MigrationCase) throws {
    #expect(try test.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok")
    let fresh = try TestStore()
    _ = try fresh.open(MigrationCase.schema(one.new, keys: one.keys))
    let shape = try test.sqlite3(Self.shape).replacing("formerIDs\n", with: "")
    #expect(try shape == fresh.sqlite3(Self.shape))
  }

  @Test("rows that fit get the new values, and others refuse the migration", arguments: cases)
  func rows(one: MigrationCase) throws {
    try makeStore(one)
    let new = try MigrationCase.schema(one.new, keys: one.keys)
    guard one.refusals.isEmpty else { return try expectRefusal(one, new) }
    let plan = try plan(new)
    #expect(plan?.refusals.map(\.description) ?? [] == [])
    if one.writes { #expect((plan?.writtenRows ?? 0) > 0) }
    for time in 0..<2 {
      var tester: StoreTester?
      let statements = try test.recorder.statements { tester = try test.storeTester(new) }
      for (entity, rows) in one.result {
        let found = try tester?.rows(of: entity).filter { $0.layout.name == entity } ?? []
        #expect(found.count == rows.count, "\(entity)")
        for (row, values) in zip(found, rows) {
          for (name, value) in values { #expect(row[name] == value, "\(entity).\(name)") }
          #expect(row.row.version == 1)
        }
      }
      if let tester { #expect(try relations(tester, one) == one.relations) }
      let writes = statements.contains { sql in
        ["UPDATE ", "INSERT ", "DELETE "].contains(where: sql.hasPrefix)
          && !["copal_metadata", "copal_keys", "copal_migrations", "copal_ids"].contains(
            where: sql.contains)
      }
      #expect(writes == (one.writes && time == 0), "\(statements)")
    }
    try checkFile(one)
  }

  /// What a migration would do, which changes no file.
  private func plan(_ new: StoreSchema) throws -> MigrationPlan? {
    let before = try test.fileContents()
    let plan = try StoreConfiguration.sqlite(at: test.file).plan(OpeningRequest(new), .rows)
    #expect(try test.fileContents() == before)
    let fromModel = try StoreConfiguration.sqlite(at: test.file).plan(OpeningRequest(new), .model)
    #expect((plan == nil) == (fromModel == nil))
    #expect(plan?.changes.map(\.subject) == fromModel?.changes.map(\.subject))
    if plan?.isAllowed == true { #expect(plan?.dependsOnRows == false) }
    return plan
  }

  private func expectRefusal(_ one: MigrationCase, _ new: StoreSchema) throws {
    // The log is another mode of the file, which a refused migration must not change.
    #expect(try test.sqlite3("PRAGMA journal_mode = DELETE") == "delete")
    let before = try Data(contentsOf: test.file)
    let planned = try plan(new)?.refusals
    let error = #expect(throws: PersistenceError.self) { try test.open(new) }
    #expect(error?.code == .modelDiffers)
    let causes = (error?.causes ?? []).compactMap { $0 as? PersistenceError }
    if one.refusesEmpty {
      // The plan has counted the values of what was removed.
      #expect(planned?.map(\.code) == causes.map(\.code))
      #expect(planned?.map(\.expected) == causes.map(\.expected))
    } else {
      #expect(planned?.map(\.description) == causes.map(\.description))
    }
    #expect(planned?.map(\.objectID) == causes.map(\.objectID))
    #expect(
      causes.map {
        "\($0.code.rawValue) \([$0.entity, $0.property].compactMap(\.self).joined(separator: ".")): \($0.found ?? "")"
      }
        == one.refusals)
    for cause in causes { #expect(cause.expected?.isEmpty == false) }
    #expect(try Data(contentsOf: test.file) == before)
    let files = try FileManager.default.contentsOfDirectory(
      atPath: test.folder.path(percentEncoded: false))
    #expect(files == ["Atelier.sqlite"])
  }

  @Test(
    "a copy of the objects, made in Swift, has the same values, or is refused alike",
    arguments: cases)
  func copy(one: MigrationCase) throws {
    if one.refusesEmpty { return }
    try makeStore(one)
    let source = try test.open(MigrationCase.schema(one.old))
    let target = try StoreConfiguration.inMemory.open(
      MigrationCase.schema(one.new, keys: one.keys))
    let copy = try MigratingCopy(from: source, to: target, now: Date())
    try copy.run()
    let difference = ModelDifference(
      ModelMapping(from: source.schema.model, to: target.schema.model))
    let codes = copy.problems.map { difference.error(of: $0).code.rawValue }
    #expect(codes == one.refusals.map { String($0.prefix { $0 != " " }) })
    guard one.refusals.isEmpty else { return }
    let tester = try StoreTester(target)
    for (entity, rows) in one.result {
      let found = try tester.rows(of: entity).filter { $0.layout.name == entity }
      #expect(found.count == rows.count, "\(entity)")
      for (row, values) in zip(found, rows) {
        for (name, value) in values { #expect(row[name] == value, "\(entity).\(name)") }
      }
    }
    let found = try relations(tester, one)
    #expect(found == one.relations)
  }

  @Test("a store without objects is refused only for what no row can allow", arguments: cases)
  func empty(one: MigrationCase) throws {
    try makeStore(one, isEmpty: true)
    let new = try MigrationCase.schema(one.new, keys: one.keys)
    #expect((try plan(new)?.isAllowed == false) == one.refusesEmpty)
    if one.refusesEmpty {
      let error = #expect(throws: PersistenceError.self) { try test.open(new) }
      #expect(error?.code == .modelDiffers)
    } else {
      _ = try test.open(new)
      try checkFile(one)
    }
  }
}
