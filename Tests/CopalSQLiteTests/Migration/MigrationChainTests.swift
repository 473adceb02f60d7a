import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// Random models that change again and again, with objects saved in between. What a file has to
/// contain is computed by a plain model in this target, which knows nothing of Copal.
@Suite("Random chains of migrations")
struct MigrationChainTests {
  /// The number of chains.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_CHAINS"].flatMap(Int.init) ?? 15

  /// The first of them.
  private static let first =
    ProcessInfo.processInfo.environment["COPAL_CHAINS_FROM"].flatMap(Int.init) ?? 0

  @Test("a file has the objects of a plain model after each migration, and after all in one")
  func chains() throws {
    for seed in Self.first..<Self.first + Self.count {
      var chain = try Chain(seed: UInt64(seed))
      try chain.run()
    }
  }
}

private struct Chain {
  private let seed: UInt64
  private var random: SplitMix
  private let test: TestStore
  private var model = ChainModel()
  private var objects: ChainModel.Objects = [:]
  /// The files of older models, each with its objects.
  private var older: [(store: TestStore, model: ChainModel, objects: ChainModel.Objects)] = []

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix(seed: seed &+ 1000)
    test = try TestStore()
  }

  private mutating func pick<T>(_ values: [T]) -> T? { values.randomElement(using: &random) }
  private mutating func isTrue(_ percent: Int) -> Bool {
    Int.random(in: 0..<100, using: &random) < percent
  }

  mutating func run() throws {
    for _ in 0..<Int.random(in: 1...3, using: &random) { addEntity() }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      try insert()
      try keepCopy()
      let (former, stored) = (model, objects)
      model.version += 1
      forgetWords()
      for _ in 0..<Int.random(in: 1...4, using: &random) { edit() }
      let expected = model.objects(stored, of: former)
      do {
        try open(test, model)
        #expect(expected != nil, "seed \(seed): \(model.json)")
        guard let expected else { return }
        objects = expected
        try compare(test, model, objects)
      } catch let error as PersistenceError {
        #expect(expected == nil, "seed \(seed): \(error)\n\(former.json)\n\(model.json)")
        // The file is what it was.
        (model, objects) = (former, stored)
        try compare(test, model, objects)
      }
    }
    if let first = older.first, let expected = model.objects(first.objects, of: first.model) {
      try compareCopy(of: first.store, first.model, expected)
    }
    for older in older {
      let expected = model.objects(older.objects, of: older.model)
      do {
        try open(older.store, model)
        guard let expected else {
          Issue.record("seed \(seed), version \(older.model.version): not refused\n\(model.json)")
          continue
        }
        try compare(older.store, model, expected)
      } catch let error as PersistenceError {
        #expect(
          expected == nil, "seed \(seed), version \(older.model.version): \(error)\n\(model.json)")
      }
    }
  }

  // MARK: Files

  private func schema(_ model: ChainModel, withTransformers: Bool = true) throws -> StoreSchema {
    StoreSchema(
      try ManagedObjectModel(json: model.json, file: "Test.model.json"),
      projector: withTransformers ? ChainProjector() : nil)
  }

  /// Also as a program without the transformers, which marks the rows.
  private mutating func open(_ store: TestStore, _ model: ChainModel) throws {
    _ = try store.open(schema(model, withTransformers: isTrue(70)))
  }

  private mutating func insert() throws {
    let tester = try test.storeTester(schema(model))
    for _ in 0..<Int.random(in: 0...12, using: &random) {
      guard let entity = pick(model.entities) else { return }
      var values: [Int: ChainValue] = [:]
      for attribute in entity.attributes {
        values[attribute.number] =
          attribute.isOptional && isTrue(30) ? .null : attribute.type.random(&random)
      }
      values[ChainSheet.number] =
        isTrue(20) ? .null : pick(["", "T", "Table", "ä", "tab", "Tt"]).map { .text($0) }
      if let unique = entity.unique, values[unique] != .null,
        objects[entity.number, default: []].contains(where: {
          entity.uniqueForm($0[unique]) == entity.uniqueForm(values[unique])
        })
      {
        continue
      }
      var stored: [String: PropertyValue] = [:]
      for attribute in entity.attributes {
        stored[attribute.names[0]] = values[attribute.number]?.stored
      }
      stored[entity.sheet.names[0]] = values[ChainSheet.number]?.stored
      try tester.insert(stored, into: entity.names[0])
      objects[entity.number, default: []].append(values)
    }
  }

  private mutating func keepCopy() throws {
    _ = try test.sqlite3("PRAGMA wal_checkpoint(TRUNCATE)")
    let copy = try TestStore()
    try FileManager.default.copyItem(at: test.file, to: copy.file)
    older.append((copy, model, objects))
  }

  /// The copier makes of an older file what the migration in place makes of it.
  private func compareCopy(
    of store: TestStore, _ older: ChainModel, _ expected: ChainModel.Objects
  ) throws {
    let target = try TestStore()
    let copy = try MigratingCopy(
      from: store.open(schema(older)), to: target.open(schema(model)), now: Date())
    try copy.run()
    #expect(copy.problems.isEmpty, "seed \(seed)\n\(older.json)\n\(model.json)")
    try compare(target, model, expected)
  }

  private func compare(_ store: TestStore, _ model: ChainModel, _ objects: ChainModel.Objects)
    throws
  {
    let tester = try store.storeTester(schema(model))
    for entity in model.entities {
      let rows = try tester.rows(of: entity.names[0])
      let expected = objects[entity.number] ?? []
      #expect(rows.count == expected.count, "seed \(seed), \(entity.names[0])")
      for (row, values) in zip(rows, expected) {
        #expect(
          row[entity.sheet.names[0]] == values[ChainSheet.number]?.stored ?? .null, "seed \(seed)")
        for attribute in entity.attributes {
          let found = row[attribute.names[0]]
          let wanted = values[attribute.number]?.stored ?? .null
          #expect(
            found == wanted,
            "seed \(seed), version \(model.version), \(entity.names[0]).\(attribute.names[0])\n\(model.json)"
          )
        }
      }
    }
    try compareSearches(tester, model, objects)
    try compareProjections(tester, model, objects)
    #expect(try store.sqlite3("PRAGMA integrity_check") == "ok")
  }

  /// Derived columns hold in every row, and a search finds what the plain values say.
  private func compareSearches(
    _ tester: StoreTester, _ model: ChainModel, _ objects: ChainModel.Objects
  ) throws {
    #expect(try tester.session.wrongDerivedValues() == [], "seed \(seed)\n\(model.json)")
    for entity in model.entities {
      for attribute in entity.attributes where attribute.type == .string {
        let name = FetchExpression.property(attribute.names[0])
        let loosely: FetchPredicate.TextOptions = [.caseInsensitive, .diacriticInsensitive]
        func count(_ isFound: (String) -> Bool) -> Int {
          objects[entity.number, default: []].count { values in
            if case .text(let text)? = values[attribute.number] {
              isFound(text.lowercased())
            } else {
              false
            }
          }
        }
        let query = try tester.query(
          .text(name, .hasPrefix(loosely), .constant("T")), of: entity.names[0])
        #expect(
          try tester.session.count(query) == count { $0.hasPrefix("t") },
          "seed \(seed)\n\(model.json)")
        let part = try tester.query(
          .text(name, .contains(loosely), .constant("RUE")), of: entity.names[0])
        #expect(
          try tester.session.count(part) == count { $0.contains("rue") },
          "seed \(seed)\n\(model.json)")
        let isIndexed = try tester.session.explain(query).usesIndexes
        #expect(isIndexed == !attribute.search.isEmpty, "seed \(seed)\n\(model.json)")
      }
    }
  }

  /// A condition on a projection finds what the plain values say, by the index if there is one.
  private func compareProjections(
    _ tester: StoreTester, _ model: ChainModel, _ objects: ChainModel.Objects
  ) throws {
    for entity in model.entities {
      let sheet = entity.sheet
      func projected(_ projection: String) -> [ChainValue?] {
        objects[entity.number, default: []].map { values in
          guard case .text(let text)? = values[ChainSheet.number] else { return nil }
          return ChainSheet.value(projection, of: text)
        }
      }
      for name in sheet.projections.sorted() {
        let value: ChainValue = name == "size" ? .integer(1) : .text("T")
        let query = try tester.query(
          .comparison(.property("\(sheet.names[0]).\(name)"), .equal, .constant(value.stored)),
          of: entity.names[0])
        #expect(
          try tester.session.count(query) == projected(name).count { $0 == value },
          "seed \(seed)\n\(model.json)")
        let isIndexed = try tester.session.explain(query).usesIndexes
        #expect(isIndexed == sheet.isIndexed, "seed \(seed)\n\(model.json)")
      }
    }
  }

  // MARK: Edits

  /// Words of an earlier edit would let a value of a later one become nil.
  private mutating func forgetWords() {
    for entity in model.entities.indices {
      for attribute in model.entities[entity].attributes.indices {
        model.entities[entity].attributes[attribute].becomesNil = false
        model.entities[entity].attributes[attribute].fill = nil
      }
    }
  }

  private mutating func newAttribute() -> ChainAttribute {
    let number = model.newNumber()
    let type = ChainType.allCases.randomElement(using: &random) ?? .string
    return ChainAttribute(
      number: number, names: ["a\(number)"], type: type, isOptional: isTrue(50),
      fill: isTrue(70) ? type.random(&random) : nil, search: newSearch())
  }

  private mutating func newSearch() -> [String] {
    pick([[], ["normalized"], ["normalized", "case"], ["normalized", "substring"]]) ?? []
  }

  private mutating func addEntity() {
    let number = model.newNumber()
    let attributes = (0..<Int.random(in: 1...4, using: &random)).map { _ in newAttribute() }
    model.entities.append(
      ChainEntity(number: number, names: ["E\(number)"], attributes: attributes))
    objects[number] = []
  }

  private mutating func edit() {
    guard let entity = model.entities.indices.randomElement(using: &random) else {
      return addEntity()
    }
    let attribute = model.entities[entity].attributes.indices.randomElement(using: &random)
    switch Int.random(in: 0..<16, using: &random) {
    case 0: addEntity()
    case 1 where model.entities.count > 1:
      let removed = model.entities.remove(at: entity)
      model.removed += removed.names
      objects[removed.number] = nil
    case 2: model.entities[entity].names.insert("E\(model.newNumber())", at: 0)
    case 3, 4: model.entities[entity].attributes.append(newAttribute())
    case 5:
      guard let attribute, model.entities[entity].attributes.count > 1 else { return }
      let removed = model.entities[entity].attributes.remove(at: attribute)
      model.entities[entity].removed += removed.names
      if model.entities[entity].unique == removed.number { model.entities[entity].unique = nil }
      model.entities[entity].indexes.remove(removed.number)
    case 6:
      guard let attribute else { return }
      model.entities[entity].attributes[attribute].names.insert("a\(model.newNumber())", at: 0)
    case 7, 8:
      guard let attribute else { return }
      let type = ChainType.allCases.randomElement(using: &random) ?? .string
      model.entities[entity].attributes[attribute].type = type
      model.entities[entity].attributes[attribute].fill = nil
      model.entities[entity].attributes[attribute].becomesNil =
        model.entities[entity].attributes[attribute].isOptional && isTrue(60)
    case 9:
      guard let attribute else { return }
      let isOptional = !model.entities[entity].attributes[attribute].isOptional
      let type = model.entities[entity].attributes[attribute].type
      model.entities[entity].attributes[attribute].isOptional = isOptional
      model.entities[entity].attributes[attribute].becomesNil = false
      model.entities[entity].attributes[attribute].fill =
        !isOptional && isTrue(70) ? type.random(&random) : nil
    case 10:
      model.entities[entity].unique =
        isTrue(40) ? nil : attribute.map { model.entities[entity].attributes[$0].number }
      model.entities[entity].ignoresInUnique = isTrue(50)
    case 11:
      guard let attribute else { return }
      model.entities[entity].attributes[attribute].search = newSearch()
    case 12, 13:
      model.entities[entity].sheet.projections =
        pick([[], ["size"], ["first"], ["size", "first"]]) ?? []
      model.entities[entity].sheet.isIndexed = isTrue(50)
    case 14: model.entities[entity].sheet.names.insert("s\(model.newNumber())", at: 0)
    default:
      guard let attribute else { return }
      model.entities[entity].indexes.formSymmetricDifference([
        model.entities[entity].attributes[attribute].number
      ])
    }
  }
}
