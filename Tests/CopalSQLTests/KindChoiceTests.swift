import CopalSQL
import Testing

@Suite("The choice between the index of entities and the order of keys")
struct KindChoiceTests {
  /// A table of 30,000 rows: which of them are rows of the entity, and whether they are read by
  /// key.
  static let tables: [(String, @Sendable (Int64) -> Bool, byKey: Bool, sorted: Bool)] = [
    ("all", { _ in true }, true, true),
    ("runs of a thousand, a third of all", { $0 / 1000 % 3 == 0 }, false, true),
    ("runs of ten, a third of all", { $0 / 10 % 3 == 0 }, false, true),
    ("each third", { $0 % 3 == 0 }, true, true),
    ("each fourth", { $0 % 4 == 0 }, true, true),
    ("each sixth", { $0 % 6 == 0 }, false, true),
    ("each tenth", { $0 % 10 == 0 }, false, false),
    ("each hundredth", { $0 % 100 == 0 }, false, false),
    ("the first thousand", { $0 <= 1000 }, false, false),
    ("the last thousand", { $0 > 29_000 }, false, false),
    ("all but a tenth in the middle", { !(14_000..<17_000).contains($0) }, true, true),
    ("none", { _ in false }, false, false),
  ]

  @Test("the rows that are left out, and those that follow each other, decide", arguments: tables)
  func choice(
    _ name: String, _ isOne: @Sendable (Int64) -> Bool, byKey: Bool, sorted: Bool
  ) {
    var choice = KindChoice(rowCount: 30_000)
    #expect(choice.parts.count == 16 && choice.parts.first == 1...256)
    for part in choice.parts { choice.add(part.filter(isOne)) }
    #expect(choice.prefersKey(needsSort: false) == byKey)
    #expect(choice.prefersKey(needsSort: true) == sorted)
  }

  @Test(
    "a sorted query with a limit is read by the index of its order if enough rows are of the entity",
    arguments: [
      (rows: 10_000, wanted: 1, threshold: 100), (1_000_000, 10, 3162),
      (1_000_000, 1_000_000, 500_000),
      (Int64.max, .greatestFiniteMagnitude, 1 << 62),
    ] as [(Int64, Double, Int)])
  func sorted(rows: Int64, wanted: Double, threshold: Int) {
    #expect(KindChoice.threshold(rowCount: rows, wantedCount: wanted) == threshold)
  }
}
