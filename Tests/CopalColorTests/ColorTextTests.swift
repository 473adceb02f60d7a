import CopalColor
import CopalModel
import CopalTestTools
import Testing

@Suite("Colors as text")
struct ColorTextTests {
  @Test(
    "a color is parsed from hexadecimal text",
    arguments: [
      ("#E34234", [0xE3, 0x42, 0x34, 255]), ("e34234", [0xE3, 0x42, 0x34, 255]),
      ("#F80", [255, 0x88, 0, 255]), ("f80c", [255, 0x88, 0, 0xCC]),
      ("#12345678", [0x12, 0x34, 0x56, 0x78]), ("00000000", [0, 0, 0, 0]),
    ] as [(String, [UInt8])])
  func hex(text: String, bytes: [UInt8]) throws {
    #expect(
      try SerializableColor(hex: text)
        == SerializableColor(
          red8: bytes[0], green8: bytes[1], blue8: bytes[2], alpha8: bytes[3]))
  }

  @Test(
    "an invalid hexadecimal color is refused with the position of the mistake",
    arguments: [
      ("", 0, "expected 3, 4, 6 or 8 digits, found 0 digits at byte 1"),
      ("#", 1, "expected 3, 4, 6 or 8 digits, found 0 digits at byte 2"),
      ("#12345", 1, "expected 3, 4, 6 or 8 digits, found 5 digits at byte 2"),
      ("#12G456", 3, "expected a digit 0-9 or A-F, found 'G456' at byte 4"),
      ("##123", 1, "expected a digit 0-9 or A-F, found '#123' at byte 2"),
      ("#1234567é", 8, "expected a digit 0-9 or A-F, found 'é' at byte 9"),
      ("\u{1B}[31m", 0, "expected a digit 0-9 or A-F, found '\\u{1B}[31m' at byte 1"),
      ("#123456789", 9, "expected at most 8 digits, found more digits at byte 10"),
      (" #fff", 0, "expected a digit 0-9 or A-F, found ' #fff' at byte 1"),
    ])
  func hexErrors(text: String, position: Int, message: String) {
    let error = #expect(throws: ColorError.self) { try SerializableColor(hex: text) }
    #expect(error?.code == .hex)
    #expect(error?.position == position)
    #expect(
      error?.description
        == "invalid hex color: \(message); write #RGB, #RGBA, #RRGGBB or #RRGGBBAA [color.hex]")
  }

  @Test("row 40: a color is written as hexadecimal sRGB, clamped to 0...1 and rounded to 8 bits")
  func hexForm() throws {
    #expect(try SerializableColor.orange.hex == "#FFA500")
    #expect(try SerializableColor.clear.hex == "#00000000")
    #expect(
      try SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3).hex == "#FF0000")
    #expect(try SerializableColor(white: 0.5, alpha: 0.5).hex == "#80808080")
    #expect(try SerializableColor(white: -1, alpha: 9).hex == "#000000FF")
    for step in UInt8.min...UInt8.max {
      let color = SerializableColor(red8: step, green8: 255 - step, blue8: 7, alpha8: step)
      #expect(try SerializableColor(hex: color.hex) == color)
    }
  }

  @Test(
    "a color is parsed from CSS, and written in its shortest exact form",
    arguments: [
      ("rgb(255 0 0)", "rgb(255 0 0)"), ("rgb(255 0 0 / 0.5)", "rgb(255 0 0 / 0.5)"),
      ("RGB(255,0,0)", "rgb(255 0 0)"), ("rgba(255, 0, 0, .5)", "rgb(255 0 0 / 0.5)"),
      ("  rgba( 255 ,0,0 , 50% )\n", "rgb(255 0 0 / 0.5)"), ("rgb(100% 0% 0%)", "rgb(255 0 0)"),
      ("rgb(300 -5 1e2)", "rgb(255 0 100)"), ("rgb(none 0 255/none)", "rgb(0 0 255 / 0)"),
      ("rgb(1e99 0 0 / 7)", "rgb(255 0 0)"),
      (
        "rgb(+1.0-2.5.5)",
        "color(srgb 0.003921569 0 0.001960784"
      ),
      ("color(srgb 0.1 0.2 0.3)", "color(srgb 0.1 0.2 0.3)"),
      ("color(srgb 1 0 0)", "rgb(255 0 0)"),
      ("color(display-p3 1 0.5 0)", "color(display-p3 1 0.5 0)"),
      ("Color(Display-P3 100% 50% -10% / 25%)", "color(display-p3 1 0.5 -0.1 / 0.25)"),
      ("color(srgb 1.5 -0.0 1e-5 / 1.5)", "color(srgb 1.5 -0 1e-05 / 1.5)"),
      ("color(--space-7 1 2 3 / 4)", "color(--space-7 1 2 3 / 4)"),
      ("#f80", "rgb(255 136 0)"), (" #FF880080 ", "rgb(255 136 0 / 0.5019608)"),
      ("RebeccaPurple", "rgb(102 51 153)"), ("green", "rgb(0 128 0)"),
      ("darkSlateGrey", "rgb(47 79 79)"), ("transparent", "rgb(0 0 0 / 0)"),
    ])
  func css(text: String, form: String) throws {
    let color = try SerializableColor(css: text)
    #expect(color.css.hasPrefix(form))
    #expect(try SerializableColor(css: color.css) == color)
  }

  /// A text of CSS Color Module Level 4, and the color: the examples of the specification, and
  /// definitions.
  static let functions: [(css: String, hex: String)] = [
    ("hsl(120deg 100% 25%)", "#008000"), ("hsl(270 50% 40%)", "#663399"),
    ("hsla(120, 100%, 50%, 0.5)", "#00FF0080"), ("hsl(0.5turn 100 50 / 50%)", "#00FFFF80"),
    ("hwb(194 0% 0%)", "#00C3FF"), ("hwb(0 50% 50%)", "#808080"),
    ("hwb(60grad 90% 90%)", "#808080"),
    ("lab(29.2345% 39.3825 20.0664)", "#7D2329"), ("lab(52.2345% 40.1645 59.9971)", "#C65D06"),
    ("lch(29.2345% 44.2 27)", "#7D2329"), ("lab(100 0 0)", "#FFFFFF"), ("lab(0 0 0)", "#000000"),
    ("oklab(40.101% 0.1147 0.0453)", "#7D2329"), ("oklab(59.686% 0.1009 0.1192)", "#C65D07"),
    ("oklch(40.101% 0.12332 21.555)", "#7D2329"), ("oklch(59.686% 0.15619 49.7694)", "#C65D06"),
    ("oklch(0.627955 0.257683 29.2339)", "#FF0000"), ("oklch(none none none)", "#000000"),
    ("color(srgb-linear 0.5 0.5 0.5)", "#BCBCBC"), ("OKLCH(1 0 3.14159rad / 1)", "#FFFFFF"),
  ]

  @Test("row 40: the functions of CSS Color 4 are read", arguments: functions)
  func cssFunctions(_ row: (css: String, hex: String)) throws {
    #expect(try SerializableColor(css: row.css).hex == row.hex)
  }

  @Test("a color of a function that sRGB cannot show is in Display P3")
  func wideFunctions() throws {
    let wide = try SerializableColor(css: "oklch(0.65 0.28 30)")
    #expect(wide.colorSpace == .displayP3)
    #expect(try SerializableColor(css: "oklch(0.65 0.1 30)").colorSpace == .sRGB)
  }

  @Test("a color is written as another function of CSS, and read again to less than a 65,535th")
  func writtenFunctions() throws {
    #expect(try SerializableColor.red.css(.hsl) == "hsl(0 100% 50%)")
    #expect(try SerializableColor.red.css(.okLCH) == "oklch(0.6279554 0.2576833 29.2338803)")
    #expect(
      try SerializableColor(white: 1, alpha: 0.5).css(.okLab) == "oklab(1 0 0 / 0.5)")
    for color in ColorModelTests.colors where (try? color.isInGamut(of: .sRGB)) == true {
      for function in SerializableColor.CSSFunction.allCases {
        let read = try SerializableColor(css: try color.css(function)).converted(to: .sRGB)
        let wanted = try color.converted(to: .sRGB)
        let isClose = zip(read.components, wanted.components).allSatisfy {
          abs($0 - $1) < 1.0 / 65_535
        }
        #expect(isClose, "\(function) \(color)")
      }
    }
  }

  @Test("the CSS text of a color keeps every bit")
  func exactCSS() throws {
    var random = SplitMix(seed: 40)
    for index in 0..<10_000 {
      let color = SerializableColor(
        red: random.finiteFloat(), green: random.finiteFloat(), blue: random.finiteFloat(),
        alpha: random.finiteFloat(), colorSpace: ColorSpace(rawValue: Int32(index % 5) - 2))
      #expect(try SerializableColor(css: color.css) == color)
    }
    for bits in 0...UInt32(0xFFFF) {
      // Neighbors of the 255ths, where the two forms of sRGB meet.
      let float = Float(bitPattern: (Float(bits % 256) / 255).bitPattern &+ (bits >> 8) &- 128)
      guard float.isFinite else { continue }
      let color = SerializableColor(red: float, green: 1, blue: 0, alpha: float)
      #expect(try SerializableColor(css: color.css) == color)
    }
  }

  @Test(
    "an invalid CSS color is refused with the position, the expected text and the nearest name",
    arguments: [
      (
        "",
        "expected a hex color, a function such as rgb() or oklch(), or a named color, found the end of the text at byte 1"
      ),
      ("ornage", "found 'ornage' at byte 1; did you mean 'orange'?"),
      ("rgb", "rgb() or oklch(), or a named color, found 'rgb' at byte 1"),
      (
        "hls(0 1% 1%)",
        "lch(), oklab(), oklch() or color(), found 'hls(0 1% 1%)' at byte 1; did you mean 'hsl'?"
      ),
      ("oklch(0.5 0.1 30deh)", "expected the unit deg, grad, rad or turn, found 'deh)' at byte 17"),
      ("hsl(120, 100% 25%)", "expected ','"),
      ("rgb(255 0)", "expected a number, found ')' at byte 10"),
      ("rgb(255 0 0", "expected '/' or ')', found the end of the text at byte 12"),
      ("rgb(255 0 0 0.5)", "expected '/' or ')', found '0.5)' at byte 13"),
      ("rgb(255, 0 0)", "expected ',', found '0)' at byte 12"),
      ("rgb(255 0, 0)", "expected a number, found ', 0)' at byte 10"),
      ("rgb(255, 0, 0 / 1)", "expected ',' or ')', found '/ 1)' at byte 15"),
      ("rgb(1px 0 0)", "expected a number without a unit, found '1px 0 0)' at byte 5"),
      ("rgb(0x1 0 0)", "expected a number without a unit, found '0x1 0 0)' at byte 5"),
      ("rgb(inf 0 0)", "expected a number, found 'inf 0 0)' at byte 5"),
      ("rgb(nan 0 0)", "expected a number, found 'nan 0 0)' at byte 5"),
      ("rgb(. 0 0)", "expected a number, found '. 0 0)' at byte 5"),
      ("rgb(1 0 0) x", "expected the end of the text, found 'x' at byte 12"),
      ("color(rec2020 1 0 0)", "expected the color space srgb, srgb-linear or display-p3, found"),
      ("color(display-p4 1 0 0)", "at byte 7; did you mean 'display-p3'?"),
      ("color(--space-x 1 0 0)", "expected the color space srgb, srgb-linear or display-p3"),
      (
        "color(--space-99999999999 1 0 0)",
        "expected the color space srgb, srgb-linear or display-p3"
      ),
      ("color(srgb, 1, 0, 0)", "expected a number, found ', 1, 0, 0)' at byte 11"),
      ("#ff", "expected 3, 4, 6 or 8 digits, found 2 digits at byte 2"),
      ("  #ggg", "expected a digit 0-9 or A-F, found 'ggg' at byte 4"),
      ("e34234", "expected a hex color"), ("rouge foncé", "found 'rouge foncé' at byte 1"),
      ("color(srgb 1e999 0 0)", "the component red of a color is infinite"),
    ])
  func cssErrors(text: String, message: String) {
    let error = #expect(throws: ColorError.self) { try SerializableColor(css: text) }
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("the parser of CSS colors has the 148 names of CSS")
  func names() throws {
    let some: [(String, String)] = [
      ("aliceblue", "#F0F8FF"), ("crimson", "#DC143C"), ("grey", "#808080"), ("lime", "#00FF00"),
      ("maroon", "#800000"), ("purple", "#800080"), ("tomato", "#FF6347"),
      ("yellowgreen", "#9ACD32"),
    ]
    for (name, hex) in some { #expect(try SerializableColor(css: name).hex == hex) }
  }

  @Test("no text ends the program when it is parsed as a color")
  func mutations() {
    var random = SplitMix(seed: 41)
    let seeds = ["rgba(255, 0, 0, .5)", "color(display-p3 1 0.5 0 / 25%)", "#FF880080", "tomato"]
    for index in 0..<3000 {
      var bytes = Array(seeds[index % seeds.count].utf8)
      for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<3, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes.remove(at: place)
        default: bytes.insert(bytes[place], at: 0)
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      for read in [{ try SerializableColor(css: text) }, { try SerializableColor(hex: text) }] {
        do {
          let color = try read()
          #expect(color.components.allSatisfy { $0.isFinite })
        } catch {
          #expect(error is ColorError)
        }
      }
    }
  }
}
