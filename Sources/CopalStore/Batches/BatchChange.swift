public import CopalModel

/// A change of many rows, as values: of all rows that meet a condition, or of rows that are given.
/// A context makes it and passes it to ``StoreSession/execute(_:check:)``. No object is read for
/// it.
public enum BatchChange: Sendable {
  /// Deletes the objects that a query finds, and does to others what the delete rules say:
  /// ``DeletionPlan``. The query has no order and no limit.
  case delete(StoreQuery)
  /// Gives the objects that a query finds other values, and raises their versions. All values are
  /// calculated before the first one is written. The query has no order and no limit.
  case update(StoreQuery, [Assignment])
  /// Inserts rows, or updates those that have the same values in a unique constraint.
  case upsert(Upsert)

  /// The new value of a slot.
  public struct Assignment: Sendable {
    /// The slot of an attribute.
    public var slot: Int
    /// The new value.
    public var value: Value

    /// A new value for a slot.
    public init(slot: Int, _ value: Value) {
      self.slot = slot
      self.value = value
    }
  }

  /// Where a new value comes from.
  public enum Value: Sendable, Hashable {
    /// No value.
    case null
    /// The constant at a position of ``StoreQuery/parameters``, which has the type of the slot.
    case parameter(Int)
    /// A value that is calculated for each object. Its type is that of the slot.
    case calculated(QueryCalculation)
  }

  /// Rows that are inserted or updated, one after the other in their order.
  public struct Upsert: Sendable {
    /// The position of the entity in the schema.
    public var entity: Int
    /// The unique constraint by which a stored row is found. A row with a null in it is always
    /// inserted.
    public var constraint: EntityLayout.UniqueConstraint
    /// The rows.
    public var rows: [Row]

    /// Rows for an entity.
    public init(entity: Int, on constraint: EntityLayout.UniqueConstraint, _ rows: [Row]) {
      self.entity = entity
      self.constraint = constraint
      self.rows = rows
    }
  }

  /// A row that is inserted or updated.
  public struct Row: Sendable {
    /// The complete row, as it is inserted, with its first version.
    public var row: PackedRow
    /// The slots whose values are given. Only these are written to a stored row.
    public var given: SlotSet

    /// A row with some given values.
    public init(_ row: PackedRow, given: SlotSet) {
      self.row = row
      self.given = given
    }
  }
}

/// Checks a value that a store has calculated for a slot of a row, and gives its final form; nil
/// when the value breaks a rule. Then nothing is written.
public typealias BatchCheck = (
  _ entity: Int, _ key: Int64, _ slot: Int, _ value: PropertyValue
) -> PropertyValue?

/// What has become of a batch.
public enum BatchOutcome: Sendable {
  /// Everything was written.
  case done(BatchResult)
  /// Nothing was written, for these reasons. There are none when a check has refused a value.
  case refused([BatchRefusal])

  /// Whether everything was written.
  public var isDone: Bool { if case .done = self { true } else { false } }
}

/// What a batch has done.
public struct BatchResult: Sendable {
  /// The number of objects that the query has found. Those that a delete rule has deleted are not
  /// counted.
  public var count: Int
  /// The keys of the objects that an upsert has inserted, in the order of their rows.
  public var inserted: [Int64]
  /// The keys of the objects that an upsert has updated and not inserted, each once, in the order
  /// of their rows.
  public var updated: [Int64]
  /// The keys of the rows that were updated or deleted, also by delete rules, by the position of
  /// their root. Nil when the store does not know all of them, or when there are many: then the
  /// context reads all objects of the entities again.
  public var changed: [Int: [Int64]]?
  /// The place of the batch in the store's ``PersistentStore/commitOrder``, as in a
  /// ``CommitReceipt``.
  public var place: CommitPlace?

  /// The result of a batch.
  public init(
    count: Int, inserted: [Int64] = [], updated: [Int64] = [], changed: [Int: [Int64]]? = nil
  ) {
    self.count = count
    self.changed = changed
    self.inserted = inserted
    self.updated = updated
  }
}

/// A rule of the model that a batch would break.
public struct BatchRefusal: Sendable, Hashable {
  /// Which rule it is.
  public var kind: Kind
  /// The position of the entity that declares the property.
  public var entity: Int
  /// The key of an object for which the rule would be broken; nil when it is not known.
  public var key: Int64?

  /// A rule that would be broken.
  public enum Kind: Sendable, Hashable {
    /// The relationship has the delete rule `deny`, and this number of objects.
    case denied(RelationshipName, count: Int)
    /// The to-one relationship at a slot is required, and would have no object.
    case required(slot: Int)
    /// The relationship would have fewer objects than its minimum.
    case tooFew(RelationshipName, count: Int, minimum: Int)
    /// Two objects would have the same values in the unique constraint of these slots.
    case unique([Int])
  }

  /// A rule that would be broken for an object of an entity.
  public init(_ kind: Kind, entity: Int, key: Int64? = nil) {
    self.kind = kind
    self.entity = entity
    self.key = key
  }
}

/// Ends the transaction of a batch that would break rules.
package struct BatchRefusals: Error {
  package let all: [BatchRefusal]
  package init(_ all: [BatchRefusal]) { self.all = all }
}
