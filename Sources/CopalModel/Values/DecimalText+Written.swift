package import CopalEssentials

extension DecimalText {
  /// The decimal of a text as people and other programs write it, too: `+0.1`, `.05`, `5.` and
  /// `1E-12` beside `12.50`.
  ///
  /// For texts that a program converts. The stored form of a decimal is read with ``parse(_:)``.
  ///
  /// - Returns: nil for another text, for more than 38 digits, and beyond all decimals.
  package static func written(_ text: String) -> Decimal? {
    if let plain = parse(text) { return plain }
    var number = Substring(text)
    var sign = ""
    if let first = number.first, first == "+" || first == "-" {
      sign = first == "-" ? "-" : ""
      number.removeFirst()
    }
    let power = number.firstIndex { $0 == "e" || $0 == "E" }
    let parts = number[..<(power ?? number.endIndex)].split(
      separator: ".", omittingEmptySubsequences: false)
    guard parts.count <= 2, parts.contains(where: { !$0.isEmpty }),
      parts.allSatisfy({ $0.utf8.allSatisfy { 48...57 ~= $0 } })
    else { return nil }
    let whole = parts[0].drop { $0 == "0" }
    let fraction = parts.count == 2 ? parts[1] : ""
    // The form that JSON has. Step by step: as one expression, it takes the compiler most of a
    // second.
    var json = sign
    json += whole.isEmpty ? "0" : whole
    if !fraction.isEmpty { json += "." + fraction }
    if let power { json += number[power...] }
    return DecimalLiteral(json)?.decimal
  }
}
