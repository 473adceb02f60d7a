import CopalStore
import CopalTestSupport
import Testing

@Suite("Every store")
struct StoreConformanceTests {
  @Test("keeps the promises of a store", arguments: StoreConformance.promises, StoreKind.allCases)
  func promise(promise: StoreConformance.Promise, kind: StoreKind) throws {
    let test = try TestStore(kind)
    try promise.check(test.open(StoreModels.sampler()))
  }
}
