import CopalModel
import CopalStore
import CopalTestSupport
import Testing

@Suite("Predicates in SQL and in memory")
struct PredicateMeaningTests {
  @Test(
    "a predicate has the same result in SQL and in memory: 1,000 conditions on 60 objects",
    arguments: [1, 2, 3, 4] as [UInt64])
  func agreement(seed: UInt64) throws {
    let schema = try StoreModels.sampler()
    let layout = try #require(schema.entities.first)
    let test = try TestStore(.sqlite)
    let sqlite = try test.storeTester(schema)
    let memory = try StoreTester(MemoryStore(schema))
    // One id of another store, and two that no object has.
    let ids =
      try (0...12).map { try sqlite.id($0 * 5 + 1) } + [memory.id(1), sqlite.id(-1), sqlite.id(99)]
    var random = RandomPredicates(seed: seed, layout, objects: ids)
    let objects = (0..<60).map { _ in random.object() }
    for tester in [sqlite, memory] {
      try tester.commit { changes in
        for object in objects { try changes.insert("Sample", object) }
      }
    }
    var trueCount = 0
    for number in 0..<1000 {
      let predicate = random.predicate()
      // The stores have different identifiers, so one binds the ids of the condition for both.
      let query = try sqlite.query(predicate)
      let found = try sqlite.session.fetchKeys(query)
      #expect(
        try found == memory.session.fetchKeys(query), "seed \(seed), condition \(number)")
      #expect(try sqlite.session.count(query) == found.count)
      // An object matches either a condition or its negation.
      let others = try sqlite.keys(.not(predicate))
      #expect((found + others).sorted() == Array(1...60), "seed \(seed), condition \(number)")
      trueCount += found.count
    }
    #expect((10_000...50_000).contains(trueCount), "the conditions say too little: \(trueCount)")
  }

  @Test(
    "a predicate can be a chain of thousands of conditions, nested in any way",
    arguments: StoreKind.allCases)
  func chains(kind: StoreKind) throws {
    let test = try TestStore(kind)
    let tester = try test.storeTester(StoreModels.sampler())
    for number in 0..<Int64(5) { try tester.insert(["whole": .integer(number)]) }
    let leaves = (0..<5000).map {
      FetchPredicate.comparison(.property("whole"), .equal, .constant(.integer(Int64($0) - 4996)))
    }
    #expect(try tester.keys(.or(leaves)) == [1, 2, 3, 4])
    let nested = leaves.dropFirst(3000).reversed().reduce(FetchPredicate.constant(false)) {
      .or([$1, $0])
    }
    #expect(try tester.keys(nested) == [1, 2, 3, 4])
    // "and" and "not" in turns: not (not (…) and true) is an "or" inside an "and" inside …, of one
    // part.
    var deep: FetchPredicate = leaves[4997]
    for _ in 0..<2000 { deep = .not(.and([.not(.or([deep]))])) }
    #expect(try tester.keys(deep) == [2])
    var negated: FetchPredicate = leaves[4997]
    for _ in 0..<2001 { negated = .not(negated) }
    #expect(try tester.keys(negated) == [1, 3, 4, 5])
  }

  @Test(
    "a predicate nested too deeply is refused, and one level less is accepted",
    arguments: StoreKind.allCases)
  func depth(kind: StoreKind) throws {
    let test = try TestStore(kind)
    let tester = try test.storeTester(StoreModels.sampler())
    try tester.insert(["text": .null, "whole": 1])
    func nested(_ depth: Int) -> FetchPredicate {
      var predicate = FetchPredicate.comparison(.property("text"), .notEqual, .constant("x"))
      for level in 0..<depth {
        let leaf = FetchPredicate.comparison(
          .property("text"), .equal, .constant(.string("\(level)")))
        predicate =
          level.isMultiple(of: 2) ? .or([leaf, predicate]) : .and([.not(leaf), predicate])
      }
      return predicate
    }
    #expect(try tester.keys(nested(25)) == [1])
    for depth in [26, 2000] {
      let error = #expect(throws: PersistenceError.self) { try tester.keys(nested(depth)) }
      #expect(error?.code == .tooComplex)
      #expect(error?.entity == "Sample")
    }
    #expect(try tester.keys() == [1])
  }

  @Test("a predicate can search in a list of 100,000 values", arguments: StoreKind.allCases)
  func longLists(kind: StoreKind) throws {
    let test = try TestStore(kind)
    let tester = try test.storeTester(StoreModels.sampler())
    for number in [5, 200_000, 99_999] as [Int64] { try tester.insert(["whole": .integer(number)]) }
    let values = (0..<Int64(100_000)).map(PropertyValue.integer)
    #expect(try tester.keys(.isIn(.property("whole"), values)) == [1, 3])
    #expect(try tester.keys(.not(.isIn(.property("whole"), values))) == [2])
  }

  @Test("a predicate beyond SQLite's limits is refused as too complex")
  func limits() throws {
    let test = try TestStore()
    let tester = try test.storeTester(StoreModels.sampler())
    let values = (0..<Int64(300_000)).map(PropertyValue.integer)
    let error = #expect(throws: PersistenceError.self) {
      try tester.keys(.isIn(.property("whole"), values))
    }
    #expect(error?.code == .tooComplex)
    #expect(try tester.keys() == [])
  }
}
