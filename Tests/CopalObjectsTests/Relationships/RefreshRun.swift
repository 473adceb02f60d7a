import Copal
import CopalTestSupport
import CopalTestTools
import Testing

@testable import CopalObjects

/// Random changes of others, and refreshes and changes here, beside a plain model of the links in
/// the store.
struct RefreshRun {
  struct Counts: CustomStringConvertible {
    var written = 0
    var conflicts = 0
    var foreign = 0

    mutating func add(_ other: Counts) {
      written += other.written
      conflicts += other.conflicts
      foreign += other.foreign
    }

    var description: String {
      "\(written) changes written, \(conflicts) refused, \(foreign) by others"
    }
  }

  /// The links of one relationship, as numbers of objects.
  private struct PlainLinks {
    let pair: LinkedPair
    var links: Set<[Int]> = []

    mutating func set(_ isLinked: Bool, _ first: Int, _ second: Int) {
      let link = pair.isSymmetric ? [first, second].sorted() : [first, second]
      if !isLinked {
        links.remove(link)
        return
      }
      if pair.second.isToOne { links = links.filter { $0[1] != second } }
      if pair.isOneToOne { links = links.filter { $0[0] != first } }
      links.insert(link)
    }
  }

  private static let size = 4

  private let container: PersistentContainer
  private let mine: ManagedObjectContext
  private let others: ManagedObjectContext
  private var random: SplitMix
  private var model = LinkedPair.all.map { PlainLinks(pair: $0) }
  /// The objects of each entity, which stay in memory.
  private var objects: [String: [ManagedObject]] = [:]
  private(set) var log: [String] = []
  private(set) var problems: [String] = []
  private(set) var counts = Counts()

  init(
    _ container: PersistentContainer, mine: ManagedObjectContext, others: ManagedObjectContext,
    seed: UInt64
  ) throws {
    (self.container, self.mine, self.others) = (container, mine, others)
    random = SplitMix(seed: seed)
    for entity in ["Work", "Studio", "Person", "Part", "Place", "Tag"] {
      objects[entity] = try (0..<Self.size).map { _ in try mine.insert(entity) }
    }
    try mine.save()
  }

  mutating func run(steps: Int) throws {
    for _ in 0..<steps where problems.isEmpty {
      switch Int.random(in: 0..<10, using: &random) {
      case 0...3: try changeElsewhere()
      case 4...5: try read()
      default: try refreshAndChange()
      }
    }
    mine.refreshAllObjects()
    try check(in: mine)
  }

  // MARK: Steps

  private struct Choice {
    let place: Int
    let pair: LinkedPair
    let first: Int
    let second: Int
    let isLinked: Bool
    let side: LinkedPair.Side
  }

  private mutating func choose() -> Choice {
    let place = Int.random(in: 0..<model.count, using: &random)
    let pair = model[place].pair
    let first = Int.random(in: 0..<Self.size, using: &random)
    var second = Int.random(in: 0..<Self.size, using: &random)
    if pair.isSymmetric, second == first { second = (first + 1) % Self.size }
    let isBySecond = Bool.random(using: &random) && !pair.second.property.isEmpty
    return Choice(
      place: place, pair: pair, first: first, second: second,
      isLinked: Bool.random(using: &random), side: isBySecond ? .second : .first)
  }

  private func object(_ entity: String, _ number: Int) throws -> ManagedObject {
    try #require(objects[entity]?[number])
  }

  private mutating func changeElsewhere() throws {
    let choice = choose()
    others.refreshAllObjects()
    let first = try others.existingObject(
      with: object(choice.pair.first.entity, choice.first).objectID)
    let second = try others.existingObject(
      with: object(choice.pair.second.entity, choice.second).objectID)
    // At a to-one end, nil takes away any object.
    if !choice.isLinked, try !choice.pair.isLinked(first, second) { return }
    try choice.pair.set(choice.isLinked, first, second, by: choice.side)
    try others.save()
    log.append("others: \(text(choice))")
    model[choice.place].set(choice.isLinked, choice.first, choice.second)
    counts.foreign += 1
    try check(in: container.makeContext())
  }

  private mutating func read() throws {
    let choice = choose()
    let end = choice.side == .first ? choice.pair.first : choice.pair.second
    let number = choice.side == .first ? choice.first : choice.second
    let found = try end.others(of: object(end.entity, number))
    log.append("read \(end.entity)\(number).\(end.property): \(found.count)")
  }

  private mutating func refreshAndChange() throws {
    let choice = choose()
    let pair = choice.pair
    let refreshed = LinkedPair.Side.allCases.randomElement(using: &random) ?? .first
    let merges = Bool.random(using: &random)
    let first = try object(pair.first.entity, choice.first)
    let second = try object(pair.second.entity, choice.second)
    try mine.refresh(refreshed == .first ? first : second, mergeChanges: merges)
    log.append("refresh \(refreshed) merging \(merges), \(text(choice))")
    // At a to-one end, nil takes away any object.
    let isLinked = model[choice.place].links.contains(
      pair.isSymmetric ? [choice.first, choice.second].sorted() : [choice.first, choice.second])
    if !choice.isLinked, !isLinked || !pair.allows(false, refreshed, choice.side) { return }
    try pair.set(choice.isLinked, first, second, by: choice.side)
    do {
      try mine.save()
      model[choice.place].set(choice.isLinked, choice.first, choice.second)
      counts.written += 1
      log.append("saved")
    } catch let error as PersistenceError {
      counts.conflicts += 1
      log.append("refused: \(error.causeCodes)")
      mine.rollback()
    }
    try check(in: container.makeContext())
  }

  private func text(_ choice: Choice) -> String {
    let pair = choice.pair
    return
      "\(choice.isLinked ? "link" : "unlink") \(pair.first.entity)\(choice.first).\(pair.first.property) and \(pair.second.entity)\(choice.second) by \(choice.side)"
  }

  // MARK: Checking

  /// Compares both ends of all relationships with the plain model.
  private mutating func check(in context: ManagedObjectContext) throws {
    for plain in model {
      for side in LinkedPair.Side.allCases {
        let (end, other) =
          side == .first
          ? (plain.pair.first, plain.pair.second) : (plain.pair.second, plain.pair.first)
        if end.property.isEmpty { continue }
        for number in 0..<Self.size {
          let shown = try context.existingObject(with: object(end.entity, number).objectID)
          let found = Set(try end.others(of: shown).map(\.objectID))
          var numbers = plain.links.filter { $0[side == .first ? 0 : 1] == number }
            .map { $0[side == .first ? 1 : 0] }
          if plain.pair.isSymmetric {
            numbers = plain.links.filter { $0.contains(number) }.map { $0[0] + $0[1] - number }
          }
          let expected = Set(try numbers.map { try object(other.entity, $0).objectID })
          if found != expected {
            problems.append(
              "\(end.entity)\(number).\(end.property) has \(found), not \(expected)")
          }
        }
      }
    }
  }
}
