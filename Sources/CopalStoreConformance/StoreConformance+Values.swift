import CopalEssentials
package import CopalModel

/// Values and their edges.
extension StoreConformance {
  static let values: [Requirement] = [
    Requirement("A store gives every value back as it was set") { bench in
      for (name, values) in SampleValues.edges {
        for value in values {
          let key = try bench.insert([name: value])
          let found = try bench.row(key)[name]
          try expect(SampleValues.areSame(found, value), "\(name): \(value) came back as \(found)")
        }
      }
    },
    Requirement("A store distinguishes nil from zero, false and empty, in every type") { bench in
      let empty = try bench.row(bench.insert([:]))
      let zero = try bench.row(bench.insert(SampleValues.zeros))
      for name in SampleValues.zeros.keys.sorted() {
        try expect(empty[name], is: .null, name)
        try expect(!zero[name].isNull, "\(name) is nil after a zero was set")
      }
    },
    Requirement("A store replaces a value with nil") { bench in
      let key = try bench.insert(SampleValues.zeros)
      try bench.update(
        bench.row(key), SampleValues.zeros.mapValues { _ in PropertyValue.null })
      try expect(bench.row(key).values.values.allSatisfy(\.isNull), "a value is left")
    },
    Requirement("A store keeps negative zero as zero") { bench in
      let key = try bench.insert([
        "real": .double(-0.0), "instant": .date(Date(timeIntervalSinceReferenceDate: -0.0)),
      ])
      guard case .double(let real) = try bench.row(key)["real"] else {
        throw ConformanceFailure("no double")
      }
      try expect(real.sign, is: .plus)
      for zero in [0.0, -0.0] {
        try expect(
          bench.keys(.comparison(.property("real"), .equal, .constant(.double(zero)))), is: [key])
      }
    },
    Requirement("A store rounds the values of a float attribute to floats") { bench in
      for number in [0.1, -0.1, 1e-50, 16_777_217, 3.4e38, .infinity] {
        let key = try bench.insert(["single": .double(number)])
        let float = PropertyValue.double(Double(Float(number)))
        try expect(bench.row(key)["single"], is: float)
        let found = try bench.keys(.comparison(.property("single"), .equal, .constant(float)))
        try expect(found, is: [key])
      }
    },
    Requirement("A store compares strings by their bytes") { bench in
      let composed = try bench.insert(["text": "\u{E9}"])
      let decomposed = try bench.insert(["text": "e\u{301}"])
      func keys(_ text: String) throws -> [Int64] {
        try bench.keys(.comparison(.property("text"), .equal, .constant(.string(text))))
      }
      try expect(keys("\u{E9}"), is: [composed])
      try expect(keys("e\u{301}"), is: [decomposed])
      try expect(
        bench.keys(.isIn(.property("text"), ["e\u{301}"])), is: [decomposed])
    },
    Requirement("A store tests texts by their bytes, or without case and diacritics") { bench in
      for text in ["Émail", "e\u{301}mail", "Email*", "", "a\0b"] {
        try bench.insert(["text": .string(text)])
      }
      try bench.insert([:])
      func keys(_ test: FetchPredicate.TextTest, _ text: String) throws -> [Int64] {
        try bench.keys(.text(.property("text"), test, .constant(.string(text))))
      }
      let neither: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]
      try expect(keys(.contains([]), "mai"), is: [1, 2, 3])
      try expect(keys(.contains([]), ""), is: [1, 2, 3, 4, 5])
      try expect(keys(.contains([]), "\0b"), is: [5])
      try expect(keys(.contains(neither), "EMÁIL"), is: [1, 2, 3])
      try expect(keys(.equal(.caseInsensitive), "éMAIL"), is: [1, 2])
      try expect(keys(.hasPrefix([]), "E"), is: [3])
      try expect(keys(.hasPrefix(.caseInsensitive), "e"), is: [3])
      try expect(keys(.hasPrefix(.diacriticInsensitive), "E"), is: [1, 3])
      try expect(keys(.hasSuffix([]), "l"), is: [1, 2])
      try expect(keys(.like([]), "?mail"), is: [1, 2])
      try expect(keys(.like([]), #"*\*"#), is: [3])
      try expect(keys(.matches, "[A-Z].*"), is: [3])
      try expect(
        bench.keys(.not(.text(.property("text"), .contains([]), .constant("mai")))), is: [4, 5, 6])
      try expect(
        bench.keys(.text(.property("text"), .hasSuffix([]), .property("text"))),
        is: [1, 2, 3, 4, 5])
    },
  ]
}

/// Values for every attribute of the sampler.
package enum SampleValues {
  /// What is easily confused with nil.
  package static let zeros: [String: PropertyValue] = [
    "small": 0, "medium": 0, "whole": 0, "single": 0.0, "real": 0.0, "amount": .decimal(0),
    "price": .decimal(0), "flag": false,
    "instant": .date(Date(timeIntervalSinceReferenceDate: 0)), "text": "", "bytes": .binary(Data()),
    "mark": .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
  ]

  /// The least, the greatest and the strangest values of each attribute.
  package static let edges: [(name: String, values: [PropertyValue])] = [
    ("small", [.integer(-32768), .integer(32767), 0, -1]),
    ("medium", [.integer(-2_147_483_648), .integer(2_147_483_647)]),
    ("whole", [.integer(.min), .integer(.max), .integer(1 << 53 + 1), 0]),
    (
      "single",
      [Float.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude, 0.1]
        .map { .double(Double($0)) } + [.double(.infinity)]
    ),
    (
      "real",
      [
        Double.greatestFiniteMagnitude, -.greatestFiniteMagnitude, .leastNonzeroMagnitude,
        .leastNormalMagnitude, .infinity, -.infinity, 0.1, 1e15, 9_007_199_254_740_992,
      ].map(PropertyValue.double)
    ),
    ("amount", decimals.map(PropertyValue.decimal)),
    (
      "price",
      ["0.01", "-0.01", "92233720368547758.07", "-92233720368547758.07", "1.1", "-3"]
        .compactMap { DecimalText.parse($0) }.map(PropertyValue.decimal)
    ),
    ("flag", [true, false]),
    (
      "instant",
      [
        Date.distantPast.timeIntervalSinceReferenceDate,
        Date.distantFuture.timeIntervalSinceReferenceDate, 0, -978_307_200, 0.001, 1e300,
        .infinity, -.infinity, .leastNonzeroMagnitude,
      ].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
    ),
    ("text", texts.map(PropertyValue.string)),
    (
      "bytes",
      [
        Data(), Data([0]), Data(0...255), Data(repeating: 7, count: 4095),
        Data(repeating: 7, count: 4096), Data(repeating: 0, count: 1_000_000),
      ].map(PropertyValue.binary)
    ),
    (
      "mark",
      [
        .uuid(UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))),
        .uuid(
          UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 1))
        ),
      ]
    ),
    (
      "link",
      [
        "https://example.com/?q=a%20b#c", "file:///tmp/x", "mailto:a@b.c", "a",
        "http://[::1]:80/",
      ].compactMap { URL(string: $0) }.map(PropertyValue.uri)
    ),
  ]

  static let decimals: [Decimal] =
    [
      "0.1", "-0.1", "9", "10", "1.1", "-1", "99999999999999999999999999999999999999",
      "-99999999999999999999999999999999999999", "0.00000000000000000000000000000000000001",
    ].compactMap { DecimalText.parse($0) } + [
      .greatestFiniteMagnitude, .leastFiniteMagnitude, .leastNonzeroMagnitude,
      Decimal(sign: .plus, exponent: 126, significand: 10),
      Decimal(sign: .minus, exponent: -127, significand: 10),
    ]

  /// Texts that tools get wrong.
  package static let texts = [
    "", "\0", "a\0b", "\0\0", "\u{E9}", "e\u{301}", "\u{FFFE}", "\u{FFFF}", "\u{10FFFF}",
    "\u{200B}", "\u{202E}abc", "👩🏽‍🎨", "好看的颜色呀!^_^", "'; DROP TABLE \"Sample\"; --", "\"", "'", "`",
    "\\",
    "%_*?[", "\r\n", "\u{1B}[31m", "NULL", "1", "1e5", "0x10", " 7 ", "true",
    String(repeating: "é", count: 5000), String(repeating: "x", count: 1_000_000),
  ]

  /// Whether two values are one, bit for bit; a text byte for byte.
  package static func areSame(_ a: PropertyValue, _ b: PropertyValue) -> Bool {
    switch (a, b) {
    case (.string(let x), .string(let y)): x.utf8.elementsEqual(y.utf8)
    case (.uri(let x), .uri(let y)): x.absoluteString == y.absoluteString
    default: a == b
    }
  }
}
