public import CopalModel

// What a person who comes from Core Data types first. None of it compiles; the compiler's error
// names what to write instead. What a later version will have under Core Data's name is not here.

extension ManagedObject {
  /// An object without a context. Every object has a context when it is made.
  @available(
    *, unavailable,
    message:
      "every object belongs to a context; use init(context:), such as Pigment(context: context)"
  )
  public convenience init() { misuse("unavailable") }

  /// Core Data's initializer with a description of the entity.
  @available(
    *, unavailable,
    message:
      "use init(context:), also from a convenience initializer of your own, or context.insert(_:) with the name of an entity without a class"
  )
  public convenience init(
    entity: EntityDescription, insertInto context: ManagedObjectContext?
  ) { misuse("unavailable") }

  /// Core Data's description of a class's entity.
  @available(*, unavailable, message: "use entityName, or context.model.entity(_:)")
  public static func entity() -> EntityDescription { misuse("unavailable") }

  /// Core Data's form of ``committedValues()`` for some of the properties.
  @available(*, unavailable, renamed: "committedValues()")
  public final func committedValues(forKeys keys: [String]?) -> [String: Any] {
    misuse("unavailable")
  }

  /// Core Data's changes of the current event.
  @available(*, unavailable, message: "use changes(), which has every change since the last save")
  public final func changedValuesForCurrentEvent() -> [String: Any] { misuse("unavailable") }
}
