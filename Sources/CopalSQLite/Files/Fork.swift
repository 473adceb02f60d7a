import CopalEssentials
import Synchronization

/// Whether the process was made by `fork` while a store was open.
///
/// SQLite forbids that a child uses the connections of its parent, or closes them. A new connection
/// to the same file is no better: SQLite has a list of the locks of its process, which the child
/// has, too, and the locks themselves are the parent's.
/// <https://www.sqlite.org/howtocorrupt.html#_carrying_an_open_database_across_a_fork_>.
enum Fork {
  /// True in the child, for ever.
  static var isChild: Bool { isInherited.load(ordering: .relaxed) }

  /// Notes a connection that is opened.
  static func opens() {
    _ = isNoticing
    openCount.add(1, ordering: .relaxed)
  }

  /// Notes a connection that was closed.
  static func closes() { openCount.subtract(1, ordering: .relaxed) }

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
