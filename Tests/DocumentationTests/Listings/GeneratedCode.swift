import Copal
import Foundation

// The listings of Docs/GeneratedCode.md, in their order; the properties come from Garden.model.json.

final class Plant: ManagedObject {
  override func awakeFromInsert() {
    planted = .now
  }

  override func validateForInsert() throws {
    if name.isEmpty { throw PlantError.nameless }
  }
}

final class Shed: ManagedObject {
  let opened: Date

  required init(_copal seed: consuming ObjectSeed) {
    opened = .now
    super.init(_copal: seed)
  }
}

enum PlantError: Error { case nameless }

extension Plant {
  var heightText: Int? {
    get { primitiveHeightText.flatMap { Int($0) } }
    set {
      primitiveHeightText = newValue.map { "\($0)" }
      didChangeValue(forKey: PropertyNames.heightText)
    }
  }
}
