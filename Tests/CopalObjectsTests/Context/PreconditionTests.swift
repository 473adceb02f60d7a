import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

/// A programming error ends the program, and the message names its cause.
@Suite("Programming errors")
struct PreconditionTests {
  private func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
    String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
  }

  @Test("inserting a class of another model traps")
  func foreignClass() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).studio().makeContext()
      _ = Painter(context: context, name: "Rosa")
    }
    #expect(says("Painter is not the class of an entity of the model 'Studio'", result))
  }

  @Test("deleting an object of another context traps")
  func delete() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      mine.delete(Painter(context: other, name: "Rosa"))
    }
    #expect(says("belongs to another context", result))
  }

  @Test("making an object of the class of an abstract entity traps")
  func abstract() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).container(.archive).makeContext()
      _ = Attachment(context: context, name: "Delft")
    }
    #expect(
      says(
        "Attachment is abstract, so it has no objects of its own; insert an object of a subentity of it: Memo, Link, Photo, Portrait, Video",
        result))
  }

  @Test("setting an object of another context in a relationship traps")
  func relationship() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).gallery()
      let (mine, other) = (container.makeContext(), container.makeContext())
      Work(context: mine, title: "The Milkmaid").artist = Artist(context: other, name: "Vermeer")
    }
    #expect(says("belongs to another context", result))
  }

  @Test("adding an object of another entity to a relationship traps")
  func member() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).gallery().makeContext()
      let artist = Artist(context: context, name: "Vermeer")
      let works = try artist.value(of: "works", as: ToMany<ManagedObject>.self)
      works?.insert(Museum(context: context, name: "Mauritshuis"))
    }
    #expect(says("an object of Museum cannot be one of Artist.works", result))
  }

  @Test("batches of no object trap")
  func batchSize() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).gallery().makeContext()
      _ = try context.fetchBatches(Work.fetchRequest(), size: 0)
    }
    #expect(says("fetchBatches was called with the size 0; use a size of 1 or more", result))
  }

  @Test("a lazy load traps where the program asks for it, also in a nested call")
  func lazyLoad() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).gallery()
      let writer = container.makeContext()
      for name in ["Vermeer", "Rembrandt"] { _ = Artist(context: writer, name: name) }
      try writer.save()
      let context = container.makeContext()
      try context.forbiddingLazyLoads(trap: true) {
        try context.forbiddingLazyLoads {
          _ = try context.fetch(Artist.self).map { $0.works.first }
        }
      }
    }
    #expect(
      says(
        "a lazy load in forbiddingLazyLoads: Artist.works was read lazily for 2 objects of the fetch of Artist",
        result))
  }

  @Test("setting an object of another entity in a relationship traps")
  func otherEntity() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).gallery().makeContext()
      let work = Work(context: context, title: "The Milkmaid")
      work._copalSetToOne(1, Museum(context: context, name: "Mauritshuis"))
    }
    #expect(says("an object of Museum cannot be set for Work.artist", result))
  }

  @Test("reading an attribute as a relationship traps")
  func noRelationship() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).gallery().makeContext()
      let work = Work(context: context, title: "The Milkmaid")
      try context.save()
      work._copalSetToOne(0, Museum(context: context, name: "Mauritshuis"))
    }
    #expect(says("Work has no to-one relationship at slot 0", result))
  }

  @Test("refreshing an object of another context traps")
  func refresh() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      try mine.refresh(Painter(context: other, name: "Rosa"), mergeChanges: true)
    }
    #expect(says("belongs to another context", result))
  }

  @Test("fulfilling an object of another context traps")
  func fulfill() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      try mine.fulfill(Painter(context: other, name: "Rosa"))
    }
    #expect(says("belongs to another context", result))
  }

  @Test("fulfilling several objects with one of another context traps")
  func fulfillMany() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let container = try TestStore(.memory).atelier()
      let (mine, other) = (container.makeContext(), container.makeContext())
      try mine.fulfill([
        Painter(context: mine, name: "Rosa"), Painter(context: other, name: "Berthe"),
      ])
    }
    #expect(says("belongs to another context", result))
  }

  @Test("saving inside a hook of a save traps")
  func nestedSave() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).studio().makeContext()
      let apprentice = Apprentice(context: context, name: "Paul")
      apprentice.onWillSave = { _ = try? context.save() }
      try context.save()
    }
    #expect(says("save() was called by a hook of a save", result))
  }

  @Test("decoding bytes with a transformer of another storage traps")
  func decodeBytes() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      _ = try [UInt8(1)].withUnsafeBytes { try GradeTransformer().decode(bytes: $0) }
    }
    #expect(says("GradeTransformer does not", result))
  }

  @Test("reading an object behind the last one of a section traps")
  func behindSection() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).atelier().makeContext()
      for prizes: Int16 in 0..<2 { Painter(context: context, name: "Rosa").prizes = prizes }
      let list = try FetchedResultsController(
        Painter.fetchRequest(), sectionedBy: "prizes", in: context)
      try list.performFetch()
      print(list.sections[0].objects[1].name)
    }
    #expect(says("a list of 1 objects has none at 1", result))
  }

  @Test("marking an unknown attribute as changed traps")
  func unknownAttribute() async {
    let result = await #expect(
      processExitsWith: .failure, observing: [\.standardErrorContent]
    ) {
      let context = try TestStore(.memory).atelier().makeContext()
      Pigment(context: context, name: "Ochre").didChangeValue(forKey: "shade")
    }
    #expect(says("Pigment has no property 'shade'", result))
  }
}
