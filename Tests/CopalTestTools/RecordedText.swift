import Foundation

/// A text in `Tests/References/Sentences` that a test compares with what the code says now.
///
/// `Scripts/record-sentences` runs the tests so that they write their texts. What has changed is then seen in the commit.
public struct RecordedText: Sendable {
  private let file: URL

  /// - Parameter name: the name of the file, without its extension.
  public init(_ name: String) {
    file =
      URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../References/Sentences/\(name).txt").standardizedFileURL
  }

  /// The recorded text.
  public func text() throws -> String { try String(contentsOf: file, encoding: .utf8) }

  /// The lines that one of the texts has and the other one has not; none while the texts are recorded.
  public func differences(from now: String) throws -> [String] {
    if ProcessInfo.processInfo.environment["COPAL_RECORD"] == "1" {
      try now.write(to: file, atomically: true, encoding: .utf8)
      return []
    }
    let lines = try text().split(separator: "\n", omittingEmptySubsequences: false)
    let new = now.split(separator: "\n", omittingEmptySubsequences: false)
    return new.difference(from: lines).map {
      switch $0 {
      case .insert(_, let line, _): "+ \(line)"
      case .remove(_, let line, _): "- \(line)"
      }
    }
  }
}
