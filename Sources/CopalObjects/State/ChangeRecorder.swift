import CopalModel

/// Receives every change of a context's objects before it happens. Undo and observers are built on
/// it.
///
/// It is called for inserts, for deletions, and for each write of a property that counts as a
/// change; not for primitive values, and not for what a fetch, a refresh, a rollback or a save does
/// to an object. It must not change objects. Without a recorder no write costs anything for it.
protocol ChangeRecorder: AnyObject {
  /// A new object has been registered; its defaults are not set yet.
  func didInsert(_ object: ManagedObject)
  /// A property is about to be set.
  func willWrite(_ object: ManagedObject, _ slot: Int, former: FormerValue)
  /// An object is about to be marked as deleted.
  func willDelete(_ object: ManagedObject)
}

/// What an object has at a slot before a write.
struct FormerValue {
  /// The value on top of the row; nil when the row has the value. Null for a transformable.
  var cell: PropertyValue?
  /// The decoded value of a transformable; nil when there is none.
  var decoded: DecodedEntry?
}
