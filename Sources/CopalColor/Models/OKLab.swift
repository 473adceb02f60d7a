import CopalEssentials

/// A color as people see it: lightness, and two axes from green to red and from blue to yellow.
/// Equal distances look about equally different.
///
/// Use it to mix and to compare colors.
///
/// ```swift
/// let madder = try OKLab(pigment.color)
/// let lighter = OKLab(lightness: madder.lightness + 0.1, a: madder.a, b: madder.b)
/// print(try lighter.color(in: .displayP3).css)
/// ```
///
/// Source: Björn Ottosson, "A perceptual color space for image processing",
/// <https://bottosson.github.io/posts/oklab/>, with the matrices of CSS Color Module Level 4,
/// <https://www.w3.org/TR/css-color-4/#color-conversion-code>.
public struct OKLab: Sendable, Hashable {
  /// 0 is black, 1 is white.
  public var lightness: Double
  /// From green (negative) to red. At most about 0.4 on screens.
  public var a: Double
  /// From blue (negative) to yellow. At most about 0.4 on screens.
  public var b: Double
  /// Opacity: 0 is transparent, 1 is opaque.
  public var alpha: Double

  /// A color with these numbers.
  public init(lightness: Double, a: Double, b: Double, alpha: Double = 1) {
    self.lightness = lightness
    self.a = a
    self.b = b
    self.alpha = alpha
  }

  /// The numbers of a color.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`.
  public init(_ color: SerializableColor) throws(ColorError) {
    let lms = Self.lmsOfXYZ * (try color.xyz())
    let lab = Self.labOfRoots * SIMD3(cbrt(lms.x), cbrt(lms.y), cbrt(lms.z))
    self.init(lightness: lab.x, a: lab.y, b: lab.z, alpha: Double(color.alpha))
  }

  /// The color in a color space. Its components are outside of 0...1 when the space cannot show it:
  /// ``SerializableColor/mappedToGamut(of:)`` finds the most similar color that it can show.
  ///
  /// - Throws: ``ColorError`` with `color.unknownSpace`, and `color.notFinite` when a number is not
  ///   finite.
  public func color(in space: ColorSpace = .sRGB) throws(ColorError) -> SerializableColor {
    let roots = Self.rootsOfLab * SIMD3(lightness, a, b)
    return try SerializableColor(
      xyz: Self.xyzOfLMS * (roots * roots * roots), alpha: alpha, in: space)
  }

  /// The distance from gray.
  var chroma: Double { (a * a + b * b).squareRoot() }

  /// How different two colors look: 0.02 is just noticeable.
  public func difference(from other: OKLab) -> Double {
    let (l, a, b) = (lightness - other.lightness, self.a - other.a, self.b - other.b)
    return (l * l + a * a + b * b).squareRoot()
  }

  private static let lmsOfXYZ = Matrix3(
    rows: [0.8190224379967030, 0.3619062600528904, -0.1288737815209879],
    [0.0329836539323885, 0.9292868615863434, 0.0361446663506424],
    [0.0481771893596242, 0.2642395317527308, 0.6335478284694309])
  private static let labOfRoots = Matrix3(
    rows: [0.2104542683093140, 0.7936177747023054, -0.0040720430116193],
    [1.9779985324311684, -2.4285922420485799, 0.4505937096174110],
    [0.0259040424655478, 0.7827717124575296, -0.8086757549230774])
  private static let xyzOfLMS = lmsOfXYZ.inverse
  private static let rootsOfLab = labOfRoots.inverse
}
