public import CopalEssentials
import CopalModel

/// Everything that one save writes, as values. A context makes it and passes it to
/// `StoreSession.commit(_:)`.
///
/// A store applies it completely or not at all, in the order deletes, updates, inserts, links, so
/// that unique values can be swapped or reused in one save. It chooses the keys of all inserts
/// first.
public struct ChangeSet: Sendable {
  /// The changes of each entity that has changes.
  public var entities: [EntityChanges]
  /// The changes of each table of links that has changes. Links of deleted objects need not be
  /// named where the delete rule is `nullify` or `noAction`: the store removes them all.
  public var links: [LinkChanges]
  /// The new large values, by the names of their files. The rows of the change set have these
  /// names. A store writes each file and syncs it before it commits the rows. Empty for a store
  /// without ``PersistentStore/externalFiles``.
  public var externalValues: [ExternalFileName: Data] = [:]
  /// What the program keeps beside its objects, by names: the new values, and nil for those that
  /// are removed. Empty for a store that does not keep them: ``PersistentStore/keepsMetadata``.
  public var metadata: [String: MetadataValue?] = [:]
  /// Who has made the changes: the `transactionAuthor` of the context. Nil when it has none.
  public var author: String?
  /// The `name` of the context that has made the changes. Nil when it has none.
  public var contextName: String?

  /// A change set with the changes of some entities.
  public init(
    _ entities: [EntityChanges], links: [LinkChanges] = [], author: String? = nil,
    contextName: String? = nil
  ) {
    self.entities = entities
    self.links = links
    self.author = author
    self.contextName = contextName
  }

  /// The same changes, with versions that no former row of the same key has had in rows that come
  /// back. A store calls it in the transaction of the commit, before it writes the first row.
  ///
  /// - Parameters:
  ///   - schema: the schema of the store.
  ///   - now: the time of the store; that of its server, where several machines write.
  public func withVersions(in schema: StoreSchema, now: Date = Date()) -> ChangeSet {
    var result = self
    for (place, change) in entities.enumerated() {
      for (index, insert) in change.inserts.enumerated() where insert.isAgain {
        let version = RowVersion.again(after: insert.row.version, now: now)
        let layout = schema.entities[change.entity]
        result.entities[place].inserts[index].row = insert.row.withVersion(version, layout)
      }
    }
    return result
  }

  /// Whether there is nothing to write.
  public var isEmpty: Bool {
    metadata.isEmpty && entities.allSatisfy(\.isEmpty) && links.allSatisfy(\.isEmpty)
  }

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
    /// The row that the object was read with. Nil when a delete rule has deleted the row, and the
    /// context never had its object.
    public var before: PackedRow?
    /// The version that the stored row must still have.
    public var version: Int64
    /// The deletion of the row with a key.
    public init(key: Int64, before: PackedRow) {
      self.key = key
      self.before = before
      version = before.version
    }
    /// The deletion of a row that was not read, but for its version.
    public init(key: Int64, version: Int64) {
      self.key = key
      self.version = version
    }
  }

  /// The update of one row.
  public struct Update: Sendable {
    /// The key of the row.
    public var key: Int64
    /// The row that the object was read with. The stored row must still have its version.
    public var before: PackedRow
    /// The complete new row, with its new version.
    public var row: PackedRow
    /// The slots that have changed. Only these are written. It may be empty: the store then checks
    /// the version and writes the new one.
    public var changed: SlotSet
    /// The version that the stored row must still have.
    public var version: Int64 { before.version }
    /// The update of the row with a key.
    public init(key: Int64, before: PackedRow, row: PackedRow, changed: SlotSet) {
      self.key = key
      self.before = before
      self.row = row
      self.changed = changed
    }
  }

  /// The insertion of one row.
  public struct Insert: Sendable {
    /// Negative: the temporary key of the object, which names it in a ``CommitConflict``; the store
    /// chooses the key of the row. Positive: the key that the row must get, because an object had
    /// it before.
    public var key: Int64
    /// The complete row, with its first version.
    public var row: PackedRow
    /// Whether a row of an object comes back that others have deleted. Then `row` has the last
    /// version that is known, and the store gives it a later one:
    /// ``ChangeSet/withVersions(in:now:)``.
    public var isAgain: Bool
    /// The insertion of a row for the object with a key.
    public init(key: Int64, row: PackedRow, isAgain: Bool = false) {
      self.key = key
      self.row = row
      self.isAgain = isAgain
    }
  }
}

/// The result of a commit.
public enum CommitResult: Sendable {
  /// Everything was written.
  case committed(CommitReceipt)
  /// Nothing was written, because of these conflicts: all that there are.
  case refused([CommitConflict])

  /// Whether everything was written.
  public var isCommitted: Bool { if case .committed = self { true } else { false } }
}

/// What a store reports of the rows that it has written.
public struct CommitReceipt: Sendable {
  /// For each element of ``ChangeSet/entities``, the keys of its inserts in their order.
  public var insertedKeys: [[Int64]]
  /// The change set as it was written: with the keys of new objects in references to them, and with
  /// absolute positions. It has only links that were really added, removed or moved, and also those
  /// that were removed with a deleted row. A link that was to be added and existed is one that was
  /// moved, if it has got a position. A removed link needs no positions.
  public var written: ChangeSet
  /// The place of the commit in the store's ``PersistentStore/commitOrder``. Nil for a store
  /// without an order, and in an open transaction, whose end has the place.
  public var place: CommitPlace?
  /// The receipt for the keys of all inserts and what was written.
  public init(insertedKeys: [[Int64]], written: ChangeSet, place: CommitPlace? = nil) {
    self.insertedKeys = insertedKeys
    self.written = written
    self.place = place
  }
}

/// One row that a commit cannot write, as data: what the program wanted is in the change set, and
/// what the store has instead is here.
public struct CommitConflict: Sendable {
  /// Why a row cannot be written.
  public enum Kind: Sendable {
    /// The stored row has another version than the one that the object was read with.
    case changed
    /// There is no stored row any more.
    case deleted
    /// Another object has the same values in a unique constraint, which is given as its slots.
    case unique([Int])
    /// An insert wants a key that another row has.
    case keyInUse
    /// By a relationship, the row refers to an object that is not stored: another context has
    /// deleted it. Its key is ``CommitConflict/other``.
    case missingObject(RelationshipName)
    /// The row is deleted, and by a relationship of another object, this one still refers to it.
    /// Its key is ``CommitConflict/other``.
    case stillReferenced(RelationshipName)
    /// The stored row cannot be read, for example because its version is not a number.
    case unreadable(PersistenceError)
  }

  /// Why the row cannot be written.
  public var kind: Kind
  /// The position of the entity in the schema.
  public var entity: Int
  /// The key in the change set: of a row, or the temporary key of a new object.
  public var key: Int64
  /// The version that the object was read with; nil for an insert.
  public var version: Int64?
  /// The row that the store has under the key; nil when there is none.
  public var stored: PackedRow?
  /// The key of the other object: of a stored row, or of a new object of the change set.
  public var other: Int64?

  /// A conflict of the row with a key.
  public init(
    _ kind: Kind, entity: Int, key: Int64, version: Int64? = nil, stored: PackedRow? = nil,
    other: Int64? = nil
  ) {
    self.kind = kind
    self.entity = entity
    self.key = key
    self.version = version
    self.stored = stored
    self.other = other
  }
}
