import CopalStore

/// Wakes one task that waits. A signal that is given before the task waits is not lost.
final class Signal: Sendable {
  private struct State {
    var isGiven = false
    var waiter: CheckedContinuation<Void, Never>?
  }

  private let state = Locked(State())

  /// Wakes the task, from any thread.
  func give() {
    let waiter = state.withLock { state in
      guard let waiter = state.waiter else {
        state.isGiven = true
        return CheckedContinuation<Void, Never>?.none
      }
      state.waiter = nil
      return waiter
    }
    waiter?.resume()
  }

  /// Waits for the signal, or for the cancellation of the task.
  func wait() async {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        let isGiven = state.withLock { state in
          if state.isGiven || Task.isCancelled {
            state.isGiven = false
            return true
          }
          state.waiter = continuation
          return false
        }
        if isGiven { continuation.resume() }
      }
    } onCancel: {
      give()
    }
  }
}
