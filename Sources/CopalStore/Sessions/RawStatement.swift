public import CopalModel

/// A statement in SQL that a program has written itself: text, values, and names of the model.
///
/// Values are never text: a store binds them. Names are those of the schema, and a store quotes
/// them.
public struct RawStatement: Sendable, Hashable {
  /// The parts, one after the other.
  public var parts: [Part]

  /// A part of a statement.
  public enum Part: Sendable, Hashable {
    /// Text of the program's source code.
    case text(String)
    /// A value, which is bound in the form that an attribute of its type without a scale is stored
    /// in. An object is given as its key.
    case value(PropertyValue)
    /// A value, which is bound in the form that the attribute of a slot is stored in.
    case stored(PropertyValue, entity: Int, slot: Int)
    /// The table that has the objects of an entity.
    case table(entity: Int)
    /// The column of a stored slot.
    case column(entity: Int, slot: Int)
    /// The column with the keys of the objects of an entity.
    case key(entity: Int)
  }

  /// A statement of parts.
  public init(_ parts: [Part]) { self.parts = parts }
}

/// What a statement of a program has found.
public struct RawRows: Sendable, Hashable {
  /// The names of the columns, as the statement gives them.
  public var columns: [String]
  /// The rows, each with a value for each column in the form of the store: null, an integer, a
  /// double, a string or bytes.
  public var rows: [[PropertyValue]]

  /// Rows with their columns.
  public init(columns: [String], rows: [[PropertyValue]]) {
    self.columns = columns
    self.rows = rows
  }
}

/// What a statement of a program has changed.
public struct RawChanges: Sendable, Hashable {
  /// The number of rows that it has inserted, updated or deleted.
  public var count: Int
  /// The entities whose objects or links can have changed.
  public var entities: Set<Int>
  /// The keys of new rows, by root, where they are known.
  public var inserted: [Int: [Int64]]
  /// The place of the changes in the store's ``PersistentStore/commitOrder``, as in a
  /// ``CommitReceipt``.
  public var place: CommitPlace?

  /// Changes of objects of some entities.
  public init(count: Int, entities: Set<Int>, inserted: [Int: [Int64]] = [:]) {
    self.count = count
    self.entities = entities
    self.inserted = inserted
  }
}

extension StoreSession {
  /// Throws `store.noSQL`.
  public func fetchRows(of statement: RawStatement) throws -> RawRows {
    throw PersistenceError(.noSQL)
  }

  /// Throws `store.noSQL`.
  public func executeUnsafe(_ statement: RawStatement) throws -> RawChanges {
    throw PersistenceError(.noSQL)
  }
}
