import CopalTestTools
import Foundation
import Testing

@testable import CopalArchive

@Suite("An error of an archive")
struct ArchiveErrorTests {
  typealias Row = (sentence: String, bytes: [UInt8], read: @Sendable ([UInt8]) throws -> Void)

  private static func list(
    _ sentence: String, _ bytes: [UInt8], _ limits: ArchiveLimits = .standard
  )
    -> Row
  {
    (sentence, bytes, { _ = try PropertyListValue($0, limits: limits) })
  }

  private static func archive(_ sentence: String, _ bytes: [UInt8], _ allowed: Set<String> = [])
    -> Row
  {
    (sentence, bytes, { _ = try KeyedArchive($0).root(allowing: allowed) })
  }

  private static func xml(_ value: String) -> [UInt8] { XMLPropertyListTests.file(value) }

  private static func file(_ values: [UInt8]...) -> [UInt8] {
    BinaryPropertyListTests.file(values)
  }

  static let sentences: [Row] = [
    list(
      "the bytes are neither a binary property list nor XML: they begin with C0 10 01; "
        + "check which transformer wrote them [archive.notPropertyList]", [0xC0, 0x10, 1]),
    list(
      "the property list ends too early: the bytes of data at byte 8 are more than there are; "
        + "restore the value from a backup [archive.truncated]", file([0x45, 1])),
    list(
      "the last 32 bytes of the binary property list are damaged: the number of the top value must be "
        + "below 1, but it is 1; restore the value from a backup [archive.trailer]",
      BinaryPropertyListTests.file([[0x08]], top: 1)),
    list(
      "a collection at byte 8 refers to the value 9, but the property list has 1; "
        + "restore the value from a backup [archive.reference]", file([0xA1, 9])),
    list(
      "the collection at byte 8 contains itself; restore the value from a backup [archive.cycle]",
      file([0xA1, 0])),
    list(
      "the binary property list is damaged: the bytes of the value at byte 78 are those of other values, "
        + "too; restore the value from a backup [archive.overlap]",
      HostileArchiveTests.file("overlapping-small")),
    list(
      "the value at byte 8 has the unknown kind 90; restore the value from a backup "
        + "[archive.valueKind]", file([0x90])),
    list(
      "the text at byte 8 is not valid UTF-16; restore the value from a backup [archive.text]",
      file([0x61, 0xD8, 0x3C])),
    list(
      "a key of the dictionary at byte 8 is an integer; keys are strings [archive.key]",
      file([0xD1, 1, 1], [0x10, 0])),
    list(
      "a key of the dictionary at byte 8 is there twice; each key may be there once [archive.key]",
      file([0xD2, 1, 2, 1, 1], [0x51, 0x61], [0x51, 0x61])),
    list(
      "the XML of the property list is not valid: expected array, data, date, dict, false, integer, "
        + "real, string or true at byte 60, found <null> [archive.xml]", xml("<null/>")),
    list(
      "the input has 4 bytes, and the limit is 3; if you trust it, set a greater limit: "
        + "ArchiveLimits(size:) [archive.size]", [1, 2, 3, 4], ArchiveLimits(size: 3)),
    list(
      "the property list has more than 2 values; if you trust it, set a greater limit: "
        + "ArchiveLimits(count:) [archive.count]", PropertyListValue.array([1, 2]).binary(),
      ArchiveLimits(count: 2)),
    list(
      "more than 1 collection is inside another; if you trust the input, set a greater limit: "
        + "ArchiveLimits(depth:) [archive.depth]", PropertyListValue.array([[]]).binary(),
      ArchiveLimits(depth: 1)),
    archive(
      "the property list is not a keyed archive: it is an array without \"$archiver\": "
        + "\"NSKeyedArchiver\"; check which transformer wrote it [archive.notKeyedArchive]",
      PropertyListValue.array([]).binary()),
    archive(
      "the keyed archive has the version 2; this version of Copal reads 100000 [archive.version]",
      PropertyListValue.dictionary(["$archiver": "NSKeyedArchiver", "$version": 2]).binary()),
    archive(
      "the keyed archive is damaged: $objects must be an array that begins with $null; "
        + "restore the value from a backup [archive.form]",
      PropertyListValue.dictionary(["$archiver": "NSKeyedArchiver", "$version": 100_000]).binary()),
    (
      "the keyed archive has nothing under the key 'tint'; it has: root [archive.missingKey]",
      KeyedArchive.bytes(of: .null),
      { _ = try KeyedArchive($0).root(allowing: [], key: "tint") }
    ),
    archive(
      "the keyed archive is damaged: the object 1 refers to the object 9, but there are 2; "
        + "restore the value from a backup [archive.objectReference]",
      KeyedArchiveTests.archive(["$class": .uid(9)])),
    archive(
      "the object 1 of the keyed archive, of the class Tint, contains itself; "
        + "Copal reads trees without cycles [archive.objectCycle]",
      KeyedArchiveTests.archive(
        ["a": .uid(1), "$class": .uid(2)], KeyedArchiveTests.type("Tint")), ["Tint"]),
    archive(
      "the keyed archive has an object of the class Tint, which is not allowed; allowed: NSArray, "
        + "NSColor; if you expect it, add \"Tint\" to the allowed classes [archive.classNotAllowed]",
      KeyedArchiveTests.archive(["$class": .uid(2)], KeyedArchiveTests.type("Tint")),
      ["NSColor", "NSArray"]),
    archive(
      "the keyed archive has an object of the collection class NSArray, which is not allowed; allowed: "
        + "NSColor; if you expect a collection, add \"NSArray\" to the allowed classes "
        + "[archive.classNotAllowed]",
      KeyedArchive.bytes(of: .array([])), ["NSColor"]),
    archive(
      "the keyed archive is damaged: the object 1 of the class NSDate must have a number under the key "
        + "'NS.time', but has nothing; restore the value from a backup [archive.fieldForm]",
      KeyedArchiveTests.archive(["$class": .uid(2)], KeyedArchiveTests.type("NSDate"))),
    (
      "XML cannot express a set; write a binary property list [archive.inexpressible]", [],
      { _ in _ = try PropertyListValue.set([]).xml() }
    ),
  ]

  @Test("says what was found, what was expected and what to do", arguments: sentences)
  func sentence(row: Row) throws {
    let error = #expect(throws: ArchiveError.self) { try row.read(row.bytes) }
    #expect(error?.description == row.sentence)
  }

  @Test("has every code in the table above, and one of its sentences in the guide")
  func everyCode() throws {
    let all = Self.sentences.map(\.sentence)
    #expect(try ErrorPage.missing(ArchiveError.Code.all.map(\.rawValue), of: all) == [])
  }
}
