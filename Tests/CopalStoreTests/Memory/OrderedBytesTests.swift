import CopalModel
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalStore

@Suite("Objects in an order, as bytes")
struct OrderedBytesTests {
  private static let numbers: [PropertyValue] =
    [.null] + [0, 1, -1, 255, 256, -256, .max, .min].map { .integer($0) }
  private static let doubles: [PropertyValue] =
    [.null]
    + [
      0, -0.0, 1, -1, 0.5, 1e300, -1e300, .leastNonzeroMagnitude, -.leastNonzeroMagnitude,
      .infinity, -.infinity,
    ].map {
      .double($0)
    }
  private static let dates: [PropertyValue] =
    [.null] + [0, -1.5, 1e9].map { .date(Date(timeIntervalSinceReferenceDate: $0)) }
  private static let texts: [PropertyValue] =
    [.null]
    + [
      "", "\0", "\0\0", "a", "a\0", "a\0b", "a\u{1}", "ab", "aa", "B", "é", "e\u{301}",
      "\u{10FFFF}",
      "12345678", "123456789", "12345678\0",
      "2", "10", "a 2", "a 10", "a 02", "A 2",
    ].map { .string($0) }
  private static let blobs: [PropertyValue] =
    [.null] + [[], [0], [0, 0], [0, 255], [255], [255, 0]].map { .binary(Data($0)) }
  private static let others: [PropertyValue] = [.null, .boolean(true), .boolean(false)]
  private static let uuids: [PropertyValue] =
    [.null]
    + [0, 1, 128, 255].map { .uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9))) }
  private static let addresses: [PropertyValue] =
    [.null]
    + ["a:b", "a:a", "a:B", "https://copal.example/%C3%A9"].compactMap { URL(string: $0) }.map {
      .uri($0)
    }
  private static let decimals: [PropertyValue] = [.null, .decimal(1.5), .decimal(-2), .decimal(10)]

  static let cases: [(values: [PropertyValue], hasBytes: Bool)] = [
    (numbers, true), (doubles, true), (dates, true), (texts, true), (blobs, true), (others, true),
    (uuids, true), (addresses, true), (decimals, false),
    (Array(numbers.prefix(3) + doubles.prefix(3)), false),
  ]

  @Test(
    "have the order of their values, in each direction, with each place of nil", arguments: cases)
  func order(values: [PropertyValue], hasBytes: Bool) {
    let textOrders: [FetchSortKey.TextOrder] =
      values == Self.texts ? [.bytes, .caseInsensitive, .alphabetical, .natural] : [.bytes]
    for textOrder in textOrders {
      for (isAscending, nilOrder) in [
        (true, FetchSortKey.NilOrder.nilsFirst), (true, .nilsLast), (false, .nilsFirst),
        (false, .nilsLast),
      ] {
        let keys = [
          BoundSortKey(slot: 0, isAscending: isAscending, textOrder: textOrder, nilOrder: nilOrder),
          BoundSortKey(slot: 1, isAscending: true),
        ]
        // Each value three times, with another second one.
        var random = SplitMix(seed: 7)
        let rows = (values + values + values).map {
          [$0, .integer(Int64.random(in: 0...1, using: &random))]
        }.shuffled(using: &random)
        var bytes = OrderedBytes(keys, count: rows.count)
        let isComplete = rows.allSatisfy { row in bytes.append { row[$0.slot] } }
        #expect(isComplete == hasBytes)
        if !isComplete { continue }
        let forms = rows.map { row in keys.sortedForms { row[$0] } }
        let expected = rows.indices.sorted { keys.order(forms[$0], forms[$1]) ?? ($0 < $1) }
        #expect(bytes.places(check: {}) == expected, "\(keys[0])")
      }
    }
  }

  @Test("end when the check throws")
  func check() {
    struct Ended: Error {}
    var bytes = OrderedBytes([BoundSortKey(slot: 0, isAscending: true)], count: 100)
    for number in 0..<100 { _ = bytes.append { _ in .integer(Int64(-number)) } }
    #expect(throws: Ended.self) { try bytes.places { throw Ended() } }
    #expect(bytes.places(check: {}) == Array((0..<100).reversed()))
    #expect(OrderedBytes([], count: 0).places(check: {}) == [])
  }
}
