import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Transients")
struct TransientTests {
  @Test("a transient has no column", .modelAsIs)
  func columns() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    pigment.swatch = .red
    try context.save()
    let columns = try store.sqlite3("SELECT name FROM pragma_table_info('Pigment')")
    #expect(columns.contains("opacity") && !columns.contains("swatch"))
    #expect(try !store.sqlite3(".dump").contains("areaSquareMillimetres INTEGER"))
  }

  @Test(
    "a change of a transient marks the object as changed, calls the hooks and writes nothing",
    .modelAsIs)
  func change() throws {
    let store = try TestStore()
    let context = try store.studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    try context.save()
    _ = apprentice.takeHeard()
    apprentice.mood = "proud"
    #expect(context.hasChanges && apprentice.isUpdated)
    #expect(Set(apprentice.changedValues().keys) == ["mood"])
    #expect(try store.recorder.statements { try context.save() } == [])
    #expect(apprentice.takeHeard() == ["willSave", "validateForUpdate", "didSave"])
    #expect(apprentice.mood == "proud" && !context.hasChanges)
    #expect(try store.sqlite3("SELECT copal_version FROM Apprentice") == "1")
  }

  @Test("a transient keeps its value over a save of other attributes", arguments: bothStores)
  func survive(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    apprentice.mood = "proud"
    try context.save()
    #expect(apprentice.mood == "proud")
    apprentice.skill = 1
    try context.save()
    #expect(apprentice.mood == "proud" && apprentice.skill == 1)
  }

  @Test(
    "row 72: a set transient stays when changes are merged, and is discarded when its object becomes a fault",
    arguments: bothStores)
  func discarded(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    try context.save()
    pigment.swatch = .red
    try context.refresh(pigment, mergeChanges: true)
    #expect(pigment.swatch == .red && pigment.isUpdated)
    try context.refresh(pigment, mergeChanges: false)
    #expect(pigment.swatch == nil && pigment.name == "Ochre")
    pigment.swatch = .red
    context.rollback()
    #expect(pigment.swatch == nil)
  }

  @Test(
    "row 72: a transient that depends on an attribute is discarded when that attribute changes",
    arguments: bothStores)
  func dependencies(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painting = Painting(context: context, widthMillimetres: 200, heightMillimetres: 300)
    #expect(painting.areaSquareMillimetres == 60_000)
    try context.save()
    #expect(painting.areaSquareMillimetres == 60_000 && !context.hasChanges)
    painting.title = "Lilies"
    #expect(painting.primitiveAreaSquareMillimetres == 60_000)
    painting.widthMillimetres = 400
    #expect(painting.primitiveAreaSquareMillimetres == nil)
    #expect(painting.areaSquareMillimetres == 120_000)
  }

  @Test(
    "a transient that depends on an attribute is discarded when another context changes that attribute",
    arguments: bothStores)
  func changedByOthers(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painting = Painting(context: mine, widthMillimetres: 2, heightMillimetres: 3)
    try mine.save()
    #expect(painting.areaSquareMillimetres == 6)
    try #require(try other.fetch(Painting.self).first).widthMillimetres = 4
    try other.save()
    try mine.refresh(painting, mergeChanges: true)
    #expect(painting.widthMillimetres == 4 && painting.areaSquareMillimetres == 12)
  }

  @Test("a transient that depends on another transient is discarded with it", arguments: bothStores)
  func chains(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul Cézanne")
    (apprentice.initials, apprentice.monogram) = ("PC", "ꟼC")
    apprentice.skill = 4
    #expect(apprentice.initials == "PC" && apprentice.monogram == "ꟼC")
    apprentice.name = "Emma"
    #expect(apprentice.initials == nil && apprentice.monogram == nil)
  }

  @Test(
    "a transformable transient needs no transformer and is never encoded", arguments: bothStores)
  func transformable(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let sample = Sample(context: context)
    sample.draft = Recipe(text: "unwritable")
    try context.save()
    #expect(sample.draft == Recipe(text: "unwritable"))
    #expect(try sample.value(of: "draft", as: Recipe.self) == Recipe(text: "unwritable"))
  }

  @Test("a query for a transient is refused")
  func queries() throws {
    let context = try TestStore(.memory).studio().makeContext()
    let error = #expect(throws: PersistenceError.self) {
      try context.fetch(
        FetchRequest<Apprentice>(entityName: "Apprentice", sortKeys: [.ascending("mood")]))
    }
    #expect(error?.code == .notQueryable)
  }
}
