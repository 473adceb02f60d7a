/// The text forms of CSS Color Module Level 4, <https://www.w3.org/TR/css-color-4/>.
extension SerializableColor {
  /// The color as CSS text, exact: `init(css:)` reads the same bits.
  ///
  ///     rgb(255 0 0)                    sRGB, where every component is a whole 255th
  ///     rgb(255 0 0 / 0.5)              and not opaque
  ///     color(srgb 0.1 0.2 0.3)         sRGB otherwise
  ///     color(display-p3 1 0.5 0)       Display P3
  ///     color(--space-7 1 0.5 0)        an unknown space, as CSS's own form for custom spaces;
  ///                                     browsers ignore it
  public var css: String {
    let opacity = alpha.bitPattern == Float(1).bitPattern ? "" : " / \(Self.number(alpha))"
    let colors = [red, green, blue]
    if colorSpace == .sRGB, alpha.sign == .plus, alpha <= 1 {
      let bytes = colors.compactMap(Self.exactByte)
      if bytes.count == 3 { return "rgb(\(bytes[0]) \(bytes[1]) \(bytes[2])\(opacity))" }
    }
    let numbers = colors.map(Self.number).joined(separator: " ")
    return "color(\(colorSpace.cssName) \(numbers)\(opacity))"
  }

  /// Reads a color from CSS.
  ///
  /// ```swift
  /// let madder = try SerializableColor(css: "rgb(227 38 54 / 50%)")
  /// let leaf = try SerializableColor(css: "color(display-p3 0.2 0.7 0.1)")
  /// let smoke = try SerializableColor(css: "whitesmoke")
  /// ```
  ///
  /// It reads `rgb()` and `hsl()` with spaces or with commas, `hwb()`, `lab()`, `lch()`, `oklab()`,
  /// `oklch()`, `color()` with the spaces `srgb`, `srgb-linear` and `display-p3`, percentages,
  /// angles with units, `none`, hex colors with `#`, the 148 named colors and `transparent`. It
  /// ignores case, and white space before and after the color. As in CSS, `rgb()` limits its
  /// components to their range, and `color()` does not. A color of the other functions is in sRGB
  /// if that can show it, and in Display P3 otherwise.
  ///
  /// - Throws: ``ColorError`` with `color.css` or `color.hex`. It has the position of the problem
  ///   and what was expected there.
  public init(css: String) throws(ColorError) {
    var parser = CSSColorParser(css)
    self = try parser.color()
  }

  /// A function of CSS whose numbers are not red, green and blue.
  public enum CSSFunction: Sendable, Hashable, CaseIterable {
    /// `hsl(120 100% 25%)`, in sRGB.
    case hsl
    /// `oklab(0.6 0.1 -0.1)`.
    case okLab
    /// `oklch(0.6 0.2 30)`.
    case okLCH
  }

  /// The color as CSS text of another function, with numbers of seven digits. Use it for texts that
  /// people edit; ``css`` is exact.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public func css(_ function: CSSFunction) throws(ColorError) -> String {
    let opacity = alpha == 1 ? "" : " / \(Self.rounded(Double(alpha)))"
    switch function {
    case .hsl:
      let hsl = try HSL(try converted(to: .sRGB))
      let percents = [hsl.saturation, hsl.lightness].map { "\(Self.rounded($0 * 100))%" }
      return "hsl(\(Self.rounded(hsl.hue)) \(percents[0]) \(percents[1])\(opacity))"
    case .okLab:
      let lab = try OKLab(self)
      let numbers = [lab.lightness, lab.a, lab.b].map(Self.rounded).joined(separator: " ")
      return "oklab(\(numbers)\(opacity))"
    case .okLCH:
      let lch = try OKLCH(self)
      let numbers = [lch.lightness, lch.chroma, lch.hue].map(Self.rounded).joined(separator: " ")
      return "oklch(\(numbers)\(opacity))"
    }
  }

  /// A number with at most seven digits after the point.
  private static func rounded(_ number: Double) -> String {
    let text = ((number * 10_000_000).rounded() / 10_000_000 + 0).description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The shortest text that is parsed to the same bits.
  private static func number(_ component: Float) -> String {
    let text = component.description
    return text.hasSuffix(".0") ? String(text.dropLast(2)) : text
  }

  /// The component in 255ths, when `rgb()` with that number gives exactly this component.
  private static func exactByte(_ component: Float) -> UInt8? {
    guard component >= 0, component <= 1 else { return nil }
    let byte = UInt8((component * 255).rounded())
    return (Float(byte) / 255).bitPattern == component.bitPattern ? byte : nil
  }
}

extension ColorSpace {
  static let cssCustomPrefix = "--space-"

  var cssName: String {
    switch self {
    case .sRGB: "srgb"
    case .displayP3: "display-p3"
    default: "\(Self.cssCustomPrefix)\(rawValue)"
    }
  }

  /// The space of a lowercase CSS name.
  init?(cssName name: String) {
    switch name {
    case "srgb": self = .sRGB
    case "display-p3": self = .displayP3
    default:
      guard name.hasPrefix(Self.cssCustomPrefix),
        let number = Int32(name.dropFirst(Self.cssCustomPrefix.count))
      else { return nil }
      self.init(rawValue: number)
    }
  }
}
