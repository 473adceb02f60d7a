import CopalEssentials
package import CopalModel
public import CopalStore

/// What the rows of some entities of a table get, all of it at once, so that each row is written
/// once.
public struct RowUpdate: Sendable {
  /// The entities whose rows are written.
  public let entities: [EntityLayout]
  /// Whether the table has no rows of other entities.
  public let areAll: Bool
  /// What the columns get.
  public let assignments: [Assignment]

  /// What the column of a slot gets.
  public struct Assignment: Sendable, Hashable {
    /// The slot.
    public let slot: Int
    let source: Source
    /// Slots of different entities have the same number, but not the same column.
    let declaringEntity: Int

    /// What the column gets, of a row of an entity with a mapping.
    ///
    /// - Parameters:
    ///   - old: the column of the stored value.
    ///   - now: the instant of `"now"`, one for all rows.
    func value(
      of old: SQLFragment, in mapping: TableMapping, _ dialect: any SQLDialect, now: Date
    ) -> SQLFragment {
      func constant(_ content: AttributeDescription.Default) -> SQLFragment {
        switch content {
        case .value(let value): .value(mapping.stored(value, slot: slot))
        case .now: .value(mapping.stored(.date(now), slot: slot))
        case .new: dialect.newUUID
        }
      }
      return switch source {
      case .value(let content): constant(content)
      case .valueForNil(let content): "coalesce(" + old + ", " + constant(content) + ")"
      case .copied: old
      case .position(let slot):
        "CASE WHEN " + mapping.column(slot) + " IS NOT NULL THEN "
          + .position(ofKey: mapping.key) + " END"
      case .converted(_, let number):
        dialect.converted(old, ofRow: mapping.key, conversion: number)
      }
    }
  }

  enum Source: Sendable, Hashable {
    /// The same value for all rows.
    case value(AttributeDescription.Default)
    /// A value for the rows that have none.
    case valueForNil(AttributeDescription.Default)
    /// The key in another column.
    case copied(column: String)
    /// The position of a row in a list: that of its age. The row has the key of the owner of the
    /// list in a slot.
    case position(inListOf: Int)
    /// The converted value of a column: the conversion with a number.
    case converted(column: String, conversion: Int)
  }

  /// Collects what each entity gets.
  struct Collector {
    private var entities: [EntityLayout] = []
    private var assignments: [Int: [Assignment]] = [:]

    mutating func add(_ assignment: Assignment, to layouts: [EntityLayout]) {
      for layout in layouts {
        if assignments[layout.index] == nil { entities.append(layout) }
        assignments[layout.index, default: []].append(assignment)
      }
    }

    /// The entities that get the same together.
    ///
    /// - Parameter all: the entities of the table of which there may be rows.
    func grouped(all: [EntityLayout]) -> [RowUpdate] {
      var groups: [(assignments: [Assignment], entities: [EntityLayout])] = []
      var places: [[Assignment]: Int] = [:]
      for layout in entities {
        let own = assignments[layout.index] ?? []
        if let place = places[own] {
          groups[place].entities.append(layout)
        } else {
          places[own] = groups.count
          groups.append((own, [layout]))
        }
      }
      return groups.map {
        RowUpdate(
          entities: $0.entities, areAll: $0.entities.count == all.count,
          assignments: $0.assignments)
      }
    }
  }
}

/// A conversion of the values of a column, or a check of them.
public struct ColumnConversion: Sendable {
  /// The name of the entity that declares the attribute.
  public let entity: String
  /// What changes for the attribute.
  package let change: AttributeChange
  /// Whether values are only checked.
  public let onlyChecks: Bool
}

/// What the rows of some entities must fulfill after a migration.
public struct RowCheck: Sendable {
  /// The entities.
  public let entities: [EntityLayout]
  /// Whether the table has no rows of other entities.
  public let areAll: Bool
  /// The entity that declares the attribute, and the attribute's slot.
  public let mapping: TableMapping
  /// The slot.
  public let slot: Int
  /// What the rows must fulfill.
  public let rule: Rule

  /// What rows must fulfill.
  public enum Rule: Sendable, Hashable {
    /// They have a value, because the attribute is new.
    case newValue
    /// They have a value, because the attribute is required now.
    case value
    /// The conversion with a number accepts the value.
    case accepted(conversion: Int)
  }
}
