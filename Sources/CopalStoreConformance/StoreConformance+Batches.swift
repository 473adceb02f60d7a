import CopalEssentials
import CopalModel
import CopalStore

/// Batches. A store without them, whose `execute` throws `store.noBatches`, meets these
/// requirements too.
extension StoreConformance {
  /// A requirement of stores with batches.
  private static func batch(
    _ description: String, _ body: @escaping @Sendable (StoreTester) throws -> Void
  ) -> Requirement {
    Requirement(description) { tester in
      do {
        try body(tester)
      } catch let error as PersistenceError where error.code == .noBatches {
        // The store says that it has none.
      }
    }
  }

  private static let whole = FetchExpression.property("whole")

  static let batches: [Requirement] = [
    batch("A batch deletes the objects that meet a condition, and counts them") { tester in
      for number in 0..<Int64(5) { try tester.insert(["whole": .integer(number)]) }
      try tester.insert(["whole": 9], into: "Fragment")
      let isLarge = FetchPredicate.comparison(whole, .greater, .constant(2))
      try expect(done(tester.deleteAll(isLarge)).count, is: 3)
      try expect(tester.rows().map { $0["whole"] }, is: [0, 1, 2])
      try expect(done(tester.deleteAll(isLarge)).count, is: 0)
      try expect(done(tester.deleteAll()).count, is: 3)
      try expect(tester.session.count(tester.query()), is: 0)
      // No key is used again.
      try expect(tester.insert([:]), is: 7)
    },
    batch("A batch's deletion does to other objects what the delete rules say") { tester in
      let samples = try (0..<2).map { try tester.insert(["whole": .integer($0)]) }
      let labels = try samples.map {
        try tester.commit { [sample = $0] changes in
          try changes.insert(
            "Label", ["sample": .integer(sample), "origin": .integer(sample)],
            positions: ["sample": 1])
        }.insertedKeys[0][0]
      }
      let tag = try tester.insert([:], into: "Tag")
      try tester.commit { changes in
        try changes.link("Label", "tags", added: labels.map { Link(owner: $0, member: tag) })
      }
      let before = try labels.map { try tester.row($0, of: "Label").row.version }
      let isFirst = FetchPredicate.comparison(whole, .equal, .constant(0))
      try expect(done(tester.deleteAll(isFirst)).count, is: 1)
      let rows = try labels.map { try tester.row($0, of: "Label") }
      try expect(rows.map { $0["sample"] }, is: [.null, .integer(samples[1])])
      try expect(rows[0].position("sample"), is: .null, "the position in a list that is gone")
      try expect(rows[0].row.version > before[0], "the version of a changed row is the same")
      try expect(rows[1].row.version, is: before[1])
      // The rule noAction leaves the reference.
      try expect(rows[0]["origin"], is: .integer(samples[0]))
      try expect(done(tester.deleteAll(of: "Label")).count, is: 2)
      try expect(tester.members("labels", of: "Tag", tag), is: [])
    },
    batch("A batch that a delete rule denies deletes nothing") { tester in
      let labels = try (0..<3).map {
        try tester.insert(["text": .string("\($0)")], into: "Label")
      }
      let tag = try tester.insert([:], into: "Tag")
      try tester.commit {
        try $0.link("Label", "seals", added: [Link(owner: labels[1], member: tag)])
      }
      let index = try tester.layout("Label").index
      try expect(
        refused(tester.deleteAll(of: "Label")),
        is: [
          BatchRefusal(
            .denied(RelationshipName(entity: index, name: "seals"), count: 1), entity: index,
            key: labels[1])
        ])
      try expect(tester.keys(of: "Label"), is: labels)
      try expect(tester.members("seals", of: "Label", labels[1]), is: [tag])
    },
    batch("A batch gives objects constants, nulls and calculated values, and raises versions") {
      tester in
      for number in 0..<Int64(4) {
        try tester.insert([
          "whole": .integer(number), "text": "x", "price": .decimal(Decimal(number)),
        ])
      }
      let outcome = try tester.updateAll(
        .comparison(whole, .greater, .constant(1)),
        set: [
          "text": .constant(.null),
          "mark": .constant(
            .uuid(UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16)))),
          "price": .call(.multiply, [.property("price"), .constant(.decimal(2))]),
        ])
      try expect(done(outcome).count, is: 2)
      let rows = try tester.rows()
      try expect(rows.map { $0["text"] }, is: ["x", "x", .null, .null])
      try expect(rows.map { $0["mark"].isNull }, is: [true, true, false, false])
      try expect(rows.map { $0["price"] }, is: [0, 1, 4, 6].map { .decimal($0) })
      try expect(rows.map { $0.row.version }, is: [1, 1, 2, 2])
    },
    batch("A batch calculates all values before it writes the first one") { tester in
      for number in 1...Int64(3) {
        try tester.insert([
          "whole": .integer(number), "whole2": .integer(10 * number), "shelf": "a",
          "place": .integer(number),
        ])
      }
      let sum = FetchExpression.aggregate(
        .sum, FetchCollection(.property("labels")), of: .property("sample.whole"))
      try tester.insert(["sample": 1], into: "Label")
      _ = try done(
        tester.updateAll(set: ["whole": .property("whole2"), "whole2": whole, "small": sum]))
      let rows = try tester.rows()
      try expect(rows.map { $0["whole"] }, is: [10, 20, 30])
      try expect(rows.map { $0["whole2"] }, is: [1, 2, 3])
      try expect(rows.map { $0["small"] }, is: [1, 0, 0])
      // Unique values are checked after the last row.
      _ = try done(
        tester.updateAll(set: ["place": .call(.subtract, [.constant(4), .property("place")])]))
      try expect(tester.rows().map { $0["place"] }, is: [3, 2, 1])
    },
    batch("A batch that breaks a unique constraint changes nothing") { tester in
      for (code, number) in [("a", 1), ("b", 2), ("c", 3)] as [(String, Int64)] {
        try tester.insert(["code": .string(code), "whole": .integer(number)])
      }
      let slots = [try tester.layout().slot("code")]
      for predicate in [
        nil, FetchPredicate.comparison(.property("code"), .equal, .constant("b")),
      ] {
        let refusals = try refused(
          tester.updateAll(predicate, set: ["code": .constant("c"), "whole": .constant(0)]))
        try expect(refusals.map(\.kind), is: [.unique(slots)])
      }
      try expect(tester.rows().map { $0["code"] }, is: ["a", "b", "c"])
      try expect(tester.rows().map { $0["whole"] }, is: [1, 2, 3])
      try expect(tester.rows().map { $0.row.version }, is: [1, 1, 1])
    },
    batch("A batch has each calculated value checked, and writes what the check returns") {
      tester in
      for number in 1...Int64(3) { try tester.insert(["whole": .integer(number)]) }
      let double = FetchExpression.call(.multiply, [whole, .constant(2)])
      let slot = try tester.layout().slot("whole")
      var seen: [Int64: PropertyValue] = [:]
      let outcome = try tester.updateAll(set: ["whole": double, "text": .constant("x")]) {
        entity, key, checked, value in
        if checked == slot, entity == 0 { seen[key] = value }
        return key == 2 ? 0 : value
      }
      try expect(done(outcome).count, is: 3)
      try expect(seen, is: [1: 2, 2: 4, 3: 6])
      try expect(tester.rows().map { $0["whole"] }, is: [2, 0, 6])
      let refusals = try refused(
        tester.updateAll(set: ["whole": double]) { _, key, _, value in key == 3 ? nil : value })
      try expect(refusals, is: [])
      try expect(tester.rows().map { $0["whole"] }, is: [2, 0, 6])
    },
    batch("A batch inserts rows, or updates the given values of those with the same unique values")
    {
      tester in
      try tester.insert(["code": "a", "whole": 1, "text": "old"])
      try tester.insert(["code": "b", "whole": 2, "text": "old"])
      let result = try done(
        tester.upsertAll(
          [
            ["code": "b", "whole": 20], ["code": "c", "whole": 30, "text": "new"],
            ["code": .null, "whole": 40], ["code": .null, "whole": 50], ["code": "c", "whole": 60],
          ], on: ["code"]))
      try expect(result.count, is: 5)
      try expect(result.updated, is: [2])
      try expect(result.inserted, is: [3, 4, 5])
      let rows = try tester.rows()
      try expect(rows.map { $0["whole"] }, is: [1, 20, 60, 40, 50])
      try expect(rows.map { $0["text"] }, is: ["old", "old", "new", .null, .null])
      try expect(rows.prefix(2).map { $0.row.version }, is: [1, 2])
      try expect(
        done(tester.upsertAll([["shelf": "s", "place": 1]], on: ["shelf", "place"])).inserted,
        is: [6])
      try expect(
        done(
          tester.upsertAll([["shelf": "s", "place": 1, "whole": 7]], on: ["shelf", "place"])
        ).updated, is: [6])
    },
    batch("A batch of rows that breaks another unique constraint writes nothing") { tester in
      try tester.insert(["code": "a", "shelf": "s", "place": 1])
      try tester.insert(["code": "b", "shelf": "s", "place": 2])
      let refusals = try refused(
        tester.upsertAll(
          [["code": "c"], ["code": "b", "shelf": "s", "place": 1]], on: ["code"]))
      let layout = try tester.layout()
      try expect(
        refusals.map(\.kind), is: [.unique([try layout.slot("shelf"), try layout.slot("place")])])
      try expect(tester.rows().map { $0["code"] }, is: ["a", "b"])
      try expect(tester.rows().map { $0["place"] }, is: [1, 2])
    },
    batch("A later row does not repair what an earlier one breaks") { tester in
      try tester.insert(["code": "a", "shelf": "s", "place": 1])
      let refusals = try refused(
        tester.upsertAll(
          [["code": "b", "shelf": "s", "place": 1], ["code": "a", "shelf": "s", "place": 2]],
          on: ["code"]))
      try expect(refusals.count, is: 1)
      try expect(tester.rows().map { $0["place"] }, is: [1])
      // In the other order, each row is possible when it is written. A row may keep its own values.
      let result = try done(
        tester.upsertAll(
          [
            ["code": "a", "shelf": "s", "place": 2], ["code": "b", "shelf": "s", "place": 1],
            ["code": "b", "shelf": "s", "place": 1],
          ], on: ["code"]))
      try expect(result.updated, is: [1])
      try expect(tester.rows().map { $0["place"] }, is: [2, 1])
    },
    batch("Other sessions see a batch as a whole, and a read transaction its own one") { tester in
      let other = try StoreTester(tester.store)
      for number in 1...Int64(3) { try tester.insert(["whole": .integer(number)]) }
      try other.session.beginReadTransaction()
      try expect(other.keys(), is: [1, 2, 3])
      try tester.session.beginReadTransaction()
      try expect(tester.keys(), is: [1, 2, 3])
      _ = try done(tester.updateAll(set: ["whole": .constant(0)]))
      try expect(tester.rows().map { $0["whole"] }, is: [0, 0, 0], "after a batch")
      try expect(other.rows().map { $0["whole"] }, is: [1, 2, 3], "in a read transaction")
      tester.session.endReadTransaction()
      other.session.endReadTransaction()
      try expect(other.rows().map { $0["whole"] }, is: [0, 0, 0])
    },
  ]

  /// The result of a batch that must be done.
  private static func done(
    _ outcome: BatchOutcome, file: String = #fileID, line: Int = #line
  ) throws -> BatchResult {
    switch outcome {
    case .done(let result): return result
    case .refused(let refusals):
      throw ConformanceFailure("a batch was refused: \(refusals) (\(file):\(line))")
    }
  }

  /// The refusals of a batch that must not be done.
  private static func refused(
    _ outcome: BatchOutcome, file: String = #fileID, line: Int = #line
  ) throws -> [BatchRefusal] {
    switch outcome {
    case .done: throw ConformanceFailure("a batch was done that breaks a rule (\(file):\(line))")
    case .refused(let refusals): return refusals
    }
  }
}
