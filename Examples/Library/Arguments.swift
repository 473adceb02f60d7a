/// The arguments of the program.
struct Arguments {
  static let usage = """
    usage: LibraryExample [--copies N]

    Type a part of a title or of a name. Each line of an input that is no terminal is one search.

      --copies N  fills the library with N copies of its 37 books, from 1 to 10000
    """

  var copies = 1
  var wantsHelp = false

  init(_ words: some Sequence<String>) throws {
    var words = Array(words)[...]
    while let word = words.popFirst() {
      switch word {
      case "--help", "-h": wantsHelp = true
      case "--copies":
        guard let number = words.popFirst().flatMap({ Int($0) }), (1...10_000).contains(number)
        else { throw Invalid(description: "--copies needs a number from 1 to 10000") }
        copies = number
      default: throw Invalid(description: "unknown argument '\(word)'\n\(Self.usage)")
      }
    }
  }

  struct Invalid: Error, CustomStringConvertible {
    let description: String
  }
}
