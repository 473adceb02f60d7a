/// A table for a terminal: the first column and the last are words, the others figures.
public struct TextTable: Sendable {
  public private(set) var rows: [[String]]

  public init(_ head: [String]) { rows = [head] }

  public mutating func add(_ row: [String]) { rows.append(row) }

  public var text: String {
    let widths = rows[0].indices.map { column in
      rows.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
    }
    return rows.map { row in
      let cells = row.enumerated().map { column, cell in
        let space = String(repeating: " ", count: widths[column] - cell.count)
        return column == 0 || column == rows[0].count - 1 ? cell + space : space + cell
      }
      let line = cells.joined(separator: "  ")
      return String(line.reversed().drop { $0 == " " }.reversed())
    }.joined(separator: "\n")
  }
}

extension Double {
  /// The number with so many digits after the point.
  public func rounded(_ digits: Int) -> String {
    guard isFinite else { return "–" }
    var factor = 1.0
    for _ in 0..<digits { factor *= 10 }
    let scaled = (magnitude * factor).rounded()
    guard scaled < 1e15 else { return "\(self)" }
    let sign = self < 0 && scaled > 0 ? "-" : ""
    guard digits > 0 else { return sign + "\(Int(scaled))" }
    let (whole, fraction) = Int(scaled).quotientAndRemainder(dividingBy: Int(factor))
    let decimals = "\(fraction)"
    return sign + "\(whole)." + String(repeating: "0", count: digits - decimals.count) + decimals
  }
}
