/// What a terminal shows after some output: the lines, and the place of the cursor. It knows the
/// escape sequences that the examples use.
struct Screen: Equatable {
  let width: Int
  private(set) var rows: [[Character]] = [[]]
  private(set) var row = 0
  /// The column of the cursor, from 0.
  private(set) var column = 0
  /// Whether a line goes on below where it is too long; otherwise it is cut.
  private var wraps = true

  init(width: Int, output: String = "") {
    self.width = width
    var scalars = output.unicodeScalars[...]
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "\r": column = 0
      case "\n": moveDown()
      case "\u{1B}": escape(&scalars)
      default: put(scalar)
      }
    }
  }

  /// The lines, without spaces at their ends. The second place of a wide character has no text.
  var lines: [String] {
    rows.map { row in
      let text = String(row.filter { $0 != "\0" })
      return String(text.reversed().drop { $0 == " " }.reversed())
    }
  }
  var text: String { lines.joined(separator: "\n") }
  /// The line with the cursor.
  var line: String { lines[row] }

  private mutating func moveDown() {
    row += 1
    if row == rows.count { rows.append([]) }
  }

  private mutating func put(_ scalar: Unicode.Scalar) {
    if scalar.properties.canonicalCombiningClass != .notReordered, column > 0 {
      rows[row][column - 1] = Character(String(rows[row][column - 1]) + String(scalar))
      return
    }
    // East Asian characters and emoji have two columns.
    let columns = scalar.value >= 0x2E80 ? 2 : 1
    if column + columns > width {
      if !wraps { return }
      moveDown()
      column = 0
    }
    for character in [Character(scalar), "\0"].prefix(columns) {
      while rows[row].count <= column { rows[row].append(" ") }
      rows[row][column] = character
      column += 1
    }
  }

  private mutating func escape(_ scalars: inout Substring.UnicodeScalarView) {
    guard scalars.popFirst() == "[" else { return }
    var number = 0
    while let scalar = scalars.popFirst() {
      switch scalar {
      case "0"..."9": number = number * 10 + Int(scalar.value - 48)
      case ";": number = 0
      case "?": continue
      case "h", "l":
        if number == 7 { wraps = scalar == "h" }
        return
      case "A":
        row = max(row - max(number, 1), 0)
        return
      case "C":
        column = min(column + max(number, 1), width - 1)
        return
      case "K":
        rows[row].removeLast(max(rows[row].count - column, 0))
        return
      case "H":
        (row, column) = (0, 0)
        return
      case "J" where number == 2:
        rows = Array(repeating: [], count: row + 1)
        return
      case "J":
        rows.removeLast(rows.count - row - 1)
        rows[row].removeLast(max(rows[row].count - column, 0))
        return
      default: return
      }
    }
  }
}
