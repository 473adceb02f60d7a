import CopalEssentials
import CopalModel
public import CopalStore

/// What a program keeps in a store beside its objects: values with names, such as a token, a
/// counter or the date of the last import.
///
/// ```swift
/// context.metadata["lastImport"] = .date(.now)
/// context.metadata["token"] = nil
/// try context.save()
/// ```
///
/// A value that is set belongs to the changes of the context: the next save writes it, in the
/// transaction of its objects, and a rollback undoes it. Reading gives the unsaved value, or else
/// the one that the store has now. Two contexts that write one name do not conflict: the last save
/// counts. A name has 1 to 255 bytes of UTF-8; a text and data have at most 1 MiB.
public struct ContextMetadata {
  let context: ManagedObjectContext

  /// The value of a name; nil for none, and to remove it.
  ///
  /// If the store cannot be read, the value is nil, and `readFailureHandler` gets the error, as for
  /// a property. ``value(of:)`` throws it.
  public subscript(name: String) -> MetadataValue? {
    get {
      do {
        return try value(of: name)
      } catch let error as PersistenceError {
        context.core.container.report(error, context.state)
      } catch {}
      return nil
    }
    nonmutating set { context.state.metadata.set(newValue, name) }
  }

  /// The value of a name; nil for none.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read.
  public func value(of name: String) throws -> MetadataValue? {
    let name = MetadataValue.storedName(name)
    if let changed = context.state.metadata.changes[name] { return changed }
    guard context.core.container.store.keepsMetadata else { return nil }
    return try context.state.session.opened().fetchMetadata(named: name)[name]
  }

  /// All values by their names, with the unsaved changes of the context.
  ///
  /// - Throws: as ``value(of:)``.
  public func values() throws -> [String: MetadataValue] {
    var values =
      context.core.container.store.keepsMetadata
      ? try context.state.session.opened().fetchMetadata(named: nil) : [:]
    for (name, value) in context.state.metadata.changes { values[name] = value }
    return values
  }
}

extension ManagedObjectContext {
  /// What the program keeps in the store beside its objects. Setting a value is a change of the
  /// context. See ``ContextMetadata``.
  public var metadata: ContextMetadata { ContextMetadata(context: self) }
}
