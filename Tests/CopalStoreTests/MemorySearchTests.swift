import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Testing

@Suite("Searches in a store in memory")
struct MemorySearchTests {
  // With a look at every object in each search, these are 200,000,000 looks, which take minutes.
  @Test(
    "a search for an object, or for those that refer to one, does not look at every object",
    .timeLimit(.minutes(1)))
  func fewLooks() throws {
    let tester = try TestStore(.memory).storeTester(StoreModels.sampler())
    let keys = 1...Int64(10_000)
    try tester.commit { changes in for _ in keys { try changes.insert("Sample", [:]) } }
    try tester.commit { changes in
      for key in keys { try changes.insert("Label", ["sample": .integer(key)]) }
    }
    for key in keys {
      let id = PropertyValue.object(try tester.id(key))
      #expect(try tester.keys(.isIn(.object, [id])) == [key])
      let isOfSample = FetchPredicate.comparison(.property("sample"), .equal, .constant(id))
      #expect(try tester.keys(isOfSample, of: "Label") == [key])
    }
  }
}
