import CopalArchive
import CopalColor
import CopalModel
import CopalObjects
import CopalStore
import CopalTestTools
import Foundation
import Testing

@Suite("SerializableColorTransformer")
struct SerializableColorTransformerTests {
  let transformer = SerializableColorTransformer()

  @Test("SerializableColorTransformer stores a color in the 23 documented bytes")
  func form() throws {
    let color = SerializableColor(red: 1, green: -0.5, blue: 0, alpha: 0.25, colorSpace: .displayP3)
    #expect(
      Array(transformer.encode(color)) == [
        0xC0, 0x10, 1, 1, 0, 0, 0,
        0, 0, 0x80, 0x3F, 0, 0, 0, 0xBF, 0, 0, 0, 0, 0, 0, 0x80, 0x3E,
      ])
  }

  @Test("row 33: SerializableColorTransformer keeps every bit of every component")
  func bits() throws {
    var random = SplitMix(seed: 33)
    for _ in 0..<10_000 {
      let color = SerializableColor(
        red: random.finiteFloat(), green: random.finiteFloat(), blue: random.finiteFloat(),
        alpha: random.finiteFloat(),
        colorSpace: ColorSpace(rawValue: Int32(truncatingIfNeeded: random.next())))
      #expect(try transformer.decode(transformer.encode(color)) == color)
    }
    let edge = SerializableColor(
      red: -0.0, green: .leastNonzeroMagnitude, blue: .greatestFiniteMagnitude, alpha: 0)
    #expect(try transformer.decode(transformer.encode(edge)) == edge)
  }

  @Test(
    "row 35: SerializableColorTransformer keeps an unknown color space, and writes the same bytes again"
  )
  func unknownSpace() throws {
    let newer = try SerializableColor(
      colorSpace: ColorSpace(rawValue: 7), components: [0.1, 0.2, 0.3, 0.4])
    let bytes = transformer.encode(newer)
    let read = try transformer.decode(bytes)
    #expect(read.colorSpace.description == "unknown(7)")
    #expect(transformer.encode(read) == bytes)
  }

  @Test("row 23: SerializableColorTransformer is found by its name when it is registered")
  func registration() throws {
    let registry = TransformerRegistry()
    try registry.register(transformer)
    try registry.register(ColorArrayTransformer())
    #expect(registry.names == ["ColorArrayTransformer", "SerializableColorTransformer"])
    let error = #expect(throws: PersistenceError.self) {
      try registry.register(transformer, as: "ColorArrayTransformer")
    }
    #expect(error?.code == .transformerDuplicate)
  }

  static let good = SerializableColorTransformer().encode(.red)
  static let nan = good.prefix(7) + [0, 0, 0xC0, 0x7F] + good.dropFirst(11)

  @Test(
    "SerializableColorTransformer reports what is wrong with invalid bytes",
    arguments: [
      (Data(), .noBytes, "a color is stored as zero bytes"),
      (Data([0xC0]), .truncated, "the header has 3 bytes, but 1 is stored"),
      (Data("bplust00".utf8), .wrongKind, "the stored bytes are not a color"),
      (
        ColorArrayTransformer().encode([.red]), .wrongKind,
        "the stored bytes are not a color, but an array of colors"
      ),
      (
        Data([0xC0, 0x10, 0] + good.dropFirst(3)), .wrongKind,
        "not a color, but of an unknown kind"
      ),
      (Data([0xC0, 0x10, 2] + good.dropFirst(3)), .newerVersion, "is stored in format 2"),
      (good.dropLast(), .truncated, "a color has 23 bytes, but 22 are stored"),
      (good + [0], .trailingBytes, "a color has 23 bytes, but 24 are stored"),
      (nan, .notFinite, "the component red of a color is NaN"),
    ] as [(Data, ColorError.Code, String)])
  func errors(bytes: Data, code: ColorError.Code, message: String) {
    let error = #expect(throws: ColorError.self) { try transformer.decode(bytes) }
    #expect(error?.code == code)
    #expect(error?.description.contains(message) == true, "\(error?.description ?? "")")
  }

  @Test("SerializableColorTransformer reads a slice of data, and bytes at an odd address")
  func places() throws {
    let padded = Data([9]) + Self.good
    #expect(try transformer.decode(padded.dropFirst()) == .red)
    let bytes = [UInt8](padded)
    let read = try bytes.withUnsafeBytes {
      try transformer.decode(bytes: UnsafeRawBufferPointer(rebasing: $0[1...]))
    }
    #expect(read == .red)
  }
}

@Suite("ColorArrayTransformer")
struct ColorArrayTransformerTests {
  let transformer = ColorArrayTransformer()

  @Test("row 41: ColorArrayTransformer keeps order and count; an empty array is a value")
  func order() throws {
    let rainbow: [SerializableColor] = [.red, .yellow, .orange, .green, .blue]
    #expect(try transformer.decode(transformer.encode(rainbow)) == rainbow)
    #expect(transformer.encode(rainbow).count == 11 + 5 * 20)
    #expect(Array(transformer.encode([])) == [0xC0, 0x11, 1, 0, 0, 0, 0, 0, 0, 0, 0])
    #expect(try transformer.decode(transformer.encode([])) == [])
  }

  @Test("ColorArrayTransformer keeps unknown color spaces beside known ones")
  func mixedSpaces() throws {
    let mixed = try [0, 1, 7, -7].map {
      try SerializableColor(colorSpace: ColorSpace(rawValue: $0), components: [0.25, 0.5, 0.75, 1])
    }
    let bytes = transformer.encode(mixed)
    #expect(try transformer.decode(bytes) == mixed)
    #expect(transformer.encode(try transformer.decode(bytes)) == bytes)
  }

  static func claiming(_ count: UInt64, then rest: Data = Data()) -> Data {
    Data([0xC0, 0x11, 1]) + withUnsafeBytes(of: count.littleEndian) { Data($0) } + rest
  }

  @Test(
    "ColorArrayTransformer does not allocate memory for a wrong count",
    arguments: [
      (Data(), .noBytes), (Data([0xC0, 0x11]), .truncated),
      (Data([0xC0, 0x11, 1, 0, 0]), .truncated), (Data([0x5B, 0x5D]), .wrongKind),
      (SerializableColorTransformer().encode(.red), .wrongKind),
      (Data([0xC0, 0x11, 9]), .newerVersion), (claiming(1), .truncated),
      (claiming(1_000_000_000), .truncated), (claiming(1 << 60), .invalidCount),
      (claiming(.max), .invalidCount), (claiming(0, then: Data([0])), .trailingBytes),
      (claiming(1, then: Data(count: 21)), .trailingBytes),
      (claiming(2, then: Data(count: 39)), .truncated),
      (claiming(1, then: Data(repeating: 0xFF, count: 20)), .notFinite),
    ] as [(Data, ColorError.Code)])
  func errors(bytes: Data, code: ColorError.Code) {
    let error = #expect(throws: ColorError.self) { try transformer.decode(bytes) }
    #expect(error?.code == code, "\(error?.description ?? "")")
  }

  @Test(
    "ColorArrayTransformer throws or returns colors for 10,000 damaged payloads, and never ends the program"
  )
  func mutations() {
    var random = SplitMix(seed: 77)
    let seeds = [
      transformer.encode([.red, .yellow, .orange, .green, .blue]), transformer.encode([]),
      SerializableColorTransformer().encode(.red),
    ]
    for index in 0..<10_000 {
      var bytes = seeds[index % seeds.count]
      for _ in 0...Int.random(in: 0..<4, using: &random) where !bytes.isEmpty {
        let place = Int.random(in: bytes.indices, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = .random(in: 0...255, using: &random)
        case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
        case 2: bytes = Data(bytes.prefix(place))
        default: bytes.insert(bytes[place], at: place)
        }
      }
      do {
        let colors = try transformer.decode(bytes)
        // What was accepted is what would be written.
        #expect(transformer.encode(colors) == bytes)
      } catch {
        #expect(error is ColorError || error is ArchiveError)
      }
      do {
        let color = try SerializableColorTransformer().decode(bytes)
        #expect(SerializableColorTransformer().encode(color) == bytes)
      } catch {
        #expect(error is ColorError || error is ArchiveError)
      }
    }
  }
}
