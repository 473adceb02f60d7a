/// Conversion between color spaces.
extension SerializableColor {
  /// The same color in another color space.
  ///
  /// The components are not limited to 0...1: the red of Display P3 becomes sRGB (1.0931, -0.2267,
  /// -0.1501). Converting it back gives the same red, to about one part in a million. Use
  /// ``clamped()`` afterwards for components in 0...1. Alpha does not change. A color that is
  /// already in the space is returned unchanged.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace` when either space is not known, and
  ///   `color.notFinite` when the result is too large for a `Float`.
  /// - Complexity: six powers, about a tenth of a microsecond.
  public func converted(to space: ColorSpace) throws(ColorError) -> SerializableColor {
    if space == colorSpace { return self }
    let rgb = try measured(in: space)
    // Adding 0 turns -0.0 into 0.0, so that equal colors stay equal after a conversion.
    return try SerializableColor(
      checking: Float(rgb.x) + 0, Float(rgb.y) + 0, Float(rgb.z) + 0, alpha: alpha, space)
  }

  /// Whether a space can show the color: red, green and blue are in 0...1 after a conversion to the
  /// space.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace` when either space is not known.
  public func isInGamut(of space: ColorSpace) throws(ColorError) -> Bool {
    let rgb = SIMD3<Float>(try measured(in: space))
    return rgb.min() >= 0 && rgb.max() <= 1
  }

  /// The color with every component, also alpha, limited to 0...1 in its own space.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace` when the space is not known, because its
  ///   components can have other limits.
  public func clamped() throws(ColorError) -> SerializableColor {
    guard colorSpace.isKnown else { throw .unknownSpace(colorSpace) }
    return SerializableColor(
      finite: red.clamped, green.clamped, blue.clamped, alpha: alpha.clamped, colorSpace)
  }

  /// An sRGB color that every screen can show.
  ///
  /// A color of a known space is converted and limited to 0...1. The components of an unknown space
  /// are used as if they were sRGB, which is a guess. Use it only to show the color, and do not
  /// store it.
  public var sRGBFallback: SerializableColor {
    let rgb = (try? measured(in: .sRGB)) ?? SIMD3(Double(red), Double(green), Double(blue))
    let shown = SIMD3<Float>(rgb.clamped(lowerBound: .zero, upperBound: .one))
    return SerializableColor(
      finite: shown.x + 0, shown.y + 0, shown.z + 0, alpha: alpha.clamped, .sRGB)
  }

  /// Red, green and blue in a known space, before they are rounded to `Float`.
  func measured(in space: ColorSpace) throws(ColorError) -> SIMD3<Double> {
    let rgb = SIMD3(Double(red), Double(green), Double(blue))
    let matrix: Matrix3
    switch (colorSpace, space) {
    case (.sRGB, .sRGB), (.displayP3, .displayP3): return rgb
    case (.sRGB, .displayP3): matrix = RGBPrimaries.sRGBToDisplayP3
    case (.displayP3, .sRGB): matrix = RGBPrimaries.displayP3TosRGB
    default: throw .unknownSpace(colorSpace.isKnown ? space : colorSpace)
    }
    let linear =
      matrix
      * SIMD3(
        SRGBTransfer.linear(rgb.x), SRGBTransfer.linear(rgb.y), SRGBTransfer.linear(rgb.z))
    return SIMD3(
      SRGBTransfer.encoded(linear.x), SRGBTransfer.encoded(linear.y),
      SRGBTransfer.encoded(linear.z))
  }
}

extension Float {
  /// The number cut to 0...1; never `-0.0`.
  var clamped: Float { self > 0 ? Swift.min(self, 1) : 0 }
}
