import CopalEssentials

/// A space of red, green and blue, or of gray, that is defined by curves, and by the colors of its
/// primaries beside the white D50.
struct MeasuredSpace: Hashable {
  /// One curve for gray, three for red, green and blue.
  let curves: [ToneCurve]
  /// CIE XYZ of the primaries, adapted to the white D50; empty for gray.
  let primaries: [SIMD3<Double>]

  /// The space of two whites and three chromaticities of CIE 1931.
  ///
  /// - Parameter white: the chromaticity of the white of the space.
  init(
    red: SIMD2<Double>, green: SIMD2<Double>, blue: SIMD2<Double>,
    white: SIMD2<Double> = RGBPrimaries.whiteD65, _ curve: ToneCurve
  ) {
    let columns = [red, green, blue].map { xy in Self.xyz(xy) }
    let matrix = Matrix3(columns: columns[0], columns[1], columns[2])
    let lengths = matrix.inverse * Self.xyz(white)
    let adaptation = Self.adaptation(from: Self.xyz(white), to: Self.whiteD50)
    curves = [curve, curve, curve]
    primaries = [
      adaptation * (columns[0] * lengths.x), adaptation * (columns[1] * lengths.y),
      adaptation * (columns[2] * lengths.z),
    ]
  }

  init(curves: [ToneCurve], primaries: [SIMD3<Double>]) {
    (self.curves, self.primaries) = (curves, primaries)
  }

  /// Gray with a curve.
  init(gray curve: ToneCurve) { self.init(curves: [curve], primaries: []) }

  // MARK: Known spaces

  /// Apple's "Generic RGB Profile", which calibrated RGB of AppKit has, too: P22 phosphors, the
  /// white D65 and gamma 1.8. Source: Technical Q&A QA1430,
  /// <https://developer.apple.com/library/archive/qa/qa1430/_index.html>. By these numbers its red,
  /// green and blue are #FF2600, #00F900 and #0433FF in sRGB, the crayons Maraschino, Spring and
  /// Blueberry of Apple's color panel.
  static let genericRGB = MeasuredSpace(
    red: [0.630, 0.340], green: [0.295, 0.605], blue: [0.155, 0.077], .gamma(1.8))

  /// Apple's "Generic Gray Profile" has the gamma of generic RGB.
  static let genericGray = MeasuredSpace(gray: .gamma(1.8))

  /// Adobe RGB (1998) Color Image Encoding, version 2005-05, sections 4.3.1 and 4.3.4:
  /// <https://www.adobe.com/digitalimag/pdfs/AdobeRGB1998.pdf>.
  static let adobeRGB = MeasuredSpace(
    red: [0.6400, 0.3300], green: [0.2100, 0.7100], blue: [0.1500, 0.0600],
    .gamma(563.0 / 256))

  /// DCI-P3, the space of digital cinema projectors: SMPTE RP 431-2.
  static let dciP3 = MeasuredSpace(
    red: [0.680, 0.320], green: [0.265, 0.690], blue: [0.150, 0.060], white: [0.314, 0.351],
    .gamma(2.6))

  // MARK: Conversion

  /// The white of all profiles: ICC.1:2022, section 7.2.16.
  static let whiteD50: SIMD3<Double> = [0.9642, 1, 0.8249]

  /// Red, green and blue of sRGB. Colors outside of sRGB have components outside of 0...1.
  func sRGB(_ components: [Double]) -> [Double] {
    let light = zip(curves, components).map { $0.light($1) }
    if primaries.isEmpty {
      let gray = SRGBTransfer.encoded(light[0])
      return [gray, gray, gray]
    }
    let xyz = primaries[0] * light[0] + primaries[1] * light[1] + primaries[2] * light[2]
    let rgb = RGBPrimaries.sRGB.rgbMatrix * (Self.toD65 * xyz)
    return [rgb.x, rgb.y, rgb.z].map(SRGBTransfer.encoded)
  }

  /// The space that Copal has, if this is it: a profile of sRGB or of Display P3, or gray with the
  /// curve of sRGB.
  var known: ColorSpace? {
    guard curves.allSatisfy(\.isSRGB) else { return nil }
    if primaries.isEmpty { return .sRGB }
    let spaces: [(ColorSpace, RGBPrimaries)] = [
      (.sRGB, .sRGB), (.displayP3, .displayP3),
    ]
    return spaces.first { _, rgb in
      let matrix = Self.toD50 * rgb.xyzMatrix
      let own = Matrix3(columns: primaries[0], primaries[1], primaries[2])
      return own.isNear(matrix, by: 0.001)
    }?.0
  }

  private static func xyz(_ xy: SIMD2<Double>) -> SIMD3<Double> {
    [xy.x / xy.y, 1, (1 - xy.x - xy.y) / xy.y]
  }

  private static let toD65 = adaptation(from: whiteD50, to: xyz(RGBPrimaries.whiteD65))
  private static let toD50 = adaptation(from: xyz(RGBPrimaries.whiteD65), to: whiteD50)

  /// The change of all colors when the eye adapts to another white, by the Bradford transform:
  /// ICC.1:2022, Annex E, and CSS Color Module Level 4,
  /// <https://www.w3.org/TR/css-color-4/#color-conversion-code>.
  private static func adaptation(from white: SIMD3<Double>, to new: SIMD3<Double>) -> Matrix3 {
    let cones = Matrix3(
      rows: [0.8951, 0.2664, -0.1614], [-0.7502, 1.7135, 0.0367], [0.0389, -0.0685, 1.0296])
    let scale = (cones * new) / (cones * white)
    let scaled = Matrix3(
      columns: cones.columns.0 * scale, cones.columns.1 * scale, cones.columns.2 * scale)
    return cones.inverse * scaled
  }
}

extension Matrix3 {
  fileprivate func isNear(_ other: Matrix3, by distance: Double) -> Bool {
    func isNear(_ a: SIMD3<Double>, _ b: SIMD3<Double>) -> Bool {
      let difference = a - b
      return difference.max() <= distance && difference.min() >= -distance
    }
    return isNear(columns.0, other.columns.0) && isNear(columns.1, other.columns.1)
      && isNear(columns.2, other.columns.2)
  }
}
