import Copal
import CopalModel
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Random changes here and in another context, with the events that a plain model expects.
///
/// The model has, for each object, what it was at the beginning of the turn, and what has happened
/// to it since: numbers and texts, and no code of the library.
@Suite("Random events beside a plain model", .modelAsIs)
struct EventSequenceTests {
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_EVENTS"].flatMap(UInt64.init) ?? 60

  @Test("the sets of each event", arguments: bothStores)
  func events(_ kind: StoreKind) async throws {
    var total = 0
    for seed in 1...Self.count {
      await Task.yield()
      let run = try EventRun(Society.container(TestStore(kind)), seed: seed)
      do {
        for _ in 0..<80 where run.problem == nil { try run.step() }
      } catch {
        run.problem = "\(error)"
      }
      total += run.eventCount
      guard let problem = run.problem else { continue }
      Issue.record("seed \(seed), \(kind): \(problem)\n\(run.log.joined(separator: "\n"))")
      return
    }
    if Self.count >= 60 { #expect(total > 800, "\(total)") }
  }
}

private final class EventRun {
  /// What the model knows of a person: whether it is stored, and its names here and there.
  private struct Person {
    var isNew = true
    var isDeleted = false
    /// The values here, in the store, and at the beginning of the turn.
    var name: String?
    var age: Int32?
    var storedName: String?
    var storedAge: Int32?
  }

  /// What has happened in the turn.
  private struct Event: Equatable {
    var sets: [String: Set<String>] = [:]
    var changed: [String: Set<String>] = [:]
  }

  private let mine: ManagedObjectContext
  private let other: ManagedObjectContext
  private var random: SplitMix
  private var subscription: ChangeSubscription?
  private var told: [Event] = []
  private var people: [String: Person] = [:]
  private var objects: [String: ManagedObject] = [:]
  /// The people at the beginning of the turn, and the set in which each one is.
  private var before: [String: Person] = [:]
  private var sets: [String: String] = [:]
  private var lastNumber = 0
  var problem: String?
  var log: [String] = []
  var eventCount = 0

  init(_ container: PersistentContainer, seed: UInt64) throws {
    random = SplitMix(seed: seed)
    (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    subscription = mine.onChange { [unowned self] in told.append(event($0)) }
  }

  private func label(_ object: ManagedObject) -> String {
    objects.first { $0.value === object }?.key ?? "?"
  }

  private func event(_ changes: ObjectChanges) -> Event {
    var event = Event()
    for (word, set) in [
      ("inserted", changes.inserted), ("updated", changes.updated), ("deleted", changes.deleted),
      ("refreshed", changes.refreshed), ("invalidated", changes.invalidated),
    ] where !set.isEmpty {
      event.sets[word] = Set(set.map(label))
      for object in set {
        let names = changes.changedProperties(of: object)
        if !names.isEmpty { event.changed[label(object)] = names }
      }
    }
    return event
  }

  // MARK: The model

  private func note(_ label: String, _ set: String) {
    switch (sets[label], set) {
    case ("none", _): return
    case ("inserted", "deleted"): sets[label] = "none"
    case ("inserted", _), ("deleted", "updated"): return
    default: sets[label] = set
    }
  }

  private func beginTurn() {
    before = people
    sets = [:]
  }

  private func expected() -> Event? {
    var event = Event()
    for (label, set) in sets where set != "none" {
      event.sets[set, default: []].insert(label)
      guard set == "updated" || set == "refreshed", let was = before[label], let now = people[label]
      else { continue }
      var names: Set<String> = []
      if was.name != now.name { names.insert("name") }
      if was.age != now.age { names.insert("age") }
      if !names.isEmpty { event.changed[label] = names }
    }
    return event.sets.isEmpty ? nil : event
  }

  // MARK: Steps

  func step() throws {
    let labels = people.keys.sorted().filter { !(people[$0]?.isDeleted ?? true) }
    let label = labels.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<16, using: &random) {
    case 0..<3:
      lastNumber += 1
      let new = "p\(lastNumber)"
      log.append("insert \(new)")
      objects[new] = try mine.insert("Person")
      people[new] = Person()
      before[new] = Person()
      note(new, "inserted")
    case 3..<7:
      guard var person = people[label] else { return }
      let name: String? = ["a", "b", "c", nil].randomElement(using: &random) ?? nil
      log.append("name \(label) \(name ?? "nil")")
      try objects[label]?.setValue(name, forKey: "name")
      person.name = name
      people[label] = person
      note(label, "updated")
    case 7..<9:
      guard var person = people[label] else { return }
      let age = Int32.random(in: 0..<3, using: &random)
      log.append("age \(label) \(age)")
      try objects[label]?.setValue(age, forKey: "age")
      person.age = age
      people[label] = person
      note(label, "updated")
    case 9:
      guard var person = people[label], let object = objects[label] else { return }
      log.append("delete \(label)")
      mine.delete(object)
      note(label, "deleted")
      person.isDeleted = true
      people[label] = person.isNew ? nil : person
    case 10..<12:
      log.append("turn")
      try endTurn { mine.processPendingChanges() }
    case 12..<14:
      log.append("save")
      try endTurn { try mine.save() }
      for (label, person) in people {
        if person.isDeleted {
          people[label] = nil
        } else {
          people[label]?.isNew = false
          people[label]?.storedName = person.name
          people[label]?.storedAge = person.age
        }
      }
      beginTurn()
    case 14: try change(label)
    default: try rollBack()
    }
  }

  /// Another context changes or deletes an object without unsaved changes here.
  private func change(_ label: String) throws {
    guard let person = people[label], !person.isNew, person.name == person.storedName,
      person.age == person.storedAge, let object = objects[label], !object.hasChanges
    else { return }
    other.refreshAllObjects()
    let theirs = try other.existingObject(with: object.objectID)
    if Bool.random(using: &random) {
      log.append("other deletes \(label)")
      other.delete(theirs)
      people[label] = nil
      note(label, "deleted")
    } else {
      let name = "n\(Int.random(in: 0..<100, using: &random))"
      log.append("other names \(label) \(name)")
      try theirs.setValue(name, forKey: "name")
      people[label]?.name = name
      people[label]?.storedName = name
      note(label, "refreshed")
    }
    try other.save()
    // What has changed here belongs to the same turn.
    try endTurn { mine.mergeChanges() }
  }

  private func rollBack() throws {
    log.append("roll back")
    for (label, person) in people {
      guard objects[label]?.hasChanges == true else { continue }
      if person.isNew {
        people[label] = nil
        note(label, "deleted")
      } else {
        people[label]?.isDeleted = false
        people[label]?.name = person.storedName
        people[label]?.age = person.storedAge
        note(label, "refreshed")
      }
    }
    mine.rollback()
    try endTurn { mine.processPendingChanges() }
  }

  private func endTurn(_ body: () throws -> Void) throws {
    told = []
    let event = expected()
    try body()
    eventCount += told.count
    if told != (event.map { [$0] } ?? []) {
      problem = "told \(told), and not \(event.map { "\($0)" } ?? "nothing")"
    }
    beginTurn()
  }
}
