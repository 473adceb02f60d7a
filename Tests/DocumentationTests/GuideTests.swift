import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("The guides show code that does what they say")
struct GuideTests {
  let store: TestStore
  let container: PersistentContainer

  init() throws {
    store = try TestStore()
    container = try store.atelier()
  }

  /// A context with pigments of the given names and ascending prices from 1.
  private func filled(_ names: String...) throws -> ManagedObjectContext {
    let context = container.makeContext()
    for (index, name) in names.enumerated() {
      Pigment(context: context, name: name).price = Decimal(index + 1)
    }
    try context.save()
    return context
  }

  @Test("inserting and finding")
  func inserting() throws {
    let context = container.makeContext()
    try insert(context)
    let found = try find(context)
    #expect(found.all.map(\.name) == ["Vermilion"])
    #expect(found.some == found.all && found.count == 1)
    #expect(try keep(context) == found.all)
    let file = try store.sqlite3("SELECT copal_id, name, price FROM Pigment")
    #expect(file == "1|Vermilion|1800")
  }

  @Test("changing and deleting")
  func changing() throws {
    let context = try filled("Ochre", "Umber")
    let pigments = try context.fetch(Pigment.self, sortedBy: \.name.ascending)
    try change(context, pigments[0], pigments[1])
    #expect(try context.fetch(Pigment.self).map(\.price) == [2])
  }

  @Test("several contexts")
  @MainActor
  func contexts() async throws {
    try insert(container.makeContext())
    let list = PigmentList(container)
    try list.load()
    try await list.raisePrices()
    #expect(list.pigments.map(\.price) == [19])
  }

  @Test("a server")
  func server() async throws {
    let service = PigmentService(container: container)
    let id = try await service.add(PigmentRecord(name: "Ochre", price: 3))
    _ = try await service.add(PigmentRecord(name: "Ultramarine", price: 30))
    #expect(!id.isTemporary)
    #expect(try await service.cheapest(1).map(\.name) == ["Ochre"])
  }

  @Test("errors, objects by name, and stores for tests")
  func others() throws {
    let context = container.makeContext()
    Pigment(context: context).name = ""
    saveOrTell(context)
    #expect(context.hasChanges)
    #expect(try withoutClasses() == "buy canvas")
    #expect(try forATest().storeName == "in memory")
    watch(container)
    #expect(container.readFailureHandler != nil)
  }

  @Test("faults, read in batches")
  func faults() throws {
    let names = (10..<130).map { "Pigment \($0)" }
    try filled("Ochre").reset()
    let first = container.makeContext()
    for name in names { _ = Pigment(context: first, name: name) }
    try first.save()

    let context = container.makeContext()
    #expect(try context.count(Pigment.self) == 121)
    let statements = try store.recorder.statements { _ = try fetchFaults(context) }
    #expect(statements.count == 2)
    let faults = try fetchFaults(context)
    #expect(faults.count { !$0.isFault } == 50 && faults.count == 121)
    let ids = faults.map(\.objectID)
    #expect(try lookUp(container.makeContext(), ids).allSatisfy { !$0.isFault })
    #expect(try readOneState(context).count == 121)
    #expect(try readOrThrow(faults[0]) == nil)

    let log = Log()
    keepLog(container, log)
    let missing = try #require(
      ManagedObjectID(uri: "copal://\(container.storeIdentifier)/Pigment/p999"))
    #expect(try context.object(with: missing, as: Pigment.self).name == "")
    #expect(log.lines == ["object.missing Pigment."])
  }

  @Test("contexts in their isolations")
  @MainActor
  func isolations() async throws {
    try filled("Ochre", "Umber").reset()
    #expect(try show(container) == ["Ochre", "Umber"])
    #expect(try await Storeroom(container).names() == ["Ochre", "Umber"])
    let archive = Archive(container)
    #expect(try await archive.add(["Sienna"]) == 3)
    #expect(try await archive.add([]) == 3)
    try await archive.remove("Sienna")
    #expect(try await makeFree(container) == 2)
    #expect(try await handOver(container).value == 2)
    let id = try #require(try container.makeContext().fetch(Pigment.self).first?.objectID)
    try await rename(id, in: container)
    #expect(try container.makeContext().count(Pigment.self) { $0.name == "Ochre" } == 0)
  }

  @Test("saving over a conflict")
  func conflict() throws {
    let context = try filled("Ochre")
    let pigment = try #require(try context.fetch(Pigment.self).first)
    let other = container.makeContext()
    let twin = try other.existingObject(with: pigment.objectID, as: Pigment.self)
    twin.density = 2
    try other.save()
    pigment.price = 9
    try saveOverConflicts(context)
    #expect(pigment.price == 9 && pigment.density == 2)
  }

  @Test("a class of one's own, and a property over a primitive value")
  func ownClass() throws {
    let context = try PersistentContainer(model: .garden, store: .inMemory).makeContext()
    let plant = Plant(context: context, name: "Woad")
    plant.heightText = 90
    #expect(plant.planted != nil)
    try context.save()
    #expect(plant.heightText == 90)
    _ = Plant(context: context, name: "")
    #expect(throws: PersistenceError.self) { try context.save() }
  }
}
