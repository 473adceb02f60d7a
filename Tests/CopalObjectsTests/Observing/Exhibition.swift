import Copal
import Observation
import Synchronization

@testable import CopalObjects

/// A class that a person has written.
nonisolated class Statue: Showpiece {
  override func awakeFromInsert() { weight = 1 }
}

extension Showpiece {
  /// A custom accessor.
  var code: String? {
    get { primitiveCode }
    set {
      primitiveCode = newValue
      didChangeValue(forKey: "code")
    }
  }
}

/// Somebody who has read some properties, once, and waits for a change of one of them.
final class Watch: Sendable {
  private let count = Atomic<Int>(0)

  init(_ read: () -> Void) {
    withObservationTracking(read) { [self] in count.wrappingAdd(1, ordering: .relaxed) }
  }

  var isNotified: Bool { count.load(ordering: .relaxed) > 0 }
}
