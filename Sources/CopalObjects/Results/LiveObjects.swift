/// The objects of a list that is kept up to date, as they were when it was asked for them.
///
/// A collection: it can be iterated, counted, filtered and sliced. It is made without copying the
/// list. An object is found by its position in time that grows with the list by a very small
/// factor: iterating is faster than asking for each position.
public struct LiveObjects<Object: ManagedObject>: RandomAccessCollection {
  private let list: ResultList
  private let offset: Int
  /// The number of objects.
  public let count: Int

  init(_ list: ResultList, count: Int) {
    (self.list, offset, self.count) = (list, 0, count)
  }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { count }

  /// The object at a position.
  ///
  /// - Precondition: the list has an object there.
  public subscript(position: Int) -> Object {
    // The query has found objects of this class.
    unsafeDowncast(list[position].object, to: Object.self)
  }

  /// Iterates over the objects in their order.
  public func makeIterator() -> Iterator { Iterator(list.makeIterator(), count) }

  /// The objects one after the other.
  public struct Iterator: IteratorProtocol {
    private var entries: ResultList.Iterator
    private var rest: Int

    init(_ entries: ResultList.Iterator, _ count: Int) { (self.entries, rest) = (entries, count) }

    /// The next object; nil at the end.
    public mutating func next() -> Object? {
      if rest == 0 { return nil }
      rest -= 1
      return entries.next().map { unsafeDowncast($0.object, to: Object.self) }
    }
  }
}

@available(*, unavailable, message: "its objects stay with their context; pass ids instead")
extension LiveObjects: Sendable {}
