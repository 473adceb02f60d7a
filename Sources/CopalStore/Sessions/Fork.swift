import CopalEssentials
import Synchronization

/// Whether the process was made by `fork` while a connection to a database was open.
///
/// A child must not use the connections of its parent, or close them. A new connection to the same
/// file is no better, where a database has a list of the locks of its process: the child has it,
/// too, and the locks themselves are the parent's.
package enum Fork {
  /// True in the child, for ever.
  package static var isChild: Bool { isInherited.load(ordering: .relaxed) }

  /// Notes a connection that is opened.
  package static func opens() {
    _ = isNoticing
    openCount.add(1, ordering: .relaxed)
  }

  /// Notes a connection that was closed.
  package static func closes() { openCount.subtract(1, ordering: .relaxed) }

  private static let openCount = Atomic(0)
  private static let isInherited = Atomic(false)

  private static let isNoticing: Bool = {
    // The handler runs in the child. It must find the two, and not make them.
    _ = isChild
    return pthread_atfork(
      nil, nil,
      {
        if Fork.openCount.load(ordering: .relaxed) > 0 {
          Fork.isInherited.store(true, ordering: .relaxed)
        }
      }) == 0
  }()
}
