import Copal
import CopalTestSupport
import Foundation
import Testing

/// The compiler cannot check which thread drops the last reference. Run this suite under the thread
/// sanitizer too: `Scripts/test-sanitizers thread`.
@Suite("Lifetimes of contexts and objects across threads")
struct LifetimeTests {
  /// A main-actor view model whose last reference a detached task drops, while the main actor goes
  /// on with other objects of the same context.
  @MainActor
  final class ViewModel {
    let pigments: [Pigment]
    init(_ context: ManagedObjectContext) throws { pigments = try context.fetch(Pigment.self) }
  }

  @Test("a detached task may release the last reference to objects") @MainActor
  func aDetachedTaskMayDropTheLastReferenceToObjects() async throws {
    let container = try filled(200)
    let context = container.viewContext
    for _ in 0..<50 {
      var viewModel: ViewModel? = try ViewModel(context)
      let kept = viewModel?.pigments.last
      let box = Handover(viewModel)
      viewModel = nil
      let release = Task.detached { box.drop() }
      // Fetches register and sweep while the objects are being released elsewhere.
      for _ in 0..<5 {
        _ = try context.fetch(Pigment.self, limit: 20)
        context.refreshAllObjects()
      }
      #expect(kept?.name.isEmpty == false)
      await release.value
    }
    #expect(try context.count(Pigment.self) == 200)
  }

  @Test("a detached task may release the context while an object is read") @MainActor
  func aDetachedTaskMayDropTheContextWhileAnObjectIsRead() async throws {
    let container = try filled(50)
    for _ in 0..<50 {
      var context: ManagedObjectContext? = container.makeContext()
      var request = Pigment.fetchRequest()
      request.returnsObjectsAsFaults = true
      request.faultBatchSize = 1
      let pigments = try context?.fetch(request) ?? []
      let box = Handover(context)
      context = nil
      let release = Task.detached { box.drop() }
      // Each read fires a fault until the context is released; then the object reads as missing. It
      // never crashes.
      var read = 0
      for pigment in pigments where !pigment.name.isEmpty { read += 1 }
      #expect(read <= 50)
      await release.value
      #expect(pigments.allSatisfy { $0.managedObjectContext == nil })
    }
  }

  @Test("the contexts of many tasks work on one store")
  func contextsOfManyTasksWorkOnOneStore() async throws {
    let container = try filled(100)
    try await withThrowingTaskGroup(of: Int.self) { group in
      for task in 0..<8 {
        group.addTask {
          var saved = 0
          for round in 0..<10 {
            saved += try await container.perform { context in
              let all = try context.fetch(Pigment.self)
              let new = Pigment(context: context)
              new.name = "task \(task) round \(round)"
              try context.save()
              return all.isEmpty ? 0 : 1
            }
          }
          return saved
        }
      }
      var total = 0
      for try await saved in group { total += saved }
      #expect(total == 80)
    }
    #expect(try container.makeContext().count(Pigment.self) == 180)
  }

  @Test("an object keeps its values when its context has ended")
  func anObjectKeepsItsValuesWhenItsContextIsGone() throws {
    let container = try filled(3)
    var context: ManagedObjectContext? = container.makeContext()
    var request = Pigment.fetchRequest()
    request.returnsObjectsAsFaults = true
    request.faultBatchSize = 1
    let pigments = try #require(try context?.fetch(request))
    let (loaded, fault) = (pigments[0], pigments[1])
    _ = loaded.name
    context = nil
    #expect(loaded.name == "Pigment 0")
    #expect(fault.name == "")
    #expect(fault.isDeleted)
    #expect(throws: PersistenceError.self) { try fault.value(of: "name", as: String.self) }
    loaded.name = "set without a context"
    #expect(loaded.name == "set without a context")
  }

  @Test("a context releases its objects")
  func aContextReleasesItsObjects() throws {
    let container = try filled(3)
    weak var probe: Pigment?
    do {
      let context = container.makeContext()
      let pigments = try context.fetch(Pigment.self)
      pigments[0].name = "changed"
      probe = pigments[0]
      #expect(probe != nil)
    }
    #expect(probe == nil)
  }

  private func filled(_ count: Int) throws -> PersistentContainer {
    let container = try PersistentContainer(
      model: .atelier, store: .sqlite(at: folder.folder.appending(path: UUID().uuidString)),
      transformers: TestTransformers.atelier)
    // The test is about faults that outlive their contexts.
    container.readFailureHandler = { _ in }
    let context = container.makeContext()
    for number in 0..<count { Pigment(context: context).name = "Pigment \(number)" }
    try context.save()
    return container
  }

  private let folder: TestStore
  init() throws { folder = try TestStore() }
}

/// Moves the last reference to a value that is not Sendable to the thread that drops it.
// @unchecked: the test needs exactly this, and `drop` is called once.
final class Handover: @unchecked Sendable {
  private var value: AnyObject?
  init(_ value: AnyObject?) { self.value = value }
  func drop() { value = nil }
}
