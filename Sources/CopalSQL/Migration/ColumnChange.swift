import CopalEssentials
import CopalModel
import CopalStore

/// The columns of a table that another model changes, and what the rows get in them.
public struct ColumnChange: Sendable {
  /// The renamings, in an order in which each new name is free.
  public let renames: [Rename]
  /// The new columns, and those that get converted values.
  public let added: [Column]
  /// The columns that the model does not have any more, under the names that they have by then.
  public let dropped: [String]
  /// The columns that get the values of dropped ones, by the names of these.
  public let successors: [String: String]
  /// What rows get that stay in the table.
  public let updates: [RowUpdate]
  /// The rows that come into the table.
  public let moves: [RowMove]
  /// What rows must fulfill.
  public let checks: [RowCheck]
  /// What the rows of each old entity get, also those that stay.
  let rows: [RowChange]
  /// The name that each column of the table has after the renamings, by its old one.
  let names: [String: String]

  /// A column of a table.
  public struct Column: Sendable {
    /// The mapping of the entity that declares it.
    public let mapping: TableMapping
    /// The slot.
    public let slot: Int
  }

  /// - Parameters:
  ///   - family: the mappings of the root and its subentities, the root first.
  ///   - conversions: the conversions of the whole migration, to which those of the table are
  ///     added.
  init(
    of family: [TableMapping], _ pair: SchemaPair, _ moves: RowMoves,
    _ conversions: inout [ColumnConversion]
  ) {
    var builder = ColumnBuilder(family, pair, moves, conversions)
    for table in family {
      for slot in table.layout.ownColumns.map(\.slot) { builder.plan(slot, table) }
    }
    builder.fillCells()
    builder.clearCells()
    builder.checkLosses()
    conversions = builder.conversions
    added = builder.added
    dropped = builder.dropped
    successors = builder.successors
    checks = builder.checks
    rows = builder.rows
    updates = builder.updates
    self.moves = builder.moves
    names = builder.names
    renames =
      RenameOrder(
        builder.names.inOrder { $0.key < $1.key }.map { Rename($0.key, to: $0.value) },
        among: builder.oldColumns + builder.headNames, temporary: "copal_renamed_"
      ).steps
  }

  /// The columns in which rows get other values.
  public var writtenColumns: Set<String> {
    let moved = moves.flatMap(\.cells).filter { cell in
      if case .copied(_, 0) = cell.source { false } else { cell.source != .null }
    }
    return Set((updates.flatMap(\.cells) + moved).map(\.column))
  }

  /// The name that a table or a column has aside, until its values are converted or it is dropped.
  static func asideName(_ name: String) -> String { asidePrefix + name }

  /// What the names of tables and columns begin with that are aside. No other name begins so.
  package static let asidePrefix = "copal_old_"
}
