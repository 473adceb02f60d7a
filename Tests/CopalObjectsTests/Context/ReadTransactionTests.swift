import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Read transactions and background work")
struct ReadingTests {
  private func container(_ kind: StoreKind) throws -> PersistentContainer {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    _ = Painter(context: context, name: "Rosa")
    try context.save()
    return container
  }

  private func add(_ name: String, to container: PersistentContainer) throws {
    let context = container.makeContext()
    _ = Painter(context: context, name: name)
    try context.save()
  }

  @Test("a read transaction sees one state of the store, and can be nested", arguments: bothStores)
  func snapshot(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    let counts = try context.readTransaction {
      let first = try context.count(Painter.self)
      try add("Berthe", to: container)
      let nested = try context.readTransaction { try context.count(Painter.self) }
      return [first, nested, try context.count(Painter.self)]
    }
    #expect(counts == [1, 1, 1])
    #expect(try context.count(Painter.self) == 2)
  }

  @Test(
    "without a read transaction every fetch sees the saves of other contexts", arguments: bothStores
  )
  func noReading(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    #expect(try context.count(Painter.self) == 1)
    try add("Berthe", to: container)
    #expect(try context.count(Painter.self) == 2)
  }

  @Test("a save inside a read transaction ends its snapshot", arguments: bothStores)
  func saving(_ kind: StoreKind) throws {
    let container = try container(kind)
    let context = container.makeContext()
    try context.readTransaction {
      #expect(try context.count(Painter.self) == 1)
      try add("Berthe", to: container)
      _ = Painter(context: context, name: "Camille")
      #expect(try context.count(Painter.self) == 2)
      try context.save()
      #expect(try context.count(Painter.self) == 3)
      try add("Dora", to: container)
      #expect(try context.count(Painter.self) == 3)
    }
    #expect(try context.count(Painter.self) == 4)
  }

  @Test("an error inside a read transaction ends its snapshot", arguments: bothStores)
  func throwing(_ kind: StoreKind) throws {
    struct Stop: Error {}
    let container = try container(kind)
    let context = container.makeContext()
    #expect(throws: Stop.self) {
      try context.readTransaction {
        _ = try context.count(Painter.self)
        throw Stop()
      }
    }
    try add("Berthe", to: container)
    #expect(try context.count(Painter.self) == 2)
  }

  @Test(
    "perform returns the result of its body, and keeps what the body saves", arguments: bothStores)
  func perform(_ kind: StoreKind) async throws {
    let container = try container(kind)
    let id = try await container.perform { context in
      let painter = Painter(context: context, name: "Berthe")
      try context.save()
      _ = Painter(context: context, name: "Lost")
      return painter.objectID
    }
    let context = container.makeContext()
    #expect(try context.existingObject(with: id, as: Painter.self).name == "Berthe")
    #expect(try context.count(Painter.self) == 2)
  }

  @Test("perform sees one state of the store until its first save", arguments: bothStores)
  func performSnapshot(_ kind: StoreKind) async throws {
    let container = try container(kind)
    let counts = try await container.perform { context in
      let first = try context.count(Painter.self)
      let other = container.makeContext()
      _ = Painter(context: other, name: "Berthe")
      try other.save()
      return [first, try context.count(Painter.self)]
    }
    #expect(counts == [1, 1])
  }

  @Test("perform throws the error of its body, and nothing is saved", arguments: bothStores)
  func performThrowing(_ kind: StoreKind) async throws {
    struct Stop: Error {}
    let container = try container(kind)
    await #expect(throws: Stop.self) {
      try await container.perform { context in
        _ = Painter(context: context, name: "Lost")
        throw Stop()
      }
    }
    #expect(try container.makeContext().count(Painter.self) == 1)
  }

  @Test("many concurrent calls of perform lose no change", arguments: bothStores)
  func concurrent(_ kind: StoreKind) async throws {
    let container = try container(kind)
    try await withThrowingTaskGroup(of: Void.self) { group in
      for task in 0..<12 {
        group.addTask {
          try await container.perform { context in
            for index in 0..<10 {
              _ = Painter(context: context, name: "\(task)-\(index)")
              try context.save()
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try container.makeContext().count(Painter.self) == 121)
  }

  @Test("viewContext is always the same context") @MainActor
  func viewContext() throws {
    let container = try container(.sqlite)
    #expect(container.viewContext === container.viewContext)
    let painter = Painter(context: container.viewContext, name: "Berthe")
    try container.viewContext.save()
    #expect(try container.viewContext.fetch(Painter.self).last === painter)
  }
}
