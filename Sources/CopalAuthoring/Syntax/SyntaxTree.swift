import CopalModel

/// The text of a model file as a tree that keeps everything: spaces, comments, and how each value
/// is written. An unchanged tree prints the same bytes.
///
/// `ModelReader` reads what a model means. A tool that changes a file, such as the formatter,
/// changes this tree, so that it loses no comment.
///
/// ```swift
/// if let tree = SyntaxTree(text) { print(tree.text == text) }  // true
/// ```
public struct SyntaxTree: Sendable, Hashable {
  /// Whether the text begins with a byte-order mark.
  public var hasByteOrderMark: Bool
  /// The value of the file.
  public var root: SyntaxNode
  /// The spaces and comments after the value.
  public var end: [Trivia]

  /// The tree of a text; nil for a text that is not JSON with comments and trailing commas.
  /// `ModelReader` says what is wrong with such a text.
  public init?(_ text: String) {
    var parser = SyntaxParser(text)
    guard let tree = parser.parse() else { return nil }
    self = tree
  }

  init(hasByteOrderMark: Bool, root: SyntaxNode, end: [Trivia]) {
    self.hasByteOrderMark = hasByteOrderMark
    self.root = root
    self.end = end
  }

  /// The text of the tree.
  public var text: String {
    var text = hasByteOrderMark ? "\u{FEFF}" : ""
    root.write(to: &text)
    for trivia in end { text += trivia.text }
    return text
  }
}

/// What stands between the tokens of a text: it has no meaning for the model.
public enum Trivia: Sendable, Hashable {
  /// Spaces and tabs.
  case spaces(String)
  /// The end of a line: `\n`, `\r\n` or `\r`.
  case newline(String)
  /// A comment from `//` to the end of the line, which is not a part of it.
  case lineComment(String)
  /// A comment from `/*` to `*/`.
  case blockComment(String)

  /// The characters.
  public var text: String {
    switch self {
    case .spaces(let text), .newline(let text), .lineComment(let text), .blockComment(let text):
      text
    }
  }

  /// The text of a comment; nil for spaces.
  public var comment: String? {
    switch self {
    case .lineComment(let text), .blockComment(let text): text
    case .spaces, .newline: nil
    }
  }

  /// Whether it is the end of a line.
  public var isNewline: Bool { if case .newline = self { true } else { false } }
}

/// A word, a number, a string or a sign of a text, with what stands before it.
public struct SyntaxToken: Sendable, Hashable {
  /// The spaces and comments before the token.
  public var leading: [Trivia]
  /// The token as it is written: a string has its quotes and escapes.
  public var text: String

  /// A token.
  public init(_ text: String, leading: [Trivia] = []) {
    self.text = text
    self.leading = leading
  }

  func write(to result: inout String) {
    for trivia in leading { result += trivia.text }
    result += text
  }

  /// The characters of a string, without quotes and escapes; nil for another token. A string that
  /// JSON does not allow, for example with a line break, has its characters as they are written.
  public var string: String? {
    guard text.hasPrefix("\"") else { return nil }
    if case .string(let value)? = try? JSONNode(json: text, file: "").kind { return value }
    return String(text.dropFirst().dropLast())
  }
}

/// A value of a text.
public indirect enum SyntaxNode: Sendable, Hashable {
  /// A string, a number, `true`, `false` or `null`.
  case scalar(SyntaxToken)
  /// An array.
  case array(SyntaxList)
  /// An object.
  case object(SyntaxList)

  func write(to text: inout String) {
    switch self {
    case .scalar(let token): token.write(to: &text)
    case .array(let list), .object(let list): list.write(to: &text)
    }
  }

  /// The items of an array or an object; nil for another value.
  public var list: SyntaxList? {
    switch self {
    case .scalar: nil
    case .array(let list), .object(let list): list
    }
  }

  /// The characters of a string; nil for another value.
  public var string: String? { if case .scalar(let token) = self { token.string } else { nil } }
}

/// The items between two brackets.
public struct SyntaxList: Sendable, Hashable {
  /// `[` or `{`.
  public var open: SyntaxToken
  /// A comment on the line of the opening bracket, with the spaces before it.
  public var behindOpen: [Trivia] = []
  /// The items in the order of the text.
  public var items: [SyntaxItem]
  /// `]` or `}`.
  public var close: SyntaxToken

  func write(to text: inout String) {
    open.write(to: &text)
    for trivia in behindOpen { text += trivia.text }
    for item in items { item.write(to: &text) }
    close.write(to: &text)
  }
}

/// An element of an array, or a key of an object with its value.
public struct SyntaxItem: Sendable, Hashable {
  /// The key; nil for an element of an array.
  public var key: SyntaxToken?
  /// The colon behind the key; nil for an element of an array.
  public var colon: SyntaxToken?
  /// The value.
  public var value: SyntaxNode
  /// The comma behind the value; nil where there is none.
  public var comma: SyntaxToken?
  /// A comment on the line of the value, behind the comma, with the spaces before it. It belongs to
  /// this item, also where the item gets another place.
  public var trailing: [Trivia] = []

  func write(to text: inout String) {
    key?.write(to: &text)
    colon?.write(to: &text)
    value.write(to: &text)
    comma?.write(to: &text)
    for trivia in trailing { text += trivia.text }
  }
}
