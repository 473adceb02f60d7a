import CopalModel
import CopalTestTools
import Foundation
import Testing

@Suite("Hostile texts of conditions")
struct HostileFormatTests {
  private static let words = [
    "a", "b", "name", "a.b", "SELF", "$x", "$y", "%@", "%K", "%d", "%f", "%%", "%", "AND", "OR",
    "NOT",
    "ANY", "ALL", "NONE", "IN", "BETWEEN", "CONTAINS", "BEGINSWITH", "LIKE", "MATCHES", "TRUE",
    "nil",
    "TRUEPREDICATE", "==", "!=", "<", "<=", "=>", "<>", "=", "!", "&&", "||", "??", "+", "-", "*",
    "**", "/", "(", ")", "{", "}", "[", "]", "[c]", "[cd]", "[SIZE]", ",", ".", ".@count",
    ".@sum.a", "@",
    "#", "#in", "$", "'", "\"", "\\", "'x'", "\"y\\n\"", "\\u", "1", "-1", "1.5", "0x1F", "1e9",
    "1e999",
    "99999999999999999999", "SUBQUERY(a, $x, ", "SUBQUERY(", "CAST(", "'NSDate'", "TERNARY(",
    "abs:(",
    "add:to:(", "now()", "iskind:(SELF, 'B')", "as:(SELF, 'B').", "property:(SELF, '')",
    "sum:(a, $x, ",
    "exists:(", ":", "é", "🎨", "\u{301}", "\u{0}", "\n", "\t", "\u{A0}", "?", "~", ";",
  ]

  private static let good = [
    "a == 1 AND b != 'x' OR NOT (a > b)", "ANY a.b ==[cd] %@",
    "a BETWEEN {1, b} AND a IN {1, 2, 'x'}",
    "SUBQUERY(a, $x, $x.b == a AND SUBQUERY($x.c, $y, $y.d > $x.e).@count > 1).@sum.f > 3",
    "TERNARY(a == 1, b, CAST('2001-01-01T00:00:00Z', 'NSDate')) < now()",
    "a + b * -2 / (c - 1) ?? 3 == 0",
    "%@ IN authors AND %K.@count > %d", "as:(SELF, 'B').c LIKE '*x' AND exists:(a, $x, $x.b == 1)",
    "a == \"\\u00e9\\x41\\n\" AND b MATCHES[c] 'P.*'",
  ]

  /// The number of random texts, and of changed texts; `COPAL_TEXTS` sets another one.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_TEXTS"].flatMap(Int.init) ?? 10_000

  /// Parses a text. What it means prints as a text that means the same.
  private func check(_ text: String) -> Bool {
    guard let format = try? PredicateFormat(text) else { return false }
    let arguments: [FormatArgument] = (0..<format.argumentCount).map {
      [.value("a"), .value(1), .value(1.5), .list([1, 2])][$0 % 4]
    }
    guard let predicate = try? format.predicate(arguments: arguments) else { return false }
    let printed = predicate.format
    do {
      let again = try FetchPredicate(format: printed)
      #expect(again.format == printed, "\(text)")
      // What cannot be written in another way is also the same condition. A test of a text with nil
      // is never true, and is printed so.
      #expect(again == predicate || printed.contains("FALSEPREDICATE"), "\(text): \(printed)")
    } catch {
      Issue.record("\(text): \(printed): \(error)")
    }
    return true
  }

  @Test("random texts end with a condition or an error")
  func random() {
    var random = SplitMix(seed: 7)
    var valid = 0
    for _ in 0..<Self.count {
      let count = Int.random(in: 1...12, using: &random)
      let text = (0..<count).compactMap { _ in Self.words.randomElement(using: &random) }
        .joined(separator: Bool.random(using: &random) ? " " : "")
      if check(text) { valid += 1 }
    }
    for _ in 0..<Self.count / 5 {
      let bytes = (0..<Int.random(in: 1...24, using: &random)).map { _ in
        UInt8.random(in: 0...255, using: &random)
      }
      if check(String(decoding: bytes, as: UTF8.self)) { valid += 1 }
    }
    #expect(valid > 5)
  }

  @Test("changed texts end with a condition or an error")
  func mutated() {
    var random = SplitMix(seed: 11)
    var valid = 0
    for _ in 0..<Self.count {
      var bytes = Array((Self.good.randomElement(using: &random) ?? "").utf8)
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        let place = Int.random(in: 0..<bytes.count, using: &random)
        switch Int.random(in: 0..<4, using: &random) {
        case 0: bytes[place] = UInt8.random(in: 1...255, using: &random)
        case 1: bytes.remove(at: place)
        case 2:
          bytes.insert(contentsOf: (Self.words.randomElement(using: &random) ?? "").utf8, at: place)
        default: bytes.swapAt(place, bytes.count - 1)
        }
        if bytes.isEmpty { bytes = [0x61] }
      }
      if check(String(decoding: bytes, as: UTF8.self)) { valid += 1 }
    }
    #expect(valid > 100)
  }

  @Test("every beginning of a text ends with a condition or an error", arguments: good)
  func beginnings(text: String) {
    for count in 0...text.count { _ = check(String(text.prefix(count))) }
  }

  /// What is repeated, what is inside, and what closes it.
  private static let bombs: [(String, String, String)] = [
    ("(", "a == 1", ")"), ("NOT ", "a == 1", ""), ("!", "a == 1", ""), ("-", "a == 1", ""),
    ("a == (", "1", ")"), ("abs:(", "a", ") == 1"), ("a == abs(", "1", ")"), ("{", "1", "}"),
    ("a IN {", "1", "}"), ("a == 1 AND (b == 1 OR ", "a == 1", ")"),
    ("a == TERNARY(", "b == 1", ", 1, 1)"),
    ("TERNARY(TRUEPREDICATE, 1, ", "1", ") == 1"), ("a == 1 + (1 - ", "1", ")"),
    ("SUBQUERY(a, $x, ", "a == 1", ").@count > 0"), ("exists:(a, $x, ", "a == 1", ")"),
    ("sum:(a, $x, ", "1", ") == 1"), ("CAST(", "a", ", 'NSDate') == 1"), ("ANY (", "a == 1", ")"),
  ]

  @Test("texts nested 20,000 levels deep are refused", arguments: bombs)
  func nesting(opening: String, middle: String, closing: String) throws {
    for closing in [closing, ""] {
      let text =
        String(repeating: opening, count: 20_000) + middle
        + String(repeating: closing, count: 20_000)
      #expect(throws: PredicateFormatError.self) { _ = try PredicateFormat(text) }
    }
    let text =
      String(repeating: opening, count: 30) + middle + String(repeating: closing, count: 30)
    _ = check(text)
  }

  @Test("texts near the limit of nesting need less than 2 MB of stack", arguments: bombs)
  func stack(opening: String, middle: String, closing: String) async {
    // In a debug build. An optimized build needs 0.5 MB. Threads of Linux have 8 MB.
    let text =
      String(repeating: opening, count: 49) + middle + String(repeating: closing, count: 49)
    await withCheckedContinuation { continuation in
      let thread = Thread {
        if let predicate = try? PredicateFormat(text).predicate(arguments: []) {
          _ = predicate.format
        }
        continuation.resume()
      }
      thread.stackSize = 2 << 20
      thread.start()
    }
  }

  @Test("the limit of nesting is 100")
  func limit() throws {
    func nested(_ count: Int) -> String {
      String(repeating: "(", count: count) + "a == 1" + String(repeating: ")", count: count)
    }
    #expect(try FetchPredicate(format: nested(100)) == equal(a, .constant(1)))
    let error = try #require(throws: PredicateFormatError.self) { try PredicateFormat(nested(101)) }
    #expect(error.code == .tooDeep)
    #expect(error.column == 101)
  }

  @Test(
    "a long chain is refused, because every operator is a level",
    arguments: ["+", "-", "*", "/", "??", "%%"])
  func chains(sign: String) throws {
    let chain = (0..<100_000).map { _ in "a" }.joined(separator: sign)
    let error = try #require(throws: PredicateFormatError.self) {
      try PredicateFormat(chain + " == 1")
    }
    #expect(error.code == .tooDeep)
    let short = (0..<90).map { _ in "a" }.joined(separator: sign)
    #expect(check(short + " == 1"))
    // Chains in chains have one limit together.
    let inner = (0..<60).map { _ in "a" }.joined(separator: "+")
    #expect(throws: PredicateFormatError.self) {
      try PredicateFormat("(\(inner))" + String(repeating: "+ a", count: 60) + " == 1")
    }
  }

  @Test("5,000 conditions are one flat list", arguments: ["OR", "AND", "||", "&&"])
  func flat(word: String) throws {
    let parts = (0..<5_000).map { equal(a, .constant(.integer($0))) }
    let text = (0..<5_000).map { "a == \($0)" }.joined(separator: " \(word) ")
    let predicate = try FetchPredicate(format: text)
    let isOr = word == "OR" || word == "||"
    #expect(predicate == (isOr ? .or(parts) : .and(parts)))
    #expect(try FetchPredicate(format: predicate.format) == predicate)
  }

  @Test("a list of 100,000 values")
  func longList() throws {
    let values = (0..<100_000).map { PropertyValue.integer($0) }
    let text = "a IN {" + (0..<100_000).map { "\($0)" }.joined(separator: ",") + "}"
    let predicate = try FetchPredicate(format: text)
    #expect(predicate == .isIn(a, values))
    #expect(try FetchPredicate(format: "a IN %@", values) == predicate)
    #expect(
      try FetchPredicate(format: "a IN[c] %@", values)
        == .or(values.map { .text(a, .equal(.caseInsensitive), .constant($0)) }))
  }

  @Test("a text of more than 1 MB is refused")
  func length() throws {
    let text = "a == '" + String(repeating: "x", count: 1 << 20) + "'"
    let error = try #require(throws: PredicateFormatError.self) { try PredicateFormat(text) }
    #expect(error.code == .tooLong)
    #expect("\(error)".count < 400)
    _ = try PredicateFormat("a == '" + String(repeating: "x", count: (1 << 20) - 7) + "'")
  }

  @Test("more texts than the cache has places, from many tasks")
  func cache() async throws {
    await withTaskGroup(of: Void.self) { group in
      for task in 0..<4 {
        group.addTask {
          for number in 0..<600 {
            let predicate = try? FetchPredicate(format: "a == \(number % 550) AND b == %@", task)
            #expect(
              predicate
                == .and([
                  equal(a, .constant(.integer(Int64(number % 550)))),
                  equal(b, .constant(.integer(Int64(task)))),
                ]))
          }
        }
      }
    }
  }
}
