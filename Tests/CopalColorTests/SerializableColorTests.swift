import CopalColor
import CopalModel
import Foundation
import Testing

@Suite("A color")
struct SerializableColorTests {
  @Test("has a space and four components, and is opaque sRGB unless it says more")
  func components() throws {
    let color = SerializableColor(red: 0.1, green: 0.2, blue: 0.3)
    #expect(color.components == [0.1, 0.2, 0.3, 1])
    #expect(color.colorSpace == .sRGB)
  }

  @Test("keeps components outside 0...1: extended spaces and pickers use them")
  func extendedRange() throws {
    let color = SerializableColor(red: 1.5, green: -0.25, blue: 0, colorSpace: .displayP3)
    #expect(color.red == 1.5 && color.green == -0.25)
  }

  @Test(
    "never has a component that is not a number",
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

  @Test("of a component that is not a number is a mistake of the program where it cannot be thrown")
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

  @Test("is made of two components as a gray, of four as a color")
  func componentLists() throws {
    let gray = try SerializableColor(colorSpace: .displayP3, components: [0.5, 0.25])
    #expect(gray.components == [0.5, 0.5, 0.5, 0.25])
    #expect(gray.colorSpace == .displayP3)
    let rgba = try SerializableColor(colorSpace: .sRGB, components: [1, 0, 0, 0])
    #expect(rgba.components == [1, 0, 0, 0])
    #expect(SerializableColor(white: 1) == .white)
  }

  @Test("is not made of any other number of components", arguments: [0, 1, 3, 5, 1000])
  func componentCount(count: Int) {
    let error = #expect(throws: ColorError.self) {
      try SerializableColor(colorSpace: .sRGB, components: Array(repeating: 0, count: count))
    }
    #expect(error == ColorError(.componentCount, found: "\(count)", expected: "2 or 4"))
  }

  @Test("of an unknown space keeps its number; a gray of it is refused")
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

  @Test("equals another when space and bits are the same")
  func equality() throws {
    let red = SerializableColor(red: 1, green: 0, blue: 0)
    #expect(red == .red && red.hashValue == SerializableColor.red.hashValue)
    #expect(red != SerializableColor(red: 1, green: 0, blue: 0, colorSpace: .displayP3))
    #expect(red != SerializableColor(red: 1, green: -0.0, blue: 0))
    #expect(Set([red, .red, .green, .clear]).count == 3)
  }

  @Test("survives JSON with every bit, in an unknown space too")
  func codable() throws {
    var random = SplitMix(state: 32)
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

  @Test("has documented keys in coded form")
  func codedKeys() throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(SerializableColor.red), as: UTF8.self)
        == #"{"alpha":1,"blue":0,"colorSpace":0,"green":0,"red":1}"#)
  }

  @Test("is not decoded from a coded form with a NaN")
  func codedNaN() {
    let decoder = JSONDecoder()
    decoder.nonConformingFloatDecodingStrategy = .convertFromString(
      positiveInfinity: "inf", negativeInfinity: "-inf", nan: "nan")
    let json = Data(#"{"alpha":1,"blue":"nan","colorSpace":0,"green":0,"red":1}"#.utf8)
    #expect(throws: DecodingError.self) {
      try decoder.decode(SerializableColor.self, from: json)
    }
  }

  @Test("is 20 bytes in an array")
  func size() { #expect(MemoryLayout<SerializableColor>.stride == 20) }
}
