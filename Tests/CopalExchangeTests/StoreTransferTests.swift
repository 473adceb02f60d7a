import Copal
import CopalExchange
import CopalStore
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Export and import of a whole store")
struct StoreTransferTests {
  private func export(_ container: PersistentContainer) throws -> [UInt8] {
    var bytes: [UInt8] = []
    let count = try StoreExport(container).run(to: ByteOutput { bytes += $0 })
    #expect(bytes.filter { $0 == 0x0A }.count == count + 2)
    return bytes
  }

  /// An input that gives a few bytes at once.
  private func input(_ bytes: [UInt8], size: Int) -> ByteInput {
    var rest = bytes[...]
    return ByteInput {
      defer { rest = rest.dropFirst(size) }
      return Array(rest.prefix(size))
    }
  }

  @Test("random graphs with every type: export and import give an equal store")
  func graphs() throws {
    let count = ProcessInfo.processInfo.environment["COPAL_GRAPHS"].flatMap(Int.init) ?? 12
    for seed in 1...count {
      var random = SplitMix(seed: UInt64(seed))
      let from = try TestStore(seed.isMultiple(of: 10) ? .sqlite : .memory)
      let source = try ExchangeWorld.container(from.configuration())
      try ExchangeWorld.fill(source, &random)
      let exported = try export(source)

      let to = try TestStore(seed.isMultiple(of: 10) ? .sqlite : .memory)
      let reading = try StoreImport(
        input(exported, size: [1, 7, 4096].randomElement(using: &random) ?? 1))
      #expect(reading.model.version == source.model.version)
      let target = try ExchangeWorld.container(to.configuration())
      try reading.run(into: target)
      let (wanted, found) = (
        try ExchangeWorld.contents(of: source), try ExchangeWorld.contents(of: target)
      )
      #expect(wanted == found, "seed \(seed): \(wanted.difference(from: found))")
    }
  }

  @Test("a store whose transformers are not known keeps their bytes and versions")
  func unknownTransformers() throws {
    let store = try TestStore()
    var random = SplitMix(seed: 77)
    try ExchangeWorld.fill(try ExchangeWorld.container(store.configuration()), &random)
    let model = try ExchangeWorld.model()
    let tool = try PersistentContainer(
      tool: model, store: store.configuration(), transformers: [])
    let exported = try export(tool)
    let other = try TestStore()
    let target = try PersistentContainer(
      tool: model, store: other.configuration(), transformers: [])
    try StoreImport(ByteInput(bytes: exported)).run(into: target)
    #expect(
      try ExchangeWorld.contents(of: ExchangeWorld.container(store.configuration()))
        == ExchangeWorld.contents(of: ExchangeWorld.container(other.configuration())))
  }

  @Test("an export that is cut off anywhere is refused, and nothing is in the store")
  func cut() throws {
    var random = SplitMix(seed: 3)
    let source = try ExchangeWorld.container(.inMemory)
    try ExchangeWorld.fill(source, &random)
    let exported = try export(source)
    let ends = exported.indices.filter { exported[$0] == 0x0A }.map { $0 + 1 }.dropLast()
    let places =
      Array(ends) + (0..<50).map { _ in Int.random(in: 0..<(exported.count - 1), using: &random) }
    for place in places {
      let target = try ExchangeWorld.container(.inMemory)
      #expect(throws: (any Error).self, "\(place)") {
        try StoreImport(ByteInput(bytes: Array(exported[..<place]))).run(into: target)
      }
      #expect(try target.makeContext().count(FetchRequest<ManagedObject>(entityName: "Thing")) == 0)
    }
  }

  @Test("what an import refuses, and where")
  func refusals() throws {
    let head = try #require(
      String(decoding: export(try ExchangeWorld.container(.inMemory)), as: UTF8.self)
        .split(separator: "\n").first)
    func problems(_ lines: [String], _ end: Int? = nil) throws -> [String] {
      let text = ([String(head)] + lines + ["{\"$end\": true, \"objects\": \(end ?? lines.count)}"])
        .joined(separator: "\n")
      let target = try ExchangeWorld.container(.inMemory)
      do {
        try StoreImport(ByteInput(text: text)).run(into: target)
        return []
      } catch let error as ImportError {
        #expect(
          try target.makeContext().count(FetchRequest<ManagedObject>(entityName: "Label")) == 0)
        return error.problems.map {
          "\($0.line ?? 0):\($0.column ?? 0) \($0.property ?? "") \($0.code)"
        }
      }
    }
    let label = #"{"$entity": "Label", "$id": 1, "name": "a"}"#
    #expect(try problems([label]) == [])
    #expect(try problems([label], 2) == ["3:0  import.cutOff"])
    #expect(try problems([label, label]) == ["3:0  import.wrongValue"])
    #expect(try problems([#"{"$entity": "Labels", "$id": 1}"#]) == ["2:0  import.wrongValue"])
    #expect(try problems([#"{"$entity": "Label", "$id": 1}"#]) == ["2:0 name import.required"])
    #expect(
      try problems([#"{"$entity": "Label", "$id": 1, "name": 3}"#])
        == ["2:40 name import.wrongValue"])
    #expect(
      try problems([#"{"$entity": "Label", "$id": 1, "name": "a", "nam": 1}"#])
        == ["2:45  import.unknownProperty"])
    #expect(
      try problems([#"{"$entity": "Thing", "$id": 1, "tag": "a", "rank": 10}"#])
        == ["2:52 rank import.brokenRule"])
    #expect(
      try problems([#"{"$entity": "Thing", "$id": 1, "tag": "a", "rank": 1, "owner": 9}"#])
        == ["2:0 owner import.missingObject"])
    #expect(
      try problems([
        #"{"$entity": "Thing", "$id": 1, "tag": "a", "rank": 1, "friends": [1, 9]}"#
      ]) == ["2:0 friends import.missingObject"])
    let twice = try problems([label, #"{"$entity": "Label", "$id": 2, "name": "a"}"#])
    #expect(twice == ["3:0 name import.notUnique"])
    #expect(try problems(["nonsense"]) == ["2:1  import.notJSON"])
    let end = "{\"$end\": true, \"objects\": 0}"
    #expect(try problems([end, "", label]) == ["4:0  import.notAnExport"])
    for text in ["", "{}", "[]", "name,price\n", "{\"$copal\": \"export\"}"] {
      #expect(throws: ImportError.self) { try StoreImport(ByteInput(text: text)) }
    }
    let newer = String(head).replacing("\"format\": 1", with: "\"format\": 2")
    let error = #expect(throws: ImportError.self) { try StoreImport(ByteInput(text: newer)) }
    #expect(error?.problems.first?.code == .newerFormat)
  }

  @Test("a store with objects, or with another model, is refused")
  func wrongStores() throws {
    var random = SplitMix(seed: 5)
    let source = try ExchangeWorld.container(.inMemory)
    try ExchangeWorld.fill(source, &random)
    let exported = try export(source)
    let full = #expect(throws: ImportError.self) {
      try StoreImport(ByteInput(bytes: exported)).run(into: source)
    }
    #expect(full?.problems.first?.code == .notEmpty)
    let model = try ManagedObjectModel(
      json:
        #"{ "copal": 1, "model": "Other", "entities": { "Label": { "attributes": { "name": "string" } } } }"#,
      file: "Other.model.json")
    let other = try PersistentContainer(model: ModelBinding(model), store: .inMemory)
    let differs = #expect(throws: ImportError.self) {
      try StoreImport(ByteInput(bytes: exported)).run(into: other)
    }
    #expect(differs?.problems.first?.code == .otherModel)
  }

  @Test("a value that cannot be read ends an export with its object")
  func unreadable() throws {
    let store = try TestStore()
    let container = try ExchangeWorld.container(store.configuration())
    let context = container.makeContext()
    let thing = try context.insert("Thing")
    try thing.setValue("a", forKey: "tag")
    try context.save()
    try context.executeUnsafe(sql: "UPDATE Thing SET time = 'noon'")
    let error = #expect(throws: PersistenceError.self) { try export(container) }
    #expect(error?.code == .typeMismatch && error?.property == "time" && error?.objectID?.key == 1)
  }

  @Test("a write of another program while a store is read alone ends the read with store.busy")
  func writtenMeanwhile() throws {
    let store = try TestStore()
    do {
      let context = try ExchangeWorld.container(store.configuration()).makeContext()
      try context.insertAll("Label", (0..<3000).map { ["name": .string("label \($0)")] })
    }
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    let reading = try ExchangeWorld.container(store.configuration(options))
    var parts = 0
    let error = #expect(throws: PersistenceError.self) {
      try StoreExport(reading).run(
        to: ByteOutput { _ in
          parts += 1
          guard parts == 1 else { return }
          let context = try ExchangeWorld.container(store.configuration()).makeContext()
          try context.executeUnsafe(sql: "UPDATE Label SET name = name || '!'")
        })
    }
    #expect(error?.code == .busy && parts > 0)
  }

  @Test("reading options: nothing is written to a store that is opened for reading")
  func readOnly() throws {
    let store = try TestStore()
    var random = SplitMix(seed: 9)
    try ExchangeWorld.fill(try ExchangeWorld.container(store.configuration()), &random)
    let before = try store.fileContents()
    var options = SQLiteStore.Options()
    options.isReadOnly = true
    do {
      let container = try ExchangeWorld.container(store.configuration(options))
      _ = try export(container)
      let context = container.makeContext()
      let label = try context.insert("Label")
      try label.setValue("new", forKey: "name")
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .notWritable)
    }
    #expect(try store.fileContents() == before)
    let missing = #expect(throws: PersistenceError.self) {
      try ExchangeWorld.container(
        .sqlite(at: store.folder.appending(path: "Missing.sqlite"), options: options))
    }
    #expect(missing?.code == .noStore)
    #expect(try store.fileContents() == before)
  }
}
