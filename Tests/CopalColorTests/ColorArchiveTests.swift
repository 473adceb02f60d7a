import CopalArchive
import CopalColor
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Archives of colors")
struct ColorArchiveTests {
  let transformer = SerializableColorArchiveTransformer()
  let arrays = ColorArrayArchiveTransformer()

  @Test("row 36: a color is archived under the keys of its class, with components of four bytes")
  func form() throws {
    let color = SerializableColor(red: 1, green: -0.5, blue: 0, alpha: 0.25, colorSpace: .displayP3)
    let archive = try KeyedArchive([UInt8](transformer.encode(color)))
    let object = try #require(try archive.root(allowing: ["SerializableColor"]).object)
    #expect(object.classNames == ["SerializableColor", "NSObject"])
    #expect(
      object.fields == [
        "colorSpace": .integer(1), "red": .float(1), "green": .float(-0.5), "blue": .float(0),
        "alpha": .float(0.25),
      ])
  }

  /// Rows 33, 35 and 36 of the requirements.
  @Test("rows 33 and 35: every bit of every component, and an unknown color space, are kept")
  func bits() throws {
    var random = SplitMix(seed: 36)
    for _ in 0..<1000 {
      let color = SerializableColor(
        red: random.finiteFloat(), green: random.finiteFloat(), blue: random.finiteFloat(),
        alpha: random.finiteFloat(),
        colorSpace: ColorSpace(rawValue: Int32(truncatingIfNeeded: random.next())))
      #expect(try transformer.decode(transformer.encode(color)) == color)
    }
  }

  @Test("archives with numbers of eight bytes, and those in XML, are read")
  func others() throws {
    let doubles = ArchivedObject(
      classNames: ["Palette.SerializableColor", "NSObject"],
      fields: [
        "colorSpace": .integer(0), "red": .real(0.5), "green": .integer(1), "blue": .real(0),
        "alpha": .real(1),
      ])
    let bytes = KeyedArchive.bytes(of: .object(doubles))
    let own = SerializableColorArchiveTransformer(className: "Palette.SerializableColor")
    let color = SerializableColor(red: 0.5, green: 1, blue: 0)
    #expect(try own.decode(Data(bytes)) == color)
    #expect(try own.decode(Data(PropertyListValue(bytes).xml().utf8)) == color)
    #expect(try own.decode(transformer.encode(color)) == color)
    let error = #expect(throws: ArchiveError.self) { try transformer.decode(Data(bytes)) }
    #expect(error?.code == .classNotAllowed && error?.found == "Palette.SerializableColor")
  }

  @Test("each form of a color is read by the transformer of the other one")
  func bothForms() throws {
    let compact = SerializableColorTransformer()
    #expect(try compact.decode(transformer.encode(.orange)) == .orange)
    #expect(try transformer.decode(compact.encode(.orange)) == .orange)
    let colors: [SerializableColor] = [.red, .yellow, .orange, .green, .blue]
    #expect(try ColorArrayTransformer().decode(arrays.encode(colors)) == colors)
    #expect(try arrays.decode(ColorArrayTransformer().encode(colors)) == colors)
  }

  /// Rows 17, 31 and 41 of the requirements.
  @Test("rows 41 and 31: an array keeps order and count; an empty one is a value")
  func array() throws {
    let rainbow: [SerializableColor] = [.red, .yellow, .orange, .green, .blue, .red]
    #expect(try arrays.decode(arrays.encode(rainbow)) == rainbow)
    #expect(try arrays.decode(arrays.encode([])) == [])
    // The container is what the transformer for one color does not allow.
    let error = #expect(throws: ArchiveError.self) { try transformer.decode(arrays.encode([])) }
    #expect(error?.found == "NSArray" && error?.description.contains("collection class") == true)
    #expect(throws: ColorError.self) { try arrays.decode(transformer.encode(.red)) }
  }

  static func archive(_ fields: [String: ArchivedValue]) -> Data {
    var all: [String: ArchivedValue] = [
      "colorSpace": .integer(0), "red": .float(1), "green": .float(1), "blue": .float(1),
      "alpha": .float(1),
    ]
    all.merge(fields) { $1 }
    return Data(
      KeyedArchive.bytes(
        of: .object(ArchivedObject(classNames: ["SerializableColor"], fields: all))))
  }

  @Test(
    "an archive that is not a color is refused with the key",
    arguments: [
      (["red": .null], "archive.fieldForm"), (["red": .string("1")], "archive.fieldForm"),
      (["colorSpace": .real(0)], "archive.fieldForm"),
      (["colorSpace": .integer(1 << 40)], "color.wrongKind"),
      (["alpha": .float(.nan)], "color.notFinite"), (["blue": .real(1e300)], "color.notFinite"),
    ] as [([String: ArchivedValue], String)])
  func mistakes(fields: [String: ArchivedValue], code: String) {
    let error = #expect(throws: (any Error).self) { try transformer.decode(Self.archive(fields)) }
    let found = (error as? ArchiveError)?.code.rawValue ?? (error as? ColorError)?.code.rawValue
    #expect(found == code)
    if let error = error as? ArchiveError { #expect(fields[error.key ?? ""] != nil) }
  }

  @Test("damaged archives give an error")
  func damaged() {
    let bytes = [UInt8](transformer.encode(.orange))
    for count in 0..<bytes.count {
      #expect(throws: (any Error).self) { try transformer.decode(Data(bytes.prefix(count))) }
    }
  }
}

@Suite("Colors of three bytes each")
struct RGBColorArrayTransformerTests {
  let transformer = RGBColorArrayTransformer()

  /// Row 42 of the requirements.
  @Test("row 42: each color has three bytes: red, green and blue")
  func form() throws {
    let colors: [SerializableColor] = [
      .red, .blue, SerializableColor(red8: 1, green8: 2, blue8: 3),
    ]
    #expect(try Array(transformer.encode(colors)) == [255, 0, 0, 0, 0, 255, 1, 2, 3])
    #expect(try transformer.decode(Data([255, 0, 0, 0, 0, 255, 1, 2, 3])) == colors)
    #expect(try transformer.encode([]).isEmpty)
    #expect(try transformer.decode(Data()) == [])
  }

  /// Row 43 of the requirements.
  @Test("row 43: a number of bytes that is not divisible by three is an error with the number")
  func length() {
    let error = #expect(throws: ColorError.self) { try transformer.decode(Data(count: 16)) }
    #expect(error?.code == .notDivisible && error?.found == "16")
  }

  /// Row 44 of the requirements.
  @Test(
    "row 44: alpha and the color space are lost, and each component is rounded by half a 255th at most"
  )
  func loss() throws {
    var random = SplitMix(seed: 44)
    for _ in 0..<1000 {
      let color = SerializableColor(
        red: Float.random(in: 0...1, using: &random),
        green: Float.random(in: 0...1, using: &random),
        blue: Float.random(in: 0...1, using: &random), alpha: 0.5)
      let read = try transformer.decode(transformer.encode([color]))[0]
      for (a, b) in [(color.red, read.red), (color.green, read.green), (color.blue, read.blue)] {
        #expect(abs(a - b) <= 0.5001 / 255)
      }
      #expect(read.alpha == 1)
    }
    let vivid = SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3)
    #expect(try transformer.decode(transformer.encode([vivid])) == [.red])
    let unknown = try SerializableColor(
      colorSpace: ColorSpace(rawValue: 7), components: [0, 0, 0, 1])
    #expect(throws: ColorError.self) { try transformer.encode([unknown]) }
  }
}
