/// The functions of CSS Color Module Level 4 whose numbers are not red, green and blue:
/// <https://www.w3.org/TR/css-color-4/#color-syntax>.
extension CSSColorParser {
  static let functions = ["rgb", "hsl", "hwb", "lab", "lch", "oklab", "oklch", "color"]

  /// `hsl(120deg 100% 25% / 0.5)` or, with commas, `hsla(120, 100%, 25%, 0.5)`.
  mutating func hsl() throws(ColorError) -> SerializableColor {
    let hue = try angle()
    let commas = comma()
    let saturation = max(0, try number(whole: 100, percent: 1))
    if commas { try requireComma() }
    let lightness = try number(whole: 100, percent: 1)
    let alpha = Double(try alpha(after: commas ? "," : "/").clamped)
    return try HSL(hue: hue, saturation: saturation, lightness: lightness, alpha: alpha).color()
  }

  /// `hwb(120deg 20% 30%)`: a hue with white and black.
  mutating func hwb() throws(ColorError) -> SerializableColor {
    let hue = try angle()
    let white = try number(whole: 100, percent: 1)
    let black = try number(whole: 100, percent: 1)
    let alpha = Double(try alpha(after: "/").clamped)
    if white + black >= 1 {
      let gray = white / (white + black)
      return try RGBComponents(gray, gray, gray).color(alpha, .sRGB)
    }
    let pure = RGBComponents(try HSL(hue: hue, saturation: 1, lightness: 0.5).color())
    func mixed(_ component: Double) -> Double { component * (1 - white - black) + white }
    return try RGBComponents(mixed(pure.red), mixed(pure.green), mixed(pure.blue))
      .color(alpha, .sRGB)
  }

  /// `oklab(0.6 0.1 -0.1)`.
  mutating func okLab() throws(ColorError) -> SerializableColor {
    let lightness = try number(percent: 1).limited(0...1)
    let a = try number(percent: 0.4)
    let b = try number(percent: 0.4)
    let alpha = Double(try alpha(after: "/").clamped)
    return try Self.shown(OKLab(lightness: lightness, a: a, b: b, alpha: alpha))
  }

  /// `oklch(60% 0.2 30deg)`.
  mutating func okLCH() throws(ColorError) -> SerializableColor {
    let lightness = try number(percent: 1).limited(0...1)
    let chroma = max(0, try number(percent: 0.4))
    let hue = try angle()
    let alpha = Double(try alpha(after: "/").clamped)
    return try Self.shown(
      OKLCH(lightness: lightness, chroma: chroma, hue: hue, alpha: alpha).lab)
  }

  /// `lab(50% 40 -20)`: CIE Lab with the white point D50.
  mutating func lab() throws(ColorError) -> SerializableColor {
    let lightness = try number(percent: 100).limited(0...100)
    let a = try number(percent: 125)
    let b = try number(percent: 125)
    let alpha = Double(try alpha(after: "/").clamped)
    return try Self.shown(CIELab.xyz(lightness, a, b), alpha)
  }

  /// `lch(50% 40 210deg)`: CIE Lab in polar coordinates.
  mutating func lch() throws(ColorError) -> SerializableColor {
    let lightness = try number(percent: 100).limited(0...100)
    let chroma = max(0, try number(percent: 150))
    let angle = try angle() * .pi / 180
    let alpha = Double(try alpha(after: "/").clamped)
    return try Self.shown(
      CIELab.xyz(lightness, chroma * CIELab.cosine(angle), chroma * CIELab.sine(angle)), alpha)
  }

  /// The color in sRGB if that can show it, and in Display P3 otherwise.
  private static func shown(_ lab: OKLab) throws(ColorError) -> SerializableColor {
    let color = try lab.color(in: .sRGB)
    return try color.isInGamut(of: .sRGB) ? color : lab.color(in: .displayP3)
  }

  private static func shown(_ xyz: SIMD3<Double>, _ alpha: Double) throws(ColorError)
    -> SerializableColor
  {
    let color = try SerializableColor(xyz: xyz, alpha: alpha, in: .sRGB)
    if try color.isInGamut(of: .sRGB) { return color }
    return try SerializableColor(xyz: xyz, alpha: alpha, in: .displayP3)
  }
}

extension Double {
  fileprivate func limited(_ range: ClosedRange<Double>) -> Double {
    min(max(self, range.lowerBound), range.upperBound)
  }
}
