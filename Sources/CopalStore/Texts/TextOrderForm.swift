package import CopalModel

/// The form of texts that is ordered by its bytes, for an order of texts. SQL and memory use the
/// same.
package struct TextOrderForm: Sendable {
  private let folding: TextFolding
  private let ordersNumbers: Bool

  package init(_ order: FetchSortKey.TextOrder) {
    folding = TextFolding(
      order == .caseInsensitive ? .caseInsensitive : [.caseInsensitive, .diacriticInsensitive])
    ordersNumbers = order == .natural
  }

  /// The form of a text. The cost grows with the text.
  package func form(of text: String) -> [UInt8] {
    let bytes = folding.folded(text)
    return ordersNumbers ? Self.withLengths(bytes) : bytes
  }

  private static let zero = UInt8(ascii: "0")

  /// Writes each number without zeros at its start, and with the count of its digits before it, so
  /// that a longer number comes after a shorter one. A number keeps its place among other
  /// characters, because a digit still comes first.
  private static func withLengths(_ bytes: [UInt8]) -> [UInt8] {
    func isDigit(_ byte: UInt8) -> Bool { byte &- zero < 10 }
    guard bytes.contains(where: isDigit) else { return bytes }
    var form: [UInt8] = []
    form.reserveCapacity(bytes.count + 8)
    var place = 0
    while place < bytes.count {
      guard isDigit(bytes[place]) else {
        form.append(bytes[place])
        place += 1
        continue
      }
      let end = bytes[place...].firstIndex { !isDigit($0) } ?? bytes.count
      let digits = bytes[place..<end].drop { $0 == zero }
      form.append(zero)
      append(digits.count, to: &form)
      form += digits
      place = end
    }
    return form
  }

  /// One byte for a count below 255, and five for a greater one.
  private static func append(_ count: Int, to form: inout [UInt8]) {
    guard count >= 255 else { return form.append(UInt8(truncatingIfNeeded: count)) }
    form.append(255)
    for shift in [24, 16, 8, 0] { form.append(UInt8(truncatingIfNeeded: count >> shift)) }
  }
}
