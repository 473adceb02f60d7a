import Copal
import CopalColor
import Foundation

extension Palette {
  /// The palette for a terminal: one line for each color.
  var text: String {
    let width = swatches.map(\.name.count).max() ?? 0
    let lines = swatches.map { swatch in
      let name = swatch.name.padding(toLength: width, withPad: " ", startingAt: 0)
      return "  \(Terminal.sample(of: swatch.color))\(name)  \(swatch.color?.css ?? "unreadable")"
    }
    return ([name] + lines).joined(separator: "\n")
  }
}

/// What the terminal can show.
enum Terminal {
  /// A sample of a color, on a terminal with 24-bit colors; empty elsewhere.
  static func sample(of color: SerializableColor?) -> String {
    guard showsColors, let hex = try? color?.hex,
      let number = Int(hex.dropFirst().prefix(6), radix: 16)
    else { return "" }
    let (red, green, blue) = (number >> 16, number >> 8 & 0xff, number & 0xff)
    return "\u{1B}[48;2;\(red);\(green);\(blue)m    \u{1B}[0m "
  }

  /// Whether the output is a terminal with 24-bit colors, and the user has not turned colors off
  /// (<https://no-color.org>).
  private static let showsColors: Bool = {
    let environment = ProcessInfo.processInfo.environment
    let wantsNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let knows = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    return knows && !wantsNone && isatty(STDOUT_FILENO) == 1
  }()
}
