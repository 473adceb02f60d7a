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

extension PersistentContainer {
  /// The saved values that the program keeps in the store beside its objects, by their names.
  ///
  /// A context changes them: ``ManagedObjectContext/metadata``. To read them before the store is
  /// opened, use `StoreConfiguration.inspect()`.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when the store cannot be read.
  public var metadata: [String: MetadataValue] {
    get throws {
      let store = runtime.store
      return store.keepsMetadata ? try store.makeSession().fetchMetadata(named: nil) : [:]
    }
  }
}

/// The metadata that the next save writes.
struct PendingMetadata {
  /// By the stored name; nil for a removed value.
  private(set) var changes: [String: MetadataValue?] = [:]

  var isEmpty: Bool { changes.isEmpty }

  mutating func set(_ value: MetadataValue?, _ name: String) {
    let name = MetadataValue.storedName(name)
    // No store has a value of a name that is not accepted: nil takes a mistake back.
    if value == nil, MetadataValue.failure(of: nil, named: name) != nil {
      changes[name] = nil
    } else {
      changes.updateValue(value, forKey: name)
    }
  }

  mutating func removeAll() { changes = [:] }

  /// Values were saved. What was set in the meantime stays.
  mutating func finish(_ saved: [String: MetadataValue?]) {
    if saved.isEmpty { return }
    changes = changes.filter { name, value in
      guard let saved = saved[name] else { return true }
      return saved != value
    }
  }

  /// What a save says about them.
  func failures(_ store: any PersistentStore) -> [PersistenceError] {
    if changes.isEmpty { return [] }
    if !store.keepsMetadata { return [PersistenceError(.noMetadata)] }
    return changes.inOrder { $0.key < $1.key }.compactMap {
      MetadataValue.failure(of: $0.value, named: $0.key)
    }
  }
}
