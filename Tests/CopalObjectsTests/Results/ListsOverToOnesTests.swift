import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Lists with a condition over a to-one relationship", .modelAsIs)
struct ListsOverToOnesTests {
  /// The works of the studio "Delft". The makers of works 3 and 4 were not read.
  private final class Scene {
    let container: PersistentContainer
    let context: ManagedObjectContext
    let log = StatementLog()
    let works: [ManagedObject]
    let delft: ManagedObject
    let list: FetchedResultsController<ManagedObject>

    init(_ kind: StoreKind, limit: Int?) throws {
      container = try Society.container(TestStore(kind))
      try Self.fill(container.makeContext())
      context = container.makeContext()
      var request = FetchRequest<ManagedObject>(
        entityName: "Work",
        predicate: try FetchPredicate(format: "studio.name == 'Delft'", arguments: []),
        sortKeys: [.ascending("title")])
      request.limit = limit
      list = try FetchedResultsController(request, in: context)
      try list.performFetch()
      works = try context.fetch(
        FetchRequest<ManagedObject>(entityName: "Work", sortKeys: [.ascending("title")]))
      delft = try #require(try works[0].value(of: "studio", as: ManagedObject.self))
      for work in works.suffix(2) {
        let studio = try #require(try work.value(of: "studio", as: ManagedObject.self))
        try context.refresh(studio, mergeChanges: false)
      }
      _ = try delft.value(forKey: "name")
      context.processPendingChanges()
      context.statementLog = log
    }

    private static func fill(_ context: ManagedObjectContext) throws {
      for (number, name) in ["Delft", "Delft", "Haarlem", "Leiden", "Gouda"].enumerated() {
        let work = try context.insert("Work")
        try work.setValue("w\(number)", forKey: "title")
        let former = try context.fetch(FetchRequest<ManagedObject>(entityName: "Studio"))
          .first { try $0.value(of: "name", as: String.self) == name }
        let studio = try former ?? context.insert("Studio")
        try studio.setValue(name, forKey: "name")
        try work.setValue(studio, forKey: "studio")
      }
      try context.save()
    }

    var titles: [String] {
      list.objects.compactMap { try? $0.value(of: "title", as: String.self) }
    }
  }

  private struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let statements: Int
    let titles: [String]
    let make: @Sendable (Scene) throws -> Void

    init(
      _ description: String, statements: Int, _ titles: [String],
      _ make: @escaping @Sendable (Scene) throws -> Void
    ) {
      (testDescription, self.statements, self.titles, self.make) =
        (description, statements, titles, make)
    }
  }

  private static let changes = [
    Change("a value that it does not read", statements: 0, ["w0", "w1"]) {
      try $0.works[0].setValue(9, forKey: "rank")
    },
    Change("the order", statements: 0, ["w1", "z"]) {
      try $0.works[0].setValue("z", forKey: "title")
    },
    Change("another object that the context has read", statements: 0, ["w0", "w1", "w2"]) {
      try $0.works[2].setValue($0.delft, forKey: "studio")
    },
    Change("no object", statements: 0, ["w1"]) { try $0.works[0].setValue(nil, forKey: "studio") },
    Change("an object that was not read", statements: 0, ["w1"]) {
      try $0.works[0].setValue($0.works[3].value(forKey: "studio"), forKey: "studio")
    },
    Change("several that were not read", statements: 0, []) {
      try $0.works[0].setValue($0.works[3].value(forKey: "studio"), forKey: "studio")
      try $0.works[1].setValue($0.works[4].value(forKey: "studio"), forKey: "studio")
    },
    Change("an inserted object", statements: 0, ["new", "w0", "w1"]) {
      let work = try $0.context.insert("Work")
      try work.setValue("new", forKey: "title")
      try work.setValue($0.delft, forKey: "studio")
    },
    Change("a deleted object", statements: 0, ["w1"]) { $0.context.delete($0.works[0]) },
    Change("a value of the related object", statements: 1, []) {
      try $0.delft.setValue("Delfshaven", forKey: "name")
    },
    Change("a new related object", statements: 0, ["w0", "w1", "w2"]) {
      let studio = try $0.context.insert("Studio")
      try studio.setValue("Delft", forKey: "name")
      try $0.works[2].setValue(studio, forKey: "studio")
    },
  ]

  @Test(
    "a refresh that loses a change moves the object back, also if it is written to and rolled back",
    arguments: bothStores)
  func refreshed(_ kind: StoreKind) throws {
    let scene = try Scene(kind, limit: nil)
    let byStudio = try FetchedResultsController(
      FetchRequest<ManagedObject>(
        entityName: "Work", sortKeys: [.ascending("studio.name"), .ascending("title")]),
      in: scene.context)
    try byStudio.performFetch()
    let before = byStudio.objects.map(\.objectID)
    try scene.works[0].setValue(scene.works[3].value(forKey: "studio"), forKey: "studio")
    scene.context.processPendingChanges()
    #expect(byStudio.objects.map(\.objectID) != before)
    try scene.context.refresh(scene.works[0], mergeChanges: false)
    try scene.works[0].setValue(5, forKey: "rank")
    scene.context.rollback()
    scene.context.processPendingChanges()
    #expect(byStudio.objects.map(\.objectID) == before)
    #expect(scene.titles == ["w0", "w1"])
  }

  @Test(
    "sections over a to-one relationship agree with their objects before and after a merge",
    arguments: bothStores)
  func sections(_ kind: StoreKind) throws {
    let scene = try Scene(kind, limit: nil)
    for work in scene.works.suffix(2) {
      _ = try work.value(of: "studio", as: ManagedObject.self)?.value(forKey: "name")
    }
    let shape = try ListShape(
      "by studio", scene.context,
      FetchRequest<ManagedObject>(
        entityName: "Work", sortKeys: [.ascending("studio.name"), .ascending("title")]),
      "studio.name")
    #expect(shape.names == ["Delft", "Gouda", "Haarlem", "Leiden"])
    scene.context.automaticallyMergesChanges = true
    let other = scene.container.makeContext()
    for (name, new) in [("Delft", "Zwolle"), ("Leiden", "Assen")] {
      let request = FetchRequest<ManagedObject>(
        entityName: "Studio",
        predicate: .comparison(.property("name"), .equal, .constant(.string(name))))
      try other.fetch(request).first?.setValue(new, forKey: "name")
    }
    try other.save()
    // Without unsaved changes, the list is fetched in the order of the store.
    try scene.context.refresh(scene.works[2], mergeChanges: false)
    scene.context.processPendingChanges()
    func follow() -> [String?] {
      for change in shape.changes { #expect(shape.apply(change) == nil) }
      shape.changes = []
      #expect(shape.names == shape.controller.sections.map(\.name))
      #expect(shape.lists == shape.controller.sections.map { Array($0.objects) })
      return shape.names
    }
    #expect(follow() == ["Delft", "Gouda", "Haarlem", "Leiden"])
    scene.context.mergeChanges()
    #expect(follow() == ["Assen", "Gouda", "Haarlem", "Zwolle"])
  }

  @Test(
    "an unsaved change needs at most one statement, and none if all is in memory",
    arguments: changes, bothStores)
  private func statements(_ change: Change, _ kind: StoreKind) throws {
    for limit in [nil, 4] {
      let scene = try Scene(kind, limit: limit)
      #expect(scene.titles == ["w0", "w1"])
      try change.make(scene)
      let before = scene.log.statementCount
      scene.context.processPendingChanges()
      #expect(scene.titles == change.titles)
      #expect(scene.log.statementCount - before == change.statements)
    }
  }
}
