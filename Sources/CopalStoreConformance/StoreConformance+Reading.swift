import CopalEssentials
import CopalModel
import CopalStore

/// Fetches, their order and parts, and what a read transaction sees.
extension StoreConformance {
  static let reading: [Requirement] = [
    Requirement("A store sorts every type by its own order, nil first") { tester in
      for (name, values) in SampleValues.edges {
        let before = try tester.keys()
        for value in values + [.null] { try tester.insert([name: value]) }
        let rows = Dictionary(
          uniqueKeysWithValues: try tester.rows().filter { !before.contains($0.key) }.map {
            ($0.key, $0[name])
          })
        for isAscending in [true, false] {
          let keys = try tester.keys(sortedBy: [FetchSortKey(name, isAscending: isAscending)])
            .filter { rows[$0] != nil }
          let found = keys.compactMap { rows[$0] }
          for (a, b) in zip(found, found.dropFirst()) {
            let isWrong =
              isAscending ? ValueOrder.sortsBefore(b, a) : ValueOrder.sortsBefore(a, b)
            try expect(!isWrong, "\(name): \(a) and \(b) are in the wrong order")
          }
          try expect(found.count, is: values.count + 1)
          try expect((isAscending ? found.first : found.last), is: .null, name)
        }
      }
    },
    Requirement("A store sorts by several keys, and equal objects by their insertion") { tester in
      for (text, whole) in [("b", 1), ("a", 2), ("b", 2), ("a", 1), ("a", 2)] as [(String, Int64)] {
        try tester.insert(["text": .string(text), "whole": .integer(whole)])
      }
      try expect(tester.keys(sortedBy: [.ascending("text")]), is: [2, 4, 5, 1, 3])
      try expect(
        tester.keys(sortedBy: [.ascending("text"), .descending("whole")]), is: [2, 5, 4, 3, 1])
      try expect(tester.keys(sortedBy: [.descending("text")]), is: [1, 3, 2, 4, 5])
    },
    Requirement("A store sorts texts without case, by their letters, and by their numbers") {
      tester in
      for text in ["b 10", "B 9", "É 2", "e 1", "z", "a\0", "b 010", "\u{10FFFF}"] {
        try tester.insert(["text": .string(text)])
      }
      try tester.insert([:])
      let key = FetchSortKey.ascending("text")
      try expect(tester.keys(sortedBy: [key]), is: [9, 2, 6, 7, 1, 4, 5, 3, 8])
      try expect(tester.keys(sortedBy: [key.caseInsensitive]), is: [9, 6, 7, 1, 2, 4, 3, 5, 8])
      try expect(tester.keys(sortedBy: [key.alphabetical]), is: [9, 6, 7, 1, 2, 4, 3, 5, 8])
      try expect(tester.keys(sortedBy: [key.natural]), is: [9, 6, 2, 1, 7, 4, 3, 5, 8])
      try expect(
        tester.keys(sortedBy: [FetchSortKey.descending("text").natural]),
        is: [8, 5, 3, 4, 1, 7, 2, 6, 9])
      // Equal texts are in the order of the next key.
      try expect(tester.keys(sortedBy: [key.natural, key]), is: [9, 6, 2, 7, 1, 4, 3, 5, 8])
    },
    Requirement("A store places objects without a value first or last") { tester in
      for whole in [2, .null, 1, .null] as [PropertyValue] {
        try tester.insert(["whole": whole, "text": whole.isNull ? .null : "x"])
      }
      let (up, down) = (FetchSortKey.ascending("whole"), FetchSortKey.descending("whole"))
      try expect(tester.keys(sortedBy: [up]), is: [2, 4, 3, 1])
      try expect(tester.keys(sortedBy: [up.nilsFirst]), is: [2, 4, 3, 1])
      try expect(tester.keys(sortedBy: [up.nilsLast]), is: [3, 1, 2, 4])
      try expect(tester.keys(sortedBy: [down]), is: [1, 3, 2, 4])
      try expect(tester.keys(sortedBy: [down.nilsLast]), is: [1, 3, 2, 4])
      try expect(tester.keys(sortedBy: [down.nilsFirst]), is: [2, 4, 1, 3])
      try expect(
        tester.keys(sortedBy: [FetchSortKey.ascending("text").natural.nilsLast, down], limit: 3),
        is: [1, 3, 2])
    },
    Requirement("A store sorts by any number of keys, also by one attribute twice") { tester in
      for text in ["b", "a", "c"] { try tester.insert(["text": .string(text)]) }
      let keys =
        [FetchSortKey.ascending("text")]
        + (0..<5000).map { number in
          FetchSortKey(number.isMultiple(of: 2) ? "text" : "whole", isAscending: false)
        }
      try expect(tester.keys(sortedBy: keys), is: [2, 1, 3])
      try expect(tester.keys(sortedBy: Array(keys.reversed())), is: [3, 1, 2])
    },
    Requirement("A store gives a part of a result, for any limit and offset") { tester in
      for _ in 0..<5 { try tester.insert([:]) }
      try expect(tester.keys(limit: 2), is: [1, 2])
      try expect(tester.keys(limit: 2, offset: 4), is: [5])
      try expect(tester.keys(offset: 3), is: [4, 5])
      try expect(tester.keys(limit: 0), is: [])
      try expect(tester.keys(limit: .max, offset: 1), is: [2, 3, 4, 5])
      try expect(tester.keys(limit: .max, offset: .max), is: [])
      try expect(tester.session.count(tester.query()), is: 5)
      try expect(tester.session.count(tester.query(limit: 3)), is: 3)
      try expect(tester.session.count(tester.query(limit: 3, offset: 4)), is: 1)
    },
    Requirement("A store gives the first rows of a sorted result, for any limit and offset") {
      tester in
      for (name, values) in SampleValues.edges {
        for value in values + [.null] { try tester.insert([name: value]) }
        for key in [FetchSortKey.ascending(name), .descending(name).nilsFirst] {
          let all = try tester.keys(sortedBy: [key])
          for (limit, offset) in [(1, 0), (3, 0), (3, 2), (1000, 1), (.max, 0), (0, 0)] {
            try expect(
              tester.rows(sortedBy: [key], limit: limit, offset: offset).map(\.key),
              is: Array(all.dropFirst(offset).prefix(limit)), "\(name), \(limit), \(offset)")
          }
        }
      }
    },
    Requirement("A store finds objects by their ids in a condition") { tester in
      for whole in [1, 2, 3, 4] as [Int64] { try tester.insert(["whole": .integer(whole)]) }
      func id(_ key: Int64) throws -> PropertyValue { .object(try tester.id(key)) }
      func isObject(_ key: Int64) throws -> FetchPredicate {
        .comparison(.object, .equal, .constant(try id(key)))
      }
      try expect(tester.keys(isObject(3)), is: [3])
      try expect(tester.keys(.not(isObject(3))), is: [1, 2, 4])
      try expect(
        tester.keys(.comparison(.constant(id(3)), .notEqual, .object)), is: [1, 2, 4])
      try expect(tester.keys(.isIn(.object, [id(4), id(1), id(4), .null])), is: [1, 4])
      try expect(tester.keys(.not(.isIn(.object, [id(4), id(1)]))), is: [2, 3])
      try expect(tester.keys(.or([isObject(2), isObject(4)])), is: [2, 4])
      try expect(tester.keys(.and([isObject(2), isObject(4)])), is: [])
      let few = FetchPredicate.comparison(.property("whole"), .less, .constant(3))
      try expect(tester.keys(.and([few, .not(isObject(1))])), is: [2])
      try expect(tester.keys(.isIn(.object, [id(4), id(1)]), limit: 1, offset: 1), is: [4])
      try expect(tester.session.count(tester.query(isObject(3))), is: 1)
      // No object has a key below 1, nor one that was never given; nil is no object.
      for key in [5, 9999, -1, .max] as [Int64] { try expect(tester.keys(isObject(key)), is: []) }
      let isNil = FetchPredicate.comparison(.object, .equal, .constant(.null))
      try expect(tester.keys(isNil), is: [])
      try expect(tester.keys(.not(isNil)), is: [1, 2, 3, 4])
      let elsewhere = ManagedObjectID(
        store: UUID(), entityName: try tester.layout().name, key: 3)
      try expect(tester.keys(.isIn(.object, [.object(elsewhere)])), is: [])
    },
    Requirement("A store builds no row that the receiver declines") { tester in
      for _ in 0..<3 { try tester.insert([:]) }
      let receiver = Decliner()
      try tester.session.fetch(tester.query(), into: receiver)
      try expect(receiver.offered, is: [1, 2, 3])
      try expect(receiver.skipped, is: [2])
      try expect(receiver.received, is: [1, 3])
    },
    Requirement("A store gives the rows of keys, and leaves missing ones out") { tester in
      try tester.commit { changes in
        for number in 0..<Int64(250) { try changes.insert("Sample", ["whole": .integer(number)]) }
      }
      for count in [0, 1, 2, 9, 10, 11, 99, 100, 101, 200, 250] as [Int64] {
        let receiver = RowCollector(tester.schema)
        let keys = Array(1...(count + 1)).dropLast() + [9999]
        try tester.session.fetchRows(keys[...], entity: 0, into: receiver)
        try expect(receiver.rows.map(\.key).sorted(), is: Array(keys.dropLast()))
        try expect(
          receiver.rows.allSatisfy { $0["whole"] == .integer($0.key - 1) }, "a row is another's")
      }
    },
    Requirement("A store gives the row of one key, or none, also in a read transaction") { tester in
      let other = try StoreTester(tester.store)
      let row = try other.row(other.insert(["text": "x", "whole": 7]))
      func found(_ key: Int64) throws -> [String: PropertyValue]? {
        try tester.session.fetchRow(key, entity: 0).map {
          StoredRow(layout: row.layout, key: key, row: $0).values
        }
      }
      try expect(found(1), is: row.values)
      try expect(found(2), is: nil)
      try tester.session.beginReadTransaction()
      try expect(found(1), is: row.values)
      try other.update(row, ["whole": 8])
      try expect(found(1), is: row.values, "in a read transaction")
      tester.session.endReadTransaction()
      try expect(found(1)?["whole"], is: 8)
    },
    Requirement("A store shows others' commits, and in a read transaction one state") { tester in
      let other = try StoreTester(tester.store)
      try other.insert([:])
      try expect(tester.keys(), is: [1])
      try tester.session.beginReadTransaction()
      try expect(tester.keys(), is: [1])
      try other.insert([:])
      try expect(tester.keys(), is: [1])
      try tester.session.beginReadTransaction()
      try expect(tester.keys(), is: [1], "in a nested read transaction")
      tester.session.endReadTransaction()
      try expect(tester.keys(), is: [1], "after a nested read transaction")
      tester.session.endReadTransaction()
      try expect(tester.keys(), is: [1, 2])
    },
    Requirement("A store gives a read transaction a new view after a commit") { tester in
      let other = try StoreTester(tester.store)
      try tester.session.beginReadTransaction()
      try expect(tester.keys(), is: [])
      try other.insert([:])
      try tester.insert([:])
      try expect(tester.keys(), is: [1, 2])
      try other.insert([:])
      try expect(tester.keys(), is: [1, 2], "the read transaction has a new view")
      tester.session.endReadTransaction()
      try expect(tester.keys(), is: [1, 2, 3])
    },
    Requirement("A store gives a read transaction a new view after a refused commit") { tester in
      let other = try StoreTester(tester.store)
      let stale = try tester.row(tester.insert([:]))
      try tester.session.beginReadTransaction()
      try expect(tester.row(1).row.version, is: 1)
      try other.update(stale, ["whole": 1])
      _ = try refusals { try tester.update(stale, ["whole": 2]) }
      try expect(tester.row(1).row.version, is: 2)
      tester.session.endReadTransaction()
    },
  ]

  private final class Decliner: RowReceiver {
    var offered: [Int64] = []
    var received: [Int64] = []
    var skipped: [Int64] = []

    func wantsRow(key: Int64, version: Int64) -> Bool {
      offered.append(key)
      return key != 2
    }
    func receive(key: Int64, row: consuming PackedRow) { received.append(key) }
    func skip(key: Int64) { skipped.append(key) }
    func receive(key: Int64, failure: PersistenceError) {}
  }
}
