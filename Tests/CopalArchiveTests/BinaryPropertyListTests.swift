import CopalArchive
import Testing

@Suite("Binary property lists")
struct BinaryPropertyListTests {
  /// A property list of one value: header, the value, one offset, the trailer.
  static func file(_ value: [UInt8], offset: UInt8 = 8) -> [UInt8] {
    file([value], top: 0, offsets: [offset])
  }

  /// A property list of some values, with offsets and references of one byte.
  static func file(_ values: [[UInt8]], top: Int = 0, offsets: [UInt8]? = nil) -> [UInt8] {
    var (bytes, places) = (Array("bplist00".utf8), [UInt8]())
    for value in values {
      places.append(UInt8(bytes.count))
      bytes += value
    }
    let table = bytes.count
    bytes += offsets ?? places
    bytes += [0, 0, 0, 0, 0, 0, 1, 1]
    for number in [values.count, top, table] { bytes += number.bigEndianBytes }
    return bytes
  }

  static let values: [(PropertyListValue, [UInt8])] = [
    (false, [0x08]), (true, [0x09]),
    (0, [0x10, 0]), (255, [0x10, 0xFF]), (256, [0x11, 1, 0]), (65_535, [0x11, 0xFF, 0xFF]),
    (65_536, [0x12, 0, 1, 0, 0]), (0x1_0000_0000, [0x13, 0, 0, 0, 1, 0, 0, 0, 0]),
    (-1, [0x13] + [UInt8](repeating: 0xFF, count: 8)),
    (.integer(.min), [0x13, 0x80, 0, 0, 0, 0, 0, 0, 0]),
    (
      .unsigned(.max), [0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)
    ),
    (1.5, [0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]), (.float(1.5), [0x22, 0x3F, 0xC0, 0, 0]),
    (.date(1), [0x33, 0x3F, 0xF0, 0, 0, 0, 0, 0, 0]),
    (.data([]), [0x40]), (.data([1, 2]), [0x42, 1, 2]),
    (.data([UInt8](repeating: 7, count: 15)), [0x4F, 0x10, 15] + [UInt8](repeating: 7, count: 15)),
    ("", [0x50]), ("blue", [0x54] + Array("blue".utf8)),
    ("Ä\u{1F3A8}", [0x63, 0, 0xC4, 0xD8, 0x3C, 0xDF, 0xA8]),
    (.uid(3), [0x80, 3]), (.uid(256), [0x81, 1, 0]),
    ([], [0xA0]), (.set([]), [0xC0]), ([:], [0xD0]),
  ]

  @Test(
    "a value has the bytes that CoreFoundation writes, and is read from them", arguments: values)
  func value(_ value: PropertyListValue, _ bytes: [UInt8]) throws {
    #expect(value.binary() == Self.file(bytes))
    #expect(try PropertyListValue(Self.file(bytes)) == value)
  }

  @Test("a collection stands before its values, keys before values, and equal leaves stand once")
  func order() throws {
    let value: PropertyListValue = ["a": ["b", 1, .uid(1)], "b": ["a": .uid(1)]]
    let bytes = Self.file([
      [0xD2, 1, 2, 3, 6], [0x51, 0x61], [0x51, 0x62],
      [0xA3, 2, 4, 5], [0x10, 1], [0x80, 1],
      [0xD1, 1, 7], [0x80, 1],
    ])
    #expect(value.binary() == bytes)
    #expect(try PropertyListValue(bytes) == value)
  }

  @Test("other forms of the same values are read")
  func forms() throws {
    #expect(try PropertyListValue(Self.file([0x13, 0, 0, 0, 0, 0, 0, 0, 5])) == 5)
    #expect(try PropertyListValue(Self.file([0x73, 0xE2, 0x82, 0xAC])) == "€")
    #expect(
      try PropertyListValue(Self.file([0x14] + [UInt8](repeating: 0xFF, count: 16))) == -1)
    #expect(try PropertyListValue(Self.file([0x4F, 0x11, 0, 1, 9])) == .data([9]))
  }

  @Test("many values have longer offsets and references")
  func large() throws {
    let value = PropertyListValue.array((0..<70_000).map { .integer($0) })
    #expect(try PropertyListValue(value.binary()) == value)
  }

  static let mistakes: [(name: String, bytes: [UInt8], code: ArchiveError.Code)] = [
    ("nothing", [], .notPropertyList),
    ("other bytes", Array("bplost00".utf8), .notPropertyList),
    ("only a header", Array("bplist00".utf8), .truncated),
    ("a null", file([0x00]), .valueKind), ("an unknown kind", file([0x90]), .valueKind),
    ("an integer of 32 bytes", file([0x15, 0]), .valueKind),
    ("an integer that ends too early", file([0x13, 0, 0]), .truncated),
    ("an integer above 64 bits", file([0x14] + [UInt8](repeating: 1, count: 16)), .valueKind),
    ("a real of two bytes", file([0x21, 0, 0]), .valueKind),
    ("data that ends too early", file([0x45, 1]), .truncated),
    ("a text of 2^60 bytes", file([0x5F, 0x13, 0x10, 0, 0, 0, 0, 0, 0, 0]), .truncated),
    ("a size that is no integer", file([0x5F, 0x51, 1]), .valueKind),
    ("ASCII with another byte", file([0x51, 0x80]), .text),
    ("half of a surrogate pair", file([0x61, 0xD8, 0x3C]), .text),
    ("invalid UTF-8", file([0x72, 0xC3, 0x28]), .text),
    ("a reference to nothing", file([0xA1, 9]), .reference),
    ("a list that contains itself", file([0xA1, 0]), .cycle),
    ("a list in itself, one further", file([[0xA1, 1], [0xA1, 0]]), .cycle),
    ("a key that is a number", file([[0xD1, 1, 1], [0x10, 0]]), .key),
    ("a key twice", file([[0xD2, 1, 2, 1, 1], [0x51, 0x61], [0x51, 0x61]]), .key),
    ("an offset in the header", file([0x08], offset: 3), .trailer),
    ("an offset behind the values", file([0x08], offset: 200), .trailer),
    ("a top value that is not there", file([[0x08]], top: 1), .trailer),
    ("no value", file([], top: 0), .truncated),
  ]

  @Test("bytes that are not a property list give a typed error", arguments: mistakes)
  func mistake(_ name: String, _ bytes: [UInt8], _ code: ArchiveError.Code) {
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(bytes) }
    #expect(error?.code == code, "\(String(describing: error))")
  }

  @Test("numbers of the trailer that overflow are refused")
  func trailer() {
    for place in 6..<32 {
      var bytes = Self.file([0x08])
      bytes[bytes.count - 32 + place] = 0xFF
      #expect(throws: ArchiveError.self) { try PropertyListValue(bytes) }
    }
  }

  @Test("a tree that grows by shared values is refused by the number of its values")
  func shared() {
    // Sixty lists of ten times the next one: 10^60 values in 800 bytes.
    var values: [[UInt8]] = (1...60).map { [0xAA] + [UInt8](repeating: $0, count: 10) }
    values.append([0x51, 0x61])
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(Self.wide(values)) }
    #expect(error?.code == .count && error?.expected == "131072")
  }

  @Test("deep trees are refused")
  func depth() throws {
    let deep = (0..<129).reduce(PropertyListValue.array([])) { value, _ in [value] }
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(deep.binary()) }
    #expect(error?.code == .depth)
    #expect(try PropertyListValue(deep.binary(), limits: ArchiveLimits(depth: 130)) == deep)
    #expect(ArchiveLimits(depth: 10_000).depth == 512)
  }

  @Test("large inputs are refused before they are read")
  func size() {
    let bytes = PropertyListValue.data([UInt8](repeating: 0, count: 100)).binary()
    let error = #expect(throws: ArchiveError.self) {
      try PropertyListValue(bytes, limits: ArchiveLimits(size: 99))
    }
    #expect(error?.code == .size)
  }

  @Test("a long text that many values share is in memory once")
  func longText() throws {
    let text = PropertyListValue.string(String(repeating: "x", count: 1_000_000))
    let value = try PropertyListValue(
      PropertyListValue.array(Array(repeating: text, count: 1000)).binary())
    #expect(value.array?.count == 1000 && value.array?.last == text)
  }

  /// Offsets of two bytes.
  private static func wide(_ values: [[UInt8]]) -> [UInt8] {
    var (bytes, offsets) = (Array("bplist00".utf8), [UInt8]())
    for value in values {
      offsets += [UInt8(bytes.count >> 8), UInt8(bytes.count & 0xFF)]
      bytes += value
    }
    let table = bytes.count
    bytes += offsets + [0, 0, 0, 0, 0, 0, 2, 1]
    for number in [values.count, 0, table] { bytes += number.bigEndianBytes }
    return bytes
  }
}

extension Int {
  var bigEndianBytes: [UInt8] { withUnsafeBytes(of: bigEndian, Array.init) }
}
