import CopalEssentials
import CopalModel
import CopalStore

/// Values beside the objects. A store that does not keep them meets these requirements: it has
/// none.
extension StoreConformance {
  private static func requirement(
    _ description: String, _ body: @escaping @Sendable (StoreTester) throws -> Void
  ) -> Requirement {
    Requirement(description) { tester in
      if tester.store.keepsMetadata { try body(tester) }
    }
  }

  static let metadata: [Requirement] = [
    requirement("Metadata has values of every type, and a later commit replaces and removes them") {
      tester in
      let values: [String: MetadataValue] = [
        "text": "a", "empty": "", "NUL": "a\0b", "é": "composed", "least": .integer(.min),
        "greatest": .integer(.max), "zero": .double(-0.0), "infinite": .double(.infinity),
        "not": false, "date": .date(Date(timeIntervalSinceReferenceDate: 0.1)),
        "none": .data(Data()),
        "bytes": .data(Data([0, 255])),
      ]
      try expect(tester.session.fetchMetadata(named: nil), is: [:])
      try tester.commit { $0.metadata = values }
      try expect(tester.session.fetchMetadata(named: nil), is: values)
      var changes: [String: MetadataValue?] = ["not": 3, "new": true]
      changes.updateValue(nil, forKey: "text")
      try tester.commit { $0.metadata = changes }
      var expected = values
      expected["text"] = nil
      expected["not"] = 3
      expected["new"] = true
      try expect(tester.store.makeSession().fetchMetadata(named: nil), is: expected)
      try expect(tester.session.fetchMetadata(named: "not"), is: ["not": 3])
      try expect(tester.session.fetchMetadata(named: "text"), is: [:])
    },
    requirement("Metadata is written with its commit, or not at all") { tester in
      let first = try tester.insert(["code": "a"])
      try tester.commit { $0.metadata = ["name": "before"] }
      let row = try tester.row(first)
      try tester.update(row, ["text": "newer"])
      do {
        try tester.commit { changes in
          try changes.update(row, ["text": "older"])
          changes.metadata = ["name": "refused"]
        }
        try expect(false, "the commit must be refused")
      } catch is StoreTester.Refused {}
      try expect(tester.session.fetchMetadata(named: nil), is: ["name": "before"])
      guard try tester.hasTransactions else { return }
      try tester.session.beginTransaction()
      try tester.commit { $0.metadata = ["name": "undone"] }
      try expect(tester.session.fetchMetadata(named: "name"), is: ["name": "undone"])
      tester.session.rollBackTransaction()
      try expect(tester.session.fetchMetadata(named: "name"), is: ["name": "before"])
    },
    requirement("A read transaction sees the metadata of its beginning") { tester in
      let other = try tester.store.makeSession()
      try tester.commit { $0.metadata = ["name": "before"] }
      try other.beginReadTransaction()
      try expect(other.fetchMetadata(named: "name"), is: ["name": "before"])
      try tester.commit { $0.metadata = ["name": "after"] }
      try expect(other.fetchMetadata(named: "name"), is: ["name": "before"])
      other.endReadTransaction()
      try expect(other.fetchMetadata(named: "name"), is: ["name": "after"])
    },
  ]
}
