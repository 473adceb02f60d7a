import CopalModel
import CopalStore

/// Unique constraints: checked for the state after the commit, compared by bytes, and nil is never
/// a conflict.
extension StoreConformance {
  static let uniqueness: [Requirement] = [
    Requirement("A store lets two objects swap a unique value") { tester in
      try rotate(2, on: tester)
    },
    Requirement("A store lets three objects rotate their unique values") { tester in
      try rotate(3, on: tester)
    },
    Requirement("A store lets a new object have the unique value of a deleted one") { tester in
      let old = try tester.row(tester.insert(["code": "a"]))
      try tester.commit { changes in
        changes.delete(old)
        try changes.insert("Sample", ["code": "a"])
      }
      try expect(tester.rows().map { $0["code"] }, is: ["a"])
    },
    Requirement("A store lets an update have the unique value of a deleted object") { tester in
      let old = try tester.row(tester.insert(["code": "a"]))
      let other = try tester.row(tester.insert(["code": "b"]))
      try tester.commit { changes in
        try changes.update(other, ["code": "a"])
        changes.delete(old)
      }
      try expect(tester.rows().map { $0["code"] }, is: ["a"])
    },
    Requirement("A store lets a new object have the unique value that another gives up") { tester in
      let old = try tester.row(tester.insert(["code": "a"]))
      try tester.commit { changes in
        try changes.insert("Sample", ["code": "a"])
        try changes.update(old, ["code": "b"])
      }
      try expect(tester.rows().map { $0["code"] }, is: ["b", "a"])
    },
    Requirement("A store lets any number of objects have nil in a unique attribute") { tester in
      for _ in 0..<3 { try tester.insert(["code": .null, "shelf": "a", "place": .null]) }
      try expect(tester.rows().count, is: 3)
    },
    Requirement("A store compares unique strings by their bytes") { tester in
      try tester.insert(["code": "\u{E9}"])
      try tester.insert(["code": "e\u{301}"])
      try expect(tester.rows().count, is: 2)
    },
    Requirement("A store refuses a new object with a taken value, and names both") { tester in
      let owner = try tester.insert(["code": "a"])
      let causes = try refusals {
        try tester.commit { changes in
          try changes.insert("Sample", ["code": "b"])
          try changes.insert("Sample", ["code": "a"])
        }
      }
      try expectConflict(causes, between: -2, and: owner, attribute: "code")
      try expect(tester.rows().map { $0["code"] }, is: ["a"])
    },
    Requirement("A store refuses two new objects with one value, by their temporary ids") {
      tester in
      let causes = try refusals {
        try tester.commit { changes in
          for code: PropertyValue in ["a", "b", "a"] {
            try changes.insert("Sample", ["code": code])
          }
        }
      }
      try expectConflict(causes, between: -3, and: -1, attribute: "code")
      try expect(tester.rows().count, is: 0)
    },
    Requirement("A store refuses an update to a taken value, and names both") { tester in
      let owner = try tester.insert(["code": "a"])
      let other = try tester.row(tester.insert(["code": "b"]))
      let causes = try refusals { try tester.update(other, ["code": "a"]) }
      try expectConflict(causes, between: other.key, and: owner, attribute: "code")
    },
    Requirement("A store refuses two updates to one value") { tester in
      let rows = try ["a", "b"].map { try tester.row(tester.insert(["code": .string($0)])) }
      let causes = try refusals {
        try tester.commit { changes in
          for row in rows { try changes.update(row, ["code": "c"]) }
        }
      }
      try expectConflict(causes, between: rows[1].key, and: rows[0].key, attribute: "code")
      try expect(tester.rows().map { $0["code"] }, is: ["a", "b"])
    },
    Requirement("A store refuses a taken combination of unique values, and no other") { tester in
      let owner = try tester.insert(["shelf": "a", "place": 1])
      try tester.insert(["shelf": "a", "place": 2])
      let causes = try refusals { try tester.insert(["shelf": "a", "place": 1]) }
      try expectConflict(causes, between: -1, and: owner, attribute: "shelf, place")
    },
    Requirement("A store reports every unique conflict, in the order of the changes") { tester in
      let owner = try tester.insert(["code": "a", "shelf": "s", "place": 1])
      let others = try ["x", "y", "z"].map { try tester.row(tester.insert(["code": .string($0)])) }
      let causes = try refusals {
        try tester.commit { changes in
          try changes.insert("Sample", ["code": "a"])
          try changes.insert("Sample", ["code": "b", "shelf": "s", "place": 1])
          try changes.insert("Sample", ["code": "b", "shelf": "s", "place": 1])
          try changes.insert("Sample", ["code": "fine"])
          try changes.update(others[0], ["code": "a"])
          try changes.update(others[1], ["code": "c"])
          try changes.update(others[2], ["code": "c"])
        }
      }
      try expectConflicts(
        causes,
        [
          (others[0].key, owner, "code"), (others[2].key, others[1].key, "code"),
          (-1, owner, "code"), (-2, owner, "shelf, place"), (-3, -2, "code"),
          (-3, owner, "shelf, place"),
        ])
      try expect(tester.rows().map { $0["code"] }, is: ["a", "x", "y", "z"])
    },
    Requirement("A store reports conflicts of versions and of unique values together") { tester in
      let rows = try ["a", "b", "c", "d"].map {
        try tester.row(tester.insert(["code": .string($0)]))
      }
      try tester.update(rows[1], ["whole": 1])
      try tester.update(rows[2], ["whole": 1])
      try tester.commit { $0.delete(rows[3]) }
      let causes = try refusals {
        try tester.commit { changes in
          changes.delete(rows[1])
          try changes.update(rows[2], ["code": "a"])
          try changes.update(rows[3], ["code": "a"])
          try changes.insert("Sample", ["code": "a"])
        }
      }
      try expect(
        causes.map(\.word), is: ["changed", "changed", "deleted", "unique", "unique"])
      try expect(
        causes.map(\.key),
        is: [rows[1].key, rows[2].key, rows[3].key, rows[2].key, -1])
      try expect(causes.suffix(2).map { $0.other }, is: [rows[0].key, rows[0].key])
    },
    Requirement("A store reports no conflict with a value that a refused change would give up") {
      tester in
      let rows = try ["a", "b", "c"].map { try tester.row(tester.insert(["code": .string($0)])) }
      for row in rows[..<2] { try tester.update(row, ["whole": 1]) }
      try tester.commit { $0.delete(rows[2]) }
      let causes = try refusals {
        try tester.commit { changes in
          changes.delete(rows[0])
          try changes.update(rows[1], ["code": "new"])
          // This object has no row that could have the value.
          try changes.update(rows[2], ["code": "other"])
          for code: PropertyValue in ["a", "b", "other"] {
            try changes.insert("Sample", ["code": code])
          }
        }
      }
      try expect(causes.map(\.word), is: ["changed", "changed", "deleted"])
    },
    Requirement("A store accepts the next commit after a conflict") { tester in
      try tester.insert(["code": "a"])
      _ = try refusals { try tester.insert(["code": "a"]) }
      try tester.insert(["code": "b"])
      try expect(tester.rows().map { $0["code"] }, is: ["a", "b"])
    },
  ]

  /// Gives each of some objects the code of the next.
  private static func rotate(_ count: Int, on tester: StoreTester) throws {
    let rows = try (0..<count).map { try tester.row(tester.insert(["code": .string("\($0)")])) }
    try tester.commit { changes in
      for (index, row) in rows.enumerated() {
        try changes.update(row, ["code": .string("\((index + 1) % count)")])
      }
    }
    try expect(
      tester.rows().map { $0["code"] }, is: (0..<count).map { .string("\(($0 + 1) % count)") })
    try expect(tester.rows().map(\.row.version), is: [Int64](repeating: 2, count: count))
  }

  private static func expectConflicts(
    _ conflicts: [CommitConflict], _ expected: [(key: Int64, other: Int64, attribute: String)]
  ) throws {
    let attributes = try schema().entities[0].attributes
    let found = conflicts.map { conflict in
      let names = (conflict.slots ?? []).map { attributes[$0].name }.joined(separator: ", ")
      return "\(conflict.key) \(conflict.other ?? 0) \(names)"
    }
    try expect(found, is: expected.map { "\($0.key) \($0.other) \($0.attribute)" })
  }

  private static func expectConflict(
    _ conflicts: [CommitConflict], between key: Int64, and other: Int64, attribute: String
  ) throws {
    try expectConflicts(conflicts, [(key, other, attribute)])
  }
}
