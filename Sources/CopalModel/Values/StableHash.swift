/// A hash that is the same in every process and on every machine: 64-bit FNV-1a.
///
/// Source: <http://www.isthe.com/chongo/tech/comp/fnv/>.
package struct StableHash {
  package private(set) var value: UInt64 = 0xcbf2_9ce4_8422_2325

  package init() {}

  package mutating func combine(_ text: String) {
    for byte in text.utf8 { combine(byte) }
    // A byte that UTF-8 never contains separates the parts, so that "a" + "bc" and "ab" + "c"
    // differ.
    combine(0xff)
  }

  /// Combines the bytes of a text.
  package mutating func combine(_ text: UnsafeBufferPointer<UInt8>) {
    for byte in text { combine(byte) }
    combine(0xff)
  }

  package mutating func combine(_ byte: UInt8) {
    value = (value ^ UInt64(byte)) &* 0x0000_0100_0000_01b3
  }
}
