import CopalStore

/// Whether the work of a context is to end, because its task was canceled.
final class Cancellation: Sendable {
  private let flag = Locked(false)

  var isCanceled: Bool { flag.withLock { $0 } }

  func cancel() { flag.withLock { $0 = true } }

  func check() throws { if isCanceled { throw CancellationError() } }
}

extension PersistenceError {
  /// An error of a store as one of Copal's: that of another store becomes the cause.
  static func ofStore(_ error: any Error) -> PersistenceError {
    if let error = error as? PersistenceError { return error }
    if error is CancellationError { return PersistenceError(.canceled, causes: [error]) }
    return PersistenceError(.inputOutput, found: "\(error)", causes: [error])
  }
}
