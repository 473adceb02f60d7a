import CopalColor
import CopalTestTools
import Testing

@Suite("Hue, lightness and chroma")
struct ColorModelTests {
  /// A color, and what its hue, saturation, brightness and lightness are by definition.
  static let hues: [(hex: String, hsb: [Double], hsl: [Double])] = [
    ("#FF0000", [0, 1, 1], [0, 1, 0.5]), ("#00FF00", [120, 1, 1], [120, 1, 0.5]),
    ("#0000FF", [240, 1, 1], [240, 1, 0.5]), ("#FF00FF", [300, 1, 1], [300, 1, 0.5]),
    ("#663399", [270, 2.0 / 3, 0.6], [270, 0.5, 0.4]), ("#FFFFFF", [0, 0, 1], [0, 0, 1]),
    ("#000000", [0, 0, 0], [0, 0, 0]), ("#808080", [0, 0, 128.0 / 255], [0, 0, 128.0 / 255]),
    ("#FFCCCC", [0, 0.2, 1], [0, 1, 0.9]),
  ]

  private func isClose(_ a: [Double], _ b: [Double], _ tolerance: Double = 1e-5) -> Bool {
    zip(a, b).allSatisfy { abs($0 - $1) <= tolerance }
  }

  @Test(
    "a color has the hue, saturation, brightness and lightness of the definition", arguments: hues)
  func definitions(_ row: (hex: String, hsb: [Double], hsl: [Double])) throws {
    let color = try SerializableColor(hex: row.hex)
    let (hsb, hsl) = (try HSB(color), try HSL(color))
    #expect(isClose([hsb.hue, hsb.saturation, hsb.brightness], row.hsb))
    #expect(isClose([hsl.hue, hsl.saturation, hsl.lightness], row.hsl))
    #expect(try hsb.color().hex == row.hex && hsl.color().hex == row.hex)
  }

  /// A color, and its lightness, a and b, rounded to six digits, as colorjs.io and the CSS
  /// specification have them.
  static let labs: [(css: String, lab: [Double])] = [
    ("#FF0000", [0.627955, 0.224863, 0.125846]), ("#00FF00", [0.866440, -0.233888, 0.179498]),
    ("#0000FF", [0.452014, -0.032457, -0.311528]), ("#FFFFFF", [1, 0, 0]), ("#000000", [0, 0, 0]),
  ]

  @Test("a color has the published coordinates in OKLab", arguments: labs)
  func okLab(_ row: (css: String, lab: [Double])) throws {
    let lab = try OKLab(try SerializableColor(css: row.css))
    #expect(isClose([lab.lightness, lab.a, lab.b], row.lab, 1e-6))
  }

  @Test("OKLCH is OKLab in polar coordinates; a gray has no chroma and the hue 0")
  func okLCH() throws {
    let red = try OKLCH(.red)
    #expect(isClose([red.lightness, red.chroma, red.hue], [0.627955, 0.257683, 29.233885], 1e-5))
    let gray = try OKLCH(SerializableColor(white: 0.5))
    #expect(gray.chroma == 0 && gray.hue == 0)
  }

  /// 1,000 colors: in the gamut, and extended.
  static let colors: [SerializableColor] = {
    var random = SplitMix(seed: 41)
    return (0..<1000).map { index in
      let range: ClosedRange<Float> = index % 4 == 0 ? -0.3...1.4 : 0...1
      func next() -> Float { Float.random(in: range, using: &random) }
      return SerializableColor(
        red: next(), green: next(), blue: next(), alpha: Float.random(in: 0...1, using: &random),
        colorSpace: index.isMultiple(of: 2) ? .sRGB : .displayP3)
    }
  }()

  private func isSame(_ a: SerializableColor, _ b: SerializableColor, _ tolerance: Float) -> Bool {
    a.colorSpace == b.colorSpace
      && zip(a.components, b.components).allSatisfy { abs($0 - $1) <= tolerance }
  }

  @Test(
    "1,000 colors are the same after a way through each model and back, to less than a 65,535th")
  func roundTrips() throws {
    for color in Self.colors {
      let tolerance: Float = 0.5 / 65_535
      #expect(isSame(try HSB(color).color(), color, tolerance), "\(color)")
      #expect(isSame(try HSL(color).color(), color, tolerance), "\(color)")
      #expect(isSame(try OKLab(color).color(in: color.colorSpace), color, tolerance), "\(color)")
      #expect(isSame(try OKLCH(color).color(in: color.colorSpace), color, tolerance), "\(color)")
    }
  }

  @Test("an unknown color space is an error in every model")
  func unknownSpace() throws {
    let color = try SerializableColor(css: "color(--space-7 1 0 0)")
    for attempt in [
      { _ = try HSB(color) }, { _ = try HSL(color) }, { _ = try OKLab(color) },
      { _ = try OKLCH(color) }, { _ = try color.mixed(with: .red) },
      { _ = try color.contrast(on: .white) }, { _ = try color.mappedToGamut(of: .sRGB) },
    ] as [() throws -> Void] {
      let error = #expect(throws: ColorError.self) { try attempt() }
      #expect(error?.code == .unknownSpace)
    }
  }
}

@Suite("Contrast, mixing and gamut of colors")
struct ColorComparisonTests {
  /// Two colors, and their contrast by the guidelines.
  static let contrasts: [(text: String, background: String, ratio: Double)] = [
    ("#000000", "#FFFFFF", 21), ("#FFFFFF", "#000000", 21), ("#FFFFFF", "#FFFFFF", 1),
    ("#777777", "#FFFFFF", 4.4781), ("#FF0000", "#FFFFFF", 3.998),
    ("#0000FF", "#FFFFFF", 8.592),
  ]

  @Test("the contrast ratio is the one of WCAG 2", arguments: contrasts)
  func contrast(_ row: (text: String, background: String, ratio: Double)) throws {
    let ratio = try SerializableColor(hex: row.text)
      .contrast(on: try SerializableColor(hex: row.background))
    #expect(abs(ratio - row.ratio) < 0.002, "\(ratio)")
  }

  @Test("a translucent text is put on its background first; a translucent background is an error")
  func translucent() throws {
    let veil = SerializableColor(red: 0, green: 0, blue: 0, alpha: 0)
    #expect(try veil.contrast(on: .white) == 1)
    let error = #expect(throws: ColorError.self) { try SerializableColor.red.contrast(on: veil) }
    #expect(error?.code == .translucentBackground)
  }

  @Test("half of white and half of black is the gray of each space")
  func grays() throws {
    let expected: [SerializableColor.MixingSpace: Float] = [
      .sRGB: 0.5, .linearSRGB: 0.735357, .okLab: 0.388573, .okLCH: 0.388573,
    ]
    for space in SerializableColor.MixingSpace.allCases {
      let gray = try SerializableColor.white.mixed(with: .black, in: space)
      let wanted = try #require(expected[space])
      for component in [gray.red, gray.green, gray.blue] {
        #expect(abs(component - wanted) < 1e-5, "\(space): \(gray)")
      }
    }
  }

  @Test("components are mixed by their opacity, and the color stays in its space")
  func alpha() throws {
    let red = SerializableColor(red: 1, green: 0, blue: 0, alpha: 0.5)
    let mixed = try red.mixed(with: .blue, in: .sRGB)
    #expect(
      mixed.alpha == 0.75 && abs(mixed.red - 1.0 / 3) < 1e-6 && abs(mixed.blue - 2.0 / 3) < 1e-6)
    let wide = SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3)
    #expect(try wide.mixed(with: .white).colorSpace == .displayP3)
    #expect(try red.mixed(with: .blue, amount: 0, in: .okLab).alpha == 0.5)
  }

  @Test("hues are mixed on the shorter arc; a gray has the hue of the other color")
  func arc() throws {
    let hues = try [(350.0, 20.0, 5.0), (20, 350, 5), (10, 170, 90)].map { from, to, middle in
      let a = try OKLCH(lightness: 0.7, chroma: 0.05, hue: from).color(in: .displayP3)
      let b = try OKLCH(lightness: 0.7, chroma: 0.05, hue: to).color(in: .displayP3)
      return abs(try OKLCH(try a.mixed(with: b, in: .okLCH)).hue - middle)
    }
    #expect(hues.allSatisfy { $0 < 0.01 })
    let tint = try OKLCH(try SerializableColor.blue.mixed(with: .white, in: .okLCH))
    #expect(abs(tint.hue - (try OKLCH(.blue).hue)) < 0.05)
  }

  @Test(
    "a color outside of a gamut becomes one inside with nearly the same hue; one inside is only converted"
  )
  func gamut() throws {
    for color in ColorModelTests.colors.filter({ (try? $0.isInGamut(of: .sRGB)) == false }) {
      let mapped = try color.mappedToGamut(of: .sRGB)
      #expect(try mapped.isInGamut(of: .sRGB) && mapped.alpha == color.alpha, "\(color)")
    }
    let wide = SerializableColor(red: 0, green: 1, blue: 0, colorSpace: .displayP3)
    let mapped = try OKLCH(try wide.mappedToGamut(of: .sRGB))
    #expect(abs(mapped.hue - (try OKLCH(wide).hue)) < 3)
    #expect(try SerializableColor.red.mappedToGamut(of: .sRGB) == .red)
  }
}
