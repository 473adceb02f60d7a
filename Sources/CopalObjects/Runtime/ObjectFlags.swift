/// The state of an object, and what its context remembers of it, as bits.
///
/// Only `ManagedObject+State.swift` changes them.
@usableFromInline
struct ObjectFlags: OptionSet, Sendable {
  @usableFromInline let rawValue: UInt32
  @usableFromInline init(rawValue: UInt32) { self.rawValue = rawValue }

  // MARK: Values. The lowest bits: an accessor cannot read directly from the row.

  /// No row has been read.
  static let fault = ObjectFlags(rawValue: 1 << 0)
  /// Some values are pending values.
  static let hasPendingValues = ObjectFlags(rawValue: 1 << 1)
  /// The row has a value of a type that the model does not allow.
  static let hasTypeMismatch = ObjectFlags(rawValue: 1 << 2)

  // MARK: State

  static let inserted = ObjectFlags(rawValue: 1 << 3)
  static let updated = ObjectFlags(rawValue: 1 << 4)
  /// The row did not exist when it was read.
  static let missing = ObjectFlags(rawValue: 1 << 5)
  /// The row could not be read. It is not read again until the object is refreshed.
  static let failed = ObjectFlags(rawValue: 1 << 6)

  // MARK: Marks of the context

  /// The object is in the context's list of changed objects.
  static let listed = ObjectFlags(rawValue: 1 << 7)
  /// `willSave()` was called in the current save.
  static let notified = ObjectFlags(rawValue: 1 << 8)
  /// The validation hook was called in the current save.
  static let validated = ObjectFlags(rawValue: 1 << 9)

  // MARK: The highest bits: a write to the object takes the slow path.

  /// The object is in an index of changed objects.
  static let indexed = ObjectFlags(rawValue: 1 << 10)
  /// The current save has checked the object, and may have packed it.
  static let sealed = ObjectFlags(rawValue: 1 << 11)
  /// The context's ``ChangeRecorder`` wants to know of each write.
  static let recorded = ObjectFlags(rawValue: 1 << 12)
  /// The next save deletes the row, or a save has deleted it.
  static let deleted = ObjectFlags(rawValue: 1 << 13)
  /// The context no longer has the object: it was deleted, reset or never saved.
  static let gone = ObjectFlags(rawValue: 1 << 14)
  /// The object is in a sort order that a relationship keeps.
  static let sorted = ObjectFlags(rawValue: 1 << 15)
  /// Somebody has read a property of the observable object.
  static let observed = ObjectFlags(rawValue: 1 << 16)
  /// The object fills a row of a batch, and never had a context. It is also ``gone``.
  static let detached = ObjectFlags(rawValue: 1 << 17)

  /// Whether a write only has to set the cell: the object has changes that a save will write, and
  /// nothing waits for the next write.
  var areChangedAndUnwatched: Bool {
    let mask: ObjectFlags = [
      .inserted, .updated, .indexed, .sealed, .recorded, .deleted, .gone, .sorted,
      .observed,
    ]
    // One comparison: zero wraps to the greatest number.
    return (rawValue & mask.rawValue) &- 1 < ObjectFlags.indexed.rawValue &- 1
  }

  /// Whether values can be read directly from the row: one test for fault, new, changed and type
  /// mismatch.
  @inlinable
  var areFast: Bool { rawValue & 0b111 == 0 }
}
