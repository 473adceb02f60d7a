import CopalEssentials
import CopalModel

extension ManagedObject {
  /// Sets the defaults of the model in a new object.
  final func setDefaults() {
    let cells = cellsWithRoom()
    if runtime.defaults.isEmpty { return }
    // All attributes of the object get the same date.
    let now = runtime.hasDateDefault ? Date() : Date(timeIntervalSinceReferenceDate: 0)
    for (slot, value) in runtime.defaults {
      switch value {
      case .value(let value): cells.set(slot, value)
      case .now: cells.set(slot, .date(now))
      case .new: cells.set(slot, .uuid(UUID()))
      }
    }
  }
}
