/// What a model's `imports` may say, as after Swift's word `import`: a module (`CopalColor`), a
/// module within a module of C (`CoreUI.Shapes`), or one declaration of a module with its kind
/// (`struct Foundation.Date`).
package struct ImportText: Hashable, Comparable {
  /// The kinds of declarations that Swift imports one by one. See
  /// <https://docs.swift.org/swift-book/documentation/the-swift-programming-language/declarations>.
  package static let kinds = [
    "typealias", "struct", "class", "enum", "protocol", "let", "var", "func",
  ]

  /// The kind of the one declaration; `nil` for a whole module.
  package let kind: String?
  /// The module, and what is meant within it.
  package let path: [String]

  /// - Returns: `nil` for a text that Swift does not take.
  @inline(never)
  package init?(_ text: String) {
    let words = text.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
    guard let last = words.last, SwiftIdentifier.isValidPath(String(last)) else { return nil }
    path = last.split(separator: ".").map(String.init)
    kind = words.count == 2 ? String(words[0]) : nil
    guard let kind else { return }
    // A single declaration is always imported from a module.
    guard Self.kinds.contains(kind), path.count > 1 else { return nil }
  }

  /// The module as a whole.
  package init(module: String) {
    kind = nil
    path = [module]
  }

  /// The module that is imported, or that the declaration is of.
  package var module: String { path.first ?? "" }

  package static func < (a: Self, b: Self) -> Bool {
    if a.path != b.path { return a.path.lexicographicallyPrecedes(b.path) }
    return (a.kind ?? "") < (b.kind ?? "")
  }
}
