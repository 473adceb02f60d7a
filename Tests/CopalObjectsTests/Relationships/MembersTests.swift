import Copal
import CopalTestSupport
import Testing

@testable import CopalObjects
@testable import CopalStore

@Suite("The members of a to-many relationship")
struct MembersTests {
  @Test(
    "a list of entries is the same as a sorted array, whatever is inserted, removed and replaced")
  func list() {
    var random = SplitMix(seed: 5)
    for size in [3, 50, 5000] {
      var list = MemberList()
      var plain: [MemberEntry] = []
      if size > 1000 {
        plain = (0..<Int64(size)).map { MemberEntry(position: 0, key: $0 * 2) }
        list = MemberList(sorted: ContiguousArray(plain))
      }
      func entry() -> MemberEntry {
        MemberEntry(
          position: Int64(random.next() % 3), key: Int64(random.next() % UInt64(size * 3)))
      }
      for _ in 0..<2000 {
        let (new, old) = (entry(), entry())
        switch random.next() % 3 {
        case 0:
          list.insert(new)
          if !plain.contains(new) { plain.insert(new, at: plain.count { $0 < new }) }
        case 1:
          let old = plain.randomElement(using: &random) ?? old
          list.remove(old)
          plain.removeAll { $0 == old }
        default:
          let old = plain.randomElement(using: &random) ?? old
          list.replace(old, by: new)
          plain.removeAll { $0 == old }
          if !plain.contains(new) { plain.insert(new, at: plain.count { $0 < new }) }
        }
        #expect(list.count == plain.count)
        if let some = plain.indices.randomElement(using: &random) {
          #expect(list[some] == plain[some])
          #expect(list.index(of: plain[some]) == some)
          #expect(list.contains(plain[some]))
        }
        #expect(list.last == plain.last && list.first == plain.first)
      }
      var all: [MemberEntry] = []
      list.forEach { all.append($0) }
      #expect(all == plain)
    }
  }

  @Test(
    "an object that is put into an ordered list gets a number between its neighbors, or up to 64 get new ones"
  )
  func places() {
    let step = ListPosition.step
    func places(_ positions: [Int64], at index: Int, _ count: Int = 1) -> ListPlaces {
      let entries = positions.enumerated().map { MemberEntry(position: $1, key: Int64($0 + 1)) }
      return ListPlaces(count: count, at: index, in: MemberList(sorted: ContiguousArray(entries)))
    }
    #expect(places([], at: 0).positions == [ListPosition.end + step])
    #expect(places([step], at: 1).positions == [ListPosition.end + step])
    #expect(places([step], at: 0).positions == [0])
    #expect(places([ListPosition.end + step], at: 0).positions == [-step])
    #expect(places([step, 2 * step], at: 1).positions == [step + step / 2])
    #expect(places([step, ListPosition.end + 8], at: 1).positions == [ListPosition.end + 4])
    #expect(
      places([step, ListPosition.end + 8], at: 1, 3).positions.map { $0 - ListPosition.end } == [
        2, 4, 6,
      ])
    let full = places([1, 2, 3, 4], at: 2)
    #expect(full.renumbered.map(\.key) == [1, 2, 3, 4])
    let null = places([.min, .min, 5], at: 1)
    #expect(null.positions.count == 1 && null.renumbered.map(\.key).contains(2))
  }

  @Test(
    "20,000 objects that are put at random places of a list stay in order, and few of them get new numbers"
  )
  func manyPlaces() {
    var random = SplitMix(seed: 6)
    for isHot in [false, true] {
      var list = MemberList()
      var positions: [Int64: Int64] = [:]
      var renumbered = 0
      for key in Int64(1)...20_000 {
        let index = isHot ? list.count / 2 : Int(random.next() % UInt64(list.count + 1))
        let before = list[index - 1]?.key
        let places = ListPlaces(count: 1, at: index, in: list)
        for entry in places.renumbered {
          list.remove(MemberEntry(position: positions[entry.key] ?? 0, key: entry.key))
        }
        for entry in places.renumbered {
          list.insert(entry)
          positions[entry.key] = entry.position
        }
        renumbered += places.renumbered.count
        list.insert(MemberEntry(position: places.positions[0], key: key))
        positions[key] = places.positions[0]
        #expect(list[index]?.key == key)
        if let before { #expect(list[index - 1]?.key == before) }
      }
      // Inserting at one place again and again uses gaps up.
      #expect(renumbered < (isHot ? 12 : 1) * 20_000, "\(renumbered)")
    }
  }

  @Test(
    "the last entries of a list are replaced, in any number of chunks, or the list stays as it is")
  func replaceLast() throws {
    for (count, replaced) in [(0, 3), (3, 3), (5000, 1), (5000, 1500), (5000, 5000)] {
      let stored = (0..<count - min(count, replaced)).map {
        MemberEntry(position: 0, key: Int64($0))
      }
      let added = ContiguousArray(
        (0..<replaced).map { MemberEntry(position: Int64($0) + 1, key: -Int64($0) - 1) })
      let saved = ContiguousArray(
        (0..<replaced).map { MemberEntry(position: 0, key: Int64(count + $0)) })
      var list = MemberList(sorted: ContiguousArray(stored) + added)
      let isDone = list.replaceLast(added, by: saved)
      #expect(isDone)
      #expect(list.entries == stored + saved)
      // Others are the last ones now.
      #expect(!list.isReplaced(added, by: saved))
      // These would be before the others, or are in another order.
      if count > replaced {
        #expect(
          !list.isReplaced(
            saved, by: ContiguousArray(saved.map { MemberEntry(position: -1, key: $0.key) })))
      }
      if replaced > 1 { #expect(!list.isReplaced(saved, by: ContiguousArray(saved.reversed()))) }
      #expect(list.entries == stored + saved)
    }
  }

  @Test("added members are those of a plain array, whatever is added, removed and looked up")
  func added() throws {
    let context = try TestStore(.memory).gallery().makeContext()
    let works = (0..<200).map { Work(context: context, title: "\($0)") }
    var random = SplitMix(seed: 7)
    var added = AddedMembers()
    var plain: [Work] = []
    for step in 0..<5000 as Range<Int64> {
      let work = works[Int(random.next() % 200)]
      switch random.next() % 4 {
      case 0, 1:
        if plain.contains(work) { continue }
        let entry = MemberEntry(position: step, key: work.key)
        added.append(AddedMembers.Member(object: work, entry: entry))
        plain.append(work)
      case 2:
        let removed = added.remove(work)
        #expect((removed?.key == work.key) == plain.contains(work))
        plain.removeAll { $0 === work }
      default:
        let position = added.position(of: work)
        #expect((position != nil) == plain.contains(work))
        guard let position else { continue }
        added.set(MemberEntry(position: -step, key: work.key), at: position)
        #expect(added.entry(at: position)?.position == -step)
      }
      #expect(added.count == plain.count && added.isEmpty == plain.isEmpty)
      if step % 50 == 0 { #expect(added.all.map(\.object) == plain) }
    }
  }
}

extension MemberList {
  fileprivate func isReplaced(
    _ old: ContiguousArray<MemberEntry>, by new: ContiguousArray<MemberEntry>
  ) -> Bool {
    var copy = self
    return copy.replaceLast(old, by: new) || copy.entries != entries
  }

  fileprivate var entries: [MemberEntry] {
    var entries: [MemberEntry] = []
    forEach { entries.append($0) }
    return entries
  }
}
