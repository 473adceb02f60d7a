/// What a check of a store looks at: `container.check(_:limit:progress:)`.
///
/// ```swift
/// try container.check(.everything)
/// try container.check([.references, .values])
/// ```
///
/// A store leaves out the parts that it has nothing for: a store in memory has no files, no tables
/// and no pages.
public struct StoreCheckParts: OptionSet, Sendable, Hashable {
  /// The parts as bits. Later versions may add some.
  public let rawValue: UInt32

  /// The parts of some bits.
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// References and links to objects that do not exist, or that are of another entity. It costs
  /// about as much as reading the columns of relationships and the links.
  public static let references = StoreCheckParts(rawValue: 1 << 0)
  /// What the store keeps for searches and projections, where it is not what the values give. It
  /// costs about as much as making these forms again.
  public static let search = StoreCheckParts(rawValue: 1 << 1)
  /// Unique constraints: rows with the same values. The rows themselves are compared, and not an
  /// index, which can be missing or damaged. It costs a sort of the rows for each constraint. With
  /// ``integrity``, a unique index that was found sound is enough, which costs nothing.
  public static let uniqueness = StoreCheckParts(rawValue: 1 << 2)
  /// Each value of each row: its type, its form, and the rules of the model; rows of no entity; and
  /// the numbers of objects in to-many relationships. It costs about as much as reading all rows.
  public static let values = StoreCheckParts(rawValue: 1 << 3)
  /// The files of large values: missing ones, and files of another size. Their bytes are not read.
  /// Files that no row refers to are no problem. It costs a call of the system for each large
  /// value.
  public static let files = StoreCheckParts(rawValue: 1 << 4)
  /// The tables and indexes, compared with the model as when the store was opened.
  public static let schema = StoreCheckParts(rawValue: 1 << 5)
  /// The database's own check of all pages and indexes, such as `PRAGMA integrity_check`. It costs
  /// about as much as all others together.
  public static let integrity = StoreCheckParts(rawValue: 1 << 6)

  /// All parts that this version has.
  public static let everything: StoreCheckParts = [
    .references, .search, .uniqueness, .values, .files, .schema, .integrity,
  ]
}

/// How far a check of a store is.
public struct StoreCheckProgress: Sendable, Hashable {
  /// What is looked at now: one part, or ``StoreCheckParts/values`` and ``StoreCheckParts/files``,
  /// which read the rows together.
  public let parts: StoreCheckParts
  /// The entity whose rows are looked at; nil for the other parts.
  public let entityName: String?
  /// The number of rows whose values were looked at, of all entities.
  public let rowCount: Int

  /// A progress with the given parts and numbers.
  public init(parts: StoreCheckParts, entityName: String?, rowCount: Int) {
    self.parts = parts
    self.entityName = entityName
    self.rowCount = rowCount
  }
}
