import CopalModel
import CopalStore

/// The objects of a to-many relationship: a live view, which is empty after its owner was deleted.
///
/// The objects are in the order of their keys, and new ones come last, in the order in which they
/// were added. Both ends of a relationship always agree: adding an object here sets its to-one
/// relationship, and setting that adds the object here.
///
/// ```swift
/// let vermeer = Painter(context: context, name: "Jan Vermeer")
/// vermeer.paintings.insert(milkmaid)
/// milkmaid.painter?.name          // "Jan Vermeer"
/// for painting in vermeer.paintings { painting.painter = nil }   // visits each painting once
/// ```
///
/// The first access to an object reads the objects, together with those of up to a hundred
/// neighbors of the owner: the objects that came with it from the same fetch. ``count`` and
/// ``isEmpty`` read no object. ``contains(_:)`` and changes read nothing but the object that is
/// given, if it is a fault. When the objects cannot be read, the view is empty, and the error is
/// passed to the `readFailureHandler` of the context or of the container; ``load()`` throws it.
public struct ToMany<Element: ManagedObject> {
  private let source: ToManySource

  /// The relationship, for changes.
  private var view: AnyToMany { source.view }

  /// For generated code: the view of a relationship, by its position.
  public init(_copal owner: ManagedObject, _ ordinal: Int) {
    source = ToManySource(owner, ordinal)
  }

  /// Objects to assign to a relationship: `source.apps = ToMany(apps)`.
  ///
  /// It has no owner until it is assigned. Then the relationship has these objects, and this list
  /// stays as it is.
  public init(_ objects: some Sequence<Element>) { source = .list(Array(objects)) }

  /// Reads the objects, if they have not been read. Later accesses need no statement until the
  /// owner is refreshed or released.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when they cannot be read.
  public func load() throws { try source.load() }

  /// The number of objects. When they have not been read, the store counts them.
  public var count: Int { storedCount }

  private var storedCount: Int { source.count }

  /// Whether there is no object. When they have not been read, the store counts them.
  public var isEmpty: Bool { storedCount == 0 }

  /// Whether an object is one of them. Reads nothing but the object itself, if it is a fault; in a
  /// many-to-many relationship, the objects, if neither end has been read.
  public func contains(_ object: Element) -> Bool { source.contains(object) }

  /// Adds an object. With a to-one inverse, it leaves the object that it belonged to. Adding one of
  /// the objects again changes nothing.
  ///
  /// - Precondition: the object belongs to the same context.
  public func insert(_ object: Element) { view.insert(object) }

  /// Removes an object. Does nothing when it is not one of them.
  public func remove(_ object: Element) { view.remove(object) }

  /// Removes all objects. It reads them.
  public func removeAll() { view.removeAll() }

  /// Makes the given objects the only ones. Those that stay are not changed.
  ///
  /// - Precondition: the objects belong to the same context.
  public func replaceAll(with objects: some Sequence<Element>) {
    view.replaceAll(with: Array(objects))
  }

  /// The objects at this moment.
  private func snapshot() -> [Element] { source.objects(as: Element.self) }
}

extension ToMany: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of objects, which are read.
  public var endIndex: Int { loadedCount }

  /// The object at a position. Do not use positions from before a change; iterate instead. Where
  /// the model has a sort order, the first access after a change of the order sorts the objects.
  public subscript(position: Int) -> Element {
    if let found = source.object(at: position)?.cast(to: Element.self) { return found }
    return snapshot()[position]
  }

  /// The objects at this moment, so that a loop may change the relationship.
  public func makeIterator() -> IndexingIterator<[Element]> { snapshot().makeIterator() }

  /// For the algorithms of the standard library, which combine the number with positions: it must
  /// be that of the objects that were read.
  @_implements(Collection,count) @_disfavoredOverload
  public var loadedCount: Int { source.loadedCount }

  // The functions of the standard library ask for the object at each position. These use the
  // objects of one moment.

  /// The results of a closure for each object.
  public func map<T, E>(_ transform: (Element) throws(E) -> T) throws(E) -> [T] {
    try snapshot().map(transform)
  }

  /// The position of the first object that meets a condition; nil for none.
  public func firstIndex(where predicate: (Element) throws -> Bool) rethrows -> Int? {
    try snapshot().firstIndex(where: predicate)
  }

  /// The position of an object; nil when it is not one of them.
  public func firstIndex(of object: Element) -> Int? { firstIndex { $0 === object } }

  /// The objects at this moment. Algorithms of the standard library would ask for their number
  /// first.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    ContiguousArray(snapshot())
  }
}

extension ToMany: ExpressibleByArrayLiteral {
  /// Objects to assign to a relationship: `source.apps = [first, second]`.
  public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension ToMany: CustomStringConvertible {
  /// The ids of the objects.
  public var description: String { "[" + map { "\($0.objectID)" }.joined(separator: ", ") + "]" }
}

extension ManagedObject {
  /// The object as an object of its class; nil for another class.
  final func cast<T: ManagedObject>(to type: T.Type = T.self) -> T? {
    // Comparing types is cheaper than a cast.
    if Swift.type(of: self) == type { return unsafeDowncast(self, to: T.self) }
    return self as? T
  }

  /// Reports, once, that a relationship has no objects because the context was released before its
  /// objects.
  final func reportReleasedContext(_ relationship: RelationshipRuntime) {
    reportUnreadable(
      relationship,
      PersistenceError(
        .objectMissing, entity: entityName, property: relationship.description.name,
        objectID: objectID, found: "its context was released"))
  }

  /// Reports that the objects of a relationship cannot be read, once.
  final func reportUnreadable(_ relationship: RelationshipRuntime, _ error: any Error) {
    var failure =
      error as? PersistenceError
      ?? PersistenceError(.inputOutput, found: "\(error)", causes: [error])
    failure.entity = entityName
    failure.property = relationship.description.name
    failure.objectID = objectID
    let subject = ValueCells.Subject.relationship(relationship.ordinal)
    guard cellsWithSideTable().reportedFailures.insert(subject).inserted else { return }
    report(failure)
  }
}
