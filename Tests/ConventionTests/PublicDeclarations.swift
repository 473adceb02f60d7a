/// The public declarations of one Swift file, read line by line.
///
/// The reader knows enough of Swift's syntax for sources that swift-format has laid out: a
/// declaration starts its own line, its attributes stand on that line or above it.
struct PublicDeclarations {
  /// A declaration that other modules can use.
  struct Declaration {
    /// The line of the declaration, counted from 1.
    let line: Int
    /// The name with the argument labels, `hash(into:)`; for an operator, with the result, `== ->
    /// Bool`.
    let name: String
    /// Whether a `///` comment stands above the declaration and its attributes.
    let isDocumented: Bool
  }

  /// Declarations of which a protocol of the standard library says everything, for every type.
  static let inheritedDocumentation: Set<String> = ["== -> Bool", "< -> Bool", "hash(into:)"]

  /// All public declarations in the order of the lines.
  private(set) var all: [Declaration] = []

  /// The public declarations that have no comment and inherit none.
  var undocumented: [Declaration] {
    all.filter { !$0.isDocumented && !Self.inheritedDocumentation.contains($0.name) }
  }

  /// What a pair of braces encloses.
  private enum Scope {
    case publicEnum, publicProtocol, publicExtension, other
  }

  private static let modifiers: Set<String> = [
    "public", "open", "package", "internal", "fileprivate", "private", "final", "static", "class",
    "override", "convenience", "required", "nonisolated", "mutating", "nonmutating", "indirect",
    "lazy", "weak", "unowned", "dynamic", "optional", "prefix", "postfix", "infix", "borrowing",
    "consuming", "isolated", "distributed", "__consuming",
  ]
  private static let types: Set<String> = ["struct", "class", "enum", "protocol", "actor"]
  private static let members: Set<String> = [
    "func", "var", "let", "init", "subscript", "typealias", "associatedtype", "case", "macro",
  ]
  private static let hiding: Set<String> = ["package", "internal", "fileprivate", "private"]

  init(lines: [String]) {
    var scopes: [Scope] = []
    var opening = Scope.other
    var parentheses = 0
    var isInText = false
    for (index, line) in lines.enumerated() {
      let code = Self.code(of: line, isInText: &isInText)
      if parentheses == 0, let header = Header(code, following: lines[(index + 1)...]) {
        let scope = scopes.last ?? .other
        if header.isPublic(in: scope), header.keyword != "extension" {
          all.append(
            Declaration(
              line: index + 1, name: header.name,
              isDocumented: Self.hasComment(above: index, in: lines)))
        }
        opening = header.scope(in: scope)
      }
      for character in code {
        switch character {
        case "(", "[": parentheses += 1
        case ")", "]": parentheses -= 1
        case "{":
          // A closure among arguments opens no scope of declarations.
          scopes.append(parentheses == 0 ? opening : .other)
          opening = .other
        case "}": _ = scopes.popLast()
        default: break
        }
      }
    }
  }

  /// The first words of a declaration.
  private struct Header {
    let keyword: String
    let name: String
    let modifiers: Set<String>

    init?(_ code: String, following: ArraySlice<String>) {
      var rest = code[...].drop { $0 == " " }
      while rest.hasPrefix("@") { rest = Self.withoutAttribute(rest) }
      var modifiers: Set<String> = []
      while true {
        let word = rest.prefix { $0.isLetter || $0 == "_" }
        let next = rest.dropFirst(word.count)
        let after = Self.withoutArguments(next).drop { $0 == " " }
        // `class` is a modifier before another word of a declaration, and else the keyword.
        let isKeyword = word == "class" && !Self.startsDeclaration(after)
        guard PublicDeclarations.modifiers.contains(String(word)), !isKeyword else { break }
        // `private(set)` hides the setter only.
        if next.first != "(" { modifiers.insert(String(word)) }
        rest = after
      }
      let keyword = String(rest.prefix { $0.isLetter })
      guard
        keyword == "extension" || PublicDeclarations.types.contains(keyword)
          || PublicDeclarations.members.contains(keyword)
      else { return nil }
      self.keyword = keyword
      self.modifiers = modifiers
      let signature = ([String(rest)] + following.prefix(8)).joined(separator: " ")
      name = Self.name(of: signature[...], keyword: keyword)
    }

    func isPublic(in scope: Scope) -> Bool {
      if modifiers.contains("public") || modifiers.contains("open") { return true }
      switch scope {
      case .publicEnum: return keyword == "case"
      case .publicProtocol: return keyword != "case"
      case .publicExtension: return modifiers.isDisjoint(with: PublicDeclarations.hiding)
      case .other: return false
      }
    }

    func scope(in outer: Scope) -> Scope {
      guard isPublic(in: outer) else { return .other }
      switch keyword {
      case "enum": return .publicEnum
      case "protocol": return .publicProtocol
      case "extension": return .publicExtension
      default: return .other
      }
    }

    private static func startsDeclaration(_ rest: Substring) -> Bool {
      let word = String(rest.prefix { $0.isLetter })
      return word != "class"
        && (PublicDeclarations.modifiers.contains(word)
          || PublicDeclarations.members.contains(word))
    }

    /// Whether the line has an attribute and nothing else.
    static func isAttribute(_ line: Substring) -> Bool {
      var rest = line
      while rest.hasPrefix("@") { rest = withoutAttribute(rest) }
      return rest.isEmpty && !line.isEmpty
    }

    private static func withoutAttribute(_ rest: Substring) -> Substring {
      let name = rest.dropFirst().drop { $0.isLetter || $0.isNumber || $0 == "_" }
      return withoutArguments(name).drop { $0 == " " }
    }

    private static func withoutArguments(_ rest: Substring) -> Substring {
      guard rest.first == "(" else { return rest }
      var depth = 0
      for (index, character) in zip(rest.indices, rest) {
        if character == "(" { depth += 1 }
        if character == ")" { depth -= 1 }
        if depth == 0 { return rest[rest.index(after: index)...] }
      }
      return rest
    }

    /// `name`, or `name(label:label:)` where the declaration takes arguments.
    private static func name(of signature: Substring, keyword: String) -> String {
      let takesArguments = ["func", "init", "subscript", "macro"].contains(keyword)
      let isNamed = keyword != "init" && keyword != "subscript"
      var rest = signature.dropFirst(isNamed ? keyword.count : 0).drop { $0 == " " }
      let end =
        rest.first.map { $0.isLetter || $0 == "_" || $0 == "`" } ?? false
        ? rest.firstIndex { !$0.isLetter && !$0.isNumber && $0 != "_" && $0 != "`" }
        : rest.firstIndex { $0 == "(" || $0 == " " }
      let name = String(rest[..<(end ?? rest.endIndex)])
      if keyword == "func", let first = name.first, !first.isLetter, first != "_", first != "`" {
        // Operators of one name differ in their results: `== -> Bool`.
        let result = rest.firstRange(of: "-> ").map { rest[$0.upperBound...] } ?? "Void"
        return name + " -> " + result.prefix { $0.isLetter || $0.isNumber }
      }
      guard takesArguments, let start = rest.firstIndex(of: "(") else { return name }
      rest = rest[rest.index(after: start)...]
      return name + "(" + labels(of: rest) + ")"
    }

    /// The labels of a list of parameters, up to its closing parenthesis.
    private static func labels(of parameters: Substring) -> String {
      var labels = ""
      var depth = 0
      var parameter = ""
      for character in parameters {
        if depth == 0, character == ")" || character == "," {
          labels += label(of: parameter)
          parameter = ""
          if character == ")" { break }
          continue
        }
        if "([{".contains(character) { depth += 1 }
        if ")]}".contains(character) { depth -= 1 }
        parameter.append(character)
      }
      return labels
    }

    private static func label(of parameter: String) -> String {
      let words = parameter.prefix { $0 != ":" }.split(separator: " ")
      return words.first.map { $0 + ":" } ?? ""
    }
  }

  /// Whether a `///` comment ends above the line, with nothing but attributes in between.
  private static func hasComment(above index: Int, in lines: [String]) -> Bool {
    var missing = 0
    for line in lines[..<index].reversed() {
      let text = line.drop { $0 == " " }
      let wasMissing = missing > 0
      if !wasMissing, text.hasPrefix("///") { return text.dropFirst(3).contains { $0 != " " } }
      // Of an attribute on several lines, the last one comes first here.
      missing += text.count { $0 == ")" } - text.count { $0 == "(" }
      if missing > 0 { continue }
      // A plain comment gives the reason of an attribute.
      let isAllowed =
        wasMissing ? text.hasPrefix("@") : Header.isAttribute(text) || text.hasPrefix("//")
      if !isAllowed { return false }
    }
    return false
  }

  /// The line without comments and without the contents of string literals.
  private static func code(of line: String, isInText: inout Bool) -> String {
    var code = ""
    var rest = line[...]
    var isInString = false
    while let character = rest.first {
      if rest.hasPrefix("\"\"\"") {
        isInText.toggle()
        rest = rest.dropFirst(3)
      } else if isInText {
        rest = rest.dropFirst()
      } else if isInString {
        if character == "\\" { rest = rest.dropFirst() }
        if character == "\"" { isInString = false }
        rest = rest.dropFirst()
      } else if character == "\"" {
        isInString = true
        rest = rest.dropFirst()
      } else if rest.hasPrefix("//") {
        break
      } else {
        code.append(character)
        rest = rest.dropFirst()
      }
    }
    return code
  }
}
