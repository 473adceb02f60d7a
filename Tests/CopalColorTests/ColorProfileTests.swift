import CopalArchive
import Foundation
import Testing

@testable import CopalColor

@Suite("Archived colors of measured spaces and profiles")
struct ColorProfileTests {
  private let transformer = PlatformColorArchiveTransformer(writing: .nsColor)

  /// The components of a color in 255ths, cut to 0...255.
  private func shown(_ color: SerializableColor) -> [Int] {
    [color.red, color.green, color.blue].map { Int((max(0, min(1, $0)) * 255).rounded()) }
  }

  private func color(_ space: [String: ArchivedValue], _ components: [Double], number: Int64 = 1)
    throws -> SerializableColor
  {
    let text = (components + [1]).map { "\($0)" }.joined(separator: " ")
    return try transformer.decode(
      PlatformArchives.data(PlatformArchives.custom(space, text, number: number)))
  }

  // MARK: Spaces without a profile

  /// The crayons of Apple's color panel: their components in generic RGB (128 is one half), which
  /// older systems have shown, and those in sRGB, which newer ones show.
  static let crayons: [(name: String, generic: [Int], sRGB: Int)] = [
    ("Maraschino", [255, 0, 0], 0xFF2600), ("Tangerine", [255, 128, 0], 0xFF9300),
    ("Lemon", [255, 255, 0], 0xFFFB00), ("Lime", [128, 255, 0], 0x8EFA00),
    ("Spring", [0, 255, 0], 0x00F900), ("Sea Foam", [0, 255, 128], 0x00FA92),
    ("Turquoise", [0, 255, 255], 0x00FDFF), ("Aqua", [0, 128, 255], 0x0096FF),
    ("Blueberry", [0, 0, 255], 0x0433FF), ("Grape", [128, 0, 255], 0x9437FF),
    ("Magenta", [255, 0, 255], 0xFF40FF), ("Strawberry", [255, 0, 128], 0xFF2F92),
    ("Cayenne", [128, 0, 0], 0x941100), ("Asparagus", [128, 128, 0], 0x929000),
    ("Clover", [0, 128, 0], 0x008F00), ("Teal", [0, 128, 128], 0x009193),
    ("Midnight", [0, 0, 128], 0x011993), ("Plum", [128, 0, 128], 0x942193),
    ("Steel", [102, 102, 102], 0x797979), ("Nickel", [127, 127, 127], 0x919191),
    ("Aluminum", [153, 153, 153], 0xA9A9A9), ("Silver", [204, 204, 204], 0xD6D6D6),
  ]

  @Test("calibrated and generic RGB become the published colors in sRGB", arguments: crayons)
  func genericRGB(name: String, generic: [Int], sRGB: Int) throws {
    let expected = [sRGB >> 16, sRGB >> 8 & 255, sRGB & 255]
    let components = generic.map { Double($0) / 255 }
    let text = components.map { "\($0)" }.joined(separator: " ")
    let calibrated = PlatformArchives.nsColor([
      "NSColorSpace": .integer(1), "NSRGB": PlatformArchives.text(text + "\0"),
    ])
    for found in [
      try color(["NSID": .integer(1)], components),
      try transformer.decode(PlatformArchives.data(calibrated)),
    ] {
      for (a, b) in zip(shown(found), expected) {
        #expect(abs(a - b) <= 1, "\(name): \(shown(found))")
      }
    }
    guard Set(generic).count == 1 else { return }
    let gray = try color(["NSID": .integer(2), "NSModel": .integer(0)], [components[0]], number: 3)
    #expect(abs(shown(gray)[0] - expected[0]) <= 1 && gray.red == gray.blue)
  }

  @Test(
    "a color outside of sRGB keeps its components outside of 0...1, and black and white are exact")
  func extended() throws {
    // Calculated with NumPy by the formulas of CSS Color 4.
    let green = try color(["NSID": .integer(8)], [0, 1, 0])
    #expect(abs(green.red - -169.307 / 255) < 0.0005 && abs(green.green - 1) < 0.0005)
    #expect(abs(green.blue - -58.436 / 255) < 0.0005)
    for space in [
      ["NSID": ArchivedValue.integer(1)], ["NSID": .integer(8)], ["NSSpaceID": .integer(13)],
    ] {
      #expect(try color(space, [0, 0, 0]) == SerializableColor(red: 0, green: 0, blue: 0))
      #expect(try color(space, [1, 1, 1]) == SerializableColor(red: 1, green: 1, blue: 1))
    }
  }

  @Test("the primaries of Adobe RGB and sRGB, adapted to D50, are the published ones")
  func primaries() {
    // <http://www.brucelindbloom.com/Eqn_RGB_XYZ_Matrix.html>, "Bradford-adapted to D50".
    let adobe: [SIMD3<Double>] = [
      [0.6097559, 0.3111242, 0.0194811], [0.2052401, 0.6256560, 0.0608902],
      [0.1492240, 0.0632197, 0.7448387],
    ]
    for (found, expected) in zip(MeasuredSpace.adobeRGB.primaries, adobe) {
      let difference = found - expected
      #expect(max(difference.max(), -difference.min()) < 0.0005)
    }
  }

  // MARK: Profiles

  /// A profile with some tags.
  private func profile(
    _ tags: [(String, [UInt8])], version: UInt8 = 4, space: String = "RGB ", pcs: String = "XYZ "
  ) -> [UInt8] {
    var header = [UInt8](repeating: 0, count: 128)
    header[8] = version
    header.replaceSubrange(12..<16, with: Array("mntr".utf8))
    header.replaceSubrange(16..<20, with: Array(space.utf8))
    header.replaceSubrange(20..<24, with: Array(pcs.utf8))
    header.replaceSubrange(36..<40, with: Array("acsp".utf8))
    var (table, data) = (big(UInt32(tags.count)), [UInt8]())
    for (name, bytes) in tags {
      table += Array(name.utf8) + big(UInt32(132 + 12 * tags.count + data.count))
      table += big(UInt32(bytes.count))
      data += bytes
    }
    let all = header + table + data
    return big(UInt32(all.count)) + all[4...]
  }

  private func big(_ number: UInt32) -> [UInt8] {
    [UInt8(number >> 24), UInt8(number >> 16 & 255), UInt8(number >> 8 & 255), UInt8(number & 255)]
  }

  private func fixed(_ number: Double) -> [UInt8] {
    big(UInt32(bitPattern: Int32((number * 65_536).rounded())))
  }

  private func xyz(_ values: [Double]) -> [UInt8] {
    Array("XYZ ".utf8) + big(0) + values.flatMap(fixed)
  }

  private func parametric(_ kind: UInt8, _ values: [Double]) -> [UInt8] {
    Array("para".utf8) + big(0) + [0, kind, 0, 0] + values.flatMap(fixed)
  }

  private func table(_ values: [UInt16]) -> [UInt8] {
    Array("curv".utf8) + big(0) + big(UInt32(values.count))
      + values.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }
  }

  /// sRGB adapted to D50: <http://www.brucelindbloom.com/Eqn_RGB_XYZ_Matrix.html>.
  private let sRGBPrimaries = [
    [0.4360747, 0.2225045, 0.0139322], [0.3850649, 0.7168786, 0.0971045],
    [0.1430804, 0.0606169, 0.7141733],
  ]

  /// The curve of sRGB, as profiles of version 4 have it.
  private let sRGBCurve = [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045]

  private func rgb(_ curve: [UInt8], _ primaries: [[Double]]? = nil, version: UInt8 = 4) -> [UInt8]
  {
    let primaries = primaries ?? sRGBPrimaries
    return profile(
      zip(["r", "g", "b"], primaries).flatMap { [($0 + "XYZ", xyz($1)), ($0 + "TRC", curve)] },
      version: version)
  }

  private func read(_ profile: [UInt8], _ components: [Double], gray: Bool = false) throws
    -> SerializableColor
  {
    var space: [String: ArchivedValue] = ["NSICC": .data(profile)]
    if gray { space["NSModel"] = .integer(0) }
    return try color(space, components, number: gray ? 3 : 1)
  }

  @Test("a profile of sRGB is sRGB itself: by parameters, and by a table")
  func profileOfSRGB() throws {
    let samples = (0..<1024).map { index -> UInt16 in
      let x = Double(index) / 1023
      let light = x <= 0.04045 ? x / 12.92 : pow((x + 0.055) / 1.055, 2.4)
      return UInt16((light * 65_535).rounded())
    }
    for profile in [rgb(parametric(3, sRGBCurve)), rgb(table(samples), version: 2)] {
      let found = try read(profile, [1, 0.5, 0.123])
      #expect(found == SerializableColor(red: 1, green: 0.5, blue: 0.123))
    }
    // Display P3 adapted to D50, as in Apple's profile.
    let p3 = rgb(
      parametric(3, sRGBCurve),
      [[0.51512, 0.24120, -0.00105], [0.29198, 0.69225, 0.04189], [0.15710, 0.06657, 0.78407]])
    let found = try read(p3, [1, 0.5, 0.25])
    #expect(
      found == SerializableColor(red: 1, green: 0.5, blue: 0.25, colorSpace: .displayP3))
  }

  /// Curves that are not those of sRGB: the bytes, and the light of one half.
  static let curves: [(name: String, kind: UInt8?, values: [Double], half: Double)] = [
    ("a line", nil, [], 0.5), ("an exponent in 256ths", nil, [2.0], 0.25),
    ("kind 0", 0, [3], 0.125), ("kind 1", 1, [2, 2, -0.5], 0.25),
    ("kind 1, below its start", 1, [2, 2, -1.5], 0), ("kind 2", 2, [2, 1, 0, 0.25], 0.5),
    ("kind 2, below its start", 2, [2, 2, -1.5, 0.125], 0.125),
    ("kind 3, below its start", 3, [2, 1, 0, 0.5, 0.75], 0.25),
    ("kind 4", 4, [2, 1, 0, 0.5, 0.25, 0.125, 0.0625], 0.375),
    ("kind 4, below its start", 4, [2, 1, 0, 0.5, 0.75, 0.125, 0.0625], 0.3125),
  ]

  @Test("every kind of curve, for colors and for gray", arguments: curves)
  func curve(name: String, kind: UInt8?, values: [Double], half: Double) throws {
    let bytes =
      kind.map { parametric($0, values) }
      ?? table(values.map { UInt16($0 * 256) })
    let encoded = half <= 0.0031308 ? half * 12.92 : 1.055 * pow(half, 1 / 2.4) - 0.055
    let gray = profile([("kTRC", bytes)], space: "GRAY")
    #expect(abs(Double(try read(gray, [0.5], gray: true).red) - encoded) < 0.0001)
    let found = try read(rgb(bytes), [0.5, 0.5, 0.5])
    for component in [found.red, found.green, found.blue] {
      #expect(abs(Double(component) - encoded) < 0.0005, "\(name): \(found)")
    }
  }

  @Test("a table is read between its numbers, and components outside of 0...1 are cut")
  func tables() throws {
    let curve = table([0, 65_535 / 5, 65_535])
    let gray = profile([("kTRC", curve)], space: "GRAY")
    func light(_ x: Double) throws -> Double {
      let y = Double(try read(gray, [x], gray: true).red)
      return y <= 0.04045 ? y / 12.92 : pow((y + 0.055) / 1.055, 2.4)
    }
    #expect(try abs(light(0.25) - 0.1) < 0.0001 && abs(light(0.75) - 0.6) < 0.0001)
    #expect(try abs(light(1.5) - 1) < 0.0001 && light(-1) == 0)
  }

  @Test("profiles with look-up tables only, of other models, and damaged ones need a profile")
  func refused() throws {
    let good = rgb(parametric(0, [2]))
    var others: [[UInt8]] = [
      profile([("A2B0", table([1]))]), rgb(parametric(9, [2])), rgb(parametric(0, [0])),
      rgb(Array("mft2".utf8) + big(0)), profile([], pcs: "Lab "),
      profile([("kTRC", table([]))], space: "GRAY"), [],
    ]
    var version = good
    version[8] = 5
    others.append(version)
    for count in stride(from: 0, to: good.count, by: 7) { others.append(Array(good.prefix(count))) }
    for bytes in others {
      let error = #expect(throws: ColorError.self) { try read(bytes, [1, 0.5, 0]) }
      #expect(error?.code == .needsProfile)
    }
    // Any byte may be another one: a color or a typed error, and never the end of the process.
    for place in good.indices {
      var damaged = good
      damaged[place] ^= 0xFF
      _ = try? read(damaged, [1, 0.5, 0])
    }
  }
}
