import CopalModel
import CopalStore

/// Many-to-many relationships: links between objects.
extension StoreConformance {
  static let links: [Requirement] = [
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
}

extension StoreTester {
  /// Two labels and three tags.
  func labelsAndTags() throws -> (labels: [Int64], tags: [Int64]) {
    let keys = try commit { changes in
      for number in 0..<2 { try changes.insert("Label", ["text": .string("label \(number)")]) }
      for number in 0..<3 { try changes.insert("Tag", ["owner": .string("tag \(number)")]) }
    }.insertedKeys
    return (keys[0], keys[1])
  }
}
