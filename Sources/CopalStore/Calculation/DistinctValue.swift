import CopalEssentials
package import CopalModel

/// A value in a set: two of one type are equal if a condition says so, which compares texts by
/// their bytes.
///
/// All bytes of a text are hashed. `Data` hashes its first 80 bytes only, and many paths and
/// addresses begin with the same ones.
package struct DistinctValue: Hashable, Sendable {
  private let value: PropertyValue

  package init(_ value: PropertyValue) { self.value = value }

  package static func == (a: Self, b: Self) -> Bool {
    // Numbers of different types can be equal, but have different hashes.
    QueryValueType(a.value) == QueryValueType(b.value)
      && ValueOrder.compare(a.value, .equal, b.value)
  }

  package func hash(into hasher: inout Hasher) {
    switch value {
    case .string(let text): hasher.combine(bytesOf: text)
    case .uri(let url): hasher.combine(bytesOf: url.absoluteString)
    case .binary(let data): data.withUnsafeBytes { hasher.combine(bytes: $0) }
    case .decimal(let decimal): hasher.combine(DecimalParts(decimal).shortest)
    default: hasher.combine(value)
    }
  }
}

extension Hasher {
  fileprivate mutating func combine(bytesOf text: String) {
    // One way for all texts: equal bytes must be combined alike, also those of a text that
    // Foundation has made.
    var text = text
    text.withUTF8 { combine(bytes: UnsafeRawBufferPointer($0)) }
  }
}
