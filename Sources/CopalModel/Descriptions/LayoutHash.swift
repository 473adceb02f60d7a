extension EntityDescription {
  /// A hash of everything that generated code relies on: the slots, their names and types.
  ///
  /// Generated classes contain it. A container refuses to open when the hash of a class differs from the hash of
  /// the model, because generated accessors read slots without a check.
  public var layoutHash: UInt64 {
    var hash = StableHash()
    hash.combine(name)
    for attribute in slots {
      hash.combine(attribute.name)
      hash.combine(attribute.type.rawValue)
      hash.combine(attribute.isOptional ? "?" : "")
      hash.combine(attribute.isTransient ? "transient" : "")
      hash.combine(attribute.customClass ?? "")
      hash.combine(attribute.scale.map(String.init) ?? "")
    }
    return hash.value
  }
}

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
