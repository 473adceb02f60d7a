import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Relationships with a family")
struct FamilyRelationshipTests {
  /// Exhibits with a cover of another class each, and attachments of every class.
  private static func container(_ test: TestStore, exhibits count: Int = 6) throws
    -> PersistentContainer
  {
    let container = try test.container(.archive)
    let context = container.makeContext()
    for number in 0..<count {
      let exhibit = Exhibit(context: context, title: "\(number)")
      let covers: [Media] = [
        Photo(context: context, name: "photo \(number)", width: 1),
        Portrait(context: context, name: "portrait \(number)", width: 2),
        Video(context: context, name: "video \(number)", seconds: 3),
      ]
      exhibit.cover = covers[number % 3]
      exhibit.portrait = covers[1] as? Portrait
      exhibit.attachments.replaceAll(
        with: covers + [
          Memo(context: context, name: "memo \(number)", text: "See page \(number)"),
          Link(context: context, name: "link \(number)", address: "https://example.org/\(number)"),
        ])
      for retouch in 0..<2 {
        exhibit.portrait?.retouches.insert(Retouch(context: context, number: Int64(retouch)))
      }
    }
    try context.save()
    _ = test.recorder.take()
    return container
  }

  private static let classes = ["Photo", "Portrait", "Video", "Memo", "Link"]

  private static func names<T: ManagedObject>(_ objects: some Sequence<T>) -> [String] {
    objects.map { "\(type(of: $0))" }
  }

  @Test("a to-many relationship to a parent has the objects of each class, in their order")
  func toMany() throws {
    let test = try TestStore()
    let context = try Self.container(test).makeContext()
    let exhibits = try context.fetch(Exhibit.self)
    for exhibit in exhibits { #expect(Self.names(exhibit.attachments) == Self.classes) }
    // One for the exhibits, and one for the attachments of all.
    #expect(test.recorder.take().count == 2)
    let portrait = try #require(exhibits[0].attachments[1] as? Portrait)
    #expect(portrait.width == 2 && portrait.exhibits.map(\.title) == ["0"])
    #expect(portrait.exhibit === exhibits[0])
  }

  @Test("the class of a to-one relationship is that of the row, which is read with its neighbors")
  func toOne() throws {
    let test = try TestStore()
    let context = try Self.container(test).makeContext()
    let exhibits = try context.fetch(Exhibit.self)
    let covers = exhibits.compactMap(\.cover)
    #expect(test.recorder.take().count == 2)
    #expect(Self.names(covers) == ["Photo", "Portrait", "Video", "Photo", "Portrait", "Video"])
    #expect(covers.map(\.name).first == "photo 0" && covers.allSatisfy { !$0.isFault })
    // An entity without subentities needs no statement before a value is read.
    #expect(exhibits.compactMap(\.portrait).count == 6)
    #expect(test.recorder.take() == [])
  }

  @Test(
    "an object by id has the class of its row, whatever the name in the id", arguments: bothStores)
  func byID(_ kind: StoreKind) throws {
    let test = try TestStore(kind)
    let container = try Self.container(test)
    let ids = try container.makeContext().fetchIDs(Attachment.self)
    #expect(Set(ids.map(\.entityName)) == ["Attachment"])
    let context = container.makeContext()
    let photo = try context.object(with: ids[0])
    #expect(photo is Photo && photo.objectID == ids[0] && photo.objectID.entityName == "Photo")
    #expect(try context.existingObject(with: ids[0], as: Media.self) === photo)
    #expect(try context.existingObject(with: ids[1], as: Photo.self) is Portrait)
    let error = #expect(throws: PersistenceError.self) {
      try context.existingObject(with: ids[0], as: Memo.self)
    }
    #expect(error?.code == .wrongClass)
    _ = test.recorder.take()
    #expect(try Self.names(context.objects(with: ids).prefix(5)).sorted() == Self.classes.sorted())
    #expect(test.recorder.take().count == (kind == .sqlite ? 1 : 0))
    let read = try #require(ManagedObjectID(uri: photo.objectID.description))
    #expect(try context.object(with: read) === photo)
    let missing = ManagedObjectID(
      store: container.storeIdentifier, entityName: "Attachment", key: 1000)
    #expect(try context.object(with: missing).isMissingInStore)
    #expect(throws: PersistenceError.self) { try context.existingObject(with: missing) }
  }

  @Test("members that the context has released have their classes again", arguments: bothStores)
  func released(_ kind: StoreKind) throws {
    let context = try Self.container(try TestStore(kind)).makeContext()
    let exhibit = try #require(try context.fetch(Exhibit.self).first)
    #expect(Self.names(exhibit.attachments) == Self.classes)
    context.state.sweep()
    #expect(Self.names(exhibit.attachments) == Self.classes)
    #expect(exhibit.cover is Photo)
  }

  @Test("a fetch of the parent reads what the model prefetches for a subentity")
  func prefetch() throws {
    let test = try TestStore()
    let context = try Self.container(test).makeContext()
    let attachments = try context.fetch(Attachment.self)
    #expect(attachments.count == 30)
    #expect(test.recorder.take().count == 2)
    for case let portrait as Portrait in attachments {
      #expect(portrait.retouches.map(\.number).sorted() == [0, 1])
    }
    #expect(test.recorder.take() == [])
    let exhibits = try context.fetch(
      Exhibit.fetchRequest().prefetching(\.cover, \.attachments, \.portrait.retouches))
    _ = test.recorder.take()
    #expect(exhibits.flatMap { Array($0.attachments) }.count == 30)
    #expect(exhibits.compactMap(\.cover).count == 6)
    #expect(test.recorder.take() == [])
  }

  @Test("delete rules hold for relationships of each generation", arguments: bothStores)
  func deletion(_ kind: StoreKind) throws {
    let container = try Self.container(try TestStore(kind))
    let context = container.makeContext()
    let exhibits = try context.fetch(Exhibit.self)
    // The cascade of a subentity, and the references of others to it.
    let portrait = try #require(exhibits[1].portrait)
    #expect(exhibits[1].cover === portrait)
    context.delete(portrait)
    #expect(exhibits[1].cover == nil && exhibits[1].portrait == nil)
    #expect(Self.names(exhibits[1].attachments) == ["Photo", "Video", "Memo", "Link"])
    try context.save()
    #expect(try context.count(Retouch.self) == 10)
    // The cascade to objects of every class.
    context.delete(exhibits[0])
    try context.save()
    #expect(try context.count(Attachment.self) == 24)
    #expect(try container.makeContext().fetch(Attachment.self).count == 24)
    #expect(try container.check().isEmpty)
    context.delete(exhibits[2])
    context.rollback()
    #expect(Self.names(exhibits[2].attachments) == Self.classes && exhibits[2].cover is Video)
  }

  @Test("a copy has the classes and the inherited values of what it copies", arguments: bothStores)
  func copies(_ kind: StoreKind) throws {
    let context = try Self.container(try TestStore(kind), exhibits: 1).makeContext()
    let exhibit = try #require(try context.fetch(Exhibit.self).first)
    for case let link as Link in exhibit.attachments { context.delete(link) }
    try context.save()
    let copy = try context.copy(of: exhibit)
    try context.save()
    #expect(Self.names(copy.attachments) == ["Photo", "Portrait", "Video", "Memo"])
    #expect(copy.attachments.map(\.name) == exhibit.attachments.map(\.name))
    #expect((copy.attachments[1] as? Portrait)?.width == 2)
    #expect((copy.attachments[1] as? Portrait)?.retouches.count == 2)
  }

  @Test("many-to-many links join objects of different classes", arguments: bothStores)
  func links(_ kind: StoreKind) throws {
    let container = try Self.container(try TestStore(kind))
    let context = container.makeContext()
    let media = try context.fetch(Media.self)
    media[0].similar.replaceAll(with: [media[1], media[2], media[5]])
    try context.save()
    let fresh = container.makeContext()
    let read = try fresh.fetch(Media.self)
    #expect(Set(Self.names(read[0].similar)) == ["Portrait", "Video"])
    #expect(read[5].similar.map(\.objectID) == [media[0].objectID])
    fresh.delete(read[0])
    try fresh.save()
    #expect(try fresh.fetch(Media.self).allSatisfy { $0.similar.count == 0 })
  }

  @Test("a key is not used again for an object of another entity", arguments: bothStores)
  func keys(_ kind: StoreKind) throws {
    let container = try Self.container(try TestStore(kind))
    let context = container.makeContext()
    let last = try #require(try context.fetch(Attachment.self).last)
    let key = last.objectID.key
    context.delete(last)
    try context.save()
    let memo = Memo(context: context, name: "memo", text: "new")
    try context.save()
    #expect(memo.objectID.key > key)
  }

  @Test("a change by another context is a conflict, with whatever class it was fetched")
  func locking() throws {
    let container = try Self.container(try TestStore())
    let (mine, other) = (container.makeContext(), container.makeContext())
    let attachment = try #require(try mine.fetch(Attachment.self).first)
    let photo = try #require(try other.fetch(Photo.self).first)
    #expect(attachment.objectID == photo.objectID)
    photo.width = 7
    try other.save()
    attachment.name = "mine"
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.conflict])
    try mine.refresh(attachment, mergeChanges: true)
    try mine.save()
    #expect((attachment as? Photo)?.width == 7 && attachment.name == "mine")
  }

  @Test("an object whose entity another program has changed is missing, and its row has its class")
  func changedEntity() throws {
    let test = try TestStore()
    let container = try Self.container(test)
    let context = container.makeContext()
    let photo = try #require(try context.fetch(Photo.self).first)
    let key = photo.objectID.key
    #expect(
      try test.sqlite3(
        """
        UPDATE Attachment SET copal_entity = 'Memo', text = 'now', copal_version = 2 \
        WHERE copal_id = \(key)
        """) == "")
    let memos = try context.fetch(Memo.self)
    #expect(Self.names(memos).allSatisfy { $0 == "Memo" })
    let memo = try #require(memos.first { $0.objectID.key == key })
    #expect(memo.text == "now" && photo.isMissingInStore)
    #expect(try context.fetch(Photo.self).allSatisfy { $0 !== photo })
    // A fault, which another program changes before it is read.
    let link = try #require(try context.fetch(Link.self).first)
    try context.refresh(link, mergeChanges: false)
    context.refreshAllObjects()
    #expect(
      try test.sqlite3(
        "UPDATE Attachment SET copal_entity = 'Memo' WHERE copal_id = \(link.objectID.key)") == "")
    #expect(link.address == "" && link.isMissingInStore)
    // A name that the model does not have is an error of that object alone.
    #expect(
      try test.sqlite3("UPDATE Attachment SET copal_entity = 'Brush' WHERE copal_id = \(key + 1)")
        == "")
    let fresh = container.makeContext()
    let all = try fresh.fetch(Attachment.self)
    #expect(all.count == 30)
    #expect(all.filter { type(of: $0) == Attachment.self }.map(\.objectID.key) == [key + 1])
    #expect(test.takeReadFailures().count <= 2)
  }

  @Test("a family has 32 generations", arguments: bothStores)
  func generations(_ kind: StoreKind) throws {
    let entities = (0...32).map { number in
      let parent = number == 0 ? "" : #""parent": "E\#(number - 1)","#
      return #""E\#(number)": { \#(parent) "attributes": { "a\#(number)": "integer64?" } }"#
    }
    let json = """
      { "copal": 1, "model": "Deep", "entities": { \(entities.joined(separator: ", ")) } }
      """
    let test = try TestStore(kind)
    let container = try test.container(ModelBinding(name: "Deep", json: json, classes: []))
    let context = container.makeContext()
    for number in stride(from: 32, through: 0, by: -1) {
      let object = try context.insert("E\(number)")
      for name in 0...number { try object.setValue(Int64(name), forKey: "a\(name)") }
    }
    try context.save()
    _ = test.recorder.take()
    let fresh = container.makeContext()
    let all = try fresh.fetch(FetchRequest<ManagedObject>(entityName: "E0"))
    let reads = test.recorder.take().filter { $0.hasPrefix(#"SELECT "copal_id""#) }
    #expect(reads.count == (kind == .sqlite ? 1 : 0))
    #expect(all.map(\.entityName) == (0...32).reversed().map { "E\($0)" })
    for (position, object) in all.enumerated() {
      let last = 32 - position
      #expect(try object.value(of: "a\(last)", as: Int64.self) == Int64(last))
      #expect(try object.value(of: "a0", as: Int64.self) == 0)
    }
    let deep = FetchExpression.subentityProperty(entity: "E32", property: "a31")
    let request = FetchRequest<ManagedObject>(
      entityName: "E0", predicate: .comparison(deep, .equal, .constant(31)))
    #expect(try fresh.fetch(request).map(\.entityName) == ["E32"])
  }
}

@Suite("The statements of fetches of a subentity")
struct SubentityStatementTests {
  /// 3,400 photos, memos and links each, in turns.
  private static func context(_ test: TestStore) throws -> ManagedObjectContext {
    let container = try test.container(.archive)
    let context = container.makeContext()
    for number in 0..<3400 {
      _ = Photo(context: context, name: "\(number)", width: 1)
      _ = Memo(context: context, name: "\(number)", text: "")
      _ = Link(context: context, name: "\(number)", address: "\(number)")
    }
    try context.save()
    let fresh = container.makeContext()
    _ = try fresh.count(Exhibit.self)
    _ = test.recorder.take()
    return fresh
  }

  @Test("rows in turns are read by key, and a limit or an indexed attribute uses its index")
  func statements() throws {
    let test = try TestStore()
    let context = try Self.context(test)
    func sql(_ found: Int, _ body: () throws -> [ManagedObject]) throws -> String {
      _ = test.recorder.take()
      let objects = try body()
      #expect(objects.count == found)
      let all = test.recorder.take().filter { $0.contains("\"copal_version\"") }
      return all.joined().components(separatedBy: " FROM ").last ?? ""
    }
    #expect(
      try sql(3400) { try context.fetch(Memo.self) }
        == #""Attachment" NOT INDEXED WHERE "copal_entity" = 'Memo' ORDER BY "copal_id""#)
    // Two entities.
    #expect(
      try sql(3400) { try context.fetch(Photo.self) }
        == #""Attachment" NOT INDEXED WHERE "copal_entity" IN ('Photo', 'Portrait') ORDER BY "copal_id""#
    )
    #expect(
      try sql(3) { try context.fetch(Memo.self, limit: 3) }
        == #""Attachment" WHERE "copal_entity" = 'Memo' ORDER BY "copal_id" LIMIT ?"#)
    #expect(
      try sql(1) { try context.fetch(Link.self) { $0.address == "7" } }
        == #""Attachment" WHERE +"copal_entity" = 'Link' AND "address" = ? ORDER BY "copal_id""#)
    // No row: the index of entities.
    #expect(
      try sql(0) { try context.fetch(Video.self) }
        == #""Attachment" WHERE "copal_entity" = 'Video' ORDER BY "copal_id""#)
    let plan = try test.sqlite3(
      """
      EXPLAIN QUERY PLAN SELECT "name" FROM "Attachment" WHERE +"copal_entity" = 'Link' \
      AND "address" = '7'
      """)
    #expect(plan.contains("(address=?)"), "\(plan)")
  }
}
