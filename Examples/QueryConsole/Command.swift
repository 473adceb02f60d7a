import Copal

/// What a line asks for: a condition, or a command that begins with a point.
enum Command {
  case nothing
  case condition(String)
  case entity(String)
  case entities
  case columns([Column])
  case sort([(column: Column, isAscending: Bool)])
  case limit(Int?)
  case explain(Bool)
  case help
  case quit

  /// A property, a path such as `maker.name`, or an aggregate of the objects, such as `average
  /// price`.
  struct Column {
    var name: String
    var expression: FetchExpression
    var isAggregate: Bool
  }

  init(_ line: String) throws {
    let text = line.trimmed
    guard text.hasPrefix(".") else {
      self = text.isEmpty ? .nothing : .condition(line)
      return
    }
    let name = text.prefix { $0 != " " }
    let rest = String(text.dropFirst(name.count)).trimmed
    switch name {
    case ".entity": self = .entity(rest)
    case ".entities": self = .entities
    case ".columns", ".group": self = .columns(try Self.items(rest).map(Column.init))
    case ".sort": self = .sort(try Self.items(rest).map(Self.sortKey))
    case ".limit": self = .limit(try Self.limit(rest))
    case ".explain": self = .explain(try Self.isOn(rest))
    case ".help": self = .help
    case ".quit", ".exit": self = .quit
    default: throw CommandError("unknown command '\(name)'; .help shows the commands")
    }
  }

  static let helpText = """
    A line is a condition in the language of NSPredicate, such as
      price BETWEEN {10, 20} AND maker.name CONTAINS[c] "kremer"
      ANY paintings.year < 1600
      TRUEPREDICATE                  every object
    .entity NAME                     ask about another entity
    .entities                        the entities and their properties
    .columns name, maker.name        show these values instead of objects
    .group maker.name, count, average price
                                     one row for each group; also sum, min and max
    .sort price desc, name           the order of the rows
    .limit 10                        the greatest number of rows
    .explain off                     show only the rows; .explain on shows the SQL again
    .quit                            leave
    Without a list, .columns, .group, .sort and .limit use none again.
    """

  private static func items(_ list: String) throws -> [String] {
    if list.isEmpty { return [] }
    return list.split(separator: ",", omittingEmptySubsequences: false).map { String($0).trimmed }
  }

  private static func sortKey(_ item: String) throws -> (column: Column, isAscending: Bool) {
    var words = item.split(separator: " ")
    let direction = ["asc", "desc"].first { $0 == words.last?.lowercased() }
    if direction != nil { words.removeLast() }
    return (try Column(words.joined(separator: " ")), direction != "desc")
  }

  private static func limit(_ text: String) throws -> Int? {
    if text.isEmpty { return nil }
    guard let number = Int(text), number > 0 else {
      throw CommandError(".limit needs a number greater than 0, such as .limit 10")
    }
    return number
  }

  private static func isOn(_ text: String) throws -> Bool {
    guard text == "on" || text == "off" else {
      throw CommandError("write .explain on or .explain off")
    }
    return text == "on"
  }
}

extension Command.Column {
  init(_ text: String) throws {
    let words = text.split(separator: " ").map(String.init)
    let functions: [String: FetchAggregate] = [
      "sum": .sum, "min": .min, "max": .max, "average": .average,
    ]
    switch words.count {
    case 1 where words[0] == "count":
      self.init(name: "count", expression: .objectCount, isAggregate: true)
    case 1: self.init(name: words[0], expression: .property(words[0]), isAggregate: false)
    case 2:
      guard let function = functions[words[0]] else {
        throw CommandError("unknown aggregate '\(words[0])'; write sum, min, max or average")
      }
      self.init(
        name: text, expression: .aggregate(function, of: .property(words[1])), isAggregate: true)
    default:
      throw CommandError("'\(text)' is no column; write names between commas, or average price")
    }
  }
}

/// What is wrong with a command.
struct CommandError: Error, CustomStringConvertible {
  var description: String
  init(_ description: String) { self.description = description }
}

extension String {
  fileprivate var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
