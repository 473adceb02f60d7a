import BenchKit
import BenchModel
import Copal

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

/// Inserts a part for each number below a count, with the same part of a line.
func fill(_ count: Int, in context: ManagedObjectContext, line: (Int) -> Line) throws {
  var number = 0
  let inserted = try context.insertAll(Part.self) { part in
    if number == count { return .end }
    let line = line(number)
    part.code = "\(number) \(line.code)"
    part.name = line.name
    part.note = line.note
    part.count = line.count
    part.ratio = line.ratio
    number += 1
    return .insert
  }
  guard inserted == count else { throw Failure() }
}
