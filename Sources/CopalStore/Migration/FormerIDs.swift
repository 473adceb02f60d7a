/// Which objects the ids of former families mean: a migration can rename a root entity, remove it,
/// or move objects into another family, and texts of ids live in other places.
///
/// A store reads it once, when it opens. A text of an id finds its object or nothing, never another
/// object.
public struct FormerIDs: Sendable, Hashable {
  /// Where the objects of a former root entity with keys up to a last one can be.
  ///
  /// There are several entries with the same root and last key where some of the objects have gone
  /// into another family: one for each family. An object is in one of them at most.
  public struct Entry: Sendable, Hashable {
    /// The name that the entity had: that of the first ancestor.
    public var former: String
    /// The greatest key of these ids.
    public var last: Int64
    /// The name of the entity of these objects now, or of its first ancestor; nil for a removed
    /// entity.
    public var entity: String?
    /// What is added to a key.
    public var added: Int64

    /// An entry with the given values.
    public init(former: String, last: Int64, entity: String?, added: Int64 = 0) {
      self.former = former
      self.last = last
      self.entity = entity
      self.added = added
    }
  }

  /// A place in which the object of an id can be now.
  public struct Place: Sendable, Hashable {
    /// The name of the first ancestor of the object's entity.
    public let root: String
    /// The key.
    public let key: Int64
  }

  /// The entries.
  public private(set) var entries: [Entry]

  /// The entries that a store keeps.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// The places in which the object of a root entity and a key can be now; empty for an object that
  /// was removed with its entity. Nil for an id of an entity of now.
  public func places(root: String, key: Int64) -> [Place]? {
    // Ids of objects that were never saved have negative keys.
    if key < 0 { return nil }
    let found = entries.filter { $0.former == root && key <= $0.last }
    guard let last = found.map(\.last).min() else { return nil }
    return found.filter { $0.last == last }.compactMap { entry in
      entry.entity.map { Place(root: $0, key: key + entry.added) }
    }
  }

  /// What a migration does with the ids of a root entity.
  package struct Change: Sendable {
    /// The name of the root.
    package let root: String
    /// The greatest key of its ids.
    package let last: Int64
    /// The root entities that have its objects now, with what is added to their keys. Empty for a
    /// removed root.
    package let targets: [(root: String, added: Int64)]

    package init(root: String, last: Int64, targets: [(root: String, added: Int64)]) {
      self.root = root
      self.last = last
      self.targets = targets
    }
  }

  /// The entries after a migration.
  ///
  /// - Parameter changes: the roots whose ids mean something else, or whose objects are in several
  ///   families now.
  package func migrated(_ changes: [Change]) -> FormerIDs {
    var result: [Entry] = []
    func add(_ entry: Entry, _ change: Change) {
      var targets = change.targets.map {
        Entry(
          former: entry.former, last: entry.last, entity: $0.root, added: entry.added + $0.added)
      }
      if targets.isEmpty { targets = [Entry(former: entry.former, last: entry.last, entity: nil)] }
      for target in targets where !result.contains(target) { result.append(target) }
    }
    for entry in entries {
      if let change = changes.first(where: { $0.root == entry.entity }) {
        add(entry, change)
      } else if !result.contains(entry) {
        result.append(entry)
      }
    }
    for change in changes {
      add(Entry(former: change.root, last: change.last, entity: change.root), change)
    }
    return FormerIDs(result)
  }
}
