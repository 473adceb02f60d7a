import CopalModel

/// The objects of a list that is kept up to date, or of one of its sections, as they were when it
/// was asked for them.
///
/// A collection: it can be iterated, counted, filtered and sliced. Its first position is 0, also in
/// a section. It is made without copying the list. An object is found by its position in time that
/// grows with the list by a very small factor: iterating is faster than asking for each position.
public struct LiveObjects<Object: ManagedObject>: RandomAccessCollection {
  private let list: ResultList
  /// The position of the first object in the list.
  private let start: Int
  /// The number of objects.
  public let count: Int

  /// - Parameters:
  ///   - start: where the objects begin in the list.
  ///   - count: how many they are.
  init(_ list: ResultList, from start: Int = 0, count: Int) {
    (self.list, self.start, self.count) = (list, start, count)
  }

  /// The position of the first object: 0.
  public var startIndex: Int { 0 }
  /// The number of objects.
  public var endIndex: Int { count }

  /// The object at a position.
  ///
  /// - Precondition: there is an object.
  public subscript(position: Int) -> Object {
    guard indices.contains(position) else {
      misuse("a list of \(count) objects has none at \(position)")
    }
    // The query has found objects of this class.
    return unsafeDowncast(list[start + position].object, to: Object.self)
  }

  /// Iterates over the objects in their order.
  public func makeIterator() -> Iterator { Iterator(list, from: start, count: count) }

  /// The objects one after the other.
  public struct Iterator: IteratorProtocol {
    private let list: ResultList
    private var place: (chunk: Int, item: Int)
    private var rest: Int

    init(_ list: ResultList, from start: Int, count: Int) {
      (self.list, place, rest) = (list, list.place(at: start), count)
    }

    /// The next object; nil at the end.
    public mutating func next() -> Object? {
      if rest == 0 { return nil }
      rest -= 1
      let chunk = list.chunks[place.chunk]
      let object = chunk[place.item].object
      place = place.item + 1 == chunk.count ? (place.chunk + 1, 0) : (place.chunk, place.item + 1)
      return unsafeDowncast(object, to: Object.self)
    }
  }
}

@available(*, unavailable, message: "its objects stay with their context; pass ids instead")
extension LiveObjects: Sendable {}
