import CopalColor
import CopalModel
import CopalTestTools
import Testing

/// The expected numbers are those of CSS Color 4 and of the color libraries that follow it.
@Suite("Conversion between sRGB and Display P3")
struct ColorConversionTests {
  /// Display P3, and the same color in sRGB.
  static let pairs: [([Float], [Float])] = [
    ([1, 0, 0], [1.09306636, -0.22674197, -0.15013458]),
    ([0, 1, 0], [-0.51160498, 1.01826566, -0.31067462]),
    ([0, 0, 1], [0, 0, 1.04202227]),
    ([0.91748756, 0.20028681, 0.13856059], [1, 0, 0]),
    ([0.45840159, 0.98526458, 0.29829471], [0, 1, 0]),
    ([0, 0, 0.95958803], [0, 0, 1]),
    ([0, 0, 0], [0, 0, 0]), ([1, 1, 1], [1, 1, 1]), ([0.5, 0.5, 0.5], [0.5, 0.5, 0.5]),
  ]

  @Test("row 39: a conversion gives the published numbers in both directions", arguments: pairs)
  func published(p3: [Float], sRGB: [Float]) throws {
    let wide = try SerializableColor(colorSpace: .displayP3, components: p3 + [0.5])
    let narrow = try SerializableColor(colorSpace: .sRGB, components: sRGB + [0.5])
    expectNear(try wide.converted(to: .sRGB), narrow)
    expectNear(try narrow.converted(to: .displayP3), wide)
  }

  @Test(
    "a conversion agrees with Core Graphics to one in 10,000 (its profiles are rounded to 16 bits)")
  func coreGraphics() throws {
    let red = SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3)
    let published = SerializableColor(red: 1.0930663, green: -0.2267466, blue: -0.1501435)
    expectNear(try red.converted(to: .sRGB), published, within: 1e-4)
    expectNear(try published.converted(to: .displayP3), red, within: 1e-4)
  }

  @Test("a conversion and its reverse give the same color, also far outside of 0...1")
  func roundTrip() throws {
    var random = SplitMix(seed: 39)
    for _ in 0..<2_000 {
      let color = SerializableColor(
        red: .random(in: -2...2, using: &random), green: .random(in: -2...2, using: &random),
        blue: .random(in: -2...2, using: &random), alpha: 0, colorSpace: .displayP3)
      expectNear(try color.converted(to: .sRGB).converted(to: .displayP3), color, within: 4e-6)
    }
  }

  @Test("a conversion does not change a bit of a gray")
  func grays() throws {
    for step in 0...1_000 {
      let gray = SerializableColor(white: Float(step) / 1_000)
      #expect(try gray.converted(to: .displayP3).components == gray.components)
    }
  }

  @Test("a conversion to the color's own space changes nothing, also for an unknown space")
  func same() throws {
    let odd = try SerializableColor(
      colorSpace: ColorSpace(rawValue: 7), components: [-0.0, 3, 4, 5])
    #expect(try odd.converted(to: odd.colorSpace) == odd)
  }

  @Test("a conversion from or to an unknown space throws")
  func unknown() throws {
    let space = ColorSpace(rawValue: 7)
    let odd = try SerializableColor(colorSpace: space, components: [1, 1, 1, 1])
    let wanted = ColorError(.unknownSpace, found: "7")
    #expect(throws: wanted) { try odd.converted(to: .sRGB) }
    #expect(throws: wanted) { try SerializableColor.red.converted(to: space) }
    #expect(throws: wanted) { try odd.isInGamut(of: .sRGB) }
    #expect(throws: wanted) { try odd.isInGamut(of: space) }
    #expect(throws: wanted) { try odd.clamped() }
    #expect(throws: wanted) { try odd.hex }
  }

  @Test("row 37: a conversion beyond the range of a Float throws")
  func overflow() throws {
    let huge = SerializableColor(
      red: .greatestFiniteMagnitude, green: 0, blue: 0, colorSpace: .displayP3)
    let error = #expect(throws: ColorError.self) { try huge.converted(to: .sRGB) }
    #expect(error?.code == .notFinite)
    #expect(huge.sRGBFallback == .red)
  }

  @Test("a color reports whether a space can show it")
  func gamut() throws {
    let wide = SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3)
    #expect(try wide.isInGamut(of: .displayP3))
    #expect(try !wide.isInGamut(of: .sRGB))
    for named in [SerializableColor.red, .yellow, .white, .black, .clear] {
      #expect(try named.isInGamut(of: .displayP3))
    }
  }

  @Test("a conversion can clamp components to 0...1")
  func clamped() throws {
    let wide = SerializableColor(red: 1, green: 0, blue: 0, alpha: 2, colorSpace: .displayP3)
    #expect(try wide.converted(to: .sRGB).clamped() == .red)
    #expect(wide.sRGBFallback == .red)
    #expect(try wide.clamped().colorSpace == .displayP3)
  }

  @Test("row 35: components in an unknown space are read as sRGB only on request")
  func fallback() throws {
    let odd = try SerializableColor(
      colorSpace: ColorSpace(rawValue: 7), components: [2, 0.5, -1, 0.25])
    #expect(odd.sRGBFallback.components == [1, 0.5, 0, 0.25])
    #expect(odd.sRGBFallback.colorSpace == .sRGB)
  }

  private func expectNear(
    _ a: SerializableColor, _ b: SerializableColor, within tolerance: Float = 2e-6,
    at location: SourceLocation = #_sourceLocation
  ) {
    #expect(a.colorSpace == b.colorSpace, sourceLocation: location)
    for (x, y) in zip(a.components, b.components) {
      #expect(abs(x - y) <= tolerance, "\(a) and \(b)", sourceLocation: location)
    }
  }
}
