public import CopalEssentials
public import CopalModel

/// The files in which a store keeps large values.
///
/// A context asks for a file when a property is read. The store writes files in a commit: ``ChangeSet/externalValues``.
public protocol ExternalFiles: Sendable {
  /// The value in a file.
  ///
  /// The data is mapped into memory: the system reads the parts that a program uses.
  ///
  /// - Throws: `object.externalFileMissing` when there is no file of the name; `object.externalFileUnreadable` when it cannot be
  ///   read, or has another size.
  func read(_ name: ExternalFileName) throws(PersistenceError) -> Data
}
