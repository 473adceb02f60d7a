import CopalEssentials
import CopalModel

/// Texts, bytes and UUIDs.
extension ValueConversion {
  func converted(_ text: String) -> PropertyValue? {
    switch new.type {
    case .string: .string(text)
    case .binary: .binary(Data(text.utf8))
    case .boolean: text == "true" ? .boolean(true) : text == "false" ? .boolean(false) : nil
    case .date: DateText.date(from: text).map { .date($0) }
    case .uuid: ValueText.uuid(text).map { .uuid($0) }
    case .uri: ValueText.url(text).map { .uri($0) }
    case .integer16, .integer32, .integer64, .integer, .float, .double, .decimal: number(text)
    case .transformable: nil
    }
  }

  /// A text with a number. Only the text that the number has itself is exact.
  private func number(_ text: String) -> PropertyValue? {
    // The texts that Copal writes are the most frequent, and need no literal.
    if let range = new.type.integerRange, let whole = Self.whole(text) {
      return range.contains(whole) ? .integer(whole) : nil
    }
    if new.type == .double, let number = Double(text), number.isFinite, number != 0,
      number.description == text
    {
      return .double(number)
    }
    guard let literal = DecimalLiteral(written: text),
      let found = ValueConversion(from: new, to: new, .nearest).number(literal)
    else { return nil }
    if takesNearest { return found }
    let back = ValueConversion(from: new, to: Form(.string)).converted(found)
    return back == .string(text) ? found : nil
  }

  /// The integer whose own text this is, as far as it has at most 18 digits.
  private static func whole(_ text: String) -> Int64? {
    var text = text
    return text.withUTF8 { bytes in
      let isNegative = bytes.first == UInt8(ascii: "-")
      let digits = bytes.dropFirst(isNegative ? 1 : 0)
      guard let first = digits.first, digits.count <= 18,
        first != UInt8(ascii: "0") || bytes.count == 1
      else { return nil }
      var number: Int64 = 0
      for byte in digits {
        guard byte >= UInt8(ascii: "0"), byte <= UInt8(ascii: "9") else { return nil }
        number = number * 10 + Int64(byte - UInt8(ascii: "0"))
      }
      return isNegative ? -number : number
    }
  }

  /// The nearest number of the new type.
  private func number(_ literal: DecimalLiteral) -> PropertyValue? {
    switch new.type {
    case .double:
      guard let number = Double(literal.text), number.isFinite else { return nil }
      return .double(number + 0)
    case .float:
      guard let number = Float(literal.text), number.isFinite else { return nil }
      return .double(Double(number) + 0)
    case .decimal where new.scale == nil: return literal.nearestDecimal.map { .decimal($0) }
    default: return literal.parts.flatMap { converted(number: .decimal($0)) }
    }
  }

  func converted(_ data: Data) -> PropertyValue? {
    switch new.type {
    case .binary: .binary(data)
    case .string: String(validating: data, as: UTF8.self).map { .string($0) }
    case .uuid:
      data.count == 16
        ? .uuid(data.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }) : nil
    default: nil
    }
  }

  func converted(_ uuid: UUID) -> PropertyValue? {
    switch new.type {
    case .uuid: .uuid(uuid)
    case .string: .string(uuid.uuidString)
    case .binary: .binary(withUnsafeBytes(of: uuid.uuid) { Data($0) })
    default: nil
    }
  }
}
