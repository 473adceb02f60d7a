import Copal

/// An object whose hooks run actions of a test.
final class Load: ManagedObject {
  var onWillSave: () -> Void = {}
  var onDidSave: () -> Void = {}
  var onPrepareForDeletion: () -> Void = {}
  var onValidate: () throws -> Void = {}

  override func willSave() { onWillSave() }
  override func didSave() { onDidSave() }
  override func prepareForDeletion() { onPrepareForDeletion() }
  override func validateForUpdate() throws { try onValidate() }
}

/// An object whose hook runs an action of a test.
final class Box: ManagedObject {
  var onPrepareForDeletion: () -> Void = {}

  override func prepareForDeletion() { onPrepareForDeletion() }
}
