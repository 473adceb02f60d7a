import Foundation
import Synchronization

/// The headings and sentences of `Docs/Errors.md`, which are those of the errors that tests make. What stands below them
/// is written by people.
///
/// `Scripts/record-sentences` runs the tests so that they write them: a new code gets a heading behind the last one of its
/// part, and a sentence that no error has any more is replaced.
public enum ErrorPage {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Docs/Errors.md").standardizedFileURL
  private static let page = Mutex(())

  /// The codes whose heading, with one of their sentences, the page has not; none while they are recorded.
  ///
  /// - Parameters:
  ///   - codes: all codes of a type.
  ///   - errors: the descriptions of errors, at least one for each code. What is behind the code does not count.
  public static func missing(_ codes: [String], of errors: [String]) throws -> [String] {
    let sentences = codes.map { code in errors.compactMap { sentence(of: $0, code) } }
    return try page.withLock { _ in
      var text = try String(contentsOf: file, encoding: .utf8)
      let missing = zip(codes, sentences).filter { code, sentences in
        !sentences.contains { text.contains(heading(code, $0)) }
      }
      guard ProcessInfo.processInfo.environment["COPAL_RECORD"] == "1" else {
        return missing.map(\.0)
      }
      for (code, sentences) in missing {
        guard let sentence = sentences.first else { continue }
        write(heading(code, sentence), code, in: &text)
      }
      try text.write(to: file, atomically: true, encoding: .utf8)
      return missing.filter(\.1.isEmpty).map(\.0)
    }
  }

  private static func heading(_ code: String, _ sentence: String) -> String {
    "\n## \(code)\n\n> `\(sentence)`\n"
  }

  /// The sentence of an error, on one line, if it has the code.
  private static func sentence(of error: String, _ code: String) -> String? {
    guard let end = error.range(of: " [\(code)]") else { return nil }
    return error[..<end.lowerBound].split(separator: "\n")
      .map { $0.trimmingCharacters(in: .whitespaces) }.joined(separator: " ")
  }

  private static func write(_ heading: String, _ code: String, in text: inout String) {
    let part = code.prefix { $0 != "." }
    if let old = text.range(of: "\n## \(code)\n\n> `"),
      let end = text[old.upperBound...].firstIndex(of: "\n")
    {
      text.replaceSubrange(old.lowerBound...end, with: heading)
    } else if let last = text.range(of: "\n## \(part).", options: .backwards),
      let next = text.range(of: "\n#", range: last.upperBound..<text.endIndex)
    {
      text.insert(contentsOf: heading, at: next.lowerBound)
    } else {
      text += heading
    }
  }
}
