/// Writes a model file in the canonical layout: two spaces, one item a line where a line would be
/// longer than 100 columns, and the keys of each kind in the order of `Docs/ModelFormat.md`.
///
/// Comments stay with what they belong to, and one blank line stays where there are some. The order
/// of entities and properties is the author's. The layout of a text in this layout is itself.
///
/// ```swift
/// let text = ModelFormatter.format(try String(contentsOf: file, encoding: .utf8))
/// ```
public enum ModelFormatter {
  /// The greatest number of columns of a line, where a list can be divided.
  static let width = 100

  /// The text in the canonical layout; nil for a text that is not JSON with comments and trailing
  /// commas. Nothing else is checked: a text that is no model is laid out, too.
  public static func format(_ text: String) -> String? {
    SyntaxTree(text).map { tree in
      var writer = FormatWriter()
      writer.write(FormatText(tree))
      return writer.text
    }
  }
}

/// What an object of a model file is, which decides its layout.
enum ModelPlace {
  case model, entities, entity
  case properties(of: ModelKeys.Kind)
  case property(ModelKeys.Kind)
  case other

  /// Whether each item has a line of its own, whatever its length.
  var isAlwaysDivided: Bool {
    switch self {
    case .model, .entities, .entity, .properties: true
    case .property, .other: false
    }
  }

  /// The order of the keys; nil where it is the author's.
  var order: [String]? {
    switch self {
    case .model: ModelKeys.model
    case .entity: ModelKeys.entity
    case .property(let kind): kind.keys
    case .entities, .properties, .other: nil
    }
  }

  /// The key whose value stands for an object that has nothing else: `"string?"`.
  var shortKey: String? { if case .property(let kind) = self { kind.shortKey } else { nil } }

  /// The place of the value of a key.
  func place(of key: String?) -> ModelPlace {
    switch (self, key) {
    case (.model, "entities"): .entities
    case (.entities, _): .entity
    case (.entity, let key?): ModelKeys.Kind(rawValue: key).map { .properties(of: $0) } ?? .other
    case (.properties(let kind), _): .property(kind)
    default: .other
    }
  }
}

private struct FormatWriter {
  private(set) var text = ""

  mutating func write(_ file: FormatText) {
    for comment in file.above { text += comment.text + "\n" }
    if let first = file.above.first, first.text.isEmpty { text = "" }
    text += lines(file.value, .model, indent: "", column: 0)
    text += behind(file.behind) + "\n"
    for comment in file.tail {
      if comment.followsBlankLine { text += "\n" }
      text += comment.text + "\n"
    }
  }

  private func behind(_ comments: [String]) -> String {
    comments.map { " " + $0 }.joined()
  }

  /// A value, from its first line on.
  ///
  /// - Parameter column: the number of columns before it.
  private func lines(_ value: FormatValue, _ place: ModelPlace, indent: String, column: Int)
    -> String
  {
    guard case .list(var list) = value else { return flat(value, place) }
    list = ordered(list, place)
    if !list.hasComments, !place.isAlwaysDivided || list.items.isEmpty {
      let line = flat(.list(list), place)
      // One more for a comma.
      if column + line.count + 1 <= ModelFormatter.width { return line }
    }
    return divided(list, place, indent: indent)
  }

  private func divided(_ list: FormatList, _ place: ModelPlace, indent: String) -> String {
    let inner = indent + "  "
    var text = (list.isObject ? "{" : "[") + behind(list.behindOpen) + "\n"
    for (index, item) in list.items.enumerated() {
      for (number, comment) in item.above.enumerated() {
        if comment.followsBlankLine, index > 0 || number > 0 { text += "\n" }
        text += inner + comment.text + "\n"
      }
      if item.followsBlankLine, index > 0 || !item.above.isEmpty { text += "\n" }
      let head = inner + (item.key.map { $0 + ": " } ?? "")
      text += head
      text += lines(
        shortened(item.value, place.place(of: item.name)), place.place(of: item.name),
        indent: inner, column: head.count)
      text += (index == list.items.count - 1 ? "" : ",") + behind(item.behind) + "\n"
    }
    for (number, comment) in list.tail.enumerated() {
      if comment.followsBlankLine, !list.items.isEmpty || number > 0 { text += "\n" }
      text += inner + comment.text + "\n"
    }
    return text + indent + (list.isObject ? "}" : "]")
  }

  /// A value without comments on one line.
  private func flat(_ value: FormatValue, _ place: ModelPlace) -> String {
    switch value {
    case .scalar(let text): return text
    case .list(let list):
      if list.items.isEmpty { return list.isObject ? "{}" : "[]" }
      let items = ordered(list, place).items.map { item in
        let inner = place.place(of: item.name)
        return (item.key.map { $0 + ": " } ?? "") + flat(shortened(item.value, inner), inner)
      }
      let line = items.joined(separator: ", ")
      return list.isObject ? "{ \(line) }" : "[\(line)]"
    }
  }

  /// The short form of a property that says nothing but its type.
  private func shortened(_ value: FormatValue, _ place: ModelPlace) -> FormatValue {
    guard let key = place.shortKey, case .list(let list) = value, list.isObject,
      list.items.count == 1, !list.hasComments, list.items[0].name == key,
      case .scalar(let text) = list.items[0].value, text.hasPrefix("\"")
    else { return value }
    return .scalar(text)
  }

  /// The items in the order of their keys. Keys that the format does not have come last.
  private func ordered(_ list: FormatList, _ place: ModelPlace) -> FormatList {
    guard list.isObject, let order = place.order else { return list }
    var sorted = list
    sorted.items = list.items.enumerated().sorted { a, b in
      let (first, second) = (rank(a.element, order), rank(b.element, order))
      return first == second ? a.offset < b.offset : first < second
    }.map(\.element)
    return sorted
  }

  private func rank(_ item: FormatItem, _ order: [String]) -> Int {
    item.name.flatMap { order.firstIndex(of: $0) } ?? order.count
  }
}
