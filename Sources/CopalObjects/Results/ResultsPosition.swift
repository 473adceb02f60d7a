public import CopalModel

/// The place of an object in a list with sections.
public struct ResultsPosition: Sendable, Hashable, Comparable {
  /// The position of the section; 0 in a list without sections.
  public var section: Int
  /// The position in the section.
  public var item: Int

  /// The place at two positions.
  public init(section: Int = 0, item: Int) {
    self.section = section
    self.item = item
  }

  /// Whether the first place comes before the second one in the list.
  public static func < (a: Self, b: Self) -> Bool {
    a.section == b.section ? a.item < b.item : a.section < b.section
  }
}

extension ResultsPosition: CustomStringConvertible {
  /// The two positions: `[1, 4]`.
  public var description: String { "[\(section), \(item)]" }
}

/// The difference of two states of a list: what turns the former one into the present one.
///
/// First `deleted` and the starts of `moves` are taken out, by their positions before. Then
/// `inserted` and the ends of `moves` are put in, by their positions after. This is what
/// `performBatchUpdates` of a table or collection view takes.
public struct ResultsChange: Sendable {
  /// Where objects were that are not in the list any more. Positions before, in ascending order.
  public internal(set) var deleted: [ResultsPosition] = []
  /// Where new objects of the list are. Positions after, in ascending order.
  public internal(set) var inserted: [ResultsPosition] = []
  /// Where objects are that have other values, and have kept their place among the others.
  /// Positions after, in ascending order.
  public internal(set) var updated: [ResultsPosition] = []
  /// Objects at another place. Such an object is in no other of the lists, and it may have other
  /// values. `from` is a position before, `to` a position after, and they differ: an object whose
  /// place among the others has changed, and whose position has not, is in `deleted` and
  /// `inserted`.
  public internal(set) var moves: [Move] = []
  /// The sections that are not in the list any more, by their positions before, in ascending order.
  /// Their objects are in `deleted` or `moves`.
  public internal(set) var deletedSections: [Int] = []
  /// The new sections, by their positions after, in ascending order. Their objects are in
  /// `inserted` or `moves`.
  public internal(set) var insertedSections: [Int] = []
  /// Whether any object may have other values, so that all of them are to be shown again: others
  /// have changed objects, and it is not known which; or the context was reset. `updated` is empty
  /// then.
  public internal(set) var isReload = false

  /// An object at another place.
  public struct Move: Sendable, Hashable {
    /// Its position before.
    public let from: ResultsPosition
    /// Its position after.
    public let to: ResultsPosition
  }

  init() {}

  /// Whether nothing has changed.
  public var isEmpty: Bool {
    deleted.isEmpty && inserted.isEmpty && updated.isEmpty && moves.isEmpty
      && deletedSections.isEmpty && insertedSections.isEmpty && !isReload
  }
}

extension ResultsChange: CustomStringConvertible {
  /// How many objects have come, gone, moved and changed.
  public var description: String {
    let counts = [
      (deleted.count, "deleted"), (inserted.count, "inserted"), (moves.count, "moved"),
      (updated.count, "updated"), (deletedSections.count, "sections deleted"),
      (insertedSections.count, "sections inserted"),
    ]
    let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" } + (isReload ? ["reload"] : [])
    return words.isEmpty ? "no changes" : words.joined(separator: ", ")
  }
}

/// A list with its sections as ids: for diffable data sources, and for other isolations.
///
/// An object that is not saved yet has a temporary id, and another one after the save.
public struct ResultsSnapshot: Sendable, Hashable {
  /// One section of the list.
  public struct Section: Sendable, Hashable {
    /// Its name; nil for the objects without one, and in a list without sections.
    public let name: String?
    /// The ids of its objects, in their order.
    public let ids: [ManagedObjectID]
  }

  /// The sections in their order. A list that is not divided has one section, also when it is
  /// empty.
  public let sections: [Section]
  /// The ids of all objects, in their order.
  public var ids: [ManagedObjectID] { sections.flatMap(\.ids) }
}
