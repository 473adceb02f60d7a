import Foundation

/// Files of values that another implementation has made: those of `Tests/References`.
public enum References {
  /// The lines of a file, without its comments.
  public static func lines(_ name: String) throws -> [String] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let text = try String(contentsOf: folder.appending(path: "References/\(name)"), encoding: .utf8)
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }
}
