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

  /// Core Data's to-many relationship as a set that can be changed.
  @available(
    *, unavailable,
    message:
      "the property of the relationship is a collection that can be changed: author.books.insert(book)"
  )
  public final func mutableSetValue(forKey key: String) -> ToMany<ManagedObject> {
    misuse("unavailable")
  }

  /// Core Data's ordered to-many relationship as a list that can be changed.
  @available(
    *, unavailable,
    message:
      "the property of the relationship is a list that can be changed: book.pages.insert(page, at: 0)"
  )
  public final func mutableOrderedSetValue(forKey key: String) -> OrderedToMany<ManagedObject> {
    misuse("unavailable")
  }

  /// Core Data's changes of the current event.
  @available(*, unavailable, message: "use changes(), which has every change since the last save")
  public final func changedValuesForCurrentEvent() -> [String: Any] { misuse("unavailable") }
}

extension EntityDescription {
  /// Core Data's function that inserts an object.
  @available(
    *, unavailable,
    message:
      "use the initializer of the class, as in Painting(context: context), or try context.insert(\"Painting\")"
  )
  public static func insertNewObject(
    forEntityName name: String, into context: ManagedObjectContext
  ) -> ManagedObject { misuse("unavailable") }
}

extension ToMany {
  /// The objects of an `NSSet`.
  @available(*, unavailable, message: "it is a collection; Array(_:) makes an array of it")
  public var allObjects: [Element] { misuse("unavailable") }

  /// What an array has. A relationship without an order has no end.
  @available(
    *, unavailable, renamed: "insert(_:)",
    message: "the objects have no order; with \"ordered\": true in the model, they have append(_:)"
  )
  public func append(_ object: Element) { misuse("unavailable") }

  /// What an array has. A relationship without an order has no end.
  @available(*, unavailable, message: "call insert(_:) for each of the objects")
  public func append(contentsOf objects: some Sequence<Element>) { misuse("unavailable") }
}

extension OrderedToMany {
  /// The objects of an `NSOrderedSet`.
  @available(*, unavailable, message: "it is a collection; Array(_:) makes an array of it")
  public var array: [Element] { misuse("unavailable") }
}
