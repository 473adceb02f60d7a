import BenchKit

/// A line of an import: what all programs write.
struct Line {
  var code: String
  var name: String
  var note: String?
  var count: Int64
  var ratio: Double

  /// The lines of an import. Their codes begin at a number, so that imports can share a part of
  /// them.
  static func make(_ count: Int, from start: Int) -> [Line] {
    Row.make(count).enumerated().map { index, row in
      Line(
        code: "P-\(100_000 + start + index)", name: row.name, note: row.note, count: row.count,
        ratio: row.ratio)
    }
  }
}
