import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Random relationships that change again and again, with objects that are related anew in between.
/// What a file has to contain is computed by plain lists, which know nothing of Copal; another
/// program writes the pairs.
@Suite("Random chains of migrations of relationships")
struct RelationshipChainTests {
  /// The number of chains.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_CHAINS"].flatMap(Int.init) ?? 25

  @Test("a file and its copy have the pairs of plain lists after each migration")
  func chains() throws {
    var refusals = 0
    for seed in 0..<Self.count {
      var chain = try RelationshipChain(seed: UInt64(seed))
      try chain.run()
      refusals += chain.refusalCount
    }
    if Self.count >= 50 { #expect(refusals > 0) }
  }
}

private struct RelationshipChain {
  private let seed: UInt64
  private var random: SplitMix
  private let test: TestStore
  private var relations: [PlainRelation] = []
  /// The number of names that were used.
  private var nameCount = 0
  private var version = 1
  private(set) var refusalCount = 0
  private var story: [String] = []
  /// The schema of the file.
  private var stored: StoreSchema?

  /// The number of objects of each entity. Their keys are counted from 1.
  private static let objectCount: Int64 = 5

  init(seed: UInt64) throws {
    self.seed = seed
    random = SplitMix(seed: seed &+ 4000)
    test = try TestStore()
  }

  mutating func run() throws {
    for (from, to) in [("Alpha", "Beta"), ("Beta", "Alpha"), ("Alpha", "Alpha")] {
      relations.append(newRelation(from, to))
    }
    do {
      let first = try schema()
      stored = first
      let tester = try test.storeTester(first)
      for _ in 0..<Self.objectCount {
        try tester.insert([:], into: "Alpha")
        try tester.insert([:], into: "Beta")
      }
    }
    for _ in 0..<Int.random(in: 1...8, using: &random) {
      try relateAgain()
      try migrate()
    }
  }

  // MARK: Models

  private mutating func name() -> String {
    nameCount += 1
    return "r\((nameCount * 7) % 100)"
  }

  private mutating func newRelation(_ from: String, _ to: String) -> PlainRelation {
    func end(_ random: inout SplitMix, _ name: String) -> PlainRelation.End {
      let isMany = Bool.random(using: &random)
      return PlainRelation.End(
        name: name, isMany: isMany, isOrdered: isMany && Bool.random(using: &random))
    }
    var relation = PlainRelation(
      from: from, to: to, ends: [end(&random, name()), end(&random, name())])
    if Int.random(in: 0..<3, using: &random) == 0 { relation.ends[1] = PlainRelation.End() }
    return relation
  }

  private func schema(removed: [String: [String]] = [:]) throws -> StoreSchema {
    let entities = ["Alpha", "Beta"].map { entity in
      let members = relations.flatMap { $0.members(of: entity) }.joined(separator: ", ")
      let names = (removed[entity] ?? []).map { "\"\($0)\"" }.joined(separator: ", ")
      return #""\#(entity)": { "removed": [\#(names)], "relationships": { \#(members) } }"#
    }
    // A model can be that of an earlier version again.
    return try MigrationCase.schema(
      entities.joined(separator: ", "), keys: #""version": \#(version)"#)
  }

  // MARK: Steps

  /// Gives the objects other pairs, as another program does.
  private mutating func relateAgain() throws {
    if Int.random(in: 0..<3, using: &random) == 0 { return }
    var statements: [String] = []
    for place in relations.indices {
      relations[place].relate(Self.objectCount, &random)
      statements += relations[place].statements
    }
    _ = try test.sqlite3(statements.joined(separator: ";\n"))
    try expectPairs(test.storeTester(#require(stored)))
  }

  private mutating func migrate() throws {
    let before = relations
    version += 1
    var removed: [String: [String]] = [:]
    for place in relations.indices {
      for side in [0, 1] { relations[place].ends[side].isEdited() }
      guard Bool.random(using: &random) else { continue }
      if Int.random(in: 0..<8, using: &random) == 0 {
        let old = relations[place]
        for (entity, end) in zip([old.from, old.to], old.ends) {
          if let name = end.name { removed[entity, default: []].append(name) }
        }
        relations[place] = newRelation(old.from, old.to)
      } else {
        for _ in 0..<Int.random(in: 1...2, using: &random) { edit(place) }
        for side in [0, 1] { relations[place].ends[side].addWords(before[place].ends[side]) }
      }
    }
    story.append(relations.map { "\($0.members(of: "Alpha")) \($0.members(of: "Beta"))" }.joined())
    // Without the words, objects that do not fit refuse the migration.
    let needed = relations.enumerated().contains { place, relation in
      relation.losesPairs(from: before[place])
    }
    if needed {
      let file = try Data(contentsOf: test.file)
      let withWords = relations
      for place in relations.indices {
        for side in [0, 1] where relations[place].ends[side].conversion == "first" {
          relations[place].ends[side].conversion = nil
        }
      }
      let schema = try schema(removed: removed)
      let error = #expect(throws: PersistenceError.self) { try test.open(schema) }
      let codes = error?.causes.compactMap { ($0 as? PersistenceError)?.code } ?? []
      #expect(Set(codes) == [.migrationSeveralObjects], "\(report)")
      #expect(try Data(contentsOf: test.file) == file)
      relations = withWords
      refusalCount += 1
    }
    for place in relations.indices { relations[place].migrate(from: before[place]) }
    let new = try schema(removed: removed)
    let source = try test.open(#require(stored))
    let target = try StoreConfiguration.inMemory.open(new)
    let copy = try MigratingCopy(from: source, to: target, now: Date())
    try copy.run()
    #expect(copy.problems.isEmpty, "\(report)")
    try expectPairs(StoreTester(target))
    try expectPairs(test.storeTester(new))
    let second = try StoreConfiguration.inMemory.open(new)
    #expect(try StoreCopy(from: test.open(new), to: second).run() == [], "\(report)")
    try expectPairs(StoreTester(second))
    stored = new
    #expect(
      try test.sqlite3("PRAGMA integrity_check; PRAGMA foreign_key_check") == "ok", "\(report)")
  }

  private mutating func edit(_ place: Int) {
    let side = Int.random(in: 0..<2, using: &random)
    let other = 1 - side
    var end = relations[place].ends[side]
    guard let old = end.name else {
      // The inverse of a one-way relationship.
      end = PlainRelation.End(name: name(), isMany: Bool.random(using: &random))
      if !end.isMany { end.conversion = "first" }
      end.isNew = true
      relations[place].ends[side] = end
      return
    }
    switch Int.random(in: 0..<4, using: &random) {
    case 0 where end.renamedFrom == nil:
      end.name = name()
      end.renamedFrom = old
    case 1:
      end.isMany.toggle()
      end.conversion = end.isMany ? nil : "first"
      end.isOrdered = false
    case 2 where end.isMany && end.conversion == nil:
      end.isOrdered.toggle()
      if !end.isOrdered { end.conversion = "unordered" }
    case 3
    where relations[place].ends[other].name != nil && end.renamedFrom == nil
      && relations[place].ends[other].renamedFrom == nil && !relations[place].ends[other].isNew:
      // One end is removed, and the other one keeps the pairs.
      relations[place].ends[side] = PlainRelation.End()
      return
    default: return
    }
    relations[place].ends[side] = end
  }

  // MARK: Results

  private var report: String { "seed \(seed)\n" + story.suffix(2).joined(separator: "\n") }

  private func expectPairs(_ tester: StoreTester) throws {
    for relation in relations {
      for (side, entity) in [relation.from, relation.to].enumerated() {
        guard let name = relation.ends[side].name else { continue }
        for key in 1...Self.objectCount {
          let expected = relation.lists[side][key] ?? []
          let layout = try tester.layout(entity)
          let found: [Int64]
          if let slot = layout.slotByName[name] {
            found = try tester.row(key, of: entity).row.integer(slot).map { [$0] } ?? []
          } else {
            found = try tester.members(name, of: entity, key)
          }
          #expect(found == expected, "\(entity).\(name) of \(key), \(report)")
        }
      }
    }
  }
}

/// A relationship with its inverse, and the pairs of objects as two lists of lists.
private struct PlainRelation {
  struct End {
    /// Nil for the missing inverse of a one-way relationship.
    var name: String?
    var isMany = true
    var isOrdered = false
    var renamedFrom: String?
    var conversion: String?
    /// Whether the last edits have added it as the inverse of the other end.
    var isNew = false

    /// Adds the words that the changes of an end need.
    mutating func addWords(_ old: End) {
      if let name, let former = old.name, former != name { renamedFrom = former }
      if old.isOrdered, isMany, !isOrdered, name != nil { conversion = "unordered" }
    }

    /// The words of the last migration go.
    mutating func isEdited() { (renamedFrom, conversion, isNew) = (nil, nil, false) }
  }

  let from: String
  let to: String
  var ends: [End]
  /// For each end, the objects at the other end, in their order.
  var lists: [[Int64: [Int64]]] = [[:], [:]]

  func members(of entity: String) -> [String] {
    zip([from, to], [0, 1]).compactMap { owner, side in
      let end = ends[side]
      guard owner == entity, let name = end.name else { return nil }
      let other = side == 0 ? to : from
      var parts = [#""type": "\#(end.isMany ? "[\(other)]" : "\(other)?")""#]
      if let inverse = ends[1 - side].name { parts.append(#""inverse": "\#(inverse)""#) }
      if end.isOrdered { parts.append(#""ordered": true"#) }
      if let old = end.renamedFrom { parts.append(#""renamedFrom": "\#(old)""#) }
      if let word = end.conversion { parts.append(#""conversion": "\#(word)""#) }
      return "\"\(name)\": { \(parts.joined(separator: ", ")) }"
    }
  }

  // MARK: Pairs

  /// The pairs, the key at the first end first.
  private var pairs: [(Int64, Int64)] {
    lists[0].sorted { $0.key < $1.key }.flatMap { key, others in others.map { (key, $0) } }
  }

  /// Makes other pairs.
  mutating func relate(_ count: Int64, _ random: inout SplitMix) {
    lists = [[:], [:]]
    for _ in 0..<Int.random(in: 0...8, using: &random) {
      let (a, b) = (
        Int64.random(in: 1...count, using: &random), Int64.random(in: 1...count, using: &random)
      )
      if lists[0][a]?.contains(b) == true { continue }
      if !ends[0].isMany, lists[0][a] != nil { continue }
      if !ends[1].isMany, lists[1][b] != nil { continue }
      lists[0][a, default: []].append(b)
      lists[1][b, default: []].append(a)
    }
    for side in [0, 1] where !ends[side].isOrdered { sort(side) }
  }

  private mutating func sort(_ side: Int) { lists[side] = lists[side].mapValues { $0.sorted() } }

  /// Whether an end has one object now and had several.
  func losesPairs(from old: PlainRelation) -> Bool {
    [0, 1].contains { side in
      !ends[side].isMany && ends[side].conversion == "first" && !isNew
        && old.lists[side].values.contains { $0.count > 1 }
    }
  }

  /// Whether nothing of it was there before.
  private var isNew: Bool { lists[0].isEmpty && lists[1].isEmpty }

  /// Does what a migration from the former ends has to do.
  mutating func migrate(from old: PlainRelation) {
    let isSettled = !ends[0].isMany && !ends[1].isMany
    let keepsFirst = [0, 1].map { !ends[$0].isMany }
    for (a, b) in pairs {
      let isFirst = [lists[0][a]?.first == b, lists[1][b]?.first == a]
      let stays =
        isSettled ? isFirst[0] && isFirst[1] : zip(keepsFirst, isFirst).allSatisfy { !$0 || $1 }
      if stays { continue }
      dropped.append((a, b))
    }
    for (a, b) in dropped {
      lists[0][a]?.removeAll { $0 == b }
      lists[1][b]?.removeAll { $0 == a }
    }
    dropped = []
    for side in [0, 1] where !ends[side].isOrdered || !old.ends[side].isOrdered { sort(side) }
  }

  private var dropped: [(Int64, Int64)] = []

  init(from: String, to: String, ends: [End]) {
    (self.from, self.to, self.ends) = (from, to, ends)
  }

  // MARK: SQL

  /// Writes the pairs into the file, as a program does that knows the tables.
  var statements: [String] {
    if !ends[0].isMany || !ends[1].isMany {
      return [0, 1].flatMap { side in ends[side].isMany ? [] : columnStatements(side) }
    }
    var (owner, member) = (0, 1)
    if let first = ends[0].name, let second = ends[1].name {
      if (to, second) < (from, first) { (owner, member) = (1, 0) }
    } else if ends[0].name == nil {
      (owner, member) = (1, 0)
    }
    let table = "\"copal_links_\([from, to][owner]).\(ends[owner].name ?? "")\""
    let columns =
      ["owner", "member"] + (ends[owner].isOrdered ? ["position"] : [])
      + (ends[member].isOrdered ? ["inverse_position"] : [])
    let rows = pairs.map { a, b in
      let keys = owner == 0 ? (a, b) : (b, a)
      var values = [keys.0, keys.1]
      if ends[owner].isOrdered { values.append(position(of: keys.1, in: lists[owner][keys.0])) }
      if ends[member].isOrdered { values.append(position(of: keys.0, in: lists[member][keys.1])) }
      return "(\(values.map(String.init).joined(separator: ", ")))"
    }
    let deletion = "DELETE FROM \(table)"
    if rows.isEmpty { return [deletion] }
    return [
      deletion,
      "INSERT INTO \(table) (\(columns.joined(separator: ", "))) VALUES \(rows.joined(separator: ", "))",
    ]
  }

  private func columnStatements(_ side: Int) -> [String] {
    let (table, column) = ([from, to][side], ends[side].name ?? "")
    let isInList = ends[1 - side].isOrdered
    let clear =
      "UPDATE \(table) SET \(column) = NULL" + (isInList ? ", copal_order_\(column) = NULL" : "")
    return [clear]
      + lists[side].compactMap { key, others in
        guard let other = others.first else { return nil }
        let position = position(of: key, in: lists[1 - side][other])
        return "UPDATE \(table) SET \(column) = \(other)"
          + (isInList ? ", copal_order_\(column) = \(position)" : "") + " WHERE copal_id = \(key)"
      }
  }

  private func position(of key: Int64, in list: [Int64]?) -> Int64 {
    Int64((list ?? []).firstIndex(of: key) ?? 0) * 10 - 20
  }
}
