import Copal
import CopalTestTools
import Foundation
import Testing

@testable import CopalExchange

@Suite("The formats of files")
struct FormatTests {
  private func records(
    _ text: [UInt8], size: Int = 1 << 16, _ change: (inout CSVReader) -> Void = { _ in }
  ) throws -> [[String?]] {
    var rest = text[...]
    var reader = CSVReader(
      ByteInput {
        defer { rest = rest.dropFirst(size) }
        return Array(rest.prefix(size))
      })
    change(&reader)
    var records: [[String?]] = []
    while let record = try reader.next() {
      records.append(record.fields.map { $0.text.isEmpty && !$0.isQuoted ? nil : $0.text })
    }
    return records
  }

  @Test("CSV as RFC 4180 has it")
  func csv() throws {
    let cases: [(String, [[String?]])] = [
      ("", []), ("\n\n", []), ("a", [["a"]]), ("a\n", [["a"]]),
      ("a,b\r\nc,d", [["a", "b"], ["c", "d"]]),
      (",", [[nil, nil]]), ("\"\",a", [["", "a"]]),
      ("\"a,\"\"b\"\"\r\nc\",d", [["a,\"b\"\r\nc", "d"]]),
      ("\u{FEFF}a,b\n", [["a", "b"]]), (" a , b ", [[" a ", " b "]]), ("é,日本\n", [["é", "日本"]]),
      ("\"\"\"\"\n", [["\""]]), ("a\n\n\nb\n", [["a"], ["b"]]),
    ]
    for (text, wanted) in cases {
      for size in [1, 2, 3, 1000] {
        #expect(try records(Array(text.utf8), size: size) == wanted, "\(text), \(size)")
      }
    }
  }

  @Test("CSV with lines of comment, and without quotation marks, in parts of any size")
  func otherCSV() throws {
    let cases: [(String, quotes: Bool, [[String?]])] = [
      ("//\"a\nb,c\n//", true, [["b", "c"]]), ("/\n//\n", true, [["/"]]),
      ("\"//\",\"a\n//b\"\n", true, [["//", "a\n//b"]]), ("//a", true, []),
      ("\"a\",b\"\r\n\"\n", false, [["\"a\"", "b\""], ["\""]]), (",\n", false, [[nil, nil]]),
      ("\u{FEFF}//a\nb", false, [["b"]]),
    ]
    for (text, quotes, wanted) in cases {
      for size in [1, 2, 3, 1000] {
        let found = try records(Array(text.utf8), size: size) {
          ($0.hasQuotationMarks, $0.comment) = (quotes, Array("//".utf8))
        }
        #expect(found == wanted, "\(text), \(size)")
      }
    }
  }

  @Test("what is no CSV, with line and column")
  func wrongCSV() throws {
    let cases: [([UInt8], String)] = [
      (Array("a,b\nc,\"d".utf8), "2:- import.notCSV"),
      (Array("a\nb \"c\" d\n".utf8), "2:3 import.notCSV"),
      (Array("\"a\"b\n".utf8), "1:4 import.notCSV"),
      ([0x61, 0x0A, 0x62, 0xFF, 0x0A], "2:1 import.notUTF8"),
      ([0xFF, 0xFE, 0x61, 0x00], "1:- import.notUTF8"),
      (Array("a,5\" pipe\nb,c\n".utf8), "1:4 import.notCSV"),
    ]
    for (bytes, wanted) in cases {
      let error = #expect(throws: ImportError.self) { try records(bytes) }
      let problem = try #require(error?.problems.first)
      let column = problem.column.map(String.init) ?? "-"
      #expect("\(problem.line ?? 0):\(column) \(problem.code)" == wanted)
    }
  }

  @Test("fields that are written are read again, in parts of any size")
  func writtenCSV() throws {
    var random = SplitMix(seed: 41)
    let letters = ["a", "\"", ",", "\n", "\r", " ", "é", "😀", ";", "\t", "\u{0}"]
    for _ in 0..<300 {
      let rows = (0..<Int.random(in: 1...5, using: &random)).map { _ in
        (0..<3).map { _ -> String? in
          if Int.random(in: 0..<5, using: &random) == 0 { return nil }
          return (0..<Int.random(in: 0...6, using: &random)).map { _ in
            letters[Int.random(in: letters.indices, using: &random)]
          }.joined()
        }
      }
      var bytes: [UInt8] = []
      for row in rows {
        for (place, field) in row.enumerated() {
          if place > 0 { bytes.append(UInt8(ascii: ",")) }
          if let field { bytes.addCSV(field, delimiter: UInt8(ascii: ",")) }
        }
        bytes.append(0x0A)
      }
      #expect(try records(bytes, size: Int.random(in: 1...40, using: &random)) == rows)
    }
  }

  /// What Foundation says, which is another reader.
  private func foundation(_ bytes: [UInt8]) -> Any? {
    try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed])
  }

  private func plain(_ item: JSONItem) -> String {
    switch item {
    case .null: "null"
    case .boolean(let flag): flag ? "true" : "false"
    case .number(let text): "\(Double(text) ?? .nan)"
    case .string(let text): "\"\(text)\""
    case .array(let items): "[\(items.map { plain($0.item) }.joined(separator: ","))]"
    case .object(let fields):
      "{\(fields.map { "\($0.name):\(plain($0.value.item))" }.sorted().joined(separator: ","))}"
    }
  }

  private func plain(_ value: Any) -> String {
    switch value {
    case is NSNull: "null"
    case let number as NSNumber where CFBoolean.isBoolean(number):
      number.boolValue ? "true" : "false"
    case let number as NSNumber: "\(number.doubleValue)"
    case let text as String: "\"\(text)\""
    case let items as [Any]: "[\(items.map(plain).joined(separator: ","))]"
    case let fields as [String: Any]:
      "{\(fields.map { "\($0.key):\(plain($0.value))" }.sorted().joined(separator: ","))}"
    default: "?"
    }
  }

  @Test("JSON: the values of Foundation's reader, and nothing that it refuses")
  func json() throws {
    let seeds = [
      #"{"a": [1, -2.5e3, true, false, null, "x\"\\\/\b\f\n\r\té😀"], "b": {"c": []}}"#,
      #"[0, 0.1, 1E+2, "日本", "", {}]"#, #""text""#, "12", "null",
    ]
    var random = SplitMix(seed: 8259)
    for round in 0..<3000 {
      var bytes = Array(seeds[round % seeds.count].utf8)
      if round >= seeds.count {
        for _ in 0..<Int.random(in: 1...2, using: &random) {
          let place = Int.random(in: bytes.indices, using: &random)
          switch Int.random(in: 0..<3, using: &random) {
          case 0: bytes[place] = bytes[Int.random(in: bytes.indices, using: &random)]
          case 1 where bytes.count > 1: bytes.remove(at: place)
          default: bytes.insert(bytes[Int.random(in: bytes.indices, using: &random)], at: place)
          }
        }
      }
      let text = String(decoding: bytes, as: UTF8.self)
      guard let ours = try? JSONScanner.value(bytes[...]) else {
        // Foundation may be more lenient; each seed must be read.
        #expect(round >= seeds.count, "\(text)")
        continue
      }
      // Of two members with one name, Foundation keeps one.
      let names = text.split(separator: "\"")
      guard Set(names).count == names.count || round < seeds.count else { continue }
      let theirs = try #require(foundation(bytes), "\(text)")
      #expect(plain(ours) == plain(theirs), "\(text)")
    }
  }

  @Test(
    "texts that are no JSON",
    arguments: [
      "", "{", "[1,]", "{\"a\":1,}", "{a:1}", "'a'", "01", "1.", ".5", "+1", "nul", "\"\u{1}\"",
      "\"\\x\"", "\"\\u12\"", "\"\\ud800\"", "[1 2]", "{\"a\" 1}", "1 2", "NaN", "\"a",
      "// c\n1",
    ])
  func wrongJSON(text: String) {
    #expect(throws: JSONFailure.self) { try JSONScanner.value(Array(text.utf8)[...]) }
  }

  @Test("a text of JSON that is too deep is refused")
  func depth() {
    let text = String(repeating: "[", count: 100_000)
    #expect(throws: JSONFailure.self) { try JSONScanner.value(Array(text.utf8)[...]) }
  }

  @Test("every text of a value reads back to the value, bit for bit")
  func values() throws {
    var random = SplitMix(seed: 17)
    for _ in 0..<2000 {
      let bits = UInt64.random(in: .min ... .max, using: &random)
      let number = Double(bitPattern: bits)
      if number.isNaN { continue }
      let double = ValueReader(attribute: AttributeDescription("x", .double))
      let found = try double.value(of: ExchangeText.text(number))
      guard case .double(let read) = found else { continue }
      #expect(read.bitPattern == bits)
      let date = ValueReader(attribute: AttributeDescription("x", .date))
      let time = Date(
        timeIntervalSinceReferenceDate: Int.random(in: 0..<2, using: &random) == 0
          ? number : Double.random(in: -7e10...3e11, using: &random))
      guard case .date(let again) = try date.value(of: ExchangeText.text(time)) else { continue }
      #expect(
        again.timeIntervalSinceReferenceDate.bitPattern
          == time.timeIntervalSinceReferenceDate.bitPattern
          || time.timeIntervalSinceReferenceDate == 0)
    }
  }
}

/// Whether a number of Foundation's reader was `true` or `false`.
private enum CFBoolean {
  static func isBoolean(_ number: NSNumber) -> Bool {
    String(cString: number.objCType) == "c" || String(cString: number.objCType) == "B"
  }
}
