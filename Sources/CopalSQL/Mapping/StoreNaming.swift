import CopalModel
public import CopalStore

/// The names of tables, columns and indexes. Copal's own stores have ``CopalNaming``; stores of other programs have
/// other names.
public protocol StoreNaming: Sendable {
  /// The name of the column with the key of a row.
  var key: String { get }
  /// The name of the column with the version of a row.
  var version: String { get }
  /// The name of the table of an entity.
  func table(of layout: EntityLayout) -> String
  /// The name of the column of a stored slot.
  func column(of slot: Int, in layout: EntityLayout) -> String
  /// The name of the index of some columns, unique or not.
  func index(of columns: [String], in layout: EntityLayout, isUnique: Bool) -> String
}

/// The names in Copal's stores: the table has the name of the entity, and a column with the name of each stored
/// attribute. Copal's own columns begin with `copal_`, which no name of a model does.
public struct CopalNaming: StoreNaming {
  /// Copal's naming.
  public init() {}

  /// `copal_id`.
  public var key: String { "copal_id" }
  /// `copal_version`.
  public var version: String { "copal_version" }
  /// The name of the entity.
  public func table(of layout: EntityLayout) -> String { layout.name }
  /// The name of the attribute.
  public func column(of slot: Int, in layout: EntityLayout) -> String {
    layout.attributes[slot].name
  }

  /// `copal_unique_Pigment(code,name)` or `copal_index_Pigment(name)`.
  ///
  /// Parentheses and commas cannot occur in names of a model, so the names of indexes are unique.
  public func index(of columns: [String], in layout: EntityLayout, isUnique: Bool) -> String {
    // The order of attributes matters in an index, and not in a constraint.
    let list = (isUnique ? columns.sorted() : columns).joined(separator: ",")
    return "copal_\(isUnique ? "unique" : "index")_\(layout.name)(\(list))"
  }
}
