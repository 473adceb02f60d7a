import CopalModel
import CopalStore

/// Transactions of several commits. A store without them meets these requirements: it throws
/// `store.noTransactions`.
extension StoreConformance {
  private static func requirement(
    _ description: String, _ body: @escaping @Sendable (StoreTester) throws -> Void
  ) -> Requirement {
    Requirement(description) { tester in
      if try tester.hasTransactions { try body(tester) }
    }
  }

  static let transactions: [Requirement] = [
    requirement("A transaction commits all its commits together, and others see nothing before") {
      tester in
      let other = try tester.store.makeSession()
      let query = try tester.query()
      let first = try tester.insert(["text": "before"])
      try tester.session.beginTransaction()
      let second = try tester.insert(["text": "inside"])
      try tester.update(tester.row(first), ["text": "changed"])
      try expect(tester.keys(), is: [first, second], "the session sees its own commits")
      try expect(other.fetchKeys(query), is: [first], "another session")
      try tester.session.commitTransaction()
      try expect(other.fetchKeys(query), is: [first, second], "another session after the end")
      try expect(tester.row(first)["text"], is: "changed")
    },
    requirement("A transaction that is rolled back leaves nothing, and its keys are not used again")
    { tester in
      let (labels, tags) = try tester.labelsAndTags()
      let first = try tester.insert(["text": "before"])
      try tester.session.beginTransaction()
      let second = try tester.insert(["text": "inside"])
      try tester.update(tester.row(first), ["text": "changed"])
      try tester.commit { changes in
        try changes.link("Label", "tags", added: [Link(owner: labels[0], member: tags[0])])
      }
      try tester.commit { try $0.delete(tester.row(labels[1], of: "Label")) }
      tester.session.rollBackTransaction()
      try expect(tester.keys(), is: [first])
      try expect(tester.row(first)["text"], is: "before")
      try expect(tester.row(first).row.version, is: 1)
      try expect(tester.keys(of: "Label"), is: labels)
      try expect(tester.members("tags", of: "Label", labels[0]), is: [])
      let third = try tester.insert(["text": "after"])
      try expect(third > second, "the key \(third) must be greater than \(second)")
    },
    requirement("An inner transaction is undone alone") { tester in
      let other = try tester.store.makeSession()
      let query = try tester.query()
      try tester.session.beginTransaction()
      let first = try tester.insert(["text": "outer"])
      try tester.session.beginTransaction()
      let second = try tester.insert(["text": "undone"])
      tester.session.rollBackTransaction()
      try tester.session.beginTransaction()
      let third = try tester.insert(["text": "kept"])
      try tester.session.commitTransaction()
      try expect(tester.keys(), is: [first, third])
      try expect(third > second, "the key \(third) must be greater than \(second)")
      try expect(other.fetchKeys(query), is: [])
      try tester.session.commitTransaction()
      try expect(other.fetchKeys(query), is: [first, third])
    },
    requirement("The outermost transaction undoes what inner ones have committed") { tester in
      try tester.session.beginTransaction()
      try tester.session.beginTransaction()
      let first = try tester.insert(["text": "inner"])
      try tester.session.commitTransaction()
      tester.session.rollBackTransaction()
      try expect(tester.keys(), is: [])
      try expect(tester.insert(["text": "after"]) > first, "the key must be greater")
    },
    requirement("A commit that is refused in a transaction leaves the others") { tester in
      let first = try tester.insert(["code": "A"])
      try tester.session.beginTransaction()
      let second = try tester.insert(["code": "B"])
      let unique = try refusals { try tester.insert(["code": "A"]) }
      try expect(unique.map(\.word), is: ["unique"])
      let missing = try refusals {
        try tester.commit { changes in
          try changes.insert("Label", ["sample": .integer(second + 100)])
        }
      }
      try expect(missing.map(\.word), is: ["missingObject"])
      try tester.session.commitTransaction()
      try expect(tester.keys(), is: [first, second])
      try expect(tester.keys(of: "Label"), is: [])
    },
    requirement("A transaction in a read transaction sees the current state, and so do later reads")
    {
      tester in
      let other = try StoreTester(tester.store)
      try tester.session.beginReadTransaction()
      try expect(tester.keys(), is: [])
      let first = try other.insert(["text": "other"])
      try expect(tester.keys(), is: [])
      try tester.session.beginTransaction()
      try expect(tester.keys(), is: [first])
      let second = try tester.insert(["text": "inside"])
      try tester.session.commitTransaction()
      try expect(tester.keys(), is: [first, second])
      let third = try other.insert(["text": "other"])
      try expect(tester.keys(), is: [first, second], "the read transaction is still open")
      tester.session.endReadTransaction()
      try expect(tester.keys(), is: [first, second, third])
    },
  ]
}

extension StoreTester {
  /// Whether the store has transactions of several commits.
  var hasTransactions: Bool {
    get throws {
      do {
        try session.beginTransaction()
      } catch let error as PersistenceError where error.code == .noTransactions {
        return false
      }
      session.rollBackTransaction()
      return true
    }
  }
}
