import CopalModel
import CopalStore

/// To-many relationships, links and positions.
extension StoreConformance {
  static let related: [Requirement] = relatedObjects + links + positions + referenceConflicts

  private static let step = ListPosition.step
  /// Positions after the end of a list, the first one being 1.
  private static func end(_ number: Int64) -> Int64 { ListPosition.end + number * step }

  // MARK: Reading

  private static let relatedObjects: [Requirement] = [
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

  // MARK: Links

  private static let links: [Requirement] = [
    Requirement("A store keeps links, which are read from both ends") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.link(
          "Label", "tags",
          added: [
            Link(owner: labels[0], member: tags[1], position: 5),
            Link(owner: labels[0], member: tags[0], position: 9),
          ])
        // The same table, from its other end.
        try changes.link(
          "Tag", "labels", added: [Link(owner: tags[1], member: labels[1], inversePosition: 1)])
      }
      let members = try tester.related("tags", of: "Label", labels)
      try expect(members.owners, is: [labels[0], labels[0], labels[1]])
      try expect(members.keys, is: [tags[1], tags[0], tags[1]])
      try expect(members.positions, is: [5, 9, 1])
      try expect(members.rows.map { $0["owner"] }, is: ["tag 1", "tag 0", "tag 1"])
      let owners = try tester.related("labels", of: "Tag", tags)
      try expect(owners.owners, is: [tags[0], tags[1], tags[1]])
      try expect(owners.keys, is: [labels[0], labels[0], labels[1]])
      try expect(owners.positions, is: [nil, nil, nil])
    },
    Requirement("Adding a link twice and removing one that does not exist changes nothing") {
      tester in
      let (labels, tags) = try tester.labelsAndTags()
      let link = Link(owner: labels[0], member: tags[0], position: 7)
      for _ in 0..<2 { try tester.commit { try $0.link("Label", "tags", added: [link]) } }
      try tester.commit { changes in
        try changes.link("Label", "tags", added: [Link(owner: labels[0], member: tags[0])])
      }
      let found = try tester.related("tags", of: "Label", labels)
      try expect(found.keys, is: [tags[0]])
      try expect(found.positions, is: [7], "an added link without a position keeps the stored one")
      for _ in 0..<2 { try tester.commit { try $0.link("Label", "tags", removed: [link]) } }
      try expect(tester.members("tags", of: "Label", labels[0]), is: [])
      try expect(tester.row(labels[0], of: "Label").row.version, is: 1, "links have no version")
    },
    Requirement("A link that is moved gets the new position, and is not added") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.link(
          "Label", "tags",
          added: tags.enumerated().map {
            Link(owner: labels[0], member: $1, position: Int64($0 + 1) * 10)
          })
      }
      try tester.commit { changes in
        try changes.link(
          "Label", "tags",
          moved: [
            Link(owner: labels[0], member: tags[2], position: 5),
            Link(owner: labels[1], member: tags[0], position: 5),
          ])
      }
      try expect(tester.members("tags", of: "Label", labels[0]), is: [tags[2], tags[0], tags[1]])
      try expect(tester.members("tags", of: "Label", labels[1]), is: [])
    },
    Requirement("A relationship that is its own inverse is the same from both objects") { tester in
      let tags = try tester.labelsAndTags().tags
      try tester.commit { changes in
        try changes.link(
          "Tag", "related",
          added: [Link(owner: tags[0], member: tags[1]), Link(owner: tags[2], member: tags[2])])
      }
      let found = try tester.related("related", of: "Tag", tags)
      try expect(found.owners, is: [tags[0], tags[1], tags[2]])
      try expect(found.keys, is: [tags[1], tags[0], tags[2]])
      try tester.commit { changes in
        try changes.link("Tag", "related", removed: [Link(owner: tags[1], member: tags[0])])
      }
      try expect(tester.related("related", of: "Tag", tags).keys, is: [tags[2]])
    },
    Requirement("A link can be to an object that the same commit inserts") { tester in
      let tag = try tester.insert([:], into: "Tag")
      let receipt = try tester.commit { changes in
        let label = try changes.insert("Label", ["text": "new"])
        let new = try changes.insert("Tag", ["owner": "new"])
        try changes.link(
          "Label", "tags",
          added: [
            Link(owner: label, member: tag, position: 1),
            Link(owner: label, member: new, position: 2),
          ])
      }
      let (label, new) = (receipt.insertedKeys[0][0], receipt.insertedKeys[1][0])
      try expect(tester.members("tags", of: "Label", label), is: [tag, new])
      try expect(
        receipt.written.links.flatMap(\.added).map { [$0.owner, $0.member] },
        is: [[label, tag], [label, new]])
    },
    Requirement("The links of a deleted object are removed, also those of other contexts") {
      tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.link(
          "Label", "tags",
          added: labels.flatMap { label in
            tags.map { Link(owner: label, member: $0, position: 1) }
          })
        try changes.link("Tag", "related", added: [Link(owner: tags[0], member: tags[1])])
      }
      try tester.commit { try $0.delete(tester.row(labels[0], of: "Label")) }
      try tester.commit { try $0.delete(tester.row(tags[0], of: "Tag")) }
      try expect(tester.related("tags", of: "Label", labels).keys, is: [tags[1], tags[2]])
      try expect(tester.related("labels", of: "Tag", tags).keys, is: [labels[1], labels[1]])
      try expect(tester.related("related", of: "Tag", tags).keys, is: [])
    },
  ]

  // MARK: Positions

  private static let positions: [Requirement] = [
    Requirement("Objects that two contexts append to one list come one after the other") { tester in
      let sample = try tester.insert(["text": "owner"])
      var keys: [Int64] = []
      for _ in 0..<2 {
        // Neither context has seen the objects of the other one.
        let receipt = try tester.commit { changes in
          for number: Int64 in [2, 1] {
            try changes.insert(
              "Label", ["sample": .integer(sample)], positions: ["sample": end(number)])
          }
        }
        keys += receipt.insertedKeys[0]
        let written = receipt.written.entities[0].inserts.map(\.row)
        let layout = try tester.layout("Label")
        try expect(
          written.map { StoredRow(layout: layout, key: 0, row: $0).position("sample") },
          is: try receipt.insertedKeys[0].map { try tester.row($0, of: "Label").position("sample") }
        )
      }
      let found = try tester.related("labels", of: "Sample", [sample])
      try expect(found.keys, is: [keys[1], keys[0], keys[3], keys[2]])
      try expect(found.positions, is: [step, 2 * step, 3 * step, 4 * step])
    },
    Requirement("An object is appended after those that the same commit inserts or moves") {
      tester in
      let sample = try tester.insert(["text": "owner"])
      let keys = try tester.commit { changes in
        for position: Int64 in [10, 20, 30] {
          try changes.insert(
            "Label", ["sample": .integer(sample)], positions: ["sample": position])
        }
      }.insertedKeys[0]
      let new = try tester.commit { changes in
        try changes.update(tester.row(keys[0], of: "Label"), [:], positions: ["sample": end(1)])
        try changes.update(tester.row(keys[1], of: "Label"), [:], positions: ["sample": 40])
        try changes.insert("Label", ["sample": .integer(sample)], positions: ["sample": end(2)])
      }.insertedKeys[0][0]
      let found = try tester.related("labels", of: "Sample", [sample])
      try expect(found.keys, is: [keys[2], keys[1], keys[0], new])
      try expect(found.positions, is: [30, 40, 40 + step, 40 + 2 * step])
      try expect(found.rows.map(\.row.version), is: [1, 2, 2, 1])
    },
    Requirement("Objects are appended to the list of a new object") { tester in
      let receipt = try tester.commit { changes in
        try changes.insert(
          "Label", ["text": "a", "sample": -3], positions: ["sample": end(2)])
        try changes.insert(
          "Label", ["text": "b", "sample": -3], positions: ["sample": end(1)])
        try changes.insert("Sample", ["text": "owner"])
      }
      let found = try tester.related("labels", of: "Sample", receipt.insertedKeys[1])
      try expect(found.rows.map { $0["text"] }, is: ["b", "a"])
      try expect(found.positions, is: [step, 2 * step])
    },
    Requirement("A link is appended to the list of its owner") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      for tag in [tags[2], tags[0]] {
        let receipt = try tester.commit { changes in
          try changes.link(
            "Label", "tags", added: [Link(owner: labels[0], member: tag, position: end(1))])
        }
        try expect(
          receipt.written.links[0].added.map(\.position),
          is: [tag == tags[2] ? step : 2 * step])
      }
      try tester.commit { changes in
        try changes.link(
          "Label", "tags", added: [Link(owner: labels[0], member: tags[1], position: end(2))],
          moved: [Link(owner: labels[0], member: tags[2], position: end(1))])
      }
      let found = try tester.related("tags", of: "Label", [labels[0]])
      try expect(found.keys, is: [tags[0], tags[2], tags[1]])
      try expect(found.positions, is: [2 * step, 3 * step, 4 * step])
    },
    Requirement("The end of a list is after the greatest number that a position can be") { tester in
      let sample = try tester.insert(["text": "owner"])
      let keys = try tester.commit { changes in
        try changes.insert(
          "Label", ["sample": .integer(sample)], positions: ["sample": ListPosition.end - 1])
      }.insertedKeys[0]
      let new = try tester.commit { changes in
        try changes.insert("Label", ["sample": .integer(sample)], positions: ["sample": end(1)])
      }.insertedKeys[0]
      try expect(tester.members("labels", of: "Sample", sample), is: keys + new)
    },
    Requirement("A position that an update does not change stays, however great it is") { tester in
      let sample = try tester.insert(["text": "owner"])
      for position in [ListPosition.end - 1, end(1), end(1)] {
        try tester.insert(
          ["sample": .integer(sample)], into: "Label", positions: ["sample": position])
      }
      let before = try tester.related("labels", of: "Sample", [sample])
      try expect(before.keys, is: [1, 2, 3])
      // The store has given this label a number after the end of all numbers that are absolute in a change set.
      let row = try tester.row(2, of: "Label")
      let receipt = try tester.commit { try $0.update(row, ["text": "changed"]) }
      let after = try tester.related("labels", of: "Sample", [sample])
      try expect(after.keys, is: [1, 2, 3])
      try expect(after.positions, is: before.positions)
      let written = receipt.written.entities[0].updates.map {
        StoredRow(layout: row.layout, key: 2, row: $0.row).position("sample")
      }
      try expect(written, is: [row.position("sample")])
    },
  ]

  // MARK: Conflicts

  private static let referenceConflicts: [Requirement] = [
    Requirement("A reference to an object that does not exist is a conflict") { tester in
      let gone = try tester.insert(["text": "gone"])
      let label = try tester.insert(["text": "label"], into: "Label")
      let row = try tester.row(label, of: "Label")
      try tester.commit { try $0.delete(tester.row(gone)) }
      let found = try refusals {
        try tester.commit { changes in
          try changes.update(row, ["sample": .integer(gone)])
          try changes.insert("Label", ["text": "new", "sample": .integer(gone)])
          try changes.insert("Label", ["text": "new", "next": 77])
          try changes.insert("Sample", ["text": "not written"])
        }
      }
      try expect(
        found.map(\.word), is: ["missingObject", "missingObject", "missingObject"])
      try expect(found.map(\.key), is: [label, -1, -2])
      try expect(found.map(\.other), is: [gone, gone, 77])
      try expect(found.map(\.version), is: [1, nil, nil])
      try expect(found.map(\.relationship), is: ["sample", "sample", "next"])
      try expect(tester.keys(), is: [])
      try expect(tester.row(label, of: "Label")["sample"], is: .null)
    },
    Requirement("An object to which another one refers cannot be deleted") { tester in
      let sample = try tester.insert(["text": "owner"])
      let label = try tester.insert(["sample": .integer(sample)], into: "Label")
      let found = try refusals {
        try tester.commit { try $0.delete(tester.row(sample)) }
      }
      try expect(found.map(\.word), is: ["stillReferenced"])
      try expect(found.map(\.key), is: [sample])
      try expect(found.map(\.other), is: [label])
      try expect(found.map(\.version), is: [1])
      try expect(found.map(\.relationship), is: ["sample"])
      try expect(found.map(\.kindEntity), is: [try tester.layout("Label").index])
      try expect(tester.keys(), is: [sample])
    },
    Requirement("An object can be deleted with those that refer to it, or after their references") {
      tester in
      let keys = try tester.commit { changes in
        try changes.insert("Label", ["next": -2])
        try changes.insert("Label", ["next": -1])
        try changes.insert("Label", ["sample": -4])
        try changes.insert("Sample", [:])
      }.insertedKeys
      try tester.commit { changes in
        try changes.delete(tester.row(keys[0][0], of: "Label"))
        try changes.delete(tester.row(keys[0][1], of: "Label"))
        try changes.delete(tester.row(keys[1][0]))
        try changes.update(tester.row(keys[0][2], of: "Label"), ["sample": .null])
      }
      try expect(tester.keys(of: "Label"), is: [keys[0][2]])
      try expect(tester.keys(), is: [])
    },
    Requirement("An object that comes back under its key in the same commit may be referred to") {
      tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.update(tester.row(labels[1], of: "Label"), ["next": .integer(labels[0])])
        try changes.link(
          "Label", "seals", added: [Link(owner: labels[0], member: tags[0])])
      }
      try tester.commit { changes in
        try changes.delete(tester.row(labels[0], of: "Label"))
        try changes.insert("Label", ["text": "again"], key: labels[0])
      }
      try expect(tester.row(labels[0], of: "Label")["text"], is: "again")
      try expect(tester.row(labels[1], of: "Label")["next"], is: .integer(labels[0]))
      try expect(tester.members("seals", of: "Label", labels[0]), is: [tags[0]])
    },
    Requirement("A reference stays when its object is deleted by the rule noAction") { tester in
      let sample = try tester.insert(["text": "owner"])
      let label = try tester.insert(["origin": .integer(sample)], into: "Label")
      try tester.commit { try $0.delete(tester.row(sample)) }
      try expect(tester.row(label, of: "Label")["origin"], is: .integer(sample))
      try tester.insert(["origin": 99], into: "Label")
    },
    Requirement("A link to an object that does not exist is a conflict, at both ends") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.delete(tester.row(labels[1], of: "Label"))
        try changes.delete(tester.row(tags[2], of: "Tag"))
      }
      let found = try refusals {
        try tester.commit { changes in
          try changes.link(
            "Label", "tags",
            added: [
              Link(owner: labels[0], member: tags[0], position: 1),
              Link(owner: labels[0], member: tags[2], position: 2),
              Link(owner: labels[1], member: tags[1], position: 1),
            ])
        }
      }
      try expect(found.map(\.word), is: ["missingObject", "missingObject"])
      try expect(found.map(\.key), is: [labels[0], tags[1]])
      try expect(found.map(\.other), is: [tags[2], labels[1]])
      try expect(found.map(\.relationship), is: ["tags", "labels"])
      try expect(tester.members("tags", of: "Label", labels[0]), is: [])
    },
    Requirement("An object with links cannot be deleted where the rule is deny") { tester in
      let (labels, tags) = try tester.labelsAndTags()
      try tester.commit { changes in
        try changes.link(
          "Label", "seals",
          added: [
            Link(owner: labels[0], member: tags[0]), Link(owner: labels[0], member: tags[1]),
          ])
      }
      let found = try refusals {
        try tester.commit { changes in
          try changes.delete(tester.row(labels[0], of: "Label"))
          try changes.link("Label", "seals", removed: [Link(owner: labels[0], member: tags[0])])
        }
      }
      try expect(found.map(\.word), is: ["stillReferenced"])
      try expect(found.map(\.other), is: [tags[1]])
      try expect(found.map(\.relationship), is: ["sealed"])
      try expect(tester.members("seals", of: "Label", labels[0]), is: [tags[0], tags[1]])
      try tester.commit { changes in
        try changes.delete(tester.row(labels[0], of: "Label"))
        try changes.delete(tester.row(tags[0], of: "Tag"))
        try changes.link("Label", "seals", removed: [Link(owner: labels[0], member: tags[1])])
      }
      try expect(tester.keys(of: "Label"), is: [labels[1]])
    },
    Requirement("An update of no values checks the version and raises it") { tester in
      let label = try tester.insert(["text": "label"], into: "Label")
      let row = try tester.row(label, of: "Label")
      try tester.commit { try $0.update(row, [:]) }
      try expect(tester.row(label, of: "Label").row.version, is: 2)
      let found = try refusals { try tester.commit { try $0.update(row, [:]) } }
      try expect(found.map(\.word), is: ["changed"])
    },
  ]
}

extension StoreTester {
  /// Two labels and three tags.
  fileprivate func labelsAndTags() throws -> (labels: [Int64], tags: [Int64]) {
    let keys = try commit { changes in
      for number in 0..<2 { try changes.insert("Label", ["text": .string("label \(number)")]) }
      for number in 0..<3 { try changes.insert("Tag", ["owner": .string("tag \(number)")]) }
    }.insertedKeys
    return (keys[0], keys[1])
  }
}

extension CommitConflict {
  private var relationshipName: RelationshipName? {
    switch kind {
    case .missingObject(let name), .stillReferenced(let name): name
    default: nil
    }
  }

  /// The name of the relationship of a reference.
  fileprivate var relationship: String? { relationshipName?.name }
  /// The entity that declares the relationship of a reference.
  fileprivate var kindEntity: Int? { relationshipName?.entity }
}
