import CopalModel

/// Parses one CSS color from left to right, without backtracking.
struct CSSColorParser {
  private let text: String
  private let bytes: String.UTF8View
  private var index: String.Index
  private var position = 0

  init(_ text: String) {
    self.text = text
    bytes = text.utf8
    index = bytes.startIndex
  }

  mutating func color() throws(ColorError) -> SerializableColor {
    skipSpace()
    let color: SerializableColor
    if next == UInt8(ascii: "#") {
      let start = position
      let digits = take { !Self.isSpace($0) }
      color = try SerializableColor.readHex(digits, from: start, of: text)
    } else {
      color = try nameOrFunction()
    }
    skipSpace()
    guard next == nil else { throw expected("the end of the text") }
    return color
  }

  private mutating func nameOrFunction() throws(ColorError) -> SerializableColor {
    let start = position
    let name = word()
    if accept("(") {
      switch name {
      case "rgb", "rgba": return try rgb()
      case "color": return try colorFunction()
      case "hsl", "hsla": return try hsl()
      case "hwb": return try hwb()
      case "oklab": return try okLab()
      case "oklch": return try okLCH()
      case "lab": return try lab()
      case "lch": return try lch()
      default:
        throw expected(
          "rgb(), hsl(), hwb(), lab(), lch(), oklab(), oklch() or color()", at: start,
          suggestion: NearestName.of(name, among: Self.functions))
      }
    }
    if name == "transparent" { return .clear }
    guard let number = CSSColorNames.rgb[name] else {
      throw expected(
        "a hex color, a function such as rgb() or oklch(), or a named color", at: start,
        suggestion: NearestName.of(name, among: CSSColorNames.rgb.keys))
    }
    return SerializableColor(
      red8: UInt8(truncatingIfNeeded: number >> 16), green8: UInt8(truncatingIfNeeded: number >> 8),
      blue8: UInt8(truncatingIfNeeded: number))
  }

  /// `rgb(255 0 0 / 0.5)` or, with commas, `rgba(255, 0, 0, 0.5)`.
  private mutating func rgb() throws(ColorError) -> SerializableColor {
    let red = try component(whole: 255)
    skipSpace()
    let commas = accept(",")
    let green = try component(whole: 255)
    if commas { try require(",") }
    let blue = try component(whole: 255)
    let alpha = try alpha(after: commas ? "," : "/")
    return SerializableColor(
      finite: red.clamped, green.clamped, blue.clamped, alpha: alpha.clamped, .sRGB)
  }

  /// `color(display-p3 1 0.5 0 / 0.5)`.
  private mutating func colorFunction() throws(ColorError) -> SerializableColor {
    skipSpace()
    let start = position
    let name = word()
    let isLinear = name == "srgb-linear"
    guard let space = isLinear ? .sRGB : ColorSpace(cssName: name) else {
      throw expected(
        "the color space srgb, srgb-linear or display-p3", at: start,
        suggestion: NearestName.of(name, among: ["srgb", "srgb-linear", "display-p3"]))
    }
    let red = try component(whole: 1)
    let green = try component(whole: 1)
    let blue = try component(whole: 1)
    let alpha = try alpha(after: "/")
    func encoded(_ component: Float) -> Float {
      isLinear ? Float(SRGBTransfer.encoded(Double(component))) : component
    }
    return try SerializableColor(
      checking: encoded(red), encoded(green), encoded(blue), alpha: alpha, space)
  }

  /// A number relative to a whole, a percentage, or `none`, which is 0.
  ///
  /// - Parameters:
  ///   - whole: what the number is divided by.
  ///   - percent: what 100 % is.
  mutating func number(whole: Double = 1, percent: Double) throws(ColorError) -> Double {
    skipSpace()
    let start = position
    if let letter = next, Self.isNamePart(letter), !Self.isNumberPart(letter) {
      guard word() == "none" else { throw expected("a number", at: start) }
      return 0
    }
    guard let number = Double(number()) else { throw expected("a number", at: start) }
    if accept("%") { return number / 100 * percent }
    try refuseUnit(at: start)
    return number / whole
  }

  /// An angle in degrees: a number, with one of CSS's units if it has one.
  mutating func angle() throws(ColorError) -> Double {
    skipSpace()
    let start = position
    if let letter = next, Self.isNamePart(letter), !Self.isNumberPart(letter) {
      guard word() == "none" else { throw expected("an angle", at: start) }
      return 0
    }
    guard let number = Double(number()) else { throw expected("an angle", at: start) }
    let unitStart = position
    switch word() {
    case "", "deg": return number.turned
    case "grad": return (number * 0.9).turned
    case "rad": return (number * 180 / .pi).turned
    case "turn": return (number * 360).turned
    default: throw expected("the unit deg, grad, rad or turn", at: unitStart)
    }
  }

  mutating func comma() -> Bool {
    skipSpace()
    return accept(",")
  }

  mutating func requireComma() throws(ColorError) { try require(",") }

  /// Parses the end of a color: optionally a separator and alpha, then the bracket.
  mutating func alpha(after separator: Unicode.Scalar) throws(ColorError) -> Float {
    skipSpace()
    if accept(")") { return 1 }
    guard accept(separator) else { throw expected("'\(separator)' or ')'") }
    let alpha = try component(whole: 1)
    try require(")")
    return alpha
  }

  /// A number relative to a whole, a percentage, or `none`, which is 0.
  private mutating func component(whole: Float) throws(ColorError) -> Float {
    skipSpace()
    let start = position
    if let letter = next, Self.isNamePart(letter), !Self.isNumberPart(letter) {
      guard word() == "none" else { throw expected("a number", at: start) }
      return 0
    }
    guard let number = Float(number()) else { throw expected("a number", at: start) }
    if accept("%") { return Float(Double(number) / 100) }
    try refuseUnit(at: start)
    return whole == 1 ? number : number / whole
  }

  private mutating func refuseUnit(at start: Int) throws(ColorError) {
    if let letter = next, Self.isNamePart(letter), !Self.isNumberPart(letter) {
      throw expected("a number without a unit", at: start)
    }
  }

  /// The longest text that is a number in CSS. Swift's own parser also accepts "inf" and "0x1p3".
  private mutating func number() -> Substring {
    let start = index
    if next == UInt8(ascii: "-") || next == UInt8(ascii: "+") { advance() }
    _ = take(while: Self.isDigit)
    if next == UInt8(ascii: "."), let after = peek(1), Self.isDigit(after) {
      advance()
      _ = take(while: Self.isDigit)
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      let signed = peek(1) == UInt8(ascii: "-") || peek(1) == UInt8(ascii: "+")
      if let digit = peek(signed ? 2 : 1), Self.isDigit(digit) {
        advance()
        if signed { advance() }
        _ = take(while: Self.isDigit)
      }
    }
    return text[start..<index]
  }
}

/// The cursor.
extension CSSColorParser {
  private var next: UInt8? { index < bytes.endIndex ? bytes[index] : nil }

  private func peek(_ distance: Int) -> UInt8? {
    guard let there = bytes.index(index, offsetBy: distance, limitedBy: bytes.endIndex),
      there < bytes.endIndex
    else { return nil }
    return bytes[there]
  }

  private mutating func advance() {
    bytes.formIndex(after: &index)
    position += 1
  }

  private mutating func take(while wanted: (UInt8) -> Bool) -> Substring.UTF8View {
    let start = index
    while let byte = next, wanted(byte) { advance() }
    return bytes[start..<index]
  }

  /// A name in lower case; empty when there is none.
  private mutating func word() -> String {
    (Substring(take(while: Self.isNamePart))).lowercased()
  }

  private mutating func skipSpace() { _ = take(while: Self.isSpace) }

  private mutating func accept(_ sign: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: sign) else { return false }
    advance()
    return true
  }

  private mutating func require(_ sign: Unicode.Scalar) throws(ColorError) {
    skipSpace()
    guard accept(sign) else { throw expected("'\(sign)'") }
  }

  private func expected(_ what: String, at offset: Int? = nil, suggestion: String? = nil)
    -> ColorError
  {
    let offset = offset ?? position
    return ColorError(
      .css, found: Excerpt.of(text, at: offset), expected: what, position: offset,
      suggestion: suggestion)
  }

  private static func isSpace(_ byte: UInt8) -> Bool {
    byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0C || byte == 0x0D
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    byte >= UInt8(ascii: "0") && byte <= UInt8(ascii: "9")
  }

  private static func isNumberPart(_ byte: UInt8) -> Bool {
    isDigit(byte) || byte == UInt8(ascii: "-")
  }

  /// Letters, digits, `-`, `_`, and everything outside ASCII.
  private static func isNamePart(_ byte: UInt8) -> Bool {
    isNumberPart(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
      || (byte | 0x20 >= UInt8(ascii: "a") && byte | 0x20 <= UInt8(ascii: "z"))
  }
}

/// A short excerpt of a text for a message, without control characters.
enum Excerpt {
  static func of(_ text: String, at position: Int) -> String {
    let utf8 = text.utf8
    guard let start = utf8.index(utf8.startIndex, offsetBy: position, limitedBy: utf8.endIndex),
      start < utf8.endIndex
    else { return "the end of the text" }
    let scalars = text.unicodeScalars[start...].prefix(17)
    let shown = scalars.prefix(16).map { $0.escaped(asASCII: false) }.joined()
    return "'\(shown)\(scalars.count > 16 ? "…" : "")'"
  }
}
