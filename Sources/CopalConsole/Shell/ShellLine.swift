import CopalExchange

/// What a line asks for: a condition, or a command that begins with a point.
enum ShellLine {
  case nothing
  case condition(String)
  case entity(String)
  case entities
  case columns([ResultColumn])
  case group([ResultColumn])
  case sort([ResultOrder])
  case limit(Int?)
  case explain(Bool)
  case help
  case quit

  init(_ line: String) throws(ResultColumn.Failure) {
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
    case ".columns": self = .columns(try ResultColumn.list(rest))
    case ".group": self = .group(try ResultColumn.list(rest))
    case ".sort": self = .sort(try ResultOrder.list(rest))
    case ".limit": self = .limit(try Self.limit(rest))
    case ".explain": self = .explain(try Self.isOn(rest))
    case ".help": self = .help
    case ".quit", ".exit": self = .quit
    default:
      throw ResultColumn.Failure("unknown command '\(name)'; .help shows the commands")
    }
  }

  /// The commands, for completion.
  static let commands = [
    ".columns", ".entities", ".entity", ".exit", ".explain", ".group", ".help", ".limit", ".quit",
    ".sort",
  ]

  /// The words of the language of conditions, for completion.
  static let keywords = [
    "ALL", "AND", "ANY", "BEGINSWITH", "BETWEEN", "CONTAINS", "ENDSWITH", "FALSEPREDICATE", "IN",
    "LIKE", "MATCHES", "NONE", "NOT", "OR", "SELF", "SUBQUERY", "TRUEPREDICATE", "nil",
  ]

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
    A line that ends with \\ goes on in the next one. Tab completes a name.
    """

  private static func limit(_ text: String) throws(ResultColumn.Failure) -> Int? {
    if text.isEmpty { return nil }
    guard let number = Int(text), number > 0 else {
      throw ResultColumn.Failure(".limit needs a number greater than 0, such as .limit 10")
    }
    return number
  }

  private static func isOn(_ text: String) throws(ResultColumn.Failure) -> Bool {
    guard text == "on" || text == "off" else {
      throw ResultColumn.Failure("write .explain on or .explain off")
    }
    return text == "on"
  }
}

extension String {
  var trimmed: String {
    String(drop { $0.isWhitespace }.reversed().drop { $0.isWhitespace }.reversed())
  }
}
