import CopalModel
import CopalTestSupport
import Testing

@testable import CopalObjects

@Suite("Differences of lists")
struct ListDifferenceTests {
  @Test(
    "as many as possible are kept",
    arguments: [
      ([], 0), ([5], 1), ([1, 2, 3], 3), ([3, 2, 1], 1), ([2, 3, 1], 2), ([1, 5, 2, 3, 4], 4),
      ([4, 5, 6, 1, 2, 3], 3), ([0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15], 6),
    ])
  func longest(_ numbers: [Int], _ count: Int) {
    let kept = zip(numbers, ListDifference.longestIncrease(numbers)).filter(\.1).map(\.0)
    #expect(kept.count == count)
    #expect(kept == kept.sorted(), "\(kept)")
  }

  /// Applies a difference to a list.
  private func apply(_ difference: ListDifference, _ old: [Int], _ new: [Int]) -> [Int] {
    var list = old
    let moved = difference.moves.map { (to: $0.to, element: old[$0.from]) }
    for place in (difference.deleted + difference.moves.map(\.from)).sorted(by: >) {
      list.remove(at: place)
    }
    let coming = difference.inserted.map { (to: $0, element: new[$0]) } + moved
    for (place, element) in coming.sorted(by: { $0.to < $1.to }) {
      guard place <= list.count else { return [] }
      list.insert(element, at: place)
    }
    return list
  }

  @Test("two lists of keys")
  func keys() {
    var random = SplitMix(seed: 7)
    for _ in 0..<2000 {
      let old = (0..<12).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      let new = (0..<12).filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
      let difference = ListDifference(from: old, to: new)
      #expect(apply(difference, old, new) == new, "\(old) \(new) \(difference)")
      #expect(difference.deleted.map { old[$0] }.allSatisfy { !new.contains($0) })
      #expect(difference.inserted.map { new[$0] }.allSatisfy { !old.contains($0) })
    }
    #expect(ListDifference(from: [1, 2, 3], to: [1, 2, 3]).moves.isEmpty)
    #expect(ListDifference(from: [1, 2, 3, 4], to: [4, 1, 2, 3]).moves.map(\.from) == [3])
  }

  @Test("some objects are taken out and put in, and only the first ones are visible")
  func visible() {
    var random = SplitMix(seed: 11)
    for _ in 0..<4000 {
      // The objects with even numbers have places of their own, the others are taken out and put
      // in.
      let old = (0..<14).filter { _ in Int.random(in: 0..<3, using: &random) > 0 }
        .shuffled(using: &random)
      let rest = old.filter { $0 % 2 == 0 }
      var new = rest
      var touched = Set(old.filter { $0 % 2 == 1 })
      for number in (0..<14) where number % 2 == 1 && Bool.random(using: &random) {
        touched.insert(number)
        new.insert(number, at: Int.random(in: 0...new.count, using: &random))
      }
      let limit = Int.random(in: 0...14, using: &random)
      let difference = ListDifference(
        of: touched.sorted().map { (old.firstIndex(of: $0), new.firstIndex(of: $0)) },
        before: min(limit, old.count), after: min(limit, new.count))
      let (before, after) = (Array(old.prefix(limit)), Array(new.prefix(limit)))
      #expect(apply(difference, before, after) == after, "\(before) \(after) \(difference)")
      let untouched = difference.moves.map { before[$0.from] }.filter { !touched.contains($0) }
      #expect(untouched.isEmpty, "only what was taken out can move")
    }
  }
}
