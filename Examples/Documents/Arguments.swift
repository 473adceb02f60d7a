import Foundation

/// What the program was asked to do: `[--folder PATH]`.
struct Arguments {
  var folder: URL?

  static let usage = "usage: DocumentsExample [--folder PATH]"

  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--folder":
        guard let path = rest.popFirst() else { throw UsageError("--folder needs a path") }
        folder = URL(filePath: path, directoryHint: .isDirectory).absoluteURL
      case "--help", "-h":
        print(Self.usage)
        exit(0)
      default: throw UsageError("unknown argument '\(word)'; \(Self.usage)")
      }
    }
  }
}

struct UsageError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
