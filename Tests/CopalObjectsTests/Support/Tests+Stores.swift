import Copal
import CopalTestSupport

/// The tests of contexts run with every store.
let bothStores = StoreKind.allCases

extension PersistenceError {
  /// The codes of the errors behind this one.
  var causeCodes: [PersistenceError.Code] { causes.compactMap { ($0 as? PersistenceError)?.code } }

  var firstCause: PersistenceError? { causes.first as? PersistenceError }
}

/// Reproducible numbers: SplitMix64 (<https://prng.di.unimi.it/splitmix64.c>).
struct SplitMix: RandomNumberGenerator {
  var state: UInt64

  mutating func next() -> UInt64 {
    state &+= 0x9e37_79b9_7f4a_7c15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
    return mixed ^ (mixed >> 31)
  }
}
