public import Observation

/// The superclass of generated classes whose entity has `"observable": true` in the model: views of
/// SwiftUI, and all that uses Swift's `Observation`, follow the properties of their objects.
///
/// ```swift
/// withObservationTracking {
///   print(tube.name)
/// } onChange: {
///   print("the name changes")
/// }
/// ```
///
/// Setting an attribute notifies at once: before and after, as in every `@Observable` class.
/// Everything else notifies at the end of the turn: relationships, a rollback, a refresh, a
/// deletion, and what a merge has brought. An object that is deleted, that leaves its context or
/// becomes a fault, counts as changed in all properties, so that a view which shows one of them is
/// made again and can ask for ``ManagedObject/isDeleted``. Values that only a hook has set with
/// `setPrimitiveValue` do not notify.
///
/// An object needs 8 bytes more than one of another class, and about 200 from the first read of a
/// property on. Classes of other entities have none of this.
open class ObservableManagedObject: ManagedObject, Observable {
  /// Knows who observes the object. Made at the first read of a property.
  @exclusivity(unchecked) @usableFromInline final var registrar: ObservationRegistrar?

  /// For generated code: a property is read.
  @inlinable
  public final func _copalAccess<Object: ObservableManagedObject, Value>(
    _ property: KeyPath<Object, Value>
  ) {
    let registrar = registrar ?? beginObserving()
    registrar.access(unsafeDowncast(self, to: Object.self), keyPath: property)
  }

  @usableFromInline @inline(never)
  final func beginObserving() -> ObservationRegistrar {
    let made = ObservationRegistrar()
    registrar = made
    becomeObserved()
    return made
  }
}

extension ObservedEvent {
  /// Notifies the observers of a property of an object.
  public func notify<Object: ObservableManagedObject, Value>(
    _ object: Object, _ property: KeyPath<Object, Value>
  ) {
    guard let registrar = object.registrar else { return }
    if moment != .didChange { registrar.willSet(object, keyPath: property) }
    if moment != .willChange { registrar.didSet(object, keyPath: property) }
  }
}

extension ObservableManagedObject: ObservedClass {}
