import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Batches: deleting")
struct BatchDeleteTests {
  private func pigments(_ context: ManagedObjectContext) throws {
    for (index, name) in ["Ochre", "Umber", "White", "Woad"].enumerated() {
      Pigment(context: context, name: name).price = Decimal(index)
    }
    try context.save()
  }

  @Test("deletes the stored objects that meet the condition", arguments: bothStores)
  func condition(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    try pigments(context)
    #expect(try context.deleteAll(Pigment.self) { $0.price < 2 } == 2)
    #expect(try context.fetch(Pigment.self).map(\.name) == ["White", "Woad"])
    #expect(try container.makeContext().count(Pigment.self) == 2)
    #expect(
      try context.deleteAll(
        "Pigment", where: .comparison(.property("name"), .equal, .constant("Woad"))) == 1)
    #expect(try context.deleteAll(Pigment.self) == 1)
    #expect(try context.count(Pigment.self) == 0)
    #expect(!context.hasChanges)
  }

  @Test("is one statement where no other row is concerned")
  func statement() throws {
    let test = try TestStore()
    let context = try test.atelier().makeContext()
    try pigments(context)
    let statements = try test.recorder.statements {
      try context.deleteAll(Pigment.self) { $0.price < 2 }
    }
    let writes = statements.filter { $0.contains("DELETE") || $0.contains("UPDATE") }
    #expect(writes.count == 1 && !statements.contains { $0.hasPrefix("SELECT \"copal_id\"") })
    if ModelShape.current == .alone {
      #expect(writes == [#"DELETE FROM "Pigment" WHERE "price" < ?"#])
    }
  }

  @Test("deleted objects of the context become faults, and are missing", arguments: bothStores)
  func registered(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    try pigments(context)
    let all = try context.fetch(Pigment.self)
    try context.deleteAll(Pigment.self) { $0.name == "Ochre" }
    #expect(all.map(\.isFault) == [true, false, false, false])
    #expect(all[1].name == "Umber")
    #expect(throws: PersistenceError.self) { try context.fulfill(all[0]) }
    #expect(throws: PersistenceError.self) {
      try context.existingObject(with: all[0].objectID)
    }
  }

  @Test("another context notices at its next call, and keeps its changes", arguments: bothStores)
  func otherContext(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (context, other) = (container.makeContext(), container.makeContext())
    try pigments(context)
    let theirs = try other.fetch(Pigment.self)
    theirs[0].price = 50
    try context.deleteAll(Pigment.self) { $0.name == "Ochre" || $0.name == "Umber" }
    // Nothing has touched the objects of the other context.
    #expect(theirs.allSatisfy { !$0.isFault })
    // A count reads no objects. A look-up may read others with the one that it looks for.
    _ = try other.count(Pigment.self)
    #expect(!theirs[0].isFault && theirs[0].price == 50)
    #expect(theirs[1].isFault && !theirs[2].isFault)
    #expect(throws: PersistenceError.self) {
      try other.existingObject(with: theirs[1].objectID)
    }
    #expect(theirs[2].name == "White")
    let error = #expect(throws: PersistenceError.self) { try other.save() }
    #expect(error?.causeCodes == [.deletedElsewhere])
  }

  @Test("is refused while the context has changes of the entity", arguments: bothStores)
  func pending(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    try pigments(context)
    try context.fetch(Pigment.self)[0].price = 9
    let error = #expect(throws: PersistenceError.self) { try context.deleteAll(Pigment.self) }
    #expect(error?.code == .batchPendingChanges && error?.found == "Pigment")
    context.rollback()
    _ = try context.insert("Painting")
    #expect(try context.deleteAll(Pigment.self) == 4, "another entity")
  }

  @Test("cascades and nullifies as deletions of objects do", arguments: bothStores)
  func rules(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let (vermeer, hals) = (
      Artist(context: context, name: "Vermeer"), Artist(context: context, name: "Hals")
    )
    for title in ["Milkmaid", "Delft"] {
      let work = Work(context: context, title: title)
      work.artist = vermeer
      work.frame = Frame(context: context)
    }
    Work(context: context, title: "Gypsy Girl").artist = hals
    try context.save()
    let frame = try #require(try context.fetch(Frame.self).first)
    #expect(try context.deleteAll(Artist.self) { $0.name == "Vermeer" } == 1)
    #expect(try context.fetch(Work.self).map(\.title) == ["Gypsy Girl"])
    #expect(try context.count(Frame.self) == 0)
    #expect(frame.isFault)
    #expect(Array(hals.works).map(\.title) == ["Gypsy Girl"])
  }

  @Test("a chain of cascades of one entity is followed to its end", arguments: bothStores)
  func chain(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    var parent: Topic?
    for index in 0..<30 {
      let topic = Topic(context: context, name: "\(index)")
      topic.parent = parent
      parent = topic
    }
    try context.save()
    #expect(try context.deleteAll(Topic.self) { $0.name == "10" } == 1)
    #expect(try context.fetch(Topic.self).map(\.name) == (0..<10).map { "\($0)" })
    #expect(try context.deleteAll(Topic.self) == 10)
  }

  @Test("deny refuses the batch, unless the other objects go too", arguments: bothStores)
  func deny(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let (artist, museum) = (
      Artist(context: context, name: "Vermeer"), Museum(context: context, name: "Mauritshuis")
    )
    let work = Work(context: context, title: "Delft")
    (work.artist, work.museum) = (artist, museum)
    try context.save()
    let error = #expect(throws: PersistenceError.self) { try context.deleteAll(Museum.self) }
    #expect(error?.code == .deletionDenied && error?.property == "works" && error?.found == "1")
    #expect(error?.objectID == museum.objectID)
    #expect(try container.makeContext().count(Museum.self) == 1)
    try context.deleteAll(Artist.self)
    #expect(try context.deleteAll(Museum.self) == 1)
  }

  @Test("nullify raises versions, and a required relationship refuses it", arguments: bothStores)
  func nullify(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let (context, other) = (container.makeContext(), container.makeContext())
    let museum = Museum(context: context, name: "Mauritshuis")
    Ticket(context: context).museum = museum
    try context.save()
    let error = #expect(throws: PersistenceError.self) { try context.deleteAll(Museum.self) }
    #expect(error?.code == .required && error?.property == "museum" && error?.entity == "Ticket")
    try context.deleteAll(Ticket.self)

    let frame = Frame(context: context)
    frame.work = Work(context: context, title: "Delft")
    try context.save()
    let theirs = try #require(try other.fetch(Frame.self).first)
    theirs.width = 7
    #expect(try context.deleteAll(Work.self) == 1)
    #expect(try context.count(Frame.self) == 0, "the rule of the work is cascade")
    #expect(throws: PersistenceError.self) { try other.save() }
  }

  @Test("one-to-one references are removed at the other end", arguments: bothStores)
  func oneToOne(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let work = Work(context: context, title: "Delft")
    work.frame = Frame(context: context)
    try context.save()
    #expect(try context.deleteAll(Frame.self) == 1)
    #expect(work.isFault && work.frame == nil)
    work.title = "View of Delft"
    try context.save()
  }

  @Test("links, rings and orphans", arguments: bothStores)
  func depot(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.depot, transformers: [])
    let context = container.makeContext()
    let load = Load(context: context, number: 1)
    let sticker = Sticker(context: context, name: "fragile")
    load.stickers.insert(sticker)
    let box = Box(context: context, number: 1)
    load.boxes.insert(box)
    box.pieces.insert(Piece(context: context, number: 1))
    let knots = (0..<3).map { Knot(context: context, name: "\($0)") }
    for (index, knot) in knots.enumerated() { knot.next = knots[(index + 1) % 3] }
    knots[0].friends.insert(knots[2])
    try context.save()
    #expect(sticker.loads.count == 1)
    #expect(try context.deleteAll(Load.self) == 1)
    #expect(sticker.loads.isEmpty)
    #expect(try context.count(Box.self) == 0)
    #expect(try context.count(Piece.self) == 0)
    #expect(try context.deleteAll(Knot.self) { $0.name == "1" } == 1)
    #expect(try context.count(Knot.self) == 0, "a ring of cascades")
  }

  @Test("the condition may be about related objects", arguments: bothStores)
  func related(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    for name in ["Vermeer", "Hals"] {
      let artist = Artist(context: context, name: name)
      Work(context: context, title: "of \(name)").artist = artist
    }
    try context.save()
    #expect(try context.deleteAll(Work.self) { $0.artist.name == "Hals" } == 1)
    #expect(try context.deleteAll(Artist.self) { $0.works.isEmpty } == 1)
    #expect(try context.fetch(Artist.self).map(\.name) == ["Vermeer"])
  }

  @Test("subentities are deleted with their parent, and alone", arguments: bothStores)
  func families(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.family, transformers: []).makeContext()
    for (entity, name) in [("Person", "Ann"), ("Artisan", "Bert"), ("Restorer", "Cleo")] {
      let person = try context.insert(entity)
      try person.setValue(name, forKey: "name")
      if entity == "Restorer" { try person.setValue(1, forKey: "rate") }
    }
    try context.save()
    let persons = try context.fetch(Person.self)
    #expect(try context.deleteAll("Artisan", includesSubentities: false) == 1)
    #expect(try context.fetch(Person.self).map(\.name) == ["Ann", "Cleo"])
    #expect(try context.deleteAll(Person.self) == 2 && persons.count == 3)
  }
}
