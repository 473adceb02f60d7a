/// A set of slots of one entity, as bits.
///
/// Up to 64 slots need no allocation.
public struct SlotSet: Sendable, Hashable {
  @usableFromInline var first: UInt64 = 0
  @usableFromInline var rest: [UInt64]

  /// The empty set for an entity of `count` slots.
  public init(count: Int) {
    rest = count > 64 ? [UInt64](repeating: 0, count: (count - 1) / 64) : []
  }

  public init(_ slots: some Sequence<Int>, count: Int) {
    self.init(count: count)
    for slot in slots { insert(slot) }
  }

  @inlinable @inline(__always)
  public mutating func insert(_ slot: Int) {
    if slot < 64 {
      first |= 1 &<< UInt64(truncatingIfNeeded: slot)
    } else {
      rest[slot >> 6 - 1] |= 1 << UInt64(slot & 63)
    }
  }

  public mutating func remove(_ slot: Int) {
    if slot < 64 {
      first &= ~(1 << UInt64(slot))
    } else {
      rest[slot >> 6 - 1] &= ~(1 << UInt64(slot & 63))
    }
  }

  @inlinable @inline(__always)
  public func contains(_ slot: Int) -> Bool {
    if slot < 64 { return first & 1 &<< UInt64(truncatingIfNeeded: slot) != 0 }
    let word = slot >> 6 - 1
    return word < rest.count && rest[word] & 1 << UInt64(slot & 63) != 0
  }

  public var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

  public func isDisjoint(with other: Self) -> Bool {
    first & other.first == 0 && zip(rest, other.rest).allSatisfy { $0 & $1 == 0 }
  }

  /// The slots in ascending order.
  public var slots: [Int] {
    var result: [Int] = []
    func collect(_ word: UInt64, _ start: Int) {
      var word = word
      while word != 0 {
        result.append(start + word.trailingZeroBitCount)
        word &= word - 1
      }
    }
    collect(first, 0)
    for (index, word) in rest.enumerated() { collect(word, (index + 1) * 64) }
    return result
  }
}
