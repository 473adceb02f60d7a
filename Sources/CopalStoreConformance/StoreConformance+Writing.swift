import CopalModel
import CopalStore

/// Commits and refused commits.
extension StoreConformance {
  static let writing: [Requirement] = [
    Requirement("A store gives new objects keys from 1, in the order of insertion") { bench in
      let receipt = try bench.commit { changes in
        for number in 1...3 { try changes.insert("Sample", ["whole": .integer(Int64(number))]) }
      }
      try expect(receipt.insertedKeys, is: [[1, 2, 3]])
      try expect(bench.rows().map { $0["whole"] }, is: [1, 2, 3])
    },
    Requirement("A store never uses a key again, not even that of the last object") { bench in
      try bench.insert([:])
      let last = try bench.insert([:])
      try bench.commit { $0.delete(try bench.row(last)) }
      try expect(bench.insert([:]), is: last + 1)
    },
    Requirement("A store gives different keys to the objects of an entity and of its subentity") {
      bench in
      let receipt = try bench.commit { changes in
        for _ in 1...2 { try changes.insert("Sample", [:]) }
        for _ in 1...2 { try changes.insert("Fragment", [:]) }
      }
      try expect(receipt.insertedKeys, is: [[1, 2], [3, 4]])
      try expect(bench.insert([:]), is: 5)
      try expect(bench.insert([:], into: "Fragment"), is: 6)
      try bench.commit { $0.delete(try bench.row(6, of: "Fragment")) }
      try expect(bench.insert([:]), is: 7)
    },
    Requirement(
      "A store gives an inserted row the key that it must have, and later rows greater ones"
    ) {
      bench in
      let key = try bench.insert(["whole": 1])
      let before = try bench.row(key)
      try bench.commit { $0.delete(before) }
      let receipt = try bench.commit { changes in
        try changes.insert("Sample", ["whole": 2])
        try changes.insert("Sample", ["whole": 3], key: key)
        try changes.insert("Sample", ["whole": 4], key: 100)
        try changes.insert("Sample", ["whole": 5])
      }
      try expect(receipt.insertedKeys, is: [[2, key, 100, 101]])
      try expect(bench.rows().map { $0["whole"] }, is: [3, 2, 4, 5])
      try expect(bench.insert([:]), is: 102)
    },
    Requirement("A store refuses an insert under a key that another row has") { bench in
      let key = try bench.insert(["whole": 1])
      let conflicts = try refusals {
        try bench.commit { try $0.insert("Sample", ["whole": 2], key: key) }
      }
      try expect(conflicts.map(\.word), is: ["keyInUse"])
      try expect(conflicts.map(\.key), is: [key])
      try expect(conflicts.map(\.stored?.version), is: [1])
      try expect(bench.rows().map { $0["whole"] }, is: [1])
    },
    Requirement("A store gives each row the entity that it was inserted for") { bench in
      let key = try bench.insert(["text": "a", "weight": .double(2)], into: "Fragment")
      let fragment = try bench.row(key, of: "Fragment")
      try expect(fragment.row.entity, is: fragment.layout.index)
      try expect([fragment["text"], fragment["weight"]], is: ["a", .double(2)])
      try bench.update(fragment, ["text": "b"])
      let after = try bench.row(key, of: "Fragment")
      try expect([after.row.entity, Int(after.row.version)], is: [fragment.layout.index, 2])
      try expect([after["text"], after["weight"]], is: ["b", .double(2)])
      try expect(bench.keys(.isIn(.property("text"), ["b"]), of: "Fragment"), is: [key])
    },
    Requirement("A store writes what changed, and the new version") { bench in
      let key = try bench.insert(["text": "old", "whole": 7])
      let before = try bench.row(key)
      try bench.update(before, ["text": "new"])
      let after = try bench.row(key)
      try expect(after["text"], is: "new")
      try expect(after["whole"], is: 7)
      try expect([before.row.version, after.row.version], is: [1, 2])
    },
    Requirement("A store deletes, updates and inserts in one commit") { bench in
      let (first, second) = (try bench.insert(["whole": 1]), try bench.insert(["whole": 2]))
      try bench.commit { changes in
        changes.delete(try bench.row(first))
        try changes.update(try bench.row(second), ["whole": 20])
        try changes.insert("Sample", ["whole": 3])
      }
      try expect(bench.rows().map { $0["whole"] }, is: [20, 3])
    },
    Requirement("A store refuses a stale update, names both versions, and loses nothing") { bench in
      let stale = try bench.row(bench.insert(["text": "first"]))
      try bench.update(stale, ["text": "theirs"])
      let causes = try refusals { try bench.update(stale, ["text": "mine"]) }
      try expect(causes.map(\.word), is: ["changed"])
      try expect(causes.map(\.version), is: [1])
      try expect(causes.map(\.stored?.version), is: [2])
      try expect(causes.map(\.key), is: [stale.key])
      let layout = try bench.layout()
      let stored = causes.compactMap(\.stored).map {
        StoredRow(layout: layout, key: stale.key, row: $0)["text"]
      }
      try expect(stored, is: ["theirs"])
      try expect(bench.row(stale.key)["text"], is: "theirs")
    },
    Requirement("A store gives neighboring rows the same or other values") { bench in
      let keys = try (0..<60).map { try bench.insert(["whole": .integer($0)]) }
      let rows = try keys.map { try bench.row($0) }
      try bench.update(rows[20], ["whole": 200])
      func values(_ place: Int) -> [String: PropertyValue] {
        ["text": place == 40 ? "other" : "same", "whole": place == 41 ? .null : 7]
      }
      let causes = try refusals {
        try bench.commit { changes in
          for (place, row) in rows.enumerated() { try changes.update(row, values(place)) }
        }
      }
      try expect(causes.map(\.word), is: ["changed"])
      try expect(causes.map(\.key), is: [keys[20]])
      try expect(bench.rows().map { $0["text"] }, is: [PropertyValue](repeating: .null, count: 60))
      try bench.commit { changes in
        for (place, key) in keys.enumerated() where place != 59 {
          try changes.update(bench.row(key), values(place))
        }
      }
      let found = try bench.rows()
      for place in 0..<59 {
        try expect(found[place]["text"], is: values(place)["text"] ?? .null)
        try expect(found[place]["whole"], is: values(place)["whole"] ?? .null)
        try expect(found[place].row.version, is: place == 20 ? 3 : 2)
      }
      try expect(found[59]["whole"], is: 59)
    },
    Requirement("A store deletes rows of which only the key and the version are known") { bench in
      let keys = try (0..<40).map { try bench.insert(["whole": .integer($0)]) }
      try bench.update(try bench.row(keys[20]), ["whole": 200])
      let deleted = keys.enumerated().filter { $0.offset % 39 != 0 }.map(\.element)
      let causes = try refusals {
        try bench.commit { changes in
          for key in deleted { try changes.delete(key, version: 1) }
        }
      }
      try expect(causes.map(\.word), is: ["changed"])
      try expect(causes.map(\.key), is: [keys[20]])
      try expect(bench.rows().count, is: 40)
      try bench.commit { changes in
        for key in deleted { try changes.delete(key, version: key == keys[20] ? 2 : 1) }
      }
      try expect(bench.rows().map { $0["whole"] }, is: [0, 39])
    },
    Requirement("A store refuses a stale delete") { bench in
      let stale = try bench.row(bench.insert(["text": "first"]))
      try bench.update(stale, ["text": "theirs"])
      let causes = try refusals { try bench.commit { $0.delete(stale) } }
      try expect(causes.map(\.word), is: ["changed"])
      try expect(bench.rows().count, is: 1)
    },
    Requirement("A store reports a change to a row that others have deleted") { bench in
      let stale = try bench.row(bench.insert([:]))
      try bench.commit { $0.delete(stale) }
      let writes: [() throws -> Void] = [
        { try bench.update(stale, ["whole": 1]) }, { try bench.commit { $0.delete(stale) } },
      ]
      for write in writes {
        let causes = try refusals { try write() }
        try expect(causes.map(\.word), is: ["deleted"])
        try expect(causes.map(\.version), is: [1])
        try expect(causes.allSatisfy { $0.stored == nil }, "a row is there")
      }
    },
    Requirement("A store reports every conflict of a commit, of deletes and of updates") { bench in
      let rows = try (0..<4).map { _ in try bench.row(bench.insert([:])) }
      for row in rows { try bench.update(row, ["whole": 1]) }
      let causes = try refusals {
        try bench.commit { changes in
          changes.delete(rows[0])
          changes.delete(rows[1])
          try changes.update(rows[2], ["whole": 2])
          try changes.update(rows[3], ["whole": 2])
        }
      }
      try expect(Set(causes.map(\.key)), is: Set(rows.map(\.key)))
    },
    Requirement("A store writes nothing of a refused commit, and accepts the next one") { bench in
      let stale = try bench.row(bench.insert(["whole": 1]))
      try bench.update(stale, ["whole": 2])
      let other = try bench.row(bench.insert(["whole": 10]))
      _ = try refusals {
        try bench.commit { changes in
          changes.delete(other)
          try changes.update(stale, ["whole": 3])
          try changes.insert("Sample", ["whole": 4])
        }
      }
      try expect(bench.rows().map { $0["whole"] }, is: [2, 10])
      let receipt = try bench.commit { changes in
        try changes.update(try bench.row(stale.key), ["whole": 3])
        try changes.insert("Sample", ["whole": 4])
      }
      try expect(receipt.insertedKeys, is: [[3]])
      try expect(bench.rows().map { $0["whole"] }, is: [3, 10, 4])
    },
  ]
}
