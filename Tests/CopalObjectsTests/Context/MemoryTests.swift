import Copal
import CopalTestSupport
import Testing

@testable import CopalObjects

/// Counts what a context keeps instead of measuring memory: pages, objects and runs.
@Suite("Memory of a context")
struct MemoryTests {
  private let container: PersistentContainer

  init() throws { container = try TestStore(.memory).atelier() }

  private func fill(_ count: Int) throws -> [ManagedObjectID] {
    let context = container.makeContext()
    for index in 0..<count { _ = Painter(context: context, name: "Painter \(index)") }
    try context.save()
    return try context.fetchIDs(Painter.fetchRequest())
  }

  private func map(_ context: ManagedObjectContext, _ entity: String = "Painter") throws
    -> IdentityMap
  {
    context.state.maps[try context.runtime(named: entity).index]
  }

  @Test("unreferenced objects are released while new objects are fetched", arguments: 0..<4)
  func sweeping(way: Int) throws {
    let ids = try fill(10_000)
    let context = container.makeContext()
    let map = try map(context)
    for index in stride(from: 0, to: ids.count, by: 100) {
      switch way {
      case 0: for id in ids[index..<index + 100] { _ = try context.existingObject(with: id) }
      case 1: for id in ids[index..<index + 100] { _ = try context.object(with: id) }
      case 2: _ = try context.fetch(Painter.self, limit: 100, offset: index)
      default:
        var request = Painter.fetchRequest()
        (request.limit, request.offset, request.returnsObjectsAsFaults) = (100, index, true)
        _ = try context.fetch(request)
      }
      #expect(map.count < 512 && map.pageCapacity <= 320, "after \(index + 100) objects")
    }
  }

  @Test("objects that were saved and are not referenced any more are released")
  func saving() throws {
    let context = container.makeContext()
    let map = try map(context)
    for round in 0..<100 {
      for _ in 0..<100 { _ = Painter(context: context, name: "Painter") }
      try context.save()
      #expect(map.count < 512 && map.pageCapacity <= 320, "after \(round) rounds")
    }
  }

  @Test("objects that were saved and deleted are released", arguments: [1, 7, 500])
  func savingAndDeleting(count: Int) throws {
    let context = container.makeContext()
    let (painters, pigments) = (try map(context), try map(context, "Pigment"))
    for round in 0..<(5000 / count) {
      let new: [ManagedObject] = (0..<count).map {
        $0 % 2 == 0
          ? Painter(context: context, name: "Painter")
          : Pigment(context: context, name: "Ochre \($0)")
      }
      try context.save()
      for object in new { context.delete(object) }
      try context.save()
      for map in [painters, pigments] {
        #expect(map.count == 0 && map.pageCount == 0, "after \(round) rounds")
        #expect(map.pageCapacity <= 320, "after \(round) rounds")
      }
      #expect(context.state.temporaryKeys.runCount == 0)
    }
  }

  @Test("the temporary keys of deleted objects are removed")
  func temporaryKeys() throws {
    let context = container.makeContext()
    let painters = (0..<2000).map { Painter(context: context, name: "Painter \($0)") }
    try context.save()
    for painter in painters where painter.objectID.key % 2 == 0 { context.delete(painter) }
    try context.save()
    #expect(context.state.temporaryKeys.runCount <= 2 * 1000)
    for painter in painters where !painter.isDeleted { context.delete(painter) }
    try context.save()
    #expect(context.state.temporaryKeys.runCount == 0)
  }

  @Test(
    "objects of two entities inserted alternately need as few key runs as one entity after the other"
  )
  func turns() throws {
    let context = container.makeContext()
    var ids: [ManagedObjectID] = []
    var objects: [ManagedObject] = []
    for index in 0..<5000 {
      let (painter, pigment) = (
        Painter(context: context, name: "Painter \(index)"),
        Pigment(context: context, name: "Pigment \(index)")
      )
      ids += [painter.id, pigment.id]
      objects += [painter, pigment]
    }
    try context.save()
    // Blocks of 256 keys, for two entities, in both directions.
    #expect(context.state.temporaryKeys.runCount <= (5000 / 256 + 1) * 2 * 2)
    for (object, id) in zip(objects, ids) {
      #expect(object._copalStableID == id)
      #expect(try context.existingObject(with: id) === object)
    }
  }

  @Test("objects of two entities that are saved one by one do not need a key run each")
  func oneByOne() throws {
    let context = container.makeContext()
    for index in 0..<1000 {
      if index % 2 == 0 {
        _ = Painter(context: context, name: "Painter")
      } else {
        _ = Pigment(context: context, name: "Pigment \(index)")
      }
      try context.save()
    }
    #expect(context.state.temporaryKeys.runCount <= 2 * 2 * 2)
  }
}
