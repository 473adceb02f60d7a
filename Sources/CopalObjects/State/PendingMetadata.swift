import CopalEssentials
import CopalStore

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
