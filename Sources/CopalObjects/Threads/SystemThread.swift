#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A thread of the system's, beside those that Swift's tasks run on.
// POSIX threads and not Foundation's or Dispatch's: on Linux, Dispatch runs its queues on the threads that
// Swift's tasks have, and Foundation's Thread is not in FoundationEssentials.
enum SystemThread {
  /// As much as a main thread has on Linux; only what is used takes memory. Some systems give others too
  /// little for a deep condition.
  private static let stackSize = 8 << 20

  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the body on a new thread, which ends with it.
  ///
  /// - Returns: whether the system had a thread to give.
  static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else {
        return false
      }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setdetachstate(attributes, .init(PTHREAD_CREATE_DETACHED))
      pthread_attr_setstacksize(attributes, stackSize)
      // A number on some systems, a pointer on others.
      #if canImport(Glibc) || canImport(Android)
        var thread = pthread_t()
      #else
        var thread: pthread_t?
      #endif
      let start = Unmanaged.passRetained(Start(body))
      let code = pthread_create(&thread, attributes, { SystemThread.run($0) }, start.toOpaque())
      if code != 0 { start.release() }
      return code == 0
    }
  }

  // The argument is Optional on some systems and not on others.
  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
    return nil
  }
}
