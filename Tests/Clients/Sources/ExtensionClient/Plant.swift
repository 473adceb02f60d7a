import Copal
import Foundation

/// A class written by hand; its properties are generated.
final class Plant: ManagedObject {
  private(set) var wakings = 0

  override func awakeFromInsert() {
    planted = Date(timeIntervalSinceReferenceDate: 60)
    wakings += 1
  }

  override func validateForInsert() throws {
    if name.isEmpty { throw PlantError.nameless }
  }

  /// Text in the store, a number in the program.
  var heightText: Int? {
    get { primitiveHeightText.flatMap { Int($0) } }
    set {
      primitiveHeightText = newValue.map { "\($0)" }
      didChangeValue(forKey: PropertyNames.heightText)
    }
  }
}

enum PlantError: Error {
  case nameless
}
