package import CopalModel

/// One difference between the model of a store and a newer model: what becomes of the stored
/// objects.
///
/// A difference that does not concern a store, such as another class, is no change.
/// `Docs/MigrationChanges.md` has a table of all changes.
///
/// ```swift
/// print(change)  // Book.pages: integer64 to integer16?, rows are written
/// ```
public struct ModelChange: Sendable, Hashable {
  /// The name of the entity in the newer model; for a removed entity, the name that it had.
  public let entity: String
  /// The property, or the names of a unique constraint joined by ", "; nil for a change of the
  /// entity itself. For a removed property, the name that it had.
  public let property: String?
  /// What has changed.
  public let kind: Kind
  /// What has changed, in words: `integer64 to integer16?`.
  public package(set) var detail: String
  /// What the change does in the store.
  public let effect: Effect
  /// Whether the migration makes the change.
  public package(set) var outcome: Outcome
  /// The number of stored objects that the change concerns. Nil before the rows were counted, and
  /// for a change that concerns none.
  public package(set) var rowCount: Int?
  /// The number of objects with a value that refuses the change, and for a lossy change with one
  /// that gets lost or is rounded. For a unique constraint, the number of groups of objects with
  /// equal values. Nil before the rows were counted.
  public package(set) var failingCount: Int?
  /// What refuses the change, or what the rows may refuse; nil for a change that is always made.
  package let refusal: Refusal?
  /// Whether programs with the older model can go on with the store: nothing that they read or
  /// write changes.
  package let isHarmless: Bool

  /// Adds the entity, the property and the kind to a hash. These tell most changes apart.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(entity)
    hasher.combine(property)
    hasher.combine(kind)
  }

  /// Why a change is refused.
  package struct Refusal: Sendable, Equatable {
    /// The code of the error.
    package let code: PersistenceError.Code
    /// What a person can do.
    package let cure: String
    /// The name that something removed may have now.
    package var suggestion: String?

    package init(_ code: PersistenceError.Code, cure: String, suggestion: String? = nil) {
      self.code = code
      self.cure = cure
      self.suggestion = suggestion
    }
  }

  /// A change that is made, or that the rows may refuse.
  package init(
    _ kind: Kind, entity: String, property: String? = nil, detail: String,
    effect: Effect = .inPlace, outcome: Outcome = .lossless, refusal: Refusal? = nil,
    isHarmless: Bool = false
  ) {
    self.kind = kind
    self.entity = entity
    self.property = property
    self.detail = detail
    self.effect = effect
    self.outcome = outcome
    self.refusal = refusal
    self.isHarmless = isHarmless
  }

  /// A change that is refused, whatever the rows are.
  package init(
    _ kind: Kind, entity: String, property: String? = nil, detail: String, refused: Refusal
  ) {
    self.init(
      kind, entity: entity, property: property, detail: detail, effect: .writesRows,
      outcome: .refused(cure: refused.cure), refusal: refused)
  }

  /// The error of a change that is refused.
  ///
  /// - Parameter found: what the rows are like; nil for a change that no row can allow.
  package func error(
    found: String? = nil, objectID: ManagedObjectID? = nil, otherID: ManagedObjectID? = nil
  ) -> PersistenceError? {
    refusal.map {
      PersistenceError(
        $0.code, entity: entity, property: property, objectID: objectID, otherID: otherID,
        found: found.map { "\(detail), and \($0)" } ?? detail, expected: $0.cure,
        suggestion: $0.suggestion)
    }
  }
}

extension ModelChange {
  /// What has changed. Later versions of Copal can have further kinds.
  public struct Kind: RawRepresentable, Sendable, Hashable {
    /// The name of the kind.
    public let rawValue: String

    /// The kind with a name.
    public init(rawValue: String) { self.rawValue = rawValue }

    private init(_ name: String) { rawValue = name }

    /// An entity or a property is new.
    public static let added = Self("added")
    /// An entity or a property was removed.
    public static let removed = Self("removed")
    /// An entity or a property has another name.
    public static let renamed = Self("renamed")
    /// An attribute has another type or another scale.
    public static let type = Self("type")
    /// An attribute needs a value now.
    public static let required = Self("required")
    /// An attribute may be nil now.
    public static let optional = Self("optional")
    /// The raw values of an attribute have changed, or its stored values are checked.
    public static let values = Self("values")
    /// Large values are in files now, or are not any more.
    public static let external = Self("external")
    /// The version of the transformer is kept beside each value, or is not any more.
    public static let versioned = Self("versioned")
    /// The store keeps other forms of a string for searches.
    public static let search = Self("search")
    /// The store keeps other projections of a transformable.
    public static let projections = Self("projections")
    /// A unique constraint is new, or was removed.
    public static let unique = Self("unique")
    /// An index is new, or was removed.
    public static let index = Self("index")
    /// An entity is abstract now, or is not any more.
    public static let abstract = Self("abstract")
    /// A relationship has one object now, or several, or they are kept elsewhere.
    public static let relationship = Self("relationship")
    /// A relationship has an order now, or has none any more.
    public static let ordered = Self("ordered")
    /// A relationship leads to another entity.
    public static let destination = Self("destination")
    /// An object at the other end of a relationship may not exist now, or must exist.
    public static let deleteRule = Self("deleteRule")
    /// An entity has another parent.
    public static let parent = Self("parent")
    /// An entity has the objects of others, which it merges.
    public static let merged = Self("merged")
    /// A property has moved to a subentity, or has the values of several properties.
    public static let moved = Self("moved")
  }

  /// What a change does in the store.
  public enum Effect: Sendable, Hashable {
    /// Nothing.
    case nothing
    /// Tables and columns change, and no row is written. Checks can read rows.
    case inPlace
    /// Rows are written.
    case writesRows
  }

  /// Whether the migration makes a change.
  public enum Outcome: Sendable, Hashable {
    /// No value is lost, whatever the rows are. Before they were read, this does not hold for an
    /// end of a one-to-one relationship that another program has set alone.
    case lossless
    /// The rows decide: the migration is refused when one of them does not fit.
    case dependsOnRows
    /// Values can be lost. The model says so with this key. Nil where the rows have pairs of
    /// objects of a one-to-one relationship at one end only, which is not kept.
    case lossy(word: String?)
    /// The migration is refused, whatever the rows are.
    case refused(cure: String)
  }

  /// Whether the migration is refused because of this change, whatever the rows are.
  public var isRefused: Bool {
    if case .refused = outcome { true } else { false }
  }

  /// Whether values can be lost.
  public var isLossy: Bool {
    if case .lossy = outcome { true } else { false }
  }
}

extension ModelChange: CustomStringConvertible {
  /// The change on one line.
  public var description: String {
    var text = subject + ": " + detail
    if effect == .writesRows { text += ", rows are written" }
    switch outcome {
    case .lossless: break
    case .dependsOnRows: text += ", depends on the rows"
    case .lossy(let word): text += ", lossy" + (word.map { " (\"\($0)\")" } ?? "")
    case .refused(let cure): text += ", REFUSED: \(cure)"
    }
    return text
  }

  /// What has changed: `Book.pages`, `Book (isbn)`, or `Book`.
  package var subject: String {
    guard let property else { return entity }
    return kind == .unique || kind == .index ? "\(entity) (\(property))" : "\(entity).\(property)"
  }
}
