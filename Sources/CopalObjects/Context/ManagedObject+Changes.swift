import CopalModel
import CopalStore

/// One property of an object that has been changed since the object was read or saved.
///
/// The values have the property's own type, such as `String` or `[SerializableColor]`, and nil
/// where the property has or had no value. See ``ManagedObject/changes()``.
public struct PropertyChange {
  /// The name of the attribute.
  public let name: String
  /// The value that was read or saved; nil for a new object and for a transient.
  public let old: Any?
  /// The value that the object has now.
  public let new: Any?
}

/// Changed and committed values.
extension ManagedObject {
  /// The new values of the attributes that have changed since the object was read or saved, by
  /// name.
  ///
  /// An attribute that was set to the value that it already had is left out. For a new object:
  /// every attribute that has a value. ``changes()`` also has the old values.
  public final func changedValues() -> [String: Any?] {
    var result: [String: Any?] = [:]
    for slot in changedSlots {
      result.updateValue(current(slot), forKey: runtime.layout.attributes[slot].name)
    }
    return result
  }

  /// The attributes that have changed since the object was read or saved, with their old and new
  /// values: first the stored ones, then the transient ones, each in the order of the model.
  ///
  /// A property that was set to the value that it already had is not among the changes. For a new
  /// object, every attribute that has a value is a change from nil. Reading the old value of a
  /// transformable decodes it. An old value that cannot be read is nil.
  ///
  /// ```swift
  /// for change in pigment.changes() { print(change.name, change.old ?? "nil", "→", change.new ?? "nil") }
  /// ```
  public final func changes() -> [PropertyChange] {
    let isNew = flags.contains(.inserted)
    return changedSlots.map { slot in
      let isStored = runtime.layout.storedSlots.contains(slot)
      return PropertyChange(
        name: runtime.layout.attributes[slot].name,
        old: isNew || !isStored ? nil : committed(slot), new: current(slot))
    }
  }

  /// The slots that have changed; for a new object, those that have a value.
  private final var changedSlots: [Int] {
    guard flags.contains(.inserted) else {
      return cells.map { $0.isSet.filter { !runtime.isHidden($0) && differs($0) } } ?? []
    }
    return runtime.layout.attributes.indices.filter {
      !runtime.isHidden($0) && current($0) != nil
    }
  }

  /// Whether a save writes a value of the object: it is new, or a stored attribute differs from the
  /// value that was read. False for a deleted object.
  ///
  /// ``hasChanges`` is also true when a property was set to the value that it already had, and when
  /// only transient values have changed. Use this property in a hook that sets properties, to set
  /// them only when there is a real change. It encodes transformable values to compare them.
  public final var hasPersistentChangedValues: Bool {
    if !flags.isDisjoint(with: [.deleted, .gone]) { return false }
    if flags.contains(.inserted) { return true }
    guard flags.contains(.updated), let cells else { return false }
    return cells.isSet.contains { runtime.layout.storedSlots.contains($0) && differs($0) }
  }

  /// The stored values that were last read or saved, by name. It does not contain transient
  /// attributes.
  ///
  /// Empty for a new object, and for a fault that cannot be read. It reads the values of a fault. A
  /// value that cannot be read is nil.
  public final func committedValues() -> [String: Any?] {
    if flags.contains(.inserted) { return [:] }
    do { try fulfillIfFault() } catch { return [:] }
    guard base != nil else { return [:] }
    var result: [String: Any?] = [:]
    for slot in runtime.layout.columns.map(\.slot) where !runtime.isHidden(slot) {
      result.updateValue(committed(slot), forKey: runtime.layout.attributes[slot].name)
    }
    return result
  }
}
