public import CopalEssentials
import CopalModel

/// Reads the files in which a store keeps large values.
///
/// Implement it for a store of your own that keeps large values in files, and return it from
/// ``PersistentStore/externalFiles``. A context calls ``read(_:)`` each time a property with a
/// large value is read, from any thread. The store writes the files in a commit:
/// ``ChangeSet/externalValues``.
public protocol ExternalFiles: Sendable {
  /// The value in a file.
  ///
  /// A store on a disk maps the file into memory, so a call costs the opening of a file, and the
  /// system reads the parts that a program uses.
  /// The data must stay valid when the file is removed.
  ///
  /// - Throws: `object.externalFileMissing` when there is no file of the name;
  ///   `object.externalFileUnreadable` when it cannot be read, or has another size.
  func read(_ name: ExternalFileName) throws(PersistenceError) -> Data
}
