/// Everything that one save writes, as values. A context makes it and passes it to `StoreSession.commit(_:)`.
///
/// A store applies it completely or not at all, in the order deletes, updates, inserts, so that unique values can
/// be swapped or reused in one save.
public struct ChangeSet: Sendable {
  /// The changes of each entity that has changes.
  public var entities: [EntityChanges]

  /// A change set with the changes of some entities.
  public init(_ entities: [EntityChanges]) { self.entities = entities }

  /// Whether there is nothing to write.
  public var isEmpty: Bool { entities.allSatisfy(\.isEmpty) }

  /// The changes of one entity.
  public struct EntityChanges: Sendable {
    /// The position of the entity in the schema.
    public var entity: Int
    /// The rows to delete.
    public var deletes: [Delete] = []
    /// The rows to update.
    public var updates: [Update] = []
    /// The rows to insert, in the order in which their objects were made.
    public var inserts: [Insert] = []

    /// No changes yet, for the entity at a position in the schema.
    public init(entity: Int) { self.entity = entity }
    /// Whether the entity has nothing to write.
    public var isEmpty: Bool { deletes.isEmpty && updates.isEmpty && inserts.isEmpty }
  }

  /// The deletion of one row.
  public struct Delete: Sendable {
    /// The key of the row.
    public var key: Int64
    /// The version that the object was read with. The row must still have it.
    public var version: Int64
    /// The deletion of the row with a key and a version.
    public init(key: Int64, version: Int64) {
      self.key = key
      self.version = version
    }
  }

  /// The update of one row.
  public struct Update: Sendable {
    /// The key of the row.
    public var key: Int64
    /// The version that the object was read with. The row must still have it.
    public var version: Int64
    /// The complete new row, with its new version.
    public var row: PackedRow
    /// The slots that have changed. Only these are written.
    public var changed: SlotSet
    /// The update of the row with a key and a version.
    public init(key: Int64, version: Int64, row: PackedRow, changed: SlotSet) {
      self.key = key
      self.version = version
      self.row = row
      self.changed = changed
    }
  }

  /// The insertion of one row.
  public struct Insert: Sendable {
    /// The temporary key of the object, for the ids in errors. It is negative.
    public var temporaryKey: Int64
    /// The complete row, with its first version.
    public var row: PackedRow
    /// The insertion of a row for the object with a temporary key.
    public init(temporaryKey: Int64, row: PackedRow) {
      self.temporaryKey = temporaryKey
      self.row = row
    }
  }
}

/// The result of a commit: the permanent keys of the inserted rows.
public struct CommitReceipt: Sendable {
  /// For each element of ``ChangeSet/entities``, the keys of its inserts in their order.
  public var insertedKeys: [[Int64]]
  /// The receipt for the keys of all inserts.
  public init(insertedKeys: [[Int64]]) { self.insertedKeys = insertedKeys }
}
