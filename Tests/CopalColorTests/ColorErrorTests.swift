import CopalArchive
import CopalColor
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("ColorError")
struct ColorErrorTests {
  /// A row of the table of sentences.
  struct Row: Sendable, CustomTestStringConvertible {
    let sentence: String
    let error: @Sendable () throws -> ColorError

    /// An error that the body throws.
    init(_ sentence: String, _ body: @escaping @Sendable () throws -> Void) {
      self.sentence = sentence
      error = { try #require(throws: ColorError.self) { try body() } }
    }

    /// An error that only another platform throws.
    init(_ sentence: String, made error: ColorError) {
      self.sentence = sentence
      self.error = { error }
    }

    var testDescription: String { sentence }
  }

  private static let colors = ColorArrayTransformer()
  private static let color = SerializableColorTransformer()
  private static let red = color.encode(.red)
  private static let two = colors.encode([.red, .blue])

  /// Decodes an archive of an `NSColor`.
  private static func archived(_ fields: PlatformArchives.Fields) throws {
    let data = PlatformArchives.data(PlatformArchives.nsColor(fields))
    _ = try PlatformColorArchiveTransformer().decode(data)
  }

  static let sentences = [
    Row("the component red of a color is NaN; it must be a finite number [color.notFinite]") {
      _ = try SerializableColor(colorSpace: .sRGB, components: [.nan, 0, 0, 1])
    },
    Row("the component alpha of a color is infinite; it must be a finite number [color.notFinite]")
    {
      _ = try SerializableColor(colorSpace: .sRGB, components: [0, 0, 0, .infinity])
    },
    Row(
      "a color has 2 or 4 components (white and alpha, or red, green, blue and alpha), "
        + "but 3 were given [color.componentCount]"
    ) {
      _ = try SerializableColor(colorSpace: .sRGB, components: [0, 0, 0])
    },
    Row(
      "the background has the alpha 0.5, so that its contrast depends on what is behind it; "
        + "use an opaque background [color.translucentBackground]"
    ) {
      _ = try SerializableColor.red.contrast(
        on: SerializableColor(red: 1, green: 1, blue: 1, alpha: 0.5))
    },
    Row(
      "the color space 7 is unknown to this version of Copal, so the color cannot be converted; "
        + "it is kept unchanged; sRGBFallback gives an approximate color [color.unknownSpace]"
    ) {
      _ = try SerializableColor(colorSpace: ColorSpace(rawValue: 7), components: [0, 0, 0, 1]).hex
    },
    Row(
      "the color cannot be converted: its color space is neither sRGB nor Display P3; "
        + "use a color in sRGB or Display P3 [color.unconvertible]",
      made: ColorError(
        .unconvertible, found: "its color space is neither sRGB nor Display P3")),
    Row(
      "invalid hex color: expected a digit 0-9 or A-F, found 'G456' at byte 4; "
        + "write #RGB, #RGBA, #RRGGBB or #RRGGBBAA [color.hex]"
    ) {
      _ = try SerializableColor(hex: "#12G456")
    },
    Row(
      "invalid hex color: expected 3, 4, 6 or 8 digits, found 5 digits at byte 2; "
        + "write #RGB, #RGBA, #RRGGBB or #RRGGBBAA [color.hex]"
    ) {
      _ = try SerializableColor(hex: "#12345")
    },
    Row(
      "invalid hex color: expected at most 8 digits, found more digits at byte 10; "
        + "write #RGB, #RGBA, #RRGGBB or #RRGGBBAA [color.hex]"
    ) {
      _ = try SerializableColor(hex: "#123456789")
    },
    Row(
      "invalid CSS color: expected a hex color, a function such as rgb() or oklch(), or a named color, "
        + "found 'ornage' at byte 1; did you mean 'orange'? [color.css]"
    ) {
      _ = try SerializableColor(css: "ornage")
    },
    Row(
      "invalid CSS color: expected '/' or ')', found the end of the text at byte 12 [color.css]"
    ) {
      _ = try SerializableColor(css: "rgb(255 0 0")
    },
    Row(
      "a color is stored as zero bytes; a missing value is stored as NULL; "
        + "set the attribute to nil or to a new value [color.noBytes]"
    ) {
      _ = try color.decode(Data())
    },
    Row(
      "the stored bytes are not a color, but an array of colors; "
        + "check the transformer of the attribute [color.wrongKind]"
    ) {
      _ = try color.decode(two)
    },
    Row(
      "the stored bytes are not an array of colors, but of an unknown kind; "
        + "check the transformer of the attribute [color.wrongKind]"
    ) {
      _ = try colors.decode(Data("bplust00".utf8))
    },
    Row(
      "a color is stored in format 2, which this version of Copal cannot read; "
        + "update Copal [color.newerVersion]"
    ) {
      _ = try color.decode(Data([0xC0, 0x10, 2] + red.dropFirst(3)))
    },
    Row(
      "the stored bytes end too early: a color has 23 bytes, but 22 are stored; "
        + "restore the value from a backup [color.truncated]"
    ) {
      _ = try color.decode(red.dropLast())
    },
    Row(
      "the stored bytes end too early: an array of 2 colors has 51 bytes, but 50 are stored; "
        + "restore the value from a backup [color.truncated]"
    ) {
      _ = try colors.decode(two.dropLast())
    },
    Row(
      "the stored bytes end too early: an array of colors has 11 bytes or more, but 10 are "
        + "stored; restore the value from a backup [color.truncated]"
    ) {
      _ = try colors.decode(two.prefix(10))
    },
    Row(
      "the stored bytes end too early: the header has 3 bytes, but 2 are stored; "
        + "restore the value from a backup [color.truncated]"
    ) {
      _ = try color.decode(red.prefix(2))
    },
    Row(
      "there are more stored bytes than expected: a color has 23 bytes, but 24 are stored; "
        + "restore the value from a backup [color.trailingBytes]"
    ) {
      _ = try color.decode(red + [0])
    },
    Row(
      "the stored bytes are not a color, but an archive of a string; "
        + "check the transformer of the attribute [color.wrongKind]"
    ) {
      _ = try color.decode(Data(KeyedArchive.bytes(of: .string("red"))))
    },
    Row(
      "colors of 3 bytes each are stored as 16 bytes, which is not divisible by 3; "
        + "restore the value from a backup [color.notDivisible]"
    ) {
      _ = try RGBColorArrayTransformer().decode(Data(count: 16))
    },
    Row(
      "an array of colors has an invalid count of 18446744073709551615, which is more than memory "
        + "can hold; restore the value from a backup [color.invalidCount]"
    ) {
      _ = try colors.decode(two.prefix(3) + Data(repeating: 0xFF, count: 8) + two.dropFirst(11))
    },
    Row(
      "the archived color is in device CMYK, whose conversion needs a color profile, which Copal "
        + "does not apply; store the color in sRGB or Display P3, or read its components as sRGB "
        + "with profiles: .assumingSRGB [color.needsProfile]"
    ) {
      try archived(["NSColorSpace": .integer(5), "NSCMYK": PlatformArchives.text("1 0.5 0 0")])
    },
    Row(
      "the archived color has the color space 7 under NSColorSpace, which this version of Copal "
        + "cannot read; store the color in sRGB or Display P3 [color.archivedSpace]"
    ) {
      try archived(["NSColorSpace": .integer(7)])
    },
    Row(
      "the components of the archived color are damaged: expected 3 or 4 numbers under NSRGB, "
        + "found 2; restore the value from a backup [color.archivedComponents]"
    ) {
      try archived(["NSColorSpace": .integer(2), "NSRGB": PlatformArchives.text("1 0.5")])
    },
    Row(
      "the archived color has only a name (NSColorName), and no components; "
        + "store a color with components [color.namedOnly]"
    ) {
      try archived(["NSColorSpace": .integer(6), "NSColorName": .string("labelColor")])
    },
    Row(
      "the archived color is a pattern or an image (NSImage), which has no components; "
        + "store a color with components [color.pattern]"
    ) {
      try archived([
        "NSColorSpace": .integer(10), "NSImage": PlatformArchives.object(["NSImage"], [:]),
      ])
    },
  ]

  @Test("says what was found, what was expected and what to do", arguments: sentences)
  func sentence(row: Row) throws {
    let error = try row.error()
    #expect(error.description == row.sentence)
    #expect(error.errorDescription == error.description)
  }

  @Test("has every code in the table above, and one of its sentences in the guide")
  func everyCode() throws {
    let all = Self.sentences.map(\.sentence)
    #expect(try ErrorPage.missing(ColorError.Code.all.map(\.rawValue), of: all) == [])
  }
}
