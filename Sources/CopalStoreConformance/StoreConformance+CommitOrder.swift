import CopalModel
import CopalStore

/// The order of commits, and what a receipt says of links. A store without an order, whose
/// `commitOrder` is nil, meets the first requirements.
extension StoreConformance {
  /// A requirement of stores with an order of their commits.
  private static func ordered(
    _ description: String, _ body: @escaping @Sendable (StoreTester, CommitOrder) throws -> Void
  ) -> Requirement {
    Requirement(description) { tester in
      if let order = tester.store.commitOrder { try body(tester, order) }
    }
  }

  static let commitOrder: [Requirement] = [
    ordered("Each commit has a place, and a later one has a greater number") { tester, order in
      var numbers: [Int64] = []
      for index in 0..<3 {
        let session = index == 1 ? try tester.store.makeSession() : tester.session
        var change = ChangeSet.EntityChanges(entity: try tester.layout().index)
        change.inserts = [
          .init(key: -1, row: try PackedRow.of(tester.layout(), ["whole": .integer(Int64(index))]))
        ]
        guard case .committed(let receipt) = try session.commit(ChangeSet([change])) else {
          throw ConformanceFailure("a commit was refused")
        }
        guard let place = receipt.place else {
          throw ConformanceFailure("commit \(index) has no place in the order of the store")
        }
        try expect(
          order.hasEnded(upTo: place.ticket), is: false, "an answer before its commit has ended")
        order.end(place)
        try expect(order.hasEnded(upTo: place.ticket), is: true, "every commit has ended")
        numbers.append(place.number)
      }
      try expect(numbers, is: numbers.sorted(), "numbers in the order of the commits")
      try expect(Set(numbers).count, is: 3, "different numbers")
    },
    ordered("A commit that is refused has ended") { tester, order in
      let key = try tester.insert(["code": "a"])
      let stored = try tester.row(key)
      try tester.update(stored, ["code": "b"])
      do {
        try tester.update(stored, ["code": "c"])
        throw ConformanceFailure("a row with another version was written")
      } catch is StoreTester.Refused {
        try expect(order.hasEnded(upTo: order.last), is: true)
      }
    },
    ordered("The place of a transaction is that of its end, and one that is undone has none") {
      tester, order in
      guard try tester.hasTransactions else { return }
      try tester.session.beginTransaction()
      try expect(tester.commit { try $0.insert("Sample", [:]) }.place, is: nil, "a commit inside")
      try tester.session.beginTransaction()
      try expect(tester.session.commitTransaction(), is: nil, "the end of an inner transaction")
      guard let place = try tester.session.commitTransaction() else {
        throw ConformanceFailure("a transaction has no place in the order of the store")
      }
      order.end(place)
      try tester.session.beginTransaction()
      try tester.insert([:])
      tester.session.rollBackTransaction()
      try expect(order.hasEnded(upTo: order.last), is: true)
    },
    Requirement("A receipt has the links that were really added, removed and moved") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      func links(added: [Link] = [], removed: [Link] = [], moved: [Link] = []) throws
        -> LinkChanges
      {
        let receipt = try tester.commit {
          try $0.link("Label", "tags", added: added, removed: removed, moved: moved)
        }
        return receipt.written.links.first { !$0.isEmpty } ?? LinkChanges(table: 0)
      }
      let link = Link(owner: labels[0], member: tags[0], position: 5)
      try expect(links(added: [link]).added, is: [link])
      let again = Link(owner: labels[0], member: tags[0], position: 7)
      let repeated = try links(added: [again])
      try expect(repeated.added, is: [], "a link that exists is not added")
      try expect(repeated.moved, is: [again], "it gets its position")
      let other = Link(owner: labels[1], member: tags[0], position: 5)
      try expect(links(removed: [other], moved: [other]).isEmpty, "there is no such link")
      let removed = try links(removed: [link]).removed
      try expect(removed.map(\.owner), is: [labels[0]])
      try expect(removed.map(\.member), is: [tags[0]])
    },
    Requirement("A receipt has the links that were removed with a deleted object") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.link(
          "Label", "tags",
          added: tags.map { Link(owner: labels[0], member: $0, position: $0) })
      }
      let receipt = try tester.commit { try $0.delete(tester.row(tags[0], of: "Tag")) }
      let removed = receipt.written.links.flatMap(\.removed)
      try expect(removed.map(\.owner), is: [labels[0]])
      try expect(removed.map(\.member), is: [tags[0]])
    },
  ]
}
