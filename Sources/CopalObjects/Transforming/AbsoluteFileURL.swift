public import CopalEssentials
public import CopalModel

/// The absolute URL of a file that an attribute of the type `uri` has in the store: a result of
/// ``PersistentContainer/scanForAbsoluteFileURLs(of:progress:)``.
public struct AbsoluteFileURL: Sendable, Hashable, CustomStringConvertible {
  /// The object that has the URL.
  public let objectID: ManagedObjectID
  /// The name of the attribute.
  public let attribute: String
  /// The URL as it is stored.
  public let url: URL

  /// The warning `object.absoluteFileURL`, with the object and the attribute. It does not have the
  /// URL, so that a log that it is written to has no stored value.
  public var warning: PersistenceError {
    PersistenceError(.absoluteFileURL, property: attribute, objectID: objectID)
  }

  /// The sentence of the warning.
  public var description: String { warning.description }
}
