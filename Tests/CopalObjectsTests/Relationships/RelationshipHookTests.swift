import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

extension TestStore {
  fileprivate func depot() throws -> PersistentContainer {
    try container(.depot, transformers: [])
  }
}

@Suite("Relationships that hooks change")
struct RelationshipHookTests {
  @Test(
    "a hook that adds an object to an owner that is a fault cannot exceed the maximum",
    arguments: bothStores)
  func maximum(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let first = container.makeContext()
    let wagon = Wagon(context: first, name: "A")
    for number in 1...2 { Load(context: first, number: Int64(number)).wagon = wagon }
    let load = Load(context: first, number: 3)
    try first.save()
    try first.refresh(wagon, mergeChanges: false)
    load.onWillSave = { load.wagon = wagon }
    load.number = 4
    #expect(throws: PersistenceError.self) { try first.save() }
  }

  /// A load with two boxes, each of which has a piece.
  private func savedLoad(in context: ManagedObjectContext) throws -> (load: Load, boxes: [Box]) {
    let load = Load(context: context, number: 1)
    let boxes = (1...2).map { Box(context: context, number: Int64($0)) }
    for box in boxes {
      box.load = load
      Piece(context: context, number: box.number).box = box
    }
    try context.save()
    return (load, boxes)
  }

  @Test(
    "a rollback in prepareForDeletion of any object leaves the related objects of a cascade alone",
    arguments: bothStores, [true, false])
  func rollback(_ kind: StoreKind, isFirst: Bool) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    let (load, boxes) = try savedLoad(in: context)
    let undoing = isFirst ? boxes[0] : boxes[1]
    undoing.onPrepareForDeletion = { context.rollback() }
    context.delete(load)
    #expect(!load.isDeleted && boxes.allSatisfy { !$0.isDeleted })
    #expect(try context.fetch(Piece.self).count == 2)
    try context.save()
    #expect(try container.makeContext().count(Piece.self) == 2)
  }

  @Test("a reset in prepareForDeletion ends the deletion", arguments: bothStores)
  func reset(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    let (load, boxes) = try savedLoad(in: context)
    boxes[1].onPrepareForDeletion = { context.reset() }
    context.delete(load)
    #expect(!context.hasChanges)
    try context.save()
    #expect(try container.makeContext().count(Piece.self) == 2)
  }

  @Test(
    "a save in prepareForDeletion removes the object from the members of its owner",
    arguments: bothStores)
  func save(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    let wagon = Wagon(context: context, name: "A")
    let loads = (1...2).map { Load(context: context, number: Int64($0)) }
    for load in loads { load.wagon = wagon }
    try context.save()
    #expect(wagon.loads.count == 2)
    var numbers: [Int64] = []
    loads[0].onPrepareForDeletion = {
      #expect(throws: Never.self) { try context.save() }
      numbers = wagon.loads.map(\.number)
    }
    context.delete(loads[0])
    #expect(numbers == [2])
    #expect(wagon.loads.map(\.number) == [2] && context.graphProblems == [])
    #expect(try container.reading { try $0.count(Load.self) } == 1)
  }

  @Test(
    "a save in prepareForDeletion removes the object from what it was linked to",
    arguments: bothStores, [true, false])
  func saveOfLinked(_ kind: StoreKind, isSaved: Bool) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    let sticker = Sticker(context: context, name: "fragile")
    let load = Load(context: context, number: 1)
    try context.save()
    let linked = isSaved ? load : Load(context: context, number: 2)
    linked.stickers.insert(sticker)
    if isSaved { try context.save() }
    #expect(sticker.loads.count == 1)
    linked.onPrepareForDeletion = { #expect(throws: Never.self) { try context.save() } }
    context.delete(linked)
    #expect(sticker.loads.count == 0 && sticker.loads.isEmpty && Array(sticker.loads).isEmpty)
    try context.save()
    #expect(context.graphProblems == [])
    #expect(try container.reading { try $0.count(Load.self) } == (isSaved ? 0 : 1))
  }

  @Test("an orphan to which a hook gives an owner is not deleted", arguments: bothStores)
  func rescuedOrphan(_ kind: StoreKind) throws {
    let context = try TestStore(kind).depot().makeContext()
    let (load, boxes) = try savedLoad(in: context)
    let pieces = boxes.map { $0.pieces.first }
    for piece in pieces { piece?.box = nil }
    pieces[0]?.box = boxes[1]
    try context.save()
    #expect(try context.fetch(Piece.self) == [pieces[0]])
    withExtendedLifetime(load) {}
  }

  /// Runs an action when it is released.
  private final class Guest {
    private let onRelease: () -> Void
    init(_ onRelease: @escaping () -> Void) { self.onRelease = onRelease }
    deinit { onRelease() }
  }

  @Test("a rollback while a save releases an object finds the links saved", arguments: bothStores)
  func releasedInSave(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    var releases = 0
    do {
      let load = Load(context: context, number: 1)
      let guest = Guest {
        releases += 1
        context.rollback()
      }
      load.onDidSave = { withExtendedLifetime(guest) {} }
      context.delete(load)
    }
    let knots = ["a", "b"].map { Knot(context: context, name: $0) }
    knots[0].friends.insert(knots[1])
    #expect(releases == 0)
    try context.save()
    #expect(releases == 1)
    #expect(knots[0].friends.map(\.name) == ["b"] && knots[1].friends.map(\.name) == ["a"])
    #expect(context.graphProblems == [])
  }

  @Test("prepareForDeletion still has the related objects", arguments: bothStores)
  func related(_ kind: StoreKind) throws {
    let context = try TestStore(kind).depot().makeContext()
    let wagon = Wagon(context: context, name: "A")
    let load = Load(context: context, number: 1)
    load.wagon = wagon
    load.boxes.insert(Box(context: context, number: 1))
    try context.save()
    var seen: (String?, Int) = (nil, 0)
    load.onPrepareForDeletion = { seen = (load.wagon?.name, load.boxes.count) }
    context.delete(load)
    #expect(seen.0 == "A" && seen.1 == 1)
  }

  @Test("hooks that link, move, delete and insert related objects are saved", arguments: bothStores)
  func many(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    let (a, b) = (Wagon(context: context, name: "A"), Wagon(context: context, name: "B"))
    let load = Load(context: context, number: 1)
    load.wagon = a
    let boxes = (1...4).map { Box(context: context, number: Int64($0)) }
    boxes.forEach(load.boxes.insert)
    try context.save()
    load.onWillSave = {
      load.onWillSave = {}
      load.wagon = b
      context.delete(boxes[0])
      load.boxes.remove(boxes[1])
      let new = Box(context: context, number: 5)
      load.boxes.insert(new)
      Piece(context: context, number: 1).box = new
    }
    var late: [Int64] = []
    load.onDidSave = {
      late = load.boxes.map(\.number)
      load.boxes.insert(Box(context: context, number: 6))
    }
    load.number = 2
    try context.save()
    #expect(late == [3, 4, 5])
    #expect(b.loads.count == 1 && a.loads.isEmpty && context.hasChanges)
    load.onDidSave = {}
    try context.save()
    let other = container.makeContext()
    let read = try #require(try other.fetch(Load.self).first)
    #expect(read.boxes.map(\.number) == [3, 4, 5, 6] && read.wagon?.name == "B")
    #expect(read.boxes[2].pieces.count == 1)
    // A validation hook that rolls back.
    load.onValidate = { context.rollback() }
    load.boxes.removeAll()
    load.number = 9
    try context.save()
    load.onValidate = {}
    #expect(load.boxes.map(\.number) == [3, 4, 5, 6] && load.number == 2)
    load.onWillSave = {
      load.onWillSave = {}; context.reset()
    }
    load.boxes.removeAll()
    load.number = 9
    try context.save()
    #expect(try container.reading { try $0.fetch(Load.self).first?.boxes.count } == 4)
  }
}

@Suite("Copies of related objects")
struct RelatedCopyTests {
  @Test("copies are in the same order in ordered relationships", arguments: bothStores)
  func order(_ kind: StoreKind) throws {
    let context = try TestStore(kind).depot().makeContext()
    let binder = Binder(context: context, name: "A")
    let sheets = (0..<4).map { Sheet(context: context, number: Int64($0)) }
    sheets.forEach(binder.sheets.insert)
    let book = Book(context: context, name: "B")
    book.binder = binder
    for number in [2, 0, 3, 1] {
      book.leaves.append(sheets[number])
      book.plates.append(sheets[number])
    }
    try context.save()
    let copy = try context.copy(of: binder)
    let copied = try #require(copy.books.first)
    #expect(copied.plates.map(\.number) == [2, 0, 3, 1])
    #expect(copied.leaves.map(\.number) == [2, 0, 3, 1])
    #expect(book.leaves.count == 4 && book.plates.count == 4)
  }

  @Test("a ring of one-to-one relationships is copied", arguments: bothStores)
  func ring(_ kind: StoreKind) throws {
    let context = try TestStore(kind).depot().makeContext()
    let nodes = ["a", "b", "c"].map { Knot(context: context, name: $0) }
    for (index, node) in nodes.enumerated() {
      node.next = nodes[(index + 1) % 3]
      node.friends.insert(nodes[(index + 1) % 3])
      node.friends.insert(node)
    }
    let outsider = Knot(context: context, name: "x")
    nodes[0].friends.insert(outsider)
    try context.save()
    let copy = try context.copy(of: nodes[0])
    #expect(copy !== nodes[0] && copy.next?.next?.next === copy)
    #expect(copy.friends.count == 4 && copy.friends.contains(copy))
    #expect(copy.friends.contains(outsider) && outsider.friends.count == 2)
    #expect(nodes[0].next === nodes[1] && nodes[0].friends.count == 4)
    let alone = try context.copy(of: nodes[0], depth: 0)
    #expect(alone.next == nil && alone.previous == nil && nodes[2].next === nodes[0])
    #expect(alone.friends.count == 4)
    try context.save()
    context.delete(copy)
    #expect(copy.next == nil)
    try context.save()
    #expect(try context.count(Knot.self) == 5)
  }
}

@Suite("Relationships in odd cases")
struct OddRelationshipTests {
  @Test(
    "prefetching a path through a many-to-many relationship reads each object once",
    arguments: bothStores)
  func prefetching(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let writer = container.makeContext()
    let tags = (0..<20).map { Tag(context: writer, name: "\($0)") }
    for number in 0..<20 {
      let picture = Picture(context: writer, title: "\(number)")
      tags.forEach(picture.tags.insert)
    }
    try writer.save()
    let context = container.makeContext()
    // With each object once for each owner, the last step would have 3,200,000.
    let pictures = try context.fetch(
      Picture.fetchRequest().prefetching(\.tags.pictures.tags.pictures))
    for picture in pictures {
      #expect(picture.tags.count == 20)
      for tag in picture.tags { #expect(tag.pictures.count == 20) }
    }
  }

  @Test(
    "positions of other programs at the end of the range", .modelAsIs,
    arguments: [
      "9223372036854775807", "9223372036854775806", "4611686018427387904", "1e300", "'x'", "NULL",
      "-9223372036854775808", "1.5", "9e999", "-9e999",
    ])
  func positions(_ position: String) throws {
    let test = try TestStore(.sqlite)
    let container = try test.depot()
    let writer = container.makeContext()
    let book = Book(context: writer, name: "B")
    let sheets = (0..<4).map { Sheet(context: writer, number: Int64($0)) }
    book.leaves.append(contentsOf: sheets)
    book.plates.append(contentsOf: sheets)
    try writer.save()
    let columns = try test.sqlite3(
      "SELECT name FROM pragma_table_info('Sheet') WHERE name LIKE '%book%'")
    let linkTable = try test.sqlite3(
      "SELECT name FROM sqlite_master WHERE name LIKE 'copal_links_%' AND type='table'")
    let column = try #require(columns.split(separator: "\n").first { $0 != "book" })
    _ = try test.sqlite3("UPDATE Sheet SET \"\(column)\" = \(position) WHERE number >= 2")
    _ = try test.sqlite3("UPDATE \"\(linkTable)\" SET position = \(position) WHERE member >= 3")
    let context = container.makeContext()
    let read = try #require(try context.fetch(Book.self).first)
    func check(_ what: String) throws {
      let now = (read.leaves.map(\.number), read.plates.map(\.number))
      try context.save()
      #expect((read.leaves.map(\.number), read.plates.map(\.number)) == now, "\(position) \(what)")
      let other = container.makeContext()
      let again = try #require(try other.fetch(Book.self).first)
      #expect(again.leaves.map(\.number) == now.0, "\(position) \(what) stored leaves")
      #expect(again.plates.map(\.number) == now.1, "\(position) \(what) stored plates")
    }
    let new = (10..<16).map { Sheet(context: context, number: $0) }
    let count = read.leaves.count
    read.leaves.insert(new[0], at: 3)
    read.plates.insert(new[0], at: 3)
    #expect(read.leaves[3] === new[0] && read.plates[3] === new[0], "\(position)")
    #expect(read.leaves.count == count + 1)
    try check("insert at 3")
    read.leaves.insert(new[1], at: 0)
    read.plates.insert(new[1], at: 0)
    try check("insert at 0")
    read.leaves.append(new[2])
    read.plates.append(new[2])
    #expect(read.leaves.last === new[2] && read.plates.last === new[2], "\(position) append")
    try check("append")
    read.leaves.move(fromOffsets: [0], toOffset: 4)
    read.plates.move(fromOffsets: [0], toOffset: 4)
    try check("move")
    read.leaves.append(new[3])
    read.plates.append(new[3])
    read.leaves.insert(new[4], at: read.leaves.count - 1)
    read.plates.insert(new[4], at: read.plates.count - 1)
    try check("append and insert before")
    #expect(try test.sqlite3("PRAGMA foreign_key_check") == "")
  }

  @Test("refreshes of lists with unsaved moves", arguments: bothStores, [true, false])
  func refreshed(_ kind: StoreKind, _ merge: Bool) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    let books = (0..<2).map { Book(context: context, name: "\($0)") }
    let sheets = (0..<6).map { Sheet(context: context, number: Int64($0)) }
    books[0].leaves.append(contentsOf: sheets[0..<4])
    books[1].leaves.append(contentsOf: sheets[4..<6])
    books[0].plates.append(contentsOf: sheets[0..<4])
    try context.save()
    books[0].leaves.move(fromOffsets: [3], toOffset: 0)
    books[1].leaves.insert(sheets[1], at: 1)
    books[0].plates.move(fromOffsets: [0], toOffset: 3)
    books[0].plates.insert(sheets[5], at: 1)
    books[0].plates.remove(sheets[1])
    func state() -> [[Int64]] {
      books.map { $0.leaves.map(\.number) } + books.map { $0.plates.map(\.number) }
    }
    #expect(state() == [[3, 0, 2], [4, 1, 5], [5, 2, 0, 3], []])
    let before = state()
    try context.refresh(sheets[3], mergeChanges: merge)
    try context.refresh(sheets[1], mergeChanges: merge)
    if merge {
      #expect(state() == before)
    } else {
      #expect(state()[0] == [0, 1, 2, 3] && state()[1] == [4, 5])
    }
    try context.refresh(books[0], mergeChanges: merge)
    if merge {
      #expect(state() == before)
    } else {
      #expect(state()[2] == [0, 1, 2, 3])
      #expect(sheets[5].plateOf.isEmpty && sheets[1].plateOf.count == 1)
    }
    let last = state()
    try context.save()
    #expect(state() == last && !context.hasChanges)
    let other = container.makeContext()
    let read = try other.fetch(Book.self)
    #expect(read.map { $0.leaves.map(\.number) } + read.map { $0.plates.map(\.number) } == last)
  }

  @Test("refreshAllObjects keeps pending links", arguments: bothStores)
  func refreshAll(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let writer = container.makeContext()
    let (tag, other) = (Tag(context: writer, name: "t"), Tag(context: writer, name: "u"))
    let pictures = (0..<3).map { Picture(context: writer, title: "\($0)") }
    tag.examples.insert(pictures[0])
    tag.pictures.insert(pictures[0])
    tag.related.insert(other)
    let album = Album(context: writer, name: "a")
    pictures.forEach(album.pictures.append)
    try writer.save()
    tag.examples.remove(pictures[0])
    tag.examples.insert(pictures[1])
    tag.pictures.remove(pictures[0])
    tag.pictures.insert(pictures[2])
    tag.related.remove(other)
    tag.related.insert(tag)
    album.pictures.move(fromOffsets: [2], toOffset: 0)
    writer.refreshAllObjects()
    func check(_ tag: Tag, _ album: Album) {
      #expect(tag.examples.map(\.title) == ["1"])
      #expect(tag.pictures.map(\.title) == ["2"])
      #expect(tag.related.map(\.name) == ["t"])
      #expect(album.pictures.map(\.title) == ["2", "0", "1"])
      #expect(Array(album.pictures).map(\.tags.count) == [1, 0, 0])
    }
    check(tag, album)
    try writer.save()
    check(tag, album)
    let reader = container.makeContext()
    check(
      try #require(try reader.fetch(Tag.self).first),
      try #require(try reader.fetch(Album.self).first))
    #expect(try container.check().isEmpty)
  }

  @Test("objects that are released while their links are pending", arguments: bothStores)
  func released(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let writer = container.makeContext()
    for number in 0..<3 {
      _ = Tag(context: writer, name: "\(number)")
      _ = Album(context: writer, name: "\(number)")
      _ = Picture(context: writer, title: "\(number)")
    }
    try writer.save()
    let context = container.makeContext()
    do {
      let tags = try context.fetch(Tag.self)
      let albums = try context.fetch(Album.self)
      let pictures = try context.fetch(Picture.self)
      tags[0].pictures.insert(pictures[0])
      tags[0].examples.insert(pictures[1])
      albums[0].pictures.append(pictures[2])
      albums[0].pictures.insert(pictures[0], at: 0)
      Page(context: context, number: 1).album = albums[0]
      for object in pictures { try context.refresh(object, mergeChanges: true) }
    }
    context.refreshAllObjects()
    context.refreshAllObjects()
    let album = try #require(try context.fetch(Album.self).first)
    #expect(album.pictures.map(\.title) == ["0", "2"] && album.pages.count == 1)
    #expect(try context.fetch(Tag.self).map(\.examples.count) == [1, 0, 0])
    try context.save()
    let reader = container.makeContext()
    let read = try #require(try reader.fetch(Album.self).first)
    #expect(read.pictures.map(\.title) == ["0", "2"] && read.pages.count == 1)
    #expect(try reader.fetch(Tag.self).map(\.pictures.count) == [1, 0, 0])
  }

  @Test(
    "a count agrees with the objects after another context has moved some", arguments: bothStores)
  func count(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let first = container.makeContext()
    let (a, b) = (Book(context: first, name: "a"), Book(context: first, name: "b"))
    let sheets = (0..<4).map { Sheet(context: first, number: Int64($0)) }
    a.leaves.append(contentsOf: sheets[0..<2])
    b.leaves.append(contentsOf: sheets[2..<4])
    try first.save()
    let second = container.makeContext()
    let books = try second.fetch(Book.self)
    let read = try second.fetch(Sheet.self)
    // Both move the same objects.
    a.leaves.append(sheets[2])
    sheets[0].book = nil
    try first.save()
    books[0].leaves.append(read[2])
    read[0].book = nil
    let count = books[0].leaves.count
    #expect(count == books[0].leaves.map { $0 }.count)
  }

  @Test("a refused save is repeated", arguments: bothStores)
  func refused(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    Sheet(context: context, number: 100).code = 1
    let book = Book(context: context, name: "a")
    book.leaves.append(Sheet(context: context, number: 0))
    book.plates.append(Sheet(context: context, number: 0))
    try context.save()
    let second = container.makeContext()
    let other = try #require(try second.fetch(Book.self).first)
    let sheets = (1...3).map { Sheet(context: context, number: Int64($0)) }
    let new = Book(context: context, name: "b")
    for sheet in sheets {
      book.leaves.append(sheet)
      book.plates.append(sheet)
      new.plates.append(sheet)
    }
    sheets[1].code = 1
    for round in 0..<3 {
      #expect(throws: PersistenceError.self) { try context.save() }
      let more = Sheet(context: context, number: Int64(10 + round))
      new.leaves.append(more)
      new.plates.insert(more, at: 0)
      book.plates.append(more)
      let late = Sheet(context: second, number: Int64(20 + round))
      other.leaves.append(late)
      other.plates.append(late)
      try second.save()
    }
    sheets[1].code = 2
    let (leaves, plates) = (new.leaves.map(\.number), new.plates.map(\.number))
    #expect(plates == [12, 11, 10, 1, 2, 3])
    try context.save()
    #expect(new.leaves.map(\.number) == leaves && new.plates.map(\.number) == plates)
    for book in [book, new] { try context.refresh(book, mergeChanges: false) }
    #expect(new.leaves.map(\.number) == leaves && new.plates.map(\.number) == plates)
    #expect(book.leaves.map(\.number) == [0, 20, 21, 22, 1, 2, 3])
    #expect(book.plates.map(\.number) == [0, 20, 21, 22, 1, 2, 3, 10, 11, 12])
    #expect(sheets.allSatisfy { $0.plateOf.count == 2 })
    #expect(try container.check().isEmpty)
  }

  @Test("orphans of a refused save, of moves and of rollbacks", arguments: bothStores)
  func orphans(_ kind: StoreKind) throws {
    let container = try TestStore(kind).depot()
    let context = container.makeContext()
    Sheet(context: context, number: 100).code = 1
    let load = Load(context: context, number: 1)
    let boxes = (1...2).map { Box(context: context, number: Int64($0)) }
    boxes.forEach(load.boxes.insert)
    let pieces = (1...4).map { Piece(context: context, number: Int64($0)) }
    for (index, piece) in pieces.enumerated() { piece.box = boxes[index % 2] }
    try context.save()
    boxes[0].pieces.remove(pieces[0])
    boxes[1].pieces.insert(pieces[2])
    let sheet = Sheet(context: context, number: 1)
    sheet.code = 1
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(pieces[0].isDeleted, "a refused save leaves an orphan deleted")
    sheet.code = 3
    try context.save()
    #expect(try container.makeContext().count(Piece.self) == 3)
    context.rollback()
    boxes[1].pieces.removeAll()
    context.rollback()
    try context.save()
    #expect(try container.makeContext().count(Piece.self) == 3)
    // A new owner, deleted again.
    let box = Box(context: context, number: 3)
    box.pieces.insert(pieces[1])
    context.delete(box)
    try context.save()
    let before = try container.makeContext().count(Piece.self)
    // Cascade and move.
    let kept = try #require(boxes[1].pieces.first)
    kept.box = boxes[0]
    context.delete(boxes[1])
    try context.save()
    #expect(!kept.isDeleted)
    #expect(try container.makeContext().count(Piece.self) < before)
    #expect(try container.check().isEmpty)
  }

  @Test("a sorted relationship of faults", arguments: bothStores)
  func sorted(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let writer = container.makeContext()
    let dish = Dish(context: writer, name: "a")
    for number in [3, 1, 2, 5, 4] {
      let note = Note(context: writer, text: "\(number)")
      note.rank = Int64(number)
      note.dish = dish
    }
    try writer.save()
    let context = container.makeContext()
    let read = try #require(try context.fetch(Dish.self).first)
    read.name = "b"
    #expect(read.notes.map(\.text) == ["5", "4", "3", "2", "1"])
    context.refreshAllObjects()
    #expect(read.notes.map(\.text) == ["5", "4", "3", "2", "1"])
    read.notes.first?.rank = 0
    let new = Note(context: context, text: "n")
    new.rank = 3
    new.dish = read
    #expect(read.notes.map(\.text) == ["4", "3", "n", "2", "1", "5"])
    #expect(read.notes[5].text == "5" && read.notes.last?.text == "5")
    try context.forbiddingLazyLoads { _ = read.notes.map(\.text) }
    let batches = try context.fetchBatches(Dish.fetchRequest(), size: 2)
    #expect(batches.count == 1 && batches[0] === read)
  }

  @Test("a one-way object that another context has deleted first", arguments: bothStores)
  func oneWay(_ kind: StoreKind) throws {
    let container = try TestStore(kind).catalog()
    let first = container.makeContext()
    let (style, paper) = (Style(context: first, name: "s"), Paper(context: first, name: "p"))
    let picture = Picture(context: first, title: "x")
    let other = Picture(context: first, title: "y")
    let tag = Tag(context: first, name: "t")
    (picture.style, picture.paper) = (style, paper)
    tag.examples.insert(picture)
    try first.save()
    let second = container.makeContext()
    let styles = try second.fetch(Style.self)
    let mine = try second.fetch(Picture.self)
    let tags = try second.fetch(Tag.self)
    // This context deletes the style while the other one sets it.
    other.style = style
    tag.examples.insert(other)
    second.delete(styles[0])
    second.delete(mine[1])
    #expect(mine[0].style == nil)
    try second.save()
    #expect(throws: PersistenceError.self) { try first.save() }
    first.rollback()
    try first.refresh(picture, mergeChanges: false)
    #expect(picture.style == nil)
    try first.save()
    first.delete(picture)
    try first.save()
    #expect(try container.makeContext().count(Picture.self) == 0)
    #expect(tags[0].examples.count <= 1)
    try second.refresh(tags[0], mergeChanges: false)
    #expect(tags[0].examples.isEmpty)
    tags[0].examples.insert(mine[0])
    #expect(throws: PersistenceError.self) { try second.save() }
    second.rollback()
    #expect(try container.check().isEmpty)
  }
}

@Suite("One-to-one relationships whose partners change")
struct PartnerTests {
  private let test: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext
  private let work: Work
  private let frame: Frame

  init() throws {
    test = try TestStore()
    container = try test.gallery()
    context = container.makeContext()
    work = Work(context: context, title: "The Milkmaid")
    frame = Frame(context: context)
    work.frame = frame
    try context.save()
  }

  /// What the store has.
  private func stored() throws -> [String] {
    let reading = container.makeContext()
    return try reading.fetch(Work.self).map {
      "\($0.title): \($0.frame?.objectID.key ?? 0)"
    } + reading.fetch(Frame.self).map { "\($0.objectID.key): \($0.work?.title ?? "none")" }
  }

  @Test(
    "a partner that has not been read loses its reference, too", .modelAsIs,
    arguments: [true, false])
  func unreadPartner(isMoved: Bool) throws {
    let other = container.makeContext()
    let work = try #require(try other.fetch(Work.self).first)
    work.frame = isMoved ? Frame(context: other) : nil
    try other.save()
    #expect(
      try stored()
        == (isMoved
          ? ["The Milkmaid: 2", "1: none", "2: The Milkmaid"] : ["The Milkmaid: 0", "1: none"]))
  }

  @Test("a partner that is a fault loses its reference, too", .modelAsIs)
  func faultPartner() throws {
    context.refreshAllObjects()
    work.frame = nil
    try context.save()
    #expect(try stored() == ["The Milkmaid: 0", "1: none"])
  }

  @Test("a refresh without merging gives both ends the partner of the store", .modelAsIs)
  func refreshed() throws {
    let other = Frame(context: context)
    try context.save()
    work.frame = other
    try context.refresh(work, mergeChanges: false)
    #expect(work.frame === frame && frame.work === work && other.work == nil)
    #expect(context.graphProblems == [])
    try context.save()
    #expect(try stored() == ["The Milkmaid: 1", "1: The Milkmaid", "2: none"])
  }

  @Test("a refresh that undoes a deletion gives both ends the partner of the store", .modelAsIs)
  func refreshedDeletion() throws {
    context.delete(frame)
    #expect(work.frame == nil)
    try context.refresh(frame, mergeChanges: false)
    #expect(work.frame === frame && frame.work === work)
    #expect(context.graphProblems == [])
    try context.save()
    #expect(try stored() == ["The Milkmaid: 1", "1: The Milkmaid"])
  }

  @Test("a cascade to a partner reports no lost change")
  func cascade() throws {
    var reports: [String] = []
    context.readFailureHandler = { reports.append("\($0.code)") }
    context.delete(work)
    try context.save()
    #expect(reports == [])
    #expect(try stored() == [])
  }
}

@Suite("Cohorts of many small fetches")
struct CohortSweepTests {
  @Test(
    "the more objects a context has, the more cohorts come before the next sweep looks at them",
    .modelAsIs)
  func threshold() throws {
    let context = try TestStore(.memory).gallery().makeContext()
    let works = (0..<3200).map { Work(context: context, title: "\($0)") }
    try context.save()
    var cohorts = Cohorts()
    func addUntilDue() -> Int {
      var count = 0
      while !cohorts.isSweepDue {
        _ = cohorts.add(Cohort(keys: [1, 2], size: 100))
        count += 1
      }
      return count
    }
    #expect(addUntilDue() == 64)
    cohorts.sweep(context.state.maps)
    #expect(addUntilDue() == 200)
    withExtendedLifetime(works) {}
  }
}

@Suite("Members that other contexts change")
struct ForeignMemberTests {
  @Test(
    "a count of unread members is the number of those that are read then", arguments: bothStores)
  func counts(_ kind: StoreKind) throws {
    for isMoved in [true, false] {
      let container = try TestStore(kind).gallery()
      let first = container.makeContext()
      let artist = Artist(context: first, name: "Jan")
      let work = Work(context: first, title: "The Milkmaid")
      if !isMoved { work.artist = artist }
      try first.save()
      first.reset()
      let read = try #require(try first.fetch(Work.self).first)
      let owner = try #require(try first.fetch(Artist.self).first)
      let second = container.makeContext()
      let other = try #require(try second.fetch(Work.self).first)
      other.artist = isMoved ? try second.fetch(Artist.self).first : nil
      try second.save()
      read.artist = isMoved ? owner : nil
      let count = owner.works.count
      #expect(count == Array(owner.works).count)
      #expect(count == (isMoved ? 1 : 0))
    }
  }

  @Test(
    "an object that is looked up by its id is among the members of its owner", arguments: bothStores
  )
  func lookedUp(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let first = container.makeContext()
    let artist = Artist(context: first, name: "Jan")
    try first.save()
    #expect(Array(artist.works).isEmpty)
    let second = container.makeContext()
    let work = Work(context: second, title: "The Milkmaid")
    work.artist = try second.fetch(Artist.self).first
    try second.save()
    let found = try first.existingObject(with: work.objectID, as: Work.self)
    #expect(found.artist === artist && Array(artist.works) == [found] && artist.works.count == 1)
  }

  @Test("remove of an object of another entity does nothing", .modelAsIs, arguments: bothStores)
  func otherEntity(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.depot, transformers: [])
    let context = container.makeContext()
    let book = Book(context: context, name: "A")
    let binder = Binder(context: context, name: "B")
    let sheet = Sheet(context: context, number: 1)
    book.plates.insert(sheet)
    try context.save()
    #expect(binder.objectID.key == sheet.objectID.key)
    let plates = try #require(try book.value(of: "plates", as: OrderedToMany<ManagedObject>.self))
    plates.remove(binder)
    try context.save()
    #expect(Array(book.plates) == [sheet] && !context.hasChanges)
    #expect(try container.reading { try $0.fetch(Book.self).first?.plates.count } == 1)
  }
}
