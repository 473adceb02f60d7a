import CopalEssentials
import CopalModel
import CopalStore

/// Values of objects, and aggregates of them, without rows.
extension StoreConformance {
  static let fetchedValues: [Requirement] = [
    Requirement("A store gives the values of every type, in the order of the keys") { tester in
      for (name, values) in SampleValues.edges {
        let first = (try tester.keys().last ?? 0) + 1
        for value in values + [.null] { try tester.insert([name: value]) }
        let stored = try tester.rows().filter { $0.key >= first }.map { $0[name] }
        let found = try tester.values([.property(name)]).suffix(values.count + 1).map { $0[0] }
        // Values of a column have the form of their type.
        try expect(found.count, is: stored.count)
        for (a, b) in zip(found, stored) where a != b {
          try expect(
            !a.isNull && ValueOrder.compare(a, .equal, b), "\(name): found \(a), stored \(b)")
        }
      }
    },
    Requirement("A store calculates columns, and gives the key of an object as an integer") {
      tester in
      try tester.insert(["whole": 3, "whole2": 4, "text": "Ochre", "price": .decimal(1.5)])
      try tester.insert(["whole": 5])
      let columns: [FetchExpression] = [
        .object, .call(.multiply, [.property("whole"), .property("whole2")]),
        .call(.uppercased, [.property("text")]),
        .call(.add, [.property("price"), .constant(.decimal(1))]),
        .call(.ifNil, [.property("whole2"), .property("whole")]),
      ]
      try expect(
        tester.values(columns),
        is: [[1, 12, "OCHRE", .decimal(2.5), 4], [2, .null, .null, .null, 5]])
    },
    Requirement("A store gives the values of the objects that meet a condition, in an order") {
      tester in
      for (text, whole) in [("b", 1), ("a", 2), ("b", 3), ("c", 4)] as [(String, Int64)] {
        try tester.insert(["text": .string(text), "whole": .integer(whole)])
      }
      let (text, whole) = (FetchExpression.property("text"), FetchExpression.property("whole"))
      let few = FetchPredicate.comparison(whole, .less, .constant(4))
      try expect(tester.values([whole], where: few), is: [[1], [2], [3]])
      let order = [
        ValueRequest.SortKey(text), ValueRequest.SortKey(whole, isAscending: false),
      ]
      try expect(
        tester.values([text, whole], sortedBy: order),
        is: [["a", 2], ["b", 3], ["b", 1], ["c", 4]])
      try expect(
        tester.values([whole], where: few, sortedBy: order, limit: 2, offset: 1), is: [[3], [1]])
      try expect(tester.values([whole], sortedBy: order, limit: 0), is: [])
      try expect(tester.values([whole], limit: .max, offset: 3), is: [[4]])
    },
    Requirement("A store gives equal rows of values once, nulls first") { tester in
      for text in ["b", "a", "b", .null, "B", .null, "a\0"] as [PropertyValue] {
        try tester.insert(["text": text])
      }
      let text = FetchExpression.property("text")
      try expect(
        tester.values([text], isDistinct: true), is: [[.null], ["B"], ["a"], ["a\0"], ["b"]])
      try expect(
        tester.values(
          [text], sortedBy: [ValueRequest.SortKey(text, isAscending: false)], limit: 2,
          isDistinct: true), is: [["b"], ["a\0"]])
    },
    Requirement("A store makes a group of the objects with equal values") { tester in
      let rows: [(PropertyValue, Int64, Double)] = [
        ("a", 1, 0.1), ("b", 2, 0.2), ("a", 3, 0.2), (.null, 4, 0.5), (.null, 5, 0.25),
        ("A", 6, 1),
      ]
      for (text, whole, real) in rows {
        try tester.insert(["text": text, "whole": .integer(whole), "real": .double(real)])
      }
      let (text, whole) = (FetchExpression.property("text"), FetchExpression.property("whole"))
      try expect(
        tester.values([
          text, .objectCount, .sum(of: whole), .min(of: whole), .max(of: whole),
          .average(of: whole), .sum(of: .property("real")),
        ]),
        is: [
          [.null, 2, 9, 4, 5, .double(4.5), .double(0.75)],
          ["A", 1, 6, 6, 6, .double(6), .double(1)],
          ["a", 2, 4, 1, 3, .double(2), .double(0.1 + 0.2)],
          ["b", 1, 2, 2, 2, .double(2), .double(0.2)],
        ])
      try expect(
        tester.values(
          [text, .sum(of: whole)],
          having: .comparison(.objectCount, .greater, .constant(1)),
          sortedBy: [ValueRequest.SortKey(.sum(of: whole))]), is: [["a", 4], [.null, 9]])
      try expect(
        tester.values(
          [text, .objectCount], where: .comparison(whole, .greater, .constant(3)), limit: 1,
          offset: 1), is: [["A", 1]])
    },
    Requirement("A store leaves nulls out of aggregates, and adds decimals exactly") { tester in
      for (amount, price) in [("0.1", "0.10"), ("0.2", "0.20"), ("-0.3", nil), (nil, "99.99")] {
        try tester.insert([
          "amount": amount.flatMap { Decimal(string: $0) }.map(PropertyValue.decimal) ?? .null,
          "price": price.flatMap { Decimal(string: $0) }.map(PropertyValue.decimal) ?? .null,
        ])
      }
      let (amount, price) = (FetchExpression.property("amount"), FetchExpression.property("price"))
      try expect(
        tester.values([
          .objectCount, .aggregate(.count, of: amount), .sum(of: amount), .max(of: amount),
          .sum(of: price), .aggregate(.distinctCount, of: price),
        ]),
        is: [
          [
            4, 3, .decimal(0), .decimal(Decimal(string: "0.2") ?? 0),
            .decimal(Decimal(string: "100.29") ?? 0), 3,
          ]
        ])
    },
    Requirement("A store has one group of all objects, also of none") { tester in
      let columns: [FetchExpression] = [
        .objectCount, .aggregate(.count, of: .property("text")), .sum(of: .property("whole")),
        .min(of: .property("text")), .average(of: .property("real")),
      ]
      let none: [PropertyValue] = [0, 0, 0, .null, .null]
      try expect(tester.values(columns), is: [none])
      try tester.insert(["text": "x", "whole": 2, "real": .double(1.5)])
      try expect(tester.values(columns), is: [[1, 1, 2, "x", .double(1.5)]])
      try expect(
        tester.values(columns, where: .comparison(.property("whole"), .greater, .constant(2))),
        is: [none])
      // Without objects, no values form a group.
      try expect(
        tester.values(
          [.property("text"), .objectCount],
          where: .comparison(.property("whole"), .greater, .constant(2))), is: [])
    },
    Requirement("A store gives values of related objects, null where there is none") { tester in
      let sample = try tester.insert(["text": "x", "whole": 7])
      try tester.insert(["text": "a", "sample": .integer(sample)], into: "Label")
      try tester.insert(["text": "b"], into: "Label")
      let columns: [FetchExpression] = [
        .property("text"), .property("sample"), .property("sample.text"),
        .call(.add, [.property("sample.whole"), .constant(1)]),
      ]
      try expect(
        tester.values(columns, of: "Label"),
        is: [["a", .integer(sample), "x", 8], ["b", .null, .null, .null]])
      let labels = FetchExpression.aggregate(
        .count, FetchCollection(.property("labels")), of: nil)
      try expect(tester.values([.property("text"), labels]), is: [["x", 1]])
      try expect(
        tester.values([.property("sample.text"), .objectCount], of: "Label"),
        is: [[.null, 1], ["x", 1]])
    },
    Requirement("A store includes the values of subentities, or leaves them out") { tester in
      try tester.insert(["whole": 1])
      try tester.insert(["whole": 2, "weight": .double(3)], into: "Fragment")
      let whole = FetchExpression.property("whole")
      try expect(tester.values([whole]), is: [[1], [2]])
      try expect(tester.values([.sum(of: whole)], includesSubentities: false), is: [[1]])
      try expect(
        tester.values([whole, .property("weight")], of: "Fragment"), is: [[2, .double(3)]])
    },
    Requirement("The values of a read transaction are those of one state") { tester in
      let other = try StoreTester(tester.store)
      try tester.insert(["whole": 1])
      try other.session.beginReadTransaction()
      try expect(other.values([.sum(of: .property("whole"))]), is: [[1]])
      try tester.insert(["whole": 2])
      try expect(other.values([.sum(of: .property("whole"))]), is: [[1]])
      other.session.endReadTransaction()
      try expect(other.values([.sum(of: .property("whole"))]), is: [[3]])
    },
  ]
}
