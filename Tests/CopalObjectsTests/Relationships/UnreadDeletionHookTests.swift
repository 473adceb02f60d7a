import CopalTestSupport
import Foundation
import Testing

@testable import Copal
@testable import CopalObjects

extension UnreadPages {
  /// Moves a page to an album in another context.
  fileprivate func move(_ number: Int64, to name: String) throws {
    try elsewhere(number) { other, page in
      page.album = try other.fetch(Album.self) { $0.name == name }.first
    }
  }
}

@Suite("Rows that a cascade deletes without reading them, with hooks, failures and other contexts")
struct UnreadDeletionHookTests {
  @Test("batches that were fetched before the deletion have deleted objects", arguments: bothStores)
  func earlierBatches(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind, albums: 3)
    let batches = try pages.context.fetchBatches(
      FetchRequest<Page>(sortKeys: [FetchSortKey("number")]), size: 2)
    pages.context.delete(pages.albums[0])
    #expect(batches.filter(\.isDeleted).map(\.number) == [0, 1, 2])
    #expect(batches.filter { !$0.isDeleted }.allSatisfy { $0.album != nil })
    #expect(
      pages.context.deletedObjects.isSuperset(of: batches.prefix(3).map { $0 as ManagedObject }))
    try pages.context.save()
    #expect(try pages.stored() == [3, 4, 5, 6, 7, 8])
  }

  @Test(
    "an object that another context has moved, and that another relationship still has, is deleted",
    .modelAsIs,
    arguments: bothStores)
  func otherList(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind, albums: 3)
    let context = pages.container.makeContext()
    // No neighbors, so that the pages of one album are read.
    let albums = try pages.albums.map {
      try context.existingObject(with: $0.objectID, as: Album.self)
    }
    #expect(albums[1].pages.map(\.number) == [3, 4, 5])
    context.state.sweep()
    try pages.move(3, to: "0")
    context.delete(albums[0])
    #expect(!context.state.unreadDeletions.isEmpty)
    let all = Array(albums[1].pages)
    #expect(all.filter { !$0.isDeleted }.map(\.number) == [4, 5])
    let deleted = context.deletedObjects
    #expect(deleted.count == 5 && all.allSatisfy { deleted.contains($0) == $0.isDeleted })
    try context.save()
    #expect(try pages.stored() == [4, 5, 6, 7, 8])
  }

  @Test(
    "the temporary ids of the objects are forgotten by the save", .modelAsIs, arguments: bothStores)
  func temporaryIDs(_ kind: StoreKind) throws {
    let context = try TestStore(kind).catalog().makeContext()
    func add() throws -> [ManagedObjectID] {
      let album = Album(context: context, name: "a")
      let ids = (0..<3 as Range<Int64>).map { number in
        let page = Page(context: context, number: number)
        page.album = album
        return page.objectID
      }
      try context.save()
      return ids
    }
    let ids = try add()
    context.state.sweep()
    context.delete(try #require(try context.fetch(Album.self).first))
    #expect(!context.state.unreadDeletions.isEmpty)
    try context.save()
    for id in ids {
      let error = #expect(throws: PersistenceError.self) { try context.object(with: id) }
      #expect(error?.code == .objectUnsaved)
    }
    #expect(context.state.temporaryKeys.runCount == 0)
  }

  @Test("an object that moves between two deleted owners is a conflict once", arguments: bothStores)
  func movedBetweenOwners(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind, albums: 3)
    pages.context.delete(pages.albums[0])
    try pages.move(1, to: "1")
    pages.context.delete(pages.albums[1])
    let error = try #require(throws: PersistenceError.self) { try pages.context.save() }
    #expect(error.causeCodes == [.conflict])
    let deleted = pages.context.deletedObjects.compactMap { $0 as? Page }
    #expect(deleted.map(\.number).sorted() == [0, 1, 2, 3, 4, 5])
    for page in deleted { try pages.context.refresh(page, mergeChanges: true) }
    try pages.context.save()
    #expect(try pages.stored() == [6, 7, 8])
  }

  @Test("a row that another program moves between two deleted owners is deleted once")
  func movedByAnotherProgram() throws {
    let pages = try UnreadPages(.sqlite, albums: 3)
    pages.context.delete(pages.albums[0])
    _ = try pages.test.sqlite3(
      "UPDATE Page SET album = (SELECT copal_id FROM Album WHERE name = '1') WHERE number = 1")
    pages.context.delete(pages.albums[1])
    try pages.context.save()
    #expect(try pages.stored() == [6, 7, 8])
  }

  /// What a save checks in objects when a refresh has undone the deletion of their owner.
  enum Rule: String, CaseIterable, Sendable {
    case deny = #""pages": { "type": "[Page]", "inverse": "album", "delete": "cascade" } } }"#
    case minimum =
      #""pages": { "type": "[Page]", "inverse": "album", "delete": "cascade", "minimum": 1 } } }"#

    var model: ModelBinding {
      get throws {
        ModelBinding(
          try ManagedObjectModel(
            json: """
              { "copal": 1, "model": "Rules", "entities": {
                "Album": { "relationships": { \(rawValue),
                "Page": { "relationships": { "album": { "type": "Album?",
                  \(self == .deny ? #""delete": "deny", "# : "") "inverse": "pages" } } } } }
              """, file: "Rules.model.json"))
      }
    }

    var code: PersistenceError.Code { self == .deny ? .deletionDenied : .tooFewObjects }
  }

  @Test(
    "the rules of the objects hold when a refresh undoes the deletion of their owner",
    arguments: bothStores, Rule.allCases)
  func rules(_ kind: StoreKind, _ rule: Rule) throws {
    let container = try TestStore(kind).container(rule.model, transformers: [])
    let writer = container.makeContext()
    let album = try writer.insert("Album")
    for _ in 0..<2 { try writer.insert("Page").setValue(album, forKey: "album") }
    try writer.save()
    let context = container.makeContext()
    let found = try context.existingObject(with: album.objectID)
    context.delete(found)
    try context.refresh(found, mergeChanges: false)
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(Set(error.causeCodes) == [rule.code])
    let pages = FetchRequest<ManagedObject>(entityName: "Page")
    #expect(try container.reading { try $0.count(pages) } == 2)
  }

  @Test(
    "a context that is dropped with unread deletions is released", .modelAsIs, arguments: bothStores
  )
  func released(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind, albums: 3)
    weak var state: ContextState?
    weak var core: ContextCore?
    do {
      let context = pages.container.makeContext()
      (state, core) = (context.state, context.core)
      for album in try context.fetch(Album.self) { context.delete(album) }
      #expect(!context.state.unreadDeletions.isEmpty)
    }
    #expect(state == nil && core == nil)
    #expect(try pages.stored().count == 9)
  }

  @Test("a read that fails leaves the rows deleted")
  func outage() throws {
    let outage = Outage()
    let container = try PersistentContainer(
      model: .catalog, store: outage.configuration, transformers: [])
    try container.reading { context in
      let album = Album(context: context, name: "a")
      for number in 0..<5 as Range<Int64> { Page(context: context, number: number).album = album }
      try context.save()
    }
    let context = container.makeContext()
    var failures: [PersistenceError.Code] = []
    context.readFailureHandler = { failures.append($0.code) }
    let batches = try context.fetchBatches(Page.fetchRequest(), size: 2)
    let album = try #require(try context.fetch(Album.self).first)
    context.delete(album)
    outage.isDown = true
    #expect(throws: PersistenceError.self) { try context.fetch(Page.self) }
    #expect(throws: PersistenceError.self) { try context.count(Page.self) }
    #expect(throws: PersistenceError.self) { try context.save() }
    let page = batches[0]
    #expect(context.deletedObjects == [album])
    #expect(failures == [.inputOutput, .inputOutput])
    outage.isDown = false
    #expect(try context.count(Page.self) == 0)
    #expect(page.isDeleted && page.number == 0)
    #expect(context.deletedObjects.count == 6 && context.deletedObjects.contains(page))
    try context.save()
    #expect(try container.reading { try $0.count(Page.self) } == 0)
  }

  /// What the hook of another object does in the middle of a save that deletes the pieces of a
  /// load.
  enum Act: String, CaseIterable, Sendable {
    case count, fetch, deletedObjects, delete, rollback
  }

  @Test(
    "hooks of other objects may look and delete", .modelAsIs, arguments: bothStores, Act.allCases)
  func hooks(_ kind: StoreKind, _ act: Act) throws {
    let container = try TestStore(kind).container(.depot, transformers: [])
    try container.reading { context in
      for number in 1...2 as ClosedRange<Int64> {
        let box = Box(context: context, number: number)
        box.load = Load(context: context, number: number)
        for _ in 0..<3 { Piece(context: context, number: number).box = box }
      }
      try context.save()
    }
    let context = container.makeContext()
    let loads = try context.fetch(Load.self, sortedBy: \.number.ascending)
    let first = loads[0]
    context.delete(loads[1])
    #expect(!context.state.unreadDeletions.isEmpty)
    first.number = 7
    first.onValidate = { throw CancellationError() }
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(!context.state.unreadDeletions.isEmpty)
    first.onValidate = {}
    first.onWillSave = {
      switch act {
      case .count: #expect((try? context.count(Piece.self)) == 3)
      case .fetch: #expect((try? context.fetch(Piece.self))?.map(\.number) == [1, 1, 1])
      case .deletedObjects: #expect(context.deletedObjects.count == 5)
      case .delete: context.delete(first)
      case .rollback: context.rollback()
      }
    }
    try context.save()
    let left = try container.reading { try $0.count(Piece.self) }
    #expect(left == (act == .delete ? 0 : act == .rollback ? 6 : 3))
    #expect(!context.hasChanges && context.graphProblems == [])
  }

  @Test(
    "a transformer may look, delete, and insert an object with the unique value of a deleted row",
    arguments: bothStores, ["look", "delete", "insert"])
  func transformers(_ kind: StoreKind, _ act: String) throws {
    let transformer = ActingTransformer()
    let model = try ManagedObjectModel(
      json: """
        { "copal": 1, "model": "Acts", "entities": {
          "Note": { "attributes": { "text": {
            "type": "transformable?", "transformer": "Acting", "class": "String" } } },
          "Album": { "relationships": {
            "pages": { "type": "[Page]", "inverse": "album", "delete": "cascade" } } },
          "Page": { "attributes": { "code": "integer64?" }, "unique": ["code"], "relationships": {
            "album": { "type": "Album?", "inverse": "pages" } } } } }
        """, file: "Acts.model.json")
    let container = try TestStore(kind).container(ModelBinding(model), transformers: [transformer])
    let writer = container.makeContext()
    let albums = try (0..<2).map { _ in try writer.insert("Album") }
    for number in 0..<6 {
      let page = try writer.insert("Page")
      try page.setValue(Int64(number), forKey: "code")
      try page.setValue(albums[number / 3], forKey: "album")
    }
    try writer.save()
    let context = container.makeContext()
    try context.insert("Note").setValue("a", forKey: "text")
    let second = try context.existingObject(with: albums[1].objectID)
    context.delete(try context.existingObject(with: albums[0].objectID))
    let pages = FetchRequest<ManagedObject>(entityName: "Page")
    transformer.action = {
      switch act {
      case "look": #expect((try? context.count(pages)) == 3)
      case "delete": context.delete(second)
      default: if context.insertedObjects.count == 1 { Self.insertPage(1, context) }
      }
    }
    try context.save()
    let left = try container.reading { try $0.count(pages) }
    #expect(left == ["look": 3, "delete": 0, "insert": 4][act])
    #expect(!context.hasChanges)
  }

  private static func insertPage(_ code: Int64, _ context: ManagedObjectContext) {
    #expect(throws: Never.self) { try context.insert("Page").setValue(code, forKey: "code") }
  }
}

/// Does something each time it encodes a value.
private final class ActingTransformer: AttributeTransformer {
  let name: TransformerName = "Acting"
  // The tests use it on one thread.
  nonisolated(unsafe) var action: () -> Void = {}

  func encode(_ value: String) -> String {
    action()
    return value
  }

  func decode(_ stored: String) -> String { stored }
}
