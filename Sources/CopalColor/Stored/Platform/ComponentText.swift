import CopalArchive

/// Components of an archived color as ASCII text: decimal numbers with spaces between them,
/// sometimes with a NUL at the end.
enum ComponentText {
  /// The numbers of a field.
  ///
  /// - Parameter counts: how many numbers there may be.
  static func numbers(_ object: ArchivedObject, _ key: String, _ counts: ClosedRange<Int>) throws
    -> [Double]
  {
    var numbers: [Double] = []
    for word in words(try object.data(key)) {
      guard numbers.count < counts.upperBound else {
        throw wrong("more than \(counts.upperBound)", key, counts)
      }
      guard let number = number(word) else {
        throw wrong("a text that is not a number", key, counts)
      }
      numbers.append(number)
    }
    guard numbers.count >= counts.lowerBound else { throw wrong("\(numbers.count)", key, counts) }
    return numbers
  }

  /// The text of some components. `Double` has all digits that a `Float` needs, and Apple's systems
  /// read numbers as `Double`.
  static func bytes(_ components: [Float]) -> [UInt8] {
    let texts = components.map { component in
      let text = "\(Double(component))"
      return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
    }
    return Array(texts.joined(separator: " ").utf8)
  }

  private static func words(_ bytes: [UInt8]) -> [ArraySlice<UInt8>] {
    let end = bytes.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
    return bytes[..<end].split(separator: UInt8(ascii: " "))
  }

  /// A decimal number with a point. `Double` itself also accepts `nan`, `inf` and hexadecimal
  /// numbers, which no archive has.
  private static func number(_ word: ArraySlice<UInt8>) -> Double? {
    let isDecimal = word.allSatisfy { byte in
      switch byte {
      case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
        UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
        true
      default: false
      }
    }
    return isDecimal ? Double(String(decoding: word, as: UTF8.self)) : nil
  }

  private static func wrong(_ found: String, _ key: String, _ counts: ClosedRange<Int>)
    -> ColorError
  {
    ColorError(
      .archivedComponents, found: found,
      expected: "\(counts.lowerBound) or \(counts.upperBound) numbers under \(key)")
  }
}
