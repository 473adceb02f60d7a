import Copal
import CopalTestSupport
import Testing

@Suite("Lazy loads are found where a program forbids them")
struct LazyLoadTests {
  private let test: TestStore
  private let container: PersistentContainer
  private let context: ManagedObjectContext

  init() throws {
    test = try TestStore(.sqlite)
    container = try test.gallery()
    let writer = container.makeContext()
    let museum = Museum(context: writer, name: "Mauritshuis")
    for number in 0..<10 {
      let artist = Artist(context: writer, name: "\(number)")
      for _ in 0..<3 {
        let work = Work(context: writer, title: "\(number)")
        artist.works.insert(work)
        work.museum = museum
      }
    }
    try writer.save()
    context = container.makeContext()
  }

  /// The causes of the error that the body throws.
  private func causes(_ body: () throws -> Void) throws -> [PersistenceError] {
    let error = try #require(throws: PersistenceError.self) {
      try context.forbiddingLazyLoads { try body() }
    }
    #expect(error.code == .lazyLoads)
    let causes = error.causes.compactMap { $0 as? PersistenceError }
    #expect(!causes.isEmpty && causes.allSatisfy { $0.code == .lazyLoad })
    return causes
  }

  @Test(
    "a loop over 10 artists without prefetching throws, and names the relationship and the fetch")
  func toMany() throws {
    var titles: [String] = []
    let causes = try causes {
      for artist in try context.fetch(Artist.self, where: { $0.name != "secret" }) {
        titles += artist.works.map(\.title)
      }
    }
    #expect(titles.count == 30, "everything is read all the same")
    #expect(causes.map(\.entity) == ["Artist"] && causes.map(\.property) == ["works"])
    #expect(
      causes.map(\.found) == [
        "read lazily for 10 objects of the fetch of Artist where name != ?, with 1 read"
      ])
    #expect(!context.hasChanges)
    let again = try context.forbiddingLazyLoads {
      try context.fetch(Artist.self).map(\.works.count)
    }
    #expect(again == [Int](repeating: 3, count: 10), "what was read is read")
  }

  @Test("with prefetching nothing is lazy, and the result of the body is returned")
  func prefetching() throws {
    let count = try context.forbiddingLazyLoads {
      try context.fetch(Artist.fetchRequest().prefetching(\.works, \.works.museum)).reduce(0) {
        $0 + $1.works.filter { $0.museum?.name == "Mauritshuis" }.count
      }
    }
    #expect(count == 30)
  }

  @Test(
    "each relationship is a cause of its own, and the fetch is named after several steps",
    .modelAsIs)
  func steps() throws {
    let causes = try causes {
      for artist in try context.fetch(Artist.self) {
        for work in artist.works { _ = work.museum?.name }
      }
    }
    #expect(causes.map(\.subject) == ["Artist.works", "Work.museum"])
    #expect(causes.last?.found == "read lazily for 1 object of the fetch of Artist, with 1 read")
  }

  @Test("counting without reading is named as counting")
  func counting() throws {
    let causes = try causes {
      for artist in try context.fetch(Artist.self) where artist.works.isEmpty { Issue.record() }
    }
    #expect(
      causes.map(\.found) == [
        "counted lazily for 10 objects of the fetch of Artist, with 10 reads"
      ])
  }

  @Test("the object of a to-one relationship is read lazily when its values are", .modelAsIs)
  func toOne() throws {
    let works = try context.fetch(Work.self)
    #expect(try context.forbiddingLazyLoads { works.compactMap(\.artist).count } == 30)
    let causes = try causes { for work in works { _ = work.artist?.name } }
    #expect(causes.map(\.subject) == ["Work.artist"])
    #expect(
      causes.first?.found == "read lazily for 10 objects of the fetch of Work, with 1 read")
  }

  @Test("the values of faults are read lazily, one by one or together", .modelAsIs)
  func values() throws {
    var request = Artist.fetchRequest().filter {
      $0.name.isEqual(to: "1", .caseInsensitive) || !($0.name < "3")
    }
    request.returnsObjectsAsFaults = true
    request.faultBatchSize = 4
    let causes = try causes {
      let names = try context.fetch(request).map(\.name)
      #expect(names.count == 8)
    }
    #expect(causes.map(\.property) == [nil] && causes.map(\.entity) == ["Artist"])
    #expect(
      causes.first?.found
        == "read lazily for 8 objects of the fetch of Artist where name.isEqual(?, [.caseInsensitive]) || !(name < ?), with 2 reads"
    )
    let id = try #require(try context.fetchIDs(Work.fetchRequest()).first)
    let alone = try self.causes {
      let title = try context.object(with: id, as: Work.self).title
      #expect(title == "0")
    }
    #expect(alone.map(\.found) == ["read lazily for 1 object, with 1 read"])
    let byName = try self.causes {
      let artist = try #require(try container.makeContext().fetch(Artist.self).first)
      _ = try context.object(with: artist.objectID).value(forKey: "works")
    }
    #expect(byName.map(\.subject) == ["Artist.works"])
  }

  @Test("reads that the program asks for are not lazy, nor those of a deletion and of a save")
  func askedFor() throws {
    let ids = try context.fetchIDs(Work.fetchRequest())
    let artists = try context.fetch(Artist.self)
    let museum = try #require(try context.fetch(Museum.self).first)
    try context.forbiddingLazyLoads {
      let works = try context.objects(with: ids, as: Work.self)
      try context.fulfill(works[0])
      try context.fulfill(works)
      _ = try context.existingObject(with: ids[3])
      try context.refresh(works[4], mergeChanges: true)
      try artists[0].works.load()
      try artists[0].works.load()
      context.delete(artists[1])
      try context.refresh(artists[2], mergeChanges: false)
      context.delete(artists[2])
      context.delete(museum)
      #expect(throws: PersistenceError.self) { try context.save() }
      context.rollback()
    }
  }

  @Test("an inner body throws its own lazy loads, and the outer one those of both")
  func nested() throws {
    let causes = try causes {
      let artists = try context.fetch(Artist.self)
      let inner = try self.causes { _ = artists[0].works.first }
      #expect(inner.map(\.subject) == ["Artist.works"])
      #expect(try context.forbiddingLazyLoads { artists[1].works.count } == 3)
      _ = artists[0].works.first?.museum?.name
    }
    #expect(causes.map(\.subject) == ["Artist.works", "Work.museum"])
  }

  @Test("an error of the body itself is thrown, and nothing is forbidden afterwards")
  func ownError() throws {
    struct Own: Error {}
    #expect(throws: Own.self) {
      try context.forbiddingLazyLoads {
        _ = try context.fetch(Artist.self).first?.works.count
        throw Own()
      }
    }
    let titles = try context.fetch(Artist.self).last?.works.map(\.title)
    #expect(titles == ["9", "9", "9"])
  }

  @Test("the statements are the same where lazy loads are forbidden")
  func statements() throws {
    func loop(_ context: ManagedObjectContext) throws {
      for artist in try context.fetch(Artist.self) {
        for work in artist.works { #expect(work.museum?.name == "Mauritshuis") }
      }
    }
    let plain = try test.recorder.statements { try loop(container.makeContext()) }
    let forbidden = test.recorder.statements {
      let context = container.makeContext()
      #expect(throws: PersistenceError.self) {
        try context.forbiddingLazyLoads { try loop(context) }
      }
    }
    #expect(plain == forbidden)
  }
}
