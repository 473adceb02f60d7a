import CopalEssentials
import CopalModel
public import CopalStore

/// The names of another naming, for a database whose names have a limited length: PostgreSQL cuts a
/// name after 63 bytes, and two names that are cut can be equal.
///
/// A name that is too long has its beginning, `~`, and a hash of the whole name: different names
/// stay different, and a name is always the same. No name of a model has a `~`. Example:
///
/// ```swift
/// let naming = LimitedNaming(CopalNaming(), byteLimit: 63)
/// ```
public struct LimitedNaming<Base: StoreNaming>: StoreNaming {
  private let base: Base
  private let byteLimit: Int

  /// The greatest number of bytes of `~` and a hash.
  private static var endCount: Int { 17 }

  /// A naming with short names.
  ///
  /// - Parameters:
  ///   - base: the naming whose names are used.
  ///   - byteLimit: the greatest number of bytes in UTF-8. A limit below 17 is 17.
  public init(_ base: Base, byteLimit: Int) {
    self.base = base
    self.byteLimit = max(byteLimit, Self.endCount)
  }

  private func limited(_ name: String) -> String {
    if name.utf8.count <= byteLimit { return name }
    var (beginning, count) = ("", Self.endCount)
    for character in name {
      count += character.utf8.count
      if count > byteLimit { break }
      beginning.append(character)
    }
    var hash = StableHash()
    hash.combine(name)
    return beginning + "~" + String(hash.value, radix: 16)
  }

  /// The base's name, shortened where it is too long; as for the names below.
  public var key: String { limited(base.key) }
  /// The column of the version.
  public var version: String { limited(base.version) }
  /// The column of the entity.
  public var entity: String { limited(base.entity) }
  /// The column of the mark; nil if the base has none.
  public var stale: String? { base.stale.map(limited) }
  /// The table of deleted keys.
  public var gone: String { limited(base.gone) }
  /// The table of a family.
  public func table(of root: EntityLayout) -> String { limited(base.table(of: root)) }
  /// The column of a slot.
  public func column(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String {
    limited(base.column(of: slot, in: layout, of: schema))
  }
  /// A derived column.
  public func column(of derived: DerivedColumn, in layout: EntityLayout, of schema: StoreSchema)
    -> String
  {
    limited(base.column(of: derived, in: layout, of: schema))
  }
  /// The trigger that marks rows.
  public func trigger(of root: EntityLayout) -> String { limited(base.trigger(of: root)) }
  /// The table of trigrams.
  public func trigrams(of slot: Int, in layout: EntityLayout, of schema: StoreSchema) -> String {
    limited(base.trigrams(of: slot, in: layout, of: schema))
  }
  /// The trigger for deleted rows.
  public func goneTrigger(of root: EntityLayout) -> String { limited(base.goneTrigger(of: root)) }
  /// The trigger for changed keys.
  public func keyTrigger(of root: EntityLayout) -> String { limited(base.keyTrigger(of: root)) }
  /// An index.
  public func index(of columns: [String], in layout: EntityLayout, isUnique: Bool) -> String {
    limited(base.index(of: columns, in: layout, isUnique: isUnique))
  }
  /// The index of names of files.
  public func fileIndex(of column: String, in layout: EntityLayout) -> String {
    limited(base.fileIndex(of: column, in: layout))
  }
  /// The names of a table of links.
  public func links(_ table: LinkTable, in schema: StoreSchema) -> LinkNames {
    let names = base.links(table, in: schema)
    return LinkNames(
      table: limited(names.table), owner: limited(names.owner), member: limited(names.member),
      position: limited(names.position), inversePosition: limited(names.inversePosition),
      orderIndex: limited(names.orderIndex), inverseIndex: limited(names.inverseIndex))
  }
}
