import CopalEssentials

/// The curve of one channel of a profile: from a component to an amount of light, both in 0...1.
///
/// Source: ICC.1:2022, sections 10.6 (`curv`) and 10.18 (`para`),
/// <https://www.color.org/icc_specs2.xalter>.
enum ToneCurve: Hashable {
  case gamma(Double)
  /// Amounts of light at equal distances, the first one at 0 and the last one at 1.
  case table([Double])
  /// `(a * x + b) ^ g + c` from `d` on, and `e * x + f` below it.
  case parametric(g: Double, a: Double, b: Double, c: Double, d: Double, e: Double, f: Double)

  static let linear = ToneCurve.gamma(1)

  /// The amount of light of a component, which is cut to 0...1.
  func light(_ component: Double) -> Double {
    let x = max(0, min(1, component))
    switch self {
    case .gamma(let g): return pow(x, g)
    case .table(let values):
      let place = x * Double(values.count - 1)
      let index = min(Int(place), values.count - 2)
      return values[index] + (values[index + 1] - values[index]) * (place - Double(index))
    case .parametric(let g, let a, let b, let c, let d, let e, let f):
      return x >= d ? pow(max(0, a * x + b), g) + c : e * x + f
    }
  }

  /// Whether the curve is that of sRGB. Tables and numbers of profiles are rounded.
  var isSRGB: Bool {
    (0...64).allSatisfy { step in
      let x = Double(step) / 64
      return abs(light(x) - SRGBTransfer.linear(x)) < 0.001
    }
  }
}

extension ToneCurve {
  /// The curve of a tag.
  ///
  /// - Returns: nil for another type, and for one that is cut off or has numbers without a meaning.
  init?(_ bytes: ProfileBytes) {
    switch bytes.signature(at: 0) {
    case "curv": self.init(curve: bytes)
    case "para": self.init(parametric: bytes)
    default: return nil
    }
  }

  /// `curv`: no number for a line, one for an exponent, or a table.
  private init?(curve bytes: ProfileBytes) {
    guard let count = bytes.unsigned32(at: 8) else { return nil }
    switch count {
    case 0: self = .linear
    case 1:
      guard let gamma = bytes.unsigned16(at: 12), gamma > 0 else { return nil }
      self = .gamma(Double(gamma) / 256)
    default:
      guard count <= 65_536 else { return nil }
      var values: [Double] = []
      values.reserveCapacity(Int(count))
      for index in 0..<Int(count) {
        guard let value = bytes.unsigned16(at: 12 + 2 * index) else { return nil }
        values.append(Double(value) / 65_535)
      }
      self = .table(values)
    }
  }

  /// `para`: five kinds, with one to seven numbers. Below the start, the first two kinds have no
  /// light, and the third one has a constant.
  private init?(parametric bytes: ProfileBytes) {
    let counts = [1, 3, 4, 5, 7]
    guard let kind = bytes.unsigned16(at: 8), Int(kind) < counts.count else { return nil }
    var p: [Double] = []
    for index in 0..<counts[Int(kind)] {
      guard let number = bytes.fixed(at: 12 + 4 * index) else { return nil }
      p.append(number)
    }
    if p[0] <= 0 { return nil }
    switch kind {
    case 0: self = .gamma(p[0])
    case 1, 2:
      if p[1] == 0 { return nil }
      let c = kind == 2 ? p[3] : 0
      self = .parametric(g: p[0], a: p[1], b: p[2], c: c, d: -p[2] / p[1], e: 0, f: c)
    case 3: self = .parametric(g: p[0], a: p[1], b: p[2], c: 0, d: p[4], e: p[3], f: 0)
    default:
      self = .parametric(g: p[0], a: p[1], b: p[2], c: p[5], d: p[4], e: p[3], f: p[6])
    }
  }
}
