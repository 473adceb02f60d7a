/// Everything that one save writes, as values: what crosses the door from a context to a store.
///
/// A store applies it as a whole or not at all, in the order deletes, updates, inserts, so that unique
/// values can be swapped or reused within one save.
public struct ChangeSet: Sendable {
  /// The changes of each entity that has any.
  public var entities: [EntityChanges]

  public init(_ entities: [EntityChanges]) { self.entities = entities }

  public var isEmpty: Bool { entities.allSatisfy(\.isEmpty) }

  public struct EntityChanges: Sendable {
    public var entity: Int
    public var deletes: [Delete] = []
    public var updates: [Update] = []
    public var inserts: [Insert] = []

    public init(entity: Int) { self.entity = entity }
    public var isEmpty: Bool { deletes.isEmpty && updates.isEmpty && inserts.isEmpty }
  }

  public struct Delete: Sendable {
    public var key: Int64
    /// The version the object was read with; the row must still have it.
    public var version: Int64
    public init(key: Int64, version: Int64) {
      self.key = key
      self.version = version
    }
  }

  public struct Update: Sendable {
    public var key: Int64
    /// The version the object was read with; the row must still have it.
    public var version: Int64
    /// The whole new row, with its new version.
    public var row: PackedRow
    /// The slots whose values differ from the stored ones; only these are written.
    public var changed: SlotSet
    public init(key: Int64, version: Int64, row: PackedRow, changed: SlotSet) {
      self.key = key
      self.version = version
      self.row = row
      self.changed = changed
    }
  }

  public struct Insert: Sendable {
    /// The temporary key, by which an error names the object.
    public var temporaryKey: Int64
    public var row: PackedRow
    public init(temporaryKey: Int64, row: PackedRow) {
      self.temporaryKey = temporaryKey
      self.row = row
    }
  }
}

/// What a store says of a commit: the permanent keys.
public struct CommitReceipt: Sendable {
  /// For each element of the change set, the keys of its inserts in their order.
  public var insertedKeys: [[Int64]]
  public init(insertedKeys: [[Int64]]) { self.insertedKeys = insertedKeys }
}
