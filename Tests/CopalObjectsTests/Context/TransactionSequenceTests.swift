import Copal
import CopalTestSupport
import Foundation
import Testing

/// Random transactions, compared with a plain model: an array of values that is copied at the start
/// of each transaction.
@Suite("Transactions: random ones do what a plain model does")
struct TransactionSequenceTests {
  private struct Stop: Error {}

  @Test("saves, batches, inner transactions and errors", arguments: bothStores, UInt64(1)...30)
  func sequence(_ kind: StoreKind, _ seed: UInt64) throws {
    let container = try TestStore(kind).container(.gallery, transformers: [])
    let run = Run(container, seed)
    for _ in 0..<12 {
      try run.body(depth: 0, random: 4)
      try run.check()
    }
  }

  private final class Run {
    let container: PersistentContainer
    let context: ManagedObjectContext
    let other: ManagedObjectContext
    var random: SplitMix
    /// The plain model: the artist of each work, by title.
    var works: [String: String?] = [:]
    var ids: Set<ManagedObjectID> = []
    /// The ids of the objects whose insertion was undone.
    var lost: Set<ManagedObjectID> = []
    var held: [ManagedObject] = []
    var count = 0

    init(_ container: PersistentContainer, _ seed: UInt64) {
      self.container = container
      context = container.makeContext()
      other = container.makeContext()
      random = SplitMix(seed: seed)
    }

    func body(depth: Int, random limit: Int) throws {
      for _ in 0..<Int.random(in: 1...limit, using: &random) {
        switch Int.random(in: 0..<10, using: &random) {
        case 0, 1: try insert()
        case 2: try rename()
        case 3: try delete()
        case 4: try batch()
        case 5: try insertAll()
        case 6 where depth > 0:
          if Bool.random(using: &random) {
            _ = Artist(context: context, name: "unsaved")
            try context.fetch(Work.self).first?.title = "unsaved"
          }
          throw Stop()
        default: if depth < 3 { try transaction(depth) }
        }
        try see()
      }
    }

    func transaction(_ depth: Int) throws {
      let (works, ids) = (works, ids)
      do {
        try context.transaction { try body(depth: depth + 1, random: 5) }
      } catch is Stop {
        lost.formUnion(self.ids.subtracting(ids))
        (self.works, self.ids) = (works, ids)
        #expect(!context.hasChanges)
      }
    }

    func title() -> String {
      count += 1
      return "\(count)"
    }

    func artist() throws -> Artist {
      let artists = try context.fetch(Artist.self)
      if artists.count < 3 || Int.random(in: 0..<4, using: &random) == 0 {
        return Artist(context: context, name: title())
      }
      return artists[Int.random(in: 0..<artists.count, using: &random)]
    }

    func insert() throws {
      let work = Work(context: context, title: title())
      if Bool.random(using: &random) { work.artist = try artist() }
      try context.save()
      held += [work, work.artist].compactMap(\.self)
      works[work.title] = .some(work.artist?.name)
      ids.insert(work.objectID)
      #expect(!lost.contains(work.objectID))
    }

    func any() throws -> Work? {
      let all = try context.fetch(Work.self)
      return all.isEmpty ? nil : all[Int.random(in: 0..<all.count, using: &random)]
    }

    func rename() throws {
      guard let work = try any() else { return }
      works[work.title] = nil
      work.title = title()
      if Bool.random(using: &random) { work.artist = try artist() }
      try context.save()
      works[work.title] = .some(work.artist?.name)
    }

    func delete() throws {
      guard let work = try any() else { return }
      works[work.title] = nil
      context.delete(work)
      try context.save()
    }

    func batch() throws {
      guard let work = try any() else { return }
      let former = work.title
      let (new, artist) = (title(), work.artist?.name)
      works[former] = nil
      if Bool.random(using: &random) {
        #expect(try context.deleteAll(Work.self) { $0.title == former } == 1)
      } else {
        try context.updateAll(Work.self, where: { $0.title == former }) { $0.title.set(to: new) }
        works[new] = .some(artist)
      }
    }

    func insertAll() throws {
      let new = title()
      let made = try context.insertAll("Work", [["title": .string(new)]])
      works[new] = .some(nil)
      ids.formUnion(made)
      held.append(try context.existingObject(with: made[0]))
    }

    /// The context sees what it has saved.
    func see() throws {
      let found = try context.fetch(Work.self)
      #expect(Dictionary(found.map { ($0.title, $0.artist?.name) }) { a, _ in a } == works)
      for artist in try context.fetch(Artist.self) {
        let titles = works.filter { $0.value == artist.name }.keys
        #expect(Set(artist.works.map(\.title)) == Set(titles))
      }
    }

    /// Other contexts see the same after the end.
    func check() throws {
      #expect(!context.hasChanges)
      other.refreshAllObjects()
      for context in [other, container.makeContext()] {
        let found = try context.fetch(Work.self)
        #expect(Dictionary(found.map { ($0.title, $0.artist?.name) }) { a, _ in a } == works)
      }
      for object in held where object.managedObjectContext != nil {
        #expect(!object.isFault || (try? context.fulfill(object)) != nil || object.isMissingInStore)
      }
      for object in held where lost.contains(object.objectID) {
        #expect(object.managedObjectContext == nil)
      }
    }
  }
}
