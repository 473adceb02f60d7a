import Foundation

/// What the program was asked to do: `[--store PATH] [COMMAND]`.
struct Arguments {
  enum Command {
    case show
    /// Adds a color, or changes the color of that name.
    case pick(name: String, color: String)
    case rename(name: String, newName: String)
    case remove(name: String)
    case css
  }

  var store: URL?
  var command = Command.show

  static let usage = """
    usage: ColorPickerExample [--store PATH] [COMMAND]
      pick NAME COLOR   adds a color, such as "oklch(60% 0.2 30)" or "#E34234", or changes it
      rename NAME NAME  gives a color another name
      remove NAME       removes a color
      css               prints the palette as CSS
    """

  init(_ words: some Sequence<String>) throws {
    var rest = Array(words)[...]
    func next(_ what: String) throws -> String {
      guard let word = rest.popFirst() else {
        throw UsageError("\(what) is missing\n\(Self.usage)")
      }
      return word
    }
    while let word = rest.popFirst() {
      switch word {
      case "--store": store = URL(filePath: try next("the path of --store"))
      case "pick": command = .pick(name: try next("the name"), color: try next("the color"))
      case "rename":
        command = .rename(name: try next("the name"), newName: try next("the new name"))
      case "remove": command = .remove(name: try next("the name"))
      case "css": command = .css
      case "--help", "-h":
        print(Self.usage)
        exit(0)
      default: throw UsageError("unknown argument '\(word)'\n\(Self.usage)")
      }
    }
  }
}

struct UsageError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}
