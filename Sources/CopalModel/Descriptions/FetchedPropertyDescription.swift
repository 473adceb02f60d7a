/// A fetched property of an entity: a list of objects that a fetch finds, with a condition about
/// the object that has the property.
///
/// Use it for objects that are related by their values, without a relationship that a store keeps.
/// In the condition, `$FETCH_SOURCE` is the object that has the property, and
/// `$FETCH_SOURCE.budget` a value of it.
///
/// A value. Reading a model file makes it; a program that builds a ``ManagedObjectModel`` can make
/// one itself:
///
/// ```swift
/// FetchedPropertyDescription("affordable", of: "Painting", where: "price <= $FETCH_SOURCE.budget")
/// ```
public struct FetchedPropertyDescription: Sendable, Hashable {
  /// The name of the property.
  public var name: String
  /// The name of the entity that is fetched.
  public var destination: String
  /// The condition in the language of ``PredicateFormat``; nil for all objects.
  public var condition: String?
  /// The order, the most significant key first.
  public var sortKeys: [FetchSortKey]
  /// The greatest number of objects; nil for no limit.
  public var limit: Int?
  /// The text of the generated property's documentation comment; nil for none.
  public var documentation: String?

  /// A fetched property made by a program. `ManagedObjectModel` checks it, not this initializer.
  public init(
    _ name: String, of destination: String, where condition: String? = nil,
    sortKeys: [FetchSortKey] = [], limit: Int? = nil, documentation: String? = nil
  ) {
    self.name = name
    self.destination = destination
    self.condition = condition
    self.sortKeys = sortKeys
    self.limit = limit
    self.documentation = documentation
  }
}
