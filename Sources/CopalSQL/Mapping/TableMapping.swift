import CopalModel
public import CopalStore
import Foundation

/// The table of an entity. The table has the name of the entity, a column with the name of each stored attribute,
/// and before them two columns of Copal.
public struct TableMapping: Sendable {
  /// The name of the column with the key of a row.
  public static let keyColumn = "copal_id"
  /// The name of the column with the version of a row.
  public static let versionColumn = "copal_version"

  /// The layout of the entity.
  public let layout: EntityLayout

  /// The mapping of an entity.
  public init(_ layout: EntityLayout) { self.layout = layout }

  /// The name of the table.
  public var table: SQLFragment { .identifier(layout.name) }
  var key: SQLFragment { .identifier(Self.keyColumn) }
  var version: SQLFragment { .identifier(Self.versionColumn) }

  /// The name of the column of a stored slot.
  public func column(_ slot: Int) -> SQLFragment { .identifier(columnName(slot)) }

  /// The name of the column of a stored slot, as text.
  public func columnName(_ slot: Int) -> String { layout.attributes[slot].name }

  var columns: [SQLFragment] { layout.columns.map { column($0.slot) } }

  /// The name of the index of some slots, unique or not: `copal_unique_Pigment(code,name)`.
  ///
  /// Parentheses and commas cannot occur in names of a model, so the names of indexes are unique.
  func indexName(_ slots: [Int], isUnique: Bool) -> String {
    let names = slots.map(columnName)
    // The order of attributes matters in an index, and not in a constraint.
    let list = (isUnique ? names.sorted() : names).joined(separator: ",")
    return "copal_\(isUnique ? "unique" : "index")_\(layout.name)(\(list))"
  }

  /// The stored form of a constant in the column of a slot.
  func binding(_ value: PropertyValue, slot: Int) -> SQLBinding {
    switch value {
    case .null: .null
    case .integer(let number): .integer(number)
    case .boolean(let flag): .integer(flag ? 1 : 0)
    case .double(let number): .real(number)
    case .date(let date): .real(date.timeIntervalSinceReferenceDate)
    case .string(let text): .text(text)
    case .uri(let url): .text(url.absoluteString)
    case .binary(let data): .blob([UInt8](data))
    case .uuid(let uuid): .blob(withUnsafeBytes(of: uuid.uuid) { [UInt8]($0) })
    case .decimal(let number):
      if let scale = layout.attributes[slot].scale {
        DecimalText.scaled(number, by: scale).map(SQLBinding.integer) ?? .null
      } else {
        .text(DecimalText.string(number))
      }
    }
  }
}
