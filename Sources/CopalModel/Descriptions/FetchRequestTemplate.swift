/// A fetch request with a name, as an entity of a model has it: a condition with variables, an
/// order and a limit.
///
/// Use it for a request that several parts of a program make. The text of the condition is checked
/// when the model is read, and generated classes have a function for it, with a parameter for each
/// variable.
///
/// A value. Reading a model file makes it; a program that builds a ``ManagedObjectModel`` can make
/// one itself:
///
/// ```swift
/// FetchRequestTemplate("cheap", where: "price < $limit", sortKeys: [.ascending("name")], limit: 20)
/// ```
public struct FetchRequestTemplate: Sendable, Hashable {
  /// The name of the template.
  public var name: String
  /// The condition in the language of ``PredicateFormat``, with variables such as `$limit`; nil for
  /// all objects.
  public var condition: String?
  /// The order, the most significant key first.
  public var sortKeys: [FetchSortKey]
  /// The greatest number of objects; nil for no limit.
  public var limit: Int?
  /// The text of the generated function's documentation comment; nil for none.
  public var documentation: String?

  /// A template made by a program. `ManagedObjectModel` checks it, not this initializer.
  public init(
    _ name: String, where condition: String? = nil, sortKeys: [FetchSortKey] = [],
    limit: Int? = nil, documentation: String? = nil
  ) {
    self.name = name
    self.condition = condition
    self.sortKeys = sortKeys
    self.limit = limit
    self.documentation = documentation
  }
}
