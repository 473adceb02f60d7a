import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Printing an object")
struct DescriptionTests {
  @Test("the description of an object has entity, id, state and values", arguments: bothStores)
  func states(_ kind: StoreKind) throws {
    let context = try TestStore(kind).studio().makeContext()
    let sample = Sample(context: context)
    let temporary = sample.objectID.description.split(separator: "/").last ?? ""
    #expect("\(sample)" == "Sample \(temporary) (inserted)")
    sample.label = "Blue \"sky\"\n"
    sample.recipe = Recipe(text: "oil")
    sample.draft = Recipe(text: "egg")
    #expect(
      "\(sample)"
        == #"Sample \#(temporary) (inserted) label: "Blue \"sky\"\n", recipe: Recipe, draft: Recipe"#
    )
    try context.save()
    try context.refresh(sample, mergeChanges: false)
    #expect("\(sample)" == "Sample p1 (fault)" && sample.isFault)
    _ = sample.label
    #expect("\(sample)" == #"Sample p1 (saved) label: "Blue \"sky\"\n", recipe: 3 bytes"#)
    _ = sample.recipe
    #expect(sample.description.hasSuffix("recipe: Recipe"))
    sample.label = nil
    #expect("\(sample)" == "Sample p1 (updated) recipe: Recipe")
    #expect(sample.debugDescription == sample.description)
    context.delete(sample)
    #expect("\(sample)" == "Sample p1 (deleted) recipe: Recipe")
    try context.save()
    #expect(sample.description.hasPrefix("Sample p1 (deleted, without context)"))
  }

  @Test("the description of an object without a row says that it is missing", arguments: bothStores)
  func missing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let id = try #require(ManagedObjectID(uri: "copal://\(container.storeIdentifier)/Painter/p7"))
    let context = container.makeContext()
    let fault = try context.object(with: id, as: Painter.self)
    _ = fault.name
    #expect("\(fault)" == "Painter p7 (missing, fault)")
    #expect(fault.managedObjectContext === context)
  }

  @Test(
    "the description of an object is short: long texts are cut, and data has its size",
    arguments: bothStores)
  func values(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: String(repeating: "x", count: 200))
    painter.portrait = Data(count: 1000)
    painter.website = URL(string: "https://example.com")
    painter.joined = Date(timeIntervalSinceReferenceDate: 0)
    painter.born = Date(timeIntervalSinceReferenceDate: -.infinity)
    let text = painter.description
    #expect(text.contains("name: \"\(String(repeating: "x", count: 80))\"… (200 characters)"))
    #expect(text.contains("portrait: 1000 bytes") && text.contains("website: https://example.com"))
    #expect(text.contains("joined: 2001-01-01T00:00:00Z") && text.contains("born: -inf s"))
    #expect(text.contains("prizes: 0") && !text.contains("email"))

    let painting = Painting(context: context, widthMillimetres: 1, heightMillimetres: 1)
    painting.palette = [.red, .blue]
    #expect(painting.description.contains("palette: Array<SerializableColor> of 2"))
    #expect(painting.description.contains("id: \(painting.id.uuidString)"))
    #expect(Pigment(context: context, name: "Ochre").description.contains("price: 12.5"))
  }

  @Test(
    "the description of an object reads nothing, decodes nothing and reports nothing", .modelAsIs)
  func quiet() throws {
    let store = try TestStore()
    let container = try store.studio()
    let filling = container.makeContext()
    Sample(context: filling).recipe = Recipe(text: "unreadable")
    try filling.save()
    _ = try store.sqlite3("UPDATE Sample SET label = 7, finish = x'00', copal_version = 2")
    let context = container.makeContext()
    context.readFailureHandler = { Issue.record("\($0)") }
    let fault = try context.object(with: filling.fetchIDs(Sample.fetchRequest())[0])
    let statements = store.recorder.statements { #expect("\(fault)" == "Sample p1 (fault)") }
    #expect(statements == [])
    try context.fulfill(fault)
    #expect(fault.description.contains("finish: unreadable, recipe: 10 bytes"))
  }
}
