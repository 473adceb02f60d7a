import Foundation

/// What the program was asked to do: `[--store PATH] [--people NUMBER]`.
struct Arguments {
  var store: URL?
  var people = 6

  static let usage = "usage: RecipesExample [--store PATH] [--people NUMBER]"

  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    while let word = rest.popFirst() {
      switch word {
      case "--store":
        guard let path = rest.popFirst() else { throw UsageError("--store needs a path") }
        store = URL(filePath: path)
      case "--people":
        guard let number = rest.popFirst().flatMap({ Int($0) }), (1...1000).contains(number) else {
          throw UsageError("--people needs a number from 1 to 1000")
        }
        people = number
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
