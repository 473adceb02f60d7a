#if Command
  import CopalStore
  import Dispatch

  /// Waits for asynchronous work of a library, on the main thread of the command.
  enum Waiting {
    static func run<R: Sendable>(_ body: @escaping @Sendable () async throws -> R) throws -> R {
      let result = Locked<Result<R, any Error>?>(nil)
      let end = DispatchSemaphore(value: 0)
      Task {
        let found: Result<R, any Error>
        do { found = .success(try await body()) } catch { found = .failure(error) }
        result.withLock { $0 = found }
        end.signal()
      }
      end.wait()
      guard let found = result.withLock({ $0 }) else {
        throw CommandFailure(.ours, "copal: work had no result")
      }
      return try found.get()
    }
  }
#endif
