import CopalArchive
import Testing

@Suite("Property lists in XML")
struct XMLPropertyListTests {
  static func file(_ value: String) -> [UInt8] {
    Array(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<plist version=\"1.0\">\(value)</plist>\n".utf8)
  }

  static let values: [(String, PropertyListValue)] = [
    ("<true/>", true), ("<false />", false), ("<true></true>", true),
    ("<integer>42</integer>", 42), ("<integer> -7\n</integer>", -7), ("<integer>+1</integer>", 1),
    ("<integer>0xFf</integer>", 255), ("<integer>-0x10</integer>", -16),
    ("<integer>-9223372036854775808</integer>", .integer(.min)),
    ("<integer>18446744073709551615</integer>", .unsigned(.max)),
    ("<real>1.5</real>", 1.5), ("<real>-1e3</real>", -1000.0),
    ("<real>inf</real>", .real(.infinity)),
    ("<real>-infinity</real>", .real(-.infinity)), ("<real>7</real>", 7.0),
    ("<string>a &lt;b&gt; &amp; &quot;&apos;</string>", "a <b> & \"'"), ("<string/>", ""),
    ("<string>&#228;&#x1F3A8;</string>", "ä\u{1F3A8}"),
    ("<string>a<![CDATA[<b>&amp;]]>c<!-- no -->d</string>", "a<b>&amp;cd"),
    ("<string>a\r\nb\rc</string>", "a\nb\nc"),
    ("<date>2001-01-01T00:00:01Z</date>", .date(1)),
    ("<date>2000-02-29T23:59:59Z</date>", .date(-26_438_401)),
    ("<date>0001-01-01T00:00:00Z</date>", .date(-63_113_904_000)),
    ("<data>AQID\n\tBA==</data>", .data([1, 2, 3, 4])), ("<data/>", .data([])),
    ("<array> <integer>1</integer><!-- two --><array/></array>", [1, []]),
    ("<dict><key>a</key><string>b</string><key>c</key><dict/></dict>", ["a": "b", "c": [:]]),
    ("<dict><key>CF$UID</key><integer>3</integer></dict>", .uid(3)),
  ]

  @Test("an element is read as its value", arguments: values)
  func read(_ element: String, _ value: PropertyListValue) throws {
    #expect(try PropertyListValue(Self.file(element)) == value)
  }

  static let mistakes: [(String, ArchiveError.Code)] = [
    ("", .xml), ("<null/>", .xml), ("<array>", .xml), ("<array></dict>", .xml), ("text", .xml),
    ("<true/><false/>", .xml), ("<integer>1.5</integer>", .xml), ("<integer></integer>", .xml),
    ("<integer>--1</integer>", .xml), ("<integer>0x</integer>", .xml),
    ("<integer>18446744073709551616</integer>", .xml),
    ("<integer>-9223372036854775809</integer>", .xml),
    ("<real>0x1p3</real>", .xml), ("<real>one</real>", .xml), ("<real></real>", .xml),
    ("<string>&nbsp;</string>", .xml), ("<string>&#0;</string>", .xml),
    ("<string>&#xD800;</string>", .xml), ("<string>\u{1}</string>", .xml),
    ("<string>a<b/></string>", .xml), ("<string>a", .xml), ("<string><![CDATA[a</string>", .xml),
    ("<date>2001-02-29T00:00:00Z</date>", .xml), ("<date>2001-01-01T24:00:00Z</date>", .xml),
    ("<date>2001-01-01</date>", .xml), ("<date>0000-01-01T00:00:00Z</date>", .xml),
    ("<data>AQI</data>", .xml), ("<data>A===</data>", .xml), ("<data>AQ*=</data>", .xml),
    ("<data>AQ==AQ==</data>", .xml),
    ("<dict><string>a</string></dict>", .xml), ("<dict><key>a</key></dict>", .xml),
    ("<dict><key>a</key><true/><key>a</key><true/></dict>", .key),
    ("<array x=\"<\"/>", .xml), ("<array x></array>", .xml), ("<!-- -", .xml),
  ]

  @Test("a mistake gives a typed error with its place", arguments: mistakes)
  func mistake(_ element: String, _ code: ArchiveError.Code) {
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(Self.file(element)) }
    #expect(error?.code == code && error?.position != nil, "\(String(describing: error))")
  }

  @Test("entities cannot be defined, and other encodings are refused by name")
  func prolog() throws {
    let bomb = """
      <?xml version="1.0"?><!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>
      <plist><string>&b;</string></plist>
      """
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(bomb.utf8) }
    #expect(error?.expected == "a document type without definitions")
    let latin = #expect(throws: ArchiveError.self) {
      try PropertyListValue(
        "<?xml version='1.0' encoding='ISO-8859-1'?><plist><true/></plist>".utf8)
    }
    #expect(latin?.found == "'iso-8859-1'")
    let marked = "\u{FEFF}<!-- a --><!DOCTYPE plist SYSTEM 'x'><plist version='1.0'><true/></plist>"
    #expect(try PropertyListValue(marked.utf8) == true)
    let byte = Self.file("<string>") + [0xFF] + Array("</string></plist>".utf8)
    #expect(throws: ArchiveError.self) { try PropertyListValue(byte) }
  }

  @Test("deep and long lists are refused")
  func limits() {
    let deep = String(repeating: "<array>", count: 100_000)
    let error = #expect(throws: ArchiveError.self) { try PropertyListValue(Self.file(deep)) }
    #expect(error?.code == .depth)
    let long = "<array>" + String(repeating: "<true/>", count: 131_072) + "</array>"
    let many = #expect(throws: ArchiveError.self) { try PropertyListValue(Self.file(long)) }
    #expect(many?.code == .count)
  }

  @Test("a list is written as Apple's systems write it, and read again")
  func write() throws {
    let list: PropertyListValue = [
      "name": "Ida & <Kremer>", "count": -3, "big": .unsigned(.max), "price": 0.1, "on": true,
      "made": .date(810_000_000), "bytes": .data([UInt8](0..<50)), "root": .uid(1), "empty": [],
      "none": [:], "list": [false, [.float(1.5)]],
    ]
    let text = try list.xml()
    #expect(
      text == """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
        \t<key>name</key>
        \t<string>Ida &amp; &lt;Kremer&gt;</string>
        \t<key>count</key>
        \t<integer>-3</integer>
        \t<key>big</key>
        \t<integer>18446744073709551615</integer>
        \t<key>price</key>
        \t<real>0.1</real>
        \t<key>on</key>
        \t<true/>
        \t<key>made</key>
        \t<date>2026-09-02T00:00:00Z</date>
        \t<key>bytes</key>
        \t<data>
        \tAAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8gISIjJCUmJygpKissLS4vMDE=
        \t</data>
        \t<key>root</key>
        \t<dict>
        \t\t<key>CF$UID</key>
        \t\t<integer>1</integer>
        \t</dict>
        \t<key>empty</key>
        \t<array/>
        \t<key>none</key>
        \t<dict/>
        \t<key>list</key>
        \t<array>
        \t\t<false/>
        \t\t<array>
        \t\t\t<real>1.5</real>
        \t\t</array>
        \t</array>
        </dict>
        </plist>

        """)
    var same = list
    if case .dictionary(var pairs) = list {
      pairs["list"] = [false, [1.5]]
      same = .dictionary(pairs)
    }
    #expect(try PropertyListValue(list.xml().utf8) == same)
  }

  @Test("what XML cannot express is refused")
  func inexpressible() {
    for value: PropertyListValue in [.set([]), "\u{0}", .date(.nan), .date(1e300), [["\u{B}"]]] {
      let error = #expect(throws: ArchiveError.self) { try value.xml() }
      #expect(error?.code == .inexpressible)
    }
  }

  @Test("data and dates of all sizes are the same after writing and reading")
  func again() throws {
    for count in 0..<200 {
      let value = PropertyListValue.array([
        .data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 37) }),
        .date(Double(count) * 123_456_789 - 9_876_543_210),
      ])
      #expect(try PropertyListValue(value.xml().utf8) == value)
    }
  }
}
