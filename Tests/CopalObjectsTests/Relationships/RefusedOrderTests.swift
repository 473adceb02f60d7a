import Copal
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("Ordered lists of new objects after a save that was refused")
struct RefusedOrderTests {
  private static let json = """
    { "copal": 1, "model": "Walls", "entities": {
      "Room": { "relationships": {
        "wall": { "type": "[Work]", "inverse": "room", "ordered": true } } },
      "Catalog": { "relationships": {
        "pages": { "type": "[Work]", "inverse": "catalog", "ordered": true } } },
      "Work": { "attributes": { "title": "string?" }, "relationships": {
        "room": { "type": "Room?", "inverse": "wall" },
        "catalog": { "type": "Catalog?", "inverse": "pages" } } } } }
    """

  @Test("a move in one list leaves the other list as it was", arguments: bothStores)
  func move(_ kind: StoreKind) throws {
    let model = ModelBinding(name: "Walls", json: Self.json, classes: [])
    let container = try TestStore(kind).container(model)
    let context = container.makeContext()
    let (room, catalog) = (try context.insert("Room"), try context.insert("Catalog"))
    let works = try (1...3).map { _ in try context.insert("Work") }
    try room.setValue(works, forKey: "wall")
    try catalog.setValue(works, forKey: "pages")
    // Refused, because another context has deleted the object.
    let stale = try context.insert("Work")
    try context.save()
    let next = try (1...3).map { _ in try context.insert("Work") }
    try room.setValue(next, forKey: "wall")
    try catalog.setValue(next, forKey: "pages")
    let other = container.makeContext()
    other.delete(try other.existingObject(with: stale.objectID))
    try other.save()
    try stale.setValue("stale", forKey: "title")
    #expect(throws: PersistenceError.self) { try context.save() }
    let wall = try #require(try room.value(of: "wall", as: OrderedToMany<ManagedObject>.self))
    let pages = try #require(try catalog.value(of: "pages", as: OrderedToMany<ManagedObject>.self))
    wall.move(fromOffsets: [2], toOffset: 0)
    #expect(Array(wall) == [next[2], next[0], next[1]])
    #expect(Array(pages) == next)
    context.delete(stale)
    try context.save()
    #expect(Array(pages) == next)
  }
}
