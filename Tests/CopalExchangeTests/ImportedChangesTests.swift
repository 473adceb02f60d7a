import Copal
import CopalExchange
import CopalStore
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

/// An import of painters, in each of its ways.
private struct PainterImport: CustomTestStringConvertible, Sendable {
  enum Form: CaseIterable { case export, records }

  let form: Form
  let store: StoreKind
  /// The number of painters. A container keeps the rows of at most 10,000.
  let count: Int

  static let all = Form.allCases.flatMap { form in
    StoreKind.allCases.flatMap { store in
      [3, 12_000].map { PainterImport(form: form, store: store, count: $0) }
    }
  }

  var testDescription: String { "\(count) painters as \(form) into \(store)" }
  var names: [String] { (1...count).map { "Painter \(100_000 + $0)" } }

  /// Runs the import.
  ///
  /// - Parameter hasMistake: whether the last painter breaks a rule of the model.
  func run(into container: PersistentContainer, hasMistake: Bool = false) throws {
    let source = try TestStore(.memory).atelier()
    try source.makeContext().insertAll("Painter", names.map { ["name": .string($0)] })
    switch form {
    case .export:
      var text = ""
      try StoreExport(source).run(to: ByteOutput { text += String(decoding: $0, as: UTF8.self) })
      if hasMistake { text.replace("\"\(names.last ?? "")\"", with: "\"\"") }
      try StoreImport(ByteInput(text: text)).run(into: container)
    case .records:
      let lines = ["name"] + names + (hasMistake ? ["\"\""] : [])
      try RecordImport(container, entity: "Painter").run(
        ByteInput(text: lines.joined(separator: "\n") + "\n"))
    }
  }
}

/// Everything that a program can look at to hear of commits.
@MainActor
private final class Audience {
  private let view: ManagedObjectContext
  private let list: FetchedResultsController<Painter>
  private let idle: ManagedObjectContext
  private let heard = Locked(Heard())
  private var tasks: [Task<Void, any Error>] = []

  struct Heard: Equatable, Sendable {
    var counts: [Int] = []
    var values: [[String]] = []
    var results: [[String]] = []
    var saves: [Int] = []
  }

  init(_ container: PersistentContainer) throws {
    view = container.viewContext
    view.automaticallyMergesChanges = true
    list = try FetchedResultsController(
      Painter.fetchRequest().sorted(by: \.name.ascending), in: view)
    try list.performFetch()
    idle = container.makeContext()
    _ = idle.mergeChanges()
    let (counts, saves) = (container.count(of: Painter.fetchRequest()), container.saves)
    let request = ValueRequest(
      entityName: "Painter", columns: [.init("name", .property("name"))])
    let values = container.values(of: request, as: String.self)
    let results = view.results(of: Painter.fetchRequest().sorted(by: \.name.ascending))
    let heard = heard
    tasks = [
      Task { for try await count in counts { heard.withLock { $0.counts.append(count) } } },
      Task { for try await rows in values { heard.withLock { $0.values.append(rows) } } },
      Task {
        for try await painters in results {
          let names = painters.map(\.name)
          heard.withLock { $0.results.append(names) }
        }
      },
      Task {
        for await save in saves {
          heard.withLock { $0.saves.append(save.isComplete ? save.inserted.count : -1) }
        }
      },
    ]
  }

  deinit { for task in tasks { task.cancel() } }

  /// What was heard, when it is what is expected, or after some seconds.
  func hears(_ expected: Heard) async throws -> Heard {
    for _ in 0..<1000 where heard.withLock({ $0 != expected }) {
      try await Task.sleep(for: .milliseconds(5))
    }
    return heard.withLock { $0 }
  }

  /// The names in the list that is kept up to date.
  var names: [String] { list.objects.map(\.name) }

  /// The entities and ids that a context without merges of its own gets.
  func merged() -> (inserted: Int, entities: Set<String>) {
    let merged = idle.mergeChanges().merged
    return (
      merged.reduce(0) { $0 + $1.inserted.count },
      merged.reduce(into: []) { $0.formUnion($1.entities) }
    )
  }
}

@Suite("What an import brings to the other contexts of its container", .modelAsIs)
struct ImportedChangesTests {
  @Test("lists, results, values, counts, saves and merges get it", arguments: PainterImport.all)
  @MainActor
  fileprivate func published(_ work: PainterImport) async throws {
    let container = try TestStore(work.store).atelier()
    let audience = try Audience(container)
    var heard = Audience.Heard(counts: [0], values: [[]], results: [[]])
    #expect(try await audience.hears(heard) == heard)
    try work.run(into: container)
    let isNamed = work.count <= CommitLogLimits().rowCount
    heard.counts.append(work.count)
    heard.values.append(work.names)
    heard.results.append(work.names)
    heard.saves.append(isNamed ? work.count : 0)
    #expect(try await audience.hears(heard) == heard)
    #expect(audience.names == work.names)
    let merged = audience.merged()
    #expect(merged.inserted == (isNamed ? work.count : 0))
    #expect(merged.entities == (isNamed ? [] : ["Painter"]))
  }

  @Test("an import that fails brings nothing to anybody", arguments: PainterImport.all)
  @MainActor
  fileprivate func failed(_ work: PainterImport) async throws {
    let container = try TestStore(work.store).atelier()
    let audience = try Audience(container)
    var heard = Audience.Heard(counts: [0], values: [[]], results: [[]])
    #expect(try await audience.hears(heard) == heard)
    #expect(throws: ImportError.self) { try work.run(into: container, hasMistake: true) }
    // What comes first after it is the next save.
    let context = container.makeContext()
    _ = Painter(context: context, name: "Rosa")
    try context.save()
    heard.counts.append(1)
    heard.values.append(["Rosa"])
    heard.results.append(["Rosa"])
    heard.saves.append(1)
    #expect(try await audience.hears(heard) == heard)
    #expect(audience.names == ["Rosa"])
    #expect(audience.merged() == (1, []))
  }

  @Test("what is unsaved in another context stays, and the links of an export arrive")
  func unsaved() throws {
    var random = SplitMix(seed: 11)
    let source = try ExchangeWorld.container(.inMemory)
    try ExchangeWorld.fill(source, &random)
    var bytes: [UInt8] = []
    try StoreExport(source).run(to: ByteOutput { bytes += $0 })
    let target = try ExchangeWorld.container(TestStore().configuration())
    let context = target.makeContext()
    let own = try context.insert("Label")
    try own.setValue("own", forKey: "name")
    _ = context.mergeChanges()
    try StoreImport(ByteInput(bytes: bytes)).run(into: target)
    #expect(context.mergeChanges().merged.count == 1)
    #expect(own.isInserted && context.hasChanges)
    try context.save()
    context.delete(own)
    try context.save()
    #expect(
      try ExchangeWorld.contents(of: target) == ExchangeWorld.contents(of: source))
  }
}
