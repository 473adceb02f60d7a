public import CopalModel

/// Finds the keys of the objects that a condition names by their ids. A context implements it.
public protocol ObjectKeySource {
  /// The key of the object of an id, if it is an object of a root's entities.
  ///
  /// - Parameter root: the position of the root in the schema.
  /// - Returns: nil for an id of another store, or of an entity with another root; a negative key
  ///   for an object that has not been saved.
  func key(of id: ManagedObjectID, root: Int) -> Int64?
}
