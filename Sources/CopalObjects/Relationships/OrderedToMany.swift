import CopalEssentials
import CopalModel

/// The objects of an ordered to-many relationship: a live view, which is empty after its owner was
/// deleted.
///
/// The relationship has `"ordered": true` in the model. Appending reads nothing where the inverse
/// is to-one. Every other change of the order reads the objects, and writes the objects that change
/// their place: usually one.
///
/// ```swift
/// recipe.steps.append(boil)
/// recipe.steps.insert(wash, at: 0)
/// recipe.steps.move(fromOffsets: [2], toOffset: 0)
/// ```
///
/// Otherwise it behaves as ``ToMany``: both ends always agree, a loop has the objects of the moment
/// at which it begins, and objects that cannot be read are reported to the `readFailureHandler`.
public struct OrderedToMany<Element: ManagedObject> {
  private let source: ToManySource

  /// The relationship, for changes.
  private var view: AnyToMany { source.view }

  /// For generated code: the view of a relationship, by its position.
  public init(_copal owner: ManagedObject, _ ordinal: Int) {
    source = ToManySource(owner, ordinal)
  }

  /// Objects to assign to a relationship: `source.apps = OrderedToMany(apps)`.
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

  // MARK: Changes

  /// Adds an object at the end. With a to-one inverse, it leaves the object that it belonged to. An
  /// object of the list stays where it is.
  ///
  /// It reads nothing where the inverse is to-one. When another context appends at the same time,
  /// both objects are in the list after both saves.
  ///
  /// - Precondition: the object belongs to the same context.
  public func append(_ object: Element) { view.insert(object) }

  /// Adds objects at the end, in their order.
  ///
  /// - Precondition: the objects belong to the same context.
  public func append(contentsOf objects: some Sequence<Element>) {
    for object in objects { view.insert(object) }
  }

  /// The same as ``append(_:)``.
  public func insert(_ object: Element) { view.insert(object) }

  /// Puts an object before the one that is at an index now. An object of the list moves there.
  ///
  /// - Precondition: the index is one of the list, or its end. The object belongs to the same
  ///   context.
  public func insert(_ object: Element, at index: Int) { view.put([object], before: index) }

  /// Moves objects before the one that is at an index now, as lists of user interfaces want it.
  ///
  /// - Parameters:
  ///   - source: the indices of the objects, for example an `IndexSet`.
  ///   - destination: an index, or the end of the list.
  /// - Precondition: the indices are those of objects.
  public func move(fromOffsets source: some Sequence<Int>, toOffset destination: Int) {
    // A few objects of a long list, so the list itself is not made an array.
    view.put(view.objects(atOffsets: Set(source).inOrder()), before: destination)
  }

  /// Exchanges the objects at two indices.
  ///
  /// - Precondition: the indices are those of objects.
  public func swapAt(_ i: Int, _ j: Int) {
    let (low, high) = (self[Swift.min(i, j)], self[Swift.max(i, j)])
    if i == j { return }
    view.put([high], before: Swift.min(i, j))
    view.put([low], before: Swift.max(i, j) + 1)
  }

  /// Removes an object. Does nothing when it is not one of them.
  public func remove(_ object: Element) { view.remove(object) }

  /// Removes the object at an index.
  ///
  /// - Precondition: the index is that of an object.
  @discardableResult
  public func remove(at index: Int) -> Element {
    let object = self[index]
    view.remove(object)
    return object
  }

  /// Removes the objects at some indices, as lists of user interfaces want it.
  ///
  /// - Precondition: the indices are those of objects.
  public func remove(atOffsets offsets: some Sequence<Int>) {
    for object in view.objects(atOffsets: Set(offsets).inOrder()) { view.remove(object) }
  }

  /// Removes all objects. It reads them.
  public func removeAll() { view.removeAll() }

  /// Makes the given objects the only ones, in their order. As many objects as possible keep their
  /// places, and only the others are written.
  ///
  /// - Precondition: the objects belong to the same context.
  public func replaceAll(with objects: some Sequence<Element>) {
    view.replaceAll(with: Array(objects))
  }

  /// The objects at this moment.
  private func snapshot() -> [Element] { source.objects(as: Element.self) }
}

extension OrderedToMany: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of objects, which are read.
  public var endIndex: Int { loadedCount }

  /// The object at a position. Do not use positions from before a change; iterate instead.
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

extension OrderedToMany: ExpressibleByArrayLiteral {
  /// Objects to assign to a relationship: `source.apps = [first, second]`.
  public init(arrayLiteral objects: Element...) { self.init(objects) }
}

extension OrderedToMany: CustomStringConvertible {
  /// The ids of the objects.
  public var description: String { "[" + map { "\($0.objectID)" }.joined(separator: ", ") + "]" }
}
