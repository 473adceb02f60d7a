import Foundation

/// The codes of errors that the sources declare, so that no list of them is kept.
public enum DeclaredCodes {
  /// The codes that are declared in the files of a type and of its extensions, such as
  /// `PersistenceError+RuleCodes.swift`.
  public static func of(_ type: String) -> [String] {
    let sources = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Sources").standardizedFileURL
    let files = FileManager.default.enumerator(at: sources, includingPropertiesForKeys: nil)
    return (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.lastPathComponent.hasPrefix("\(type)+") }.sorted { $0.path < $1.path }
      .compactMap { try? String(contentsOf: $0, encoding: .utf8) }
      .flatMap { $0.matches(of: /static let \w+ = Self\(\s*"([a-z]+\.[a-zA-Z0-9]+)"/) }
      .map { String($0.output.1) }
  }
}
