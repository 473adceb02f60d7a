import CopalEssentials
import CopalModel
public import CopalStore

/// Which table of the old model each family goes on with, and what is added to the keys of rows
/// that go into another table.
///
/// A family that was one keeps its table and its keys. Where families become one, the others get
/// keys that none of them has had, so that the text of an old id never finds another object.
public struct RowMoves: Sendable {
  /// The rows of the old family with a root that go into the family of a new one.
  private struct Way: Hashable {
    let from: Int
    let to: Int
  }

  /// The old root whose table each new root goes on with.
  private var kept: [Int: Int] = [:]
  /// The new root that goes on with the table of each old root.
  private var keeping: [Int: Int] = [:]
  /// What is added to keys. All ways that there are, have a value.
  private var added: [Way: Int64] = [:]
  /// The last key that the objects of a new root can have, by the name of the root: of families
  /// with another name, and of those that rows have come into or gone from.
  public private(set) var lastKeys: [String: Int64] = [:]
  private let pair: SchemaPair

  /// - Parameter numbers: asked only where families come together or go apart.
  /// - Throws: what the numbers throw.
  public init(_ pair: SchemaPair, _ numbers: any FamilyNumbers) throws {
    self.pair = pair
    let mapping = pair.mapping
    let roots = pair.new.entities.indices.filter { pair.new.entities[$0].root == $0 }
    var ways: [Way] = []
    for root in roots {
      let origins = mapping.oldRoots(ofFamily: root)
      if let own = mapping.oldEntity(of: root), pair.old.entities[own].root == own,
        try canKeep(own, root, numbers)
      {
        keep(own, root)
      }
      ways += origins.map { Way(from: $0, to: root) }
    }
    try keepLargest(of: ways, numbers)
    for root in roots { try setKeys(of: root, ways.filter { $0.to == root }, numbers) }
  }

  private mutating func keep(_ old: Int, _ new: Int) {
    kept[new] = old
    keeping[old] = new
  }

  /// Gives each table that no family goes on with yet to the one with the most of its rows.
  private mutating func keepLargest(of ways: [Way], _ numbers: any FamilyNumbers) throws {
    let open = ways.filter { kept[$0.to] == nil && keeping[$0.from] == nil }
    let isAmbiguous = open.contains { way in
      open.contains { $0 != way && ($0.from == way.from || $0.to == way.to) }
    }
    var counts: [Way: Int] = [:]
    if isAmbiguous { for way in open { counts[way] = try numbers.rowCount(of: formers(of: way)) } }
    let ordered = open.enumerated().inOrder { a, b in
      (-counts[a.element, default: 0], a.offset) < (-counts[b.element, default: 0], b.offset)
    }
    for (_, way) in ordered where kept[way.to] == nil && keeping[way.from] == nil {
      if try canKeep(way.from, way.to, numbers) { keep(way.from, way.to) }
    }
  }

  /// Whether a new root can go on with the keys of an old one: another family may have had its
  /// name, and then ids of that family have the same texts.
  private func canKeep(_ old: Int, _ new: Int, _ numbers: any FamilyNumbers) throws -> Bool {
    let (former, name) = (pair.old.entities[old], pair.new.entities[new].name)
    if former.name == name { return true }
    if let other = pair.old.layout(name), other.root == other.index,
      try numbers.lastKey(of: other) > 0
    {
      return false
    }
    return try numbers.isFree(name, for: former)
  }

  private mutating func setKeys(
    of root: Int, _ ways: [Way], _ numbers: any FamilyNumbers
  ) throws {
    let name = pair.new.entities[root].name
    let first = ways.first { kept[root] == $0.from } ?? ways.first
    guard let first else { return }
    added[first] = 0
    if ways.count == 1, kept[root] == first.from, name == pair.old.entities[first.from].name {
      return
    }
    // The last key of all, also of an earlier family with the name.
    var last = try numbers.lastKey(named: name)
    if let other = pair.old.layout(name), other.root == other.index {
      last = max(last, try numbers.lastKey(of: other))
    }
    let keepsKeys =
      try kept[root] == first.from || canKeep(first.from, root, numbers)
    if keepsKeys { last = max(last, try numbers.lastKey(of: pair.old.entities[first.from])) }
    for way in ways where way != first {
      last = max(last, try numbers.lastKey(of: pair.old.entities[way.from]))
    }
    for way in (keepsKeys ? [] : [first]) + ways.filter({ $0 != first }) {
      let former = pair.old.entities[way.from]
      added[way] = last
      let (sum, isTooGreat) = last.addingReportingOverflow(try numbers.lastKey(of: former))
      if isTooGreat { throw numbers.tooGreatKeys(of: former) }
      last = sum
    }
    lastKeys[name] = last
  }

  private func formers(of way: Way) -> [EntityLayout] {
    pair.old.kinds(of: way.from).filter { former in
      pair.mapping.newEntity(of: former).map { pair.new.entities[$0].root } == way.to
    }.map { pair.old.entities[$0] }
  }

  // MARK: What goes where

  /// The old root whose table a new root goes on with; nil for a new table.
  func keptRoot(of new: Int) -> Int? { kept[new] }

  /// The new root that goes on with the table of an old root; nil for a table that goes.
  func rootKeeping(_ old: Int) -> Int? { keeping[old] }

  /// What is added to the keys of an old family's rows in the family of a new root.
  func added(from old: Int, to new: Int) -> Int64 { added[Way(from: old, to: new), default: 0] }

  /// The families of now that may have the objects of an old root, with what is added to their
  /// keys.
  package func targets(of old: Int) -> [(root: String, added: Int64)] {
    pair.mapping.newRoots(ofFamily: old).map {
      (pair.new.entities[$0].name, added(from: old, to: $0))
    }
  }

  /// Whether the ids of an old root's objects have another root now, or other keys.
  package func changesIDs(of old: Int) -> Bool {
    let targets = targets(of: old)
    return targets.count != 1 || targets[0] != (pair.old.entities[old].name, 0)
  }

  /// The old root and key of a row of a new root's table.
  package func original(_ key: Int64, in new: Int) -> (root: String, key: Int64) {
    let way = added.filter { $0.key.to == new && ($0.value < key || $0.value == 0) }
      .max { $0.value < $1.value }
    guard let way else { return (pair.new.entities[new].name, key) }
    return (pair.old.entities[way.key.from].name, key - way.value)
  }
}

/// What a store says about the keys and rows of its families.
public protocol FamilyNumbers {
  /// The greatest key that an object of an old root has had.
  func lastKey(of root: EntityLayout) throws -> Int64
  /// The greatest key that was noted for a root with a name; 0 if there was none.
  func lastKey(named root: String) throws -> Int64
  /// Whether ids with the name of a root can only be those of a root of the old model: no other
  /// family has had the name.
  func isFree(_ name: String, for root: EntityLayout) throws -> Bool
  /// The number of rows of some entities of one table.
  func rowCount(of entities: [EntityLayout]) throws -> Int
  /// The error for a root whose keys are so great that they cannot be moved.
  func tooGreatKeys(of root: EntityLayout) -> any Error
}
