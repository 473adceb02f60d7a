import CopalModel
import CopalStore

/// The objects of a to-many relationship: a live view, which is empty after its owner was deleted.
///
/// The objects are in the order of their keys, and new ones come last, in the order in which they were added. Both ends of
/// a relationship always agree: adding an object here sets its to-one relationship, and setting that adds the object here.
///
/// ```swift
/// let vermeer = Painter(context: context, name: "Jan Vermeer")
/// vermeer.paintings.insert(milkmaid)
/// milkmaid.painter?.name          // "Jan Vermeer"
/// for painting in vermeer.paintings { painting.painter = nil }   // visits each painting once
/// ```
///
/// The first access to an object reads the objects, together with those of up to a hundred neighbors of the owner: the
/// objects that came with it from the same fetch. ``count`` and ``isEmpty`` read no object. ``contains(_:)`` and changes read
/// nothing but the object that is given, if it is a fault. When the objects cannot be read, the view is empty, and the error is passed to the `readFailureHandler` of the
/// context or of the container; ``load()`` throws it.
public struct ToMany<Element: ManagedObject> {
  private let owner: ManagedObject
  private let ordinal: Int

  /// For generated code: the view of a relationship, by its position.
  public init(_copal owner: ManagedObject, _ ordinal: Int) {
    self.owner = owner
    self.ordinal = ordinal
  }

  private var relationship: RelationshipRuntime { owner.runtime.relationships[ordinal] }

  /// What finds the objects; nil when the owner is deleted, or its context is gone.
  private var related: RelatedObjects? {
    guard owner.flags.isDisjoint(with: [.deleted, .gone, .missing]) else { return nil }
    return owner.core.state().map { RelatedObjects($0, owner.core) }
  }

  /// Reads the objects, if they have not been read. Later accesses need no statement until the owner is refreshed or
  /// released.
  ///
  /// - Throws: ``PersistenceError`` with a code of `store.…` when they cannot be read.
  public func load() throws { try related?.load(ordinal, of: owner) }

  /// The number of objects. When they have not been read, the store counts them.
  public var count: Int { storedCount }

  private var storedCount: Int {
    reporting { try related?.count(ordinal, of: owner) } ?? 0
  }

  /// Whether there is no object. When they have not been read, the store counts them.
  public var isEmpty: Bool { storedCount == 0 }

  /// Whether an object is one of them. Reads nothing but the object itself, if it is a fault.
  public func contains(_ object: Element) -> Bool {
    guard let slot = relationship.inverseSlot, related != nil, object.core === owner.core,
      object.runtime.isKind(of: relationship.destination)
    else { return false }
    return object.target(slot) === owner
  }

  /// Adds an object. It leaves the object that it belonged to. Adding one of the objects again changes nothing.
  ///
  /// - Precondition: the object belongs to the same context.
  public func insert(_ object: Element) {
    guard let slot = relationship.inverseSlot else { return }
    let description = relationship.description
    require(
      object.runtime.isKind(of: relationship.destination),
      "an object of \(object.entityName) cannot be one of \(owner.entityName).\(description.name)")
    object.setTarget(slot, owner)
  }

  /// Removes an object, which then belongs to no object. Does nothing when it is not one of them.
  public func remove(_ object: Element) {
    guard let slot = relationship.inverseSlot, contains(object) else { return }
    object.setTarget(slot, nil)
  }

  /// Removes all objects. It reads them.
  public func removeAll() {
    for object in snapshot() { remove(object) }
  }

  /// Makes the given objects the only ones. Those that stay are not changed.
  ///
  /// - Precondition: the objects belong to the same context.
  public func replaceAll(with objects: some Sequence<Element>) {
    let new = Array(objects)
    let kept = Set(new.map(ObjectIdentifier.init))
    for object in snapshot() where !kept.contains(ObjectIdentifier(object)) { remove(object) }
    for object in new { insert(object) }
  }

  /// The objects at this moment.
  private func snapshot() -> [Element] {
    guard let objects = reporting({ try related?.members(ordinal, of: owner) }) else { return [] }
    return objects.compactMap { $0.cast() }
  }

  private func reporting<R>(_ body: () throws -> R?) -> R? {
    do {
      return try body()
    } catch {
      owner.reportUnreadable(relationship, error)
      return nil
    }
  }
}

extension ToMany: RandomAccessCollection {
  /// 0.
  public var startIndex: Int { 0 }
  /// The number of objects, which are read.
  public var endIndex: Int { loadedCount }

  /// The object at a position. Do not use positions from before a change; iterate instead.
  public subscript(position: Int) -> Element {
    let found = reporting { try related?.member(at: position, ordinal, of: owner) }
    if let found = found?.cast(to: Element.self) { return found }
    return snapshot()[position]
  }

  /// The objects at this moment, so that a loop may change the relationship.
  public func makeIterator() -> IndexingIterator<[Element]> { snapshot().makeIterator() }

  /// For the algorithms of the standard library, which combine the number with positions: it must be that of the objects
  /// that were read.
  @_implements(Collection,count) @_disfavoredOverload
  public var loadedCount: Int {
    reporting { try related?.loadedCount(ordinal, of: owner) } ?? 0
  }

  /// The objects at this moment. Algorithms of the standard library would ask for their number first.
  public func _copyToContiguousArray() -> ContiguousArray<Element> {
    ContiguousArray(snapshot())
  }
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

  /// Reports that the objects of a relationship cannot be read, once.
  final func reportUnreadable(_ relationship: RelationshipRuntime, _ error: any Error) {
    var failure =
      error as? PersistenceError
      ?? PersistenceError(.inputOutput, found: "\(error)", causes: [error])
    failure.entity = entityName
    failure.property = relationship.description.name
    failure.objectID = objectID
    let subject = PendingValues.Subject.relationship(relationship.ordinal)
    guard cellsWithSideTable().reportedFailures.insert(subject).inserted else { return }
    report(failure)
  }
}
