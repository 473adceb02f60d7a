/// A set of slots of one entity, as bits. An entity of up to 64 slots needs no allocation.
public struct SlotSet: Sendable, Hashable {
  @usableFromInline var first: UInt64 = 0
  @usableFromInline var rest: [UInt64]

  /// The empty set for an entity of `count` slots.
  public init(count: Int) {
    rest = count > 64 ? [UInt64](repeating: 0, count: (count - 1) / 64) : []
  }

  /// The set of some slots, for an entity of `count` slots.
  public init(_ slots: some Sequence<Int>, count: Int) {
    self.init(count: count)
    for slot in slots { insert(slot) }
  }

  /// Adds a slot of the entity. Constant cost.
  // Inlined: every write of a property calls it.
  @inlinable @inline(__always)
  public mutating func insert(_ slot: Int) {
    if slot < 64 {
      first |= 1 &<< UInt64(truncatingIfNeeded: slot)
    } else {
      rest[slot >> 6 - 1] |= 1 << UInt64(slot & 63)
    }
  }

  /// Removes a slot of the entity. Constant cost.
  public mutating func remove(_ slot: Int) {
    if slot < 64 {
      first &= ~(1 << UInt64(slot))
    } else {
      rest[slot >> 6 - 1] &= ~(1 << UInt64(slot & 63))
    }
  }

  /// Whether the slot is in the set. Constant cost.
  @inlinable
  public func contains(_ slot: Int) -> Bool {
    if slot < 64 { return first & 1 &<< UInt64(truncatingIfNeeded: slot) != 0 }
    let word = slot >> 6 - 1
    return word < rest.count && rest[word] & 1 << UInt64(slot & 63) != 0
  }

  /// Whether the set has no slots.
  public var isEmpty: Bool { first == 0 && rest.allSatisfy { $0 == 0 } }

  /// The slots that are not in another set of the same entity.
  public func subtracting(_ other: Self) -> Self {
    var result = self
    result.first &= ~other.first
    for index in rest.indices { result.rest[index] &= ~other.rest[index] }
    return result
  }

  /// Whether the two sets have no slot in common.
  public func isDisjoint(with other: Self) -> Bool {
    first & other.first == 0 && zip(rest, other.rest).allSatisfy { $0 & $1 == 0 }
  }
}

extension SlotSet: Sequence {
  /// Iterates over the slots in ascending order.
  @inlinable
  public func makeIterator() -> Iterator { Iterator(first, rest) }

  /// Iterates over the slots of a set in ascending order.
  public struct Iterator: IteratorProtocol {
    @usableFromInline var word: UInt64
    @usableFromInline var start = 0
    @usableFromInline let rest: [UInt64]

    @inlinable
    init(_ first: UInt64, _ rest: [UInt64]) {
      word = first
      self.rest = rest
    }

    /// The next slot; nil at the end.
    @inlinable
    public mutating func next() -> Int? {
      while word == 0 {
        guard start &>> 6 < rest.count else { return nil }
        word = rest[start &>> 6]
        start &+= 64
      }
      defer { word &= word &- 1 }
      return start &+ word.trailingZeroBitCount
    }
  }
}
