import Copal
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("IdentityMap")
struct IdentityMapTests {
  private let context: ManagedObjectContext
  private let runtime: EntityRuntime
  private let map: IdentityMap

  init() throws {
    context = try TestStore(.memory).atelier().makeContext()
    runtime = context.state.container.entities[0]
    map = IdentityMap(runtime.identity.family)
  }

  private func object(_ key: Int64) -> ManagedObject {
    ManagedObject(_copal: ObjectSeed(core: context.core, runtime: runtime, key: key, flags: .fault))
  }

  /// Keys that are consecutive, scattered, very large, and negative.
  private static func key(_ numbers: inout SplitMix) -> Int64 {
    switch Int.random(in: 0..<20, using: &numbers) {
    case 0..<10: .random(in: 1...400, using: &numbers)
    case 10..<15: .random(in: 1...200_000, using: &numbers)
    case 15..<17: .random(in: 40_000_000...40_000_100, using: &numbers)
    case 17: .random(in: -100...0, using: &numbers)
    case 18: .random(in: .max - 20 ... .max, using: &numbers)
    default: .random(in: .min ... .min + 20, using: &numbers)
    }
  }

  @Test(
    "the identity map behaves like a dictionary, and has no unneeded pages",
    arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    var keys: Set<Int64> = []
    // The objects of the map that are also referenced by the test.
    var held: [Int64: ManagedObject] = [:]
    for step in 0..<3000 {
      let known = keys.randomElement(using: &numbers)
      switch Int.random(in: 0..<1000, using: &numbers) {
      case 0..<500:
        let key = Self.key(&numbers)
        let object = object(key)
        map.set(key, object)
        keys.insert(key)
        held[key] = Bool.random(using: &numbers) ? object : nil
      case 500..<800:
        let key = known ?? Self.key(&numbers)
        map.remove(key)
        keys.remove(key)
        held[key] = nil
      case 800..<970:
        if let known { held[known] = nil }
      case 970..<995:
        map.sweep()
        keys = Set(held.keys)
      case 995..<998:
        // Removes all objects, one by one.
        for key in keys { map.remove(key) }
        (keys, held) = ([], [:])
      default:
        #expect(Set(map.removeAll().map(\.key)) == keys)
        (keys, held) = ([], [:])
      }
      #expect(map.count == keys.count)
      #expect(map.pageCount == Set(keys.map { $0 >> 4 }).count)
      if keys.isEmpty { #expect(map.pageCapacity <= 320) }
      for key in [Self.key(&numbers), keys.randomElement(using: &numbers)].compactMap(\.self) {
        let found = map.object(key)
        #expect(found?.key == (keys.contains(key) ? key : nil))
        if let mine = held[key] { #expect(found === mine) }
        if let dense = map.denseObject(key) { #expect(dense === found) }
      }
      if step % 50 == 0 {
        var found: [Int64] = []
        map.forEach { found.append($0.key) }
        #expect(found.count == keys.count && Set(found) == keys)
      }
    }
  }

  @Test("the identity map is swept when its number of objects has doubled, and not for few objects")
  func due() {
    var held: [ManagedObject] = []
    func add(_ count: Int64, holding: Bool) {
      for _ in 0..<count {
        let object = object(Int64(map.count + 1))
        map.set(object.key, object)
        if holding { held.append(object) }
      }
    }
    add(255, holding: true)
    #expect(!map.isSweepDue)
    add(1, holding: true)
    #expect(map.isSweepDue)
    map.sweep()
    #expect(map.count == 256 && !map.isSweepDue)
    add(255, holding: false)
    #expect(!map.isSweepDue)
    add(1, holding: false)
    #expect(map.isSweepDue)
    map.sweep()
    #expect(map.count == 256 && !map.isSweepDue)
  }

  @Test("the identity map is swept sooner after most objects were removed")
  func dueAfterRemoving() {
    let held = (1...10_000).map { object($0) }
    for object in held { map.set(object.key, object) }
    map.sweep()
    #expect(map.count == 10_000)
    for object in held { map.remove(object.key) }
    for key in 1...256 { map.set(Int64(key), object(Int64(key))) }
    #expect(map.isSweepDue)
  }

  @Test("the identity map frees its memory when the last object is removed or swept")
  func memory() {
    for removes in [true, false] {
      var held = (1...10_000).map { object($0) }
      for object in held { map.set(object.key, object) }
      #expect(map.pageCapacity >= 10_000 / 16)
      if removes {
        for object in held { map.remove(object.key) }
      } else {
        held = []
        map.sweep()
      }
      #expect(map.count == 0 && map.pageCount == 0 && map.pageCapacity <= 320)
    }
  }

  @Test("the identity map stays consistent when an object's deinit uses it")
  func hostileEnd() {
    final class Parting: ManagedObject {
      var onEnd: () -> Void = {}
      deinit { onEnd() }
    }
    func parting(_ key: Int64, _ onEnd: @escaping () -> Void) {
      let parting = Parting(
        _copal: ObjectSeed(core: context.core, runtime: runtime, key: key, flags: .fault))
      parting.onEnd = onEnd
      map.set(key, parting)
    }
    parting(1) { [map, other = object(1)] in map.set(1, other) }
    map.remove(1)
    #expect(map.count == 1 && map.pageCount == 1 && map.object(1)?.key == 1)
    parting(2) { [map] in map.remove(1) }
    map.remove(2)
    #expect(map.count == 0 && map.pageCount == 0)
    parting(3) { [map, other = object(4)] in
      map.set(4, other)
      map.sweep()
    }
    map.sweep()
    #expect(map.count == 1 && map.object(4) != nil)
  }
}
