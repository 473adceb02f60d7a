import CopalStoreConformance
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalModel
@testable import CopalStore

@Suite("Searches in a store in memory")
struct MemorySearchTests {
  /// The time of the processor that searches take, for objects by their ids, and for those that
  /// refer to one.
  private func timeOfSearches(objects count: Int64) throws -> Double {
    let tester = try TestStore(.memory).storeTester(StoreModels.sampler())
    try tester.commit { changes in for _ in 1...count { try changes.insert("Sample", [:]) } }
    try tester.commit { changes in
      for key in 1...count { try changes.insert("Label", ["sample": .integer(key)]) }
    }
    let start = ProcessorTime.ofThread
    for number in 0..<Int64(200) {
      let key = number % count + 1
      let id = PropertyValue.object(try tester.id(key))
      #expect(try tester.keys(.isIn(.object, [id])) == [key])
      let isOfSample = FetchPredicate.comparison(.property("sample"), .equal, .constant(id))
      #expect(try tester.keys(isOfSample, of: "Label") == [key])
    }
    return ProcessorTime.ofThread - start
  }

  // A look at every object in each search takes a hundred times as long.
  @Test("a search for an object, or for those that refer to one, does not look at every object")
  func fewLooks() throws {
    let (small, large) = try (timeOfSearches(objects: 100), timeOfSearches(objects: 10_000))
    #expect(large < 10 * small, "\(large) s in place of \(small) s")
  }

  /// The time of the processor for a search of 20,000 objects for those with one of some texts.
  private func timeOfSearch(texts count: Int) throws -> Double {
    let tester = try TestStore(.memory).storeTester(StoreModels.sampler())
    try tester.commit { changes in
      for number in 0..<20_000 { try changes.insert("Sample", ["text": .string("\(number)")]) }
    }
    let texts = (0..<count).map { PropertyValue.string("\($0 * 2)") }
    let start = ProcessorTime.ofThread
    #expect(try tester.keys(.isIn(.property("text"), texts)).count == min(count, 10_000))
    return ProcessorTime.ofThread - start
  }

  // A look at every text of the list takes a hundred times as long.
  @Test("a search for one of many values does not compare with every one of them")
  func longList() throws {
    let (short, long) = try (timeOfSearch(texts: 100), timeOfSearch(texts: 10_000))
    #expect(long < 20 * short, "\(long) s in place of \(short) s")
  }

  /// The time of the processor for counting different texts with the same beginning.
  private func timeOfCount(_ count: Int) -> Double {
    let beginning = String(repeating: "/a/long/path/", count: 10)
    let start = ProcessorTime.ofThread
    var different = ValueAggregate(.distinctCount, of: .string)
    for number in 0..<count { different.add(.string(beginning + "\(number)")) }
    #expect(different.result() == .integer(Int64(count)))
    return ProcessorTime.ofThread - start
  }

  // If only the beginning is hashed, the time grows with the square.
  @Test(
    "different texts with the same beginning are counted in a time that grows with their number")
  func sameBeginning() {
    let (small, large) = (timeOfCount(500), timeOfCount(5000))
    #expect(large < 40 * small, "\(large) s in place of \(small) s")
  }

  // Foundation hashes a decimal as a double, which need not be the same for one number.
  @Test("one decimal has one hash, whatever zeros it ends with")
  func decimals() {
    var random = SplitMix(seed: 9)
    for _ in 0..<20_000 {
      let mantissa = random.next() % 100_000_000_000_000_000
      let exponent = Int32(random.next() % 40) - 30
      let short = DecimalParts(
        mantissa: UInt128(mantissa), exponent: exponent, isNegative: mantissa % 2 == 0)
      let long = DecimalParts(
        mantissa: UInt128(mantissa) * 1000, exponent: exponent - 3, isNegative: short.isNegative)
      let values = [short, long].map { DistinctValue(.decimal($0.decimal)) }
      #expect(values[0] == values[1] && values[0].hashValue == values[1].hashValue)
    }
    #expect(DecimalParts(mantissa: 1500, exponent: -3, isNegative: true).shortest.mantissa == 15)
    #expect(DecimalParts(mantissa: 0, exponent: 7, isNegative: true).shortest.exponent == 0)
  }

  @Test("two values of one type are one in a set if a condition says that they are equal")
  func equality() {
    let values: [PropertyValue] = [
      .null, 1, 0, 1.0, .double(-0.0), 0.0, .double(.nan), true, false, "e\u{301}", "\u{E9}", "e",
      "",
      .decimal(Decimal(string: "1.10") ?? 0), .decimal(Decimal(string: "1.1") ?? 0), .decimal(.nan),
      .decimal(Decimal(sign: .plus, exponent: -3, significand: 1100)), .decimal(0),
      .binary(Data([0])),
      .binary(Data()), .date(Date(timeIntervalSinceReferenceDate: 0)),
      .date(Date(timeIntervalSinceReferenceDate: .nan)), .uuid(UUID()),
    ]
    for a in values {
      for b in values {
        // A set has values of one type.
        let areEqual = a.kind == b.kind && ValueOrder.compare(a, .equal, b)
        #expect((DistinctValue(a) == DistinctValue(b)) == areEqual, "\(a) and \(b)")
        guard areEqual else { continue }
        #expect(DistinctValue(a).hashValue == DistinctValue(b).hashValue, "\(a) and \(b)")
      }
    }
  }
}
