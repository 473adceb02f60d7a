import Foundation

/// What the program was asked to do.
struct Arguments {
  enum Command: Equatable {
    /// Show the gallery; until a painting hangs there, or until the program is ended.
    case show(until: String?)
    /// Hang a painting in a room; in the cellar without one.
    case hang(title: String, room: String?)
  }

  var folder: URL?
  var command = Command.show(until: nil)

  static let usage = """
    usage: GalleryExample [--folder PATH] [--until TITLE]
           GalleryExample [--folder PATH] hang TITLE [ROOM]
    """

  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--folder":
        folder =
          URL(filePath: try Self.value(of: word, &rest), directoryHint: .isDirectory)
          .absoluteURL
      case "--until": command = .show(until: try Self.value(of: word, &rest))
      case "hang":
        command = .hang(title: try Self.value(of: word, &rest), room: rest.popFirst())
      case "--help", "-h":
        print(Self.usage)
        exit(0)
      default: throw UsageError("unknown argument '\(word)'\n\(Self.usage)")
      }
    }
  }

  private static func value(of word: String, _ rest: inout ArraySlice<String>) throws -> String {
    guard let value = rest.popFirst() else { throw UsageError("\(word) needs a value\n\(usage)") }
    return value
  }
}

struct UsageError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
