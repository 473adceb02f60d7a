import CopalEssentials

/// A color as people see it: lightness, chroma and hue. It is ``OKLab`` in polar coordinates, as
/// `oklch()` in CSS.
///
/// Use it for series of colors with the same lightness, or with another hue.
///
/// ```swift
/// let palette = try (0..<5).map { step in
///   try OKLCH(lightness: 0.7, chroma: 0.1, hue: 72 * Double(step)).color()
/// }
/// ```
///
/// A gray has the chroma 0 and the hue 0. The sources are those of ``OKLab``.
public struct OKLCH: Sendable, Hashable {
  /// 0 is black, 1 is white.
  public var lightness: Double
  /// The distance from gray. At most about 0.4 on screens.
  public var chroma: Double
  /// The hue in degrees: red is about 29, yellow 110, green 142, blue 264.
  public var hue: Double
  /// Opacity: 0 is transparent, 1 is opaque.
  public var alpha: Double

  /// A color with these numbers.
  public init(lightness: Double, chroma: Double, hue: Double, alpha: Double = 1) {
    self.lightness = lightness
    self.chroma = chroma
    self.hue = hue
    self.alpha = alpha
  }

  /// The numbers of a color.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public init(_ color: SerializableColor) throws(ColorError) { self.init(try OKLab(color)) }

  /// The polar coordinates of a color. Below a chroma of 0.000004, as CSS has it, the color is a
  /// gray.
  public init(_ lab: OKLab) {
    let chroma = lab.chroma
    let isGray = chroma < 0.000_004
    self.init(
      lightness: lab.lightness, chroma: isGray ? 0 : chroma,
      hue: isGray ? 0 : (atan2(lab.b, lab.a) * 180 / .pi).turned, alpha: lab.alpha)
  }

  /// The color in rectangular coordinates.
  public var lab: OKLab {
    let angle = hue * .pi / 180
    return OKLab(
      lightness: lightness, a: chroma * cos(angle), b: chroma * sin(angle), alpha: alpha)
  }

  /// The color in a color space, as ``OKLab/color(in:)``.
  ///
  /// - Throws: as ``OKLab/color(in:)``.
  public func color(in space: ColorSpace = .sRGB) throws(ColorError) -> SerializableColor {
    try lab.color(in: space)
  }
}
