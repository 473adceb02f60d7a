/// A comment with its place: the text and whether a blank line stands before it.
struct FormatComment: Hashable {
  let text: String
  let followsBlankLine: Bool
}

/// An item of a list as the formatter sees it: comments belong to it, spaces do not.
///
/// A comment on a line of its own belongs to the item that follows. A comment at the end of a line
/// belongs to the item before it.
struct FormatItem {
  /// The comments on lines of their own, above the item.
  var above: [FormatComment] = []
  /// Whether a blank line stands before the item itself.
  var followsBlankLine = false
  /// The key as it is written; nil for an element of an array.
  var key: String?
  var value: FormatValue
  /// The comments at the end of the line.
  var behind: [String] = []

  /// The name of the key; nil for an element of an array.
  var name: String?
}

/// A value as the formatter sees it.
indirect enum FormatValue {
  case scalar(String)
  case list(FormatList)

  /// Whether a comment is inside.
  var hasComments: Bool {
    if case .list(let list) = self { list.hasComments } else { false }
  }
}

/// The items between two brackets as the formatter sees them.
struct FormatList {
  var isObject: Bool
  /// The comments behind the opening bracket, on its line.
  var behindOpen: [String] = []
  var items: [FormatItem] = []
  /// The comments before the closing bracket, on lines of their own.
  var tail: [FormatComment] = []

  var hasComments: Bool {
    !behindOpen.isEmpty || !tail.isEmpty
      || items.contains { !$0.above.isEmpty || !$0.behind.isEmpty || $0.value.hasComments }
  }
}

// MARK: From the tree

/// What stands before a token, divided where the first line ends.
private struct Gap {
  /// The comments on the line of the token before.
  var sameLine: [String] = []
  /// The comments on lines of their own.
  var ownLines: [FormatComment] = []
  /// Whether a blank line stands directly before the token.
  var endsWithBlankLine = false

  /// - Parameter isStart: whether no token stands before: then there is no line to go on with.
  init(_ trivia: [Trivia], isStart: Bool = false) {
    var newlines = isStart ? 1 : 0
    for piece in trivia {
      if piece.isNewline {
        newlines += 1
        continue
      }
      guard let comment = piece.comment else { continue }
      if newlines > 0 {
        ownLines.append(FormatComment(text: comment, followsBlankLine: newlines > 1))
      } else if let last = ownLines.popLast() {
        // Two comments on one line.
        ownLines.append(
          FormatComment(
            text: last.text + " " + comment, followsBlankLine: last.followsBlankLine))
      } else {
        sameLine.append(comment)
      }
      newlines = 0
    }
    endsWithBlankLine = newlines > 1
  }

  /// All comments, for a place where no line can end.
  var all: [FormatComment] {
    sameLine.map { FormatComment(text: $0, followsBlankLine: false) } + ownLines
  }
}

extension FormatValue {
  init(_ node: SyntaxNode) {
    switch node {
    case .scalar(let token): self = .scalar(token.text)
    case .array(let list): self = .list(FormatList(list, isObject: false))
    case .object(let list): self = .list(FormatList(list, isObject: true))
    }
  }
}

extension FormatList {
  init(_ list: SyntaxList, isObject: Bool) {
    self.isObject = isObject
    // A comma goes, or gets another place: what stands around it is one gap.
    var before = list.behindOpen
    for item in list.items {
      let gap = Gap(before + item.firstLeading)
      before = (item.comma?.leading ?? []) + item.trailing
      take(gap.sameLine)
      var made = FormatItem(value: FormatValue(item.value))
      made.key = item.key?.text
      made.name = item.key?.string
      // A comment between a key and its value goes above the item.
      let inside = (item.key == nil ? [] : item.value.firstLeading) + (item.colon?.leading ?? [])
      made.above = gap.ownLines + Gap(inside).all
      made.followsBlankLine = gap.endsWithBlankLine
      items.append(made)
    }
    let gap = Gap(before + list.close.leading)
    take(gap.sameLine)
    tail = gap.ownLines
  }

  /// Comments at the end of a line belong to the item before them, or to the opening bracket.
  private mutating func take(_ comments: [String]) {
    if comments.isEmpty { return }
    if items.isEmpty {
      behindOpen += comments
    } else {
      items[items.count - 1].behind += comments
    }
  }
}

extension SyntaxItem {
  fileprivate var firstLeading: [Trivia] { key?.leading ?? value.firstLeading }
}

extension SyntaxNode {
  fileprivate var firstLeading: [Trivia] {
    switch self {
    case .scalar(let token): token.leading
    case .array(let list), .object(let list): list.open.leading
    }
  }
}

/// A whole text as the formatter sees it.
struct FormatText {
  var above: [FormatComment]
  var value: FormatValue
  var behind: [String]
  var tail: [FormatComment]

  init(_ tree: SyntaxTree) {
    let leading: [Trivia] =
      switch tree.root {
      case .scalar(let token): token.leading
      case .array(let list), .object(let list): list.open.leading
      }
    above = Gap(leading, isStart: true).ownLines
    value = FormatValue(tree.root)
    let end = Gap(tree.end)
    behind = end.sameLine
    tail = end.ownLines
  }
}
