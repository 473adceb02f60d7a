import Copal
import CopalTestSupport
import Foundation
import Testing

/// Random batches, compared with the same changes of objects in a store of their own.
@Suite("Batches: random ones do what changes of objects do")
struct BatchSequenceTests {
  @Test("updates and deletions of a graph", arguments: bothStores, UInt64(1)...12)
  func graph(_ kind: StoreKind, _ seed: UInt64) throws {
    var random = SplitMix(seed: seed)
    let stores = [try TestStore(kind), try TestStore(.memory)]
    let containers = try stores.map { try $0.container(.gallery, transformers: []) }
    let (context, plain) = (containers[0].makeContext(), containers[1].makeContext())
    let witness = containers[0].makeContext()
    for _ in 0..<8 {
      let plan = (0..<8).map { _ in random.next() }
      for context in [context, plain] { try grow(context, plan) }
      let held = try witness.fetch(Work.self)
      let (batch, number) = (random.next() % 6, Int32(random.next() % 4))
      let error = Self.codes { try Self.run(batch, number, context) }
      #expect(error == Self.codes { try Self.change(batch, number, plain) })
      plain.rollback()
      #expect(try Self.state(context) == Self.state(plain), "batch \(batch) \(number)")
      #expect(try Self.state(containers[0].makeContext()) == Self.state(plain))
      #expect(try Self.state(witness) == Self.state(plain))
      withExtendedLifetime(held) {}
    }
  }

  /// Adds objects with random relationships.
  private func grow(_ context: ManagedObjectContext, _ plan: [UInt64]) throws {
    for number in plan {
      let name = "\(number % 4)"
      let work = Work(context: context, title: name)
      let artists = try context.fetch(Artist.self)
      let museums = try context.fetch(Museum.self)
      if number % 3 == 0 || artists.isEmpty { work.artist = Artist(context: context, name: name) }
      if number % 5 == 0 { work.museum = Museum(context: context, name: name) }
      if number % 7 > 3, !artists.isEmpty {
        work.artist = artists[Int(number % 97) % artists.count]
      }
      if number % 11 > 7, !museums.isEmpty {
        work.museum = museums[Int(number % 89) % museums.count]
      }
      if number % 2 == 0 {
        work.frame = Frame(context: context)
        work.frame?.width = Int32(number % 4)
      }
      if number % 13 == 0, let museum = work.museum { Ticket(context: context).museum = museum }
      let topic = Topic(context: context, name: name)
      topic.parent = try context.fetch(Topic.self).dropFirst(Int(number % 5)).first
      if topic.parent === topic { topic.parent = nil }
    }
    try context.save()
  }

  private static func run(_ batch: UInt64, _ number: Int32, _ context: ManagedObjectContext) throws
  {
    let name = "\(number)"
    switch batch {
    case 0: try context.deleteAll(Artist.self) { $0.name == name }
    case 1: try context.deleteAll(Work.self) { $0.title == name || $0.frame.width == number }
    case 2: try context.deleteAll(Topic.self) { $0.name == name && $0.parent != nil }
    case 3: try context.deleteAll(Museum.self) { $0.name == name }
    case 4: try context.deleteAll(Frame.self) { $0.width == number }
    default:
      try context.updateAll(Frame.self, where: { $0.width <= number }) {
        $0.width.set(to: $0.width + 1)
      }
    }
  }

  private static func change(_ batch: UInt64, _ number: Int32, _ context: ManagedObjectContext)
    throws
  {
    let name = "\(number)"
    let deleted: [ManagedObject]
    switch batch {
    case 0: deleted = try context.fetch(Artist.self) { $0.name == name }
    case 1:
      deleted = try context.fetch(Work.self) { $0.title == name || $0.frame.width == number }
    case 2: deleted = try context.fetch(Topic.self) { $0.name == name && $0.parent != nil }
    case 3: deleted = try context.fetch(Museum.self) { $0.name == name }
    case 4: deleted = try context.fetch(Frame.self) { $0.width == number }
    default:
      deleted = []
      for frame in try context.fetch(Frame.self, where: { $0.width <= number }) { frame.width += 1 }
    }
    for object in deleted { context.delete(object) }
    try context.save()
  }

  private static func codes(_ body: () throws -> Void) -> Set<PersistenceError.Code> {
    do {
      try body()
      return []
    } catch let error as PersistenceError {
      return error.causes.isEmpty ? [error.code] : Set(error.causeCodes)
    } catch {
      return [.backend]
    }
  }

  private static func state(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(Work.self).map {
      "\($0.title) \($0.artist?.name ?? "-") \($0.museum?.name ?? "-") \($0.frame?.width ?? -1)"
    } + context.fetch(Artist.self).map { "\($0.name) \($0.works.map(\.title))" }
      + context.fetch(Topic.self).map { "\($0.name) \($0.children.map(\.name))" }
      + context.fetch(Museum.self).map {
        "\($0.name) \($0.works.map(\.title)) \($0.tickets.count)"
      } + context.fetch(Frame.self).map { "\($0.width) \($0.work?.title ?? "-")" }
  }
}
