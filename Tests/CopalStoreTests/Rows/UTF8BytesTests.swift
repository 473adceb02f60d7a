import CopalStore
import CopalTestSupport
import Testing

@Suite("UTF8Bytes")
struct UTF8BytesTests {
  private func areValid(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { UTF8Bytes.areValid($0) }
  }

  @Test("the bytes of every Swift string are valid UTF-8", arguments: SampleValues.texts)
  func texts(text: String) { #expect(areValid(Array(text.utf8))) }

  @Test(
    "bytes with a missing, extra or invalid byte are not valid UTF-8",
    arguments: [
      [0x80], [0xbf], [0xc2], [0xc2, 0x41], [0xc0, 0x80], [0xc1, 0xbf], [0xe0, 0x80, 0x80],
      [0xe0, 0x9f, 0xbf], [0xe2, 0x82], [0xed, 0xa0, 0x80], [0xed, 0xbf, 0xbf], [0xe2, 0x28, 0xa1],
      [0xe2, 0x82, 0x28], [0xf0, 0x80, 0x80, 0x80], [0xf0, 0x8f, 0xbf, 0xbf],
      [0xf4, 0x90, 0x80, 0x80], [0xf5, 0x80, 0x80, 0x80], [0xf0, 0x9f, 0x8e], [0xfe], [0xff],
      [0xf0, 0x9f, 0x8e, 0x41],
    ] as [[UInt8]])
  func invalid(bytes: [UInt8]) {
    #expect(!areValid(bytes))
    // At every position among other bytes.
    for count in 0..<20 {
      let others = [UInt8](repeating: 0x61, count: count)
      #expect(!areValid(others + bytes) && !areValid(bytes + others))
      #expect(!areValid(others + bytes + others))
    }
  }

  @Test("a copy has the same bytes, and says whether all are ASCII", arguments: 0...80)
  func copies(count: Int) {
    let ascii = (0..<count).map { UInt8(truncatingIfNeeded: 33 + $0 % 90) }
    #expect(copy(ascii) == Copy(bytes: ascii, isASCII: true))
    for position in 0..<count {
      var bytes = ascii
      bytes[position] |= 0x80
      #expect(copy(bytes) == Copy(bytes: bytes, isASCII: false))
    }
  }

  private struct Copy: Equatable {
    var bytes: [UInt8]
    var isASCII: Bool
  }

  /// A copy made in a buffer with one more byte at each end, which must stay as they are.
  private func copy(_ bytes: [UInt8]) -> Copy? {
    var target = [UInt8](repeating: 0xee, count: bytes.count + 2)
    let isASCII = (bytes + [0]).withUnsafeBytes { source in
      target.withUnsafeMutableBytes { target in
        guard let start = source.baseAddress, let place = target.baseAddress else { return false }
        return UTF8Bytes.copy(start, to: place + 1, count: bytes.count)
      }
    }
    guard target.first == 0xee, target.last == 0xee else { return nil }
    return Copy(bytes: Array(target.dropFirst().dropLast()), isASCII: isASCII)
  }

  @Test("UTF8Bytes agrees with Swift for 300,000 texts with one wrong byte or none")
  func random() throws {
    let texts = [
      "plain text", "好看的颜色呀!^_^", "Ångström", "👩🏽‍🎨 paints", "\u{7ff}\u{800}\u{ffff}\u{10000}",
    ]
    var random = SplitMix(seed: 8)
    var validCount = 0
    for _ in 0..<300_000 {
      var bytes = Array(texts[Int.random(in: 0..<texts.count, using: &random)].utf8)
      bytes[Int.random(in: 0..<bytes.count, using: &random)] = .random(in: 0...255, using: &random)
      let isValid = String(validating: bytes, as: UTF8.self) != nil
      #expect(areValid(bytes) == isValid, "\(bytes)")
      if isValid { validCount += 1 }
    }
    #expect((30_000...270_000).contains(validCount))
  }
}
