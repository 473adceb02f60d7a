import Copal
import CopalColor
import CopalModel
import CopalTestSupport
import Foundation
import Observation
import Testing

@testable import CopalObjects

@Suite("Observable objects")
struct ObservableTests {
  private func exhibition(_ kind: StoreKind) throws -> (
    mine: ManagedObjectContext, others: ManagedObjectContext
  ) {
    let container = try TestStore(kind).container(.exhibition)
    return (container.makeContext(), container.makeContext())
  }

  // MARK: At once

  /// A write, the property that is read, and whether its observer is notified.
  struct Write: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reads: @Sendable (Showpiece) -> Void
    let isNotified: Bool
    let write: @Sendable (Showpiece) throws -> Void

    init(
      _ description: String, _ reads: @escaping @Sendable (Showpiece) -> Void,
      notifies isNotified: Bool = true, _ write: @escaping @Sendable (Showpiece) throws -> Void
    ) {
      (testDescription, self.reads, self.isNotified, self.write) =
        (description, reads, isNotified, write)
    }
  }

  static let writes = [
    Write("an attribute", { _ = $0.title }) { $0.title = "Nymph" },
    Write("the same value", { _ = $0.title }) { $0.title = $0.title },
    Write("another attribute", { _ = $0.title }, notifies: false) { $0.visitors = 1 },
    Write("a scaled decimal", { _ = $0.price }) { $0.price = 12.5 },
    Write("a transformable", { _ = $0.palette }) { $0.palette = [.red] },
    Write("a transient of it", { _ = $0.label }) { $0.title = "Nymph" },
    Write("a transient of another one", { _ = $0.label }, notifies: false) { $0.visitors = 1 },
    Write("an attribute by its name", { _ = $0.title }) { try $0.setValue("N", forKey: "title") },
    Write("a transformable by its name", { _ = $0.palette }) {
      try $0.setValue([SerializableColor.red], forKey: "palette")
    },
    Write("a custom accessor", { _ = $0.code }) { $0.code = "N1" },
    Write("a primitive value", { _ = $0.title }, notifies: false) {
      try $0.setPrimitiveValue("N", forKey: "title")
    },
    Write("a subclass", { _ = ($0 as? Bust)?.person }) { ($0 as? Bust)?.person = "Nero" },
    Write("a superclass", { _ = $0.visitors }) { $0.visitors = 1 },
    Write("a class of a person", { _ = ($0 as? Statue)?.weight }) {
      ($0 as? Statue)?.weight = 2
    },
  ]

  @Test("a write of an attribute notifies at once", arguments: writes, bothStores)
  func atOnce(_ write: Write, _ kind: StoreKind) throws {
    let (context, _) = try exhibition(kind)
    let bust = Bust(context: context)
    try context.save()
    let clean = Watch { write.reads(bust) }
    try write.write(bust)
    #expect(clean.isNotified == write.isNotified)
    let changed = Watch { write.reads(bust) }
    try write.write(bust)
    #expect(changed.isNotified == write.isNotified)
  }

  @Test("the observer is notified before the write, and reads the former value")
  func before() throws {
    let (context, _) = try exhibition(.memory)
    let exhibit = Showpiece(context: context)
    exhibit.title = "Faun"
    nonisolated(unsafe) let observed = exhibit
    nonisolated(unsafe) var titles: [String] = []
    withObservationTracking {
      _ = exhibit.title
    } onChange: {
      titles.append(observed.title)
    }
    exhibit.title = "Nymph"
    #expect(titles == ["Faun"])
    #expect(exhibit.title == "Nymph")
  }

  @Test("an observer that saves in the middle of a write loses nothing", arguments: bothStores)
  func savingObserver(_ kind: StoreKind) throws {
    let (context, others) = try exhibition(kind)
    let exhibit = Showpiece(context: context)
    try context.save()
    nonisolated(unsafe) let saved = context
    withObservationTracking {
      _ = exhibit.title
    } onChange: {
      _ = try? saved.save()
    }
    exhibit.title = "Nymph"
    #expect(context.hasChanges)
    try context.save()
    #expect(try others.fetch(Showpiece.self).map(\.title) == ["Nymph"])
  }

  // MARK: At the end of the turn

  /// The objects of a case: an exhibit in a hall, another one, and a motif.
  struct Scene {
    let mine: ManagedObjectContext
    let others: ManagedObjectContext
    let hall: Hall
    let exhibit: Showpiece
    let other: Showpiece
    let motif: Motif

    /// Changes the exhibit in the other context.
    func elsewhere(_ change: (Showpiece) throws -> Void) throws {
      let object = try others.existingObject(with: exhibit.objectID, as: Showpiece.self)
      try others.refresh(object, mergeChanges: false)
      try change(object)
      try others.save()
    }
  }

  struct Turn: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let reads: @Sendable (Scene) -> Void
    let isNotified: Bool
    let change: @Sendable (Scene) throws -> Void

    init(
      _ description: String, _ reads: @escaping @Sendable (Scene) -> Void,
      notifies isNotified: Bool = true, _ change: @escaping @Sendable (Scene) throws -> Void
    ) {
      (testDescription, self.reads, self.isNotified, self.change) =
        (description, reads, isNotified, change)
    }
  }

  static let turns = [
    // Relationships
    Turn("a to-one relationship", { _ = $0.other.hall }) { $0.other.hall = $0.hall },
    Turn("its other end", { _ = $0.hall.exhibits.count }) { $0.other.hall = $0.hall },
    Turn("its other end, read", { _ = $0.hall.exhibits.map(\.title) }) { $0.other.hall = $0.hall },
    Turn("a former owner", { _ = $0.hall.exhibits.count }) { $0.exhibit.hall = nil },
    Turn("a to-many relationship", { _ = $0.other.hall }) { $0.hall.exhibits.insert($0.other) },
    Turn("an ordered list", { _ = $0.hall.queue.count }) { $0.hall.queue.append($0.other) },
    Turn("a move in an ordered list", { _ = $0.hall.queue.first }) {
      $0.hall.queue.replaceAll(with: [$0.other, $0.exhibit])
    },
    Turn("an order by a value", { _ = $0.hall.exhibits.map(\.objectID) }) {
      $0.exhibit.title = "Zephyr"
    },
    Turn("a link", { _ = $0.exhibit.motifs.count }) { $0.motif.exhibits.insert($0.exhibit) },
    Turn("a one-to-one relationship", { _ = $0.other.companionOf }) {
      $0.exhibit.companion = $0.other
    },
    Turn("an inserted member", { _ = $0.hall.exhibits.count }) {
      Showpiece(context: $0.mine).hall = $0.hall
    },
    Turn("a deleted member", { _ = $0.hall.exhibits.count }) { $0.mine.delete($0.exhibit) },
    Turn("a deleted member of a list", { _ = $0.hall.queue.count }) { $0.mine.delete($0.exhibit) },
    Turn("a deleted object of a to-one relationship", { _ = $0.exhibit.hall }) {
      $0.mine.delete($0.hall)
    },
    Turn("a relationship by name", { _ = $0.hall.exhibits.count }) {
      try $0.other.setValue($0.hall, forKey: "hall")
    },
    Turn("another relationship", { _ = $0.hall.queue.count }, notifies: false) {
      $0.other.hall = $0.hall
    },
    // What the context does
    Turn("a deletion", { _ = $0.exhibit.title }) { $0.mine.delete($0.exhibit) },
    Turn("a rollback", { _ = $0.exhibit.title }) {
      try $0.exhibit.setPrimitiveValue("Faun", forKey: "title")
      $0.exhibit.visitors = 5
      $0.mine.rollback()
    },
    Turn("a rollback of a relationship", { _ = $0.hall.exhibits.count }) {
      $0.other.hall = $0.hall
      $0.mine.rollback()
    },
    Turn("a refresh", { _ = $0.exhibit.title }) {
      try $0.mine.refresh($0.exhibit, mergeChanges: false)
    },
    Turn("a refresh that finds nothing new", { _ = $0.exhibit.title }, notifies: false) {
      try $0.mine.refresh($0.exhibit, mergeChanges: true)
    },
    Turn("faults of all", { _ = $0.exhibit.title }) { $0.mine.refreshAllObjects() },
    Turn("a reset", { _ = $0.exhibit.title }) { $0.mine.reset() },
    Turn("a batch", { _ = $0.exhibit.title }) {
      try $0.mine.updateAll(Showpiece.self) { $0.title.set(to: "Nymph") }
    },
    Turn("a batch that deletes members", { _ = $0.hall.exhibits.count }) {
      try $0.mine.deleteAll(Showpiece.self)
    },
    Turn("a transaction that is undone", { _ = $0.exhibit.title }) { scene in
      struct Stop: Error {}
      try? scene.mine.transaction {
        try scene.exhibit.setPrimitiveValue("Faun", forKey: "title")
        scene.exhibit.visitors = 3
        try scene.mine.save()
        throw Stop()
      }
    },
    Turn("a save", { _ = $0.exhibit.title }, notifies: false) {
      $0.exhibit.visitors = 7
      try $0.mine.save()
    },
    Turn("a fetch", { _ = $0.exhibit.title }, notifies: false) {
      _ = try $0.mine.fetch(Showpiece.self)
    },
    // What others do
    Turn("a merged value", { _ = $0.exhibit.title }) {
      try $0.elsewhere { $0.title = "Nymph" }
      $0.mine.mergeChanges()
    },
    Turn("another merged value", { _ = $0.exhibit.title }, notifies: false) {
      try $0.elsewhere { $0.visitors = 2 }
      $0.mine.mergeChanges()
    },
    Turn("a merged value below a change", { _ = $0.exhibit.title }) {
      $0.exhibit.visitors = 9
      try $0.elsewhere { $0.title = "Nymph" }
      $0.mine.mergeChanges()
    },
    Turn("a merged deletion", { _ = $0.exhibit.title }) {
      try $0.elsewhere { $0.managedObjectContext?.delete($0) }
      $0.mine.mergeChanges()
    },
    Turn("a merged deletion of a member", { _ = $0.hall.exhibits.count }) {
      try $0.elsewhere { $0.managedObjectContext?.delete($0) }
      $0.mine.mergeChanges()
    },
    Turn("a merged member, of a list that was counted", { _ = $0.hall.exhibits.count }) { scene in
      try scene.elsewhere { Showpiece(context: scene.others).hall = $0.hall }
      scene.mine.mergeChanges()
    },
    Turn("a merged link", { _ = $0.exhibit.motifs.count }) { scene in
      try scene.elsewhere { $0.motifs.insert(Motif(context: scene.others)) }
      scene.mine.mergeChanges()
    },
    Turn("a fetch that finds a newer row", { _ = $0.exhibit.title }) {
      try $0.elsewhere { $0.title = "Nymph" }
      var request = Showpiece.fetchRequest()
      request.refreshesObjects = true
      _ = try $0.mine.fetch(request)
    },
    Turn("what a policy takes from others", { _ = $0.exhibit.title }) {
      $0.mine.mergePolicy = .mergeByPropertyStoreTrump
      try $0.elsewhere { $0.title = "Nymph" }
      $0.exhibit.title = "Muse"
      try $0.mine.save()
    },
    Turn("what a policy merges", { _ = $0.exhibit.title }) {
      $0.mine.mergePolicy = .mergeByPropertyObjectTrump
      try $0.elsewhere { $0.title = "Nymph" }
      $0.exhibit.visitors = 8
      try $0.mine.save()
    },
  ]

  @Test("everything else notifies at the end of the turn", arguments: turns, bothStores)
  func turn(_ turn: Turn, _ kind: StoreKind) throws {
    let (mine, others) = try exhibition(kind)
    mine.automaticallyMergesChanges = true
    let (hall, exhibit, other) = (
      Hall(context: mine), Showpiece(context: mine), Showpiece(context: mine)
    )
    exhibit.title = "Faun"
    other.title = "Satyr"
    exhibit.hall = hall
    hall.queue.append(exhibit)
    let motif = Motif(context: mine)
    try mine.save()
    let scene = Scene(
      mine: mine, others: others, hall: hall, exhibit: exhibit, other: other, motif: motif)
    let watch = Watch { turn.reads(scene) }
    try turn.change(scene)
    mine.processPendingChanges()
    #expect(watch.isNotified == turn.isNotified)
    #expect(mine.state.hasObservedObjects)
  }

  @Test("a loop of changes in a relationship notifies once, when all are done")
  func once() throws {
    let (context, _) = try exhibition(.memory)
    let hall = Hall(context: context)
    let watch = Watch { _ = hall.exhibits.count }
    for _ in 0..<10 {
      Showpiece(context: context).hall = hall
      #expect(!watch.isNotified)
    }
    context.processPendingChanges()
    #expect(watch.isNotified)
  }

  @MainActor @Test("on the main actor, the turn ends with the job")
  func mainActor() async throws {
    let container = try TestStore(.memory).container(.exhibition)
    let view = container.viewContext
    let exhibit = Showpiece(context: view)
    try view.save()
    let watch = Watch { _ = exhibit.title }
    let id = exhibit.objectID
    try await container.perform { context in
      try context.existingObject(with: id, as: Showpiece.self).title = "Nymph"
      try context.save()
    }
    #expect(watch.isNotified)
    #expect(exhibit.title == "Nymph")
    let relationship = Watch { _ = exhibit.hall }
    exhibit.hall = Hall(context: view)
    for _ in 0..<1000 where !relationship.isNotified { await Task.yield() }
    #expect(relationship.isNotified)
  }

  @Test("objects of other classes, and unread ones, are not observed")
  func unobserved() throws {
    let (context, _) = try exhibition(.memory)
    let motif = Motif(context: context)
    let exhibit = Showpiece(context: context)
    _ = motif.name
    exhibit.title = "Faun"
    #expect(!context.state.hasObservedObjects)
    #expect(!exhibit.flags.contains(.observed))
    _ = exhibit.title
    #expect(exhibit.flags.contains(.observed))
  }

  @Test("an observer may outlive the object and its context")
  func released() throws {
    var watch: Watch?
    try {
      let (context, _) = try exhibition(.memory)
      let exhibit = Showpiece(context: context)
      watch = Watch { _ = exhibit.title }
    }()
    #expect(watch?.isNotified == false)
  }
}
