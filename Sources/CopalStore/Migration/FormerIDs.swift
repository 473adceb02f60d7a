/// Which objects the ids of former entities mean: a migration can rename an entity or remove it,
/// and texts of ids live in other places.
///
/// A store reads it once, when it opens. A text of an id finds its object or nothing, never another
/// object.
public struct FormerIDs: Sendable, Hashable {
  /// The ids of a former root entity with keys up to a last one.
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

  /// The entries.
  public private(set) var entries: [Entry]

  /// The entries that a store keeps.
  public init(_ entries: [Entry] = []) { self.entries = entries }

  /// What the id of a root entity and a key means; nil for an id of an entity of now.
  public func entry(root: String, key: Int64) -> Entry? {
    entries.first { $0.former == root && key <= $0.last }
  }

  /// The entries after a migration that gives root entities other names, and removes some.
  ///
  /// - Parameters:
  ///   - renamed: the new name of each root whose name changes, by its old one.
  ///   - removed: the names of removed roots.
  ///   - last: the last key of a root with an old name.
  package func migrated(
    renamed: [String: String], removed: [String], last: (String) throws -> Int64
  ) rethrows -> FormerIDs {
    var result = entries.map { entry in
      var entry = entry
      if let name = entry.entity {
        entry.entity = removed.contains(name) ? nil : renamed[name] ?? name
      }
      return entry
    }
    for (old, new) in renamed.sorted(by: { $0.key < $1.key }) {
      result.append(Entry(former: old, last: try last(old), entity: new))
    }
    for name in removed.sorted() {
      result.append(Entry(former: name, last: try last(name), entity: nil))
    }
    return FormerIDs(result)
  }
}
