import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Fetching between reading and writing an object")
struct StaleReadTests {
  /// Requests that a program may make between reading a value and writing the result.
  enum Question: String, CaseIterable, Sendable {
    case fetch, faults, count, ids, countWithChanges, idsWithChanges, limitedWithChanges

    func ask(_ context: ManagedObjectContext) throws {
      try ask(context, Painting.fetchRequest())
      if rawValue.hasSuffix("WithChanges") { Painter(context: context, name: "New").prizes = 1 }
      try ask(context, Painter.fetchRequest().sorted(by: \.name.ascending))
    }

    private func ask<T>(_ context: ManagedObjectContext, _ all: FetchRequest<T>) throws
    where T: ManagedObject {
      var request = all
      switch self {
      case .fetch: _ = try context.fetch(request)
      case .faults:
        request.returnsObjectsAsFaults = true
        _ = try context.fetch(request)
      case .count, .countWithChanges: _ = try context.count(request)
      case .ids, .idsWithChanges: _ = try context.fetchIDs(request)
      case .limitedWithChanges:
        request.limit = 1
        _ = try context.fetch(request)
      }
    }
  }

  @Test(
    "a save over another context's save is a conflict, whatever was fetched in between",
    arguments: Question.allCases, bothStores)
  func conflict(_ question: Question, _ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: mine, name: "Rosa")
    painter.prizes = 10
    try mine.save()

    let read = painter.prizes
    try other.existingObject(with: painter.objectID, as: Painter.self).prizes = 15
    try other.save()
    try question.ask(mine)
    #expect(painter.prizes == 10)
    painter.prizes = read - 1
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.conflict])
    #expect(
      try container.makeContext().existingObject(with: painter.objectID, as: Painter.self).prizes
        == 15)
  }

  @Test(
    "the number of a list is that of its objects, when the context has an older place of one",
    arguments: bothStores, LinkedPair.all.filter { $0.second.isToOne && !$0.isOneToOne })
  func counts(_ kind: StoreKind, _ pair: LinkedPair) throws {
    for isRead in [false, true] {
      let container = try Society.container(TestStore(kind))
      let (mine, other) = (container.makeContext(), container.makeContext())
      let owners = try (0..<2).map { _ in try mine.insert(pair.first.entity) }
      let members = try (0..<4).map { _ in try mine.insert(pair.second.entity) }
      for (number, member) in members.enumerated() {
        try pair.link(owners[number / 2], member, by: .first)
      }
      try mine.save()
      mine.refreshAllObjects()
      // The context has all values, or those of one object, and no list.
      for member in isRead ? members : [members[0]] { try mine.fulfill(member) }
      // Each owner gets an object of the other one.
      for (owner, member) in [(1, 0), (0, 2)] {
        try pair.link(
          other.existingObject(with: owners[owner].objectID),
          other.existingObject(with: members[member].objectID), by: .first)
      }
      try other.save()
      for owner in owners {
        let count = try pair.first.count(of: owner)
        #expect(try count == pair.first.others(of: owner).count)
        #expect(try count == pair.first.count(of: owner))
      }
      if pair.first.property == "works" {
        let list = try pair.list(of: owners[1])
        let new = try mine.insert(pair.second.entity)
        list.insert(new, at: list.count)
        #expect(list.last === new)
      }
    }
  }

  @Test("no increment is lost in random interleavings of three contexts", arguments: bothStores)
  func increments(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    var random = SplitMix(seed: 7)
    let filling = container.makeContext()
    let paintings = (0..<5).map { _ in
      Painting(context: filling, widthMillimetres: 1, heightMillimetres: 1)
    }
    try filling.save()
    let ids = paintings.map(\.objectID)
    let contexts = (0..<3).map { _ in container.makeContext() }
    var saved = 0
    for _ in 0..<400 {
      func anyPainting() throws -> (ManagedObjectContext, Painting) {
        let context = contexts[Int.random(in: 0..<3, using: &random)]
        let id = ids[Int.random(in: 0..<5, using: &random)]
        return (context, try context.existingObject(with: id, as: Painting.self))
      }
      func save(_ context: ManagedObjectContext) {
        do {
          try context.save()
          saved += 1
        } catch {
          context.rollback()
          context.refreshAllObjects()
        }
      }
      let (context, painting) = try anyPainting()
      let read = painting.views
      // Another context increments in between, perhaps the same painting, and this context fetches.
      let (other, another) = try anyPainting()
      if other !== context {
        another.views += 1
        save(other)
      }
      try Question.allCases[Int.random(in: 0..<4, using: &random)].ask(context)
      painting.views = read + 1
      save(context)
    }
    let views = try container.makeContext().fetch(Painting.self).reduce(0) { $0 + $1.views }
    #expect(views == saved && saved > 300)
  }

  @Test(
    "a result is filtered and sorted by the store's values, even when registered objects have older values",
    arguments: bothStores)
  func storeValues(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painters = ["Anna", "Berthe", "Camille"].map { Painter(context: mine, name: $0) }
    try mine.save()
    try other.existingObject(with: painters[0].objectID, as: Painter.self).name = "Zoe"
    try other.save()
    #expect(
      try mine.fetch(Painter.self, sortedBy: \.name.ascending).map(\.name)
        == ["Berthe", "Camille", "Anna"])
    #expect(try mine.fetch(Painter.self) { $0.name == "Zoe" } == [painters[0]])
    // The same with an unsaved object, which is sorted by its own value.
    let new = Painter(context: mine, name: "Dora")
    #expect(
      try mine.fetch(Painter.self, sortedBy: \.name.ascending)
        == [painters[1], painters[2], new, painters[0]])
  }

  @Test("counts, fetches of ids and rows beyond a limit change no object", arguments: bothStores)
  func untouched(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let filling = container.makeContext()
    for number in 0..<50 { Painter(context: filling, name: "\(number)").prizes = 1 }
    try filling.save()
    let context = container.makeContext()
    let changed = try #require(try context.fetch(Painter.self, limit: 1).first)
    changed.prizes = 2
    let new = Painter(context: context, name: "New")
    let all = Painter.fetchRequest()
    #expect(try context.count(all) == 51)
    #expect(try context.count(Painter.self) { $0.prizes == 1 } == 49)
    #expect(try context.fetchIDs(all).count == 51)
    #expect(context.registeredObjects == [changed, new])
    var limited = all.sorted(by: \.name.ascending)
    (limited.limit, limited.offset) = (3, 10)
    let page = try context.fetch(limited)
    #expect(page.count == 3)
    #expect(context.registeredObjects == Set(page + [changed, new]))
  }
}
