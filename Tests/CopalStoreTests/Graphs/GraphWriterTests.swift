import CopalStoreConformance
import CopalTestSupport
import Testing

@testable import CopalModel
@testable import CopalStore

@Suite("Writing objects that refer to each other")
struct GraphWriterTests {
  private let tester: StoreTester

  init() throws { tester = try TestStore(.memory).storeTester(StoreModels.sampler()) }

  private func insert(
    _ ids: ClosedRange<Int64>, of layout: EntityLayout, _ values: [String: PropertyValue] = [:],
    with writer: GraphWriter
  ) throws -> [CommitConflict] {
    var row = [PropertyValue](repeating: .null, count: layout.slotCount)
    for (name, value) in values { row[try #require(layout.slotByName[name])] = value }
    return try writer.insert(Array(ids), of: layout, root: layout.root) { _ in
      (row, RowVersion.first)
    }
  }

  @Test("references, positions and links are written in commits of at most 10,000 rows")
  func parts() throws {
    var sizes: [Int] = []
    let writer = GraphWriter(tester.store, tester.session) { [tester] changes in
      sizes.append(
        changes.entities.reduce(0) { $0 + $1.inserts.count + $1.updates.count }
          + changes.links.reduce(0) { $0 + $1.added.count })
      return try tester.session.commit(changes)
    }
    #expect(try writer.isStoreEmpty())
    let (sample, label) = try (tester.layout("Sample"), tester.layout("Label"))
    let tag = try tester.layout("Tag")
    #expect(try insert(7...8, of: sample, with: writer).isEmpty)
    #expect(try insert(1...10_000, of: label, with: writer).isEmpty)
    #expect(try insert(10_001...10_001, of: label, with: writer).isEmpty)
    #expect(try insert(5...5, of: tag, with: writer).isEmpty)
    #expect(try !writer.isStoreEmpty())
    sizes = []
    func key(_ id: Int64, _ layout: EntityLayout) throws -> Int64 {
      try #require(writer.place(of: id, root: layout.root)).key
    }
    let reference = try #require(
      label.slotByName["sample"].flatMap { label.reference(ofSlot: $0) })
    let positionSlot = try #require(reference.positionSlot)
    // Each object gets two numbers, and the order of the list is not that of the keys.
    var references: [GraphWriter.Reference] = []
    for id in Int64(1)...10_001 {
      references.append(.init(of: try key(id, label), reference.slot, try key(8, sample)))
    }
    for id in Int64(1)...10_001 {
      references.append(
        .init(of: try key(id, label), positionSlot, (20_000 - id) * ListPosition.step))
    }
    #expect(try writer.update(references, of: label).isEmpty)
    #expect(sizes == [10_000, 1])
    let members = try tester.members("labels", of: "Sample", key(8, sample))
    #expect(try members == (Int64(1)...10_001).reversed().map { try key($0, label) })
    #expect(try tester.members("labels", of: "Sample", key(7, sample)) == [])
    sizes = []
    let tags = try #require(
      tester.schema.relationships[label.index].first { $0.relationship.name == "tags" })
    guard case .links(let table, .owner) = tags.storage else {
      Issue.record("\(tags.storage)")
      return
    }
    let links = try (Int64(1)...10_001).map {
      Link(owner: try key($0, label), member: try key(5, tag), position: ListPosition.step)
    }
    #expect(try writer.link(links, table: table).isEmpty)
    #expect(sizes == [10_000, 1])
    #expect(try tester.members("labels", of: "Tag", key(5, tag)).count == 10_001)
  }

  @Test("an object that is expected has no key, and one that is refused has no place")
  func places() throws {
    let writer = GraphWriter(tester.store, tester.session, commit: tester.session.commit)
    let sample = try tester.layout("Sample")
    writer.expect(3, root: sample.root, entity: sample.index)
    #expect(writer.place(of: 3, root: sample.root)?.key == 0)
    let conflicts = try insert(1...2, of: sample, ["code": "same"], with: writer)
    #expect(conflicts.map(\.key) == [-2])
    #expect(writer.place(of: 1, root: sample.root) == nil)
    #expect(try insert(3...3, of: sample, ["code": "same"], with: writer).isEmpty)
    let place = try #require(writer.place(of: 3, root: sample.root))
    #expect(try tester.keys(of: "Sample") == [place.key])
  }
}
