import Copal

/// An object that records the hooks that its context calls, and runs actions of a test in them.
final class Apprentice: ManagedObject {
  private(set) var heard: [String] = []
  var onWillSave: () -> Void = {}
  var onDidSave: () -> Void = {}
  var onTurnIntoFault: () -> Void = {}
  var onPrepareForDeletion: () -> Void = {}
  var onValidate: () throws -> Void = {}

  /// The recorded hooks since the last call.
  func takeHeard() -> [String] {
    defer { heard = [] }
    return heard
  }

  override func awakeFromInsert() {
    heard.append("awakeFromInsert")
    task = "grind \(skill) pigments"
  }

  override func awakeFromFetch() {
    heard.append("awakeFromFetch")
    try? setPrimitiveValue("fresh", forKey: PropertyNames.mood)
    // Bad style in a hook, but allowed.
    if name == "Restless" { skill += 1 }
    if name == "Refreshing" { try? managedObjectContext?.refresh(self, mergeChanges: false) }
  }

  override func willSave() {
    heard.append("willSave")
    onWillSave()
  }

  override func didSave() {
    heard.append("didSave")
    onDidSave()
  }

  override func prepareForDeletion() {
    heard.append("prepareForDeletion")
    onPrepareForDeletion()
  }

  override func didTurnIntoFault() {
    heard.append("didTurnIntoFault")
    onTurnIntoFault()
  }

  override func validateForInsert() throws {
    heard.append("validateForInsert")
    try onValidate()
  }

  override func validateForUpdate() throws {
    heard.append("validateForUpdate")
    try onValidate()
  }

  override func validateForDelete() throws {
    heard.append("validateForDelete")
    try onValidate()
  }
}
