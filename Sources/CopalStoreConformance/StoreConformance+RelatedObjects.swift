import CopalModel
import CopalStore

/// Reading the objects of to-many relationships.
extension StoreConformance {
  static let relatedObjects: [Requirement] = [
    Requirement("A store finds the objects of a to-many relationship, owner by owner and by key") {
      tester in
      let samples = try (0..<3).map { try tester.insert(["whole": .integer($0)]) }
      for number in 0..<7 {
        try tester.insert(["origin": .integer(samples[number % 2])], into: "Label")
      }
      try tester.insert([:], into: "Label")
      let found = try tester.related("copies", of: "Sample", samples.reversed())
      try expect(found.keys, is: [1, 3, 5, 7, 2, 4, 6])
      try expect(found.owners, is: [1, 1, 1, 1, 2, 2, 2])
      try expect(found.positions, is: [Int64?](repeating: nil, count: 7))
      try expect(found.rows.map { $0["origin"] }, is: found.owners.map { .integer($0) })
      try expect(tester.related("copies", of: "Sample", []).keys, is: [])
    },
    Requirement("A store gives the objects of an ordered relationship in their order") { tester in
      let sample = try tester.insert(["text": "owner"])
      let keys = try tester.commit { changes in
        for position: Int64 in [30, 10, 20, 10] {
          try changes.insert(
            "Label", ["sample": .integer(sample)], positions: ["sample": position])
        }
        // Another program may have left the position out.
        try changes.insert("Label", ["sample": .integer(sample)])
      }.insertedKeys[0]
      let found = try tester.related("labels", of: "Sample", [sample])
      try expect(found.keys, is: [keys[4], keys[1], keys[3], keys[2], keys[0]])
      try expect(found.positions, is: [nil, 10, 10, 20, 30])
    },
    Requirement("A store finds the objects of many owners, and passes the rows that are wanted") {
      tester in
      let samples = try tester.commit { changes in
        for number in 0..<1203 { try changes.insert("Sample", ["whole": .integer(Int64(number))]) }
      }.insertedKeys[0]
      try tester.commit { changes in
        for sample in samples { try changes.insert("Label", ["origin": .integer(sample)]) }
      }
      let found = try tester.related("copies", of: "Sample", samples) { $0 % 2 == 0 }
      try expect(found.owners, is: samples)
      try expect(found.keys, is: samples)
      try expect(found.rows.map(\.key), is: samples.filter { $0 % 2 == 0 })
    },
    Requirement("Related objects are those of the state that a read transaction sees") { tester in
      let sample = try tester.insert(["text": "owner"])
      let tag = try tester.insert([:], into: "Tag")
      let label = try tester.insert(["origin": .integer(sample)], into: "Label")
      let other = try tester.store.makeSession()
      try other.beginReadTransaction()
      _ = try other.fetchRow(sample, entity: 0)
      try tester.commit { changes in
        try changes.insert("Label", ["origin": .integer(sample)])
        try changes.link("Label", "tags", added: [Link(owner: label, member: tag)])
      }
      try expect(tester.related("copies", of: "Sample", [sample], in: other).keys, is: [1])
      try expect(tester.related("tags", of: "Label", [label], in: other).keys, is: [])
      other.endReadTransaction()
      try expect(tester.related("copies", of: "Sample", [sample], in: other).keys, is: [1, 2])
      try expect(tester.related("tags", of: "Label", [label], in: other).keys, is: [tag])
    },
  ]
}
