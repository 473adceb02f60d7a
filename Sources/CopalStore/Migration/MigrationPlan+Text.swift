import CopalModel

extension MigrationPlan: CustomStringConvertible {
  /// The plan as a table: a line for each change, with what it does in the store.
  public var description: String {
    let rows = changes.map { [$0.subject, $0.detail, result(of: $0)] }
    let widths = (0..<2).map { column in
      min(rows.map { $0[column].count }.max() ?? 0, Self.greatestWidth)
    }
    let lines = rows.map { row in
      let padded = zip(row, widths).map { text, width in
        text + String(repeating: " ", count: max(0, width - text.count))
      }
      return "  " + (padded + [row[2]]).joined(separator: "  ")
    }
    return ([head] + lines + [tail].compactMap { $0 }).joined(separator: "\n")
  }

  /// A wider text moves the rest of its line.
  private static let greatestWidth = 60

  private var head: String {
    let counts = objectCounts.map { "\($0.count.grouped) \($0.entity)" }
    return "\(model), version \(fromVersion) to \(toVersion)"
      + (counts.isEmpty ? "" : ": " + counts.joined(separator: ", "))
  }

  private var tail: String? {
    if detail == .model { return dependsOnRows ? "the rows were not read" : nil }
    if writtenRows == 0 { return "writes no rows" }
    return "writes \(writtenRows.grouped) \(writtenRows == 1 ? "row" : "rows") of \(writtenTables) "
      + (writtenTables == 1 ? "table" : "tables")
  }

  private func result(of change: ModelChange) -> String {
    var words: [String] = []
    switch change.effect {
    case .nothing: words.append("nothing to do")
    case .inPlace: words.append("in place")
    case .writesRows:
      words.append(
        change.rowCount.map { $0 == 1 ? "1 row" : "\($0.grouped) rows" } ?? "writes rows")
    }
    switch change.outcome {
    case .lossless: break
    case .dependsOnRows: words.append("depends on the rows")
    case .lossy(nil): words.append("lossy")
    case .lossy("removed"): words.append("lossy (\"removed\")")
    case .lossy(let word?): words.append("lossy (\"conversion\": \"\(word)\")")
    case .refused(let cure): return "REFUSED: \(cure)"
    }
    return words.joined(separator: ", ")
  }
}

extension Int {
  /// The number with a comma before each three digits.
  package var grouped: String {
    var text = ""
    for (place, digit) in String(magnitude).reversed().enumerated() {
      if place > 0, place.isMultiple(of: 3) { text.append(",") }
      text.append(digit)
    }
    return (self < 0 ? "-" : "") + String(text.reversed())
  }
}
