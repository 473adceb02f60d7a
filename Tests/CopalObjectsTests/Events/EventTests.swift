import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Events of a context")
struct EventTests {
  /// Collects what a context tells.
  private final class Listener {
    var events: [ObjectChanges] = []
    var lines: [String] = []
    var subscriptions: [ChangeSubscription] = []

    init(_ context: ManagedObjectContext) {
      subscriptions.append(
        context.onChange { [unowned self] changes in
          events.append(changes)
          lines.append(Self.line(changes))
        })
    }

    static func line(_ changes: ObjectChanges) -> String {
      func names(_ word: String, _ objects: Set<ManagedObject>) -> String? {
        if objects.isEmpty { return nil }
        return word + " "
          + objects.map { object in
            let name = (object as? Painter)?.name ?? object.entityName
            let changed = changes.changedProperties(of: object).sorted()
            return name + (changed.isEmpty ? "" : "(\(changed.joined(separator: " ")))")
          }.sorted().joined(separator: ", ")
      }
      return [
        names("inserted", changes.inserted), names("updated", changes.updated),
        names("deleted", changes.deleted), names("refreshed", changes.refreshed),
        names("invalidated", changes.invalidated), changes.invalidatesAll ? "all" : nil,
      ].compactMap(\.self).joined(separator: "; ")
    }
  }

  private func pair(_ kind: StoreKind) throws -> (
    ManagedObjectContext, ManagedObjectContext, Painter, Listener
  ) {
    let container = try TestStore(kind).atelier()
    let (mine, others) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let painter = Painter(context: mine, name: "Rosa")
    try mine.save()
    return (mine, others, painter, Listener(mine))
  }

  @Test("each object is in one set, once in a turn", arguments: bothStores)
  func sets(_ kind: StoreKind) throws {
    let (context, _, rosa, listener) = try pair(kind)
    let berthe = Painter(context: context, name: "Berthe")
    berthe.prizes = 2
    rosa.prizes = 1
    rosa.prizes = 2
    let gone = Painter(context: context, name: "Gone")
    context.delete(gone)
    #expect(listener.lines == [], "nothing is told within a turn")
    context.processPendingChanges()
    #expect(listener.lines == ["inserted Berthe; updated Rosa(prizes)"])
    context.processPendingChanges()
    #expect(listener.lines.count == 1, "a turn without changes is no event")
    rosa.name = "Rosa B."
    rosa.prizes = 2
    context.delete(berthe)
    context.processPendingChanges()
    #expect(listener.lines.last == "updated Rosa B.(name); deleted Berthe")
  }

  @Test("a save ends a turn, and a rollback is one", arguments: bothStores)
  func saves(_ kind: StoreKind) throws {
    let (context, _, rosa, listener) = try pair(kind)
    rosa.prizes = 1
    try context.save()
    #expect(listener.lines == ["updated Rosa(prizes)"], "the save itself changes nothing")
    rosa.prizes = 3
    _ = Painter(context: context, name: "New")
    context.processPendingChanges()
    context.rollback()
    context.processPendingChanges()
    #expect(listener.lines.last == "deleted New; refreshed Rosa(prizes)")
    context.delete(rosa)
    try context.save()
    #expect(listener.lines.last == "deleted Rosa")
  }

  @Test("the owner of a list whose order alone has changed is updated", arguments: bothStores)
  func orders(_ kind: StoreKind) throws {
    let context = try Society.container(TestStore(kind)).makeContext()
    let studio = try context.insert("Studio")
    let works = try (0..<3).map { _ in try context.insert("Work") }
    try studio.setValue(works, forKey: "works")
    try context.save()
    let listener = Listener(context)
    let list = try #require(try studio.value(of: "works", as: OrderedToMany<ManagedObject>.self))
    list.move(fromOffsets: [2], toOffset: 0)
    context.processPendingChanges()
    let event = try #require(listener.events.last)
    #expect(event.updated == [studio, works[2]])
    #expect(event.changedProperties(of: studio) == ["works"])
    try context.save()
    #expect(!context.hasChanges && list.map(\.self) == [works[2], works[0], works[1]])
  }

  @Test("what others save is told when it is merged", arguments: bothStores)
  func merging(_ kind: StoreKind) throws {
    let (context, others, rosa, listener) = try pair(kind)
    let theirs = try others.existingObject(with: rosa.objectID, as: Painter.self)
    theirs.name = "Rosa B."
    try others.save()
    context.mergeChanges()
    #expect(listener.lines == ["refreshed Rosa B.(name)"])
    #expect(listener.events.last?.merged.first?.updated == [rosa.objectID])
    others.delete(theirs)
    try others.save()
    context.mergeChanges()
    #expect(listener.lines.last == "deleted Rosa B.")
  }

  @Test("an object with unsaved changes that others have deleted is told", arguments: bothStores)
  func deletedBelowChanges(_ kind: StoreKind) throws {
    let (context, others, rosa, listener) = try pair(kind)
    rosa.prizes = 3
    context.processPendingChanges()
    others.delete(try others.existingObject(with: rosa.objectID))
    try others.save()
    context.mergeChanges()
    #expect(listener.lines.last == "deleted Rosa")
    #expect(rosa.isDeleted && rosa.managedObjectContext === context && rosa.prizes == 3)
  }

  @Test(
    "an object that a batch of another context has deleted is told, and leaves",
    arguments: bothStores)
  func deletedByBatch(_ kind: StoreKind) throws {
    let (context, others, rosa, listener) = try pair(kind)
    let berthe = Painter(context: context, name: "Berthe")
    try context.save()
    _ = try others.deleteAll(Painter.self, where: { $0.name == "Rosa" })
    context.mergeChanges()
    #expect(listener.events.last?.deleted == [rosa])
    #expect(rosa.managedObjectContext == nil && rosa.isDeleted)
    #expect(!berthe.isDeleted && berthe.name == "Berthe")
  }

  @Test("refreshed and forgotten objects", arguments: bothStores)
  func refreshing(_ kind: StoreKind) throws {
    let (context, others, rosa, listener) = try pair(kind)
    let theirs = try others.existingObject(with: rosa.objectID, as: Painter.self)
    theirs.prizes = 9
    try others.save()
    try context.refresh(rosa, mergeChanges: true)
    context.processPendingChanges()
    #expect(listener.lines == ["refreshed Rosa(prizes)"])
    try context.refresh(rosa, mergeChanges: false)
    context.processPendingChanges()
    #expect(listener.events.last?.invalidated == [rosa])
    context.refreshAllObjects()
    context.processPendingChanges()
    #expect(listener.events.last?.invalidatesAll == true)
    context.reset()
    context.processPendingChanges()
    #expect(listener.events.count == 4)
  }

  @Test("a listener may change, save, and end its own subscription", arguments: bothStores)
  func reentrancy(_ kind: StoreKind) throws {
    let (context, _, rosa, listener) = try pair(kind)
    var subscription: ChangeSubscription?
    var count = 0
    subscription = context.onChange { [unowned context] _ in
      count += 1
      subscription?.cancel()
      rosa.prizes += 1
      _ = try? context.save()
    }
    rosa.name = "R"
    context.processPendingChanges()
    #expect(count == 1 && rosa.prizes == 1 && !context.hasChanges)
    context.processPendingChanges()
    #expect(count == 1)
    #expect(listener.lines == ["updated R(name)", "updated R(prizes)"])
    withExtendedLifetime(subscription) {}
  }

  @Test("before and after a save", arguments: bothStores)
  func saving(_ kind: StoreKind) throws {
    let (context, others, rosa, _) = try pair(kind)
    var calls: [String] = []
    let subscriptions = [
      context.onWillSave {
        calls.append("will")
        rosa.prizes += 1
      },
      context.onDidSave { calls.append("did \($0.resolved.map(\.outcome))") },
    ]
    try context.save()
    #expect(calls == [], "there was nothing to save")
    rosa.name = "R"
    try context.save()
    #expect(calls == ["will", "did []"] && rosa.prizes == 1 && !context.hasChanges)
    let theirs = try others.existingObject(with: rosa.objectID, as: Painter.self)
    theirs.name = "Other"
    try others.save()
    rosa.name = "Mine"
    #expect(throws: PersistenceError.self) { try context.save() }
    context.mergePolicy = .mergeByPropertyObjectTrump
    try context.save()
    #expect(calls.suffix(3) == ["will", "will", "did [CopalObjects.SaveReport.Outcome.written]"])
    withExtendedLifetime(subscriptions) {}
  }

  @Test("ten thousand subscriptions begun and ended leave nothing")
  func subscriptions() throws {
    let (context, _, _, _) = try pair(.memory)
    for _ in 0..<10_000 { _ = context.onChange { _ in } }
    let kept = context.onChange { _ in }
    #expect((context.state.events?.changes.calls.count ?? 0) < 20)
    withExtendedLifetime(kept) {}
  }

  @Test("the events as a sequence, which merges and ends with its context", arguments: bothStores)
  func sequence(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let reader = Reader(container)
    let context = container.makeContext()
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    let id = painter.objectID
    let found = Task { try await reader.read(id, until: 3) }
    while await !reader.isReading { await Task.yield() }
    for prizes in 1...3 {
      painter.prizes = Int16(prizes)
      try context.save()
    }
    #expect(try await found.value.last == 3)
  }

  private actor Reader {
    private let context: ManagedObjectContext
    private(set) var isReading = false

    init(_ container: PersistentContainer) { context = container.makeContext() }

    func read(_ id: ManagedObjectID, until last: Int16) async throws -> [Int16] {
      let painter = try context.existingObject(with: id, as: Painter.self)
      var found: [Int16] = []
      var iterator = context.changes.makeAsyncIterator()
      isReading = true
      while painter.prizes < last, await iterator.next(isolation: #isolation) != nil {
        found.append(painter.prizes)
      }
      return found
    }
  }

  @MainActor
  @Test("a turn of the main actor ends with its job")
  func mainActor() async throws {
    let container = try TestStore().atelier()
    let context = container.viewContext
    let listener = Listener(context)
    let painter = Painter(context: context, name: "Rosa")
    #expect(listener.lines == [])
    await Task.yield()
    while listener.lines.isEmpty { await Task.yield() }
    #expect(listener.lines == ["inserted Rosa"])
    painter.name = "R"
    while listener.lines.count < 2 { await Task.yield() }
    #expect(listener.lines.last == "inserted R" || listener.lines.last == "updated R(name)")
  }
}
