import CopalColor
import CopalModel
import CopalObjects
import CopalStore
import Foundation
import Testing

@Suite("The guide to transformers")
struct TransformersGuideTests {
  @Test("has no listing that is not compiled here, word for word")
  func listings() throws {
    let here = URL(filePath: #filePath)
    let guide = try String(
      contentsOf: here.appending(path: "../../../Docs/Transformers.md").standardized,
      encoding: .utf8)
    let source = try String(contentsOf: here, encoding: .utf8)
    let blocks = guide.components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 13)
    for block in blocks {
      let listing = block.components(separatedBy: "```")[0].split(
        separator: "\n", omittingEmptySubsequences: false)
      let code = listing.drop { $0.isEmpty || $0.hasPrefix("import ") }.joined(separator: "\n")
      #expect(source.contains(code), "\(code)")
    }
  }

  @Test("shows transformers that give back what they stored")
  func roundTrips() throws {
    #expect(try FinishTransformer().decode(FinishTransformer().encode(.satin)) == .satin)
    let sketch = Sketch(title: "Poppies", strokes: [[0, 1], [2.5, 3]])
    #expect(try SketchTransformer().decode(SketchTransformer().encode(sketch)) == sketch)
    let spectrum: [UInt16] = [0, 1, 0x1234, .max]
    #expect(try SpectrumTransformer().decode(SpectrumTransformer().encode(spectrum)) == spectrum)
    #expect(CapitalizedTransformer().encode("rose madder") == "Rose Madder")
  }

  @Test("shows transformers that refuse what they cannot store or read")
  func refusals() {
    #expect(throws: UnknownFinish.self) { try FinishTransformer().decode("velvet") }
    #expect(throws: ReadOnly.self) { try NumberedFinishTransformer().encode(.matt) }
    #expect(throws: TooLong.self) { try ShortTextTransformer(maximumLength: 3).encode("gloss") }
    #expect(throws: NotASpectrum.self) { try SpectrumTransformer().decode(Data([1, 2, 3])) }
  }

  @Test("shows how transformers are registered")
  func registration() throws {
    try registerTransformers()
    try registerTransformers()
    try registerTexts()
    try registerColors()
    let names = TransformerRegistry.shared.names
    for name: TransformerName in [
      "FinishTransformer", "SketchTransformer", "TitleTransformer", "NoteTransformer",
      "SerializableColorTransformer", "ColorArrayTransformer",
    ] {
      #expect(names.contains(name))
    }
  }

  @Test("shows a container whose transformers have one type and two names")
  func named() throws {
    func title(_ name: String, _ transformer: TransformerName) -> AttributeDescription {
      AttributeDescription(
        name, .transformable, isOptional: true, transformer: transformer, customClass: "String")
    }
    let article = EntityDescription(
      "Article",
      attributes: [title("title", "TitleTransformer"), title("note", "NoteTransformer")])
    let model = try ManagedObjectModel(name: "Press", entities: [article])
    let context = try openPressroom(ModelBinding(model)).makeContext()
    let object = try context.insert("Article")
    try object.setValue(String(repeating: "x", count: 500), forKey: "note")
    try context.save()
    try object.setValue(String(repeating: "x", count: 81), forKey: "title")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.description.contains("TooLong(length: 81, maximum: 80)") == true)
  }

  @Test("shows colors, and what to do with one that cannot be shown")
  func colors() throws {
    #expect(try palette().count == 5)
    #expect(try tint(from: [1, 0, 0, 1]) == .red)
    #expect(throws: ColorError.self) { try tint(from: [1, 0, .nan, 1]) }
    let wide = try SerializableColor(css: "color(display-p3 1 0 0)")
    #expect(try nearestOfTheWeb(wide) == .red)
    #expect(try forTheScreen(SerializableColor(css: "color(--space-7 1 0 0)")) == "#FF0000")
    let cause = ColorError(.newerVersion, found: "2", expected: "a color")
    let error = PersistenceError(.decodeFailed, property: "tint", causes: [cause])
    #expect(explain(error) == "tint was written by a newer program")
  }
}

// The listings of Docs/Transformers.md, in their order.

enum Finish: String { case matt, satin, gloss }

struct UnknownFinish: Error { let name: String }

struct FinishTransformer: RegistrableTransformer {
  func encode(_ finish: Finish) -> String { finish.rawValue }

  func decode(_ stored: String) throws -> Finish {
    guard let finish = Finish(rawValue: stored) else { throw UnknownFinish(name: stored) }
    return finish
  }
}

struct Sketch: Codable, Equatable {
  var title: String
  var strokes: [SIMD2<Float>]
}

struct SketchTransformer: RegistrableTransformer {
  func encode(_ sketch: Sketch) throws -> Data { try JSONEncoder().encode(sketch) }
  func decode(_ stored: Data) throws -> Sketch {
    try JSONDecoder().decode(Sketch.self, from: stored)
  }
}

func registerTransformers() throws {
  try FinishTransformer.register()
  try SketchTransformer.register()
}

struct TooLong: Error { let length, maximum: Int }

struct ShortTextTransformer: AttributeTransformer {
  let maximumLength: Int

  func encode(_ text: String) throws -> String {
    guard text.count <= maximumLength else {
      throw TooLong(length: text.count, maximum: maximumLength)
    }
    return text
  }

  func decode(_ stored: String) -> String { stored }
}

func registerTexts() throws {
  try ShortTextTransformer(maximumLength: 80).register(as: "TitleTransformer")
  try ShortTextTransformer(maximumLength: 500).register(as: "NoteTransformer")
}

func openPressroom(_ model: ModelBinding) throws -> PersistentContainer {
  try PersistentContainer(
    model: model, store: .inMemory,
    transformers: [
      ShortTextTransformer(maximumLength: 80).named("TitleTransformer"),
      ShortTextTransformer(maximumLength: 500).named("NoteTransformer"),
      FinishTransformer(),
    ])
}

struct ReadOnly: Error {}

struct NumberedFinishTransformer: RegistrableTransformer {
  func encode(_ finish: Finish) throws -> Int64 { throw ReadOnly() }

  func decode(_ stored: Int64) throws -> Finish {
    switch stored {
    case 0: return .matt
    case 1: return .satin
    case 2: return .gloss
    default: throw UnknownFinish(name: "\(stored)")
    }
  }
}

struct CapitalizedTransformer: RegistrableTransformer {
  func encode(_ name: String) -> String { name.capitalized }
  func decode(_ stored: String) -> String { stored }
}

struct NotASpectrum: Error { let byteCount: Int }

/// The reflectance of a pigment in steps of 10 nm, as 16-bit words, the low byte first.
struct SpectrumTransformer: RegistrableTransformer {
  func encode(_ spectrum: [UInt16]) -> Data {
    var data = Data(capacity: 2 * spectrum.count)
    for step in spectrum {
      data.append(UInt8(truncatingIfNeeded: step))
      data.append(UInt8(truncatingIfNeeded: step >> 8))
    }
    return data
  }

  func decode(_ stored: Data) throws -> [UInt16] {
    try stored.withUnsafeBytes { try decode(bytes: $0) }
  }

  func decode(bytes: UnsafeRawBufferPointer) throws -> [UInt16] {
    guard bytes.count.isMultiple(of: 2) else { throw NotASpectrum(byteCount: bytes.count) }
    return (0..<bytes.count / 2).map {
      UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: 2 * $0, as: UInt16.self))
    }
  }
}

func explain(_ error: PersistenceError) -> String {
  for case let cause as ColorError in error.causes where cause.code == .newerVersion {
    return "\(error.property ?? "the color") was written by a newer program"
  }
  return error.description
}

func registerColors() throws {
  try SerializableColorTransformer.register()
  try ColorArrayTransformer.register()
}

func palette() throws -> [SerializableColor] {
  [
    SerializableColor(red8: 18, green8: 10, blue8: 143),
    try SerializableColor(hex: "#E34234"),
    try SerializableColor(css: "rgb(227 38 54 / 50%)"),
    SerializableColor(red: 1, green: 0.2, blue: 0.1, colorSpace: .displayP3),
    .orange,
  ]
}

func tint(from numbers: [Float]) throws -> SerializableColor {
  try SerializableColor(colorSpace: .sRGB, components: numbers)
}

func forTheScreen(_ color: SerializableColor) throws -> String {
  try color.sRGBFallback.hex
}

func nearestOfTheWeb(_ color: SerializableColor) throws -> SerializableColor {
  if try color.isInGamut(of: .sRGB) { return try color.converted(to: .sRGB) }
  return try color.converted(to: .sRGB).clamped()
}
