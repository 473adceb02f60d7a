package import CopalStore
import CopalTestTools

extension PersistenceError.Code {
  /// Every code of stores, contexts, objects and containers.
  package static let all = DeclaredCodes.of("PersistenceError").map { Self(rawValue: $0) }
}
