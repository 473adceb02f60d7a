extension Results {
  /// The ratios to reach at 100,000 rows: to raw C, and to GRDB's fastest record; nil for no limit.
  private static let ratios: [(workload: String, raw: Double, grdb: Double?)] = [
    ("fetchAll", 1.15, 0.70), ("fetchOne", 1.0, 0.65), ("ids", 1.2, 0.65),
    ("getReading", 1.25, 0.08), ("filter", 0.95, 0.90), ("insert", 1.15, 0.28),
    ("update", 1.10, 0.30), ("delete", 1.10, 0.62), ("reopen", 1.6, 0.37),
    ("insertGraph", 1.3, 0.35), ("children", 1.15, 0.70), ("childrenLazy", 1.3, nil),
    ("kinds", 1.15, nil), ("parents", 1.15, 0.70), ("move", 0.9, nil), ("cascade", 4, nil),
    ("cascadeRows", 1.5, nil),
  ]

  /// The nanoseconds to reach, by the names that bench-accessors and bench-relationships print.
  private static let nanoseconds: [(String, Double)] = [
    ("number", 1), ("date", 1), ("flag", 1), ("text of 7 bytes", 12), ("text of 15 bytes", 12),
    ("text of 40 bytes", 25), ("decimal from text", 25), ("decimal from a scaled integer", 25),
    ("identity map hit", 10), ("fault, 100 at once", 1600), ("to-one in memory", 40),
    ("color, the first time", 100), ("color, again", 30), ("decode a color", 100),
    ("encode a color", 150), ("read the keyed archive of a color", 3000),
  ]

  /// Sets every figure beside its limit, as far as it was measured.
  public mutating func judge() {
    targets = ratioTargets + externalTargets + memoryTargets + accessorTargets + growthTargets
  }

  /// The ratios to reach, by the names that bench-external, bench-queries, bench-batches,
  /// bench-migration and bench-contexts print.
  private static let external: [(name: String, limit: Double)] = [
    ("save of a 10 MB value / the same file written and synced", 1.11),
    ("insert of 100,000 small values, external / not", 1.03),
    ("fetch of 100,000 small values, external / not", 1.03),
    ("contains without case and diacritics, 100,000 rows / raw C with the same folding", 1.3),
    ("begins with, 10 of 100,000 names / raw C on the same index", 1.2),
    ("begins with, 10 of 100,000 names / an exact prefix by an index", 1.3),
    ("begins with, 10 of 100,000 names / the scan without search", 0.05),
    ("contains, 10 of 100,000 names by trigrams / raw C on the same table", 1.3),
    ("contains, 10 of 100,000 names by the index of forms / the scan without search", 1),
    ("begins with, 10 of 10,000 names / 10 of 1,000", 1.5),
    ("begins with, 10 of 100,000 names / 10 of 10,000", 1.5),
    ("what search adds to an insert of 100,000 names / its column and index in C", 1.5),
    ("sum of 100,000 decimals with a scale / raw C's sum of integers", 1.2),
    ("sum of 100,000 decimals without a scale / raw C's sum of integers", 2),
    ("a page by key at 90,000 of 100,000 / the same at the start", 1.3),
    ("a to-one followed in a condition, 100,000 rows / the best SQL", 1.1),
    ("a to-many asked in a condition, 100,000 rows / the best SQL", 1.1),
    ("the number of a to-many in a condition, 100,000 rows / the best SQL", 1.1),
    ("microseconds to parse a condition of five clauses", 10),
    ("microseconds to bind a known text", 1),
    ("upsert of 100,000 / raw C's ON CONFLICT", 1.4), ("upsert of 100,000 / GRDB's upsert", 0.4),
    ("delete of 45,000 by a condition / one DELETE in raw C", 1.05),
    ("delete of 45,000 with 50,000 objects in a context / one DELETE in raw C", 1.4),
    ("import of 100,000 order lines by the number of their order / raw C with a subquery", 1.5),
    ("100,000 rows that objects fill / the same as values of rows", 1.6),
    ("memory after 1,000,000 rows that objects fill / after 100,000", 1.1),
    ("rename of an entity and an attribute of 1,000,000 rows / of 1,000 rows", 1.5),
    ("milliseconds of a rename above an opening, 1,000,000 rows", 10),
    ("a default for 100,000 rows / SQLite's ADD COLUMN and UPDATE", 1.3),
    ("one conversion of 100,000 rows / INSERT … SELECT", 2.5),
    ("three conversions of 100,000 rows / INSERT … SELECT", 4.1),
    ("removal of an attribute of 100,000 rows / INSERT … SELECT", 1.5),
    ("removal of three attributes of 100,000 rows / INSERT … SELECT", 2.7),
    ("links to a to-one relationship of 100,000 rows / INSERT … SELECT", 4),
    ("a to-one relationship to links of 100,000 rows / INSERT … SELECT", 4),
    ("100,000 rows under a parent / INSERT … SELECT and an index", 2),
    ("references to 100,000 rows under a parent / INSERT … SELECT", 4),
    ("100,000 rows out of a family / INSERT … SELECT and an index", 2),
    ("a plan with the rows, 100,000 rows / a scan with the same conditions", 1.5),
    ("milliseconds of a plan without the rows", 2),
    ("megabytes of memory for a conversion of 1,000,000 rows", 32),
    ("log of a conversion of 1,000,000 rows / bytes of the file", 1.3),
    ("a save beside 100,000 objects that merge / alone", 1.1),
    ("microseconds to merge a save of 1 into 100,000 objects", 5),
    ("a merge of 10,000 updated objects / a fetch that places their rows", 1.5),
    ("statements of a merge of rows", 0),
    ("milliseconds to merge 110,000 rows into a context with 10 of them", 2),
    ("10 merging contexts: a save of 10,000 / of 1,000", 1.5),
    ("memory after 1,000,000 saves that nobody takes / after 20,000", 1.1),
    ("1,000 writes to each of 100 objects, with a listener / without one", 1.1),
    ("microseconds of one change, a controller of 100,000", 50),
    ("milliseconds of 1,000 changes in a turn, a controller of 100,000", 20),
    ("microseconds of one change, a controller of the first 50 of 100,000", 50),
    ("nanoseconds of a read of an observable property", 60),
  ]

  private var externalTargets: [Target] {
    guard let ratios, !ratios.isEmpty else { return [] }
    return Self.external.map { name, limit in
      Target(name: name, figure: ratios.first { $0.name == name }?.figure, limit: limit)
    }
  }

  /// The ratio of Copal's time for two workloads.
  private static let siblings = (workload: "oneKind", beside: "aloneKind", limit: 1.1)

  private var siblingTargets: [Target] {
    let (name, other, limit) = Self.siblings
    func time(_ name: String) -> Double? {
      workloads.first { $0.name == name }?.programs["copal"]?.cpu
    }
    guard let a = time(name), let b = time(other), b > 0 else { return [] }
    return [Target(name: "\(name) / \(other)", figure: a / b, limit: limit)]
  }

  private var ratioTargets: [Target] {
    siblingTargets
      + Self.ratios.flatMap { name, raw, grdb -> [Target] in
        guard let result = workloads.first(where: { $0.name == name }) else { return [] }
        let limits = [("raw", "raw C", raw as Double?), ("grdb", "GRDB", grdb)]
        return limits.compactMap { program, title, limit in
          guard let limit, result.programs[program] != nil else { return nil }
          return Target(
            name: "\(name) / \(title)", figure: result.ratio("copal", to: program), limit: limit)
        }
      }
  }

  private var memoryTargets: [Target] {
    var targets: [Target] = []
    if let fetch = workloads.first(where: { $0.name == "fetchAll" }),
      let copal = fetch.programs["copal"], let raw = fetch.programs["raw"], raw.peak > 0
    {
      targets.append(
        Target(
          name: "memory of an object / the plain struct", figure: copal.peak / raw.peak,
          limit: 0.95))
    }
    return targets
      + memory.map {
        Target(
          name: "\($0.name): memory at the end / at the start",
          figure: $0.isStopped ? nil : $0.ratio, limit: Memory.ratioMax)
      }
  }

  private var accessorTargets: [Target] {
    if accessors.isEmpty { return [] }
    return Self.nanoseconds.map { name, limit in
      Target(
        name: name, figure: accessors.first { $0.name == name }?.nanoseconds, limit: limit,
        unit: " ns")
    }
  }

  /// The limit of a growth workload's cost at its last size, relative to its reference.
  private static let growthRatios: [String: Double] = [
    "countPending": 2, "idsPending": 2, "limitPending": 2, "besidePending": 2, "idAfterTurns": 5,
    "findOrCreate": 3, "becoming": 3, "range": 3,
  ]

  /// The limit of the seconds that a growth workload takes at its last size.
  private static let growthSeconds: [String: Double] = ["cascadeChain": 2]

  /// The limit of a growth workload's factor from size to size, where it is not 1.5: a search in a
  /// list compares more objects in a longer list, and they are not in the processor's cache.
  private static let growthFactors: [String: Double] = ["insertSorted": 2.5, "changeSorted": 2.5]

  private var growthTargets: [Target] {
    growth.flatMap { growth -> [Target] in
      let isWhole = growth.points.allSatisfy { $0.stoppedAt == nil }
      var targets = [
        Target(
          name: "\(growth.name): cost of a \(growth.unit) from size to size",
          figure: isWhole ? growth.ownFactors.max() : nil,
          limit: Self.growthFactors[growth.name] ?? Growth.factorMax,
          unit: " times")
      ]
      if let reference = growth.reference, let limit = Self.growthRatios[growth.name] {
        targets.append(
          Target(
            name: "\(growth.name) / \(reference)", figure: growth.lastRatio, limit: limit))
      }
      if let limit = Self.growthSeconds[growth.name], let last = growth.points.last {
        targets.append(
          Target(
            name: "\(growth.name): \(last.size) \(growth.sizeName)",
            figure: last.stoppedAt == nil ? last.cost * Double(last.size) / 1e9 : nil, limit: limit,
            unit: " s"))
      }
      return targets
    }
  }
}
