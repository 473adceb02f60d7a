/// The values of a row in a unique constraint. Two rows have equal ones where the constraint does
/// not allow both.
public struct UniqueValues: Sendable, Hashable, Comparable {
  /// Each value, and behind it the number of its bytes.
  private var bytes: [UInt8] = []

  /// No values yet.
  package init() {}

  /// Adds the value of the next slot.
  package mutating func append(_ value: UnsafeRawBufferPointer) {
    bytes.reserveCapacity(bytes.count + value.count + MemoryLayout<Int>.size)
    bytes.append(contentsOf: value)
    withUnsafeBytes(of: value.count) { bytes.append(contentsOf: $0) }
  }

  /// Adds an integer as the value of the next slot.
  package mutating func append(_ number: Int64) {
    withUnsafeBytes(of: number) { append($0) }
  }

  /// Adds a floating number as the value of the next slot. The two zeros are equal.
  package mutating func append(_ number: Double) {
    withUnsafeBytes(of: number == 0 ? 0 : number) { append($0) }
  }

  /// Some order. For one text or blob, that of an index.
  public static func < (a: Self, b: Self) -> Bool { a.bytes.lexicographicallyPrecedes(b.bytes) }

  /// Hashes all bytes at once.
  public func hash(into hasher: inout Hasher) {
    bytes.withUnsafeBytes { hasher.combine(bytes: $0) }
  }
}
