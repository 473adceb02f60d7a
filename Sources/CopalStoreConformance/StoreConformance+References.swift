import CopalModel
import CopalStore

/// The keys of other objects in rows.
extension StoreConformance {
  static let references: [Requirement] = [
    Requirement("A store writes the key of a new object in the references to it") { tester in
      let sample = try tester.insert(["text": "saved"])
      // Temporary keys are -1, -2, and so on: the labels refer to each other, and to a later
      // insert.
      let receipt = try tester.commit { changes in
        try changes.insert("Label", ["text": "first", "next": -2, "sample": -3])
        try changes.insert("Label", ["text": "second", "next": -1, "sample": .integer(sample)])
        try changes.insert("Sample", ["text": "new"])
        try changes.insert("Label", ["text": "alone", "next": -4])
      }
      let (labels, samples) = (receipt.insertedKeys[0], receipt.insertedKeys[1])
      let rows = try labels.map { try tester.row($0, of: "Label") }
      try expect(
        rows.map { $0["next"] }, is: [labels[1], labels[0], labels[2]].map { .integer($0) })
      try expect(rows.map { $0["sample"] }, is: [.integer(samples[0]), .integer(sample), .null])
      try expect(rows.map { $0["text"] }, is: ["first", "second", "alone"])
      try expect(rows.map(\.row.version), is: [1, 1, 1])
    },
    Requirement("A store writes the key of a new object in an updated row") { tester in
      let label = try tester.insert(["text": "label"], into: "Label")
      let receipt = try tester.commit { changes in
        try changes.insert("Sample", ["text": "new"])
        try changes.update(tester.row(label, of: "Label"), ["sample": -1])
      }
      let row = try tester.row(label, of: "Label")
      try expect(row["sample"], is: .integer(receipt.insertedKeys[0][0]))
      try expect(row["text"], is: "label")
      try expect(row.row.version, is: 2)
    },
    Requirement("A store finds the objects that refer to other objects") { tester in
      let samples = try (0..<3).map { try tester.insert(["whole": .integer($0)]) }
      for number in 0..<7 {
        try tester.insert(["sample": .integer(samples[number % 2])], into: "Label")
      }
      try tester.insert([:], into: "Label")
      let layout = try tester.layout("Label")
      guard let slot = layout.referenceSlots.first else {
        throw ConformanceFailure("no reference")
      }
      let owners = samples.map(PropertyValue.integer)
      let query = StoreQuery(
        entity: layout.index,
        condition: .isIn(
          .slot(slot), parameters: 0..<3, isNegated: false, resultForNull: false),
        parameters: owners, sortKeys: [BoundSortKey(slot: slot, isAscending: true)])
      try expect(tester.session.fetchKeys(query), is: [1, 3, 5, 7, 2, 4, 6])
    },
    Requirement("A store finds objects by the values of the objects to which they refer") {
      tester in
      let first = try tester.insert(["text": "a", "whole": 1])
      let second = try tester.insert(["whole": 5])
      try tester.commit { changes in
        let last = try changes.insert("Label", ["origin": 999])
        let middle = try changes.insert(
          "Label", ["sample": .integer(second), "next": .integer(last)])
        try changes.insert("Label", ["sample": .integer(first), "next": .integer(middle)])
      }
      func keys(_ predicate: FetchPredicate) throws -> [Int64] {
        let found = try tester.keys(predicate, of: "Label")
        try expect(
          (found + tester.keys(.not(predicate), of: "Label")).sorted(), is: [1, 2, 3])
        return found
      }
      func compare(
        _ path: String, _ comparison: FetchPredicate.Operator, _ value: PropertyValue
      ) -> FetchPredicate {
        .comparison(.property(path), comparison, .constant(value))
      }
      try expect(keys(compare("sample.text", .equal, "a")), is: [3])
      try expect(keys(compare("sample.text", .notEqual, "a")), is: [1, 2])
      try expect(keys(compare("sample.text", .equal, .null)), is: [1, 2])
      try expect(keys(compare("sample.whole", .greater, 3)), is: [2])
      try expect(keys(compare("next.sample.whole", .equal, 5)), is: [3])
      try expect(keys(compare("next.next.sample", .equal, .null)), is: [1, 2, 3])
      // The object is missing, and so are its values.
      try expect(keys(compare("origin.text", .equal, .null)), is: [1, 2, 3])
      try expect(keys(compare("origin.text", .notEqual, .null)), is: [])
      try expect(keys(.isIn(.property("sample.whole"), [1, .null])), is: [1, 3])
      try expect(
        keys(.text(.property("sample.text"), .contains(.caseInsensitive), .constant("A"))),
        is: [3])
      try expect(
        keys(.and([compare("sample.whole", .greater, 0), compare("next", .notEqual, .null)])),
        is: [2, 3])
    },
    Requirement("A store whose references lead to objects has no broken reference") { tester in
      let sample = try tester.insert(["text": "owner"])
      try tester.commit { changes in
        let first = try changes.insert("Label", ["sample": .integer(sample), "next": -2])
        try changes.insert("Label", ["previous": .integer(first)])
        // The inverse has the delete rule noAction, so the object may be missing.
        try changes.insert("Label", ["origin": 999])
        let tag = try changes.insert("Tag", [:])
        try changes.link("Label", "tags", added: [Link(owner: first, member: tag)])
        try changes.link("Tag", "related", added: [Link(owner: tag, member: tag)])
      }
      try expect(tester.session.brokenReferences(), is: [])
      try expect(tester.problems(), is: [])
    },
    Requirement("A check of a store finds a number beyond its type, and nothing else") { tester in
      for number: Int64 in [1, 40_000, 3] {
        try tester.insert(["small": .integer(number), "text": "a", "code": .string("\(number)")])
      }
      try tester.insert(["medium": .integer(1 << 40), "weight": 2.5], into: "Fragment")
      try tester.insert(["text": "a"], into: "Label")
      try expect(
        tester.problems().map(\.description),
        is: [
          "Sample.small of Sample p2 is out of the range of integer16 (-32768 to 32767)",
          "Sample.medium of Fragment p4 is out of the range of integer32 (-2147483648 to 2147483647)",
        ])
      try expect(tester.problems(limit: 1).count, is: 1)
    },
  ]
}
