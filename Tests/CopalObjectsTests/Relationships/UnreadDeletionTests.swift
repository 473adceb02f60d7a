import Copal
import CopalTestSupport
import Foundation
import Testing

/// What could show that a page is deleted.
private struct Look: CustomTestStringConvertible, Sendable {
  let testDescription: String
  /// What it finds.
  let look: @Sendable (UnreadPages, ManagedObjectID) throws -> [Int64]

  static let all = [
    Look(testDescription: "a fetch") { pages, _ in
      try pages.context.fetch(Page.self, sortedBy: \.number.ascending).map(\.number)
    },
    Look(testDescription: "a fetch of ids") { pages, _ in
      try pages.context.fetchIDs(Page.self).map {
        try pages.context.object(with: $0, as: Page.self)
      }
      .map(\.number)
    },
    Look(testDescription: "a count") { pages, _ in
      try pages.context.count(Page.self) == 3 ? [3, 4, 5] : []
    },
    Look(testDescription: "a fetch in batches") { pages, _ in
      try pages.context.fetchBatches(FetchRequest<Page>(), size: 2).map(\.number).sorted()
    },
    Look(testDescription: "an object by its id") { pages, id in
      let page = try pages.context.object(with: id, as: Page.self)
      return page.isDeleted && page.album == nil && page.number == 1 ? [3, 4, 5] : []
    },
    Look(testDescription: "an existing object by its id") { pages, id in
      let page = try pages.context.existingObject(with: id, as: Page.self)
      return page.isDeleted && page.number == 1 ? [3, 4, 5] : []
    },
    Look(testDescription: "the deleted objects") { pages, _ in
      let deleted = pages.context.deletedObjects
      let numbers = deleted.compactMap { ($0 as? Page)?.number }.sorted()
      return deleted.count == 4 && numbers == [0, 1, 2] ? [3, 4, 5] : []
    },
    Look(testDescription: "the registered objects") { pages, _ in
      pages.context.registeredObjects.count == 5 ? [3, 4, 5] : []
    },
    Look(testDescription: "another relationship") { pages, _ in pages.albums[1].pages.map(\.number)
    },
  ]
}

@Suite("Rows that a cascade deletes without reading them")
struct UnreadDeletionTests {
  @Test(
    "objects that nothing can notice are not made: their keys and versions are read", .modelAsIs)
  func statements() throws {
    let pages = try UnreadPages(.sqlite)
    for album in pages.albums { pages.context.delete(album) }
    #expect(
      pages.test.recorder.take().filter { $0.contains("Page") }
        == [String](
          repeating: """
            SELECT "copal_id", "copal_version", "album", "copal_order_album" FROM "Page" \
            WHERE "album" = ? ORDER BY "album", "copal_order_album", "copal_id"
            """, count: 2))
    #expect(pages.context.hasChanges)
    try pages.context.save()
    #expect(!pages.context.hasChanges && pages.context.registeredObjects.isEmpty)
    #expect(try pages.stored() == [])
    #expect(try pages.test.sqlite3("PRAGMA foreign_key_check") == "")
  }

  @Test(
    "a save deletes rows that refer to others before these", .modelAsIs, arguments: [true, false])
  func order(areRead: Bool) throws {
    let pages = try UnreadPages(.sqlite)
    if areRead { _ = pages.albums.map(\.pages.count) }
    let all = areRead ? pages.albums.flatMap(\.pages) : []
    try withExtendedLifetime(all) {
      for album in pages.albums { pages.context.delete(album) }
      _ = pages.test.recorder.take()
      try pages.context.save()
    }
    let tables = pages.test.recorder.take().filter { $0.hasPrefix("DELETE") }.map {
      $0.contains("\"Page\"") ? "Page" : "Album"
    }
    #expect(tables.sorted(by: >) == tables && Set(tables) == ["Page", "Album"])
  }

  @Test("whatever looks finds that they are deleted", arguments: bothStores, Look.all)
  fileprivate func looks(_ kind: StoreKind, _ look: Look) throws {
    let pages = try UnreadPages(kind)
    let id = try pages.container.reading {
      try #require(try $0.fetchIDs(Page.self) { $0.number == 1 }.first)
    }
    pages.context.delete(pages.albums[0])
    #expect(try look.look(pages, id) == [3, 4, 5])
    #expect(pages.context.graphProblems == [])
    try pages.context.save()
    #expect(try pages.stored() == [3, 4, 5])
    #expect(pages.context.graphProblems == [])
  }

  @Test("a rollback and a reset undo the deletion", arguments: bothStores, [true, false])
  func undone(_ kind: StoreKind, _ isRollback: Bool) throws {
    let pages = try UnreadPages(kind)
    pages.context.delete(pages.albums[0])
    isRollback ? pages.context.rollback() : pages.context.reset()
    #expect(!pages.context.hasChanges)
    if isRollback { #expect(pages.albums[0].pages.map(\.number) == [0, 1, 2]) }
    try pages.context.save()
    #expect(try pages.stored().count == 6)
  }

  @Test(
    "refreshing the owner does not undo the deletion of its objects, as if they had been read",
    arguments: bothStores, [true, false])
  func refreshedOwner(_ kind: StoreKind, _ isDeletedAgain: Bool) throws {
    let pages = try UnreadPages(kind)
    pages.context.delete(pages.albums[0])
    try pages.context.refresh(pages.albums[0], mergeChanges: false)
    #expect(pages.context.hasChanges)
    if isDeletedAgain {
      pages.context.delete(pages.albums[0])
    } else {
      #expect(pages.albums[0].pages.isEmpty)
    }
    try pages.context.save()
    #expect(try pages.stored() == [3, 4, 5])
    #expect(try pages.context.count(Album.self) == (isDeletedAgain ? 1 : 2))
  }

  @Test(
    "a change of another context is a conflict until the object is refreshed", .modelAsIs,
    arguments: bothStores
  )
  func changedElsewhere(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind)
    pages.context.delete(pages.albums[0])
    try pages.elsewhere(1) { _, page in page.number = 10 }
    for _ in 0..<2 {
      let error = try #require(throws: PersistenceError.self) { try pages.context.save() }
      #expect(error.causeCodes == [.conflict] && error.firstCause?.entity == "Page")
    }
    let page = try #require(
      pages.context.deletedObjects.compactMap { $0 as? Page }.first { $0.number == 10 })
    try pages.context.refresh(page, mergeChanges: true)
    try pages.context.save()
    #expect(try pages.stored() == [3, 4, 5])
  }

  @Test("a look before the save does not hide a change of another context", arguments: bothStores)
  func changedBeforeALook(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind)
    pages.context.delete(pages.albums[0])
    try pages.elsewhere(1) { _, page in page.number = 10 }
    #expect(pages.context.deletedObjects.count == 4)
    let error = try #require(throws: PersistenceError.self) { try pages.context.save() }
    #expect(error.causeCodes == [.conflict])
    #expect(try pages.stored().count == 6)
  }

  @Test("an object that another context has deleted is a conflict once", arguments: bothStores)
  func deletedElsewhere(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind)
    pages.context.delete(pages.albums[0])
    try pages.elsewhere(1) { other, page in other.delete(page) }
    let error = try #require(throws: PersistenceError.self) { try pages.context.save() }
    #expect(error.causeCodes == [.deletedElsewhere])
    try pages.context.save()
    #expect(try pages.stored() == [3, 4, 5])
  }

  @Test("an object that another context has added is a conflict", arguments: bothStores)
  func addedElsewhere(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind)
    pages.context.delete(pages.albums[0])
    try pages.elsewhere(1) { other, page in
      Page(context: other, number: 7).album = page.album
    }
    let error = try #require(throws: PersistenceError.self) { try pages.context.save() }
    #expect(error.causeCodes == [.stillReferenced])
    #expect(try pages.stored() == [0, 1, 2, 3, 4, 5, 7])
  }

  @Test("objects that the context has are deleted as objects", arguments: bothStores)
  func readBefore(_ kind: StoreKind) throws {
    let pages = try UnreadPages(kind)
    let page = try #require(try pages.context.fetch(Page.self) { $0.number == 1 }.first)
    let new = Page(context: pages.context, number: 9)
    new.album = pages.albums[1]
    for album in pages.albums { pages.context.delete(album) }
    #expect(page.isDeleted && new.managedObjectContext == nil)
    try pages.context.save()
    #expect(try pages.stored() == [])
  }

  @Test("a row that cannot be read is an error of the save, and nothing is deleted", .modelAsIs)
  func unreadable() throws {
    let pages = try UnreadPages(.sqlite)
    _ = try pages.test.sqlite3("UPDATE Page SET copal_version = 'x' WHERE number = 1")
    pages.context.delete(pages.albums[0])
    let error = try #require(throws: PersistenceError.self) { try pages.context.save() }
    #expect(error.causeCodes == [.incompleteObject])
    #expect(try pages.test.sqlite3("SELECT count(*) FROM Page") == "6")
  }

  @Test(
    "random deletions and saves beside plain values", arguments: bothStores, 0..<20 as Range<UInt64>
  )
  func sequences(_ kind: StoreKind, _ seed: UInt64) throws {
    var run = try UnreadRun(kind, seed: seed)
    for _ in 0..<60 { try run.step() }
  }
}

/// Random deletions of albums in two contexts, beside the pages of each album in plain values.
private struct UnreadRun {
  private let container: PersistentContainer
  private var contexts: [ManagedObjectContext]
  private var random: SplitMix
  /// The numbers of the stored pages, by the name of the album.
  private var stored: [String: Set<Int64>] = [:]
  /// The albums that each context has deleted.
  private var deleted: [Set<String>] = [[], []]
  private var last: Int64 = 0
  private var log: [String] = []

  init(_ kind: StoreKind, seed: UInt64) throws {
    container = try TestStore(kind).catalog()
    contexts = [container.makeContext(), container.makeContext()]
    random = SplitMix(seed: seed)
  }

  mutating func step() throws {
    let index = Int.random(in: 0..<2, using: &random)
    switch Int.random(in: 0..<10, using: &random) {
    case 0...2: try add()
    case 3...6: try delete(index)
    case 7: look(index)
    case 8: try rollback(index)
    default: try save(index)
    }
  }

  /// Adds an album with pages, or pages to an album, in a context of its own.
  private mutating func add() throws {
    last += 1
    let name = stored.keys.sorted().randomElement(using: &random) ?? ""
    let isNew = name.isEmpty || Bool.random(using: &random)
    let owner = isNew ? "\(last)" : name
    log.append("add to \(owner)")
    let count = Int64.random(in: 0..<40, using: &random)
    try container.reading { context in
      let album =
        try isNew
        ? Album(context: context, name: owner)
        : #require(try context.fetch(Album.self) { $0.name == name }.first)
      for number in 0..<count { Page(context: context, number: last * 100 + number).album = album }
      try context.save()
    }
    stored[owner, default: []].formUnion((0..<count).map { last * 100 + $0 })
  }

  private mutating func delete(_ index: Int) throws {
    let context = contexts[index]
    guard
      let album = try context.fetch(Album.self, sortedBy: \.name.ascending)
        .randomElement(using: &random)
    else { return }
    log.append("\(index) deletes \(album.name)")
    deleted[index].insert(album.name)
    context.delete(album)
  }

  private mutating func look(_ index: Int) {
    log.append("\(index) looks")
    for page in contexts[index].deletedObjects.compactMap({ $0 as? Page }) {
      #expect(page.isDeleted && page.album == nil, "\(log)")
    }
  }

  private mutating func rollback(_ index: Int) throws {
    log.append("\(index) undoes")
    contexts[index].rollback()
    deleted[index] = []
    try check(index)
  }

  private mutating func save(_ index: Int) throws {
    log.append("\(index) saves")
    do {
      try contexts[index].save()
      for name in deleted[index] { stored[name] = nil }
    } catch let error as PersistenceError {
      log.append("refused: \(error.causeCodes)")
      #expect(
        Set(error.causeCodes).isSubset(of: [.conflict, .deletedElsewhere, .stillReferenced]),
        "\(error)")
      contexts[index] = container.makeContext()
    }
    deleted[index] = []
    try check(index)
  }

  private func check(_ index: Int) throws {
    let found = try container.reading { context in
      try Dictionary(
        uniqueKeysWithValues: context.fetch(Album.self).map {
          ($0.name, Set($0.pages.map(\.number)))
        })
    }
    #expect(found == stored, "\(log)")
    let all = try container.reading { try $0.count(Page.self) }
    #expect(all == stored.values.reduce(0) { $0 + $1.count }, "\(log)")
    #expect(contexts[index].graphProblems == [], "\(log)")
  }
}
