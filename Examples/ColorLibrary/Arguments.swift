import Foundation

/// What the program was asked to do: `[--store PATH]`.
struct Arguments {
  var store: URL?

  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--store":
        guard let path = rest.popFirst() else { throw UsageError("--store wants a path") }
        store = URL(filePath: path)
      case "--help", "-h":
        print("usage: ColorLibraryExample [--store PATH]")
        exit(0)
      default: throw UsageError("unknown argument '\(word)'; usage: [--store PATH]")
      }
    }
  }
}

struct UsageError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
