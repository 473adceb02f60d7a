// Equal descriptions have equal names, so a hash of the name is enough. One of all members would be
// some hundred instructions for each type, and more for each list of it.

extension ManagedObjectModel {
  /// Adds the name and the version to a hash.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(name)
    hasher.combine(version)
  }
}

extension EntityDescription {
  /// Adds the name to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension AttributeDescription {
  /// Adds the name to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension RelationshipDescription {
  /// Adds the name to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FetchedPropertyDescription {
  /// Adds the name to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}

extension FetchRequestTemplate {
  /// Adds the name to a hash.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
