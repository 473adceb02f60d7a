import CopalTestTools
import Testing

@testable import CopalObjects

@Suite("KeyRuns")
struct KeyRunsTests {
  /// The smallest number of runs for a dictionary.
  static func leastRuns(_ dictionary: [Int64: Int64]) -> Int {
    dictionary.count { key, target in
      key == .min || dictionary[key - 1] == nil || dictionary[key - 1] != target &- 1
    }
  }

  @Test(
    "KeyRuns behaves like a dictionary, with the smallest number of runs",
    arguments: 1...20 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    var runs = KeyRuns()
    var dictionary: [Int64: Int64] = [:]
    let bases: [Int64] = [0, 0, 0, 1000, -50, .max - 100, .min]
    func key() -> Int64 {
      (bases.randomElement(using: &numbers) ?? 0) + .random(in: 0...100, using: &numbers)
    }
    for _ in 0..<3000 {
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<5:
        // Some that follow each other, as those of a save do, in any order.
        let (start, target, shift) = (key(), key(), Int64.random(in: 0...1, using: &numbers))
        var more: [Int64] = Array(0..<Int64.random(in: 1...20, using: &numbers))
        if shift == 1 { more.shuffle(using: &numbers) }
        for more in more where start <= .max - more {
          let former = runs.add(start + more, target &+ more)
          #expect(former == dictionary.updateValue(target &+ more, forKey: start + more))
        }
      case 5..<8:
        let keys = (0..<Int.random(in: 0...30, using: &numbers)).map { _ in key() }
        runs.remove(keys.sorted())
        for key in keys { dictionary[key] = nil }
      default:
        let keys = dictionary.keys.filter { _ in Bool.random(using: &numbers) }
        runs.remove(keys.sorted())
        for key in keys { dictionary[key] = nil }
      }
      #expect(runs.runCount == Self.leastRuns(dictionary))
      #expect(runs.isEmpty == dictionary.isEmpty)
      for _ in 0..<5 {
        let key = key()
        #expect(runs[key] == dictionary[key])
      }
      if let known = dictionary.randomElement(using: &numbers) {
        #expect(runs[known.key] == known.value)
      }
    }
  }

  @Test("KeyRuns supports every Int64")
  func extremes() {
    var runs = KeyRuns()
    for key in [Int64.max, .min, .max - 1, .min + 1, 0] { #expect(runs.add(key, key) == nil) }
    #expect(runs.runCount == 3)
    for key in [Int64.max, .min, .max - 1, .min + 1, 0] { #expect(runs[key] == key) }
    // From the greatest target to the least.
    #expect(runs.add(100, .max) == nil && runs.add(101, .min) == nil)
    #expect(runs[100] == .max && runs[101] == .min)
    runs.remove([.min, .max])
    #expect(runs[.min] == nil && runs[.max] == nil && runs[.max - 1] == .max - 1)
  }
}

@Suite("TemporaryKeys")
struct TemporaryKeysTests {
  /// The expected keys of each entity.
  private struct Model {
    var permanent: [[Int64: Int64]] = [[:], [:], [:]]

    mutating func add(_ temporary: Int64, _ key: Int64, _ entity: Int) {
      for (former, permanent) in permanent[entity] where permanent == key {
        self.permanent[entity][former] = nil
      }
      permanent[entity][temporary] = key
    }

    func temporary(of key: Int64, _ entity: Int) -> Int64? {
      permanent[entity].first { $1 == key }?.key
    }
  }

  @Test(
    "TemporaryKeys behaves like two dictionaries in both directions, for any keys of a store",
    arguments: 1...10 as ClosedRange<UInt64>)
  func random(seed: UInt64) {
    var numbers = SplitMix(seed: seed)
    var keys = TemporaryKeys(entityCount: 4)
    var model = Model()
    var (nextTemporary, nextPermanent) = (Int64(1), Int64(1))
    for _ in 0..<1000 {
      let entity = Int.random(in: 0..<3, using: &numbers)
      switch Int.random(in: 0..<10, using: &numbers) {
      case 0..<6:
        for _ in 0..<Int.random(in: 1...8, using: &numbers) {
          let isOdd = Int.random(in: 0..<20, using: &numbers) == 0
          // A custom store may return any key, also twice.
          let permanent = isOdd ? .random(in: -5...nextPermanent, using: &numbers) : nextPermanent
          keys.add(temporary: -nextTemporary, permanent: permanent, root: entity)
          model.add(-nextTemporary, permanent, entity)
          nextTemporary += 1
          nextPermanent += isOdd ? 0 : 1
        }
      default:
        let some = model.permanent[entity].values.filter { _ in Bool.random(using: &numbers) }
        keys.remove(permanent: some + [nextPermanent, -9], root: entity)
        for key in some {
          model.temporary(of: key, entity).map { model.permanent[entity][$0] = nil }
        }
      }
      for _ in 0..<10 {
        let temporary = -Int64.random(in: 1...nextTemporary, using: &numbers)
        let permanent = Int64.random(in: -5...nextPermanent, using: &numbers)
        #expect(
          keys.permanentKey(of: temporary, root: entity)
            == model.permanent[entity][temporary])
        #expect(
          keys.temporaryKey(of: permanent, root: entity)
            == model.temporary(of: permanent, entity))
      }
    }
    for entity in 0..<3 {
      keys.remove(permanent: Array(model.permanent[entity].values), root: entity)
    }
    #expect(keys.runCount == 0)
  }

  @Test("keys that are added together are those that are added one by one")
  func runs() {
    var random = SplitMix(seed: 5)
    for _ in 0..<200 {
      var (together, single) = (TemporaryKeys(entityCount: 4), TemporaryKeys(entityCount: 4))
      for _ in 0..<20 {
        let temporary = Int64.random(in: -60 ... -1, using: &random)
        let permanent = Int64.random(in: 1...60, using: &random)
        let root = Int.random(in: 0...1, using: &random)
        var run = TemporaryKeys.Run(root: root, temporary: temporary, permanent: permanent)
        let count = Int64.random(in: 1...6, using: &random)
        for offset in 1..<max(2, count) where offset < count {
          let follows = run.isExtended(
            temporary: temporary - offset, permanent: permanent + offset, root: root)
          #expect(follows)
        }
        let repeats = run.isExtended(temporary: temporary, permanent: permanent, root: root)
        #expect(!repeats)
        together.add(run)
        for offset in 0..<count {
          single.add(temporary: temporary - offset, permanent: permanent + offset, root: root)
        }
      }
      for root in 0...1 {
        for key in Int64(1)...80 {
          #expect(
            together.permanentKey(of: -key, root: root) == single.permanentKey(of: -key, root: root)
          )
          #expect(
            together.temporaryKey(of: key, root: root) == single.temporaryKey(of: key, root: root))
        }
      }
    }
  }
}
