public import CopalEssentials
import CopalModel
import CopalStore

#if canImport(Darwin)
  extension PredicateExpressions {
    typealias StandardContains = StringLocalizedStandardContains
  }
#else
  extension PredicateExpressions {
    /// Whether a text contains another one, without case and diacritics. `#Predicate` makes it of
    /// `localizedStandardContains(_:)`, which Foundation has no part for on this platform.
    ///
    /// ```swift
    /// let blues = #Predicate<Pigment> { $0.name.localizedStandardContains("outremer") }
    /// ```
    ///
    /// It compares by Unicode's rules, which do not depend on a language.
    public struct StandardContains<Root: PredicateExpression, Other: PredicateExpression>:
      PredicateExpression
    where Root.Output: StringProtocol, Other.Output: StringProtocol {
      /// The result is true or false.
      public typealias Output = Bool
      /// The text.
      public let root: Root
      /// What the text may contain.
      public let other: Other

      /// Whether a text contains another one.
      public init(root: Root, other: Other) { (self.root, self.other) = (root, other) }

      /// Whether the text contains the other one, with the result that a store has.
      public func evaluate(_ bindings: PredicateBindings) throws -> Bool {
        let part = String(try other.evaluate(bindings))
        let matcher = try TextMatcher(
          .contains([.caseInsensitive, .diacriticInsensitive]), part)
        return matcher.matches(String(try root.evaluate(bindings)))
      }
    }

    // The macro needs this name.
    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// For `#Predicate`: makes the part of a predicate for `localizedStandardContains(_:)`.
    public static func build_localizedStandardContains<Root, Other>(_ root: Root, _ other: Other)
      -> StandardContains<Root, Other>
    { StandardContains(root: root, other: other) }
  }

  extension PredicateExpressions.StandardContains: StandardPredicateExpression
  where Root: StandardPredicateExpression, Other: StandardPredicateExpression {}

  extension PredicateExpressions.StandardContains: Codable where Root: Codable, Other: Codable {}

  extension PredicateExpressions.StandardContains: Sendable where Root: Sendable, Other: Sendable {}
#endif
