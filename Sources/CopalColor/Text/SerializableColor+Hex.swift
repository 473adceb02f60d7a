/// The hexadecimal form, for example `#E34234`.
extension SerializableColor {
  /// The color in sRGB as `#RRGGBB`, or `#RRGGBBAA` when it is not opaque.
  ///
  /// The form has 8 bits for each component: components are limited to 0...1 and rounded. For an
  /// exact text use ``css``.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace` when the color space is not known.
  public var hex: String {
    get throws(ColorError) {
      let rgb = try measured(in: .sRGB)
      let opacity = alpha == 1 ? [] : [Double(alpha)]
      return "#" + ([rgb.x, rgb.y, rgb.z] + opacity).map(Self.hexByte).joined()
    }
  }

  /// Reads `#RGB`, `#RGBA`, `#RRGGBB` or `#RRGGBBAA`, with or without the `#`. It ignores case.
  ///
  /// ```swift
  /// let cinnabar = try SerializableColor(hex: "#E34234")
  /// ```
  ///
  /// - Throws: ``ColorError`` with `color.hex`. It has the position of the problem.
  public init(hex: String) throws(ColorError) {
    self = try Self.readHex(hex.utf8[...], from: 0, of: hex)
  }

  /// Reads the digits of a text, after a `#` if there is one.
  static func readHex(
    _ text: Substring.UTF8View, from start: Int, of whole: String
  ) throws(ColorError) -> SerializableColor {
    let hasSign = text.first == UInt8(ascii: "#")
    let digits = hasSign ? text.dropFirst() : text
    let first = start + (hasSign ? 1 : 0)

    // Capacity for eight digits: a long text is refused at its ninth digit.
    var nibbles: [UInt8] = []
    nibbles.reserveCapacity(8)
    for (offset, byte) in digits.enumerated() {
      guard let nibble = nibble(byte) else {
        throw ColorError(
          .hex, found: Excerpt.of(whole, at: first + offset), expected: "a digit 0-9 or A-F",
          position: first + offset)
      }
      guard nibbles.count < 8 else {
        throw ColorError(
          .hex, found: "more digits", expected: "at most 8 digits", position: first + offset)
      }
      nibbles.append(nibble)
    }

    let bytes: [UInt8]
    switch nibbles.count {
    case 3, 4: bytes = nibbles.map { $0 * 17 }
    case 6, 8:
      bytes = stride(from: 0, to: nibbles.count, by: 2).map {
        nibbles[$0] * 16 + nibbles[$0 + 1]
      }
    case let count:
      throw ColorError(
        .hex, found: "\(count) digits", expected: "3, 4, 6 or 8 digits", position: first)
    }
    return SerializableColor(
      red8: bytes[0], green8: bytes[1], blue8: bytes[2], alpha8: bytes.count > 3 ? bytes[3] : 255)
  }

  private static func nibble(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): byte - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): byte - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): byte - UInt8(ascii: "A") + 10
    default: nil
    }
  }

  private static func hexByte(_ component: Double) -> String {
    let byte = UInt8((min(max(component, 0), 1) * 255).rounded())
    return (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
  }
}
