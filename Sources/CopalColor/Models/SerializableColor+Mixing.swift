/// Mixing, by `color-mix()` of CSS.
///
/// Source: CSS Color Module Level 4, section "Color Interpolation",
/// <https://www.w3.org/TR/css-color-4/#interpolation>.
extension SerializableColor {
  /// Where colors are mixed.
  public enum MixingSpace: Sendable, Hashable, CaseIterable {
    /// As people see it: the way between two colors looks even. The default of CSS.
    case okLab
    /// On the shorter way between the two hues, so that the colors between are as strong as the
    /// two.
    case okLCH
    /// Red, green and blue as they are stored, as in image editors.
    case sRGB
    /// Amounts of light.
    case linearSRGB
  }

  /// A color between this one and another one, in the color space of this one.
  ///
  /// ```swift
  /// let orange = try SerializableColor.red.mixed(with: .yellow)
  /// let tint = try pigment.color.mixed(with: .white, amount: 0.25)
  /// ```
  ///
  /// - Parameters:
  ///   - amount: how much of the other color, from 0 (none of it) to 1 (only it).
  ///   - space: where to mix them.
  /// - Throws: ``ColorError`` with `color.unknownSpace`, and `color.notFinite` for an amount that
  ///   is not finite.
  public func mixed(
    with other: SerializableColor, amount: Double = 0.5, in space: MixingSpace = .okLab
  ) throws(ColorError) -> SerializableColor {
    guard amount.isFinite else {
      throw ColorError(.notFinite, found: "\(amount)", expected: "amount")
    }
    let (a, b) = (try MixingPoint(self, space), try MixingPoint(other, space))
    return try a.mixed(with: b, amount).color(in: colorSpace)
  }
}

/// A color in the coordinates of a space for mixing.
private struct MixingPoint {
  let space: SerializableColor.MixingSpace
  /// The coordinates. The last one is the hue in OKLCH.
  var coordinates: SIMD3<Double>
  var alpha: Double
  /// Whether the color has a hue; a gray takes the one of the other color.
  var hasHue = true

  init(_ color: SerializableColor, _ space: SerializableColor.MixingSpace) throws(ColorError) {
    self.space = space
    alpha = Double(color.alpha)
    switch space {
    case .okLab:
      let lab = try OKLab(color)
      coordinates = SIMD3(lab.lightness, lab.a, lab.b)
    case .okLCH:
      let lch = try OKLCH(color)
      coordinates = SIMD3(lch.lightness, lch.chroma, lch.hue)
      hasHue = lch.chroma > 0
    case .sRGB: coordinates = try color.measured(in: .sRGB)
    case .linearSRGB:
      let rgb = try color.measured(in: .sRGB)
      coordinates = SIMD3(
        SRGBTransfer.linear(rgb.x), SRGBTransfer.linear(rgb.y), SRGBTransfer.linear(rgb.z))
    }
  }

  /// Coordinates are multiplied by alpha before they are mixed, but not a hue.
  func mixed(with other: MixingPoint, _ amount: Double) -> MixingPoint {
    var result = self
    result.alpha = alpha * (1 - amount) + other.alpha * amount
    let scaled = coordinates * alpha * (1 - amount) + other.coordinates * other.alpha * amount
    result.coordinates = result.alpha == 0 ? coordinates : scaled / result.alpha
    if space == .okLCH { result.coordinates.z = hue(other, amount) }
    return result
  }

  /// The hue on the shorter arc.
  private func hue(_ other: MixingPoint, _ amount: Double) -> Double {
    if !hasHue { return other.coordinates.z }
    if !other.hasHue { return coordinates.z }
    let (from, to) = (coordinates.z, other.coordinates.z)
    let arc = to - from
    let shorter = arc > 180 ? arc - 360 : arc < -180 ? arc + 360 : arc
    return (from + shorter * amount).turned
  }

  func color(in colorSpace: ColorSpace) throws(ColorError) -> SerializableColor {
    let (x, y, z) = (coordinates.x, coordinates.y, coordinates.z)
    switch space {
    case .okLab:
      return try OKLab(lightness: x, a: y, b: z, alpha: alpha).color(in: colorSpace)
    case .okLCH:
      return try OKLCH(lightness: x, chroma: y, hue: z, alpha: alpha).color(in: colorSpace)
    case .sRGB:
      return try RGBComponents(x, y, z).color(alpha, .sRGB).converted(to: colorSpace)
    case .linearSRGB:
      return try RGBComponents(
        SRGBTransfer.encoded(x), SRGBTransfer.encoded(y), SRGBTransfer.encoded(z)
      ).color(alpha, .sRGB).converted(to: colorSpace)
    }
  }
}
