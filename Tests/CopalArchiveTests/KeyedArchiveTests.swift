import Testing

@testable import CopalArchive

@Suite("Keyed archives")
struct KeyedArchiveTests {
  /// A keyed archive with a table of objects after `$null`; the root is the first one.
  static func archive(_ objects: PropertyListValue..., top: PropertyListValue = .uid(1))
    -> [UInt8]
  {
    list(objects, top).binary()
  }

  static func list(_ objects: [PropertyListValue], _ top: PropertyListValue) -> PropertyListValue {
    [
      "$version": 100_000, "$archiver": "NSKeyedArchiver", "$top": ["root": top],
      "$objects": .array(["$null"] + objects),
    ]
  }

  static func type(_ names: String...) -> PropertyListValue {
    ["$classname": .string(names[0]), "$classes": .array(names.map { .string($0) })]
  }

  static func read(_ bytes: [UInt8], _ allowed: Set<String> = []) throws -> ArchivedValue {
    try KeyedArchive(bytes).root(allowing: allowed)
  }

  /// The bytes of an NSColor, as a Mac writes them.
  static let color: [UInt8] =
    Array("bplist00".utf8)
    + [0xD4, 1, 2, 3, 4, 5, 6, 0x15, 0x16] + [0x58] + Array("$version".utf8)
    + [0x58] + Array("$objects".utf8) + [0x59] + Array("$archiver".utf8) + [0x54]
    + Array("$top".utf8) + [0x12, 0, 1, 0x86, 0xA0] + [0xA3, 7, 8, 0xF] + [0x55]
    + Array("$null".utf8) + [0xD3, 9, 0xA, 0xB, 0xC, 0xD, 0xE] + [0x55] + Array("NSRGB".utf8)
    + [0x5C] + Array("NSColorSpace".utf8) + [0x56] + Array("$class".utf8)
    + [0x4B] + Array("0.5 0.25 1\0".utf8) + [0x10, 2] + [0x80, 2]
    + [0xD2, 0x10, 0x11, 0x12, 0x13] + [0x5A] + Array("$classname".utf8) + [0x58]
    + Array("$classes".utf8) + [0x57] + Array("NSColor".utf8) + [0xA2, 0x12, 0x14]
    + [0x58] + Array("NSObject".utf8) + [0x5F, 0x10, 0xF] + Array("NSKeyedArchiver".utf8)
    + [0xD1, 0x17, 0x18] + [0x54] + Array("root".utf8) + [0x80, 1]
    + [
      0x08, 0x11, 0x1A, 0x23, 0x2D, 0x32, 0x37, 0x3B, 0x41, 0x48, 0x4E, 0x5B, 0x62, 0x6E, 0x70,
      0x72, 0x77, 0x82, 0x8B, 0x93, 0x96, 0x9F, 0xB1, 0xB4, 0xB9,
    ]
    + [0, 0, 0, 0, 0, 0, 1, 1] + 25.bigEndianBytes + 0.bigEndianBytes + 0xBB.bigEndianBytes

  @Test("a color of a Mac is read as the fields that its class has encoded")
  func genuine() throws {
    let value = try Self.read(Self.color, ["NSColor"])
    let object = try #require(value.object)
    #expect(object.classNames == ["NSColor", "NSObject"])
    #expect(object["NSColorSpace"] == .integer(2))
    #expect(object["NSRGB"]?.data == Array("0.5 0.25 1\0".utf8))
  }

  @Test("what is written has the objects in the order of NSKeyedArchiver, and is read again")
  func write() throws {
    let color = ArchivedValue.object(
      ArchivedObject(
        classNames: ["Tint", "NSObject"],
        fields: ["name": .string("red"), "space": .integer(1), "white": .real(0.5)]))
    let list = KeyedArchive.list(of: .array([color, color, .string("red"), .null]))
    #expect(
      list["$objects"] == [
        "$null",
        ["NS.objects": [.uid(2), .uid(5), .uid(3), .uid(0)], "$class": .uid(6)],
        ["name": .uid(3), "space": 1, "white": 0.5, "$class": .uid(4)],
        "red",
        Self.type("Tint", "NSObject"),
        ["name": .uid(3), "space": 1, "white": 0.5, "$class": .uid(4)],
        Self.type("NSArray", "NSObject"),
      ])
    #expect(list.dictionary?.keys == ["$version", "$archiver", "$top", "$objects"])
    let bytes = KeyedArchive.bytes(of: .array([color, color, .string("red"), .null]))
    #expect(
      try Self.read(bytes, ["NSArray", "Tint"]) == .array([color, color, .string("red"), .null]))
  }

  static let values: [ArchivedValue] = [
    .null, .boolean(true), .integer(-5), .unsigned(.max), .real(0.1), .float(0.1), .string("Ä"),
    .data([1, 2]), .date(0.25), .url("https://kremer.example/a%20b", base: nil),
    .url("a/b", base: "file:///pigments/"), .uuid([UInt8](0..<16)), .array([]),
    .array([.integer(1), .array([.string("a")])]), .set([.string("a")]),
    .dictionary([ArchivedPair(key: .string("k"), value: .null)]),
  ]

  @Test("values are the same after writing and reading", arguments: values)
  func again(_ value: ArchivedValue) throws {
    let allowed: Set = ["NSArray", "NSSet", "NSDictionary"]
    #expect(try Self.read(KeyedArchive.bytes(of: value), allowed) == value)
    let xml = try KeyedArchive.list(of: value).xml()
    if case .float = value { return }
    #expect(try Self.read(Array(xml.utf8), allowed) == value)
  }

  static let forms: [(PropertyListValue, String, ArchivedValue)] = [
    (["NS.string": "a"], "NSMutableString", .string("a")),
    (["NS.bytes": .data([0x61])], "NSString", .string("a")),
    (["NS.data": .data([1])], "NSMutableData", .data([1])),
    (["NS.time": 2], "NSDate", .date(2)), ([:], "NSNull", .null),
    (["NS.intval": 7], "NSNumber", .integer(7)), (["NS.dblval": 0.5], "NSNumber", .real(0.5)),
    (["NSString": .uid(3), "NSAttributes": .uid(4)], "NSAttributedString", .string("text")),
    (["NS.object.0": .uid(3)], "NSOrderedSet", .array([.string("text")])),
    ([:], "NSOrderedSet", .array([])),
    (["NS.object.0": .uid(3)], "NSMutableOrderedSet", .array([.string("text")])),
    (["NS.count": 0], "NSCountedSet", .set([])),
    (
      ["NS.count": 1, "NS.object0": .uid(3), "NS.count0": 2], "NSCountedSet",
      .set([.string("text"), .string("text")])
    ),
  ]

  @Test("the classes of Foundation become values, and their subclasses too", arguments: forms)
  func form(_ fields: PropertyListValue, _ name: String, _ value: ArchivedValue) throws {
    guard case .dictionary(var fields) = fields else { return }
    fields["$class"] = .uid(2)
    let base = name.replacing("Mutable", with: "")
    // The attributes of a text are not read: a font would need its class.
    let bytes = Self.archive(
      .dictionary(fields), base == name ? Self.type(name) : Self.type(name, base, "NSObject"),
      "text", ["$class": .uid(5)], Self.type("NSFont", "NSObject"))
    #expect(try Self.read(bytes, ["NSOrderedSet", "NSCountedSet"]) == value)
  }

  @Test(
    "a class that is not allowed is refused by name, before anything is read, inside others too")
  func classes() throws {
    let nested = Self.archive(
      ["NS.objects": [.uid(2)], "$class": .uid(5)],
      ["inner": .uid(3), "$class": .uid(4)],
      ["NS.time": "no number", "$class": .uid(6)],
      Self.type("Evil", "NSObject"), Self.type("NSArray", "NSObject"), Self.type("NSDate"))
    let cases: [(Set<String>, String?)] = [
      ([], "NSArray"), (["Evil"], "NSArray"), (["NSArray"], "Evil"), (["NSArray", "Evil"], nil),
      (["NSArray", "NSObject"], nil),
    ]
    for (allowed, found) in cases {
      let error = #expect(throws: ArchiveError.self) { try Self.read(nested, allowed) }
      #expect(error?.code == (found == nil ? .fieldForm : .classNotAllowed))
      if let found { #expect(error?.found == found) }
    }
  }

  @Test("an error cuts a name of the archive, whose length its writer has chosen")
  func longNames() throws {
    let name = String(repeating: "x", count: 1_000_000)
    let archive = Self.archive(["a": .integer(1), "$class": .uid(2)], Self.type(name))
    let error = try #require(throws: ArchiveError.self) { try Self.read(archive) }
    #expect(error.code == .classNotAllowed)
    #expect(error.description.utf8.count < 2000, "\(error.description.prefix(300))")
  }

  static let mistakes: [(String, [UInt8], ArchiveError.Code)] = [
    ("no archive", PropertyListValue.array([]).binary(), .notKeyedArchive),
    (
      "another archiver", PropertyListValue.dictionary(["$archiver": "Other"]).binary(),
      .notKeyedArchive
    ),
    (
      "another version",
      PropertyListValue.dictionary(["$archiver": "NSKeyedArchiver", "$version": 2]).binary(),
      .archiveVersion
    ),
    (
      "no table",
      PropertyListValue.dictionary(["$archiver": "NSKeyedArchiver", "$version": 100_000]).binary(),
      .archiveForm
    ),
    ("a root that is not there", archive(top: .uid(5)), .objectReference),
    ("a class that is not there", archive(["$class": .uid(9)]), .objectReference),
    ("an object without a class", archive([:]), .archiveForm),
    ("a class that is a text", archive(["$class": .uid(2)], "Tint"), .archiveForm),
    (
      "a class whose list begins with another",
      archive(["$class": .uid(2)], ["$classname": "Tint", "$classes": ["Other"]]), .archiveForm
    ),
    ("an object that is a list", archive([]), .archiveForm),
    ("an object that is a reference", archive(.uid(1)), .archiveForm),
    (
      "an object that contains itself", archive(["a": .uid(1), "$class": .uid(2)], type("Tint")),
      .objectCycle
    ),
    (
      "a list that contains itself",
      archive(["NS.objects": [.uid(1)], "$class": .uid(2)], type("NSArray")), .objectCycle
    ),
    (
      "fewer keys than values",
      archive(["NS.objects": [.uid(0)], "NS.keys": [], "$class": .uid(2)], type("NSDictionary")),
      .fieldForm
    ),
    (
      "a key that is there twice",
      archive(
        ["NS.keys": [.uid(3), .uid(3)], "NS.objects": [.uid(0), .uid(3)], "$class": .uid(2)],
        type("NSDictionary"), "k"), .fieldForm
    ),
    (
      "an ordered set with a gap",
      archive(["NS.object.1": .uid(0), "$class": .uid(2)], type("NSOrderedSet")), .fieldForm
    ),
    (
      "an ordered set in an array",
      archive(["NS.objects": [], "$class": .uid(2)], type("NSOrderedSet")), .fieldForm
    ),
    (
      "a counted set without a count", archive(["$class": .uid(2)], type("NSCountedSet")),
      .fieldForm
    ),
    (
      "a counted set without its elements",
      archive(["NS.count": 1, "$class": .uid(2)], type("NSCountedSet")), .fieldForm
    ),
    (
      "a counted set with no count of an element",
      archive(
        ["NS.count": 1, "NS.object0": .uid(0), "NS.count0": 0, "$class": .uid(2)],
        type("NSCountedSet")),
      .fieldForm
    ),
    (
      "a counted set with an element 2^62 times",
      archive(
        ["NS.count": 1, "NS.object0": .uid(0), "NS.count0": .integer(1 << 62), "$class": .uid(2)],
        type("NSCountedSet")),
      .count
    ),
    ("a list without objects", archive(["$class": .uid(2)], type("NSArray")), .fieldForm),
    (
      "a short UUID", archive(["NS.uuidbytes": .data([1]), "$class": .uid(2)], type("NSUUID")),
      .fieldForm
    ),
    (
      "a URL whose base is a text",
      archive(["NS.base": .uid(3), "NS.relative": .uid(3), "$class": .uid(2)], type("NSURL"), "a"),
      .fieldForm
    ),
  ]

  @Test("damaged archives give a typed error", arguments: mistakes)
  func mistake(_ name: String, _ bytes: [UInt8], _ code: ArchiveError.Code) {
    let error = #expect(throws: ArchiveError.self) {
      try Self.read(bytes, ["NSArray", "NSDictionary", "NSOrderedSet", "NSCountedSet", "Tint"])
    }
    #expect(error?.code == code, "\(String(describing: error))")
  }

  @Test("objects that share others are read once, and count as often as they are used")
  func shared() throws {
    func lists(_ count: Int) -> [UInt8] {
      var objects: [PropertyListValue] = (2..<2 + count).map { next in
        [
          "NS.objects": .array(Array(repeating: .uid(UInt64(next)), count: 10)),
          "$class": .uid(UInt64(count + 2)),
        ]
      }
      objects.append("leaf")
      objects.append(Self.type("NSArray"))
      return Self.list(objects, .uid(1)).binary()
    }
    #expect(try Self.read(lists(3), ["NSArray"]).array?.count == 10)
    let error = #expect(throws: ArchiveError.self) { try Self.read(lists(60), ["NSArray"]) }
    #expect(error?.code == .count)
  }

  @Test("another key at the top can be read, and a wrong one is named beside the right ones")
  func keys() throws {
    let archive = try KeyedArchive(KeyedArchive.bytes(of: .integer(1), key: "tint"))
    #expect(archive.keys == ["tint"])
    #expect(try archive.root(allowing: [], key: "tint") == .integer(1))
    let error = #expect(throws: ArchiveError.self) { try archive.root(allowing: []) }
    #expect(error?.code == .missingKey && error?.found == "tint")
  }
}
