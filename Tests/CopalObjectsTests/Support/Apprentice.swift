import Copal

/// An object that tells what its context does with it, and does in return what a test wants.
final class Apprentice: ManagedObject {
  private(set) var heard: [String] = []
  var onWillSave: () -> Void = {}
  var onDidSave: () -> Void = {}
  var onTurnIntoFault: () -> Void = {}
  var onPrepareForDeletion: () -> Void = {}
  var onValidate: () throws -> Void = {}

  /// What was heard since the last time.
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
    // What a hook should not do, and may.
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
