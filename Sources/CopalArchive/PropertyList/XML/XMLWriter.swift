import CopalEssentials

/// Writes a property list in XML, as Apple's systems do.
struct XMLWriter {
  private var text = """
    <?xml version="1.0" encoding="UTF-8"?>
    <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
    <plist version="1.0">

    """

  static func text(of value: PropertyListValue) throws(ArchiveError) -> String {
    var writer = XMLWriter()
    try writer.write(value, 0)
    return writer.text + "</plist>\n"
  }

  private mutating func write(_ value: PropertyListValue, _ level: Int) throws(ArchiveError) {
    switch value {
    case .boolean(let value): line(level, value ? "<true/>" : "<false/>")
    case .integer(let number): line(level, "<integer>\(number)</integer>")
    case .unsigned(let number): line(level, "<integer>\(number)</integer>")
    case .real(let number): line(level, "<real>\(Self.real(number))</real>")
    case .float(let number): line(level, "<real>\(Self.real(number))</real>")
    case .date(let seconds): line(level, "<date>\(try Self.date(seconds))</date>")
    case .data(let bytes): writeData(bytes, level)
    case .string(let text): line(level, "<string>\(try Self.escaped(text))</string>")
    case .uid(let number): try write(.dictionary(["CF$UID": Self.integer(number)]), level)
    case .array(let elements): try write(elements, level)
    case .dictionary(let dictionary): try write(dictionary, level)
    case .set: throw ArchiveError(.inexpressible, found: "a set")
    }
  }

  private mutating func write(_ elements: [PropertyListValue], _ level: Int) throws(ArchiveError) {
    if elements.isEmpty { return line(level, "<array/>") }
    line(level, "<array>")
    for element in elements { try write(element, level + 1) }
    line(level, "</array>")
  }

  private mutating func write(_ dictionary: PropertyListDictionary, _ level: Int)
    throws(ArchiveError)
  {
    if dictionary.count == 0 { return line(level, "<dict/>") }
    line(level, "<dict>")
    for (key, value) in dictionary.pairs {
      line(level + 1, "<key>\(try Self.escaped(key))</key>")
      try write(value, level + 1)
    }
    line(level, "</dict>")
  }

  private mutating func writeData(_ bytes: [UInt8], _ level: Int) {
    line(level, "<data>")
    // A tab counts as eight columns of 76.
    let width = max(4, (76 - 8 * level) / 4 * 4)
    let digits = Array(Base64.text(of: bytes).utf8)
    for start in stride(from: 0, to: digits.count, by: width) {
      line(level, String(decoding: digits[start..<min(start + width, digits.count)], as: UTF8.self))
    }
    line(level, "</data>")
  }

  private mutating func line(_ level: Int, _ part: String) {
    text += String(repeating: "\t", count: level) + part + "\n"
  }

  // MARK: Values

  private static func integer(_ number: UInt64) -> PropertyListValue {
    Int64(exactly: number).map { .integer($0) } ?? .unsigned(number)
  }

  /// The shortest text of the same number.
  private static func real<Number: BinaryFloatingPoint & LosslessStringConvertible>(
    _ number: Number
  ) -> String {
    if number.isNaN { return "nan" }
    if number.isInfinite { return number < 0 ? "-infinity" : "+infinity" }
    return number.description
  }

  private static func date(_ seconds: Double) throws(ArchiveError) -> String {
    // Without the fraction of the second.
    guard let whole = Int(exactly: seconds.rounded(.down)),
      let text = CivilTime.text(seconds: whole)
    else { throw ArchiveError(.inexpressible, found: "a date outside the years 1 to 9999") }
    return text + "Z"
  }

  private static func escaped(_ text: String) throws(ArchiveError) -> String {
    var escaped = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": escaped += "&amp;"
      case "<": escaped += "&lt;"
      case ">": escaped += "&gt;"
      // A parser makes a line feed of a carriage return.
      case "\r": escaped += "&#13;"
      default:
        guard XMLText.isAllowed(scalar) else {
          throw ArchiveError(
            .inexpressible, found: "a text with the control character \(scalar.value)")
        }
        escaped.unicodeScalars.append(scalar)
      }
    }
    return escaped
  }
}
