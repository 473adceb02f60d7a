import CopalModel
import CopalStore

extension ManagedObject {
  /// Reports a property that could not be read: to the context's handler, or else to the
  /// container's, or else on standard error.
  final func report(_ error: PersistenceError) {
    var error = error
    // An error of the store as a whole has no object id, so it is added here.
    if error.entity == nil { error.entity = entityName }
    if error.objectID == nil { error.objectID = objectID }
    core.container.report(error, core.state())
  }
}

extension ContainerRuntime {
  /// Reports what could not be read: to the handler of the context, or else to the container's, or
  /// else on standard error.
  func report(_ error: PersistenceError, _ context: ContextState?) {
    if let handler = context?.readFailureHandler {
      handler(error)
    } else if let handler = readFailureHandler.withLock({ $0 }) {
      handler(error)
    } else {
      StandardError.write("Copal: \(error.logLine)")
    }
  }
}
