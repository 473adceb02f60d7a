/// What a program has read, so that all can be seen to have read the same.
///
/// Every property adds a little; texts and blobs add their length and ends, which forces them to be
/// there without hashing them.
public struct Checksum {
  public var value: UInt64 = 0
  public init() {}

  @inlinable @inline(__always)
  public mutating func add(_ number: Int64) { addBits(UInt64(bitPattern: number)) }

  /// Adds what one of many equal calls found, if it is the first: how many follow depends on the
  /// time.
  @inlinable @inline(__always)
  public mutating func add(_ number: Int64, of call: Int) {
    if call == 0 { add(number) }
  }

  @inlinable @inline(__always)
  public mutating func add(_ number: Double) { addBits(number.bitPattern) }

  @inlinable @inline(__always)
  public mutating func add(_ flag: Bool) { addBits(flag ? 1 : 0) }

  @inlinable @inline(__always)
  public mutating func add(_ text: String) {
    let utf8 = text.utf8
    addBits(UInt64(truncatingIfNeeded: utf8.count) &+ UInt64(utf8.first ?? 0) &<< 8)
  }

  @inlinable @inline(__always)
  public mutating func add(_ text: String?) {
    if let text { add(text) } else { addBits(7) }
  }

  @inlinable @inline(__always)
  public mutating func add(bytes count: Int, first: UInt8) {
    addBits(UInt64(truncatingIfNeeded: count) &+ UInt64(first) &<< 8)
  }

  // Independent of the order of rows, so that programs need not sort.
  @inlinable @inline(__always)
  mutating func addBits(_ bits: UInt64) { value = value &+ (bits &* 0x9e37_79b9_7f4a_7c15) }
}
