/// A word, a sign, a number or a text in quotes of a format.
struct FormatToken {
  enum Kind: UInt8 {
    case end
    /// A name, or a path of names with points. Also a word, see `word`.
    case name
    /// A name with colons, such as `add:to:`.
    case function
    /// `#name`, and a path after it.
    case escapedName
    /// `$name`, and a path after it.
    case variable
    /// `@name`.
    case aggregate
    case integer, floating, string
    /// `%@`, `%K`, `%d` and `%f` with what belongs to them.
    case value, key, integerArgument, floatingArgument
    case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual
    case and, or, not
    case openParenthesis, closeParenthesis, openBrace, closeBrace, openBracket, closeBracket
    case comma, dot, plus, minus, star, power, slash, remainder, coalesce
  }

  var kind: Kind
  /// The place of the first byte.
  var start: Int
  /// The place after the last byte.
  var end: Int
  /// The end of the first name of a path.
  var firstEnd = 0
  /// The reserved word, if a name without points is one. Also for `self` before a point.
  var word: FormatWord?
  /// Whether a text in quotes has escape sequences.
  var hasEscapes = false
}
