import CopalModel
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@testable import CopalStore

@Suite("Objects in an order, as bytes")
struct OrderedBytesTests {
  /// Values in their order, found by hand; those in one list are equal in it.
  struct Order: Sendable, CustomTestStringConvertible {
    let testDescription: String
    var textOrder = FetchSortKey.TextOrder.bytes
    let values: [[PropertyValue]]
  }

  private static func texts(
    _ name: String, _ order: FetchSortKey.TextOrder, _ texts: [[String]]
  ) -> Order {
    Order(testDescription: name, textOrder: order, values: texts.map { $0.map { .string($0) } })
  }

  static let orders: [Order] = [
    Order(
      testDescription: "whole numbers",
      values: [.min, -256, -1, 0, 1, 255, 256, .max].map { [.integer($0)] }),
    Order(
      testDescription: "doubles",
      values: [
        [-.infinity], [-1e300], [-1], [-.leastNonzeroMagnitude], [0, -0.0],
        [.leastNonzeroMagnitude], [0.5], [1], [1e300], [.infinity],
      ].map { $0.map { .double($0) } }),
    Order(
      testDescription: "dates",
      values: [-1.5, 0, 1e9].map { [.date(Date(timeIntervalSinceReferenceDate: $0))] }),
    Order(testDescription: "booleans", values: [[.boolean(false)], [.boolean(true)]]),
    Order(
      testDescription: "bytes",
      values: [[], [0], [0, 0], [0, 255], [255], [255, 0]].map { [.binary(Data($0))] }),
    Order(
      testDescription: "UUIDs",
      values: [0, 1, 128, 255].map {
        [.uuid(UUID(uuid: ($0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 9)))]
      }),
    Order(
      testDescription: "URIs",
      values: ["a:B", "a:a", "a:b", "https://copal.example/%C3%A9"].map { text in
        URL(string: text).map { [.uri($0)] } ?? []
      }),
    texts(
      "texts by their bytes", .bytes,
      [
        [""], ["\0"], ["\0\0"], ["10"], ["12345678"], ["12345678\0"], ["123456789"], ["2"], ["A 2"],
        ["B"], ["a"], ["a\0"], ["a\0b"], ["a\u{1}"], ["a 02"], ["a 10"], ["a 2"], ["aa"], ["ab"],
        ["e\u{301}"], ["é"], ["\u{10FFFF}"],
      ]),
    texts(
      "texts without case", .caseInsensitive,
      [
        [""], ["\0"], ["\0\0"], ["10"], ["12345678"], ["12345678\0"], ["123456789"], ["2"], ["a"],
        ["a\0"], ["a\0b"], ["a\u{1}"], ["a 02"], ["a 10"], ["a 2", "A 2"], ["aa"], ["ab"], ["B"],
        ["e"], ["é", "e\u{301}", "É"], ["\u{10FFFF}"],
      ]),
    texts(
      "texts without case and marks, numbers by their values", .natural,
      [
        [""], ["\0"], ["\0\0"], ["2", "02"], ["10"], ["12345678"], ["12345678\0"], ["123456789"],
        ["a"], ["a\0"], ["a\0b"], ["a\u{1}"], ["a 2", "A 2", "a 02"], ["a 10"], ["aa"], ["ab"],
        ["B"],
        ["e", "é", "e\u{301}", "É"], ["\u{10FFFF}"],
      ]),
  ]

  @Test(
    "have the order of their values, in each direction, with each place of nil", arguments: orders)
  func order(_ order: Order) {
    let places: [(isAscending: Bool, nilOrder: FetchSortKey.NilOrder, isFirst: Bool)] = [
      (true, .nilsFirst, true), (true, .nilsLast, false), (false, .nilsFirst, true),
      (false, .nilsLast, false),
    ]
    for (isAscending, nilOrder, isFirst) in places {
      let keys = [
        BoundSortKey(
          slot: 0, isAscending: isAscending, textOrder: order.textOrder, nilOrder: nilOrder),
        BoundSortKey(slot: 1, isAscending: true),
      ]
      // The place of each value in the order, as a plain number.
      var ranked = [(value: PropertyValue.null, rank: isFirst ? -1000 : 1000)]
      for (rank, values) in order.values.enumerated() {
        ranked += values.map { (value: $0, rank: isAscending ? rank : -rank) }
      }
      // Each value three times, with another second one.
      var random = SplitMix(seed: 7)
      let rows = (ranked + ranked + ranked).map {
        (value: $0.value, rank: $0.rank, second: Int64.random(in: 0...1, using: &random))
      }.shuffled(using: &random)
      var bytes = OrderedBytes(keys, count: rows.count)
      for row in rows {
        let isAdded = bytes.append { $0.slot == 0 ? row.value : .integer(row.second) }
        #expect(isAdded)
      }
      let expected = rows.indices.sorted { a, b in
        (rows[a].rank, rows[a].second, a) < (rows[b].rank, rows[b].second, b)
      }
      #expect(bytes.places(check: {}) == expected, "\(keys[0])")
    }
  }

  @Test("are not for decimals, nor for values of two types")
  func others() {
    let keys = [BoundSortKey(slot: 0, isAscending: true)]
    func isComplete(_ values: [PropertyValue]) -> Bool {
      var bytes = OrderedBytes(keys, count: values.count)
      return values.allSatisfy { value in bytes.append { _ in value } }
    }
    #expect(!isComplete([.null, .decimal(1.5)]))
    #expect(!isComplete([.integer(1), .null, .double(1)]))
    #expect(isComplete([.integer(1), .null, .integer(2)]))
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
