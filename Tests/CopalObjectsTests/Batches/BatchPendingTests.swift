import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Unsaved changes of a context that notices a batch")
struct BatchPendingTests {
  // New owners have no members in the store, and these were read from there.
  @Test("new objects keep their related objects", arguments: bothStores)
  func newObjects(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.graph)
    let (context, other) = (container.makeContext(), container.makeContext())
    let saved = Ware(context: context)
    try context.save()
    let (maker, ware, mark) = (
      Maker(context: context), Ware(context: context), Mark(context: context)
    )
    (ware.maker, saved.maker) = (maker, maker)
    for each in [ware, saved] { mark.ware.insert(each) }
    ware.list.append(saved)
    try other.updateAll(Ware.self) { $0.count.set(to: 3) }
    try other.updateAll(Maker.self) { $0.budget.set(to: 3) }
    try other.updateAll(Mark.self) { $0.rank.set(to: 3) }
    #expect(try context.count(Maker.self) == 1)
    #expect(Set(maker.ware) == [ware, saved] && Set(mark.ware) == [ware, saved])
    #expect(Array(ware.list) == [saved] && Array(ware.tags) == [mark] && ware.maker == maker)
    #expect(Array(saved.tags) == [mark] && saved.maker == maker)
    #expect(try context.fetch(Maker.self) { $0.ware.contains { $0.maker != nil } } == [maker])
    try context.refresh(saved, mergeChanges: true)
    context.delete(maker)
    #expect(ware.maker == nil && saved.maker == nil)
    context.delete(saved)
    #expect(Array(mark.ware) == [ware] && Array(ware.list).isEmpty)
    try context.save()
    #expect(try other.fetch(Mark.self).map(\.ware.count) == [1])
  }

  /// A saved ware, and another context, in which it has changes that write nothing in its row.
  private struct Changed {
    let context: ManagedObjectContext
    let other: ManagedObjectContext
    let ware: Ware
    let mark: Mark

    init(_ kind: StoreKind) throws {
      let container = try TestStore(kind).container(.graph)
      (context, other) = (container.makeContext(), container.makeContext())
      let stored = Ware(context: other)
      (stored.name, stored.count) = ("old", 1)
      _ = Mark(context: other)
      try other.save()
      ware = try #require(try context.fetch(Ware.self).first)
      mark = try #require(try context.fetch(Mark.self).first)
    }
  }

  @Test("an object becomes a fault when it has no changes any more", arguments: bothStores)
  func withoutChanges(_ kind: StoreKind) throws {
    let changes: [(String, (Changed) -> Void, (Changed) throws -> Void)] = [
      ("the value that it had", { $0.ware.count = 1 }, { try $0.context.save() }),
      ("a link", { $0.ware.tags.insert($0.mark) }, { try $0.context.save() }),
      ("a rollback", { $0.ware.count = 9 }, { $0.context.rollback() }),
      ("a rollback of a deletion", { $0.context.delete($0.ware) }, { $0.context.rollback() }),
      (
        "a refresh", { $0.ware.count = 9 }, { try $0.context.refresh($0.ware, mergeChanges: false) }
      ),
    ]
    for (name, change, end) in changes {
      let changed = try Changed(kind)
      change(changed)
      try changed.other.updateAll(Ware.self) { $0.name.set(to: "new") }
      #expect(try changed.context.count(Maker.self) == 0)
      #expect(changed.ware.name == "old", "unsaved changes stay: \(name)")
      try end(changed)
      #expect(changed.ware.isFault && changed.ware.name == "new", "\(name)")
      changed.ware.name = "mine"
      try changed.context.save()
      changed.other.refreshAllObjects()
      #expect(try changed.other.fetch(Ware.self) { $0.name == "mine" }.count == 1, "\(name)")
    }
  }

  @Test("an object that a batch has deleted is missing after a rollback", arguments: bothStores)
  func deleted(_ kind: StoreKind) throws {
    for change in [{ $0.ware.count = 1 }, { $0.ware.count = 9 }] as [(Changed) -> Void] {
      let changed = try Changed(kind)
      change(changed)
      try changed.other.deleteAll(Ware.self)
      #expect(try changed.context.count(Maker.self) == 0)
      changed.context.rollback()
      #expect(changed.ware.name == nil && changed.ware.isMissingInStore)
    }
  }

  @Test("a save that writes a row that a batch has changed is refused", arguments: bothStores)
  func conflict(_ kind: StoreKind) throws {
    let changed = try Changed(kind)
    changed.ware.count = 9
    try changed.other.updateAll(Ware.self) { $0.name.set(to: "new") }
    let error = #expect(throws: PersistenceError.self) { try changed.context.save() }
    #expect(error?.causeCodes == [.conflict])
    try changed.context.refresh(changed.ware, mergeChanges: true)
    try changed.context.save()
    #expect(changed.ware.name == "new" && changed.ware.count == 9 && !changed.ware.isFault)
  }

  @Test("a refresh reads the related objects of faults, too", arguments: bothStores)
  func members(_ kind: StoreKind) throws {
    let refreshes: [(String, (ManagedObjectContext, Maker) throws -> Void)] = [
      ("all objects", { context, _ in context.refreshAllObjects() }),
      ("one object", { try $0.refresh($1, mergeChanges: false) }),
      ("one object with its changes", { try $0.refresh($1, mergeChanges: true) }),
    ]
    for (name, refresh) in refreshes {
      for isFault in [true, false] {
        let container = try TestStore(kind).container(.graph)
        let (context, other) = (container.makeContext(), container.makeContext())
        let stored = Maker(context: other)
        try other.save()
        let maker = try #require(try context.existingObject(with: stored.objectID) as? Maker)
        if isFault { context.refreshAllObjects() }
        #expect(Array(maker.ware).isEmpty && maker.isFault == isFault)
        Ware(context: other).maker = stored
        try other.save()
        try refresh(context, maker)
        #expect(maker.ware.count == 1, "\(name), fault: \(isFault)")
      }
    }
  }

  @Test("decimals of different scales can be compared", arguments: bothStores)
  func decimals(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.graph).makeContext()
    for (price, weight) in [("1.50", "1.5"), ("2.00", "1.999"), ("0.01", "12345678901234567890")] {
      let ware = Ware(context: context)
      (ware.price, ware.weight) = (Decimal(string: price), Decimal(string: weight))
    }
    Ware(context: context).price = 7
    for round in 0..<2 {
      if round == 1 { try context.save() }
      func prices(_ found: [Ware]) -> [Decimal?] { found.map(\.price) }
      let equal = try context.fetch(Ware.self) { $0.price == $0.weight }
      #expect(prices(equal) == [Decimal(string: "1.5")])
      #expect(try prices(context.fetch(Ware.self) { $0.price > $0.weight }) == [2])
      #expect(
        try prices(context.fetch(Ware.self) { $0.weight > $0.price }) == [Decimal(string: "0.01")])
      let text = try FetchPredicate(format: "price >= weight")
      #expect(try context.fetch(FetchRequest<Ware>(predicate: text)).count == 2)
    }
    #expect(
      try context.updateAll(Ware.self, where: { $0.price < $0.weight }) { $0.price.set(to: 5) } == 1
    )
  }
}
