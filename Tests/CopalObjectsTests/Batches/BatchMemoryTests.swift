import Copal
import CopalStore
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("Batches: memory of the objects that become faults")
struct BatchMemoryTests {
  /// A context with three objects that the batch of another context has made faults, and weak
  /// references to their former rows.
  private final class Noticed {
    struct FormerRow { weak var row: PackedRow? }
    let (writer, context): (ManagedObjectContext, ManagedObjectContext)
    var pigments: [Pigment]
    let rows: [FormerRow]

    init(_ kind: StoreKind) throws {
      let container = try TestStore(kind).atelier()
      (writer, context) = (container.makeContext(), container.makeContext())
      for name in ["Ochre", "Umber", "White"] { _ = Pigment(context: writer, name: name) }
      try writer.save()
      pigments = try context.fetch(Pigment.self)
      rows = pigments.map { FormerRow(row: $0.row) }
      try writer.updateAll(Pigment.self) { $0.price.set(to: 7) }
      try #require(try context.count(Pigment.self) == 3 && pigments.allSatisfy { $0.isFault })
    }
  }

  @Test("no value of a former row is visible", arguments: bothStores)
  func invisible(_ kind: StoreKind) throws {
    let noticed = try Noticed(kind)
    let pigment = noticed.pigments[0]
    #expect(pigment.row == nil && pigment.base == nil && pigment.stateProblem == nil)
    #expect(pigment.description.contains("fault"))
    #expect(!pigment.hasChanges && pigment.changedValues().isEmpty)
    #expect(pigment.price == 7 && pigment.row != nil && pigment.stateProblem == nil)
  }

  @Test("the next row replaces the former one", arguments: bothStores)
  func replaced(_ kind: StoreKind) throws {
    let noticed = try Noticed(kind)
    #expect(noticed.rows[0].row != nil, "it is released later, because releasing many takes long")
    #expect(try noticed.context.fetch(Pigment.self).allSatisfy { $0.price == 7 })
    // The store in memory keeps the rows of its contents itself.
    if kind == .sqlite { #expect(noticed.rows.allSatisfy { $0.row == nil }) }
  }

  @Test("an object that is missing has no row")
  func missing() throws {
    let noticed = try Noticed(.sqlite)
    try noticed.writer.deleteAll(Pigment.self)
    #expect(throws: PersistenceError.self) { try noticed.context.fulfill(noticed.pigments) }
    #expect(noticed.pigments.allSatisfy { $0.isMissingInStore })
    #expect(noticed.rows.allSatisfy { $0.row == nil })
  }

  @Test("a refresh and the end of an object release the former row")
  func released() throws {
    let noticed = try Noticed(.sqlite)
    try noticed.context.refresh(noticed.pigments[0], mergeChanges: false)
    #expect(noticed.rows.map { $0.row != nil } == [false, true, true])
    noticed.context.refreshAllObjects()
    #expect(noticed.rows.allSatisfy { $0.row == nil })

    let others = try Noticed(.sqlite)
    others.pigments = []
    others.context.reset()
    #expect(others.rows.allSatisfy { $0.row == nil })
  }

  @Test("a fault that is changed before it is read is saved", arguments: bothStores)
  func changed(_ kind: StoreKind) throws {
    let noticed = try Noticed(kind)
    noticed.pigments[1].name = "Raw umber"
    try noticed.context.save()
    #expect(noticed.pigments[1].price == 7 && noticed.pigments[1].name == "Raw umber")
    noticed.context.delete(noticed.pigments[2])
    noticed.context.rollback()
    #expect(noticed.pigments[2].price == 7)
  }
}
