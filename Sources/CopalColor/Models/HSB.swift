/// A color as hue, saturation and brightness, as color pickers have it.
///
/// ```swift
/// var hsb = try HSB(pigment.color)
/// hsb.brightness *= 0.8
/// pigment.color = try hsb.color()
/// ```
///
/// The numbers belong to a color space: the same hue is another color in Display P3 than in sRGB. A
/// gray has the hue 0, and black the saturation 0. Numbers of eight bytes are kept, so that a color
/// that is converted and converted back keeps each component to a ten-millionth.
///
/// Source: Alvy Ray Smith, "Color Gamut Transform Pairs", SIGGRAPH 1978.
public struct HSB: Sendable, Hashable {
  /// The hue in degrees: 0 is red, 120 green, 240 blue.
  public var hue: Double
  /// 0 is gray, 1 the strongest color.
  public var saturation: Double
  /// 0 is black, 1 the brightest color. More than 1 for an extended color.
  public var brightness: Double
  /// Opacity: 0 is transparent, 1 is opaque.
  public var alpha: Double
  /// The color space of the components.
  public var colorSpace: ColorSpace

  /// A color with these numbers.
  public init(
    hue: Double, saturation: Double, brightness: Double, alpha: Double = 1,
    colorSpace: ColorSpace = .sRGB
  ) {
    self.hue = hue
    self.saturation = saturation
    self.brightness = brightness
    self.alpha = alpha
    self.colorSpace = colorSpace
  }

  /// The hue, saturation and brightness of a color in its own space.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public init(_ color: SerializableColor) throws(ColorError) {
    guard color.colorSpace.isKnown else { throw .unknownSpace(color.colorSpace) }
    let rgb = RGBComponents(color)
    let greatest = rgb.greatest
    self.init(
      hue: rgb.hue, saturation: greatest == 0 ? 0 : (greatest - rgb.least) / greatest,
      brightness: greatest, alpha: Double(color.alpha), colorSpace: color.colorSpace)
  }

  /// The color.
  ///
  /// - Throws: ``ColorError`` with `color.notFinite` when a number is not finite.
  public func color() throws(ColorError) -> SerializableColor {
    func component(_ offset: Double) -> Double {
      let place = (offset + hue.turned / 60).truncatingRemainder(dividingBy: 6)
      return brightness - brightness * saturation * max(0, min(place, 4 - place, 1))
    }
    return try RGBComponents(component(5), component(3), component(1)).color(alpha, colorSpace)
  }
}
