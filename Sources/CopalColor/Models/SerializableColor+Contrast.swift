/// Contrast of text, by the Web Content Accessibility Guidelines.
///
/// Source: WCAG 2.2, "relative luminance" and "contrast ratio",
/// <https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio>. The guidelines have the threshold 0.03928 of
/// the transfer function; the one of sRGB, 0.04045, gives the same results for colors of 8 bits.
extension SerializableColor {
  /// The relative luminance: 0 is black, 1 is white. Alpha is ignored.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public func relativeLuminance() throws(ColorError) -> Double { try xyz().y }

  /// The contrast ratio with a background, from 1 (none) to 21 (black on white). Text needs 4.5,
  /// and large text 3.
  ///
  /// ```swift
  /// if try pigment.color.contrast(on: .white) < 4.5 { print("hard to read") }
  /// ```
  ///
  /// A color that is not opaque is first put on the background. An extended color is limited to
  /// 0...1 first.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`, and `color.translucentBackground` when the
  ///   background is not opaque.
  public func contrast(on background: SerializableColor) throws(ColorError) -> Double {
    guard background.alpha >= 1 else {
      throw ColorError(.translucentBackground, found: "\(background.alpha)")
    }
    let under = try background.converted(to: .sRGB).clamped()
    let over = try converted(to: .sRGB).clamped().placed(on: under)
    let (a, b) = (try over.relativeLuminance(), try under.relativeLuminance())
    return (max(a, b) + 0.05) / (min(a, b) + 0.05)
  }

  /// The color on an opaque background in the same space.
  private func placed(on background: SerializableColor) -> SerializableColor {
    func mix(_ over: Float, _ under: Float) -> Float { over * alpha + under * (1 - alpha) }
    return SerializableColor(
      finite: mix(red, background.red), mix(green, background.green), mix(blue, background.blue),
      alpha: 1, colorSpace)
  }
}
