import Copal
import CopalTestSupport
import Foundation
import Testing

extension TestStore {
  func gallery() throws -> PersistentContainer { try container(.gallery, transformers: []) }
}

extension ToMany where Element == Work {
  fileprivate var titles: [String] { map(\.title) }
}

@Suite("Relationships: both ends agree")
struct RelationshipTests {
  @Test("setting a to-one relationship adds the object to the other end", arguments: bothStores)
  func toOne(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    let rembrandt = Artist(context: context, name: "Rembrandt")
    let milkmaid = Work(context: context, title: "The Milkmaid")
    #expect(milkmaid.artist == nil && vermeer.works.isEmpty)
    milkmaid.artist = vermeer
    #expect(milkmaid.artist === vermeer)
    #expect(Array(vermeer.works) == [milkmaid] && vermeer.works.contains(milkmaid))
    milkmaid.artist = rembrandt
    #expect(vermeer.works.isEmpty && !vermeer.works.contains(milkmaid))
    #expect(Array(rembrandt.works) == [milkmaid])
    milkmaid.artist = nil
    #expect(rembrandt.works.count == 0)
  }

  @Test("changing a to-many relationship sets the other end", arguments: bothStores)
  func toMany(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    let works = ["Milkmaid", "Delft", "Lacemaker"].map { Work(context: context, title: $0) }
    for work in works { vermeer.works.insert(work) }
    vermeer.works.insert(works[0])
    #expect(vermeer.works.titles == ["Milkmaid", "Delft", "Lacemaker"])
    #expect(works.allSatisfy { $0.artist === vermeer })
    vermeer.works.remove(works[1])
    vermeer.works.remove(works[1])
    #expect(works[1].artist == nil)
    #expect(vermeer.works.titles == ["Milkmaid", "Lacemaker"])
    vermeer.works.replaceAll(with: [works[2], works[1]])
    #expect(works.map { $0.artist === vermeer } == [false, true, true])
    vermeer.works.removeAll()
    #expect(works.allSatisfy { $0.artist == nil } && vermeer.works.isEmpty)
  }

  @Test("relationships are saved and read back", arguments: bothStores)
  func saved(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    let milkmaid = Work(context: context, title: "The Milkmaid")
    let delft = Work(context: context, title: "View of Delft")
    vermeer.works.insert(delft)
    milkmaid.artist = vermeer
    try context.save()
    #expect(!context.hasChanges && !milkmaid.objectID.isTemporary)
    #expect(vermeer.works.titles == ["The Milkmaid", "View of Delft"], "by key")

    let other = container.makeContext()
    let artist = try #require(try other.fetch(Artist.self).first)
    #expect(artist.works.count == 2 && !artist.works.isEmpty)
    #expect(artist.works.titles == ["The Milkmaid", "View of Delft"])
    #expect(artist.works.allSatisfy { $0.artist === artist })
    let work = try #require(try other.fetch(Work.self) { $0.title == "View of Delft" }.first)
    #expect(work.artist === artist && artist.works.contains(work))
    work.artist = nil
    #expect(artist.works.titles == ["The Milkmaid"])
    try other.save()
    #expect(artist.works.titles == ["The Milkmaid"])
    let third = container.makeContext()
    #expect(try third.fetch(Work.self).map { $0.artist?.name } == ["Vermeer", nil])
  }

  @Test("setting what is set is no change, and writes nothing", arguments: bothStores)
  func same(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    let milkmaid = Work(context: context, title: "The Milkmaid")
    milkmaid.artist = vermeer
    try context.save()
    milkmaid.artist = vermeer
    vermeer.works.insert(milkmaid)
    vermeer.works.replaceAll(with: [milkmaid])
    #expect(!context.hasChanges)
  }

  @Test("a rollback restores both ends", arguments: bothStores)
  func rollback(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    let rembrandt = Artist(context: context, name: "Rembrandt")
    let milkmaid = Work(context: context, title: "The Milkmaid")
    milkmaid.artist = vermeer
    try context.save()
    milkmaid.artist = rembrandt
    let new = Work(context: context, title: "New")
    vermeer.works.insert(new)
    context.rollback()
    #expect(milkmaid.artist === vermeer)
    #expect(Array(vermeer.works) == [milkmaid] && rembrandt.works.isEmpty)
    #expect(new.artist == nil && !context.hasChanges)
  }

  @Test("a one-to-one relationship has one partner at each end", arguments: bothStores)
  func oneToOne(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let works = ["Milkmaid", "Delft"].map { Work(context: context, title: $0) }
    let frames = (0..<2).map { _ in Frame(context: context) }
    works[0].frame = frames[0]
    works[1].frame = frames[1]
    #expect(frames[0].work === works[0] && frames[1].work === works[1])
    frames[1].work = works[0]
    #expect(works[0].frame === frames[1] && works[1].frame == nil && frames[0].work == nil)
    try context.save()
    let other = container.makeContext()
    let read = try other.fetch(Work.self)
    #expect(read.map { $0.frame?.objectID } == [frames[1].objectID, nil])
    #expect(read[0].frame?.work === read[0])
    read[1].frame = read[0].frame
    #expect(read[0].frame == nil && read[1].frame?.work === read[1])
    try other.save()
  }

  @Test("a loop may change the relationship: it visits each object once", arguments: bothStores)
  func loop(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let artists = ["Vermeer", "Rembrandt"].map { Artist(context: context, name: $0) }
    for number in 0..<10 { artists[0].works.insert(Work(context: context, title: "\(number)")) }
    var visited = 0
    for work in artists[0].works {
      work.artist = artists[1]
      visited += 1
    }
    #expect(visited == 10 && artists[0].works.isEmpty && artists[1].works.count == 10)
  }

  @Test("a view is a collection", arguments: bothStores)
  func collection(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    for number in 0..<5 { vermeer.works.insert(Work(context: context, title: "\(number)")) }
    try context.save()
    let other = container.makeContext()
    let works = try #require(try other.fetch(Artist.self).first).works
    #expect(works.map(\.title) == ["0", "1", "2", "3", "4"])
    #expect(works.reversed().map(\.title) == ["4", "3", "2", "1", "0"])
    #expect(works.first?.title == "0" && works.last?.title == "4" && works[2].title == "2")
    #expect(works.dropFirst(3).map(\.title) == ["3", "4"])
    #expect(works.sorted { $0.title > $1.title }.map(\.title) == ["4", "3", "2", "1", "0"])
    #expect(Set(works).count == 5)
    #expect(works.filter { $0.title > "2" }.count == 2)
    #expect(works.indices == 0..<5)
  }

  @Test("names of relationships give the objects", arguments: bothStores)
  func byName(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    let milkmaid = Work(context: context, title: "The Milkmaid")
    try milkmaid.setValue(vermeer, forKey: "artist")
    #expect(try milkmaid.value(forKey: "artist") as? Artist === vermeer)
    #expect(
      try vermeer.value(of: "works", as: ToMany<ManagedObject>.self).map(Array.init) == [milkmaid])
    try vermeer.setValue([Work](), forKey: "works")
    #expect(try milkmaid.value(forKey: "artist") == nil)
    let error = try #require(throws: PersistenceError.self) {
      try milkmaid.setValue("Vermeer", forKey: "artist")
    }
    #expect(error.code == .wrongValueType)
    let museum = Museum(context: context, name: "Mauritshuis")
    #expect(throws: PersistenceError.self) { try milkmaid.setValue(museum, forKey: "artist") }
    #expect(throws: PersistenceError.self) { try vermeer.setValue([museum], forKey: "works") }
    #expect(milkmaid.artist == nil)
    context.delete(museum)
    #expect(
      throws: PersistenceError.self, performing: { try milkmaid.value(forKey: "artists") })
    #expect(milkmaid.changes().map(\.name) == ["title"])
    milkmaid.artist = vermeer
    #expect(milkmaid.changes().map(\.name) == ["title", "artist"])
    #expect(milkmaid.changes().last?.new as? Artist === vermeer)
    try context.save()
    milkmaid.artist = nil
    #expect(milkmaid.changes().first?.old as? Artist === vermeer)
    #expect(milkmaid.committedValues()["artist"] as? Artist === vermeer)
  }

  @Test("a required to-one relationship is checked by the save", arguments: bothStores)
  func required(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let ticket = Ticket(context: context)
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(error.causeCodes == [.required])
    #expect(error.firstCause?.property == "museum")
    ticket.museum = Museum(context: context, name: "Rijksmuseum")
    try context.save()
  }

  @Test("the hooks of an owner see that its members have changed", arguments: bothStores)
  func owners(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let vermeer = Artist(context: context, name: "Vermeer")
    try context.save()
    let work = Work(context: context, title: "The Milkmaid")
    vermeer.works.insert(work)
    #expect(vermeer.isUpdated && vermeer.hasChanges)
    #expect(!vermeer.hasPersistentChangedValues)
    try context.save()
    #expect(!vermeer.isUpdated)
  }

  @Test("objects that were released in between are found again", arguments: bothStores)
  func released(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    do {
      let artist = Artist(context: context, name: "Vermeer")
      for number in 0..<2000 {
        Work(context: context, title: "\(number)").artist = artist
      }
      try context.save()
    }
    let artist = try #require(try context.fetch(Artist.self).first)
    #expect(artist.works.count == 2000)
    for _ in 0..<3 {
      _ = try context.fetch(Work.self).count
      #expect(artist.works.map(\.title) == (0..<2000).map { "\($0)" })
    }
  }

  // MARK: Contexts

  @Test("what another context has added is seen after a refresh", arguments: bothStores)
  func otherContext(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let vermeer = Artist(context: mine, name: "Vermeer")
    try mine.save()
    try vermeer.works.load()
    let same = try theirs.existingObject(with: vermeer.objectID, as: Artist.self)
    Work(context: theirs, title: "The Milkmaid").artist = same
    try theirs.save()
    #expect(vermeer.works.isEmpty)
    try mine.refresh(vermeer, mergeChanges: false)
    #expect(vermeer.works.titles == ["The Milkmaid"])
    #expect(!mine.hasChanges)
  }

  @Test("a refreshed object moves between the members that were read", arguments: bothStores)
  func refreshed(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let vermeer = Artist(context: mine, name: "Vermeer")
    let rembrandt = Artist(context: mine, name: "Rembrandt")
    let work = Work(context: mine, title: "The Milkmaid")
    work.artist = rembrandt
    try mine.save()
    #expect(vermeer.works.isEmpty && rembrandt.works.count == 1)
    let same = try theirs.existingObject(with: work.objectID, as: Work.self)
    same.artist = try theirs.existingObject(with: vermeer.objectID, as: Artist.self)
    try theirs.save()
    try mine.refresh(work, mergeChanges: true)
    #expect(work.artist === vermeer)
    #expect(rembrandt.works.isEmpty && Array(vermeer.works) == [work])
    #expect(!mine.hasChanges)
  }

  @Test("an object to which a new one refers was deleted by another context", arguments: bothStores)
  func missingTarget(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let vermeer = Artist(context: mine, name: "Vermeer")
    try mine.save()
    theirs.delete(try theirs.existingObject(with: vermeer.objectID))
    try theirs.save()
    let work = Work(context: mine, title: "The Milkmaid")
    work.artist = vermeer
    let error = try #require(throws: PersistenceError.self) { try mine.save() }
    #expect(error.causeCodes == [.missingReference])
    #expect(error.firstCause?.property == "artist")
    #expect(error.firstCause?.otherID == vermeer.objectID)
    #expect(work.artist === vermeer, "nothing is lost")
    work.artist = nil
    try mine.save()
  }
}

@Suite("Delete rules")
struct DeleteRuleTests {
  /// How much of a to-many relationship a context has read.
  enum Reading: CaseIterable, Sendable { case new, saved, notRead, fault }

  private struct World {
    let context: ManagedObjectContext
    let artist: Artist
    let museum: Museum
    let works: [Work]
  }

  private func world(_ kind: StoreKind, _ reading: Reading) throws -> World {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let artist = Artist(context: context, name: "Vermeer")
    let museum = Museum(context: context, name: "Mauritshuis")
    let works = (0..<3).map { Work(context: context, title: "\($0)") }
    for work in works {
      work.artist = artist
      work.museum = museum
    }
    if reading == .new {
      return World(context: context, artist: artist, museum: museum, works: works)
    }
    try context.save()
    if reading == .saved {
      return World(context: context, artist: artist, museum: museum, works: works)
    }
    let other = container.makeContext()
    if reading == .fault {
      return World(
        context: other, artist: try other.object(with: artist.objectID, as: Artist.self),
        museum: try other.object(with: museum.objectID, as: Museum.self),
        works: try other.objects(with: works.map(\.objectID), as: Work.self))
    }
    return World(
      context: other, artist: try other.existingObject(with: artist.objectID, as: Artist.self),
      museum: try other.existingObject(with: museum.objectID, as: Museum.self),
      works: try other.objects(with: works.map(\.objectID), as: Work.self))
  }

  @Test("cascade deletes the related objects", arguments: bothStores, Reading.allCases)
  func cascade(_ kind: StoreKind, _ reading: Reading) throws {
    let world = try world(kind, reading)
    world.context.delete(world.artist)
    #expect(world.works.allSatisfy { $0.isDeleted || $0.managedObjectContext == nil })
    #expect(world.works.allSatisfy { $0.artist == nil && $0.museum == nil })
    #expect(world.artist.works.isEmpty && world.museum.works.isEmpty)
    try world.context.save()
    #expect(try world.context.count(Work.self) == 0)
    #expect(try world.context.count(Museum.self) == 1)
  }

  @Test("deny is judged when the deletion is saved", arguments: bothStores, Reading.allCases)
  func deny(_ kind: StoreKind, _ reading: Reading) throws {
    let world = try world(kind, reading)
    world.context.delete(world.museum)
    if reading == .new {
      // Nothing can refer to an object that was never saved.
      #expect(world.works.allSatisfy { $0.museum == nil })
      try world.context.save()
      return
    }
    let error = try #require(throws: PersistenceError.self) { try world.context.save() }
    #expect(error.causeCodes == [.deletionDenied])
    #expect(error.firstCause?.property == "works" && error.firstCause?.found == "3")
    for work in world.works { work.museum = nil }
    try world.context.save()
    #expect(try world.context.count(Museum.self) == 0)
    #expect(try world.context.count(Work.self) == 3)
  }

  @Test("nullify removes the object from the related ones", arguments: bothStores, Reading.allCases)
  func nullify(_ kind: StoreKind, _ reading: Reading) throws {
    let container = try TestStore(kind).gallery()
    let context = container.makeContext()
    let museum = Museum(context: context, name: "Mauritshuis")
    let tickets = (0..<3).map { _ in Ticket(context: context) }
    for ticket in tickets { museum.tickets.insert(ticket) }
    if reading != .new { try context.save() }
    if reading == .notRead { context.refreshAllObjects() }
    context.delete(museum)
    #expect(tickets.allSatisfy { $0.museum == nil })
    let error = try #require(throws: PersistenceError.self) { try context.save() }
    #expect(error.causeCodes == [.required, .required, .required])
    let other = Museum(context: context, name: "Rijksmuseum")
    for ticket in tickets { ticket.museum = other }
    try context.save()
    #expect(try context.count(Museum.self) == 1)
    #expect(other.tickets.count == 3)
  }

  @Test(
    "a deleted object leaves the collections, and a rollback brings it back", arguments: bothStores)
  func deletedMember(_ kind: StoreKind) throws {
    let world = try world(kind, .saved)
    world.context.delete(world.works[1])
    #expect(Array(world.artist.works) == [world.works[0], world.works[2]])
    #expect(!world.artist.works.contains(world.works[1]) && world.works[1].artist == nil)
    #expect(world.works[1].title == "1")
    #expect(world.works[1].committedValues()["artist"] as? Artist === world.artist)
    world.works[1].artist = world.artist
    #expect(world.artist.works.count == 2, "a deleted object cannot be moved")
    world.context.rollback()
    #expect(Array(world.artist.works) == world.works && world.works[1].artist === world.artist)
    world.context.delete(world.artist)
    world.context.rollback()
    #expect(Array(world.artist.works) == world.works)
    #expect(world.works.allSatisfy { $0.artist === world.artist && $0.museum === world.museum })
    #expect(!world.context.hasChanges)
  }

  @Test("cascade over a to-one relationship deletes the partner", arguments: bothStores)
  func toOne(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let work = Work(context: context, title: "The Milkmaid")
    let frame = Frame(context: context)
    work.frame = frame
    let other = Frame(context: context)
    other.work = Work(context: context, title: "View of Delft")
    try context.save()
    context.delete(work)
    context.delete(other)
    #expect(frame.isDeleted)
    try context.save()
    #expect(try context.fetch(Frame.self).isEmpty)
    #expect(try context.fetch(Work.self).map(\.frame) == [nil])
  }

  @Test("rings and long chains are deleted without a deep stack", arguments: bothStores)
  func chains(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let topics = (0..<3000).map { Topic(context: context, name: "\($0)") }
    for (topic, child) in zip(topics, topics.dropFirst()) { child.parent = topic }
    // A ring.
    topics[0].parent = topics[2999]
    try context.save()
    context.refreshAllObjects()
    context.delete(topics[1500])
    #expect(topics.filter { !$0.isDeleted }.isEmpty)
    try context.save()
    #expect(try context.count(Topic.self) == 0)
  }

  @Test("an object that another context has added in between is a conflict", arguments: bothStores)
  func addedInBetween(_ kind: StoreKind) throws {
    let container = try TestStore(kind).gallery()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let vermeer = Artist(context: mine, name: "Vermeer")
    try mine.save()
    mine.delete(vermeer)
    let added = Work(context: theirs, title: "The Milkmaid")
    added.artist = try theirs.existingObject(with: vermeer.objectID, as: Artist.self)
    try theirs.save()
    let error = try #require(throws: PersistenceError.self) { try mine.save() }
    #expect(error.causeCodes == [.stillReferenced])
    #expect(error.firstCause?.otherID == added.objectID)
    try mine.refresh(vermeer, mergeChanges: false)
    mine.delete(vermeer)
    try mine.save()
    #expect(try theirs.count(Work.self) == 0)
  }
}

@Suite("Statements of relationships")
struct RelationshipStatementTests {
  private let test: TestStore
  private let context: ManagedObjectContext

  init() throws {
    test = try TestStore(.sqlite)
    let container = try test.gallery()
    let writer = container.makeContext()
    for number in 0..<1000 {
      let artist = Artist(context: writer, name: "\(number)")
      for _ in 0..<3 { artist.works.insert(Work(context: writer, title: "\(number)")) }
    }
    try writer.save()
    context = container.makeContext()
  }

  private func statements(_ body: () throws -> Void) rethrows -> [String] {
    _ = test.recorder.take()
    try body()
    return test.recorder.take().filter { !$0.hasPrefix("PRAGMA") }
  }

  @Test("a loop over 1,000 owners and their objects costs 11 statements", .modelAsIs)
  func toMany() throws {
    var count = 0
    let found = try statements {
      for artist in try context.fetch(Artist.self) {
        for work in artist.works where work.title == artist.name { count += 1 }
      }
    }
    #expect(count == 3000)
    #expect(found.count == 11)
  }

  @Test(
    "a loop over 3,000 objects and their owners costs 31 statements; none when they are in memory",
    .modelAsIs)
  func toOne() throws {
    var works: [Work] = []
    let found = try statements {
      works = try context.fetch(Work.self)
      for work in works { #expect(work.artist?.name == work.title) }
    }
    #expect(found.count == 31)
    let again = statements { for work in works { #expect(work.artist?.name == work.title) } }
    #expect(again == [])
  }

  @Test("prefetching reads the objects of each step of a path with one statement", .modelAsIs)
  func prefetching() throws {
    var count = 0
    let found = try statements {
      let request = Artist.fetchRequest().prefetching(\.works, \.works.museum, \.works.artist)
      for artist in try context.fetch(request) {
        for work in artist.works where work.artist === artist && work.museum == nil { count += 1 }
      }
    }
    #expect(count == 3000)
    #expect(found.count == 2, "\(found)")
  }

  @Test("prefetching a to-one relationship reads the objects with one statement", .modelAsIs)
  func prefetchingToOne() throws {
    var request = Work.fetchRequest()
    request.prefetchedPaths = ["artist.works"]
    let found = try statements {
      for work in try context.fetch(request) {
        #expect(work.artist?.name == work.title)
        #expect(work.artist?.works.map(\.title).contains(work.title) == true)
      }
    }
    #expect(found.count == 3)
    request.returnsObjectsAsFaults = true
    request.prefetchedPaths = ["artist"]
    context.reset()
    let faults = try statements { _ = try context.fetch(request).map { $0.artist?.name } }
    #expect(faults.count == 3)
  }

  @Test(
    "prefetched objects of a to-one relationship are neighbors: what they lack is read together",
    .modelAsIs)
  func neighborsOfPrefetched() throws {
    let works = try context.fetch(Work.fetchRequest().prefetching(\.artist))
    let found = statements {
      for work in works { #expect(work.artist?.works.contains { $0 === work } == true) }
    }
    #expect(found.count == 10)
  }

  @Test("an unknown name in a path is an error with the nearest name, before any statement")
  func unknownPath() throws {
    for (path, name, suggestion) in [
      ("work", "work", "works"), ("works.artists", "artists", "artist"), ("name", "name", nil),
      ("works.", "", nil),
    ] {
      var request = Artist.fetchRequest()
      request.prefetchedPaths = [path]
      let found = try statements {
        let error = try #require(throws: PersistenceError.self) { try context.fetch(request) }
        #expect(error.code == .unknownProperty && error.property == name)
        #expect(error.suggestion == suggestion)
      }
      #expect(found == [])
    }
  }

  @Test("moving an object reads nothing, and a count reads no object", .modelAsIs)
  func moving() throws {
    let artists = try context.fetch(Artist.self)
    let works = try context.fetch(Work.self)
    let found = statements {
      for work in works { work.artist = artists[7] }
      #expect(artists[7].works.contains(works[0]))
    }
    #expect(found == [])
    let counted = statements { #expect(artists[7].works.count == 3000) }
    // The keys: the context has works, which may have an older artist than the store.
    #expect(counted.count == 1 && counted[0].contains("FROM \"Work\""))
    let saved = try statements { try context.save() }
    // The works of the artist lie between two runs of others.
    #expect(saved.filter { $0.hasPrefix("UPDATE \"Work\"") }.count == 2)
    #expect(saved.filter { $0.hasPrefix("UPDATE \"Artist\"") }.isEmpty)
  }

  @Test(
    "deleting many objects reads their related objects with one statement for a relationship",
    .modelAsIs)
  func deleting() throws {
    let artists = try context.fetch(Artist.self)
    let found = statements { for artist in artists.prefix(1) { context.delete(artist) } }
    #expect(found.filter { $0.contains("FROM \"Work\"") }.count == 1)
    try context.save()
    #expect(try test.sqlite3("PRAGMA foreign_key_check") == "")
  }
}

@Suite("Relationships in conditions")
struct RelationshipConditionTests {
  @Test(
    "a to-many relationship and a path in a condition by name are refused with what they are",
    arguments: [
      ("works", "a to-many relationship"), ("works.title", "a path through a to-many relationship"),
    ])
  func names(_ name: String, _ kind: String) throws {
    let context = try TestStore(.memory).gallery().makeContext()
    let request = FetchRequest<Artist>(
      entityName: "Artist", predicate: .comparison(.property(name), .equal, .constant(.null)))
    let error = #expect(throws: PersistenceError.self) { try context.fetch(request) }
    #expect(error?.code == .notQueryable && error?.found == kind)
    #expect(error?.description.contains("ask about its objects, with 'contains'") == true)
  }

  @Test("a to-one relationship is compared with objects", arguments: bothStores, [true, false])
  func toOne(_ kind: StoreKind, isSaved: Bool) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let artists = ["Vermeer", "Rembrandt"].map { Artist(context: context, name: $0) }
    for number in 0..<6 {
      let work = Work(context: context, title: "\(number)")
      work.artist = number % 3 == 2 ? nil : artists[number % 3]
    }
    if isSaved { try context.save() }
    func titles(_ condition: @escaping (QueryProperties<Work>) -> FetchPredicate) throws -> [String]
    {
      try context.fetch(Work.self, where: condition).map(\.title)
    }
    #expect(try titles { $0.artist == artists[0] } == ["0", "3"])
    #expect(try titles { $0.artist == artists[1].objectID } == ["1", "4"])
    #expect(try titles { $0.artist == nil as Artist? } == ["2", "5"])
    #expect(try titles { $0.artist != artists[0] } == ["1", "2", "4", "5"])
    #expect(try titles { !($0.artist == artists[0]) } == ["1", "2", "4", "5"])
    #expect(try titles { $0.artist.isIn(artists) } == ["0", "1", "3", "4"])
    #expect(try titles { $0.artist == artists[0] && $0.title > "1" } == ["3"])
    #expect(try context.count(Work.self) { $0.artist == artists[0] } == 2)
  }

  @Test("an object of another entity or store is in no relationship", arguments: bothStores)
  func others(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    Work(context: context, title: "0").artist = Artist(context: context, name: "Vermeer")
    try context.save()
    let museum = Museum(context: context, name: "Mauritshuis")
    #expect(try context.fetch(Work.self) { $0.artist == museum.objectID }.isEmpty)
    #expect(try context.fetch(Work.self) { $0.artist != museum.objectID }.count == 1)
  }

  @Test("a relationship is not compared with other values, nor by an order", arguments: bothStores)
  func refused(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let artist = Artist(context: context, name: "Vermeer")
    for condition: FetchPredicate in [
      .comparison(.property("artist"), .equal, .constant(1)),
      .comparison(.property("artist"), .less, .constant(.object(artist.objectID))),
      .comparison(.property("artist"), .equal, .property("title")),
      .isIn(.property("artist"), ["Vermeer"]),
    ] {
      let error = try #require(throws: PersistenceError.self) {
        try context.fetch(FetchRequest<Work>(predicate: condition))
      }
      #expect(error.code == .predicateType)
      #expect(
        error.description.hasPrefix(
          "Work.artist is a relationship to one object, and cannot be compared")
          && error.description.contains("; compare it with the id of an object, by == or != ["))
    }
  }
}
