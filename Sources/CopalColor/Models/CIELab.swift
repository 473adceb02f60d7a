import CopalEssentials

/// CIE Lab with the white point D50, as CSS has it, and its way to CIE XYZ with the white point
/// D65.
///
/// Source: CSS Color Module Level 4, <https://www.w3.org/TR/css-color-4/#color-conversion-code>;
/// the adaptation of the white point is the Bradford method,
/// <http://www.brucelindbloom.com/index.html?Eqn_ChromAdapt.html>.
enum CIELab {
  static func xyz(_ lightness: Double, _ a: Double, _ b: Double) -> SIMD3<Double> {
    let f = SIMD3(
      a / 500 + (lightness + 16) / 116, (lightness + 16) / 116, (lightness + 16) / 116 - b / 200)
    func cubed(_ value: Double) -> Double {
      let cube = value * value * value
      return cube > epsilon ? cube : (116 * value - 16) / kappa
    }
    let y = lightness > kappa * epsilon ? f.y * f.y * f.y : lightness / kappa
    return d50ToD65 * (SIMD3(cubed(f.x), y, cubed(f.z)) * whiteD50)
  }

  static func cosine(_ angle: Double) -> Double { cos(angle) }
  static func sine(_ angle: Double) -> Double { sin(angle) }

  private static let epsilon = 216.0 / 24389
  private static let kappa = 24389.0 / 27
  private static let whiteD50 = SIMD3(0.3457 / 0.3585, 1, (1 - 0.3457 - 0.3585) / 0.3585)
  private static let d50ToD65 = Matrix3(
    rows: [0.955473421488075, -0.02309845494876471, 0.06325924320057072],
    [-0.0283697093338637, 1.0099953980813041, 0.021041441191917323],
    [0.012314014864481998, -0.020507649298898964, 1.330365926242124])
}
