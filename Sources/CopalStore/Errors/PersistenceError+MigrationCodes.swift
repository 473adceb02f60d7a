import CopalModel

/// Why a migration to another model is refused: the causes of `store.modelDiffers`.
///
/// Each has what was found in `found`, the remedy in `expected`, and the name that a removed
/// property may have now in `suggestion`.
extension PersistenceError.Code {
  /// An entity or a property was removed, and the model does not say so.
  public static let migrationRemoved = Self("migration.removed", sentence: \.migrationSentence)
  /// An attribute or a to-one relationship is new and required, and stored objects have nothing for
  /// it.
  public static let migrationNewRequired = Self(
    "migration.newRequired", sentence: \.migrationSentence)
  /// An attribute or a to-one relationship is required now, and stored objects have nothing in it.
  public static let migrationMissingValues = Self(
    "migration.missingValues", sentence: \.migrationSentence)
  /// An attribute has another type, and stored values are none of it exactly.
  public static let migrationInexact = Self("migration.inexact", sentence: \.migrationSentence)
  /// The model has to say how values are converted, or that an order is lost.
  public static let migrationNeedsWord = Self("migration.needsWord", sentence: \.migrationSentence)
  /// A change that a model file cannot describe.
  public static let migrationNeedsStep = Self("migration.needsStep", sentence: \.migrationSentence)
  /// A unique constraint is new, and stored objects have equal values.
  public static let migrationDuplicates = Self(
    "migration.duplicates", sentence: \.migrationSentence)
  /// Stored values break the rules of an attribute with `"checkStored"`.
  public static let migrationBrokenRules = Self(
    "migration.brokenRules", sentence: \.migrationSentence)
  /// An entity is abstract now, and the store has objects of exactly this entity.
  public static let migrationAbstractWithObjects = Self(
    "migration.abstractWithObjects", sentence: \.migrationSentence)
  /// A file of a large value that is to be in its row is missing.
  public static let migrationMissingFile = Self(
    "migration.missingFile", sentence: \.migrationSentence)
  /// A relationship has one object now, and stored objects have several.
  public static let migrationSeveralObjects = Self(
    "migration.severalObjects", sentence: \.migrationSentence)
  /// A relationship leads to a subentity now, and stored objects lead to objects of other entities.
  public static let migrationWrongEntity = Self(
    "migration.wrongEntity", sentence: \.migrationSentence)
  /// The objects of a relationship must exist now, and some do not.
  public static let migrationMissingObject = Self(
    "migration.missingObject", sentence: \.migrationSentence)
  /// A table, column, view, trigger or index of another program is in the way.
  public static let migrationOtherProgram = Self("migration.otherProgram") {
    "another program has changed the tables of \($0.storeText), and the database refuses to change them: \($0.foundText); remove what the other program has made"
  }
}

extension PersistenceError {
  fileprivate var migrationSentence: String { "\(subject): \(foundText); \(expectedText)\(hint)" }
}
