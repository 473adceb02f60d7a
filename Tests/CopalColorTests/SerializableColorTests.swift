import CopalColor
import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("SerializableColor")
struct SerializableColorTests {
  @Test("row 34: a color has a space and four components; by default it is opaque sRGB")
  func components() throws {
    let color = SerializableColor(red: 0.1, green: 0.2, blue: 0.3)
    #expect(color.components == [0.1, 0.2, 0.3, 1])
    #expect(color.colorSpace == .sRGB)
  }

  @Test(
    "row 40: a color keeps components outside of 0...1, which extended spaces and color pickers use"
  )
  func extendedRange() throws {
    let color = SerializableColor(red: 1.5, green: -0.25, blue: 0, colorSpace: .displayP3)
    #expect(color.red == 1.5 && color.green == -0.25)
  }

  @Test(
    "a color never has a component that is NaN or infinite",
    arguments: [
      ([.nan, 0, 0, 0], "red", "NaN"), ([0, .infinity, 0, 0], "green", "infinite"),
      ([0, 0, -.infinity, 0], "blue", "infinite"), ([0, 0, 0, .signalingNaN], "alpha", "NaN"),
    ] as [([Float], String, String)])
  func finite(components: [Float], name: String, found: String) {
    let error = #expect(throws: ColorError.self) {
      try SerializableColor(colorSpace: .sRGB, components: components)
    }
    #expect(error == ColorError(.notFinite, found: found, expected: name))
  }

  @Test("the initializer of a color that does not throw traps on a component that is not finite")
  func notFinite() async {
    func says(_ text: String, _ result: ExitTest.Result?) -> Bool {
      String(decoding: result?.standardErrorContent ?? [], as: UTF8.self).contains(text)
    }
    let nan = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SerializableColor(red: 0, green: .nan, blue: 0)
    }
    #expect(says("the component green of a color is NaN", nan))
    #expect(says("SerializableColor(colorSpace:components:)", nan))
    let infinite = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      _ = SerializableColor(white: 0, alpha: -.infinity)
    }
    #expect(says("the component alpha of a color is infinite", infinite))
  }

  @Test("row 38: two components make a gray, four make a color")
  func componentLists() throws {
    let gray = try SerializableColor(colorSpace: .displayP3, components: [0.5, 0.25])
    #expect(gray.components == [0.5, 0.5, 0.5, 0.25])
    #expect(gray.colorSpace == .displayP3)
    let rgba = try SerializableColor(colorSpace: .sRGB, components: [1, 0, 0, 0])
    #expect(rgba.components == [1, 0, 0, 0])
    #expect(SerializableColor(white: 1) == .white)
  }

  @Test("a color cannot be made of another number of components", arguments: [0, 1, 3, 5, 1000])
  func componentCount(count: Int) {
    let error = #expect(throws: ColorError.self) {
      try SerializableColor(colorSpace: .sRGB, components: Array(repeating: 0, count: count))
    }
    #expect(error == ColorError(.componentCount, found: "\(count)", expected: "2 or 4"))
  }

  @Test("a color keeps the number of an unknown space; a gray of an unknown space is refused")
  func unknownSpace() throws {
    let space = ColorSpace(rawValue: 7)
    let color = try SerializableColor(colorSpace: space, components: [1, 2, 3, 4])
    #expect(color.colorSpace.rawValue == 7)
    #expect(!space.isKnown && space.description == "unknown(7)")
    let error = #expect(throws: ColorError.self) {
      try SerializableColor(colorSpace: space, components: [0.5, 1])
    }
    #expect(error?.code == .unknownSpace)
  }

  @Test("row 32: two colors are equal when their spaces and bits are equal")
  func equality() throws {
    let red = SerializableColor(red: 1, green: 0, blue: 0)
    #expect(red == .red && red.hashValue == SerializableColor.red.hashValue)
    #expect(red != SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3))
    #expect(red != SerializableColor(red: 1, green: -0.0, blue: 0))
    #expect(Set([red, .red, .green, .clear]).count == 3)
  }

  @Test("a color keeps every bit in JSON, also in an unknown space")
  func codable() throws {
    var random = SplitMix(seed: 32)
    for space in [Int32(0), 1, 7, -1, .max] {
      for _ in 0..<200 {
        let color = SerializableColor(
          red: random.finiteFloat(), green: random.finiteFloat(), blue: random.finiteFloat(),
          alpha: random.finiteFloat(), colorSpace: ColorSpace(rawValue: space))
        let json = try JSONEncoder().encode(color)
        #expect(try JSONDecoder().decode(SerializableColor.self, from: json) == color)
      }
    }
  }

  @Test("the coded form of a color has the documented keys")
  func codedKeys() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(SerializableColor.red), as: UTF8.self)
        == #"{"alpha":1,"blue":0,"colorSpace":0,"green":0,"red":1}"#)
  }

  @Test("a coded form with NaN is refused")
  func codedNaN() {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let json = Data(#"{"alpha":1,"blue":"nan","colorSpace":0,"green":0,"red":1}"#.utf8)
    #expect(throws: DecodingError.self) {
      try decoder.decode(SerializableColor.self, from: json)
    }
  }

  @Test("a color takes 20 bytes in an array")
  func size() { #expect(MemoryLayout<SerializableColor>.stride == 20) }
}
