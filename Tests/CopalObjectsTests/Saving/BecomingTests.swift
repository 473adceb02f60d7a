import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

/// Objects whose save ends otherwise than they wanted: each outcome with each kind of property, in
/// each state that the context may have, by each policy. What is expected follows from the table in
/// `Docs/Conflicts.md`, by rules about values that the test has.
///
/// What cannot be:
///
/// - The stored object is deleted here, and a new one has its value: the deletion is written first,
///   so there is no conflict.
/// - An observed object that is not in the context: who observes it has it. The new one is observed.
/// - A fault leaves, comes back or takes values: only a changed object can.
/// - `.values` of a custom policy for a unique value: it is `.refuse`.
@Suite("Becoming", .modelAsIs)
struct BecomingTests {
  /// A policy, by its name or as the answer of a function.
  enum Policy: String, CaseIterable, Sendable {
    case store, object, overwrite, rollback
    case takeStored, keepMine, answersOverwrite

    var value: MergePolicy {
      switch self {
      case .store: .mergeByPropertyStoreTrump
      case .object: .mergeByPropertyObjectTrump
      case .overwrite: .overwrite
      case .rollback: .rollback
      case .takeStored: .custom { _ in .takeStored }
      case .keepMine: .custom { _ in .keepMine }
      case .answersOverwrite: .custom { _ in .overwrite }
      }
    }

    /// The column of the table.
    var rule: Policy {
      switch self {
      case .takeStored: .rollback
      case .keepMine: .object
      case .answersOverwrite: .overwrite
      default: self
      }
    }

    var takesStored: Bool { rule == .store || rule == .rollback }
  }

  /// What the context knows of the stored object.
  enum Known: String, CaseIterable { case none, fault, fetched, changed }

  /// What else there is in the context.
  enum Around: String, CaseIterable { case nothing, lists, controllers, observers }

  /// Which of the two sides give the property a value.
  struct Sides { let theirs, mine: Bool }
  static let sides = [
    Sides(theirs: true, mine: true), Sides(theirs: true, mine: false),
    Sides(theirs: false, mine: true),
  ]

  private static let isDeep = ProcessInfo.processInfo.environment["COPAL_OUTCOMES"] != nil

  private func run(
    _ kind: StoreKind, _ policy: Policy, known: [Known],
    _ properties: [Market.Property] = Market.Property.allCases,
    _ body: (BecomingRun) throws -> Void
  ) async throws {
    var market = try Market(kind)
    var problems: [String] = []
    let isPlain = policy == policy.rule
    let place = Policy.allCases.firstIndex(of: policy) ?? 0
    for around in isPlain ? Around.allCases : [.nothing] {
      for (index, each) in known.enumerated() {
        await Task.yield()
        for (number, property) in properties.enumerated() {
          // Each property meets each state of the object, and each surrounding.
          if (number + index) % known.count != 0 { continue }
          // All policies together have all properties, and the deep run has all of all.
          if !Self.isDeep, (number + place) % 4 != 0 { continue }
          for sides in around == .nothing ? Self.sides : Array(Self.sides.prefix(1)) {
            let run = BecomingRun(market, policy, property, each, around, sides)
            do {
              try body(run)
              try market.clear()
            } catch {
              run.problems.append("\(error)")
            }
            if run.problems.isEmpty { continue }
            problems += run.problems.map { "\(run.name): \($0)" }
            market = try Market(kind)
          }
        }
      }
    }
    #expect(try market.container.check(.everything) == [])
    #expect(problems.isEmpty, "\(problems.count):\n\(problems.prefix(300).joined(separator: "\n"))")
  }

  @Test(
    "a new object becomes the stored one, with the values that its policy chooses",
    arguments: bothStores, Policy.allCases)
  func becomes(_ kind: StoreKind, _ policy: Policy) async throws {
    try await run(kind, policy, known: Known.allCases) { run in
      try run.insertTheirs("x")
      try run.begin()
      let new = try run.insertMine("x")
      if run.sides.mine { try run.market.set(run.property, 1, of: new) }
      try run.save(new)
      try run.checkBecoming(new)
    }
  }

  @Test(
    "of two new objects with one value, the other becomes the one that the policy chooses",
    arguments: bothStores, Policy.allCases)
  func twoNew(_ kind: StoreKind, _ policy: Policy) async throws {
    try await run(kind, policy, known: [.none]) { run in
      try run.begin()
      let news = try [run.insertMine("x"), run.insertMine("x")]
      if run.sides.theirs { try run.market.set(run.property, 0, of: news[0]) }
      if run.sides.mine { try run.market.set(run.property, 1, of: news[1]) }
      let (winner, loser) = policy.takesStored ? (news[0], news[1]) : (news[1], news[0])
      try run.save(winner, loser)
      try run.checkJoining(winner, loser)
    }
  }

  @Test(
    "a changed object that others have deleted leaves, or is inserted again by overwrite",
    arguments: bothStores, Policy.allCases)
  func deletedThere(_ kind: StoreKind, _ policy: Policy) async throws {
    let properties = Market.Property.allCases.filter { $0 != .note }
    try await run(kind, policy, known: [.fetched], properties) { run in
      try run.insertTheirs("x")
      try run.begin()
      let ware = try run.changeStored()
      try run.elsewhere { context in context.delete(try context.existingObject(with: run.id)) }
      try run.save(ware)
      try run.checkDeletedThere(ware)
    }
  }

  @Test(
    "an object that others have changed has the values that the policy chooses",
    arguments: bothStores, Policy.allCases)
  func changedThere(_ kind: StoreKind, _ policy: Policy) async throws {
    let properties = Market.Property.allCases.filter { $0 != .note }
    try await run(kind, policy, known: [.fetched], properties) { run in
      if run.isOpen { return }
      try run.insertTheirs("x", isEmpty: true)
      try run.begin()
      let ware = try run.changeStored()
      try run.elsewhere { context in
        let theirs = try context.existingObject(with: run.id)
        try theirs.setValue("theirs", forKey: "remark")
        if run.sides.theirs { try run.market.set(run.property, 0, of: theirs) }
      }
      try run.save(ware)
      try run.checkChangedThere(ware)
    }
  }

  @Test(
    "a change to a unique value that is taken is dropped, or refused",
    arguments: bothStores, Policy.allCases)
  func dropped(_ kind: StoreKind, _ policy: Policy) async throws {
    let properties = Market.Property.allCases.filter { $0 != .note }
    try await run(kind, policy, known: [.fetched], properties) { run in
      try run.insertTheirs("x")
      try run.begin()
      let ware = try run.changeStored()
      try ware.setValue("y", forKey: "code")
      try run.elsewhere { try $0.insert("Ware").setValue("y", forKey: "code") }
      run.hasOthers = true
      if !policy.takesStored { return try run.checkRefused(ware) }
      try run.save(ware)
      try run.checkDropped(ware)
    }
  }
}

/// One cell of the table.
private final class BecomingRun {
  typealias Policy = BecomingTests.Policy

  let market: Market
  let policy: Policy
  let property: Market.Property
  let known: BecomingTests.Known
  let around: BecomingTests.Around
  let sides: BecomingTests.Sides
  let mine: ManagedObjectContext
  var problems: [String] = []
  private(set) var id: ManagedObjectID
  /// The values of the stored object.
  private var stored: [String: String] = [:]
  /// The instance of the stored object in my context.
  private var instance: ManagedObject?
  private var held: [ManagedObject] = []
  private var shapes: [ListShape] = []
  private var subscriptions: [ChangeSubscription] = []

  /// An event, with the names that it tells.
  private struct Event {
    let inserted, updated, deleted, refreshed, invalidated: Set<ManagedObject>
    let names: [ManagedObject: Set<String>]
  }
  private var events: [Event] = []
  private var report = SaveReport()
  private var attributes: [ManagedObject: [String: String]] = [:]
  private var watches: [(object: ManagedObject, name: String, watch: Watch)] = []
  private var didSaveCounts: [ManagedObject: Int] = [:]
  private var notes: [ManagedObject: String] = [:]
  /// The members of the racks before the save.
  private var formerRacks: [[String]] = []

  init(
    _ market: Market, _ policy: Policy, _ property: Market.Property,
    _ known: BecomingTests.Known, _ around: BecomingTests.Around, _ sides: BecomingTests.Sides
  ) {
    (self.market, self.policy, self.property) = (market, policy, property)
    (self.known, self.around, self.sides) = (known, around, sides)
    mine = market.container.makeContext()
    mine.mergePolicy = policy.value
    id = mine.insertedID
  }

  var name: String {
    "\(market.test.kind) \(policy) \(property) \(known) \(around)"
      + (sides.theirs ? " theirs" : "") + (sides.mine ? " mine" : "")
  }

  private func expect(_ condition: Bool, _ problem: @autoclosure () -> String) {
    if !condition { problems.append(problem()) }
  }

  private func expect<T: Equatable>(_ found: T, _ expected: T, _ what: String) {
    if found != expected { problems.append("\(what): \(found), not \(expected)") }
  }

  // MARK: Steps

  /// What others have given the stored object beside the property.
  private var isInLists: Bool { around != .nothing }
  private static let lists: [Market.Property] = [.rackPlace, .maker, .tags, .topics]

  func elsewhere(_ body: (ManagedObjectContext) throws -> Void) throws {
    let context = market.container.makeContext()
    try body(context)
    try context.save()
  }

  func insertTheirs(_ code: String, isEmpty: Bool = false) throws {
    try elsewhere { context in
      let theirs = try context.insert("Ware")
      try theirs.setValue(code, forKey: "code")
      if !isEmpty {
        if isInLists { for list in Self.lists { try market.set(list, 0, of: theirs) } }
        if sides.theirs { try set(theirs) }
      }
      try context.save()
      id = theirs.objectID
      stored = try Market.shown(theirs)
    }
  }

  /// Gives their object the property; it is at one place in a list.
  private func set(_ theirs: ManagedObject) throws {
    if isInLists, Self.lists.contains(where: { $0.name == property.name }) { return }
    try market.set(property, 0, of: theirs)
  }

  func insertMine(_ code: String) throws -> ManagedObject {
    let new = try mine.insert("Ware")
    try new.setValue(code, forKey: "code")
    return new
  }

  /// My context reads what the case has.
  func begin() throws {
    switch known {
    case _ where stored.isEmpty: break
    case .none: break
    case .fault: held.append(try mine.object(with: id))
    case .fetched, .changed:
      let ware = try mine.existingObject(with: id)
      held.append(ware)
      _ = try Self.attributes(ware)
      if known == .changed { try ware.setValue("changed", forKey: "remark") }
    }
    if around == .lists || around == .observers {
      for name in Market.scenery.values.flatMap(\.self).sorted() {
        let object = try market.object(name, mine)
        held.append(object)
        _ = try object.shown()
      }
      if known == .fetched || known == .changed {
        for ware in held.prefix(1) { _ = try ware.shown() }
      }
    }
    if around == .controllers { try makeControllers() }
    subscriptions.append(
      mine.onChange { [unowned self] changes in
        var names: [ManagedObject: Set<String>] = [:]
        for object in changes.updated.union(changes.refreshed) {
          names[object] = changes.changedProperties(of: object)
        }
        events.append(
          Event(
            inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted,
            refreshed: changes.refreshed, invalidated: changes.invalidated, names: names))
      })
  }

  private func makeControllers() throws {
    func request(_ format: String, _ key: String) throws -> FetchRequest<ManagedObject> {
      FetchRequest(
        entityName: "Ware", predicate: try FetchPredicate(format: format, arguments: []),
        sortKeys: [.ascending(key), .ascending("code")])
    }
    shapes = [
      try ListShape("sections", mine, request("count < 5", "text"), "text") {
        try $0.value(forKey: "text") as? String
      },
      try ListShape("rack", mine, request("rack.name == 'r0'", "price")),
      try ListShape("tags", mine, request("ANY tags.name == 't1'", "story")),
      try ListShape("story", mine, request("story CONTAINS[cd] 'RY1'", "count")),
    ]
    for shape in shapes {
      subscriptions.append(
        shape.controller.onChange { [unowned self, unowned shape] change in
          if change.isReload { return shape.take() }
          if let problem = shape.apply(change) {
            problems.append("\(shape.name): \(problem) in \(change)")
          }
        })
    }
  }

  /// Changes the stored object in my context.
  func changeStored() throws -> ManagedObject {
    let ware = try mine.existingObject(with: id)
    try ware.setValue("mine", forKey: "remark")
    if sides.mine { try market.set(property, 1, of: ware) }
    return ware
  }

  private static let attributeNames = Market.names.subtracting([
    "parts", "papers", "tags", "topics",
  ])

  private static func attributes(_ ware: ManagedObject) throws -> [String: String] {
    try Dictionary(
      uniqueKeysWithValues: attributeNames.map { ($0, try Market.shown($0, ware)) })
  }

  /// Ends the turn, notes what there is, and saves.
  func save(_ wares: ManagedObject...) throws {
    mine.processPendingChanges()
    if around == .observers { formerRacks = try market.racks(mine) }
    instance = mine.registeredObjects.first { $0.objectID == id }
    let all = wares + [instance].compactMap(\.self).filter { !wares.contains($0) }
    for ware in all where !ware.isFault { attributes[ware] = try Self.attributes(ware) }
    for ware in wares { notes[ware] = try Market.shown("note", ware) }
    if around == .observers {
      for ware in all {
        guard let ware = ware as? Watched, !ware.isFault else { continue }
        watches += Market.names.map { (ware, $0, ware.watch($0)) }
      }
      for name in ["r0", "r1"] {
        guard let rack = try market.object(name, mine) as? Watched else { continue }
        watches.append((rack, "wares", rack.watch("wares")))
      }
    }
    for case let ware as Watched in all { didSaveCounts[ware] = ware.didSaveCount }
    mine.processPendingChanges()
    events = []
    report = try mine.save()
    mine.processPendingChanges()
  }

  // MARK: Expected values

  /// The value of the property when others have given it 0 and I have given it 1.
  private func merged(_ theirs: Bool, _ mine: Bool, isList: Bool) -> String {
    if isList { return theirs ? mine ? "01" : "0" : mine ? "1" : "-" }
    if policy.takesStored { return theirs ? "0" : "-" }
    if policy.rule == .overwrite { return mine ? "1" : "-" }
    return mine ? "1" : theirs ? "0" : "-"
  }

  /// What a becoming makes of the stored values.
  private func valuesOfBecoming() -> [String: String] {
    var values = stored
    for kind in Market.Property.allCases where kind != .note && !kind.isOfTheMoment {
      if kind.name != kind.rawValue && kind != property { continue }
      if kind.name == property.name && kind != property { continue }
      let isMine = kind == property && sides.mine
      let theirs = stored[kind.name] != "-"
      values[kind.name] = merged(theirs, isMine, isList: kind.isList)
    }
    if property == .sameRack, values["rack"] == "1" { values["rack"] = "0" }
    if property == .sharedTags, sides.mine { values["tags"] = "01" }
    // An unsaved change of the stored object is saved, and the new object has no remark.
    values["remark"] = known == .changed ? "changed" : "-"
    if known == .changed, policy.rule == .overwrite { values["remark"] = "-" }
    return values
  }

  /// The racks, when the ware with a code is where a side has put it.
  private func racks(_ code: String, isMine: Bool, isTheirs: Bool) -> [[String]] {
    var racks = [["a", "b"], ["c", "d"]]
    if isMine {
      switch property {
      case .rack: racks[1].append(code)
      case .rackPlace: racks[1].insert(code, at: 1)
      default: racks[0].insert(code, at: 0)
      }
    } else if isTheirs {
      racks[0].insert(code, at: 1)
    }
    return racks
  }

  private var isMineInRack: Bool { sides.mine && property.name == "rack" }

  private func racksOfBecoming(_ values: [String: String]) -> [[String]] {
    racks(
      "x", isMine: isMineInRack && !policy.takesStored, isTheirs: values["rack"] == "0")
  }

  // MARK: Checks

  func checkBecoming(_ new: ManagedObject) throws {
    let values = valuesOfBecoming()
    let staying = instance ?? new
    try checkStaying(staying, values, racksOfBecoming(values))
    expect(try mine.existingObject(with: new.objectID) === staying, "its id finds another one")
    if instance == nil {
      if property == .note, sides.mine {
        expect(try new.value(of: "note", as: String.self), nil, "its transient value")
      }
    } else {
      try checkLeft(new)
    }
    try checkEnd()
  }

  func checkJoining(_ winner: ManagedObject, _ loser: ManagedObject) throws {
    var values = attributes[winner] ?? [:]
    for kind in Market.Property.allCases where kind.isList && values[kind.name] == nil {
      values[kind.name] = "-"
    }
    if property.isList { values[property.name] = merged(sides.theirs, sides.mine, isList: true) }
    if property == .sharedTags, sides.mine { values["tags"] = "01" }
    id = winner.objectID
    let isLast = !policy.takesStored
    try checkStaying(
      winner, values,
      racks(
        "x", isMine: isMineInRack && isLast,
        isTheirs: !isLast && property.name == "rack" && sides.theirs))
    try checkLeft(loser)
    try checkEnd()
  }

  func checkDeletedThere(_ ware: ManagedObject) throws {
    if policy.rule != .overwrite {
      try checkLeft(ware)
      expect(try market.racks(mine), [["a", "b"], ["c", "d"]], "racks")
      let fresh = market.container.makeContext()
      expect((try? fresh.existingObject(with: id)) == nil, "it is stored")
    } else {
      var values = attributes[ware] ?? [:]
      for kind in Market.Property.allCases where kind.isList && kind != property {
        if kind.name != property.name { values[kind.name] = "-" }
      }
      if property.isList { values[property.name] = sides.mine ? "1" : "-" }
      // Its partner has lost it.
      if property == .place, !sides.mine { values["place"] = "-" }
      // A link that others have removed with the object is not one that this save gives it.
      if property == .sharedTags, sides.mine, stored["tags"] == "-" { values["tags"] = "01" }
      try checkStaying(
        ware, values, racks("x", isMine: isMineInRack, isTheirs: values["rack"] == "0"),
        isAgain: true)
      expect(events.contains { $0.inserted.contains(ware) }, "it is in no event as inserted")
    }
    try checkEnd()
  }

  func checkChangedThere(_ ware: ManagedObject) throws {
    var values = stored
    let (theirs, isMine) = (sides.theirs, sides.mine)
    switch policy.rule {
    case _ where property.isList:
      values[property.name] = merged(theirs, isMine, isList: true)
      if property == .sharedTags, isMine { values["tags"] = "01" }
    case .store, .rollback:
      let takes = theirs || policy.rule == .rollback
      values[property.name] = theirs ? "0" : isMine && !takes ? "1" : stored[property.name]
    case .overwrite where [.small, .large, .place].contains(property) && !isMine:
      values[property.name] = "0"
    case .overwrite: values[property.name] = isMine ? "1" : stored[property.name]
    default: values[property.name] = isMine ? "1" : theirs ? "0" : stored[property.name]
    }
    let isMineWins = values[property.name] == "1"
    if property == .sameRack, isMineWins { values["rack"] = "0" }
    values["remark"] = policy.takesStored ? "theirs" : "mine"
    try checkStaying(
      ware, values,
      racks("x", isMine: property.name == "rack" && isMineWins, isTheirs: values["rack"] == "0"))
    try checkEnd()
  }

  /// Members of both sides: a merge shows those of others.
  var isOpen: Bool { property.isList && (policy.takesStored || around != .nothing) }

  func checkDropped(_ ware: ManagedObject) throws {
    var values = stored
    if policy.rule == .store {
      values["remark"] = "mine"
      if sides.mine, !property.isList { values[property.name] = attributes[ware]?[property.name] }
    }
    if sides.mine, property.isList {
      // The members of a cascade are objects of their own; links are those that I have made.
      let isOwn = property == .parts || property == .papers
      values[property.name] = isOwn && stored[property.name] == "0" ? "01" : "1"
      if property == .sharedTags { values["tags"] = "01" }
    }
    let isMine = isMineInRack && policy.rule == .store
    try checkStaying(
      ware, values, racks("x", isMine: isMine, isTheirs: values["rack"] == "0"))
    try checkEnd()
  }

  func checkRefused(_ ware: ManagedObject) throws {
    let before = try Self.attributes(ware)
    do {
      _ = try mine.save()
      problems.append("it was saved")
    } catch let error as PersistenceError {
      expect(error.causeCodes, [.uniqueConflict], "causes")
    }
    expect(try Self.attributes(ware), before, "values")
    expect(mine.hasChanges, "its changes are lost")
    mine.rollback()
    let fresh = market.container.makeContext()
    expect(try Market.shown(fresh.existingObject(with: id)), stored, "stored values")
    expect(try Market.shown(ware), stored, "values after the rollback")
    try checkEnd()
  }

  /// Whether others have saved another object, which only a fetch finds before a merge.
  var hasOthers = false

  /// An object that has left the context.
  private func checkLeft(_ ware: ManagedObject) throws {
    expect(ware.isDeleted && ware.managedObjectContext == nil, "the one that leaves is here")
    expect(events.contains { $0.deleted.contains(ware) }, "the one that leaves is in no event")
    let lost = ["rack", "maker", "place"]
    for (name, value) in attributes[ware] ?? [:] where !lost.contains(name) {
      expect(try Market.shown(name, ware), value, "\(name) of the one that left")
    }
    if let note = notes[ware] {
      expect(try Market.shown("note", ware), note, "transient value of the one that left")
    }
    let count = (ware as? Watched)?.didSaveCount ?? 0
    expect(count, didSaveCounts[ware] ?? 0, "didSave() of the one that left")
    for (object, name, watch) in watches where object === ware {
      expect(watch.isNotified, "observers of \(name) of the one that left")
    }
  }

  /// An object that stays, or has come.
  private func checkStaying(
    _ ware: ManagedObject, _ values: [String: String], _ racks: [[String]], isAgain: Bool = false
  ) throws {
    expect(ware.objectID, id, "id")
    expect(!ware.isDeleted && ware.managedObjectContext === mine, "it is not here")
    expect((ware as? Watched)?.didSaveCount ?? 0, (didSaveCounts[ware] ?? 0) + 1, "didSave()")
    let fresh = market.container.makeContext()
    let other = try fresh.existingObject(with: id)
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      expect(try Market.shown(name, other), value, "stored \(name)")
    }
    expect(try market.racks(fresh), racks, "stored racks")
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      expect(try Market.shown(name, ware), value, "\(name) in memory")
    }
    expect(try market.racks(mine), racks, "racks in memory")
    if !isAgain { try checkEvents(ware, values) }
    for (object, name, watch) in watches where object === ware {
      let former = attributes[ware]?[name]
      if isAgain || former != nil && former != values[name] {
        expect(watch.isNotified, "observers of \(name) are not notified")
      }
    }
    for (index, rack) in ["r0", "r1"].enumerated() where around == .observers {
      let object = try market.object(rack, mine)
      let isNotified = watches.first { $0.object === object }?.watch.isNotified
      if formerRacks[index] != racks[index] {
        expect(isNotified == true, "observers of \(rack) are not notified")
      }
    }
    try checkSQL(values)
  }

  /// The changes of attributes and to-one relationships are in the events.
  private func checkEvents(_ ware: ManagedObject, _ values: [String: String]) throws {
    guard let former = attributes[ware] else {
      // A fault may have got other values, or none: it does not know.
      return
    }
    let changed = Set(former.keys.filter { former[$0] != values[$0] })
    let told = events.reduce(into: Set<String>()) { $0.formUnion($1.names[ware] ?? []) }
    let names = told.intersection(Self.attributeNames)
    expect(names.isSuperset(of: changed), "changed properties: \(names), not \(changed)")
    // A value that is decoded is not compared, and a place in a list is part of the property.
    let others = names.subtracting(changed).subtracting([property.name])
    expect(others, [], "changed properties that have not changed")
    if !changed.isEmpty {
      expect(events.contains { $0.refreshed.contains(ware) }, "it is not refreshed")
    }
  }

  /// What the `sqlite3` tool finds.
  private func checkSQL(_ values: [String: String]) throws {
    guard market.test.kind == .sqlite, around == .nothing, [.text, .count].contains(property) else {
      return
    }
    let line = try market.test.sqlite3(
      "SELECT ifnull(text, '-'), count FROM Ware WHERE code = '\(values["code"] ?? "")'")
    let text = values["text"].map { $0 == "-" ? "-" : "text\($0)" } ?? ""
    let count = values["count"] == "-" ? "0" : values["count"] == "0" ? "3" : "7"
    expect(line, "\(text)|\(count)", "SQL")
  }

  /// What is true after each save.
  private func checkEnd() throws {
    expect(!mine.hasChanges, "there are changes")
    expect(mine.graphProblems, [], "graph")
    if !hasOthers { checkControllers() }
    // Lists of objects that others have linked, and objects that they have deleted.
    mine.mergeChanges()
    mine.processPendingChanges()
    expect(try mine.differences(from: market.container), [], "differences")
    checkControllers()
  }

  private func checkControllers() {
    for shape in shapes {
      var request = shape.request
      if let first = shape.controller.firstKey, request.sortKeys.first?.property != first.property {
        request.sortKeys.insert(first, at: 0)
      }
      let found = (try? mine.fetch(request)) ?? []
      func codes(_ objects: some Sequence<ManagedObject>) -> [Int64] { objects.map(\.objectID.key) }
      expect(codes(shape.controller.objects), codes(found), "\(shape.name), by a fetch")
      expect(codes(shape.lists.joined()), codes(found), "\(shape.name), by differences")
      if zip(shape.controller.objects, found).contains(where: { $0 !== $1 }) {
        problems.append("\(shape.name) has other objects")
      }
      shape.take()
    }
  }
}

extension ManagedObjectContext {
  /// An id that no object has.
  fileprivate var insertedID: ManagedObjectID {
    ManagedObjectID(state.container.entities[0].identity, .max)
  }
}
