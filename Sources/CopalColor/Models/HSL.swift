/// A color as hue, saturation and lightness, as `hsl()` in CSS.
///
/// ```swift
/// var hsl = try HSL(pigment.color)
/// hsl.hue += 180
/// let complement = try hsl.color()
/// ```
///
/// The numbers belong to a color space; CSS's are those of sRGB. A gray has the hue 0 and the
/// saturation 0.
///
/// Source: CSS Color Module Level 4, sections "Converting HSL Colors to sRGB" and back,
/// <https://www.w3.org/TR/css-color-4/#the-hsl-notation>.
public struct HSL: Sendable, Hashable {
  /// The hue in degrees: 0 is red, 120 green, 240 blue.
  public var hue: Double
  /// 0 is gray, 1 the strongest color. More than 1 for some extended colors.
  public var saturation: Double
  /// 0 is black, 1 is white, 0.5 the strongest color.
  public var lightness: Double
  /// Opacity: 0 is transparent, 1 is opaque.
  public var alpha: Double
  /// The color space of the components.
  public var colorSpace: ColorSpace

  /// A color with these numbers.
  public init(
    hue: Double, saturation: Double, lightness: Double, alpha: Double = 1,
    colorSpace: ColorSpace = .sRGB
  ) {
    self.hue = hue
    self.saturation = saturation
    self.lightness = lightness
    self.alpha = alpha
    self.colorSpace = colorSpace
  }

  /// The hue, saturation and lightness of a color in its own space.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public init(_ color: SerializableColor) throws(ColorError) {
    guard color.colorSpace.isKnown else { throw .unknownSpace(color.colorSpace) }
    let rgb = RGBComponents(color)
    let lightness = (rgb.greatest + rgb.least) / 2
    let isGray = rgb.greatest == rgb.least || lightness == 0 || lightness == 1
    let saturation = isGray ? 0 : (rgb.greatest - lightness) / min(lightness, 1 - lightness)
    // A color far outside of the gamut can have a negative saturation: it is at the opposite angle.
    self.init(
      hue: saturation < 0 ? (rgb.hue + 180).turned : rgb.hue, saturation: abs(saturation),
      lightness: lightness, alpha: Double(color.alpha), colorSpace: color.colorSpace)
  }

  /// The color.
  ///
  /// - Throws: ``ColorError`` with `color.notFinite` when a number is not finite.
  public func color() throws(ColorError) -> SerializableColor {
    let range = saturation * min(lightness, 1 - lightness)
    func component(_ offset: Double) -> Double {
      let place = (offset + hue.turned / 30).truncatingRemainder(dividingBy: 12)
      return lightness - range * max(-1, min(place - 3, 9 - place, 1))
    }
    return try RGBComponents(component(0), component(8), component(4)).color(alpha, colorSpace)
  }
}
