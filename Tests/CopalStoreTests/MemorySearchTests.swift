import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

@Suite("Searches in a store in memory")
struct MemorySearchTests {
  /// The time of the processor that searches take, for objects by their ids, and for those that refer to one.
  private func timeOfSearches(objects count: Int64) throws -> Double {
    let tester = try TestStore(.memory).storeTester(StoreModels.sampler())
    try tester.commit { changes in for _ in 1...count { try changes.insert("Sample", [:]) } }
    try tester.commit { changes in
      for key in 1...count { try changes.insert("Label", ["sample": .integer(key)]) }
    }
    let start = Self.threadTime
    for number in 0..<Int64(200) {
      let key = number % count + 1
      let id = PropertyValue.object(try tester.id(key))
      #expect(try tester.keys(.isIn(.object, [id])) == [key])
      let isOfSample = FetchPredicate.comparison(.property("sample"), .equal, .constant(id))
      #expect(try tester.keys(isOfSample, of: "Label") == [key])
    }
    return Self.threadTime - start
  }

  /// The time that the processor has spent on this thread, in seconds: other tests do not change it.
  private static var threadTime: Double {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
  }

  // A look at every object in each search takes a hundred times as long.
  @Test("a search for an object, or for those that refer to one, does not look at every object")
  func fewLooks() throws {
    let (small, large) = try (timeOfSearches(objects: 100), timeOfSearches(objects: 10_000))
    #expect(large < 10 * small, "\(large) s in place of \(small) s")
  }
}
