import CopalArchive
import CopalColor
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Archives of NSColor and UIColor")
struct PlatformColorArchiveTests {
  let transformer = PlatformColorArchiveTransformer()
  let assuming = PlatformColorArchiveTransformer(writing: .nsColor, profiles: .assumingSRGB)

  /// An archived color and the color that is read.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let archive: ArchivedValue
    let color: SerializableColor

    init(_ title: String, _ archive: ArchivedValue, _ color: SerializableColor) {
      testDescription = title
      self.archive = archive
      self.color = color
    }
  }

  private static let icc = ArchivedValue.data([0, 0, 0, 4, 1, 2, 3, 4])

  private static func sRGB(_ r: Float, _ g: Float, _ b: Float, _ a: Float = 1) -> SerializableColor
  {
    SerializableColor(red: r, green: g, blue: b, alpha: a)
  }

  private static func ns(_ space: Int64, _ key: String, _ text: String) -> ArchivedValue {
    PlatformArchives.nsColor(["NSColorSpace": .integer(space), key: PlatformArchives.text(text)])
  }

  // MARK: What is read

  static let spaces = [
    Row(
      "device RGB, as in Terminal profiles", ns(2, "NSRGB", "0.4235294118 0.6 0.7333333333\0"),
      sRGB(0.4235294118, 0.6, 0.7333333333)),
    Row("device RGB with alpha", ns(2, "NSRGB", "1 0.5 0 0.25\0"), sRGB(1, 0.5, 0, 0.25)),
    Row("without a NUL, with an exponent", ns(2, "NSRGB", "1e-05 -0.5 2"), sRGB(1e-05, -0.5, 2)),
    Row("device gray", ns(4, "NSWhite", "0.5\0"), sRGB(0.5, 0.5, 0.5)),
    Row("device gray with alpha", ns(4, "NSWhite", "0.5 0.25\0"), sRGB(0.5, 0.5, 0.5, 0.25)),
    Row(
      "sRGB", PlatformArchives.custom(["NSID": .integer(7), "NSICC": icc], "1 0.5 0.25 0.75"),
      sRGB(1, 0.5, 0.25, 0.75)),
    Row(
      "sRGB without a profile", PlatformArchives.custom(["NSID": .integer(7)], "0 0.5 1 1"),
      sRGB(0, 0.5, 1)),
    Row(
      "device RGB as an object", PlatformArchives.custom(["NSID": .integer(4)], "0 0.5 1 1"),
      sRGB(0, 0.5, 1)),
    Row(
      "Display P3",
      PlatformArchives.custom(["NSSpaceID": .integer(12), "NSICC": icc], "1 0.5 0.25 0.75"),
      SerializableColor(
        red: 1, green: 0.5, blue: 0.25, alpha: 0.75, colorSpace: .displayP3)),
    Row(
      "Display P3, which is also named sRGB for older systems",
      PlatformArchives.custom(["NSID": .integer(7), "NSSpaceID": .integer(12)], "1 0 0 1"),
      SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3)),
    Row(
      "extended sRGB",
      PlatformArchives.custom(
        ["NSSpaceID": .integer(14), "NSICC": icc], "1.0931 -0.2267 -0.1501 1"),
      sRGB(1.0931, -0.2267, -0.1501)),
    Row(
      "linear sRGB",
      PlatformArchives.custom(["NSSpaceID": .integer(16), "NSICC": icc], "0.0031308 0.5 1 0.5"),
      sRGB(0.040_449_936, 0.735_356_983, 1, 0.5)),
    Row(
      "extended linear sRGB", PlatformArchives.custom(["NSSpaceID": .integer(17)], "-0.5 0 4 1"),
      sRGB(-0.735_356_983, 0, 1.824796295)),
    Row(
      "gray with gamma 2.2",
      PlatformArchives.custom(
        ["NSID": .integer(9), "NSICC": icc, "NSModel": .integer(0)], "0.25 0.5", number: 3),
      sRGB(0.25, 0.25, 0.25, 0.5)),
    Row(
      "extended gray",
      PlatformArchives.custom(
        ["NSSpaceID": .integer(15), "NSModel": .integer(0)], "1.5 1", number: 3),
      sRGB(1.5, 1.5, 1.5)),
    Row(
      "device gray as an object",
      PlatformArchives.custom(["NSID": .integer(5)], "0.25 1", number: 3), sRGB(0.25, 0.25, 0.25)),
    Row("black in calibrated gray", ns(3, "NSWhite", "0\0"), sRGB(0, 0, 0)),
    Row("white in calibrated gray", ns(3, "NSWhite", "1 0.5\0"), sRGB(1, 1, 1, 0.5)),
    Row("black in calibrated RGB", ns(1, "NSRGB", "0 0 0 0.5\0"), sRGB(0, 0, 0, 0.5)),
    Row("white in calibrated RGB", ns(1, "NSRGB", "1 1 1\0"), sRGB(1, 1, 1)),
    Row(
      "white in Adobe RGB", PlatformArchives.custom(["NSID": .integer(8)], "1 1 1 1"),
      sRGB(1, 1, 1)),
    Row(
      "a named color with its color",
      PlatformArchives.nsColor([
        "NSColorSpace": .integer(6), "NSCatalogName": .string("System"),
        "NSColorName": .string("labelColor"),
        "NSColor": ns(2, "NSRGB", "0 0 0 0.85\0"),
      ]), sRGB(0, 0, 0, 0.85)),
    Row(
      "a subclass of NSColor",
      PlatformArchives.object(
        ["NSDeviceRGBColor", "NSColor"],
        ["NSColorSpace": .integer(2), "NSRGB": PlatformArchives.text("0 1 0\0")]),
      sRGB(0, 1, 0)),
  ]

  @Test("a color is exact in each known space", arguments: spaces)
  func read(row: Row) throws {
    #expect(try transformer.decode(PlatformArchives.data(row.archive)) == row.color)
  }

  static let uiColors = [
    Row(
      "four numbers of four bytes",
      PlatformArchives.uiColor([
        "UIColorComponentCount": .integer(4), "UIRed": .float(0.917_647_06),
        "UIGreen": .float(0.2), "UIBlue": .float(0), "UIAlpha": .float(1),
        "NSRGB": PlatformArchives.text("0.918 0.2 0"), "NSColorSpace": .integer(2),
      ]), sRGB(0.917_647_06, 0.2, 0)),
    Row(
      "numbers of eight bytes are those with the most digits",
      PlatformArchives.uiColor([
        "UIColorComponentCount": .integer(4), "UIRed": .float(0.9), "UIGreen": .float(0.2),
        "UIBlue": .float(0), "UIAlpha": .float(1), "UIRed-Double": .real(0.917_647_06),
        "UIGreen-Double": .real(0.25), "UIBlue-Double": .real(-0.125),
        "UIAlpha-Double": .real(0.5), "NSRGB": PlatformArchives.text("0.9 0.2 0"),
        "NSColorSpace": .integer(2),
      ]), sRGB(0.917_647_06, 0.25, -0.125, 0.5)),
    Row(
      "white and alpha",
      PlatformArchives.uiColor([
        "UIColorComponentCount": .integer(2), "UIWhite": .float(0.333), "UIAlpha": .float(0.5),
        "NSWhite": PlatformArchives.text("0.333 0.5"), "NSColorSpace": .integer(4),
      ]), sRGB(0.333, 0.333, 0.333, 0.5)),
    Row(
      "a system color with its components",
      PlatformArchives.object(
        ["UIDynamicCatalogSystemColor", "UIDynamicSystemColor", "UIDynamicColor", "UIColor"],
        [
          "UISystemColorName": .string("systemRedColor"), "UIColorComponentCount": .integer(4),
          "UIRed": .float(1), "UIGreen": .float(0.231), "UIBlue": .float(0.188),
          "UIAlpha": .float(1), "NSColorSpace": .integer(2),
        ]), sRGB(1, 0.231, 0.188)),
    Row(
      "a text without numbers",
      PlatformArchives.uiColor([
        "NSRGB": PlatformArchives.text("0.918 0.2 0"), "NSColorSpace": .integer(2),
      ]), sRGB(0.918, 0.2, 0)),
    Row(
      "a text of white without numbers",
      PlatformArchives.uiColor([
        "NSWhite": PlatformArchives.text("0.5 0.25"), "NSColorSpace": .integer(4),
      ]), sRGB(0.5, 0.5, 0.5, 0.25)),
    Row(
      "numbers without their count",
      PlatformArchives.uiColor(["UIWhite": .float(0.5), "UIAlpha": .float(1)]),
      sRGB(0.5, 0.5, 0.5)),
  ]

  @Test("a UIColor is read from its most exact components", arguments: uiColors)
  func readUIColor(row: Row) throws {
    #expect(try transformer.decode(PlatformArchives.data(row.archive)) == row.color)
  }

  @Test("archives in XML are read, and the bytes of the other transformers of colors")
  func otherForms() throws {
    let bytes = [UInt8](PlatformArchives.data(Self.ns(2, "NSRGB", "1 0.5 0\0")))
    let xml = Data(try PropertyListValue(bytes).xml().utf8)
    #expect(try transformer.decode(xml) == Self.sRGB(1, 0.5, 0))
    #expect(try transformer.decode(SerializableColorTransformer().encode(.orange)) == .orange)
  }

  // MARK: What needs a profile

  /// A color that needs a profile: how the error names its space, and what its components are in
  /// sRGB.
  struct ProfileRow: Sendable, CustomTestStringConvertible {
    let name: String
    let archive: ArchivedValue
    let assumed: SerializableColor

    init(_ name: String, _ archive: ArchivedValue, _ assumed: SerializableColor) {
      self.name = name
      self.archive = archive
      self.assumed = assumed
    }

    var testDescription: String { name }
  }

  static let profiles = [
    ProfileRow(
      "a color space with an ICC profile", PlatformArchives.custom(["NSICC": icc], "1 0.5 0 1"),
      sRGB(1, 0.5, 0)),
    ProfileRow(
      "a color space with an ICC profile",
      PlatformArchives.custom(["NSICC": icc, "NSModel": .integer(0)], "0.5 1", number: 3),
      sRGB(0.5, 0.5, 0.5)),
    ProfileRow(
      "the color space 99 of NSSpaceID",
      PlatformArchives.custom(["NSSpaceID": .integer(99), "NSICC": icc], "1 0.5 0 1"),
      sRGB(1, 0.5, 0)),
    ProfileRow("device CMYK", ns(5, "NSCMYK", "0 0.5 1 0\0"), sRGB(1, 0.5, 0)),
    ProfileRow("device CMYK", ns(5, "NSCMYK", "0.5 0 0 0.5 0.25\0"), sRGB(0.25, 0.5, 0.5, 0.25)),
    ProfileRow(
      "device CMYK", PlatformArchives.custom(["NSID": .integer(6)], "0 0 0 1 1", number: 5),
      sRGB(0, 0, 0)),
    ProfileRow(
      "generic CMYK", PlatformArchives.custom(["NSID": .integer(3)], "1 0 0 0 1", number: 5),
      sRGB(0, 1, 1)),
  ]

  @Test(
    "a color that needs a profile is an error with its space, and never a wrong color",
    arguments: profiles)
  func refused(row: ProfileRow) throws {
    let data = PlatformArchives.data(row.archive)
    let error = #expect(throws: ColorError.self) { try transformer.decode(data) }
    #expect(error?.code == .needsProfile && error?.found == row.name)
  }

  @Test("its components can be regarded as sRGB where the program says so", arguments: profiles)
  func assumed(row: ProfileRow) throws {
    #expect(try assuming.decode(PlatformArchives.data(row.archive)) == row.assumed)
  }

  @Test("exact colors are the same when profiles are assumed", arguments: spaces)
  func exactAnyway(row: Row) throws {
    #expect(try assuming.decode(PlatformArchives.data(row.archive)) == row.color)
  }

  // MARK: Arrays

  @Test("row 41: an array of NSColor and UIColor keeps order and count; an empty one is a value")
  func array() throws {
    let arrays = PlatformColorArrayArchiveTransformer()
    let rows = Self.spaces + Self.uiColors
    let archive = PlatformArchives.data(.array(rows.map(\.archive)))
    #expect(try arrays.decode(archive) == rows.map(\.color))
    #expect(try arrays.decode(PlatformArchives.data(.array([]))) == [])
    #expect(try arrays.decode(ColorArrayTransformer().encode([.red, .blue])) == [.red, .blue])
  }

  @Test("an array with one color that cannot be read exactly is an error, and not a shorter array")
  func arrayWithProfile() throws {
    let colors = [Self.ns(2, "NSRGB", "1 0 0\0"), Self.ns(5, "NSCMYK", "0 1 1 0\0")]
    let archive = PlatformArchives.data(.array(colors))
    let error = #expect(throws: ColorError.self) {
      try PlatformColorArrayArchiveTransformer().decode(archive)
    }
    #expect(error?.code == .needsProfile)
    let assuming = PlatformColorArrayArchiveTransformer(writing: .uiColor, profiles: .assumingSRGB)
    #expect(try assuming.decode(archive) == [.red, .red])
  }

  // MARK: Writing

  @Test("an NSColor is archived with its color space and with components of all digits")
  func nsColorForm() throws {
    let color = SerializableColor(
      red: 1, green: 0.1, blue: -0.5, alpha: 0.25, colorSpace: .displayP3)
    let object = try Self.object(transformer.encode(color), ["NSColor", "NSColorSpace"])
    #expect(object.classNames == ["NSColor", "NSObject"])
    #expect(object["NSColorSpace"] == .integer(1))
    #expect(object["NSComponents"] == PlatformArchives.text("1 0.10000000149011612 -0.5 0.25"))
    #expect(
      object["NSCustomColorSpace"]
        == PlatformArchives.object(["NSColorSpace"], ["NSSpaceID": .integer(12)]))

    let orange = try Self.object(transformer.encode(.red), ["NSColor", "NSColorSpace"])
    #expect(orange["NSComponents"] == PlatformArchives.text("1 0 0 1"))
    #expect(orange["NSRGB"] == PlatformArchives.text("1 0 0 1\0"))
    #expect(
      orange["NSCustomColorSpace"]
        == PlatformArchives.object(["NSColorSpace"], ["NSID": .integer(7)]))
  }

  @Test("a UIColor is archived as UIKit does it, in extended sRGB")
  func uiColorForm() throws {
    let uiKit = PlatformColorArchiveTransformer(writing: .uiColor)
    let color = SerializableColor(red: 1, green: 0.25, blue: 0, alpha: 0.5)
    let object = try Self.object(uiKit.encode(color), ["UIColor"])
    #expect(object.classNames == ["UIColor", "NSObject"])
    #expect(
      object.fields == [
        "UIColorComponentCount": .integer(4), "UIRed": .float(1), "UIGreen": .float(0.25),
        "UIBlue": .float(0), "UIAlpha": .float(0.5), "NSColorSpace": .integer(2),
        "NSRGB": PlatformArchives.text("1 0.25 0 0.5"),
      ])
    let wide = SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3)
    let converted = try wide.converted(to: .sRGB)
    #expect(try uiKit.decode(uiKit.encode(wide)) == converted)
  }

  @Test("rows 33 and 35: every bit of every component is kept; an unknown color space is an error")
  func bits() throws {
    var random = SplitMix(seed: 12)
    let uiKit = PlatformColorArchiveTransformer(writing: .uiColor)
    let arrays = PlatformColorArrayArchiveTransformer()
    for index in 0..<1000 {
      let color = SerializableColor(
        red: random.finiteFloat(), green: random.finiteFloat(), blue: random.finiteFloat(),
        alpha: random.finiteFloat(), colorSpace: index.isMultiple(of: 2) ? .sRGB : .displayP3)
      #expect(try transformer.decode(transformer.encode(color)) == color)
      #expect(try arrays.decode(arrays.encode([color, .red])) == [color, .red])
      if color.colorSpace == .sRGB { #expect(try uiKit.decode(uiKit.encode(color)) == color) }
    }
    let unknown = try SerializableColor(
      colorSpace: ColorSpace(rawValue: 7), components: [0, 0, 0, 1])
    for transformer in [transformer, uiKit] {
      let error = #expect(throws: ColorError.self) { try transformer.encode(unknown) }
      #expect(error?.code == .unknownSpace)
    }
  }

  private static func object(_ data: Data, _ classes: Set<String>) throws -> ArchivedObject {
    try #require(try KeyedArchive([UInt8](data)).root(allowing: classes).object)
  }
}

extension ArchivedValue {
  /// The object with another value under a key.
  func replacing(_ key: String, with value: ArchivedValue) -> ArchivedValue {
    guard let object else { return self }
    let fields = object.fields.merging([key: value]) { $1 }
    return .object(ArchivedObject(classNames: object.classNames, fields: fields))
  }
}
