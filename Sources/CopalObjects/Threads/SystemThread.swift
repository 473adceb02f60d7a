#if canImport(Darwin)
  import Darwin
#elseif canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#elseif canImport(Android)
  import Android
#endif

/// A POSIX thread, separate from the threads of Swift's tasks.
// Not Dispatch, whose queues run on the threads of Swift's tasks on Linux. Not Foundation's Thread,
// which is not in FoundationEssentials.
package enum SystemThread {
  /// The size of the main thread's stack on Linux; only used pages take memory. The default of some
  /// systems is too small for a deeply nested condition.
  private static let stackSize = 8 << 20

  private final class Start: Sendable {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }

  /// Runs the body on a new thread.
  ///
  /// - Returns: whether the system could create the thread.
  @discardableResult
  package static func start(_ body: @escaping @Sendable () -> Void) -> Bool {
    withUnsafeTemporaryAllocation(of: pthread_attr_t.self, capacity: 1) { memory in
      guard let attributes = memory.baseAddress, pthread_attr_init(attributes) == 0 else {
        return false
      }
      defer { pthread_attr_destroy(attributes) }
      pthread_attr_setdetachstate(attributes, .init(PTHREAD_CREATE_DETACHED))
      pthread_attr_setstacksize(attributes, stackSize)
      // An integer on some systems, a pointer on others.
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

  // The argument is Optional on some systems.
  private static func run(_ argument: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
    guard let argument else { return nil }
    Unmanaged<Start>.fromOpaque(argument).takeRetainedValue().body()
    return nil
  }
}
