import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Testing

@Suite("A store of Copal's own")
struct StoreConformanceTests {
  @Test(
    "A store meets every requirement", arguments: StoreConformance.requirements,
    StoreKind.allCases)
  func conforms(requirement: StoreConformance.Requirement, kind: StoreKind) throws {
    let test = try TestStore(kind)
    try requirement.check(test.open(StoreConformance.schema()))
  }
}
