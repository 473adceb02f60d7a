import CopalModel
import CopalStore
import Foundation
import Testing

/// A value, and how it is written in JSON.
struct CodedValue: Sendable, CustomTestStringConvertible {
  let value: PropertyValue
  let json: String
  var testDescription: String { json }

  init(_ value: PropertyValue, _ json: String) {
    self.value = value
    self.json = json
  }
}

@Suite("Conditions and orders as JSON")
struct ConditionCodingTests {
  private static let storeText = "01020304-0506-0708-090A-0B0C0D0E0F10"
  private static let store = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private func json(_ value: some Encodable) throws -> String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .withoutEscapingSlashes
    return String(decoding: try encoder.encode(value), as: UTF8.self)
  }

  private func read<T: Decodable>(_ json: String, as type: T.Type = T.self) throws -> T {
    try JSONDecoder().decode(type, from: Data(json.utf8))
  }

  private static let values: [CodedValue] = [
    CodedValue(.null, "null"), CodedValue(true, "true"), CodedValue(false, "false"),
    CodedValue(7, "7"), CodedValue(.integer(.max), "9223372036854775807"),
    CodedValue(.integer(.min), "-9223372036854775808"), CodedValue("", #""""#),
    CodedValue("Woad \u{E9}e\u{301}🎨\"\u{0}", #""Woad é"# + "e\u{301}🎨" + #"\"\u0000""#),
    CodedValue("true", #""true""#),
    CodedValue(0.5, #"{"double":0.5}"#), CodedValue(1.0, #"{"double":1}"#),
    CodedValue(0.1, #"{"double":0.1}"#),
    CodedValue(.double(.infinity), #"{"double":"infinity"}"#),
    CodedValue(.double(-.infinity), #"{"double":"-infinity"}"#),
    CodedValue(.decimal(12.5), #"{"decimal":"12.5"}"#),
    CodedValue(.date(Date(timeIntervalSinceReferenceDate: 0)), #"{"date":"2001-01-01T00:00:00Z"}"#),
    CodedValue(
      .date(Date(timeIntervalSinceReferenceDate: -0.25)), #"{"date":"2000-12-31T23:59:59.75Z"}"#),
    CodedValue(.binary(Data()), #"{"binary":""}"#),
    CodedValue(.binary(Data([1, 2, 255])), #"{"binary":"AQL/"}"#),
    CodedValue(.uuid(store), #"{"uuid":"01020304-0506-0708-090A-0B0C0D0E0F10"}"#),
    CodedValue(
      .object(ManagedObjectID(store: store, entityName: "Pigment", key: 3)),
      #"{"object":"copal://01020304-0506-0708-090A-0B0C0D0E0F10/Pigment/p3"}"#),
    CodedValue(
      .object(ManagedObjectID(store: store, entityName: "Pigment", key: -7)),
      #"{"object":"copal://01020304-0506-0708-090A-0B0C0D0E0F10/Pigment/t7"}"#),
  ]

  @Test("a value is written in one form, and reads back the same", arguments: values)
  func readsBack(coded: CodedValue) throws {
    #expect(try json(coded.value) == coded.json)
    #expect(try read(coded.json) == coded.value)
    let expression = FetchExpression.constant(coded.value)
    #expect(try json(expression) == coded.json)
    #expect(try read(coded.json) == expression)
  }

  @Test("numbers, dates and URLs of every size read back exactly")
  func exact() throws {
    let doubles: [Double] = [
      .leastNonzeroMagnitude, .greatestFiniteMagnitude, -.greatestFiniteMagnitude, .pi, 1e23,
      0.1 + 0.2, Double(1 << 53) + 2, .leastNormalMagnitude / 3, -0.0,
    ]
    for number in doubles {
      let found: PropertyValue = try read(json(PropertyValue.double(number)))
      let other = try #require(Double(value: found))
      #expect(other.bitPattern == number.bitPattern, "\(number)")
    }
    // Compared outside of the expectations: Foundation's Date traps when some of these are printed.
    for number in doubles + [.infinity, -.infinity] {
      let date = Date(timeIntervalSinceReferenceDate: number)
      let found: PropertyValue = try read(json(PropertyValue.date(date)))
      let isSame = found == .date(date)
      #expect(isSame, "\(number)")
    }
    let decimals = [
      "0", "-0.5", "12345678901234567890123456789012345678", "1e127", "1e-127", "-9.99e120",
      "340282366920938463463374607431768211455",
    ].compactMap { Decimal(string: $0) }
    for decimal in decimals {
      #expect(try read(json(PropertyValue.decimal(decimal))) == PropertyValue.decimal(decimal))
    }
    for text in ["https://example.org/a%20b?c=d#e", "file:///tmp/x", "a:b", "x", "//h/p"] {
      let url = PropertyValue.uri(try #require(URL(string: text)))
      #expect(try read(json(url)) == url)
    }
    let notNumbers: [PropertyValue] = [
      .double(.nan), .decimal(.nan), .date(Date(timeIntervalSinceReferenceDate: .nan)),
    ]
    for (value, kind) in zip(notNumbers, ["double", "decimal", "date"]) {
      #expect(try json(value) == #"{"\#(kind)":"nan"}"#)
      let found: PropertyValue = try read(json(value))
      #expect(try json(found) == json(value))
    }
    for (text, seconds) in [
      (#"{"date": 86400.5}"#, 86_400.5), (#"{"date": "2001-01-01T01:00:00+01:00"}"#, 0),
    ] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      #expect(try read(text) == PropertyValue.date(date))
    }
  }

  private static let conditions: [(FetchPredicate, String)] = [
    (.constant(true), "true"), (.constant(false), "false"), (.and([]), #"{"and":[]}"#),
    (.or([.constant(true), .not(.and([]))]), #"{"or":[true,{"not":{"and":[]}}]}"#),
    (
      .comparison(.property("price"), .less, .constant(.decimal(20))),
      #"{"<":[{"property":"price"},{"decimal":"20"}]}"#
    ),
    (
      .comparison(.constant("x"), .equal, .property("self")),
      #"{"==":["x",{"property":"self"}]}"#
    ),
    (
      .comparison(
        .object, .notEqual,
        .constant(.object(ManagedObjectID(store: store, entityName: "Pigment", key: 3)))),
      #"{"!=":[{"object":"self"},{"object":"copal://\#(storeText)/Pigment/p3"}]}"#
    ),
    (
      .isIn(.property("code"), ["PB29", .null, 3, .decimal(1)]),
      #"{"in":[{"property":"code"},["PB29",null,3,{"decimal":"1"}]]}"#
    ),
    (
      .text(.property("name"), .contains([]), .constant("ultra")),
      #"{"contains":[{"property":"name"},"ultra"]}"#
    ),
    (
      .text(
        .property("name"), .like([.caseInsensitive, .diacriticInsensitive]), .constant("u*")),
      #"{"like":[{"property":"name"},"u*",["caseInsensitive","diacriticInsensitive"]]}"#
    ),
    (
      .text(.property("name"), .equal(.caseInsensitive), .property("code")),
      #"{"isEqual":[{"property":"name"},{"property":"code"},["caseInsensitive"]]}"#
    ),
    (
      .text(.property("name"), .hasPrefix(.diacriticInsensitive), .constant("u")),
      #"{"hasPrefix":[{"property":"name"},"u",["diacriticInsensitive"]]}"#
    ),
    (
      .text(.property("name"), .hasSuffix([]), .constant("e")),
      #"{"hasSuffix":[{"property":"name"},"e"]}"#
    ),
    (
      .text(.property("code"), .matches, .constant("P.*")),
      #"{"matches":[{"property":"code"},"P.*"]}"#
    ),
    (.isIn(.object, []), #"{"in":[{"object":"self"},[]]}"#),
  ]

  @Test("a condition is written in one form, and reads back the same", arguments: conditions)
  func readsBack(predicate: FetchPredicate, text: String) throws {
    #expect(try json(predicate) == text)
    #expect(try read(text) == predicate)
    // Inside a value of a program, too.
    #expect(try read(json(["filter": predicate])) == ["filter": predicate])
  }

  @Test("every operator has its sign", arguments: FetchPredicate.Operator.allCases)
  func operators(comparison: FetchPredicate.Operator) throws {
    let predicate = FetchPredicate.comparison(.property("a"), comparison, .property("b"))
    let signs = ["==", "!=", "<", "<=", ">", ">="]
    let position = try #require(FetchPredicate.Operator.allCases.firstIndex(of: comparison))
    #expect(
      try json(predicate) == #"{"\#(signs[position])":[{"property":"a"},{"property":"b"}]}"#)
    #expect(try read(json(predicate)) == predicate)
  }

  @Test("a sort key is written with its direction")
  func sortKeys() throws {
    let keys: [FetchSortKey] = [.ascending("name"), .descending("price")]
    #expect(try json(keys) == #"[{"ascending":"name"},{"descending":"price"}]"#)
    let others: [(FetchSortKey, String)] = [
      (.ascending("name").natural, #"{"ascending":["name","natural"]}"#),
      (.descending("price").nilsFirst, #"{"descending":["price","nilsFirst"]}"#),
      (
        .ascending("name").caseInsensitive.nilsLast,
        #"{"ascending":["name","caseInsensitive","nilsLast"]}"#
      ),
      (.ascending("name").alphabetical, #"{"ascending":["name","alphabetical"]}"#),
    ]
    for (key, text) in others {
      #expect(try json(key) == text)
      #expect(try read(text) == key)
    }
    #expect(try read(json(keys)) == keys)
  }

  /// The text of a decoding error; nil when nothing is wrong.
  private func mistake(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch DecodingError.dataCorrupted(let context) {
      return context.debugDescription
    } catch {
      return "\(error)"
    }
  }

  @Test(
    "what is no condition is refused, with what was expected",
    arguments: [
      ("null", "a condition"), ("3", "a condition"), (#""name""#, "a condition"),
      ("[]", "a condition"), ("{}", "a condition"), (#"{"xor":[]}"#, "a condition"),
      (#"{"and":[],"or":[]}"#, "a condition"), (#"{"=":["a","b"]}"#, "a condition"),
      (#"{"and":{}}"#, "a list of conditions"), (#"{"or":true}"#, "a list of conditions"),
      (#"{"and":[1]}"#, "a condition"), (#"{"not":[]}"#, "a condition"),
      (#"{"==":["a"]}"#, "a list of two expressions"),
      (#"{"==":["a","b","c"]}"#, "a list of two expressions"),
      (#"{"==":{"a":"b"}}"#, "a list of two expressions"),
      (#"{"<":[{"property":3},1]}"#, "the name of a property"),
      (#"{"<":[{"attribute":"a"},1]}"#, "a value"), (#"{"<":[[],1]}"#, "an expression"),
      (#"{"<":[1.5,1]}"#, "an expression"),
      (#"{"in":[{"property":"a"}]}"#, "a list of an expression and a list of values"),
      (#"{"in":[{"property":"a"},[],[]]}"#, "a list of an expression and a list of values"),
      (#"{"in":[{"property":"a"},[{"property":"b"}]]}"#, "a value"),
      (#"{"in":[{"property":"a"},[{"object":"self"}]]}"#, "an object id"),
    ])
  func malformed(text: String, expected: String) throws {
    let found = try #require(mistake { _ = try read(text, as: FetchPredicate.self) })
    #expect(found.hasPrefix("expected \(expected)"), "\(text): \(found)")
  }

  @Test(
    "what is no value is refused, with what was expected",
    arguments: [
      ("1.5", "a value"), ("9223372036854775808", "a value"), ("[]", "a value"),
      ("{}", "a value"), (#"{"text":"x"}"#, "a value"), (#"{"double":1,"date":2}"#, "a value"),
      (#"{"double":"1"}"#, "a number"), (#"{"double":null}"#, "a number"),
      (#"{"decimal":1}"#, "a decimal"), (#"{"decimal":"1e3"}"#, "a decimal"),
      (#"{"decimal":""}"#, "a decimal"), (#"{"decimal":"infinity"}"#, "a decimal"),
      (#"{"date":"2001-02-30T00:00:00Z"}"#, "an ISO 8601 date"),
      (#"{"date":"yesterday"}"#, "an ISO 8601 date"), (#"{"date":true}"#, "an ISO 8601 date"),
      (#"{"binary":"a"}"#, "a base64 string"), (#"{"binary":[1]}"#, "a base64 string"),
      (#"{"uuid":"1"}"#, "a uuid"), (#"{"uri":"a b"}"#, "a URL"), (#"{"uri":1}"#, "a URL"),
      (#"{"object":"copal://x"}"#, "an object id"), (#"{"object":7}"#, "an object id"),
    ])
  func malformedValues(text: String, expected: String) throws {
    let found = try #require(mistake { _ = try read(text, as: PropertyValue.self) })
    #expect(found.hasPrefix("expected \(expected)"), "\(text): \(found)")
  }

  @Test(
    "what is no sort key is refused",
    arguments: [
      "{}", #""name""#, #"{"ascending":1}"#, "[]", #"{"ascending":[]}"#,
      #"{"ascending":["name","bytes"]}"#, #"{"ascending":["name","natural","natural"]}"#,
      #"{"ascending":["name","natural","alphabetical"]}"#, #"{"ascending":["name","x"]}"#,
      #"{"ascending":["name","nilsLast","nilsFirst"]}"#,
    ])
  func malformedSortKeys(text: String) throws {
    let found = try #require(mistake { _ = try read(text, as: FetchSortKey.self) })
    #expect(found.hasPrefix("expected "), "\(found)")
  }

  private func nested(_ depth: Int, _ opening: String, _ closing: String) -> String {
    String(repeating: opening, count: depth) + "true" + String(repeating: closing, count: depth)
  }

  @Test(
    "conditions may be nested 100 levels deep, and deeper ones are refused",
    arguments: [(#"{"not":"#, "}"), (#"{"and":["#, "]}"), (#"{"or":[false,"#, "]}")])
  func depth(opening: String, closing: String) throws {
    let predicate: FetchPredicate = try read(nested(99, opening, closing))
    #expect(try json(predicate) == nested(99, opening, closing))
    let found = mistake {
      _ = try read(nested(100, opening, closing), as: FetchPredicate.self)
    }
    #expect(found == "expected conditions that are nested at most 100 levels deep")
    #expect(throws: EncodingError.self) { try json(FetchPredicate.not(predicate)) }
    #expect(throws: DecodingError.self) {
      try read(nested(100_000, opening, closing), as: FetchPredicate.self)
    }
  }

  @Test(
    "brackets nested 100,000 levels deep are refused", arguments: [("[", "]"), (#"{"a":"#, "}")])
  func brackets(opening: String, closing: String) throws {
    for text in [
      nested(100_000, opening, closing), #"{"==":[1,"# + nested(100_000, opening, closing) + "]}",
    ] {
      #expect(throws: DecodingError.self) { try read(text, as: FetchPredicate.self) }
      #expect(throws: DecodingError.self) { try read(text, as: FetchExpression.self) }
      #expect(throws: DecodingError.self) { try read(text, as: PropertyValue.self) }
    }
  }
}
