import CopalEssentials

/// The primaries of a color space, and the conversion to another space.
///
/// Source of the numbers and the method: CSS Color Module Level 4, sections "Predefined color
/// spaces" and "Sample code for color conversions", <https://www.w3.org/TR/css-color-4/>. sRGB and
/// Display P3 share the white point D65, so that no chromatic adaptation is needed.
struct RGBPrimaries {
  /// The chromaticities (x, y) of CIE 1931.
  let red, green, blue: SIMD2<Double>

  static let sRGB = RGBPrimaries(
    red: [0.640, 0.330], green: [0.300, 0.600], blue: [0.150, 0.060])
  static let displayP3 = RGBPrimaries(
    red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060])
  static let whiteD65: SIMD2<Double> = [0.3127, 0.3290]

  /// The matrix from linear red, green and blue to CIE XYZ. The primaries are scaled so that (1, 1,
  /// 1) is the white point.
  var toXYZ: Matrix3 {
    let primaries = Matrix3(columns: Self.xyz(red), Self.xyz(green), Self.xyz(blue))
    let lengths = primaries.inverse * Self.xyz(Self.whiteD65)
    return Matrix3(
      columns: primaries.columns.0 * lengths.x, primaries.columns.1 * lengths.y,
      primaries.columns.2 * lengths.z)
  }

  /// The matrix to CIE XYZ, computed once.
  var xyzMatrix: Matrix3 { red == Self.sRGB.red ? Self.sRGBToXYZ : Self.displayP3ToXYZ }
  /// The matrix from CIE XYZ, computed once.
  var rgbMatrix: Matrix3 { red == Self.sRGB.red ? Self.xyzTosRGB : Self.xyzToDisplayP3 }

  private static let sRGBToXYZ = sRGB.toXYZ
  private static let displayP3ToXYZ = displayP3.toXYZ
  private static let xyzTosRGB = sRGB.toXYZ.inverse
  private static let xyzToDisplayP3 = displayP3.toXYZ.inverse

  static let displayP3TosRGB = sRGB.toXYZ.inverse * displayP3.toXYZ
  static let sRGBToDisplayP3 = displayP3.toXYZ.inverse * sRGB.toXYZ

  /// The color of luminance 1 at a chromaticity.
  private static func xyz(_ xy: SIMD2<Double>) -> SIMD3<Double> {
    [xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y]
  }
}

/// The transfer function of sRGB, which Display P3 uses too. Negative numbers mirror the positive
/// ones, as in extended color spaces.
enum SRGBTransfer {
  static func linear(_ encoded: Double) -> Double {
    let size = abs(encoded)
    let linear = size <= 0.04045 ? size / 12.92 : pow((size + 0.055) / 1.055, 2.4)
    return encoded < 0 ? -linear : linear
  }

  static func encoded(_ linear: Double) -> Double {
    let size = abs(linear)
    let encoded = size <= 0.0031308 ? size * 12.92 : 1.055 * pow(size, 1 / 2.4) - 0.055
    return linear < 0 ? -encoded : encoded
  }
}

/// A 3 by 3 matrix by columns.
struct Matrix3 {
  let columns: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)

  init(columns a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) { columns = (a, b, c) }

  init(rows a: SIMD3<Double>, _ b: SIMD3<Double>, _ c: SIMD3<Double>) {
    self.init(
      columns: SIMD3(a.x, b.x, c.x), SIMD3(a.y, b.y, c.y), SIMD3(a.z, b.z, c.z))
  }

  static func * (m: Matrix3, v: SIMD3<Double>) -> SIMD3<Double> {
    m.columns.0 * v.x + m.columns.1 * v.y + m.columns.2 * v.z
  }

  static func * (m: Matrix3, n: Matrix3) -> Matrix3 {
    Matrix3(columns: m * n.columns.0, m * n.columns.1, m * n.columns.2)
  }

  /// The inverse. Its rows are the cross products of the columns over the determinant, which is not
  /// zero for three primaries that are not on one line.
  var inverse: Matrix3 {
    let (a, b, c) = columns
    let rows = (Self.cross(b, c), Self.cross(c, a), Self.cross(a, b))
    let determinant = (a * rows.0).sum()
    return Matrix3(
      columns: SIMD3(rows.0.x, rows.1.x, rows.2.x) / determinant,
      SIMD3(rows.0.y, rows.1.y, rows.2.y) / determinant,
      SIMD3(rows.0.z, rows.1.z, rows.2.z) / determinant)
  }

  private static func cross(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> SIMD3<Double> {
    [a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x]
  }
}
