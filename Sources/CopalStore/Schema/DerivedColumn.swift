public import CopalModel

/// A column whose value is a function of the row: a store keeps it for conditions and orders, and
/// no row that a context reads has it.
///
/// The function has a version, and a store remembers by which one its values were made. Commits,
/// batches and migrations of Copal keep the values. What another program writes is marked in the
/// row, and never used: `Docs/DecisionsQueries.md`.
public struct DerivedColumn: Sendable, Hashable {
  /// The slot whose value is the argument of the function.
  public let source: Int
  /// The position of the entity that declares the attribute of the slot: the entity or an ancestor.
  public let declaringEntity: Int
  /// The function.
  public let function: Function

  /// A column with the value of a function of a slot.
  public init(source: Int, declaringEntity: Int, _ function: Function) {
    self.source = source
    self.declaringEntity = declaringEntity
    self.function = function
  }

  /// How the value is made.
  public enum Function: Sendable, Hashable {
    /// The form of a text that is compared without some differences, as `TextFolding` makes it.
    case folded(FetchPredicate.TextOptions)
    /// What a transformer makes of a value, as a ``ValueProjector`` returns it.
    case projected(EntityLayout.Projection)
  }

  /// Whether the value is a form of a text.
  public var isFolded: Bool { if case .folded = function { true } else { false } }

  /// The slots on whose values the column depends.
  public var sources: [Int] {
    if case .projected(let projection) = function {
      [source] + (projection.versionSlot.map { [$0] } ?? [])
    } else {
      [source]
    }
  }

  /// The storage type of the values.
  public var storage: StorageType {
    switch function {
    case .folded: .text
    case .projected(let projection):
      projection.description.attribute(of: "").storageType
    }
  }
}

extension DerivedColumn.Function {
  /// The form of a text that ignores case and diacritics.
  package static let normalized = Self.folded(.normalized)
  /// The form of a text that ignores case.
  package static let withoutCase = Self.folded(.caseInsensitive)
}

extension AttributeDescription.SearchForm {
  /// The function of the column that the form needs; nil for one that needs no column of its own.
  fileprivate var function: DerivedColumn.Function? {
    switch self {
    case .normalized: .normalized
    case .caseInsensitive: .withoutCase
    case .substring: nil
    }
  }
}

extension AttributeDescription {
  /// The functions of the columns that a store derives from the attribute.
  var derivedFunctions: [DerivedColumn.Function] {
    SearchForm.allCases.filter(search.contains).compactMap(\.function)
  }
}

extension EntityLayout {
  /// The derived columns that the entity adds to those of its parent.
  public var ownDerivedColumns: [DerivedColumn] {
    derivedColumns.filter { $0.declaringEntity == index }
  }

  /// The slots of the attributes that the entity declares itself, and that are found by their
  /// parts.
  public var ownSubstringSlots: [Int] {
    substringSlots.filter { declaringEntities[$0] == index }
  }

  /// The column with a function of a slot; nil where the store keeps none.
  public func derivedColumn(_ function: DerivedColumn.Function, of slot: Int) -> DerivedColumn? {
    derivedColumns.isEmpty
      ? nil : derivedColumns.first { $0.source == slot && $0.function == function }
  }
}

extension StoreSchema {
  /// Whether rows of an entity's family have derived columns.
  public func hasDerivedColumns(family root: Int) -> Bool {
    kinds(of: entities[root].root).contains { !entities[$0].derivedColumns.isEmpty }
  }

  /// Whether rows are found by parts of texts.
  public var hasSubstrings: Bool { entities.contains { !$0.substringSlots.isEmpty } }

  /// The roots of the families that have derived columns.
  public var rootsWithDerivedColumns: [Int] {
    entities.indices.filter { entities[$0].root == $0 && hasDerivedColumns(family: $0) }
  }
}
