import Copal
import CopalColor
import CopalTestSupport
import Foundation
import Testing

@Suite("Lifetimes of contexts and objects")
struct LifetimeTests {
  /// A weak reference to an object.
  private struct Probe {
    weak var object: ManagedObject?
    init(_ object: ManagedObject) { self.object = object }
  }

  @Test(
    "a context that ends releases ten thousand objects, also new and changed ones",
    arguments: bothStores)
  func leaks(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    var probes: [Probe] = []
    do {
      let context = container.makeContext()
      let saved = (0..<5000).map {
        Painting(context: context, widthMillimetres: Int32($0 + 1), heightMillimetres: 1)
      }
      try context.save()
      for painting in saved.prefix(2500) {
        painting.palette = [.red]
        _ = painting.areaSquareMillimetres
      }
      let new = (0..<5000).map { Painter(context: context, name: "Painter \($0)") }
      probes = saved.map { Probe($0) } + new.map { Probe($0) }
    }
    #expect(probes.count { $0.object != nil } == 0)
  }

  @Test(
    "an object outlives its context with the values it has; a fault then reads as missing",
    arguments: bothStores)
  func contextFirst(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.atelier()
    func objects() throws -> (loaded: Painter, fault: Painter, new: Painter) {
      let context = container.makeContext()
      let (first, second) = (
        Painter(context: context, name: "Loaded"), Painter(context: context, name: "Fault")
      )
      try context.save()
      try context.refresh(second, mergeChanges: false)
      return (first, second, Painter(context: context, name: "New"))
    }
    let (loaded, fault, new) = try objects()
    #expect(loaded.name == "Loaded" && loaded.managedObjectContext == nil)
    #expect(fault.name == "" && fault.isFault && fault.isDeleted)
    let reported = store.takeReadFailures()
    #expect(reported.map(\.code) == [.objectMissing] && reported.first?.objectID == fault.objectID)
    #expect(reported.first?.found == "its context was released or reset")
    #expect(throws: PersistenceError.self) { try fault.value(of: "name", as: String.self) }
    #expect(new.name == "New")
    for object in [loaded, fault, new] {
      object.name = "Changed"
      _ = object.changedValues()
      _ = object.committedValues()
      _ = object.description
    }
    #expect(loaded.name == "Changed")
    #expect(try container.makeContext().fetch(Painter.self).map(\.name) == ["Loaded", "Fault"])
  }

  @Test("an unreferenced object is released while its context lives", arguments: bothStores)
  func objectFirst(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    var probes: [Probe] = []
    for round in 0..<3 {
      let painters = (0..<2000).map { Painter(context: context, name: "\(round)-\($0)") }
      try context.save()
      probes += painters.map { Probe($0) }
    }
    #expect(context.registeredObjects.isEmpty)
    #expect(probes.count { $0.object != nil } == 0)
    #expect(try context.count(Painter.self) == 6000)
  }

  @Test("a context keeps a changed object until it is saved or rolled back", arguments: bothStores)
  func changed(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    _ = Painter(context: context, name: "Rosa")
    try context.save()
    func change() throws -> Probe {
      let painter = try #require(try context.fetch(Painter.self).first)
      painter.prizes += 1
      return Probe(painter)
    }
    let first = try change()
    #expect(context.registeredObjects.count == 1 && first.object != nil)
    try context.save()
    #expect(context.registeredObjects.isEmpty && first.object == nil)
    let second = try change()
    context.rollback()
    #expect(context.registeredObjects.isEmpty && second.object == nil)
    // Changes that were undone do not keep it alive either.
    let third = try change()
    (third.object as? Painter)?.prizes -= 1
    try context.save()
    #expect(context.registeredObjects.isEmpty && third.object == nil)
  }

  @Test("a save without changes releases a new object that was deleted")
  func deletedNew() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    func makeAndDelete() -> Probe {
      let painter = Painter(context: context, name: "Nobody")
      context.delete(painter)
      return Probe(painter)
    }
    let probe = makeAndDelete()
    try context.save()
    #expect(probe.object == nil)
  }

  @Test("a context ends while its objects reference each other", arguments: bothStores)
  func rings(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    weak var context: ManagedObjectContext?
    do {
      let made = container.makeContext()
      context = made
      for _ in 0..<100 { _ = Apprentice(context: made, name: "Paul") }
      for apprentice in try made.fetch(Apprentice.self) {
        apprentice.onWillSave = { [unowned apprentice] in apprentice.skill += 1 }
      }
      try made.save()
    }
    #expect(context == nil)
  }

  // The last reference to an object may be dropped on any thread, because no deinit uses the
  // context.
  @Test("objects may be released on other threads while their context works", arguments: bothStores)
  func otherThreads(_ kind: StoreKind) async throws {
    /// @unchecked: the other thread only releases the objects.
    final class Parcel: @unchecked Sendable {
      private var objects: [ManagedObject]
      init(_ objects: [ManagedObject]) { self.objects = objects }
      func drop() { objects = [] }
    }
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    for index in 0..<200 { _ = Painter(context: context, name: "Painter \(index)") }
    try context.save()
    var droppers: [Task<Void, Never>] = []
    for round in 0..<100 {
      let parcel = Parcel(try context.fetch(Painter.self))
      droppers.append(Task.detached { parcel.drop() })
      for painter in try context.fetch(Painter.self, limit: 20) {
        #expect(painter.name.hasPrefix("Painter"))
      }
      if round % 10 == 0 { #expect(context.registeredObjects.count <= 200) }
      if round % 25 == 0 { context.reset() }
    }
    for dropper in droppers { await dropper.value }
    #expect(context.registeredObjects.isEmpty)
  }

  @Test("a context may end on another thread while an object is read")
  func contextElsewhere() async throws {
    /// @unchecked: the other thread only releases the context.
    final class Parcel: @unchecked Sendable {
      private var context: ManagedObjectContext?
      init(_ context: ManagedObjectContext) { self.context = context }
      func drop() { context = nil }
    }
    let container = try TestStore(.memory).atelier()
    let filling = container.makeContext()
    for index in 0..<100 { _ = Painter(context: filling, name: "Painter \(index)") }
    try filling.save()
    for _ in 0..<100 {
      func faults() throws -> (Parcel, [Painter]) {
        let context = container.makeContext()
        var request = Painter.fetchRequest()
        request.returnsObjectsAsFaults = true
        request.faultBatchSize = 5
        return (Parcel(context), try context.fetch(request))
      }
      let (parcel, painters) = try faults()
      let dropper = Task.detached { parcel.drop() }
      for painter in painters {
        let name = painter.name
        #expect(name.hasPrefix("Painter") || (name.isEmpty && painter.isDeleted))
      }
      await dropper.value
    }
  }

  @Test("opening, using and closing a container leaks no file descriptor")
  func descriptors() throws {
    func count() throws -> Int {
      try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
    }
    guard FileManager.default.fileExists(atPath: "/proc/self/fd") else { return }
    func work() throws {
      let contexts = try (0..<3).map { _ in try TestStore().atelier().makeContext() }
      for context in contexts {
        _ = Painter(context: context, name: "Rosa")
        try context.save()
      }
    }
    let before = try count()
    for _ in 0..<30 { try work() }
    // Other tests run at the same time and open descriptors too; a leak would be at least 90.
    #expect(try count() < before + 80)
  }
}
