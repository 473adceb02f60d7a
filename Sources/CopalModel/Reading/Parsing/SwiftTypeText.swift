/// The Swift types that an attribute's `class` may name: `Color`, `CoreUI.Color`, `Set<Color>`,
/// `[Color]`, `[String: Color?]`.
///
/// The text becomes part of generated code, so it is parsed and formatted, never copied.
package struct SwiftTypeText {
  private static let maximumDepth = 32
  /// The greatest length of a type in bytes, as given and in canonical form.
  private static let maximumLength = 1000

  private var rest: Substring.UnicodeScalarView

  /// The type in canonical form; `nil` if the text is not a type.
  ///
  /// A question mark is allowed only inside collections: whether the attribute is optional is a
  /// part of its `type`.
  package static func normalized(_ text: String) -> String? {
    guard text.utf8.count <= maximumLength, SwiftIdentifier.isNormal(text) else { return nil }
    var parser = SwiftTypeText(rest: Substring(text).unicodeScalars)
    guard let type = parser.type(depth: 0), parser.skipSpaces().isEmpty else { return nil }
    // The canonical form has more spaces and must still be readable.
    return type.utf8.count <= maximumLength ? type : nil
  }

  private mutating func type(depth: Int) -> String? {
    guard depth < Self.maximumDepth else { return nil }
    return reads("[") ? collection(depth: depth) : path(depth: depth)
  }

  /// A type inside brackets, which may be optional.
  @inline(never)
  private mutating func element(depth: Int) -> String? {
    guard var type = type(depth: depth + 1) else { return nil }
    var count = 0
    while rest.first == "?", count < Self.maximumDepth {
      rest.removeFirst()
      type += "?"
      count += 1
    }
    return type
  }

  private mutating func collection(depth: Int) -> String? {
    guard let first = element(depth: depth) else { return nil }
    if reads("]") { return "[\(first)]" }
    guard reads(":"), let value = element(depth: depth), reads("]") else { return nil }
    return "[\(first): \(value)]"
  }

  @inline(never)
  private mutating func path(depth: Int) -> String? {
    var path = ""
    repeat {
      guard let name = identifier() else { return nil }
      path += (path.isEmpty ? "" : ".") + name
      if reads("<") {
        guard let arguments = arguments(depth: depth) else { return nil }
        path += "<" + arguments.joined(separator: ", ") + ">"
      }
    } while reads(".")
    return path
  }

  private mutating func arguments(depth: Int) -> [String]? {
    var arguments: [String] = []
    repeat {
      guard let argument = element(depth: depth) else { return nil }
      arguments.append(argument)
    } while reads(",")
    return reads(">") ? arguments : nil
  }

  private mutating func identifier() -> String? {
    skipSpaces()
    guard let head = rest.first, SwiftIdentifier.isHead(head) else { return nil }
    let letters = rest.prefix(while: SwiftIdentifier.isTail)
    rest = rest.dropFirst(letters.count)
    let name = String(letters)
    return ReservedNames.notTypes.contains(name) ? nil : name
  }

  private mutating func reads(_ scalar: Unicode.Scalar) -> Bool {
    guard skipSpaces().first == scalar else { return false }
    rest.removeFirst()
    return true
  }

  @discardableResult
  private mutating func skipSpaces() -> Substring.UnicodeScalarView {
    rest = rest.drop { $0 == " " }
    return rest
  }
}
