/// A class that was generated for an entity, for typed queries.
///
/// Generated classes conform to it. A subclass inherits the conformance of its superclass.
public protocol QueryableObject: ManagedObject {
  /// For generated code: the key paths of the properties of the class and of its subclasses, for
  /// `#Predicate`.
  static var _copalKeyPaths: PropertyKeyPaths { get }

  /// For generated code: notifies the observers of a property, by its slot, or by -1 minus the
  /// position of a to-many relationship.
  static func _copalNotify(_ event: ObservedEvent, of property: Int, _ object: ManagedObject)
}

extension QueryableObject {
  /// No key paths: what a class has that was not generated.
  public static var _copalKeyPaths: PropertyKeyPaths { PropertyKeyPaths() }

  /// Nobody: what a class does that is not observable.
  public static func _copalNotify(
    _ event: ObservedEvent, of property: Int, _ object: ManagedObject
  ) {}
}

/// A class whose objects notify observers. `ObservableManagedObject` is the one.
protocol ObservedClass: ManagedObject {}

/// For generated code: notifies the observers of a property.
public struct ObservedEvent {
  enum Moment { case willChange, didChange, changed }

  let moment: Moment
}
