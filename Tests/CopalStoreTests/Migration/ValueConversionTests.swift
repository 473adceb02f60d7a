import CopalEssentials
import CopalModel
import CopalTestSupport
import Testing

@testable import CopalStore

/// A line of `Tests/References/ValueConversions.txt`, whose expected values Python computes.
private struct ConversionCase {
  let line: String
  let conversion: ValueConversion
  let value: PropertyValue
  /// Nil for a value that the conversion does not take.
  let expected: PropertyValue?

  init(_ line: String) throws {
    self.line = line
    let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
    try #require(fields.count == 5, "\(line)")
    conversion = ValueConversion(
      from: try Self.form(fields[0]), to: try Self.form(fields[1]),
      try #require(ValueConversion.Rule(rawValue: fields[2])))
    value = try Self.value(fields[3])
    expected = fields[4] == "-" ? nil : try Self.value(fields[4])
  }

  /// `decimal:2` is a decimal with a scale.
  private static func form(_ text: String) throws -> ValueConversion.Form {
    let parts = text.split(separator: ":").map(String.init)
    return ValueConversion.Form(
      try #require(AttributeType(rawValue: parts[0])),
      scale: parts.dropFirst().first.flatMap(Int.init))
  }

  private static func value(_ text: String) throws -> PropertyValue {
    let content = String(text.dropFirst())
    switch text.first {
    case "i": return .integer(try #require(Int64(content)))
    case "r": return .double(try #require(Double(content)))
    case "d": return .decimal(try #require(Decimal(string: content)))
    case "b": return .boolean(content == "1")
    case "t": return .date(Date(timeIntervalSinceReferenceDate: try #require(Double(content))))
    case "s": return .string(try JSONDecoder().decode(String.self, from: Data(content.utf8)))
    case "x": return .binary(Data(try bytes(content)))
    case "u": return .uuid(try #require(UUID(uuidString: content)))
    case "l": return .uri(try #require(URL(string: content)))
    default: throw Unknown(text: text)
    }
  }

  private struct Unknown: Error { let text: String }

  private static func bytes(_ text: String) throws -> [UInt8] {
    try stride(from: 0, to: text.count, by: 2).map { place in
      try #require(UInt8(text.dropFirst(place).prefix(2), radix: 16))
    }
  }
}

@Suite("What a value becomes when its attribute has another type")
struct ValueConversionTests {
  @Test("a conversion gives what Python computes, and takes no other value")
  func table() throws {
    let cases = try References.lines("ValueConversions.txt").map(ConversionCase.init)
    #expect(cases.count > 500)
    for one in cases {
      let found = one.conversion.converted(one.value)
      #expect(found == one.expected, "\(one.line): \(found.map { "\($0)" } ?? "-")")
    }
  }

  @Test("no value stays no value, whatever the types are")
  func null() {
    for old in AttributeType.allCases {
      for new in AttributeType.allCases {
        #expect(ValueConversion(from: .init(old), to: .init(new)).converted(.null) == .null)
      }
    }
  }
}
