import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@Suite("Orders of texts")
struct TextOrderFormTests {
  private func isBefore(_ a: String, _ b: String, _ order: FetchSortKey.TextOrder) -> Bool {
    let form = TextOrderForm(order)
    return form.form(of: a).lexicographicallyPrecedes(form.form(of: b))
  }

  @Test(
    "the first text comes before the second one in the natural order",
    arguments: [
      ("file 2", "file 10"), ("File 2", "file 10"), ("file 2", "FILE 10"), ("1", "2"), ("9", "10"),
      ("a", "a1"), ("a1", "a1a"), ("a1b2", "a1b10"), ("a01b2", "a1b10"), ("1.9", "1.10"),
      ("x 99 y", "x 100 a"), (" ", "1"), ("/", "0"), ("0", ":"), ("9", "a"), ("", "0"),
      ("0", "1"), ("00", "1"), ("é 2", "e 10"), ("e 2", "é 10"),
      ("99999999999999999999", "100000000000000000000"),
    ])
  func natural(first: String, second: String) {
    #expect(isBefore(first, second, .natural))
    #expect(!isBefore(second, first, .natural))
  }

  @Test(
    "two texts are equal in an order",
    arguments: [
      ("a", "A", .caseInsensitive), ("STRASSE", "straße", .caseInsensitive),
      ("a", "Á", .alphabetical),
      ("file 01", "FILE 1", .natural), ("0", "000", .natural),
      ("\u{E9}", "e\u{301}", .caseInsensitive),
    ] as [(String, String, FetchSortKey.TextOrder)])
  func equal(first: String, second: String, order: FetchSortKey.TextOrder) {
    #expect(!isBefore(first, second, order) && !isBefore(second, first, order))
  }

  @Test("long numbers are ordered by their values: with 254, 255, 256 and 70,000 digits")
  func longNumbers() {
    let counts = [1, 253, 254, 255, 256, 257, 70_000]
    for (a, b) in zip(counts, counts.dropFirst()) {
      #expect(
        isBefore(
          String(repeating: "9", count: a), "1" + String(repeating: "0", count: b - 1), .natural))
    }
  }

  @Test("numbers in texts are ordered by their values: 5,000 random texts")
  func random() {
    var random = SplitMix(seed: 4)
    for _ in 0..<5000 {
      let (a, b) = (
        Int.random(in: 0...2000, using: &random), Int.random(in: 0...2000, using: &random)
      )
      let zeros = String(repeating: "0", count: Int.random(in: 0...2, using: &random))
      #expect(isBefore("n\(zeros)\(a)x", "N\(b)x", .natural) == (a < b))
    }
  }
}
