import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// What another program can do to the rows of a family: it changes the entity of a row, and it lets
/// a reference lead to a row of an entity that the relationship cannot have.
@Suite("Rows of a family whose entity is not the expected one")
struct WrongKindTests {
  private let test: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  /// An exhibit with a photo, a portrait and a memo, which have the keys 1 to 3.
  init() throws {
    test = try TestStore()
    container = try test.container(.archive)
    let writer = container.makeContext()
    let exhibit = Exhibit(context: writer, title: "View of Delft")
    let photo = Photo(context: writer, name: "photo", width: 1)
    let portrait = Portrait(context: writer, name: "portrait", width: 2)
    let memo = Memo(context: writer, name: "memo", text: "See page 1")
    exhibit.attachments.replaceAll(with: [photo, portrait, memo])
    exhibit.portrait = portrait
    exhibit.cover = photo
    try writer.save()
    context = container.makeContext()
  }

  private func run(_ sql: String) throws { #expect(try test.sqlite3(sql) == "") }

  private func turnIntoMemo(_ key: Int64) throws {
    try run(
      """
      UPDATE Attachment SET copal_entity = 'Memo', text = 'now', bytes = NULL, \
      copal_version = copal_version + 1 WHERE copal_id = \(key)
      """)
  }

  private var exhibit: Exhibit {
    get throws { try #require(try context.fetch(Exhibit.self).first) }
  }

  // MARK: References

  @Test(
    "a reference to a row of another kind reads nil, is reported once, and leaves the object of that row alone",
    arguments: ["portrait", "cover"])
  func reference(_ name: String) throws {
    try run("UPDATE Exhibit SET \(name) = 3")
    let memo = try #require(try context.fetch(Memo.self).first)
    memo.text = "Changed"
    let exhibit = try exhibit
    for _ in 0..<2 { #expect(exhibit.portrait == nil || name == "cover") }
    for _ in 0..<2 { #expect(exhibit.cover == nil || name == "portrait") }
    let reports = test.takeReadFailures()
    #expect(reports.map(\.code) == [.danglingReference])
    #expect(reports.map(\.property) == [name])
    #expect(reports.map(\.otherID) == [memo.objectID])
    let error = #expect(throws: PersistenceError.self) { try exhibit.value(forKey: name) }
    #expect(error?.code == .danglingReference)
    #expect(try context.fetch(Memo.self) == [memo] && !memo.isMissingInStore)
    #expect(try context.existingObject(with: memo.objectID) === memo)
    try context.save()
    #expect(memo.text == "Changed")
  }

  @Test(
    "a reference to a row of another kind can be replaced and removed",
    arguments: ["portrait", "cover"], [true, false])
  func replacedReference(_ name: String, _ isRead: Bool) throws {
    try run("UPDATE Exhibit SET \(name) = 3")
    let memo = isRead ? try context.fetch(Memo.self).first : nil
    let portrait = try #require(try context.fetch(Portrait.self).first)
    let exhibit = try exhibit
    try exhibit.setValue(portrait, forKey: name)
    #expect(try exhibit.value(forKey: name) as? Portrait === portrait)
    try context.save()
    #expect(memo?.isMissingInStore != true && memo?.hasChanges != true)
    try run("UPDATE Exhibit SET \(name) = 3")
    context.refreshAllObjects()
    try exhibit.setValue(nil, forKey: name)
    try context.save()
    #expect(try test.sqlite3("SELECT \(name) IS NULL FROM Exhibit") == "1")
  }

  @Test("an object with a reference to a row of another kind can be deleted, prefetched and copied")
  func deletedOwner() throws {
    try run("UPDATE Exhibit SET portrait = 3, cover = 3")
    let memo = try #require(try context.fetch(Memo.self).first)
    let exhibit = try #require(
      try context.fetch(
        Exhibit.fetchRequest().prefetching(\.portrait, \.cover, \.portrait.retouches)
      ).first)
    #expect(exhibit.portrait == nil && exhibit.cover == nil)
    #expect(try context.fetch(Memo.self) == [memo])
    #expect(try context.copy(of: exhibit).portrait == nil)
    context.rollback()
    context.delete(exhibit)
    try context.save()
    #expect(try container.makeContext().count(Attachment.self) == 0)
  }

  // MARK: Entities

  @Test("a fetch of faults knows that an object whose entity has changed is missing")
  func faults() throws {
    let photo = try #require(try context.fetch(Photo.self).first)
    try turnIntoMemo(1)
    var request = Memo.fetchRequest()
    request.returnsObjectsAsFaults = true
    let memos = try context.fetch(request)
    #expect(memos.map(\.objectID.key) == [1, 3] && memos[0].text == "now")
    #expect(photo.isMissingInStore && !memos[0].isMissingInStore)
  }

  @Test("a batch does not replace an object whose entity has changed since its key was read")
  func batches() throws {
    let batches = try context.fetchBatches(Photo.fetchRequest())
    try turnIntoMemo(1)
    let memos = try context.fetch(Memo.self)
    let memo = try #require(memos.first)
    #expect(memo.objectID.key == 1)
    #expect(batches.map(\.isMissingInStore) == [true, false])
    #expect(try context.fetch(Memo.self) == memos)
    #expect(try context.existingObject(with: memo.objectID) === memo && !memo.isMissingInStore)
  }

  @Test("a refused save tells which object is missing, and not the one that has its row now")
  func save() throws {
    let photo = try #require(try context.fetch(Photo.self).first)
    photo.name = "Changed"
    try turnIntoMemo(1)
    let memo = try #require(try context.fetch(Memo.self).first)
    #expect(memo.objectID.key == 1)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.deletedElsewhere])
    #expect(photo.isMissingInStore && !memo.isMissingInStore)
    context.delete(photo)
    memo.text = "kept"
    try context.save()
    #expect(
      try test.sqlite3("SELECT name, text FROM Attachment WHERE copal_id = 1") == "photo|kept")
  }

  @Test("an object with changes whose entity has changed does not hide the one that has its row")
  func pending() throws {
    let photo = try #require(try context.fetch(Photo.self).first)
    photo.name = "Changed"
    let other = Memo(context: context, name: "new", text: "")
    try turnIntoMemo(1)
    #expect(try context.count(Memo.self) == 3)
    #expect(try context.fetchIDs(Memo.self).map(\.key).prefix(2) == [1, 3])
    let memos = try context.fetch(Memo.self)
    #expect(memos.map(\.name) == ["photo", "memo", "new"] && memos[2] === other)
  }

  @Test("a fetch of the family has one object for a row whose entity has changed")
  func replaced() throws {
    let photo = try #require(try context.fetch(Photo.self).first)
    photo.name = "Changed"
    try turnIntoMemo(1)
    let memo = try #require(try context.fetch(Memo.self).first)
    let all = try context.fetch(Attachment.self)
    #expect(all.map(\.objectID.key) == [1, 2, 3] && all.first === memo)
    #expect(try context.count(Attachment.self) == 3)
    #expect(try context.count(Attachment.self) { $0.name == "Changed" } == 0)
    #expect(try context.fetchIDs(Attachment.self).map(\.key) == [1, 2, 3])
    #expect(photo.isMissingInStore && photo.name == "Changed")
  }

  @Test("the members of an object do not have one whose entity has changed")
  func members() throws {
    let json = """
      { "copal": 1, "model": "Albums", "entities": {
        "Album": { "relationships": { "photos": { "type": "[Photo]", "inverse": "album" } } },
        "Item": { "attributes": { "name": "string?" } },
        "Photo": { "parent": "Item", "relationships": {
          "album": { "type": "Album?", "inverse": "photos" } } },
        "Note": { "parent": "Item" } } }
      """
    let test = try TestStore()
    let container = try test.container(ModelBinding(name: "Albums", json: json, classes: []))
    let writer = container.makeContext()
    let album = try writer.insert("Album")
    try album.setValue((1...3).map { _ in try writer.insert("Photo") }, forKey: "photos")
    try writer.save()
    let context = container.makeContext()
    let known = try context.existingObject(with: album.objectID)
    let photos = try #require(try known.value(of: "photos", as: ToMany<ManagedObject>.self))
    #expect(photos.map(\.objectID.key) == [1, 2, 3])
    #expect(
      try test.sqlite3(
        "UPDATE Item SET copal_entity = 'Note', copal_version = 2 WHERE copal_id = 2") == "")
    let notes = try context.fetch(FetchRequest<ManagedObject>(entityName: "Note"))
    #expect(notes.map(\.objectID.key) == [2])
    #expect(photos.map(\.objectID.key) == [1, 3] && photos.count == 2)
    #expect((0..<photos.count).map { photos[$0].objectID.key } == [1, 3])
  }
}

/// Hooks of objects of a family.
@Suite("Hooks of a family")
struct FamilyHookTests {
  @Test("awakeFromFetch is not called for an object whose entity has changed")
  func missing() throws {
    let test = try TestStore()
    let container = try test.container(.family)
    let writer = container.makeContext()
    for name in ["Rosa", "Jan", "Berthe", "Paula"] { _ = Artisan(context: writer, name: name) }
    try writer.save()
    let context = container.makeContext()
    let people = try context.fetch(Artisan.self)
    #expect(people.map(\.fetchCount) == [1, 1, 1, 1])
    context.refreshAllObjects()
    #expect(try test.sqlite3("UPDATE Person SET copal_entity = 'Person' WHERE copal_id < 4") == "")
    // Each in another way: one alone, with its neighbors, and together.
    #expect(throws: PersistenceError.self) {
      try context.refresh(people[0], mergeChanges: true)
    }
    #expect(people[1].name == "" && people[3].name == "Paula")
    #expect(throws: PersistenceError.self) { try context.fulfill(people) }
    #expect(people.map(\.isMissingInStore) == [true, true, true, false])
    #expect(people.map(\.fetchCount) == [1, 1, 1, 2])
    _ = test.takeReadFailures()
  }

  @Test("awakeFromFetch is called for neighbors of an object whose row is gone, or cannot be read")
  func neighbors() throws {
    let test = try TestStore()
    let container = try test.container(.family)
    let writer = container.makeContext()
    for name in ["Rosa", "Jan", "Berthe", "Paula"] { _ = Artisan(context: writer, name: name) }
    try writer.save()
    var request = Artisan.fetchRequest()
    request.includesSubentities = false
    request.returnsObjectsAsFaults = true
    let contexts = [container.makeContext(), container.makeContext()]
    let first = try contexts[0].fetch(request)
    let second = try contexts[1].fetch(request)
    #expect(try test.sqlite3("DELETE FROM Person WHERE copal_id = 1") == "")
    #expect(first[0].name == "" && first[0].isMissingInStore)
    #expect(first.map(\.fetchCount) == [0, 1, 1, 1])
    #expect(try test.sqlite3("UPDATE Person SET copal_version = 'x' WHERE copal_id = 2") == "")
    #expect(second[1].name == "")
    #expect(second.map(\.fetchCount) == [0, 0, 1, 1])
    #expect(test.takeReadFailures().map(\.code) == [.objectMissing, .typeMismatch])
    // A release build would release the contexts after the last use.
    withExtendedLifetime(contexts) {}
  }

  @Test(
    "all objects become faults once, whatever the number of entities in their table",
    arguments: bothStores)
  func refreshAll(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.family).makeContext()
    let people = [
      Person(context: context, name: "Jan"), Artisan(context: context, name: "Berthe"),
      Restorer(context: context, name: "Paula", rate: 1),
    ]
    try context.save()
    for person in people { person.isReadAgain = true }
    context.refreshAllObjects()
    #expect(people.map(\.faultCount) == [1, 1, 1])
    #expect(people.map(\.name) == ["Jan", "Berthe", "Paula"])
  }
}

@Suite("Unique values in a family")
struct FamilyUniqueValueTests {
  private static let json = """
    { "copal": 1, "model": "Stock", "entities": {
      "Item": { "attributes": { "code": "string" }, "unique": ["code"] },
      "Book": { "parent": "Item", "attributes": { "isbn": "string" }, "unique": ["isbn"] },
      "Novel": { "parent": "Book", "attributes": { "shelf": "integer32?", "place": "integer32?" },
        "unique": [["shelf", "place"]] },
      "Film": { "parent": "Item", "attributes": { "isan": "string" },
        "unique": ["isan", ["code", "isan"]] } } }
    """

  private static func container(_ test: TestStore) throws -> PersistentContainer {
    try test.container(ModelBinding(name: "Stock", json: json, classes: []))
  }

  private static func insert(
    _ context: ManagedObjectContext, _ entity: String, _ values: [String: Any]
  ) throws -> ManagedObject {
    let object = try context.insert(entity)
    for (name, value) in values { try object.setValue(value, forKey: name) }
    return object
  }

  @Test(
    "objects of different entities swap values, reuse those of deleted ones, and keep their own",
    arguments: bothStores)
  func swaps(_ kind: StoreKind) throws {
    let context = try Self.container(try TestStore(kind)).makeContext()
    let insert = { try Self.insert(context, $0, $1) }
    let item = try insert("Item", ["code": "a"])
    let book = try insert("Book", ["code": "b", "isbn": "1"])
    let novel = try insert("Novel", ["code": "c", "isbn": "2", "shelf": 1, "place": 1])
    // Values of constraints beside each other do not collide.
    let film = try insert("Film", ["code": "d", "isan": "1"])
    try context.save()
    try item.setValue("b", forKey: "code")
    try book.setValue("c", forKey: "code")
    try novel.setValue("d", forKey: "code")
    try film.setValue("a", forKey: "code")
    try book.setValue("2", forKey: "isbn")
    try novel.setValue("1", forKey: "isbn")
    try context.save()
    context.delete(novel)
    let other = try insert("Book", ["code": "d", "isbn": "1"])
    try context.save()
    #expect(
      try [item, book, other, film].map { try $0.value(of: "code") } == ["b", "c", "d", "a"])
  }

  @Test(
    "two objects of different entities with one value are a conflict, in one save and in two",
    arguments: bothStores)
  func conflicts(_ kind: StoreKind) throws {
    let container = try Self.container(try TestStore(kind))
    let context = container.makeContext()
    let insert = { try Self.insert(context, $0, $1) }
    func causes() -> [String] {
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      return (error?.causes ?? []).compactMap { $0 as? PersistenceError }
        .map { "\($0.entity ?? "").\($0.property ?? "") \($0.code)" }
    }
    let book = try insert("Book", ["code": "a", "isbn": "1"])
    let novel = try insert("Novel", ["code": "b", "isbn": "1"])
    #expect(causes() == ["Novel.isbn save.uniqueConflict"])
    try novel.setValue("2", forKey: "isbn")
    try context.save()
    let film = try insert("Film", ["code": "a", "isan": "1"])
    #expect(causes() == ["Film.code save.uniqueConflict"])
    try film.setValue("f", forKey: "code")
    try novel.setValue("a", forKey: "code")
    try novel.setValue("1", forKey: "isbn")
    #expect(
      Set(causes()) == ["Novel.code save.uniqueConflict", "Novel.isbn save.uniqueConflict"])
    context.delete(book)
    try context.save()
    #expect(try container.makeContext().count(FetchRequest<ManagedObject>(entityName: "Item")) == 2)
  }
}
