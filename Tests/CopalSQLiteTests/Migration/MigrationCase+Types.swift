import CopalModel
import CopalStore
import Foundation

/// The types of attributes.
extension MigrationCase {
  private static func inexact(_ types: String, _ found: String) -> [String] {
    ["migration.inexact Book.a: \(types), and \(found)"]
  }

  private static let whole = PropertyValue.double(9_007_199_254_740_992)
  private static let instant = Date(timeIntervalSinceReferenceDate: 700_000_000.1)

  static let types: [MigrationCase] = [
    .attribute(
      "line 30: wider integers", #""integer16""#, to: #""integer32""#, [-32_768, 7],
      gives: [-32_768, 7]),
    .attribute(
      "line 30: a boolean as an integer", #""boolean?""#, to: #""integer64?""#,
      [true, false, .null], gives: [1, 0, .null]),
    .attribute(
      "line 30: a float as a double", #""float""#, to: #""double""#, [.double(0.5)],
      gives: [.double(0.5)]),
    .attribute(
      "line 31: narrower integers that fit", #""integer64""#, to: #""integer16""#,
      [32_767, -32_768], gives: [32_767, -32_768]),
    .attribute(
      "line 31: narrower integers, of which one does not fit", #""integer64""#, to: #""integer16""#,
      [7, 32_768, 8],
      refusals: inexact("integer64 to integer16", "1 value cannot be converted exactly (p2)")),
    .attribute(
      "line 31: the nearest is not out of range", #""integer64""#,
      to: #"{ "type": "integer16", "conversion": "nearest" }"#, [7, 32_768],
      refusals: inexact("integer64 to integer16", "1 value cannot be converted exactly (p2)")),
    .attribute(
      "line 31: what does not fit becomes nil", #""integer64?""#,
      to: #"{ "type": "integer16?", "conversion": "nil" }"#, [7, 32_768, .null],
      gives: [7, .null, .null], writes: true),
    .attribute(
      "line 31: what does not fit is filled", #""integer64""#,
      to: #"{ "type": "integer16", "conversion": "fill", "fill": -1 }"#, [7, 32_768],
      gives: [7, -1], writes: true),
    .attribute(
      "line 32: 0 and 1 as a boolean", #""integer""#, to: #""boolean""#, [0, 1],
      gives: [false, true]),
    .attribute(
      "line 32: 2 as a boolean", #""integer""#, to: #""boolean""#, [0, 2],
      refusals: inexact("integer to boolean", "1 value cannot be converted exactly (p2)")),
    .attribute(
      "line 33: integers that are doubles", #""integer64""#, to: #""double""#,
      [9_007_199_254_740_992, -1], gives: [whole, .double(-1)], writes: true),
    .attribute(
      "line 33: an integer that is no double", #""integer64""#, to: #""double""#,
      [9_007_199_254_740_993],
      refusals: inexact("integer64 to double", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 33: the nearest double", #""integer64""#,
      to: #"{ "type": "double", "conversion": "nearest" }"#, [9_007_199_254_740_993],
      gives: [whole], writes: true),
    .attribute(
      "line 34: whole doubles", #""double""#, to: #""integer""#, [.double(-3), .double(0)],
      gives: [-3, 0], writes: true),
    .attribute(
      "line 34: 2.5 as an integer", #""double""#, to: #""integer""#, [.double(2.5)],
      refusals: inexact("double to integer", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 34: the nearest integer, of two the even one", #""double""#,
      to: #"{ "type": "integer", "conversion": "nearest" }"#, [.double(2.5), .double(3.5)],
      gives: [2, 4], writes: true),
    .attribute(
      "line 34: 1e19 has no nearest integer", #""double""#,
      to: #"{ "type": "integer", "conversion": "nearest" }"#, [.double(1e19)],
      refusals: inexact("double to integer", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 35: 0.5 as a float", #""double""#, to: #""float""#, [.double(0.5)],
      gives: [.double(0.5)]),
    .attribute(
      "line 35: 0.1 as a float", #""double""#, to: #""float""#, [.double(0.1)],
      refusals: inexact("double to float", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 35: the nearest float", #""double""#,
      to: #"{ "type": "float", "conversion": "nearest" }"#, [.double(0.1)],
      gives: [.double(0.100000001490116119384765625)], writes: true),
    .attribute(
      "line 36: a greater scale", #"{ "type": "decimal", "scale": 2 }"#,
      to: #"{ "type": "decimal", "scale": 3 }"#, [.decimal(1.25), .decimal(-7)],
      gives: [.decimal(1.25), .decimal(-7)], writes: true),
    .attribute(
      "line 36: a greater scale, for which a number is too large",
      #"{ "type": "decimal", "scale": 2 }"#, to: #"{ "type": "decimal", "scale": 3 }"#,
      [.decimal(Decimal(string: "92233720368547758.07") ?? 0)],
      refusals: inexact(
        "decimal of scale 2 to decimal of scale 3", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 36: a smaller scale", #"{ "type": "decimal", "scale": 3 }"#,
      to: #"{ "type": "decimal", "scale": 2 }"#, [.decimal(Decimal(string: "1.005") ?? 0)],
      refusals: inexact(
        "decimal of scale 3 to decimal of scale 2", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 36: the nearest number of a smaller scale", #"{ "type": "decimal", "scale": 3 }"#,
      to: #"{ "type": "decimal", "scale": 2, "conversion": "nearest" }"#,
      [.decimal(Decimal(string: "1.005") ?? 0), .decimal(Decimal(string: "1.015") ?? 0)],
      gives: [.decimal(1), .decimal(Decimal(string: "1.02") ?? 0)], writes: true),
    .attribute(
      "line 37: a decimal with a scale, and without", #"{ "type": "decimal?", "scale": 2 }"#,
      to: #""decimal?""#, [.decimal(1.5), .null], gives: [.decimal(1.5), .null], writes: true),
    .attribute(
      "line 37: a decimal as a double", #""decimal""#, to: #""double""#,
      [.decimal(Decimal(string: "0.1") ?? 0)], gives: [.double(0.1)], writes: true),
    .attribute(
      "line 37: a double as a decimal", #""double""#, to: #""decimal""#, [.double(0.1)],
      gives: [.decimal(Decimal(string: "0.1") ?? 0)], writes: true),
    .attribute(
      "line 38: an integer as a string", #""integer""#, to: #""string""#, [-7, 12],
      gives: ["-7", "12"], writes: true),
    .attribute(
      "line 39: a string as an integer", #""string""#, to: #""integer16""#, ["12"], gives: [12],
      writes: true),
    .attribute(
      "line 39: texts that are no integer exactly", #""string""#, to: #""integer16""#,
      ["12", "007", "12 kg"],
      refusals: inexact("string to integer16", "2 values cannot be converted exactly (p2, p3)")),
    .attribute(
      "line 39: the nearest integer of a text", #""string""#,
      to: #"{ "type": "integer16", "conversion": "nearest" }"#, ["007"], gives: [7], writes: true),
    .attribute(
      "line 39: a text with other characters has no nearest integer", #""string""#,
      to: #"{ "type": "integer16", "conversion": "nearest" }"#, ["007", "12 kg"],
      refusals: inexact("string to integer16", "1 value cannot be converted exactly (p2)")),
    .attribute(
      "line 39: a text that is no integer becomes nil", #""string""#,
      to: #"{ "type": "integer16?", "conversion": "nil" }"#, ["12", "007", "12 kg"],
      gives: [12, .null, .null], writes: true),
    .attribute(
      "line 40: a boolean as a string", #""boolean""#, to: #""string""#, [true, false],
      gives: ["true", "false"], writes: true),
    .attribute(
      "line 40: a string as a boolean", #""string""#, to: #""boolean""#, ["true", "false"],
      gives: [true, false], writes: true),
    .attribute(
      "line 40: a UUID as a string", #""uuid""#, to: #""string""#, [.uuid(one)],
      gives: ["01020304-0506-0708-090A-0B0C0D0E0F10"], writes: true),
    .attribute(
      "line 40: strings in both cases as UUIDs", #""string""#, to: #""uuid""#,
      ["01020304-0506-0708-090A-0B0C0D0E0F10", "01020304-0506-0708-090a-0b0c0d0e0f10"],
      gives: [.uuid(one), .uuid(one)], writes: true),
    .attribute(
      "line 40: a UUID as bytes", #""uuid""#, to: #""binary""#, [.uuid(one)],
      gives: [.binary(Data(1...16))]),
    .attribute(
      "line 40: bytes as a UUID", #""binary""#, to: #""uuid""#, [.binary(Data(1...16))],
      gives: [.uuid(one)]),
    .attribute(
      "line 40: fifteen bytes as a UUID", #""binary""#, to: #""uuid""#, [.binary(Data(1...15))],
      refusals: inexact("binary to uuid", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 42: a date as a number without the word", #""date""#, to: #""double""#,
      [.date(instant)],
      refusals: ["migration.needsWord Book.a: date to double"], refusesEmpty: true),
    .attribute(
      "line 42: a date as seconds since 1970", #""date""#,
      to: #"{ "type": "integer", "conversion": "secondsSince1970" }"#,
      [.date(Date(timeIntervalSince1970: 1_000_000_000))], gives: [1_000_000_000], writes: true),
    .attribute(
      "line 42: seconds since 2001 as a date", #""double""#,
      to: #"{ "type": "date", "conversion": "secondsSince2001" }"#, [.double(0.5)],
      gives: [.date(Date(timeIntervalSinceReferenceDate: 0.5))], writes: true),
    .attribute(
      "line 43: a string as a URL", #""string""#, to: #""uri""#, ["https://example.com/x"],
      gives: [URL(string: "https://example.com/x").map { PropertyValue.uri($0) } ?? .null]),
    .attribute(
      "line 43: a string that is no URL", #""string""#, to: #""uri""#, ["a b"],
      refusals: inexact("string to uri", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 44: a string as bytes", #""string""#, to: #""binary""#, ["aé"],
      gives: [.binary(Data([0x61, 0xC3, 0xA9]))], writes: true),
    .attribute(
      "line 44: bytes as a string", #""binary""#, to: #""string""#,
      [.binary(Data([0x61, 0xC3, 0xA9]))], gives: ["aé"], writes: true),
    .attribute(
      "line 44: bytes that are no UTF-8", #""binary""#, to: #""string""#,
      [.binary(Data([0x61, 0xC3]))],
      refusals: inexact("binary to string", "1 value cannot be converted exactly (p1)")),
    .attribute(
      "line 45: cases over other raw values", #""string""#,
      to: #"{ "type": "string", "cases": ["paper", "cloth"] }"#, ["paper", "silk"],
      gives: ["paper", "silk"]),
    .attribute(
      "line 45: cases that stored values are checked with", #""string""#,
      to: #"{ "type": "string", "cases": ["paper", "cloth"], "checkStored": true }"#,
      ["paper", "silk", "cloth", "wool"],
      refusals: [
        "migration.brokenRules Book.a: stored values are checked, and 2 values break the rules (p2, p4)"
      ]),
    .attribute(
      "line 45: rules that stored values fulfill", #""integer""#,
      to: #"{ "type": "integer", "minimum": 0, "checkStored": true }"#, [0, 5], gives: [0, 5]),
    .attribute(
      "line 45: raw values that change", #""string""#,
      to:
        #"{ "type": "string", "cases": ["paper", "cloth"], "renamedCases": { "pb": "paper", "hc": "cloth" } }"#,
      ["pb", "hc", "paper"], gives: ["paper", "cloth", "paper"], writes: true),
    .attribute(
      "line 46: a text that a transformer decodes now", #""string""#, to: transformable("text"),
      ["x", ""], gives: ["x", ""]),
    .attribute(
      "line 46: another transformer of the same storage", transformable("text"),
      to: transformable("text").replacing("T", with: "T2"), ["x"], gives: ["x"]),
    .attribute(
      "line 46: a transformer of another storage", transformable("text"),
      to: transformable("integer"), ["x"],
      refusals: [
        "migration.needsStep Book.a: changes from transformable stored as text to transformable stored as integer, and only the former transformer can read the values"
      ], refusesEmpty: true),
    .attribute(
      "line 47: versioned now", transformable("text"),
      to: transformable("text", #", "versioned": true"#), ["x"], gives: ["x"]),
    .attribute(
      "line 47: not versioned any more", transformable("text", #", "versioned": true"#),
      to: transformable("text"), ["x"],
      refusals: ["migration.needsWord Book.a: not versioned any more"], refusesEmpty: true),
    .attribute(
      "line 47: not versioned any more, and the model says so",
      transformable("text", #", "versioned": true"#),
      to: transformable("text", #", "conversion": "unversioned""#), ["x"], gives: ["x"]),
    .attribute(
      "line 48: large values in files from now on", #""binary""#,
      to: #"{ "type": "binary", "external": 2 }"#, [.binary(Data([1, 2, 3]))],
      gives: [.binary(Data([1, 2, 3]))]),
    .attribute(
      "words of an earlier version write nothing again", #""string""#,
      to:
        #"{ "type": "string", "conversion": "fill", "fill": "x", "renamedFrom": "b", "maximumLength": 9, "checkStored": true }"#,
      ["y"], gives: ["y"]),
    .attribute(
      "a type that no value can become", #""uuid""#, to: #""integer""#, [.uuid(one)],
      refusals: ["migration.needsStep Book.a: changes from uuid to integer"], refusesEmpty: true),
  ]

  private static func transformable(_ storage: String, _ keys: String = "") -> String {
    #"{ "type": "transformable", "class": "C", "transformer": "T", "storage": "\#(storage)"\#(keys) }"#
  }
}
