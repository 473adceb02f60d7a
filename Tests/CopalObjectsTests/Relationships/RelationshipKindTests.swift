import Copal
import CopalTestSupport
import Foundation
import Testing

extension TestStore {
  func catalog() throws -> PersistentContainer { try container(.catalog, transformers: []) }
}

extension PersistentContainer {
  /// What a new context reads.
  func reading<R>(_ body: (ManagedObjectContext) throws -> R) rethrows -> R {
    let context = makeContext()
    return try withExtendedLifetime(context) { try body(context) }
  }
}

extension Sequence where Element == Page {
  fileprivate var numbers: [Int64] { map(\.number) }
}

extension Sequence where Element == Picture {
  fileprivate var titles: [String] { map(\.title) }
}

extension Sequence where Element == Tag {
  fileprivate var names: [String] { map(\.name) }
}

@Suite("Ordered relationships")
struct OrderedRelationshipTests {
  @Test("appending, inserting and moving change the order, which is saved", arguments: bothStores)
  func order(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let album = Album(context: context, name: "Delft")
    let pages = (0..<5).map { Page(context: context, number: Int64($0)) }
    album.pages.append(contentsOf: pages[0..<3])
    pages[3].album = album
    album.pages.append(pages[0])
    #expect(album.pages.numbers == [0, 1, 2, 3])
    album.pages.insert(pages[4], at: 1)
    #expect(album.pages.numbers == [0, 4, 1, 2, 3])
    album.pages.move(fromOffsets: [0, 3], toOffset: 5)
    #expect(album.pages.numbers == [4, 1, 3, 0, 2])
    try context.save()
    #expect(album.pages.numbers == [4, 1, 3, 0, 2] && !context.hasChanges)

    func stored() throws -> [Int64] {
      try container.reading { try #require(try $0.fetch(Album.self).first).pages.numbers }
    }
    #expect(try stored() == [4, 1, 3, 0, 2])
    album.pages.insert(pages[2], at: 0)
    album.pages.remove(at: 2)
    #expect(album.pages.numbers == [2, 4, 3, 0])
    context.rollback()
    #expect(album.pages.numbers == [4, 1, 3, 0, 2])
    album.pages.replaceAll(with: [pages[0], pages[4], pages[1], pages[3]])
    #expect(album.pages.numbers == [0, 4, 1, 3])
    #expect(pages.filter(\.hasPersistentChangedValues).numbers == [0, 2])
    try context.save()
    #expect(try stored() == [0, 4, 1, 3])
    #expect(album.pages.numbers == [0, 4, 1, 3])
  }

  @Test("a move writes one row", arguments: bothStores)
  func oneRow(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let album = Album(context: context, name: "Delft")
    album.pages.append(contentsOf: (0..<1000).map { Page(context: context, number: $0) })
    try context.save()
    album.pages.move(fromOffsets: [999], toOffset: 500)
    let changed = album.pages.filter { $0.hasPersistentChangedValues }
    #expect(changed.numbers == [999])
    try context.save()
    #expect(album.pages[500].number == 999 && album.pages.count == 1000)
  }

  @Test("two contexts that append both succeed", arguments: bothStores)
  func twoAppend(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let first = container.makeContext()
    let album = Album(context: first, name: "Delft")
    album.pages.append(Page(context: first, number: 0))
    try first.save()
    let second = container.makeContext()
    let other = try #require(try second.fetch(Album.self).first)
    other.pages.append(Page(context: second, number: 2))
    album.pages.append(Page(context: first, number: 1))
    try first.save()
    try second.save()
    #expect(try container.reading { try $0.fetch(Album.self).first?.pages.numbers } == [0, 1, 2])
    #expect(other.pages.numbers == [0, 1, 2])
  }
}

@Suite("Many-to-many relationships")
struct LinkTests {
  @Test("both ends of a link agree, and it is saved", arguments: bothStores)
  func links(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let (blue, light) = (Tag(context: context, name: "blue"), Tag(context: context, name: "light"))
    let (milkmaid, delft) = (
      Picture(context: context, title: "Milkmaid"), Picture(context: context, title: "Delft")
    )
    milkmaid.tags.insert(blue)
    light.pictures.insert(milkmaid)
    blue.pictures.insert(delft)
    blue.pictures.insert(delft)
    #expect(
      milkmaid.tags.names == ["blue", "light"] && blue.pictures.titles == ["Milkmaid", "Delft"])
    #expect(light.pictures.contains(milkmaid) && !light.pictures.contains(delft))
    try context.save()
    #expect(!context.hasChanges)

    let other = container.makeContext()
    let read = try #require(try other.fetch(Picture.self) { $0.title == "Milkmaid" }.first)
    #expect(read.tags.count == 2 && read.tags.names == ["blue", "light"])
    let readBlue = try #require(read.tags.first)
    #expect(readBlue.pictures.titles == ["Milkmaid", "Delft"])
    readBlue.pictures.remove(read)
    #expect(read.tags.names == ["light"] && other.hasChanges && readBlue.hasChanges)
    other.rollback()
    #expect(read.tags.names == ["blue", "light"] && !other.hasChanges)
    read.tags.remove(readBlue)
    try other.save()
    #expect(readBlue.pictures.titles == ["Delft"])
    #expect(try container.reading { try $0.fetch(Picture.self).map(\.tags.count) } == [1, 1])
  }

  @Test(
    "a change of links reads nothing, and an object that is a fault stays one", .modelAsIs,
    arguments: bothStores)
  func unread(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let first = container.makeContext()
    let tag = Tag(context: first, name: "blue")
    let pictures = ["A", "B", "C"].map { Picture(context: first, title: $0) }
    tag.pictures.insert(pictures[0])
    tag.pictures.insert(pictures[1])
    try first.save()
    let context = container.makeContext()
    let other = try #require(try context.object(with: tag.objectID) as? Tag)
    let all = try pictures.map { try context.object(with: $0.objectID) as? Picture }
    all[0].map { other.pictures.insert($0) }
    all[1].map { other.pictures.remove($0) }
    all[2].map { other.pictures.insert($0) }
    #expect(other.isFault && all.allSatisfy { $0?.isFault == true } && context.hasChanges)
    try context.save()
    #expect(!context.hasChanges)
    #expect(other.pictures.titles == ["A", "C"])
    #expect(try container.reading { try $0.fetch(Tag.self).first?.pictures.titles } == ["A", "C"])
  }

  @Test(
    "counting links reads no object, also with changes that no save has written", .modelAsIs,
    arguments: bothStores)
  func counted(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let first = container.makeContext()
    let tag = Tag(context: first, name: "blue")
    let pictures = ["A", "B", "C", "D"].map { Picture(context: first, title: $0) }
    for picture in pictures[..<3] { tag.pictures.insert(picture) }
    try first.save()
    let context = container.makeContext()
    let other = try #require(try context.object(with: tag.objectID) as? Tag)
    #expect(other.pictures.count == 3 && context.registeredObjects.count == 1)
    let all = try pictures.map { try #require(try context.object(with: $0.objectID) as? Picture) }
    other.pictures.insert(all[0])
    other.pictures.insert(all[3])
    other.pictures.remove(all[1])
    #expect(other.pictures.count == 3 && all.allSatisfy(\.isFault))
    #expect(all.map { $0.tags.count } == [1, 0, 1, 1])
  }

  @Test("a deleted object is in no collection, and its links are removed", arguments: bothStores)
  func deleted(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let tag = Tag(context: context, name: "blue")
    let pictures = ["A", "B"].map { Picture(context: context, title: $0) }
    for picture in pictures { tag.pictures.insert(picture) }
    try context.save()
    context.delete(pictures[0])
    #expect(tag.pictures.titles == ["B"] && pictures[0].tags.isEmpty)
    try context.refresh(pictures[0], mergeChanges: false)
    #expect(tag.pictures.titles == ["A", "B"] && pictures[0].tags.names == ["blue"])
    context.delete(pictures[0])
    try context.save()
    #expect(tag.pictures.titles == ["B"])
    context.delete(tag)
    #expect(pictures[1].tags.isEmpty)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.deletionDenied])
    context.delete(pictures[1])
    try context.save()
    #expect(try context.count(Tag.self) == 0)
  }

  @Test("a relationship that is its own inverse", arguments: bothStores)
  func symmetric(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let tags = ["a", "b", "c"].map { Tag(context: context, name: $0) }
    tags[0].related.insert(tags[1])
    tags[2].related.insert(tags[0])
    tags[2].related.insert(tags[2])
    #expect(tags.map(\.related.names) == [["b", "c"], ["a"], ["a", "c"]])
    try context.save()
    #expect(
      try container.reading { try $0.fetch(Tag.self).map { $0.related.names } } == [
        ["b", "c"], ["a"], ["a", "c"],
      ])
    tags[1].related.remove(tags[0])
    tags[2].related.remove(tags[2])
    #expect(tags.map { $0.related.names } == [["c"], [], ["a"]])
    try context.save()
    #expect(
      try container.reading { try $0.fetch(Tag.self).map { $0.related.names } } == [
        ["c"], [], ["a"],
      ])
  }

  @Test("an ordered many-to-many relationship keeps its order at one end", arguments: bothStores)
  func ordered(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let albums = ["one", "two"].map { Album(context: context, name: $0) }
    let pictures = ["A", "B", "C", "D"].map { Picture(context: context, title: $0) }
    albums[0].pictures.append(contentsOf: pictures.reversed())
    albums[1].pictures.append(contentsOf: pictures)
    try context.save()
    #expect(albums[0].pictures.titles == ["D", "C", "B", "A"])
    let other = container.makeContext()
    func read() throws -> [[String]] {
      try container.reading { try $0.fetch(Album.self).map { $0.pictures.titles } }
    }
    #expect(try read() == [["D", "C", "B", "A"], ["A", "B", "C", "D"]])
    let first = try #require(try other.fetch(Album.self).first)
    first.pictures.move(fromOffsets: [3], toOffset: 1)
    #expect(first.pictures.titles == ["D", "A", "C", "B"] && other.hasChanges)
    other.rollback()
    #expect(first.pictures.titles == ["D", "C", "B", "A"])
    first.pictures.move(fromOffsets: [3], toOffset: 0)
    try other.save()
    #expect(first.pictures.titles == ["A", "D", "C", "B"] && !other.hasChanges)
    #expect(try read() == [["A", "D", "C", "B"], ["A", "B", "C", "D"]])
  }
}

@Suite("One-way relationships")
struct OneWayTests {
  @Test("an optional one-way to-one is nil after its object was deleted", arguments: bothStores)
  func nullify(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let style = Style(context: context, name: "Baroque")
    let pictures = ["A", "B"].map { Picture(context: context, title: $0) }
    for picture in pictures { picture.style = style }
    try context.save()
    let other = container.makeContext()
    let read = try #require(try other.fetch(Style.self).first)
    other.delete(read)
    #expect(try other.fetch(Picture.self).allSatisfy { $0.style == nil })
    try other.save()
    #expect(
      try container.reading { try $0.fetch(Picture.self).map { $0.style == nil } } == [true, true])
  }

  @Test(
    "an object to which a required one-way to-one refers cannot be deleted", arguments: bothStores)
  func deny(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let paper = Paper(context: context, name: "rag")
    let print = Print(context: context, number: 1)
    print.paper = paper
    try context.save()
    context.delete(paper)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.deletionDenied])
    context.delete(print)
    try context.save()
    #expect(try context.count(Paper.self) == 0)
  }

  @Test("a one-way to-many has links, which go with the objects", arguments: bothStores)
  func toMany(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let tag = Tag(context: context, name: "blue")
    let pictures = ["A", "B", "C"].map { Picture(context: context, title: $0) }
    tag.examples.replaceAll(with: pictures)
    try context.save()
    #expect(tag.examples.titles == ["A", "B", "C"] && !pictures[0].hasChanges)
    let other = container.makeContext()
    let read = try #require(try other.fetch(Picture.self).first)
    other.delete(read)
    try other.save()
    #expect(try container.reading { try $0.fetch(Tag.self).first?.examples.titles } == ["B", "C"])
    #expect(throws: PersistenceError.self) { try read.value(forKey: "Tag.examples") }
  }
}

@Suite("The least and the greatest number of objects")
struct CountLimitTests {
  @Test("a save checks the number of a new object and of a changed one", arguments: bothStores)
  func checked(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let shelf = Shelf(context: context, name: "left")
    var error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.tooFewObjects])
    let crates = (0..<4).map { Crate(context: context, number: Int64($0)) }
    for crate in crates { shelf.crates.insert(crate) }
    error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.tooManyObjects])
    crates[3].shelf = nil
    try context.save()
    for crate in crates[..<3] { context.delete(crate) }
    error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.tooFewObjects])
    crates[3].shelf = shelf
    try context.save()
    #expect(shelf.crates.count == 1)
  }

  @Test(
    "two contexts that each add one object cannot exceed the maximum together",
    arguments: bothStores)
  func twoContexts(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let first = container.makeContext()
    let shelf = Shelf(context: first, name: "left")
    for number in 0..<2 { shelf.crates.insert(Crate(context: first, number: Int64(number))) }
    try first.save()
    let second = container.makeContext()
    let other = try #require(try second.object(with: shelf.objectID) as? Shelf)
    try other.crates.load()
    other.crates.insert(Crate(context: second, number: 8))
    shelf.crates.insert(Crate(context: first, number: 9))
    #expect(try other.crates.count == 3 && second.count(Shelf.self) == 1)
    try first.save()
    let error = #expect(throws: PersistenceError.self) { try second.save() }
    #expect(error?.causeCodes == [.conflict])
    #expect(try container.reading { try $0.fetch(Shelf.self).first?.crates.count } == 3)
  }

  @Test("the limits of a many-to-many relationship", arguments: bothStores)
  func links(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let shelf = Shelf(context: context, name: "left")
    shelf.crates.insert(Crate(context: context, number: 1))
    for name in ["a", "b"] { Keeper(context: context, name: name).shelves.insert(shelf) }
    try context.save()
    let other = container.makeContext()
    let third = Keeper(context: other, name: "c")
    third.shelves.insert(try #require(try other.object(with: shelf.objectID) as? Shelf))
    let error = #expect(throws: PersistenceError.self) { try other.save() }
    #expect(error?.causeCodes == [.tooManyObjects])
  }
}

@Suite("What the model says about related objects")
struct RelationshipRuleTests {
  @Test("the members of a sorted relationship are in the order of the model", arguments: bothStores)
  func sorted(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let dish = Dish(context: context, name: "salad")
    for (text, rank) in [("b", 1), ("a", 1), ("c", 2), ("d", nil)] as [(String, Int64?)] {
      let note = Note(context: context, text: text)
      note.rank = rank
      dish.notes.insert(note)
    }
    #expect(dish.notes.map(\.text) == ["c", "a", "b", "d"])
    dish.notes.first?.rank = 0
    #expect(dish.notes.map(\.text) == ["a", "b", "c", "d"] && dish.notes[2].text == "c")
    try context.save()
    #expect(dish.notes.map(\.text) == ["a", "b", "c", "d"])
  }

  @Test("positions and results of a sorted relationship are in its order", arguments: bothStores)
  func positions(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    let dish = Dish(context: context, name: "salad")
    let notes = (0..<2000).map { Note(context: context, text: "\($0)") }
    for (rank, note) in notes.enumerated() {
      note.rank = Int64(rank)
      dish.notes.insert(note)
    }
    // Sorting once for each object would take minutes.
    #expect(dish.notes.map(\.text) == (0..<2000).reversed().map(String.init))
    #expect(dish.notes.firstIndex(of: notes[0]) == 1999)
    #expect(dish.notes.firstIndex { $0.rank == 1990 } == 9)
    #expect(dish.notes[9] === notes[1990])
  }

  @Test(
    "a fetch reads the relationships that the model wants to be prefetched", arguments: bothStores)
  func prefetched(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.catalog()
    let context = container.makeContext()
    for name in ["salad", "soup"] {
      Note(context: context, text: name).dish = Dish(context: context, name: name)
    }
    try context.save()
    let other = container.makeContext()
    let dishes = try other.fetch(Dish.self)
    for note in try context.fetch(Note.self) { context.delete(note) }
    try context.save()
    #expect(dishes.map { $0.notes.map(\.text) } == [["salad"], ["soup"]])
  }

  @Test("an object that has lost its owner is deleted by the save", arguments: bothStores)
  func orphans(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let dishes = ["salad", "soup"].map { Dish(context: context, name: $0) }
    let notes = ["a", "b", "c", "d"].map { Note(context: context, text: $0) }
    for note in notes[..<3] { dishes[0].notes.insert(note) }
    try context.save()
    #expect(try context.count(Note.self) == 4, "an object that never had an owner stays")
    dishes[0].notes.remove(notes[0])
    notes[1].dish = dishes[1]
    notes[2].dish = nil
    notes[2].dish = dishes[0]
    try context.save()
    #expect(try context.fetch(Note.self).map(\.text) == ["b", "c", "d"])
    context.delete(dishes[0])
    try context.save()
    #expect(try context.fetch(Note.self).map(\.text) == ["b", "d"] && notes[2].isDeleted)
  }

  @Test(
    "a new object that has lost its owner before its first save is an orphan, too",
    arguments: bothStores)
  func newOrphans(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let context = container.makeContext()
    let dishes = ["salad", "soup"].map { Dish(context: context, name: $0) }
    let notes = ["a", "b", "c", "d", "e"].map { Note(context: context, text: $0) }
    for note in notes[..<4] { dishes[0].notes.insert(note) }
    notes[4].dish = nil
    dishes[0].notes.remove(notes[0])
    notes[1].dish = nil
    notes[2].dish = nil
    notes[2].dish = dishes[1]
    try context.save()
    #expect(try context.fetch(Note.self).map(\.text) == ["c", "d", "e"])
    #expect(notes[..<2].allSatisfy { $0.managedObjectContext == nil })
  }

  @Test(
    "without \"orphans\", a new object that has lost its owner is saved if it needs none",
    arguments: bothStores)
  func newObjects(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let museum = Museum(context: context, name: "Mauritshuis")
    let work = Work(context: context, title: "View of Delft")
    museum.works.insert(work)
    museum.works.remove(work)
    try context.save()
    #expect(try context.fetch(Work.self) == [work])
    let ticket = Ticket(context: context)
    museum.tickets.insert(ticket)
    museum.tickets.remove(ticket)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.required])
  }

  @Test("a copy has what the object owns, and shares the rest", arguments: bothStores)
  func copied(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let first = container.makeContext()
    let salad = Dish(context: first, name: "salad")
    Season(context: first, name: "summer").dishes.insert(salad)
    Note(context: first, text: "cold").dish = salad
    for name in ["greens", "dressing"] {
      let course = Course(context: first, name: name)
      salad.courses.append(course)
      for grams in [30, 10, 20] {
        course.portions.append(Portion(context: first, grams: Int64(grams)))
      }
    }
    salad.courses.move(fromOffsets: [1], toOffset: 0)
    try first.save()
    let context = container.makeContext()
    let original = try #require(try context.fetch(Dish.self).first)
    let copy = try context.copy(of: original)
    #expect(copy !== original && copy.name == "salad" && copy.isInserted)
    #expect(copy.code != original.code, "an attribute that is new for each object")
    #expect(copy.courses.map(\.name) == ["dressing", "greens"])
    #expect(copy.courses.map { $0.portions.map(\.grams) } == [[30, 10, 20], [30, 10, 20]])
    #expect(copy.courses.allSatisfy { $0.dish === copy } && original.courses.count == 2)
    #expect(copy.seasons.map(\.name) == ["summer"] && copy.notes.isEmpty)
    #expect(original.notes.count == 1 && copy.seasons.first?.dishes.count == 2)
    try context.save()
    #expect(try context.count(Portion.self) == 12)
    let shallow = try context.copy(of: original, depth: 1)
    #expect(shallow.courses.count == 2 && shallow.courses.allSatisfy { $0.portions.isEmpty })
    #expect(try context.copy(of: original, depth: 0).courses.isEmpty)
    let page = try context.copy(of: try #require(copy.courses.first))
    #expect(page.dish === copy && copy.courses.map(\.name) == ["dressing", "greens", "dressing"])
    context.delete(original)
    #expect(throws: PersistenceError.self) { try context.copy(of: original) }
  }

  @Test(
    "relationships of objects whose context was released are empty, which is reported",
    arguments: bothStores)
  func released(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.catalog()
    try container.reading { context in
      let picture = Picture(context: context, title: "A")
      picture.style = Style(context: context, name: "Baroque")
      picture.tags.insert(Tag(context: context, name: "blue"))
      try context.save()
    }
    let picture = try #require(try container.makeContext().fetch(Picture.self).first)
    #expect(picture.title == "A" && store.takeReadFailures().isEmpty)
    #expect(picture.tags.isEmpty && picture.tags.count == 0 && picture.style == nil)
    let failures = store.takeReadFailures()
    #expect(failures.map(\.code) == [.objectMissing, .objectMissing])
    #expect(failures.map(\.property) == ["tags", "style"])
    #expect(failures[0].description.contains("its context was released; keep the context"))
  }
}
