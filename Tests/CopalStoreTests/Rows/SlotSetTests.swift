import CopalStore
import Testing

@Suite("SlotSet")
struct SlotSetTests {
  @Test(
    "a slot set has the inserted slots, also across words",
    arguments: [1, 63, 64, 65, 127, 128, 129, 1990])
  func membership(count: Int) {
    let slots = [0, 1, 62, 63, 64, 65, 127, 128, count - 1].filter { $0 < count }
    var set = SlotSet(count: count)
    #expect(set.isEmpty)
    for slot in slots {
      #expect(!set.contains(slot) || slot == count - 1)
      set.insert(slot)
      #expect(set.contains(slot))
    }
    #expect(Array(set) == Array(Set(slots)).sorted())
    #expect(set == SlotSet(slots.reversed(), count: count))
    #expect(set.hashValue == SlotSet(slots, count: count).hashValue)
    for slot in slots { set.remove(slot) }
    #expect(set.isEmpty)
    #expect(set == SlotSet(count: count))
  }

  @Test("a slot set contains no slot beyond its count")
  func beyond() {
    #expect(!SlotSet([3], count: 10).contains(64))
    #expect(!SlotSet([3], count: 10).contains(1990))
  }

  @Test(
    "two slot sets are disjoint when they share no slot",
    arguments: [
      ([0], [1], true), ([0, 70], [1, 71], true), ([63], [64], true), ([64], [64], false),
      ([0, 129], [129], false), ([], [5], true),
    ] as [([Int], [Int], Bool)])
  func disjoint(a: [Int], b: [Int], isDisjoint: Bool) {
    #expect(SlotSet(a, count: 130).isDisjoint(with: SlotSet(b, count: 130)) == isDisjoint)
    #expect(SlotSet(b, count: 130).isDisjoint(with: SlotSet(a, count: 130)) == isDisjoint)
  }
}
