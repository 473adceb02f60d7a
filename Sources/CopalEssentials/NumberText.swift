// The parser of the standard library is generic and long: the compiler makes one for each type of
// number and of text, thirteen in CopalModel, CopalStore and CopalObjects. The functions here share
// three.

extension Int64 {
  /// The number of a text, as `Int64.init(_:radix:)` reads it; nil for a text that is no number.
  @inline(never)
  package init?(written text: String, radix: Int = 10) { self.init(text, radix: radix) }
}

extension Int {
  /// The number of a text, as `Int.init(_:)` reads it; nil for a text that is no number.
  package init?(written text: String) {
    guard let number = Int64(written: text) else { return nil }
    self.init(exactly: number)
  }
}

extension UInt128 {
  /// The number of a text, as `UInt128.init(_:)` reads it; nil for a text that is no number.
  @inline(never)
  package init?(written text: String) { self.init(text) }
}

extension UInt64 {
  /// The number of hexadecimal digits; nil for a text that is no number.
  @inline(never)
  package init?(hexadecimal text: String) { self.init(text, radix: 16) }
}

extension String {
  /// The text with leading zeros up to a length.
  package func leftPadded(to length: Int) -> String {
    String(repeating: "0", count: max(0, length - count)) + self
  }
}
