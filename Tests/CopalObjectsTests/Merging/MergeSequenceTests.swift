import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Random changes in several contexts, which merge each other's saves at random moments.
///
/// The oracle is a new context, which reads the store and merges nothing.
@Suite("Random merges", .modelAsIs)
struct MergeSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_MERGES"].flatMap(UInt64.init) ?? 10

  @Test("merged contexts show what a new context reads", arguments: bothStores, [2, 3, 4])
  func merges(_ kind: StoreKind, _ contexts: Int) async throws {
    try await run(kind, contexts, withPolicies: false)
  }

  @Test("the same with a policy for each context", arguments: bothStores, [2, 3, 4])
  func policies(_ kind: StoreKind, _ contexts: Int) async throws {
    try await run(kind, contexts, withPolicies: true)
  }

  @Test("the same with two containers for one file, which send each other their saves")
  func programs() async throws {
    for contexts in [2, 4] {
      try await run(.sqlite, contexts, withPolicies: true, withPrograms: true)
    }
  }

  private func run(
    _ kind: StoreKind, _ contexts: Int, withPolicies: Bool, withPrograms: Bool = false
  ) async throws {
    let first = ProcessInfo.processInfo.environment["COPAL_MERGES_FROM"].flatMap(UInt64.init) ?? 1
    var counts = MergeRun.Counts()
    for seed in first..<first + Self.count {
      await Task.yield()
      let test = try TestStore(kind)
      var containers = [try Society.container(test)]
      if withPrograms { containers.append(try Society.container(test)) }
      let run = MergeRun(
        containers, seed: seed * 10 + UInt64(contexts), contexts: contexts,
        withPolicies: withPolicies)
      do {
        try run.begin()
        for _ in 0..<150 where run.problems.isEmpty { try run.step() }
        if run.problems.isEmpty { try run.finish() }
      } catch {
        run.problems.append("\(error)")
      }
      counts.add(run.counts)
      if !run.problems.isEmpty {
        Issue.record(
          "seed \(seed), \(kind), policies \(withPolicies): \(run.problems.prefix(5))\n\(run.log.joined(separator: "\n"))"
        )
        return
      }
    }
    // The sequences reach what they are for.
    let count = Int(Self.count)
    if count >= 10, !withPrograms {
      #expect(counts.refreshed > count && counts.deleted >= count / 10, "\(counts)")
      #expect(counts.conflicts >= count / 10 && counts.merged > count * 4, "\(counts)")
      #expect(counts.kept > count / 3, "\(counts)")
    }
    if count >= 40, !withPrograms {
      #expect(counts.resolved.count >= (withPolicies ? 6 : 0), "\(counts.resolved)")
    }
  }
}

private final class MergeRun {
  let container: PersistentContainer
  let contexts: [ManagedObjectContext]
  /// Another container for the same file, which has every second context.
  private let foreign: PersistentContainer?
  /// The place of each context in the log of the other container.
  private var readers: [UInt64] = []
  private let logs: [StatementLog]
  private var random: SplitMix
  private var held: [[ManagedObject]]
  /// Whether a context must read something at its next merge.
  private var readsAtMerge: [Bool]
  private var number = 0
  var log: [String] = []
  var problems: [String] = []
  var counts = Counts()

  struct Counts {
    var merged = 0, refreshed = 0, deleted = 0, conflicts = 0, kept = 0
    /// The outcomes of policies.
    var resolved: Set<String> = []
    mutating func add(_ other: Counts) {
      merged += other.merged
      refreshed += other.refreshed
      deleted += other.deleted
      conflicts += other.conflicts
      kept += other.kept
      resolved.formUnion(other.resolved)
    }
  }

  private static let policies: [MergePolicy] = [
    .error, .mergeByPropertyStoreTrump, .mergeByPropertyObjectTrump, .overwrite, .rollback,
    .custom { conflict in
      let answers: [MergeResolution] = [.refuse, .takeStored, .keepMine, .overwrite, .values([:])]
      return answers[abs(conflict.changedHere.count + conflict.changedThere.count) % 5]
    },
  ]

  /// - Parameter containers: one, or two for the same file.
  init(
    _ containers: [PersistentContainer], seed: UInt64, contexts count: Int, withPolicies: Bool
  ) {
    container = containers[0]
    foreign = containers.count > 1 ? containers[1] : nil
    random = SplitMix(seed: seed)
    contexts = Self.makeContexts(count, containers)
    logs = Self.watch(contexts)
    held = [[ManagedObject]](repeating: [], count: count)
    readsAtMerge = [Bool](repeating: false, count: count)
    if containers.count > 1 { readers = Self.makeReaders(count, containers) }
    if withPolicies { choosePolicies(seed) }
  }

  private static func makeContexts(_ count: Int, _ containers: [PersistentContainer])
    -> [ManagedObjectContext]
  {
    (0..<count).map { containers[$0 % containers.count].makeContext() }
  }

  /// Each context reads the log of the container that it does not belong to.
  private static func makeReaders(_ count: Int, _ containers: [PersistentContainer]) -> [UInt64] {
    (0..<count).map { containers[($0 + 1) % containers.count].runtime.log.addReader() }
  }

  private static func watch(_ contexts: [ManagedObjectContext]) -> [StatementLog] {
    contexts.map { context in
      let log = StatementLog()
      context.statementLog = log
      context.automaticallyMergesChanges = true
      return log
    }
  }

  private func choosePolicies(_ seed: UInt64) {
    for (index, context) in contexts.enumerated() {
      let number = (Int(seed) + index) % Self.policies.count
      context.mergePolicy = Self.policies[number]
      log.append("\(index) has the policy \(number)")
    }
  }

  private func chance(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

  // MARK: Steps

  func begin() throws {
    let context = container.makeContext()
    for entity in Society.entities { for _ in 0..<3 { _ = try context.insert(entity) } }
    try context.save()
    for context in contexts { context.mergeChanges() }
  }

  func step() throws {
    let index = Int.random(in: 0..<contexts.count, using: &random)
    let context = contexts[index]
    switch Int.random(in: 0..<40, using: &random) {
    case 0...4: try insert(context, index)
    case 5...9: try setAttribute(context, index)
    case 10...14: try setToOne(context, index)
    case 15...20: try changeList(context, index)
    case 21...22: try delete(context, index)
    case 23...27: try save(context, index)
    case 28...31: try merge(index)
    case 32: rollback(context, index)
    case 33...34: try hold(context, index)
    case 35: held[index] = []
    case 36:
      note(index, "refresh all")
      context.refreshAllObjects()
    case 37: try batch(context, index)
    case 38: try transaction(context, index)
    default: try refresh(context, index)
    }
  }

  private func note(_ index: Int, _ words: String) { log.append("\(index): \(words)") }

  private func pick(_ context: ManagedObjectContext, _ entity: String) throws -> ManagedObject? {
    try context.fetch(FetchRequest<ManagedObject>(entityName: entity)).randomElement(using: &random)
  }

  private func anyObject(_ context: ManagedObjectContext) throws -> ManagedObject? {
    try pick(context, Society.entities.randomElement(using: &random) ?? "Work")
  }

  private func name(_ object: ManagedObject?) -> String {
    object.map { "\($0.entityName)\($0.key)" } ?? "nil"
  }

  private func insert(_ context: ManagedObjectContext, _ index: Int) throws {
    let entity = Society.entities.randomElement(using: &random) ?? "Work"
    let object = try context.insert(entity)
    note(index, "insert \(name(object))")
    if chance(2) { held[index].append(object) }
  }

  private func setAttribute(_ context: ManagedObjectContext, _ index: Int) throws {
    guard let object = try anyObject(context) else { return }
    number += 1
    let attributes = object.entity.attributes.filter { !$0.isTransient }
    let value = Int.random(in: 0..<4, using: &random)
    guard let attribute = attributes.randomElement(using: &random) else { return }
    note(index, "\(name(object)).\(attribute.name) = \(value)")
    switch attribute.type {
    case .string, .transformable: try object.setValue("\(value)", forKey: attribute.name)
    default: try object.setValue(value, forKey: attribute.name)
    }
  }

  private func setToOne(_ context: ManagedObjectContext, _ index: Int) throws {
    let names = [
      ("Work", "studio", "Studio"), ("Work", "place", "Place"), ("Person", "studio", "Studio"),
      ("Part", "whole", "Work"), ("Place", "work", "Work"),
    ]
    guard let (entity, property, destination) = names.randomElement(using: &random),
      let object = try pick(context, entity)
    else { return }
    let target = chance(4) ? nil : try pick(context, destination)
    note(index, "\(name(object)).\(property) = \(name(target))")
    try object.setValue(target, forKey: property)
  }

  private func changeList(_ context: ManagedObjectContext, _ index: Int) throws {
    let names = [
      ("Studio", "works", "Work"), ("Studio", "helpers", "Person"), ("Work", "tags", "Tag"),
      ("Tag", "works", "Work"), ("Tag", "related", "Tag"), ("Tag", "examples", "Work"),
      ("Work", "parts", "Part"),
    ]
    guard let (entity, property, destination) = names.randomElement(using: &random),
      let owner = try pick(context, entity), let object = try pick(context, destination)
    else { return }
    let words = "\(name(owner)).\(property)"
    switch try owner.value(forKey: property) {
    case let list as OrderedToMany<ManagedObject>:
      switch Int.random(in: 0..<5, using: &random) {
      case 0:
        note(index, "\(words) append \(name(object))")
        list.append(object)
      case 1:
        let place = Int.random(in: 0...list.count, using: &random)
        note(index, "\(words) insert \(name(object)) at \(place)")
        list.insert(object, at: place)
      case 2:
        note(index, "\(words) remove \(name(object))")
        list.remove(object)
      case 3 where list.count > 1:
        let from = Int.random(in: 0..<list.count, using: &random)
        let to = Int.random(in: 0...list.count, using: &random)
        note(index, "\(words) move \(from) to \(to)")
        list.move(fromOffsets: [from], toOffset: to)
      default:
        guard let first = list.map({ $0 }).randomElement(using: &random) else { return }
        note(index, "\(words) remove \(name(first))")
        list.remove(first)
      }
    case let set as ToMany<ManagedObject>:
      if chance(2),
        let member = set.map({ $0 }).sorted(by: { $0.key < $1.key })
          .randomElement(using: &random)
      {
        note(index, "\(words) remove \(name(member))")
        set.remove(member)
      } else {
        note(index, "\(words) insert \(name(object))")
        set.insert(object)
      }
    default: break
    }
  }

  private func delete(_ context: ManagedObjectContext, _ index: Int) throws {
    guard let object = try anyObject(context) else { return }
    note(index, "delete \(name(object))")
    context.delete(object)
  }

  private func save(_ context: ManagedObjectContext, _ index: Int) throws {
    note(index, "save")
    let before = context.unsavedState()
    do {
      let report = try context.save()
      for resolved in report.resolved {
        note(
          index,
          "  \(resolved.conflict.kind) of \(resolved.conflict.objectID.entityName)\(resolved.conflict.objectID.key): \(resolved.outcome)"
        )
        counts.resolved.insert("\(resolved.outcome)".prefix { $0 != "(" }.description)
      }
      if context.hasChanges { problems.append("changes after a save") }
    } catch let error as PersistenceError where error.code == .saveFailed {
      counts.conflicts += 1
      let after = context.unsavedState()
      for (name, state) in before where after[name] != state {
        problems.append("\(name) was \(state), is \(after[name] ?? "gone")")
      }
      note(index, "  refused: \(error.causes.map { "\($0)" }.joined(separator: "; "))")
      if chance(3) { return }
      rollback(context, index)
    }
  }

  private func rollback(_ context: ManagedObjectContext, _ index: Int) {
    note(index, "rollback")
    context.rollback()
    if context.hasChanges { problems.append("changes after a rollback") }
  }

  private func refresh(_ context: ManagedObjectContext, _ index: Int) throws {
    guard let object = try anyObject(context) else { return }
    let merges = chance(2)
    note(index, "refresh \(name(object)), merging \(merges)")
    try? context.refresh(object, mergeChanges: merges)
  }

  /// Keeps objects, and reads their lists.
  private func hold(_ context: ManagedObjectContext, _ index: Int) throws {
    note(index, "hold")
    for entity in Society.entities {
      for object in try context.fetch(FetchRequest<ManagedObject>(entityName: entity))
      where chance(2) {
        if chance(2) { _ = try? object.shown() }
        held[index].append(object)
      }
    }
  }

  private func batch(_ context: ManagedObjectContext, _ index: Int) throws {
    if context.hasChanges { return }
    let studio = try pick(context, "Studio")
    let entity = ["Person", "Part"].randomElement(using: &random) ?? "Part"
    note(index, "batch \(entity)")
    do {
      if chance(2) {
        _ = try context.deleteAll(
          entity, where: .comparison(.property("name"), .equal, .constant(.string("1"))))
      } else if chance(2), entity == "Person" {
        _ = try context.updateAll(
          entity, set: [BatchAssignment("age", .constant(.integer(Int64(number))))])
      } else if let studio, chance(2) {
        context.delete(studio)
        try save(context, index)
      }
    } catch let error as PersistenceError {
      note(index, "  \(error.code)")
    }
    for other in readsAtMerge.indices { readsAtMerge[other] = true }
  }

  private func transaction(_ context: ManagedObjectContext, _ index: Int) throws {
    if context.hasChanges { return }
    struct Undone: Error {}
    note(index, "transaction")
    do {
      try context.transaction {
        for _ in 0..<2 {
          try insert(context, index)
          try changeList(context, index)
          try setToOne(context, index)
          do { try context.save() } catch { context.rollback() }
        }
        if chance(3) { throw Undone() }
      }
    } catch is Undone { note(index, "  undone") } catch let error as PersistenceError {
      note(index, "  \(error.code)")
    }
    context.rollback()
  }

  // MARK: Merging

  private func merge(_ index: Int) throws {
    let context = contexts[index]
    note(index, "merge")
    let before = Dictionary(
      context.updatedObjects.map { ($0, $0.changedValues().mapValues(Self.words)) },
      uniquingKeysWith: { a, _ in a })
    let hadChanges = context.hasChanges
    let count = logs[index].records.count
    let changes = context.mergeChanges()
    try mergeForeign(index)
    counts.merged += 1
    counts.refreshed += changes.refreshed.count
    counts.deleted += changes.deleted.count
    if hadChanges, !changes.isEmpty { counts.kept += 1 }
    if foreign == nil, !readsAtMerge[index], logs[index].records.count != count {
      problems.append(
        "a merge of rows has read: \(logs[index].records.dropFirst(count).map { "\($0.reason)" })")
    }
    readsAtMerge[index] = false
    problems += context.graphProblems
    for object in changes.deleted
    where !object.isDeleted || object.managedObjectContext != nil && !object.hasChanges {
      problems.append("\(name(object)) has not left")
    }
    // What is still changed has the value that it had.
    for (object, former) in before where !object.isDeleted {
      for (property, value) in object.changedValues()
      where former[property] != Self.words(value) && Self.words(value) != "nil" {
        problems.append("\(name(object)).\(property) was \(former[property] ?? "unchanged")")
      }
    }
    if !context.hasChanges {
      problems += try context.differences(from: container).map { "context \(index): \($0)" }
    }
  }

  /// Merges what the other container has saved since, as values that were sent.
  private func mergeForeign(_ index: Int) throws {
    guard let foreign else { return }
    let other = (index % 2 == 1 ? container : foreign).runtime
    for commit in other.log.take(readers[index], after: 0).commits {
      let sent = try JSONEncoder().encode(SavedChanges(commit, other.names))
      try contexts[index].mergeChanges(from: JSONDecoder().decode(SavedChanges.self, from: sent))
    }
  }

  private static func words(_ value: Any?) -> String {
    (value as? ManagedObject).map { "\($0.objectID)" } ?? "\(value ?? "nil")"
  }

  func finish() throws {
    for (index, context) in contexts.enumerated() {
      try save(context, index)
      if context.hasChanges { rollback(context, index) }
    }
    for index in contexts.indices { try merge(index) }
  }
}
