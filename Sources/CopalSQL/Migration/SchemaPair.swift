import CopalEssentials
import CopalModel
public import CopalStore

/// The schema of a store beside the schema of a newer model, with the ``ModelMapping`` between
/// them.
public final class SchemaPair: Sendable {
  /// The schema that the store has.
  public let old: StoreSchema
  /// The schema that it gets.
  public let new: StoreSchema
  package let mapping: ModelMapping
  let losses: [PropertyLoss]

  /// The pair of a stored model and a schema.
  package init(_ mapping: ModelMapping, to new: StoreSchema) {
    old = StoreSchema(mapping.old)
    self.new = new
    self.mapping = mapping
    losses = PropertyLoss.all(of: mapping)
  }

  /// The mapping of an old entity.
  func oldMapping(_ former: Int) -> TableMapping { TableMapping(old.entities[former], in: old) }

  /// The mapping of a new entity.
  func newMapping(_ entity: Int) -> TableMapping { TableMapping(new.entities[entity], in: new) }

  /// The position of the old root of an old entity.
  func oldRoot(_ former: Int) -> Int { old.entities[former].root }

  /// The position of the new root of an old entity that is not removed.
  func newRoot(_ former: Int) -> Int? {
    mapping.newEntity(of: former).map { new.entities[$0].root }
  }

  /// The old entities of a family that can have rows: all that are not abstract.
  func formersWithRows(ofRoot root: Int) -> [Int] {
    old.kinds(of: root).filter { !old.model.entities[$0].isAbstract }
  }

  /// The rows of some old entities of one family.
  package func rows(of formers: [Int]) -> FormerRows? {
    guard let first = formers.first else { return nil }
    let root = oldRoot(first)
    return FormerRows(
      mapping: oldMapping(root), formers: formers,
      areAll: Set(formersWithRows(ofRoot: root)).isSubset(of: formers))
  }

  /// The rows of some old entities, for each family.
  func rowsByFamily(of formers: [Int]) -> [FormerRows] {
    Dictionary(grouping: formers, by: oldRoot).inOrder { $0.key < $1.key }
      .compactMap { rows(of: $0.value) }
  }
}

/// The rows of some entities of an old family, in its table.
public struct FormerRows: Sendable {
  /// The mapping of the root.
  public let mapping: TableMapping
  /// The entities, as positions in the old schema.
  let formers: [Int]
  /// Whether the table has no rows of other entities.
  public let areAll: Bool

  /// The condition for the rows; empty for all rows of the table.
  ///
  /// - Parameter word: what comes before it.
  func condition(after word: SQLFragment) -> SQLFragment {
    areAll ? "" : mapping.isOne(of: formers).map { word + $0 } ?? ""
  }
}
