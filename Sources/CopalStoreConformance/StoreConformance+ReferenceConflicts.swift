import CopalModel
import CopalStore

/// References and links that a commit must refuse.
extension StoreConformance {
  static let referenceConflicts: [Requirement] = [
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
