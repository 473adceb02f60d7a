import Foundation

/// A picture of a page in shades from black to white, as a file of the format PGM: a byte for each
/// point.
struct Scan {
  let data: Data

  /// A page with dark blocks in the place of words.
  init(width: Int, height: Int) {
    var data = Data("P5\n\(width) \(height)\n255\n".utf8)
    for row in 0..<height {
      for column in 0..<width { data.append(Self.isInk(row, column, width) ? 40 : 230) }
    }
    self.data = data
  }

  private static func isInk(_ row: Int, _ column: Int, _ width: Int) -> Bool {
    let isInMargin = column < width / 10 || column > width - width / 10
    return !isInMargin && row % 20 < 8 && (row * 7 + column) % 11 < 8
  }

  /// The data of a scan with black for white. The header has three lines.
  static func inverted(_ data: Data) -> Data {
    var lines = 0
    return Data(
      data.map { byte in
        if lines == 3 { return 255 - byte }
        if byte == UInt8(ascii: "\n") { lines += 1 }
        return byte
      })
  }
}
