/// Numbers in the texts of points, sizes and rectangles.
enum NumberText {
  /// The shortest decimal text that is read back as the same number; nil for NaN.
  ///
  /// A whole number has no ".0", as in the texts of `NSStringFromCGPoint`.
  static func text(_ number: some BinaryFloatingPoint) -> String? {
    let number = Double(number)
    if number.isNaN { return nil }
    let text = number.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The number of a decimal text, or of `inf` and `-inf`.
  ///
  /// - Returns: nil for another text, and for a number that is too large.
  static func number(_ bytes: ArraySlice<UInt8>) -> Double? {
    let text = String(decoding: bytes, as: UTF8.self)
    if text == "inf" { return .infinity }
    if text == "-inf" { return -.infinity }
    guard bytes.allSatisfy({ URLText.isDigit($0) || "+-.eE".utf8.contains($0) }) else { return nil }
    return Double(text).flatMap { $0.isFinite ? $0 : nil }
  }
}

/// Reads texts such as `{{1, 2}, {3, 4}}`. There may be spaces before each part.
struct PairReader {
  private var rest: ArraySlice<UInt8>

  init(_ text: String) { rest = Array(text.utf8)[...] }

  /// Reads a byte; false when the text goes on with another one.
  mutating func take(_ character: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard rest.first == UInt8(ascii: character) else { return false }
    rest.removeFirst()
    return true
  }

  /// Reads two numbers in braces.
  mutating func pair<Scalar: BinaryFloatingPoint>(of type: Scalar.Type) -> (Scalar, Scalar)? {
    guard take("{"), let first = number(type), take(","), let second = number(type), take("}")
    else { return nil }
    return (first, second)
  }

  /// Whether nothing is left.
  mutating func isAtEnd() -> Bool {
    skipSpaces()
    return rest.isEmpty
  }

  private mutating func number<Scalar: BinaryFloatingPoint>(_: Scalar.Type) -> Scalar? {
    skipSpaces()
    let end = rest.firstIndex { " ,}".utf8.contains($0) } ?? rest.endIndex
    defer { rest = rest[end...] }
    guard let number = NumberText.number(rest[..<end]) else { return nil }
    let scalar = Scalar(number)
    // A number that is finite in 64 bits can be too large for 32.
    return scalar.isFinite == number.isFinite ? scalar : nil
  }

  private mutating func skipSpaces() { rest = rest.drop { $0 == UInt8(ascii: " ") } }
}
