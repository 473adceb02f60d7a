import CopalModel
import CopalStore

extension ManagedObject {
  /// Tells the context's handler that a property could not be read, or else the container's; without any,
  /// standard error.
  final func report(_ error: PersistenceError) {
    var error = error
    // A store that cannot be read does not know who wanted it.
    if error.entity == nil { error.entity = entityName }
    if error.objectID == nil { error.objectID = objectID }
    if let handler = core.state()?.readFailureHandler {
      handler(error)
    } else if let handler = core.container.readFailureHandler.withLock({ $0 }) {
      handler(error)
    } else {
      StandardError.write("Copal: \(error.logLine)")
    }
  }
}
