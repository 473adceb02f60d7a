import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Defaults")
struct DefaultTests {
  @Test("a new object has the model's defaults at once", arguments: bothStores)
  func atInsert(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    func check(_ pigment: Pigment) {
      #expect(pigment.price == Decimal(string: "12.50"))
      #expect(pigment.opacity == 1 && pigment.isLightfast)
      #expect(pigment.origin == URL(string: "https://example.com/pigments"))
      #expect(pigment.spectrum == Data())
      #expect(pigment.code == nil && pigment.density == nil && pigment.introduced == nil)
    }
    check(pigment)
    try context.save()
    check(pigment)
    check(try #require(try container.makeContext().fetch(Pigment.self).first))
  }

  @Test("a default can be set to nil and replaced", arguments: bothStores)
  func replaced(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painting = Painting(context: context, widthMillimetres: 1, heightMillimetres: 1)
    painting.title = ""
    try context.save()
    #expect(try container.makeContext().fetch(Painting.self).first?.title == "")
  }

  @Test("the default \"now\" is the same instant for all attributes of a new object")
  func now() throws {
    let context = try TestStore(.memory).studio().makeContext()
    let before = Date()
    for _ in 0..<1000 {
      let apprentice = Apprentice(context: context, name: "Paul")
      #expect(apprentice.lastSeen == apprentice.firstDay)
    }
    let last = Apprentice(context: context, name: "Emma")
    #expect(last.firstDay >= before && last.firstDay <= Date())
  }

  @Test("the default \"new\" is another uuid for every object and attribute")
  func new() throws {
    let context = try TestStore(.memory).studio().makeContext()
    var seen: Set<UUID> = []
    for _ in 0..<500 {
      let apprentice = Apprentice(context: context, name: "Paul")
      seen.insert(apprentice.badge)
      seen.insert(try #require(apprentice.locker))
    }
    #expect(seen.count == 1000)
  }

  @Test(
    "a required attribute that was never set reads as zero, and the save fails and names it",
    arguments: bothStores)
  func unset(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painting = Painting(context: context)
    #expect(painting.widthMillimetres == 0 && painting.heightMillimetres == 0)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .saveFailed)
    #expect(error?.causeCodes == [.required, .required])
    #expect(
      error?.causes.compactMap { ($0 as? PersistenceError)?.property }
        == ["widthMillimetres", "heightMillimetres"])
  }
}
