import CopalModel
import CopalStore

/// Positions in ordered relationships, and appending to their lists.
extension StoreConformance {
  private static let step = ListPosition.step
  /// Positions after the end of a list, the first one being 1.
  private static func end(_ number: Int64) -> Int64 { ListPosition.end + number * step }

  static let listPositions: [Requirement] = [
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
      // The store has given this label a number after the end of all numbers that are absolute in a
      // change set.
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
}
