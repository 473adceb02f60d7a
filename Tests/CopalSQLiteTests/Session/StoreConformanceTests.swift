import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Testing

@Suite("Conformance of Copal's stores")
struct StoreConformanceTests {
  @Test(
    "a store meets every requirement", arguments: StoreConformance.requirements,
    [StoreKind.sqlite, .memory, .decided])
  func conforms(requirement: StoreConformance.Requirement, kind: StoreKind) throws {
    let test = try TestStore(kind)
    try requirement.check(test.open(StoreConformance.schema()))
  }
}
