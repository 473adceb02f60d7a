import CopalEssentials
import CopalModel
package import CopalStore

/// What the rows of an entity of a store get in the columns that they have from now on.
struct RowChange: Sendable {
  /// The position of the entity in the old schema.
  let former: Int
  /// The cells that get something. Those of a row that stays in its table keep what they have
  /// otherwise; those of a row that moves are NULL.
  var cells: [Cell] = []

  /// A cell: the column that it has from now on, and what it gets.
  struct Cell: Sendable, Equatable {
    let column: String
    let source: CellSource
  }
}

/// What a cell gets. The columns have the names of the old table.
enum CellSource: Sendable, Equatable {
  /// No value.
  case null
  /// The same value for all rows: that of a slot.
  case value(AttributeDescription.Default, slot: Int)
  /// A value for the rows that have none.
  case valueForNil(column: String, AttributeDescription.Default, slot: Int)
  /// The value of a column. To a key that is not NULL, something is added.
  case copied(column: String, added: Int64)
  /// The position of a row in a list: that of its age. The row has the key of the owner of the list
  /// in a column.
  case position(inListOf: String)
  /// The converted value of a column: the conversion with a number.
  case converted(column: String, conversion: Int)

  /// The column whose value the cell gets, converted or not.
  var column: String? {
    switch self {
    case .null, .value, .position: nil
    case .valueForNil(let column, _, _), .copied(let column, _), .converted(let column, _): column
    }
  }

  /// The number of the conversion.
  var conversion: Int? { if case .converted(_, let number) = self { number } else { nil } }
}

/// How the cells of a migration are written in SQL.
struct CellTranslator {
  let dialect: any SQLDialect
  /// The instant of `"now"`, one for all rows.
  let now: Date
  /// The key that a row has had, and the one that it gets.
  let oldKey: SQLFragment
  let newKey: SQLFragment
  /// An entity of the new model that has the slots of the cells.
  let mapping: TableMapping
  /// The name that a column of the old table has at the moment.
  let name: (String) -> SQLFragment

  func sql(_ source: CellSource) -> SQLFragment {
    switch source {
    case .null: "NULL"
    case .value(let content, let slot): constant(content, slot)
    case .valueForNil(let column, let content, let slot):
      "coalesce(" + name(column) + ", " + constant(content, slot) + ")"
    case .copied(let column, let added): name(column).adding(added)
    case .position(let reference):
      "CASE WHEN " + name(reference) + " IS NOT NULL THEN " + .position(ofKey: newKey) + " END"
    case .converted(let column, let number):
      dialect.converted(name(column), ofRow: oldKey, conversion: number)
    }
  }

  private func constant(_ content: AttributeDescription.Default, _ slot: Int) -> SQLFragment {
    switch content {
    case .value(let value): mapping.value(value, of: slot)
    case .now: mapping.value(.date(now), of: slot)
    case .new: dialect.newUUID
    }
  }
}

extension SQLFragment {
  /// A number, to which something is added.
  func adding(_ added: Int64) -> SQLFragment {
    added == 0 ? self : self + " + " + .integer(added)
  }
}

/// What the rows of some entities get that stay in their table, all of it at once, so that each row
/// is written once.
public struct RowUpdate: Sendable {
  /// The rows, in their table of before.
  public let rows: FormerRows
  /// The root of the table from now on.
  public let target: TableMapping
  let cells: [RowChange.Cell]
  /// An entity of the new model that has the slots of the cells.
  let entity: TableMapping

  /// Whether the table has no other rows.
  public var areAll: Bool { rows.areAll }
}

/// The rows of an entity that go into another table.
public struct RowMove: Sendable {
  /// The rows, in their table of before.
  public let rows: FormerRows
  /// The entity of the new model.
  public let target: TableMapping
  let cells: [RowChange.Cell]
  /// What is added to the keys.
  let added: Int64
}

/// A conversion of the values of a column, or a check of them.
public struct ColumnConversion: Sendable {
  /// The name of the entity that declares the attribute.
  public let entity: String
  /// The name of the old root whose rows have the values.
  public let root: String
  /// What changes for the attribute.
  package let change: AttributeChange
  /// Whether values are only checked.
  public let onlyChecks: Bool
}

/// What the rows of some entities must fulfill, so that a migration is made.
public struct RowCheck: Sendable {
  /// The name of the entity that declares the property.
  public let entity: String
  /// The name of the property.
  public let property: String
  /// What the rows must fulfill.
  public let rule: Rule
  /// The rows, with what they get. Several where they are in several tables, or have several
  /// columns.
  public let parts: [Part]

  /// Some of the rows.
  public struct Part: Sendable {
    /// The rows, in their table of before.
    public let rows: FormerRows
    let source: Source
    /// The entity that declares the property.
    let mapping: TableMapping

    enum Source: Sendable {
      case cell(CellSource)
      /// The first of the objects of a relationship that the model keeps in another way.
      case pairs(RelatedPairs)
    }
  }

  /// What rows must fulfill.
  public enum Rule: Sendable, Equatable {
    /// They have a value, because the property is new.
    case newValue
    /// They have a value, because the property is required now.
    case value
    /// They have no value, because the property is that of a subentity now.
    case noValue
    /// The conversion with a number accepts the value.
    case accepted(conversion: Int)
  }
}
