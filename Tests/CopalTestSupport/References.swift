import Foundation
import Testing

/// Files of values that another implementation has made: those of `Tests/References`, or of the
/// folder in `COPAL_REFERENCES`, which has all cases of some of them (`Scripts/test-references`).
public enum References {
  /// The lines of a file, without its comments.
  public static func lines(_ name: String) throws -> [String] {
    let tests = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    let all = ProcessInfo.processInfo.environment["COPAL_REFERENCES"].map { URL(filePath: $0) }
    let files = [all, tests.appending(path: "References")].compactMap { $0?.appending(path: name) }
    let file = try #require(files.first { FileManager.default.fileExists(atPath: $0.path) })
    let text = try String(contentsOf: file, encoding: .utf8)
    return text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
  }
}
