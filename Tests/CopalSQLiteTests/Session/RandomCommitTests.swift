import CopalModel
import CopalStore
import CopalStoreConformance
import CopalTestSupport
import Foundation
import Testing

/// Random change sets with relationships. Both stores get them, and a plain model of dictionaries.
/// After each commit the three must have the same objects and links, or have refused it with the
/// same conflicts.
///
/// `COPAL_RANDOM_COMMITS=5000` runs as many sequences, and `COPAL_RANDOM_COMMITS_FROM=90000` begins
/// with another seed.
@Suite("Random commits")
struct RandomCommitTests {
  private static let environment = ProcessInfo.processInfo.environment
  private static let count = environment["COPAL_RANDOM_COMMITS"].flatMap { UInt64($0) } ?? 25
  private static let first = environment["COPAL_RANDOM_COMMITS_FROM"].flatMap { UInt64($0) } ?? 0

  @Test("both stores do what the plain model does")
  func sequences() throws {
    var committed = 0
    var refused: [String: Int] = [:]
    var failures: [String] = []
    for seed in Self.first..<Self.first + Self.count where failures.count < 3 {
      let run = try CommitSequence(seed: seed)
      do {
        try run.run()
      } catch {
        failures.append("\(error)\n\(run.report)")
      }
      committed += run.committedCount
      refused.merge(run.refusals, uniquingKeysWith: +)
    }
    for failure in failures { Issue.record("\(failure)") }
    // The change sets are of every kind.
    if failures.isEmpty {
      #expect(committed > Int(Self.count) * 10)
      for word in [
        "changed", "deleted", "unique", "keyInUse", "missingObject", "stillReferenced",
      ] {
        #expect(refused[word, default: 0] > Int(Self.count) / 3, "\(word)")
      }
    }
  }
}

// MARK: - The plain model

/// The entities of the schema of the conformance suite, in its order.
private enum PlainEntity: String, CaseIterable {
  case sample = "Sample"
  case fragment = "Fragment"
  case label = "Label"
  case tag = "Tag"

  var root: Self { self == .fragment ? .sample : self }

  /// The entity and its subentities.
  var kinds: [Self] { self == .sample ? [.sample, .fragment] : [self] }

  /// The properties that the test writes.
  var names: [String] {
    switch self {
    case .sample: ["text", "code", "shelf", "place"]
    case .fragment: ["text", "code", "shelf", "place", "weight"]
    case .label: ["text"] + PlainReference.all.map(\.name)
    case .tag: ["owner", "position"]
    }
  }

  var uniqueConstraints: [[String]] {
    root == .sample ? [["code"], ["shelf", "place"]] : []
  }
}

/// A to-one relationship of a label.
private struct PlainReference {
  let name: String
  let destination: PlainEntity
  var isListed = false
  var mayDangle = false

  static let all = [
    Self(name: "sample", destination: .sample, isListed: true),
    Self(name: "next", destination: .label),
    Self(name: "previous", destination: .label),
    Self(name: "origin", destination: .sample, mayDangle: true),
  ]
}

/// A table of links.
private enum PlainTable: CaseIterable {
  case tags, seals, related

  var owner: PlainEntity { self == .related ? .tag : .label }
  var isOrdered: Bool { self == .tags }
  var isSymmetric: Bool { self == .related }
  /// The name of the owner's relationship.
  var name: String {
    switch self {
    case .tags: "tags"
    case .seals: "seals"
    case .related: "related"
    }
  }
  /// The name of the member's relationship.
  var inverse: String {
    switch self {
    case .tags: "labels"
    case .seals: "sealed"
    case .related: "related"
    }
  }
}

private struct PlainObject: Equatable {
  var version: Int64 = 1
  /// Without nulls.
  var values: [String: PropertyValue] = [:]
  /// The position in the list of the sample.
  var position: Int64?

  func key(_ name: String) -> Int64? {
    if case .integer(let key)? = values[name] { key } else { nil }
  }

  mutating func set(_ new: [String: PropertyValue], _ position: Int64?) {
    for (name, value) in new { values[name] = value.isNull ? nil : value }
    if let position { self.position = position }
  }
}

private struct PlainPair: Hashable {
  var owner: Int64
  var member: Int64
}

/// A conflict as a store reports it.
private struct PlainConflict: Hashable, CustomStringConvertible {
  var word: String
  var entity: String
  var key: Int64
  var other: Int64?
  /// The relationship, or the attributes of a unique constraint.
  var name = ""
  var version: Int64?
  var stored: Int64?

  var description: String {
    "\(word) \(entity) \(key) v\(version ?? 0) other \(other ?? 0) \(name) stored v\(stored ?? 0)"
  }
}

/// What a change set does, in the order in which it was put together.
private enum PlainChange {
  case delete(PlainEntity, Int64, PlainObject)
  case update(PlainEntity, Int64, PlainObject, [String: PropertyValue], Int64?)
  case insert(PlainEntity, Int64, version: Int64, [String: PropertyValue], Int64?)
  case link(PlainTable, isReversed: Bool, LinkChanges)

  var entity: PlainEntity? {
    switch self {
    case .delete(let entity, _, _), .update(let entity, _, _, _, _),
      .insert(let entity, _, _, _, _):
      entity
    case .link: nil
    }
  }
}

private enum PlainResult {
  case refused(Set<PlainConflict>)
  case committed(keys: [[Int64]], formerLinks: [PlainTable: [PlainPair: Int64?]])
}

/// The contents of a store in dictionaries.
private struct PlainStore {
  var objects: [PlainEntity: [Int64: PlainObject]] = [:]
  /// The position of the member in the list of the owner. A symmetric link is there in both
  /// directions.
  var links: [PlainTable: [PlainPair: Int64?]] = [:]
  var lastKeys: [PlainEntity: Int64] = [:]
  /// The keys of deleted objects.
  var gone: [PlainEntity: Set<Int64>] = [:]

  func keys(_ entity: PlainEntity) -> [Int64] { (objects[entity] ?? [:]).keys.sorted() }

  /// The keys of the objects of an entity and of its subentities.
  func keys(ofKind entity: PlainEntity) -> [Int64] { entity.kinds.flatMap { keys($0) }.sorted() }

  /// The object of a key, of any entity of a root.
  func object(_ root: PlainEntity, _ key: Int64) -> PlainObject? {
    root.kinds.lazy.compactMap { objects[$0]?[key] }.first
  }

  func pairs(_ table: PlainTable) -> [PlainPair] {
    (links[table] ?? [:]).keys.sorted { ($0.owner, $0.member) < ($1.owner, $1.member) }
  }

  /// The labels that refer to an object.
  func referrers(_ key: Int64, _ name: String) -> [Int64] {
    keys(.label).filter { objects[.label]?[$0]?.key(name) == key }
  }

  // MARK: Commit

  mutating func commit(_ changes: [PlainChange]) -> PlainResult {
    let conflicts = conflicts(changes)
    if !conflicts.isEmpty { return .refused(conflicts) }
    let entities = Self.entities(changes)
    var keys: [PlainEntity: [(place: Int, key: Int64)]] = [:]
    var permanent: [Int64: Int64] = [:]
    for (entity, place, key) in Self.insertOrder(changes) {
      let last = lastKeys[entity.root] ?? 0
      let new = key > 0 ? key : last + 1
      lastKeys[entity.root] = max(last, new)
      keys[entity, default: []].append((place, new))
      if key < 0 { permanent[key] = new }
    }
    let changes = changes.map { $0.withKeys(permanent) }
    let ends = ends(changes)
    let formerLinks = links
    for case .delete(let entity, let key, _) in changes { delete(entity, key) }
    for case .update(let entity, let key, let before, let values, let position) in changes {
      var object = before
      object.set(values, position)
      object.version += 1
      if position != nil { object.resolve(ends) }
      objects[entity]?[key] = object
    }
    for entity in entities {
      let inserts = changes.filter {
        if case .insert(entity, _, _, _, _) = $0 { true } else { false }
      }
      keys[entity]?.sort { $0.place < $1.place }
      for (change, (_, key)) in zip(inserts, keys[entity] ?? []) {
        guard case .insert(_, _, let version, let values, let position) = change else { continue }
        var object = PlainObject(version: version)
        object.set(values, position)
        object.resolve(ends)
        objects[entity, default: [:]][key] = object
        gone[entity]?.remove(key)
      }
    }
    for case .link(let table, _, var change) in changes {
      func resolved(_ link: Link) -> Link {
        var link = link
        link.position = link.position.map { ends.absolute($0, .links(table, link.owner)) }
        return link
      }
      change.added = change.added.map(resolved)
      change.moved = change.moved.map(resolved)
      apply(change, table)
    }
    return .committed(
      keys: entities.map { keys[$0]?.map(\.key) ?? [] }, formerLinks: formerLinks)
  }

  /// The inserts in the order in which they get their keys. With several entities of a root, this
  /// is the order in which their objects were made; inserts with a key of their own come first.
  private static func insertOrder(_ changes: [PlainChange]) -> [(
    entity: PlainEntity, place: Int, key: Int64
  )] {
    var inserts: [(entity: PlainEntity, place: Int, key: Int64)] = []
    for (place, change) in changes.enumerated() {
      if case .insert(let entity, let key, _, _, _) = change {
        inserts.append((entity, place, key))
      }
    }
    return PlainEntity.allCases.filter { $0.root == $0 }.flatMap { root in
      let family = inserts.filter { $0.entity.root == root }
      if Set(family.map(\.entity)).count < 2 { return family }
      let forced = family.filter { $0.key > 0 }.sorted { $0.key < $1.key }
      return forced + family.filter { $0.key < 0 }.sorted { $0.key > $1.key }
    }
  }

  /// The entities of a change set, in the order in which they were first named.
  static func entities(_ changes: [PlainChange]) -> [PlainEntity] {
    var found: [PlainEntity] = []
    for entity in changes.compactMap(\.entity) where !found.contains(entity) {
      found.append(entity)
    }
    return found
  }

  private mutating func delete(_ entity: PlainEntity, _ key: Int64) {
    objects[entity]?[key] = nil
    gone[entity, default: []].insert(key)
    for table in PlainTable.allCases {
      links[table] = links[table]?.filter { pair, _ in
        let isOwner = pair.owner == key && entity == table.owner
        let isMember = pair.member == key && entity == .tag
        return !(isMember || (isOwner && table != .seals))
      }
    }
  }

  private mutating func apply(_ change: LinkChanges, _ table: PlainTable) {
    func pairs(_ link: Link) -> [PlainPair] {
      let pair = PlainPair(owner: link.owner, member: link.member)
      return table.isSymmetric ? [pair, PlainPair(owner: link.member, member: link.owner)] : [pair]
    }
    for pair in change.removed.flatMap(pairs) { links[table]?[pair] = nil }
    for (link, pair) in change.added.flatMap({ link in pairs(link).map { (link, $0) } }) {
      let known = links[table]?[pair] ?? nil
      links[table, default: [:]][pair] = .some(link.position ?? known)
    }
    for (link, pair) in change.moved.flatMap({ link in pairs(link).map { (link, $0) } }) {
      guard let known = links[table]?[pair] else { continue }
      links[table]?[pair] = .some(link.position ?? known)
    }
  }

  // MARK: Positions

  /// The list of an object.
  enum List: Hashable {
    case labels(Int64)
    case links(PlainTable, Int64)
  }

  /// The greatest positions of lists: those of the store, and those of the changes that are
  /// absolute.
  struct Ends {
    var greatest: [List: Int64] = [:]

    mutating func note(_ position: Int64?, _ list: List) {
      if let position { greatest[list] = max(greatest[list] ?? 0, position) }
    }

    func absolute(_ position: Int64, _ list: List) -> Int64 {
      if position < ListPosition.end { return position }
      let (sum, isTooGreat) = (greatest[list] ?? 0)
        .addingReportingOverflow(position - ListPosition.end)
      return isTooGreat ? .max : sum
    }
  }

  private func ends(_ changes: [PlainChange]) -> Ends {
    var ends = Ends()
    for object in (objects[.label] ?? [:]).values {
      if let sample = object.key("sample") { ends.note(object.position, .labels(sample)) }
    }
    for (table, links) in links {
      for (pair, position) in links { ends.note(position, .links(table, pair.owner)) }
    }
    func noteIfAbsolute(_ position: Int64?, _ list: List) {
      if let position, position < ListPosition.end { ends.note(position, list) }
    }
    for change in changes {
      switch change {
      case .delete: break
      case .update(_, _, var object, let values, let position):
        object.set(values, nil)
        guard let sample = object.key("sample") else { break }
        // A position that is not changed is absolute.
        if let position {
          noteIfAbsolute(position, .labels(sample))
        } else {
          ends.note(object.position, .labels(sample))
        }
      case .insert(_, _, _, let values, let position):
        guard case .integer(let sample)? = values["sample"] else { break }
        noteIfAbsolute(position, .labels(sample))
      case .link(let table, _, let change):
        for link in change.added + change.moved {
          noteIfAbsolute(link.position, .links(table, link.owner))
        }
      }
    }
    return ends
  }

  // MARK: Conflicts

  private func conflicts(_ changes: [PlainChange]) -> Set<PlainConflict> {
    var found: Set<PlainConflict> = []
    let after = KeysAfter(changes, self)
    var missing: Set<String> = []
    for change in changes {
      switch change {
      case .delete(let entity, let key, let before), .update(let entity, let key, let before, _, _):
        let stored = objects[entity]?[key]
        if stored?.version == before.version { break }
        if stored == nil { missing.insert("\(entity) \(key)") }
        found.insert(
          PlainConflict(
            word: stored == nil ? "deleted" : "changed", entity: entity.rawValue, key: key,
            version: before.version, stored: stored?.version))
      case .insert(let entity, let key, _, _, _):
        guard key > 0, let stored = object(entity.root, key), !after.isDeleted(entity, key) else {
          break
        }
        found.insert(
          PlainConflict(
            word: "keyInUse", entity: entity.rawValue, key: key, stored: stored.version))
      case .link: break
      }
    }
    found.formUnion(unique(.sample, changes, missing, after))
    for change in changes { found.formUnion(references(change, changes, after)) }
    return found
  }

  /// Which objects there are after the changes.
  private struct KeysAfter {
    private var deleted: [PlainEntity: Set<Int64>] = [:]
    private var inserted: [PlainEntity: Set<Int64>] = [:]
    private let store: PlainStore

    init(_ changes: [PlainChange], _ store: PlainStore) {
      self.store = store
      for change in changes {
        switch change {
        case .delete(let entity, let key, _): deleted[entity, default: []].insert(key)
        case .insert(let entity, let key, _, _, _): inserted[entity, default: []].insert(key)
        default: break
        }
      }
    }

    func isDeleted(_ entity: PlainEntity, _ key: Int64) -> Bool {
      entity.root.kinds.contains { deleted[$0]?.contains(key) == true }
    }

    func exists(_ entity: PlainEntity, _ key: Int64) -> Bool {
      entity.root.kinds.contains { inserted[$0]?.contains(key) == true }
        || (store.object(entity.root, key) != nil && !isDeleted(entity, key))
    }
  }

  /// Repeated values in the unique constraints of a root, which are those of its subentities, too.
  private func unique(
    _ root: PlainEntity, _ changes: [PlainChange], _ missing: Set<String>, _ after: KeysAfter
  ) -> Set<PlainConflict> {
    var found: Set<PlainConflict> = []
    let entities = Self.entities(changes).filter { $0.root == root }
    for constraint in root.uniqueConstraints {
      func values(_ object: PlainObject) -> [PropertyValue]? {
        let values = constraint.compactMap { object.values[$0] }
        return values.count == constraint.count ? values : nil
      }
      var written: [(entity: PlainEntity, key: Int64, version: Int64?, object: PlainObject)] = []
      var updated: Set<Int64> = []
      for entity in entities {
        for case .update(entity, let key, let before, let new, _) in changes
        where !missing.contains("\(entity) \(key)")
          && constraint.contains(where: { new[$0] != nil })
        {
          var object = before
          object.set(new, nil)
          written.append((entity, key, before.version, object))
          updated.insert(key)
        }
        for case .insert(entity, let key, _, let new, _) in changes {
          var object = PlainObject()
          object.set(new, nil)
          written.append((entity, key, nil, object))
        }
      }
      var first: [[PropertyValue]: Int64] = [:]
      for (entity, key, version, object) in written {
        guard let wanted = values(object) else { continue }
        let keeper = keys(ofKind: root).first { other in
          other != key && !after.isDeleted(root, other) && !updated.contains(other)
            && self.object(root, other).flatMap(values) == wanted
        }
        if let other = keeper ?? first[wanted] {
          found.insert(
            PlainConflict(
              word: "unique", entity: entity.rawValue, key: key, other: other,
              name: constraint.joined(separator: ", "), version: version))
        }
        if first[wanted] == nil { first[wanted] = key }
      }
    }
    return found
  }

  private func references(_ change: PlainChange, _ changes: [PlainChange], _ after: KeysAfter)
    -> Set<PlainConflict>
  {
    var found: Set<PlainConflict> = []
    func missing(_ values: [String: PropertyValue], _ key: Int64, version: Int64?) {
      for reference in PlainReference.all where !reference.mayDangle {
        guard case .integer(let other)? = values[reference.name],
          !after.exists(reference.destination, other)
        else { continue }
        found.insert(
          PlainConflict(
            word: "missingObject", entity: "Label", key: key, other: other, name: reference.name,
            version: version))
      }
    }
    switch change {
    case .update(.label, let key, let before, let values, _):
      missing(values, key, version: before.version)
    case .insert(.label, let key, _, let values, _): missing(values, key, version: nil)
    case .update, .insert: break
    case .delete(let entity, let key, let before):
      if after.exists(entity, key) { break }
      func stillReferenced(by other: Int64?, _ name: String) {
        guard let other else { return }
        found.insert(
          PlainConflict(
            word: "stillReferenced", entity: entity.rawValue, key: key, other: other, name: name,
            version: before.version))
      }
      for reference in PlainReference.all
      where !reference.mayDangle && reference.destination == entity.root {
        let name = reference.name
        let others = referrers(key, name).filter { other in
          !after.isDeleted(.label, other) && !Self.updates(other, name, in: changes)
        }
        stillReferenced(by: others.first, name)
      }
      if entity == .label {
        var gone: Set<PlainPair> = []
        for case .link(.seals, _, let links) in changes {
          gone.formUnion(links.removed.map { PlainPair(owner: $0.owner, member: $0.member) })
        }
        let remaining = pairs(.seals).filter { pair in
          pair.owner == key && after.exists(.tag, pair.member) && !gone.contains(pair)
        }
        stillReferenced(by: remaining.first?.member, "sealed")
      }
    case .link(let table, _, let links):
      for link in links.added {
        if !after.exists(table.owner, link.owner) {
          found.insert(
            PlainConflict(
              word: "missingObject", entity: "Tag", key: link.member, other: link.owner,
              name: table.inverse))
        }
        if !after.exists(.tag, link.member) {
          found.insert(
            PlainConflict(
              word: "missingObject", entity: table.owner.rawValue, key: link.owner,
              other: link.member, name: table.name))
        }
      }
    }
    return found
  }

  /// Whether a change set writes a property of a label.
  private static func updates(_ label: Int64, _ name: String, in changes: [PlainChange]) -> Bool {
    changes.contains { change in
      guard case .update(.label, label, _, let values, _) = change else { return false }
      return values[name] != nil
    }
  }

  // MARK: Reading

  /// The objects of a to-many relationship: for each owner the keys with their positions, in their
  /// order.
  func related(_ name: String, of entity: PlainEntity, _ owners: [Int64]) -> [RelatedLine] {
    var found: [RelatedLine] = []
    switch (entity, name) {
    case (.sample, _), (.fragment, _):
      let isList = name == "labels"
      for (key, label) in objects[.label] ?? [:] {
        guard let owner = label.key(isList ? "sample" : "origin") else { continue }
        found.append(RelatedLine(owner: owner, key: key, position: isList ? label.position : nil))
      }
    default:
      let table = PlainTable.allCases.first { $0.name == name || $0.inverse == name } ?? .related
      for (pair, position) in links[table] ?? [:] {
        found.append(
          entity == table.owner
            ? RelatedLine(owner: pair.owner, key: pair.member, position: position)
            : RelatedLine(owner: pair.member, key: pair.owner))
      }
    }
    let owners = Set(owners)
    // Nil first, then by position, then by key.
    return found.filter { owners.contains($0.owner) }.sorted { a, b in
      if a.owner != b.owner { return a.owner < b.owner }
      switch (a.position, b.position) {
      case (let first?, let second?) where first != second: return first < second
      case (nil, .some): return true
      case (.some, nil): return false
      default: return a.key < b.key
      }
    }
  }
}

/// An object that is related to another.
private struct RelatedLine: Equatable {
  var owner: Int64
  var key: Int64
  var position: Int64?
}

extension PlainObject {
  fileprivate mutating func resolve(_ ends: PlainStore.Ends) {
    guard let sample = key("sample"), let old = position else { return }
    position = ends.absolute(old, .labels(sample))
  }
}

extension PlainChange {
  /// The same change with the permanent keys of new objects.
  fileprivate func withKeys(_ permanent: [Int64: Int64]) -> Self {
    func resolved(_ values: [String: PropertyValue]) -> [String: PropertyValue] {
      var values = values
      for reference in PlainReference.all {
        guard case .integer(let key)? = values[reference.name], let new = permanent[key] else {
          continue
        }
        values[reference.name] = .integer(new)
      }
      return values
    }
    func resolved(_ link: Link) -> Link {
      var link = link
      link.owner = permanent[link.owner] ?? link.owner
      link.member = permanent[link.member] ?? link.member
      return link
    }
    switch self {
    case .delete: return self
    case .update(let entity, let key, let before, let values, let position):
      return .update(entity, key, before, entity == .label ? resolved(values) : values, position)
    case .insert(let entity, let key, let version, let values, let position):
      return .insert(
        entity, key, version: version, entity == .label ? resolved(values) : values, position)
    case .link(let table, let isReversed, var change):
      change.added = change.added.map(resolved)
      change.moved = change.moved.map(resolved)
      return .link(table, isReversed: isReversed, change)
    }
  }
}

// MARK: - Random changes

/// Puts change sets together.
private struct ChangeMaker {
  var random: SplitMix
  /// What the session has seen.
  var seen = PlainStore()
  /// Whether the changes respect everything that the session has seen.
  private var isTidy = true
  private var changes: [PlainChange] = []
  private var deleted: Set<String> = []
  private var updates: [(PlainEntity, Int64, [String: PropertyValue], Int64?)] = []
  private var new: [PlainEntity: [Int64]] = [:]
  private var usedKeys: Set<String> = []
  private var codeCount = 0
  private var forcedVersion: Int64 = 0

  /// Labels have the references, so there are more of them.
  private static let common: [PlainEntity] = [
    .sample, .sample, .fragment, .label, .label, .label, .tag, .tag,
  ]

  init(seed: UInt64) { random = SplitMix(seed: seed) }

  mutating func chance(_ percent: Int) -> Bool { Int.random(in: 0..<100, using: &random) < percent }

  mutating func number(_ range: ClosedRange<Int>) -> Int { Int.random(in: range, using: &random) }

  mutating func one<T>(of values: [T]) -> T? { values.randomElement(using: &random) }

  mutating func make(_ seen: PlainStore) -> [PlainChange] {
    self.seen = seen
    isTidy = chance(70)
    (changes, deleted, updates, new, usedKeys) = ([], [], [], [:], [])
    let inserts = planInserts()
    for _ in 0..<(chance(50) ? number(0...2) : 0) { delete() }
    for _ in 0..<number(0...3) { update() }
    if chance(15) { swapCodes() }
    for (entity, key) in inserts { insert(entity, key) }
    for (entity, key, values, position) in updates {
      guard !deleted.contains("\(entity) \(key)"), let before = seen.objects[entity]?[key] else {
        continue
      }
      changes.append(.update(entity, key, before, values, position))
    }
    for table in PlainTable.allCases where chance(40) { link(table) }
    return changes
  }

  private mutating func planInserts() -> [(PlainEntity, Int64)] {
    var plan: [(PlainEntity, Int64)] = []
    // As many as a store writes in batches.
    let isLong = number(1...500) == 1
    for number in 1...(isLong ? 130 : 5) where isLong || chance(35) {
      var entity = one(of: Self.common) ?? .label
      if isLong { entity = number % 20 == 0 ? .sample : .label }
      let temporary = -Int64(plan.count + 1)
      if chance(8), let key = forcedKey(entity) {
        plan.append((entity, key))
        new[entity, default: []].append(key)
      } else {
        plan.append((entity, temporary))
        new[entity, default: []].append(temporary)
      }
    }
    return plan
  }

  /// A key that an object of the entity had.
  private mutating func forcedKey(_ entity: PlainEntity) -> Int64? {
    var candidates = (seen.gone[entity] ?? []).sorted()
    if !isTidy { candidates += seen.keys(entity) }
    guard let key = one(of: candidates), usedKeys.insert("\(entity) \(key)").inserted else {
      return nil
    }
    return key
  }

  // MARK: Objects

  private mutating func delete() {
    let entity = one(of: PlainEntity.allCases) ?? .label
    guard let key = one(of: seen.keys(entity)), deleted.insert("\(entity) \(key)").inserted,
      let before = seen.objects[entity]?[key]
    else { return }
    changes.append(.delete(entity, key, before))
    guard isTidy else { return }
    for reference in PlainReference.all
    where reference.destination == entity.root && !reference.mayDangle {
      for label in seen.referrers(key, reference.name) {
        merge(.label, label, [reference.name: .null], nil)
      }
    }
    if entity == .label {
      var links = LinkChanges(table: 0)
      links.removed = seen.pairs(.seals).filter { $0.owner == key }.map {
        Link(owner: $0.owner, member: $0.member)
      }
      if !links.removed.isEmpty { changes.append(.link(.seals, isReversed: chance(50), links)) }
    }
  }

  /// Adds values to the update of an object.
  private mutating func merge(
    _ entity: PlainEntity, _ key: Int64, _ values: [String: PropertyValue], _ position: Int64?
  ) {
    if let known = updates.firstIndex(where: { $0.0 == entity && $0.1 == key }) {
      updates[known].2.merge(values) { _, new in new }
      updates[known].3 = position ?? updates[known].3
    } else {
      updates.append((entity, key, values, position))
    }
  }

  private mutating func update() {
    let entity = one(of: Self.common) ?? .label
    guard let key = one(of: seen.keys(entity)) else { return }
    let names = entity.names.filter { _ in Bool.random(using: &random) }
    var values: [String: PropertyValue] = [:]
    for name in chance(10) ? [] : names {
      // A tidy delete has set it to null.
      if updates.contains(where: { $0.0 == entity && $0.1 == key && $0.2[name] != nil }) {
        continue
      }
      values[name] = value(name, entity)
    }
    let sample = values["sample"] ?? seen.objects[entity]?[key]?.values["sample"] ?? .null
    let isListed =
      entity == .label && !sample.isNull && chance(values["sample"] == nil ? 30 : 80)
    merge(entity, key, values, isListed ? position() : nil)
  }

  private mutating func insert(_ entity: PlainEntity, _ key: Int64) {
    var values: [String: PropertyValue] = [:]
    for name in entity.names where chance(60) { values[name] = value(name, entity) }
    let isListed = values["sample"]?.isNull == false && chance(85)
    // A row that comes back has a version that it did not have before, as no session may take it
    // for the old one.
    if key > 0 { forcedVersion += 1000 }
    changes.append(
      .insert(
        entity, key, version: key > 0 ? forcedVersion : 1, values, isListed ? position() : nil))
  }

  private mutating func swapCodes() {
    let entity: PlainEntity = chance(70) ? .sample : .fragment
    let keys = seen.keys(entity).shuffled(using: &random).prefix(number(2...3))
    for (key, other) in zip(keys, keys.dropFirst() + keys.prefix(1)) {
      merge(entity, key, ["code": seen.objects[entity]?[other]?.values["code"] ?? .null], nil)
    }
  }

  private mutating func value(_ name: String, _ entity: PlainEntity) -> PropertyValue {
    if let reference = PlainReference.all.first(where: { $0.name == name }), entity == .label {
      return key(reference.destination).map { .integer($0) } ?? .null
    }
    if chance(20) { return .null }
    switch name {
    case "code":
      codeCount += 1
      let isShared = !isTidy || chance(10)
      return .string(isShared ? ["a", "b", "c", "d"][number(0...3)] : "code \(codeCount)")
    case "shelf": return .string(["left", "right"][number(0...1)])
    case "place": return .integer(Int64(isTidy ? number(0...100_000) : number(0...6)))
    case "position": return .integer(Int64(number(-5...5)))
    case "weight": return .double(Double(number(0...9)) / 4)
    default: return .string("\(name) \(number(0...99))")
    }
  }

  /// The key of an object to refer to.
  private mutating func key(_ entity: PlainEntity) -> Int64? {
    if chance(12) { return nil }
    let entity = chance(70) ? entity : one(of: entity.kinds) ?? entity
    if let temporary = one(of: new[entity] ?? []), chance(35) { return temporary }
    if !isTidy {
      if chance(6) { return [9000, -77][number(0...1)] }
      if chance(10), let gone = one(of: (seen.gone[entity] ?? []).sorted()) { return gone }
      if let any = one(of: seen.keys(entity)) { return any }
    }
    let deleted = deleted
    return one(of: seen.keys(entity).filter { !deleted.contains("\(entity) \($0)") })
  }

  private mutating func position() -> Int64 {
    if chance(50) { return Int64(number(-10...30)) }
    if chance(3) { return ListPosition.end - 1 }
    return ListPosition.end + Int64(number(0...3)) * ListPosition.step
  }

  // MARK: Links

  private mutating func link(_ table: PlainTable) {
    var links = LinkChanges(table: 0)
    func known() -> [PlainPair] { seen.pairs(table) }
    for _ in 0..<number(0...2) where !isTidy || chance(60) {
      if let pair = one(of: known()), chance(85) {
        links.removed.append(
          table.isSymmetric && chance(50)
            ? Link(owner: pair.member, member: pair.owner)
            : Link(owner: pair.owner, member: pair.member))
      } else if !isTidy {
        links.removed.append(Link(owner: Int64(number(1...9)), member: Int64(number(1...9))))
      }
    }
    for _ in 0..<number(0...3) {
      if let pair = one(of: known()), chance(20), !isDeleted(pair, table) {
        links.added.append(
          Link(owner: pair.owner, member: pair.member, position: linkPosition(table)))
      } else if let owner = key(table.owner), let member = key(.tag) {
        links.added.append(Link(owner: owner, member: member, position: linkPosition(table)))
      }
    }
    for _ in 0..<number(0...2) {
      if let pair = one(of: known()), chance(80) {
        links.moved.append(
          Link(owner: pair.owner, member: pair.member, position: linkPosition(table)))
      } else if let owner = key(table.owner), let member = key(.tag) {
        links.moved.append(Link(owner: owner, member: member, position: linkPosition(table)))
      }
    }
    changes.append(.link(table, isReversed: chance(50), links))
  }

  private func isDeleted(_ pair: PlainPair, _ table: PlainTable) -> Bool {
    isTidy
      && (deleted.contains("\(table.owner) \(pair.owner)")
        || deleted.contains("tag \(pair.member)"))
  }

  private mutating func linkPosition(_ table: PlainTable) -> Int64? {
    table.isOrdered && chance(85) ? position() : nil
  }
}

// MARK: - A sequence

/// Where a store and the plain model differ.
private struct CommitDifference: Error, CustomStringConvertible {
  let description: String
}

/// One sequence of commits by two sessions of each store.
private final class CommitSequence {
  private let seed: UInt64
  private var maker: ChangeMaker
  private let tests: [TestStore]
  private let stores: [Side]
  private let schema: StoreSchema
  private var plain = PlainStore()
  /// What each session has seen when it made its last change set.
  private var seen = [PlainStore](repeating: PlainStore(), count: 2)
  /// What each session sees in its open read transaction.
  private var views: [PlainStore?] = [nil, nil]
  private var isReading = [false, false]
  private var commitNumber = 0
  private var log: [String] = []
  private(set) var committedCount = 0
  private(set) var refusals: [String: Int] = [:]

  private struct Side {
    let kind: StoreKind
    let sessions: [StoreTester]
  }

  init(seed: UInt64) throws {
    self.seed = seed
    maker = ChangeMaker(seed: seed)
    let schema = try StoreConformance.schema()
    self.schema = schema
    let tests = try StoreKind.allCases.map { try TestStore($0) }
    self.tests = tests
    stores = try tests.map { test in
      let store = try test.open(schema)
      return Side(kind: test.kind, sessions: [try StoreTester(store), try StoreTester(store)])
    }
  }

  /// What the last commits did, and how to run the sequence again.
  var report: String {
    (log.last ?? "")
      + "\nagain: COPAL_RANDOM_COMMITS=1 COPAL_RANDOM_COMMITS_FROM=\(seed), commit \(commitNumber)"
  }

  func run() throws {
    for number in 1...40 {
      commitNumber = number
      let session = maker.number(0...1)
      try changeTransaction(of: maker.number(0...1))
      if maker.chance(75) { seen[session] = plain }
      let changes = maker.make(seen[session])
      log.append("  commit \(number) of session \(session):\n" + describe(changes))
      let isCommitted = try commit(changes, session)
      views[session] = nil
      try check(session, isWhole: isCommitted && maker.chance(60))
      if maker.chance(20) { try check(1 - session) }
      _ = tests.map { $0.recorder.take() }
    }
    for side in stores {
      for session in 0...1 where isReading[session] {
        side.sessions[session].session.endReadTransaction()
      }
    }
    (isReading, views) = ([false, false], [nil, nil])
    for session in 0...1 { try check(session) }
    if seed % 10 == 0 { try checkFile() }
  }

  /// Begins or ends a read transaction now and then.
  private func changeTransaction(of session: Int) throws {
    guard maker.chance(isReading[session] ? 30 : 10) else { return }
    isReading[session].toggle()
    views[session] = nil
    for side in stores {
      let storeSession = side.sessions[session].session
      if isReading[session] {
        try storeSession.beginReadTransaction()
      } else {
        storeSession.endReadTransaction()
      }
    }
  }

  // MARK: Committing

  /// - Returns: whether the stores have written the changes.
  private func commit(_ changes: [PlainChange], _ session: Int) throws -> Bool {
    let set = try changeSet(changes)
    let before = plain
    let expected = plain.commit(changes)
    for side in stores {
      let found: CommitResult
      do {
        found = try side.sessions[session].session.commit(set)
      } catch {
        throw difference(side, "threw \(error)", "\(expected)")
      }
      switch (found, expected) {
      case (.refused(let conflicts), .refused(let wanted)):
        let found = conflicts.map(plainConflict)
        if Set(found) != wanted {
          throw difference(side, words(Set(found)), words(wanted))
        }
      // Adding the same link twice is one mistake, and two conflicts.
      case (.committed(let receipt), .committed(let keys, let formerLinks)):
        if receipt.insertedKeys != keys {
          throw difference(side, "keys \(receipt.insertedKeys)", "keys \(keys)")
        }
        try checkWritten(receipt, formerLinks, side)
      case (.refused(let conflicts), .committed):
        throw difference(side, "refused: " + words(Set(conflicts.map(plainConflict))), "committed")
      case (.committed, .refused(let wanted)):
        throw difference(side, "committed", "refused: " + words(wanted))
      }
    }
    switch expected {
    case .refused(let conflicts):
      plain = before
      for word in Set(conflicts.map(\.word)) { refusals[word, default: 0] += 1 }
      return false
    case .committed:
      committedCount += 1
      return true
    }
  }

  private func changeSet(_ changes: [PlainChange]) throws -> ChangeSet {
    var set = Changes(schema)
    for change in changes {
      switch change {
      case .delete(let entity, let key, let before): set.delete(try row(entity, key, before))
      case .update(let entity, let key, let before, let values, let position):
        try set.update(
          row(entity, key, before), values, positions: position.map { ["sample": $0] } ?? [:])
      case .insert(let entity, let key, _, let values, let position):
        let temporary = try set.insert(
          entity.rawValue, values, positions: position.map { ["sample": $0] } ?? [:],
          key: key > 0 ? key : nil)
        if key < 0, temporary != key { throw CommitDifference(description: "temporary keys") }
      case .link(let table, let isReversed, let links):
        // A link is the same, seen from either end.
        let entity = isReversed ? PlainEntity.tag : table.owner
        func seen(_ links: [Link]) -> [Link] {
          isReversed && !table.isSymmetric ? links.map(\.reversed) : links
        }
        try set.link(
          entity.rawValue, isReversed ? table.inverse : table.name, added: seen(links.added),
          removed: seen(links.removed), moved: seen(links.moved))
      }
    }
    return try withVersions(set.set, changes)
  }

  /// The change set with the versions of the rows that come back.
  private func withVersions(_ set: ChangeSet, _ changes: [PlainChange]) throws -> ChangeSet {
    var set = set
    for (place, change) in set.entities.enumerated() {
      for (index, insert) in change.inserts.enumerated() where insert.key > 0 {
        let entity = PlainEntity.allCases[change.entity]
        for case .insert(entity, insert.key, let version, let values, let position) in changes {
          set.entities[place].inserts[index].row = try PackedRow.of(
            schema.entities[change.entity], values,
            positions: position.map { ["sample": $0] } ?? [:], version: version)
        }
      }
    }
    return set
  }

  private func row(_ entity: PlainEntity, _ key: Int64, _ object: PlainObject) throws -> StoredRow {
    let layout = try stores[0].sessions[0].layout(entity.rawValue)
    return StoredRow(
      layout: layout, key: key,
      row: try PackedRow.of(
        layout, object.values, positions: object.position.map { ["sample": $0] } ?? [:],
        version: object.version))
  }

  /// The change set as a store says that it has written it.
  ///
  /// Its links are those that were really removed, added and moved: with them, the former links
  /// become the present ones.
  private func checkWritten(
    _ receipt: CommitReceipt, _ formerLinks: [PlainTable: [PlainPair: Int64?]], _ side: Side
  ) throws {
    for (change, keys) in zip(receipt.written.entities, receipt.insertedKeys) {
      let entity = PlainEntity.allCases[change.entity]
      let rows =
        zip(keys, change.inserts).map { ($0, $1.row) } + change.updates.map { ($0.key, $0.row) }
      for (key, row) in rows {
        let found = object(
          StoredRow(layout: schema.entities[change.entity], key: key, row: row), entity)
        if found != plain.objects[entity]?[key] {
          throw difference(
            side, "written \(entity) \(key): \(found)",
            plain.objects[entity]?[key].map { "\($0)" } ?? "nil")
        }
      }
    }
    var links = formerLinks
    for change in receipt.written.links {
      let table = PlainTable.allCases[change.table]
      func pairs(_ link: Link) -> Set<PlainPair> {
        let pair = PlainPair(owner: link.owner, member: link.member)
        return table.isSymmetric
          ? [pair, PlainPair(owner: link.member, member: link.owner)] : [pair]
      }
      for link in change.removed {
        for pair in pairs(link) where links[table, default: [:]].removeValue(forKey: pair) == nil {
          throw difference(side, "removed \(link)", "no link in \(table)")
        }
      }
      for link in change.added {
        for pair in pairs(link)
        where links[table, default: [:]].updateValue(link.position, forKey: pair) != nil {
          throw difference(side, "added \(link)", "a link in \(table)")
        }
      }
      for link in change.moved {
        for pair in pairs(link) {
          guard let position = link.position, links[table]?[pair] != nil else {
            throw difference(side, "moved \(link)", "no link in \(table), or no position")
          }
          links[table]?[pair] = .some(position)
        }
      }
    }
    for table in PlainTable.allCases
    where links[table, default: [:]] != plain.links[table, default: [:]] {
      throw difference(
        side, "links of \(table): \(links[table, default: [:]])",
        "\(plain.links[table, default: [:]])")
    }
  }

  private func plainConflict(_ conflict: CommitConflict) -> PlainConflict {
    let layout = schema.entities[conflict.entity]
    let name =
      switch conflict.kind {
      case .unique(let slots): slots.map { layout.attributes[$0].name }.joined(separator: ", ")
      case .missingObject(let relationship), .stillReferenced(let relationship): relationship.name
      default: ""
      }
    return PlainConflict(
      word: conflict.word, entity: layout.name, key: conflict.key, other: conflict.other,
      name: name, version: conflict.version, stored: conflict.stored?.version)
  }

  // MARK: Comparing

  /// Compares what a session of each store reads.
  ///
  /// - Parameter isWhole: whether every relationship is compared, and not only some.
  private func check(_ session: Int, isWhole: Bool = true) throws {
    let wanted = views[session] ?? plain
    if isReading[session] { views[session] = wanted }
    for side in stores { try check(side, side.sessions[session], wanted, isWhole: isWhole) }
  }

  private func object(_ row: StoredRow, _ entity: PlainEntity) -> PlainObject {
    var object = PlainObject(version: row.row.version)
    for name in entity.names {
      let value = row[name]
      if !value.isNull { object.values[name] = value }
    }
    if entity == .label, case .integer(let position) = row.position("sample") {
      object.position = position
    }
    return object
  }

  private func check(
    _ side: Side, _ tester: StoreTester, _ wanted: PlainStore, isWhole: Bool = true
  ) throws {
    for entity in PlainEntity.allCases {
      let rows = try tester.rows(of: entity.rawValue)
      let keys = wanted.keys(ofKind: entity)
      if rows.map(\.key) != keys {
        throw difference(side, "\(entity) \(rows.map(\.key))", "\(keys)")
      }
      for row in rows {
        let kind = PlainEntity.allCases[row.row.entity]
        let (found, wanted) = (object(row, kind), wanted.objects[kind]?[row.key])
        if found != wanted {
          throw difference(side, "\(entity) \(row.key): \(found)", wanted.map { "\($0)" } ?? "nil")
        }
      }
    }
    for (entity, name) in Self.relationships where isWhole || maker.chance(20) {
      let gone = (wanted.gone[entity] ?? []).sorted().prefix(3)
      let owners = wanted.keys(entity) + gone + [9000]
      let wantsAll = maker.chance(70)
      let found = try tester.related(
        name, of: entity.rawValue, owners.shuffled(using: &maker.random)
      ) {
        wantsAll || $0 % 2 == 0
      }
      let lines = zip(found.owners, zip(found.keys, found.positions)).map {
        RelatedLine(owner: $0, key: $1.0, position: $1.1)
      }
      let expected = wanted.related(name, of: entity, owners)
      if lines != expected || found.owners.count != found.keys.count {
        throw difference(side, "\(entity).\(name): \(words(lines))", words(expected))
      }
      let destination: PlainEntity =
        entity != .tag && (name == "tags" || name == "seals") || name == "related" ? .tag : .label
      let keys = expected.map(\.key).filter { wantsAll || $0 % 2 == 0 }
      if found.rows.map(\.key) != keys
        || found.rows.contains(where: {
          object($0, destination) != wanted.objects[destination]?[$0.key]
        })
      {
        throw difference(side, "\(entity).\(name): rows \(found.rows.map(\.key))", "\(keys)")
      }
    }
  }

  private static let relationships: [(PlainEntity, String)] = [
    (.sample, "labels"), (.sample, "copies"), (.fragment, "labels"), (.label, "tags"),
    (.label, "seals"),
    (.tag, "labels"), (.tag, "sealed"), (.tag, "related"),
  ]

  /// What SQLite itself says of the file, and a store that is opened again.
  private func checkFile() throws {
    guard let index = tests.firstIndex(where: { $0.kind == .sqlite }) else { return }
    let test = tests[index]
    for (sql, wanted) in [("PRAGMA foreign_key_check", ""), ("PRAGMA integrity_check", "ok")] {
      let found = try test.sqlite3(sql)
      if found != wanted { throw difference(stores[index], "\(sql): \(found)", wanted) }
    }
    let again = try StoreTester(try test.open(schema))
    try check(Side(kind: .sqlite, sessions: [again]), again, plain)
  }

  // MARK: Words

  private func difference(_ side: Side, _ found: String, _ wanted: String) -> CommitDifference {
    CommitDifference(
      description:
        "seed \(seed), commit \(commitNumber), \(side.kind)\n  found \(found)\n  wanted \(wanted)")
  }

  private func words(_ conflicts: Set<PlainConflict>) -> String {
    conflicts.map(\.description).sorted().joined(separator: "; ")
  }

  private func words(_ lines: [RelatedLine]) -> String {
    lines.map { "\($0.owner)→\($0.key)@\($0.position.map(String.init) ?? "nil")" }
      .joined(separator: " ")
  }

  private func describe(_ changes: [PlainChange]) -> String {
    func values(_ values: [String: PropertyValue], _ position: Int64?) -> String {
      (values.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
        + (position.map { ["at \($0)"] } ?? [])).joined(separator: ", ")
    }
    func links(_ links: [Link]) -> String {
      links.map { "\($0.owner)–\($0.member)@\($0.position.map(String.init) ?? "nil")" }
        .joined(separator: " ")
    }
    return changes.map { change in
      switch change {
      case .delete(let entity, let key, let before):
        "  delete \(entity) \(key) v\(before.version)"
      case .update(let entity, let key, let before, let new, let position):
        "  update \(entity) \(key) v\(before.version): \(values(new, position))"
      case .insert(let entity, let key, _, let new, let position):
        "  insert \(entity) \(key): \(values(new, position))"
      case .link(let table, _, let changes):
        "  \(table.name): removed \(links(changes.removed)) added \(links(changes.added)) moved \(links(changes.moved))"
      }
    }.joined(separator: "\n")
  }
}
