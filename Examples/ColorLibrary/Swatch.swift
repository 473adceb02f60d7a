import CopalColor
import Foundation

/// A color as a terminal can show it: a patch and its hex on a true-color one, the hex elsewhere.
struct Swatch {
  private let color: SerializableColor

  init(_ color: SerializableColor) { self.color = color }

  var line: String {
    guard let hex = try? color.hex, let (red, green, blue) = Self.bytes(hex) else {
      return color.css
    }
    return Self.isTrueColor ? "\u{1B}[48;2;\(red);\(green);\(blue)m      \u{1B}[0m \(hex)" : hex
  }

  private static func bytes(_ hex: String) -> (Int, Int, Int)? {
    guard let number = Int(hex.dropFirst().prefix(6), radix: 16) else { return nil }
    return (number >> 16, number >> 8 & 0xff, number & 0xff)
  }

  /// Whether the output is a terminal with 24-bit colors, and the user has not turned colors off
  /// (<https://no-color.org>).
  static let isTrueColor: Bool = {
    let environment = ProcessInfo.processInfo.environment
    let wantsNone = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    let knows = ["truecolor", "24bit"].contains(environment["COLORTERM"] ?? "")
    return knows && !wantsNone && isatty(STDOUT_FILENO) == 1
  }()
}
