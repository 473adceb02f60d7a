import CopalArchive
import CopalColor
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Damaged archives of NSColor and UIColor")
struct PlatformColorDamageTests {
  /// The components of a device color, and the error: its code and what was found.
  struct TextRow: Sendable, CustomTestStringConvertible {
    let text: String
    let code: String
    let found: String

    init(_ text: String, _ code: String, _ found: String) {
      self.text = text
      self.code = code
      self.found = found
    }

    var testDescription: String { text.debugDescription }
  }

  private static let components = "color.archivedComponents"
  private static let noNumber = "a text that is not a number"

  static let texts = [
    TextRow("", components, "0"), TextRow("\0", components, "0"), TextRow(" ", components, "0"),
    TextRow("1", components, "1"), TextRow("1 0\0", components, "2"),
    TextRow("1 0 0 1 1", components, "more than 4"),
    TextRow(String(repeating: "1 ", count: 10_000), components, "more than 4"),
    TextRow("nan 0 0", components, noNumber), TextRow("0 inf 0", components, noNumber),
    TextRow("0 -Infinity 0", components, noNumber), TextRow("red 0 0", components, noNumber),
    TextRow("0x1p3 0 0", components, noNumber), TextRow("1 0\00", components, noNumber),
    TextRow("0,5 0,5 0,5", components, noNumber), TextRow("0,5,1", components, noNumber),
    TextRow("1\t0\t0", components, noNumber), TextRow("1 0 0.5.5", components, noNumber),
    TextRow("1 - 0", components, noNumber), TextRow("1 e 0", components, noNumber),
    TextRow("１ ０ ０", components, noNumber), TextRow("{1, 0, 0}", components, noNumber),
    TextRow("1e400 0 0", "color.notFinite", "infinite"),
    TextRow("0 0 0 1e39", "color.notFinite", "infinite"),
    TextRow("0 -1e300 0", "color.notFinite", "infinite"),
  ]

  @Test("components that are not three or four decimal numbers are refused", arguments: texts)
  func text(row: TextRow) {
    for (space, key) in [(2, "NSRGB"), (1, "NSComponents")] as [(Int64, String)] {
      var fields: PlatformArchives.Fields = [
        "NSColorSpace": .integer(space), key: PlatformArchives.text(row.text),
      ]
      if space == 1 {
        fields["NSCustomColorSpace"] = PlatformArchives.object(
          ["NSColorSpace"], ["NSID": .integer(7)])
      }
      let data = PlatformArchives.data(PlatformArchives.nsColor(fields))
      let error = #expect(throws: ColorError.self) {
        try PlatformColorArchiveTransformer().decode(data)
      }
      #expect(error?.code.rawValue == row.code && error?.found == row.found)
      if row.code == Self.components {
        #expect(error?.expected == "3 or 4 numbers under \(key)")
      }
    }
  }

  @Test(
    "the number of components is that of the space",
    arguments: [
      (4, "NSWhite", "", "1 or 2 numbers under NSWhite"),
      (4, "NSWhite", "1 1 1", "1 or 2 numbers under NSWhite"),
      (3, "NSWhite", "1 1 1", "1 or 2 numbers under NSWhite"),
      (5, "NSCMYK", "1 1 1", "4 or 5 numbers under NSCMYK"),
      (1, "NSRGB", "1 1", "3 or 4 numbers under NSRGB"),
    ] as [(Int64, String, String, String)])
  func counts(space: Int64, key: String, text: String, expected: String) {
    let color = PlatformArchives.nsColor([
      "NSColorSpace": .integer(space), key: PlatformArchives.text(text),
    ])
    let error = #expect(throws: ColorError.self) {
      try PlatformColorArchiveTransformer().decode(PlatformArchives.data(color))
    }
    #expect(error?.code == .archivedComponents && error?.expected == expected)
  }

  @Test(
    "a number that no Float holds is refused in each space, also where a conversion would cut it",
    arguments: [
      (1, "NSRGB", "1e999 0 0", "red"), (1, "NSRGB", "0 -1e999 0", "green"),
      (1, "NSRGB", "0 0 1e39", "blue"), (1, "NSRGB", "0 0 0 1e39", "alpha"),
      (3, "NSWhite", "1e999", "white"), (4, "NSWhite", "-1e999 1", "white"),
      (5, "NSCMYK", "1e999 0 0 0", "cyan"), (5, "NSCMYK", "0 0 0 1e999", "black"),
    ] as [(Int64, String, String, String)])
  func notFinite(space: Int64, key: String, text: String, component: String) {
    let color = PlatformArchives.nsColor([
      "NSColorSpace": .integer(space), key: PlatformArchives.text(text),
    ])
    let error = #expect(throws: ColorError.self) {
      try PlatformColorArchiveTransformer(writing: .nsColor, profiles: .assumingSRGB)
        .decode(PlatformArchives.data(color))
    }
    #expect(error == ColorError(.notFinite, found: "infinite", expected: component))
  }

  /// An archive that is not a color, and the code of its error.
  struct Row: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let archive: ArchivedValue
    let code: String

    init(_ title: String, _ archive: ArchivedValue, _ code: String) {
      testDescription = title
      self.archive = archive
      self.code = code
    }

    /// A color of `NSColor`.
    init(_ title: String, ns fields: PlatformArchives.Fields, _ code: String) {
      self.init(title, PlatformArchives.nsColor(fields), code)
    }

    /// A color of `UIColor`.
    init(_ title: String, ui fields: PlatformArchives.Fields, _ code: String) {
      self.init(title, PlatformArchives.uiColor(fields), code)
    }
  }

  private static let rgb = PlatformArchives.text("1 0 0\0")
  private static let sRGB = PlatformArchives.object(["NSColorSpace"], ["NSID": .integer(7)])

  static let objects = [
    Row("no NSColorSpace", ns: ["NSRGB": rgb], "archive.fieldForm"),
    Row(
      "NSColorSpace as a text", ns: ["NSColorSpace": .string("2"), "NSRGB": rgb],
      "archive.fieldForm"),
    Row("NSColorSpace 0", ns: ["NSColorSpace": .integer(0), "NSRGB": rgb], "color.archivedSpace"),
    Row("NSColorSpace 7", ns: ["NSColorSpace": .integer(7), "NSRGB": rgb], "color.archivedSpace"),
    Row(
      "NSColorSpace -1", ns: ["NSColorSpace": .integer(-1), "NSRGB": rgb], "color.archivedSpace"),
    Row("no NSRGB", ns: ["NSColorSpace": .integer(2)], "archive.fieldForm"),
    Row("no NSWhite", ns: ["NSColorSpace": .integer(4), "NSRGB": rgb], "archive.fieldForm"),
    Row("no NSCMYK", ns: ["NSColorSpace": .integer(5), "NSRGB": rgb], "archive.fieldForm"),
    Row(
      "NSRGB as a number", ns: ["NSColorSpace": .integer(2), "NSRGB": .real(1)],
      "archive.fieldForm"),
    Row(
      "sRGB without NSComponents: NSRGB is not in sRGB",
      ns: ["NSColorSpace": .integer(1), "NSRGB": rgb, "NSCustomColorSpace": sRGB],
      "archive.fieldForm"),
    Row(
      "a color space that is a text",
      ns: [
        "NSColorSpace": .integer(1), "NSComponents": rgb, "NSCustomColorSpace": .string("sRGB"),
      ], "color.archivedSpace"),
    Row(
      "a color space that is a color",
      ns: [
        "NSColorSpace": .integer(1), "NSComponents": rgb,
        "NSCustomColorSpace": PlatformArchives.nsColor(["NSID": .integer(7)]),
      ], "color.archivedSpace"),
    Row(
      "an unknown NSID", PlatformArchives.custom(["NSID": .integer(10)], "1 0 0 1"),
      "color.archivedSpace"),
    Row(
      "NSID as a text", PlatformArchives.custom(["NSID": .string("7")], "1 0 0 1"),
      "archive.fieldForm"),
    Row(
      "NSModel of Lab",
      PlatformArchives.custom(["NSICC": .data([1]), "NSModel": .integer(3)], "1 0 0 1"),
      "color.archivedSpace"),
    Row(
      "an exposure of 2",
      ns: [
        "NSColorSpace": .integer(1), "NSComponents": PlatformArchives.text("1 0 0 1"),
        "NSCustomColorSpace": sRGB, "NSLinearExposure": PlatformArchives.text("2"),
      ], "color.archivedSpace"),
    Row(
      "a name without a color",
      ns: [
        "NSColorSpace": .integer(6), "NSCatalogName": .string("System"),
        "NSColorName": .string("labelColor"),
      ], "color.namedOnly"),
    Row(
      "a name with a text as its color",
      ns: [
        "NSColorSpace": .integer(6), "NSColorName": .string("labelColor"),
        "NSColor": .string("red"),
      ], "color.wrongKind"),
    Row("a pattern without its image", ns: ["NSColorSpace": .integer(10)], "color.pattern"),
    Row(
      "a pattern",
      ns: [
        "NSColorSpace": .integer(10),
        "NSImage": PlatformArchives.object(["NSImage"], ["NSSize": .string("{8, 8}")]),
      ], "color.pattern"),
    Row("a color space alone", sRGB, "color.wrongKind"),
    Row("a text", .string("red"), "color.wrongKind"),
    Row("nil", .null, "color.wrongKind"),
    Row("an array", .array([]), "archive.classNotAllowed"),
    Row("a UIColor without fields", ui: [:], "archive.fieldForm"),
    Row(
      "a system color without components", ui: ["UISystemColorName": .string("systemRedColor")],
      "color.namedOnly"),
    Row(
      "a color of an asset catalog without components",
      ui: ["UIDynamicCatalogName": .string("Accent")], "color.namedOnly"),
    Row(
      "three components",
      ui: ["UIColorComponentCount": .integer(3), "UIRed": .float(1)], "color.componentCount"),
    Row(
      "five components, as in CMYK",
      ui: ["UIColorComponentCount": .integer(5), "UIRed": .float(1)], "color.componentCount"),
    Row(
      "no alpha",
      ui: [
        "UIColorComponentCount": .integer(4), "UIRed": .float(1), "UIGreen": .float(1),
        "UIBlue": .float(1),
      ], "archive.fieldForm"),
    Row(
      "no component",
      ui: ["UIColorComponentCount": .integer(4), "UISystemColorName": .string("x")],
      "archive.fieldForm"),
    Row(
      "NaN",
      ui: [
        "UIColorComponentCount": .integer(2), "UIWhite": .float(.nan), "UIAlpha": .float(1),
      ], "color.notFinite"),
    Row(
      "a number that is too large",
      ui: [
        "UIColorComponentCount": .integer(2), "UIWhite": .float(1), "UIAlpha": .float(1),
        "UIAlpha-Double": .real(1e300),
      ], "color.notFinite"),
    Row(
      "a text as a component",
      ui: [
        "UIColorComponentCount": .integer(2), "UIWhite": .string("1"), "UIAlpha": .float(1),
      ], "archive.fieldForm"),
  ]

  @Test("an archive that is not a color of components is refused", arguments: objects)
  func object(row: Row) {
    let data = PlatformArchives.data(row.archive)
    for transformer in [
      PlatformColorArchiveTransformer(),
      PlatformColorArchiveTransformer(writing: .uiColor, profiles: .assumingSRGB),
    ] {
      #expect(PlatformArchives.code { _ = try transformer.decode(data) } == row.code)
    }
  }

  @Test(
    "a class that is not allowed is refused by its name, before a damaged component is noticed",
    arguments: ["NSTask", "SerializableColor", "NSDictionaryOfColors"])
  func classes(name: String) {
    let other = PlatformArchives.object([name], [:])
    let color = PlatformArchives.nsColor([
      "NSColorSpace": .integer(2), "NSRGB": PlatformArchives.text("damaged"), "Other": other,
    ])
    for value in [other, color] {
      let error = #expect(throws: ArchiveError.self) {
        try PlatformColorArchiveTransformer().decode(PlatformArchives.data(value))
      }
      #expect(error?.code == .classNotAllowed && error?.found == name)
    }
    let error = #expect(throws: ArchiveError.self) {
      try PlatformColorArrayArchiveTransformer().decode(PlatformArchives.data(.array([color])))
    }
    #expect(error?.code == .classNotAllowed && error?.found == name)
  }

  @Test("an array is read by the transformer of arrays only, and a color by the other one only")
  func kinds() {
    let color = PlatformArchives.nsColor(["NSColorSpace": .integer(2), "NSRGB": Self.rgb])
    let error = #expect(throws: ArchiveError.self) {
      try PlatformColorArchiveTransformer().decode(PlatformArchives.data(.array([color])))
    }
    #expect(error?.found == "NSArray")
    let arrays = PlatformColorArrayArchiveTransformer()
    for value in [
      color, .array([color, .null]), .array([.string("red")]), .array([.array([color])]),
    ] {
      let error = #expect(throws: ColorError.self) {
        try arrays.decode(PlatformArchives.data(value))
      }
      #expect(error?.code == .wrongKind)
    }
  }

  @Test("an archive that ends early gives an error, wherever it ends")
  func truncated() throws {
    for form in [PlatformColorClass.nsColor, .uiColor] {
      let transformer = PlatformColorArchiveTransformer(writing: form)
      let bytes = [UInt8](try transformer.encode(.orange))
      for count in 0..<bytes.count {
        #expect(throws: (any Error).self) { try transformer.decode(Data(bytes.prefix(count))) }
      }
    }
  }

  @Test("a byte that changes gives a color or a typed error, and never the end of the process")
  func mutations() throws {
    var random = SplitMix(seed: 1_012)
    for form in [PlatformColorClass.nsColor, .uiColor] {
      let transformer = PlatformColorArchiveTransformer(writing: form, profiles: .assumingSRGB)
      let bytes = [UInt8](
        try transformer.encode(SerializableColor(red: 0.1, green: 0.2, blue: 0.3)))
      for _ in 0..<5_000 {
        var damaged = bytes
        damaged[Int.random(in: 0..<damaged.count, using: &random)] = UInt8.random(
          in: 0...255, using: &random)
        let code = PlatformArchives.code {
          let color = try transformer.decode(Data(damaged))
          let isFinite = color.components.allSatisfy { $0.isFinite }
          #expect(isFinite)
        }
        #expect(code != "another error")
      }
    }
  }
}
