import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects
@testable import CopalStore

@Suite("Values of the program beside its objects")
struct MetadataTests {
  @Test(
    "values of every type come back, in every context and container", arguments: StoreKind.allCases)
  func types(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.atelier()
    let context = container.makeContext()
    let now = Date(timeIntervalSinceReferenceDate: 0.3)
    context.metadata["token"] = "a\u{0}é"
    context.metadata["count"] = 5
    context.metadata["share"] = 0.25
    context.metadata["isDone"] = false
    context.metadata["imported"] = .date(now)
    context.metadata["anchor"] = .data(Data([0, 255]))
    #expect(context.hasChanges && context.metadata["count"]?.integer == 5)
    #expect(try container.metadata.isEmpty)
    try context.save()
    #expect(!context.hasChanges)
    let other = container.makeContext()
    #expect(other.metadata["token"]?.string == "a\u{0}é" && other.metadata["count"]?.double == 5)
    #expect(other.metadata["share"]?.double == 0.25 && other.metadata["isDone"]?.boolean == false)
    #expect(
      other.metadata["imported"]?.date == now && other.metadata["anchor"]?.data == Data([0, 255]))
    #expect(other.metadata["token"]?.integer == nil && other.metadata["none"] == nil)
    #expect(try container.metadata == context.metadata.values() && container.metadata.count == 6)
    if kind == .sqlite {
      #expect(try store.configuration().inspect()?.metadata == container.metadata)
    }
  }

  @Test("a value is saved, rolled back and undone with the objects", arguments: StoreKind.allCases)
  func transactions(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    context.metadata["n"] = 1
    try context.save()
    context.metadata["n"] = 2
    context.rollback()
    #expect(context.metadata["n"] == 1 && !context.hasChanges)
    context.metadata["n"] = nil
    #expect(context.metadata["n"] == nil && context.metadata["n"] != 1)
    context.reset()
    #expect(context.metadata["n"] == 1)
    // A save that fails keeps it as a change.
    context.metadata["n"] = 3
    _ = Pigment(context: context, name: "")
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(try container.metadata["n"] == 1 && context.metadata["n"] == 3)
    let refusal = #expect(throws: PersistenceError.self) { try context.transaction {} }
    #expect(refusal?.code == .transactionPendingChanges)
    context.rollback()
    struct Stop: Error {}
    #expect(throws: Stop.self) {
      try context.transaction {
        context.metadata["n"] = 4
        try context.save()
        #expect(context.metadata["n"] == 4)
        throw Stop()
      }
    }
    #expect(try context.metadata["n"] == 1 && container.metadata["n"] == 1)
    context.metadata["n"] = nil
    let only = #expect(throws: PersistenceError.self) { try context.transaction {} }
    #expect(only?.found == "metadata")
    try context.save()
    #expect(try container.metadata.isEmpty)
  }

  @Test("two contexts do not conflict: the last save counts", arguments: StoreKind.allCases)
  func lastSaveCounts(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (first, second) = (container.makeContext(), container.makeContext())
    first.metadata["n"] = 1
    second.metadata["n"] = 2
    second.metadata["m"] = 2
    try second.save()
    #expect(first.metadata["n"] == 1 && first.metadata["m"] == 2)
    try first.save()
    #expect(second.metadata["n"] == 1)
  }

  @Test("a policy that resolves a conflict writes it", arguments: StoreKind.allCases)
  func conflict(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (first, second) = (container.makeContext(), container.makeContext())
    let pigment = Pigment(context: first, name: "Ochre")
    try first.save()
    let same = try #require(try second.fetch(Pigment.self).first)
    pigment.name = "Umber"
    try first.save()
    same.name = "Woad"
    second.metadata["n"] = 1
    second.mergePolicy = .mergeByPropertyObjectTrump
    #expect(try second.save().resolved.count == 1)
    #expect(try container.metadata["n"] == 1)
  }

  @Test(
    "a value that is set while a save runs belongs to the next one", arguments: StoreKind.allCases)
  func setInHook(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let subscription = context.onDidSave { _ in context.metadata["n"] = 2 }
    context.metadata["n"] = 1
    try context.save()
    #expect(context.hasChanges && context.metadata["n"] == 2)
    withExtendedLifetime(subscription) {}
  }

  static let refused: [(name: String, value: MetadataValue, code: PersistenceError.Code)] = [
    ("", 1, .metadataName), (String(repeating: "n", count: 256), 1, .metadataName),
    ("a\u{0}", 1, .metadataName),
    ("n", .data(Data(count: 1 << 20 + 1)), .metadataTooBig),
    ("n", .string(String(repeating: "é", count: 1 << 19) + "e"), .metadataTooBig),
  ]

  @Test("names and sizes are bounded, and a save says so", arguments: refused)
  func bounds(name: String, value: MetadataValue, code: PersistenceError.Code) throws {
    let context = try TestStore(.memory).atelier().makeContext()
    context.metadata[name] = value
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .saveFailed)
    #expect((error?.causes.first as? PersistenceError)?.code == code && error?.causes.count == 1)
    context.metadata[name] = nil
    try context.save()
    context.metadata[String(repeating: "n", count: 255)] = .data(Data(count: 1 << 20))
    try context.save()
  }

  @Test("a backup and a copy have it, and a reader in perform sees its own moment")
  func copies() async throws {
    let store = try TestStore(.sqlite)
    let container = try store.atelier()
    let context = container.makeContext()
    context.metadata["n"] = 1
    try context.save()
    let backup = store.file.deletingLastPathComponent().appending(path: "backup.sqlite")
    try await container.backup(to: backup)
    #expect(try StoreConfiguration.sqlite(at: backup).inspect()?.metadata == ["n": 1])
    let copy = store.file.deletingLastPathComponent().appending(path: "copy.sqlite")
    _ = try await container.copyObjects(to: .sqlite(at: copy))
    #expect(try StoreConfiguration.sqlite(at: copy).inspect()?.metadata == ["n": 1])
    let seen = try await container.perform { background in
      let before = background.metadata["n"]
      let writer = container.makeContext()
      writer.metadata["n"] = 2
      try writer.save()
      return [before, background.metadata["n"]]
    }
    #expect(seen == [1, 1])
    #expect(context.metadata["n"] == 2)
  }

  @Test("a store that keeps none refuses a save, and has none to read")
  func otherStore() throws {
    let container = try PersistentContainer(
      model: .atelier, store: StoreConfiguration(name: "plain") { PlainStore($0) },
      transformers: TestTransformers.atelier)
    let context = container.makeContext()
    #expect(try context.metadata["n"] == nil && container.metadata.isEmpty)
    context.metadata["n"] = 1
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect((error?.causes.first as? PersistenceError)?.code == .noMetadata)
  }

  @Test("a value that another program has damaged is an error that names it")
  func damaged() throws {
    let store = try TestStore(.sqlite)
    let container = try store.atelier()
    let context = container.makeContext()
    context.metadata["n"] = 1
    context.metadata["m"] = 1
    try context.save()
    _ = try store.sqlite3("UPDATE copal_programMetadata SET value = 'x' WHERE name = 'n'")
    let error = #expect(throws: PersistenceError.self) { try context.metadata.value(of: "n") }
    #expect(error?.code == .damagedMetadata && error?.found == "the value 'n' is no integer")
    #expect(
      context.metadata["n"] == nil && store.takeReadFailures().map(\.code) == [.damagedMetadata])
    #expect(context.metadata["m"] == 1)
  }
}

/// A store in memory whose metadata is not kept.
private final class PlainStore: PersistentStore {
  let base: MemoryStore
  init(_ schema: StoreSchema) { base = MemoryStore(schema) }
  var identifier: UUID { base.identifier }
  var schema: StoreSchema { base.schema }
  var commitOrder: CommitOrder? { base.commitOrder }
  func makeSession() throws -> sending any StoreSession { base.makeSession() }
}
