import Copal
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("Migration of attributes with large values", .modelAsIs)
struct ExternalMigrationTests {
  private let files: NegativeFiles
  private var context: ManagedObjectContext { files.context }

  init() throws { files = try NegativeFiles() }

  /// The schema of the model, in which `Negative.scan` has another threshold.
  private func schema(threshold: Int?) throws -> StoreSchema {
    let model = try ModelBinding.negatives.model
    let entities = model.entities.map { entity in
      var entity = entity
      for index in entity.attributes.indices where entity.attributes[index].name == "scan" {
        entity.attributes[index].externalThreshold = threshold
      }
      return entity
    }
    return StoreSchema(try ManagedObjectModel(name: model.name, entities: entities))
  }

  private func save(scan: Data) throws -> Negative {
    let negative = Negative(context: context, title: "Poppies")
    negative.scan = scan
    try context.save()
    return negative
  }

  @Test(
    "an attribute that is external from now on keeps its values, and new large ones are in files")
  func becomesExternal() throws {
    let test = try TestStore()
    _ = try test.open(schema(threshold: nil))
    _ = try test.sqlite3(
      """
      INSERT INTO Negative (copal_id, copal_version, copal_entity, title, scan)
      VALUES (1, 1, 'Negative', 'Old', zeroblob(5000))
      """)
    let files = try NegativeFiles(test)
    let negative = try #require(try files.context.fetch(Negative.self).first)
    #expect(negative.scan == Data(count: 5000) && files.names().isEmpty)
    negative.scan = bytes(5000)
    try files.context.save()
    #expect(files.names().count == 1)
    #expect(try files.scan(negative) == bytes(5000))
  }

  @Test("another threshold moves no value until it is set again", arguments: [1, 1_000_000])
  func threshold(threshold: Int) throws {
    let negative = try save(scan: bytes(5000))
    let names = files.names()
    _ = try files.test.open(schema(threshold: threshold))
    let reopened = try files.reopened()
    #expect(files.names() == names)
    #expect(try reopened.scan(negative) == bytes(5000))
  }

  @Test("an attribute with small values only can become one that is not external")
  func small() throws {
    let negative = try save(scan: bytes(500))
    let plain = try StoreTester(files.test.open(schema(threshold: nil)))
    #expect(try plain.row(negative.objectID.key, of: "Negative")["scan"] == .binary(bytes(500)))
  }

  @Test(
    "an entity that gets a parent keeps its files, and the removal at the opening makes their index again"
  )
  func parent() throws {
    let negative = try save(scan: bytes(5000))
    negative.scan = bytes(6000)
    try context.save()
    #expect(try files.container.store.removeUnreferencedFiles(checkingAll: false) == 1)
    #expect(try tableOfIndex() == "Negative")
    let entities = try ModelBinding.negatives.model.entities.map { entity in
      var entity = entity
      if entity.name == "Negative" { entity.parent = "Picture" }
      return entity
    }
    let model = try ManagedObjectModel(
      name: "Negatives", entities: entities + [EntityDescription("Picture", isAbstract: true)])
    let store = try files.test.open(StoreSchema(model))
    #expect(try tableOfIndex() == "Picture")
    let name = try #require(files.names().first)
    _ = try files.test.sqlite3(
      "UPDATE Picture SET scan = NULL; INSERT INTO copal_unreferencedFiles VALUES ('\(name)')")
    #expect(try store.removeUnreferencedFiles(checkingAll: false) == 1)
  }

  private func tableOfIndex() throws -> String {
    try files.test.sqlite3(
      "SELECT tbl_name FROM sqlite_schema WHERE name = 'copal_files_Negative(scan)'")
  }
}
