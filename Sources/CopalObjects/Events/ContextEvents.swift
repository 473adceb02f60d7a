import CopalModel
import CopalStore

/// The listeners of a context, and what has changed since their last event.
///
/// A context without listeners has none of it, and no write costs anything for it.
final class ContextEvents {
  /// What has changed since the last event.
  var turn = TurnChanges()
  var changes = Listeners<ObjectChanges>()
  var willSave = Listeners<Void>()
  var didSave = Listeners<SaveReport>()
  /// Whether listeners are being called. What they change belongs to the next turn.
  var isDelivering = false

  /// The properties whose observers are to be notified.
  var observed = ObservedChanges()
  /// Whether somebody has read a property of an observable object.
  var hasObservedObjects = false

  /// Whether changes are collected.
  var collects: Bool { !changes.isEmpty }
}
