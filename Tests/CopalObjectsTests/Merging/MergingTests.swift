import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Merging what others save")
struct MergingTests {
  private func pair(_ kind: StoreKind) throws -> (
    PersistentContainer, ManagedObjectContext, ManagedObjectContext, Painter, Painter
  ) {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let painter = Painter(context: mine, name: "Rosa")
    try mine.save()
    let theirs = try other.existingObject(with: painter.objectID, as: Painter.self)
    return (container, mine, other, painter, theirs)
  }

  // MARK: When

  @Test("nothing merges within a synchronous stretch: no update is lost", arguments: bothStores)
  func synchronous(_ kind: StoreKind) throws {
    let (_, mine, other, painter, theirs) = try pair(kind)
    let old = painter.prizes
    theirs.prizes = 5
    try other.save()
    // A fetch between a read and a write does not hide what the other context has saved.
    _ = try mine.fetch(Painter.self)
    painter.prizes = old + 1
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.conflict])
  }

  @Test("a batch of others is taken as a save is, by a context that merges", arguments: bothStores)
  func batches(_ kind: StoreKind) throws {
    let (_, mine, other, painter, _) = try pair(kind)
    let old = painter.prizes
    _ = try other.updateAll(Painter.self) { $0.prizes.set(to: 5) }
    _ = try mine.fetch(Painter.self)
    #expect(painter.prizes == old, "not before a turn")
    mine.mergeChanges()
    #expect(painter.isFault && painter.prizes == 5)
  }

  @Test("in transactions and hooks the changes wait", arguments: bothStores)
  func blocked(_ kind: StoreKind) throws {
    let (_, mine, other, painter, theirs) = try pair(kind)
    theirs.name = "Berthe"
    try other.save()
    try mine.readTransaction {
      #expect(mine.mergeChanges().isEmpty && painter.name == "Rosa")
    }
    try mine.transaction {
      #expect(mine.mergeChanges().isEmpty && painter.name == "Rosa")
    }
    #expect(!mine.mergeChanges().isEmpty && painter.name == "Berthe")
  }

  @Test("a context that does not merge sees nothing until it asks", arguments: bothStores)
  func asked(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: mine, name: "Rosa")
    try mine.save()
    let theirs = try other.existingObject(with: painter.objectID, as: Painter.self)
    theirs.name = "Berthe"
    try other.save()
    #expect(!mine.automaticallyMergesChanges && painter.name == "Rosa")
    #expect(mine.mergeChanges().invalidatesAll, "the first time, only the entities are known")
    #expect(painter.isFault && painter.name == "Berthe")
    theirs.name = "Édouard"
    try other.save()
    #expect(painter.name == "Berthe")
    #expect(mine.mergeChanges().refreshed == [painter] && painter.name == "Édouard")
  }

  @MainActor
  @Test("the view context merges between two jobs of the main actor", arguments: bothStores)
  func turns(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let (view, editor) = (container.viewContext, container.makeViewContext())
    #expect(view.automaticallyMergesChanges && editor.automaticallyMergesChanges)
    let painter = Painter(context: view, name: "Rosa")
    try view.save()
    let theirs = try editor.existingObject(with: painter.objectID, as: Painter.self)
    theirs.name = "Berthe"
    try editor.save()
    #expect(painter.name == "Rosa", "not in the same job")
    for _ in 0..<100 where painter.name == "Rosa" { await Task.yield() }
    #expect(painter.name == "Berthe")
    view.automaticallyMergesChanges = false
    theirs.name = "Édouard"
    try editor.save()
    for _ in 0..<20 { await Task.yield() }
    #expect(painter.name == "Berthe")
    view.automaticallyMergesChanges = true
    for _ in 0..<100 where painter.name != "Édouard" { await Task.yield() }
    #expect(painter.name == "Édouard")
  }

  @MainActor
  @Test("fetchInBackground merges when it resumes", arguments: bothStores)
  func background(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let (context, other) = (container.makeContext(), container.makeContext())
    context.automaticallyMergesChanges = true
    let painter = Painter(context: context, name: "Rosa")
    try context.save()
    try other.existingObject(with: painter.objectID, as: Painter.self).name = "Berthe"
    try other.save()
    _ = try await context.fetchInBackground(Painter.fetchRequest())
    #expect(painter.name == "Berthe")
  }

  // MARK: perform

  @MainActor
  @Test("on the main actor, perform has merged when it returns, also when it throws")
  func performed() async throws {
    let container = try TestStore().atelier()
    let painter = Painter(context: container.viewContext, name: "Rosa")
    try container.viewContext.save()
    let id = painter.objectID
    for number in Int16(1)...50 {
      try await container.perform { context in
        try context.existingObject(with: id, as: Painter.self).prizes = number
        try context.save()
      }
      #expect(painter.prizes == number)
    }
    struct Unhappy: Error {}
    await #expect(throws: Unhappy.self) {
      try await container.perform { context in
        try context.existingObject(with: id, as: Painter.self).name = "Berthe"
        try context.save()
        throw Unhappy()
      }
    }
    #expect(painter.name == "Berthe")
    let task = Task { @MainActor in
      try await container.perform { context in
        try context.existingObject(with: id, as: Painter.self).name = "Édouard"
        try context.save()
      }
      return painter.name
    }
    #expect(try await task.value == "Édouard")
  }

  @Test("perform can be called from an actor, a detached task and a function of the caller's actor")
  func isolations() async throws {
    actor Counter {
      func count(_ container: PersistentContainer) async throws -> Int {
        try await container.perform { try $0.count(Painter.self) }
      }
    }
    nonisolated(nonsending) func count(_ container: PersistentContainer) async throws -> Int {
      try await container.perform { try $0.count(Painter.self) }
    }
    let container = try TestStore().atelier()
    #expect(try await Counter().count(container) == 0)
    #expect(try await count(container) == 0)
    let task = Task.detached { try await container.perform { try $0.count(Painter.self) } }
    #expect(try await task.value == 0)
    let id = try await MainActor.run { () throws -> ManagedObjectID in
      let painter = Painter(context: container.viewContext, name: "Rosa")
      try container.viewContext.save()
      return painter.objectID
    }
    try await container.perform { context in
      try context.existingObject(with: id, as: Painter.self).name = "Berthe"
      try context.save()
    }
    let name = try await Self.shownName(id, container)
    #expect(name == "Berthe")
  }

  @MainActor
  private static func shownName(_ id: ManagedObjectID, _ container: PersistentContainer)
    async throws
    -> String
  {
    let painter = try container.viewContext.existingObject(with: id, as: Painter.self)
    for _ in 0..<200 where painter.name != "Berthe" { await Task.yield() }
    return painter.name
  }

  @Test(
    "perform merges after its first save, also after one that was refused", arguments: bothStores)
  func performMerges(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    let id = try await container.perform { context in
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      return painter.objectID
    }
    let found = try await container.perform { context in
      let painter = try context.existingObject(with: id, as: Painter.self)
      let other = container.makeContext()
      try other.existingObject(with: id, as: Painter.self).prizes = 5
      try other.save()
      #expect(context.mergeChanges().isEmpty, "it sees one state until its first save")
      painter.prizes += 1
      #expect(throws: PersistenceError.self) { try context.save() }
      context.rollback()
      context.mergeChanges()
      painter.prizes += 1
      try context.save()
      return painter.prizes
    }
    #expect(found == 6)
    let name = try await container.perform { context in
      let painter = try context.existingObject(with: id, as: Painter.self)
      context.mergeChanges()
      try context.transaction {
        painter.prizes = 7; try context.save()
      }
      let other = container.makeContext()
      try other.existingObject(with: id, as: Painter.self).name = "Berthe"
      try other.save()
      context.mergeChanges()
      return painter.name
    }
    #expect(name == "Berthe", "a transaction is a write, too")
  }

  // MARK: What a review has found

  @Test("a transaction above the limit is merged by hand, too", arguments: bothStores)
  func largeTransaction(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    container.commitLogLimits = CommitLogLimits(rowCount: 1)
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: other, name: "1")
    try other.save()
    mine.mergeChanges()
    let found = try mine.existingObject(with: painter.objectID, as: Painter.self)
    try other.transaction {
      for name in ["2", "3"] {
        painter.name = name
        try other.save()
      }
    }
    #expect(mine.mergeChanges().invalidatesAll && found.name == "3")
  }

  @Test("a place that the store has ended holds nobody up", arguments: bothStores)
  func endedPlace(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let painter = Painter(context: other, name: "1")
    try other.save()
    mine.mergeChanges()
    let position = container.runtime.log.position
    let place = try #require(container.store.commitOrder).reserve()
    painter.name = "2"
    try other.save()
    #expect(container.runtime.log.position == position, "it waits for the other one")
    try #require(container.store.commitOrder).end(place)
    // An empty transaction has nothing to publish, and lets the others go on.
    try other.transaction {}
    #expect(container.runtime.log.position == position + 1)
  }

  @Test("commits without rows do not fill the log")
  func emptyCommits() throws {
    let container = try TestStore().atelier()
    container.commitLogLimits = CommitLogLimits(rowCount: 100)
    let saves = container.saves
    let context = container.makeContext()
    for _ in 0..<300 {
      try context.executeUnsafe(
        sql: "UPDATE \(table: Painter.self) SET \(column: \Painter.name) = 'a'")
      _ = try context.updateAll(Painter.self) { $0.prizes.set(to: 1) }
    }
    #expect(container.runtime.log.keptRowCount <= 100)
    withExtendedLifetime(saves) {}
  }

  @Test("rows that a cascade has deleted unread, and others too", arguments: bothStores)
  func unreadDeletions(_ kind: StoreKind) throws {
    let container = try Society.container(TestStore(kind))
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let work = try other.insert("Work")
    for _ in 0..<2 { try other.insert("Part").setValue(work, forKey: "whole") }
    try other.save()
    mine.delete(try mine.existingObject(with: work.objectID))
    other.delete(work)
    try other.save()
    mine.mergeChanges()
    try mine.save()
    #expect(!mine.hasChanges)
  }

  /// Three tags and a work, which is deleted in the first context and linked in the second one.
  private func linkedWhileDeleted(_ kind: StoreKind) throws -> (
    mine: ManagedObjectContext, tag: ManagedObject, work: ManagedObject, deleted: ManagedObject
  ) {
    let container = try Society.container(TestStore(kind))
    let (mine, other) = (container.makeContext(), container.makeContext())
    let objects = try ["Tag", "Work", "Tag"].map { try mine.insert($0) }
    try mine.save()
    mine.delete(objects[2])
    let theirs = try objects.map { try other.existingObject(with: $0.objectID) }
    (try theirs[0].value(forKey: "related") as? ToMany<ManagedObject>)?.insert(theirs[2])
    (try theirs[1].value(forKey: "tags") as? OrderedToMany<ManagedObject>)?.append(theirs[2])
    try other.save()
    return (mine, objects[0], objects[1], objects[2])
  }

  @Test(
    "a list that is read hides what is deleted here, and a rollback or a refresh shows it",
    arguments: bothStores, [true, false])
  func deletedInLists(_ kind: StoreKind, _ rollsBack: Bool) throws {
    let (mine, tag, work, deleted) = try linkedWhileDeleted(kind)
    #expect((try tag.value(forKey: "related") as? ToMany<ManagedObject>)?.count == 0)
    #expect(try tag.shown()["related"] == "")
    #expect(try work.shown()["tags"] == "")
    #expect(mine.graphProblems.isEmpty)
    if rollsBack { mine.rollback() } else { try mine.refresh(deleted, mergeChanges: false) }
    #expect(!mine.hasChanges)
    #expect(try tag.shown()["related"] == "Tag\(deleted.key)")
    #expect(try work.shown()["tags"] == "Tag\(deleted.key)")
    #expect(try deleted.shown()["related"] == "Tag\(tag.key)")
    #expect(try deleted.shown()["works"] == "Work\(work.key)")
    #expect(mine.graphProblems.isEmpty)
  }

  @Test("the save deletes it with the links that others have added", arguments: bothStores)
  func deletedInSavedLists(_ kind: StoreKind) throws {
    let (mine, tag, work, deleted) = try linkedWhileDeleted(kind)
    #expect(try tag.shown()["related"] == "" && work.shown()["tags"] == "")
    mine.mergePolicy = .mergeByPropertyObjectTrump
    try mine.save()
    #expect(deleted.managedObjectContext == nil)
    #expect(try tag.shown()["related"] == "" && work.shown()["tags"] == "")
    mine.refreshAllObjects()
    #expect(try tag.shown()["related"] == "" && work.shown()["tags"] == "")
  }

  @Test(
    "a count leaves out what is deleted here, whatever others have moved", arguments: bothStores)
  func deletedInCounts(_ kind: StoreKind) throws {
    let container = try Society.container(TestStore(kind))
    let (mine, other) = (container.makeContext(), container.makeContext())
    let (studio, person) = (try mine.insert("Studio"), try mine.insert("Person"))
    try mine.save()
    mine.delete(person)
    let helpers = try other.existingObject(with: studio.objectID).value(forKey: "helpers")
    (helpers as? ToMany<ManagedObject>)?.insert(
      try other.existingObject(with: person.objectID))
    try other.save()
    let list = try #require(try studio.value(forKey: "helpers") as? ToMany<ManagedObject>)
    #expect(list.count == 0)
    #expect(list.map { $0 }.isEmpty)
  }

  // MARK: Costs

  @Test("a merge by entities reads changed objects, 100 in a statement")
  func statements() throws {
    let container = try TestStore().atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    var painters: [Painter] = []
    for number in 0..<450 { painters.append(Painter(context: mine, name: "\(number)")) }
    try mine.save()
    for painter in painters[..<250] { painter.name = "changed" }
    _ = try other.updateAll(Painter.self) { $0.prizes.set(to: 3) }
    let log = StatementLog()
    mine.statementLog = log
    mine.mergeChanges()
    #expect(log.records.map(\.reason.operation) == [.merge, .merge, .merge])
    #expect(painters[0].name == "changed" && painters[0].prizes == 3)
    #expect(log.records.count == 3)
    #expect(painters[449].isFault)
    try mine.save()
    #expect(try container.makeContext().count(Painter.self) { $0.name == "changed" } == 250)
  }

  @Test("above its limits, the log keeps only entities, and a context reads the objects again")
  func limits() throws {
    let container = try TestStore().atelier()
    container.commitLogLimits = CommitLogLimits(rowCount: 10)
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    let painter = Painter(context: mine, name: "Rosa")
    let pigment = Pigment(context: mine, name: "Ochre")
    try mine.save()
    let theirs = try other.existingObject(with: painter.objectID, as: Painter.self)
    for number in Int16(1)...30 {
      theirs.prizes = number
      try other.save()
    }
    #expect(container.runtime.log.keptRowCount <= 10)
    let changes = mine.mergeChanges()
    #expect(changes.invalidatesAll && painter.prizes == 30)
    #expect(!pigment.isFault, "nothing was written of its entity")
    // Texts are counted in bytes.
    container.commitLogLimits = CommitLogLimits(byteCount: 10_000)
    for number in 0..<30 {
      theirs.name = String(repeating: "\(number % 10)", count: 150)
      try other.save()
    }
    #expect(container.runtime.log.keptRowCount < 30)
    mine.mergeChanges()
    #expect(painter.name == theirs.name)
    // One save with more rows than that is not kept at all.
    for number in 0..<20 { _ = Painter(context: other, name: "\(number)") }
    container.commitLogLimits = CommitLogLimits(rowCount: 10)
    try other.save()
    #expect(container.runtime.log.keptRowCount <= 1)
  }

  @Test("nothing is kept while nobody merges, and what was merged is released")
  func released() throws {
    let container = try TestStore().atelier()
    let other = container.makeContext()
    let painter = Painter(context: other, name: "Rosa")
    try other.save()
    #expect(container.runtime.log.keptRowCount == 0)
    var mine: ManagedObjectContext? = container.makeContext()
    mine?.automaticallyMergesChanges = true
    painter.name = "Berthe"
    try other.save()
    #expect(container.runtime.log.keptRowCount == 1)
    mine?.mergeChanges()
    #expect(container.runtime.log.keptRowCount == 0)
    painter.name = "Édouard"
    try other.save()
    #expect(container.runtime.log.keptRowCount == 1)
    mine = nil
    #expect(container.runtime.log.keptRowCount == 0)
    _ = mine
  }

  // MARK: Other ways

  @Test("changes of another container for the same file are merged as values")
  func foreign() async throws {
    let test = try TestStore()
    let (here, there) = (try test.atelier(), try test.atelier())
    var saves = there.saves.makeAsyncIterator()
    let mine = here.makeContext()
    let painter = Painter(context: mine, name: "Rosa")
    let second = Painter(context: mine, name: "Second")
    try mine.save()
    second.prizes = 4
    let others = there.makeContext()
    others.name = "import"
    others.transactionAuthor = "robot"
    try others.existingObject(with: painter.objectID, as: Painter.self).name = "Berthe"
    try others.existingObject(with: second.objectID, as: Painter.self).name = "Other"
    _ = Painter(context: others, name: "New")
    try others.save()
    let changes = try #require(await saves.next())
    #expect(
      changes.updated.map(\.description).sorted()
        == [painter, second].map { "\($0.objectID)" }.sorted())
    #expect(changes.inserted.count == 1 && changes.isComplete)
    #expect(changes.changedProperties(of: painter.objectID) == ["name"])
    #expect(changes.contextName == "import" && changes.author == "robot")
    #expect(!changes.program.isEmpty && abs(changes.date.timeIntervalSinceNow) < 60)
    let sent = try JSONDecoder().decode(SavedChanges.self, from: JSONEncoder().encode(changes))
    #expect(
      sent.updated == changes.updated && sent.changedProperties(of: second.objectID) == ["name"])
    let merged = try mine.mergeChanges(from: sent)
    #expect(merged.refreshed == [painter, second])
    #expect(painter.name == "Berthe" && second.name == "Other" && second.prizes == 4)
    try mine.save()
    // Deleted there: it leaves.
    others.delete(try others.existingObject(with: painter.objectID))
    try others.save()
    let deletion = try #require(await saves.next())
    #expect(deletion.deleted == [painter.objectID])
    try mine.mergeChanges(from: deletion)
    #expect(painter.isDeleted && painter.managedObjectContext == nil)
  }

  @Test("the stream has every commit in order: saves, batches, transactions, but none undone")
  func stream() async throws {
    struct Undone: Error {}
    let container = try TestStore().atelier()
    var saves = container.saves.makeAsyncIterator()
    let context = container.makeContext()
    let first = Painter(context: context, name: "1")
    try context.save()
    _ = try context.updateAll(Painter.self) { $0.prizes.set(to: 1) }
    _ = try? context.transaction {
      _ = Painter(context: context, name: "undone")
      try context.save()
      throw Undone()
    }
    var inner: ManagedObjectID?
    try context.transaction {
      let painter = Painter(context: context, name: "2")
      try context.save()
      inner = painter.objectID
      context.delete(first)
      try context.save()
    }
    #expect(try #require(await saves.next()).inserted.count == 1)
    #expect(try #require(await saves.next()).entities == ["Painter"])
    let last = try #require(await saves.next())
    #expect(last.inserted == [try #require(inner)] && last.deleted.count == 1)
    // A slow reader is told that it has missed some.
    container.commitLogLimits = CommitLogLimits(rowCount: 3)
    for number in 0..<10 {
      _ = Painter(context: context, name: "\(number)")
      try context.save()
    }
    let dropped = try #require(await saves.next())
    #expect(!dropped.isComplete && dropped.entities == ["Painter"] && dropped.inserted.isEmpty)
    #expect(try #require(await saves.next()).isComplete)
  }

  @Test("the stream ends with its container, and when its task is canceled")
  func streamEnds() async throws {
    var container: PersistentContainer? = try TestStore(.memory).atelier()
    let saves = try #require(container?.saves)
    let waiting = Task {
      var count = 0
      for await _ in saves { count += 1 }
      return count
    }
    let canceled = Task { for await _ in saves {} }
    canceled.cancel()
    await canceled.value
    do {
      let context = try #require(container?.makeContext())
      _ = Painter(context: context, name: "Rosa")
      try context.save()
    }
    container = nil
    #expect(await waiting.value == 1)
    _ = container
  }

  @Test("what insertAll has written is merged, too", arguments: bothStores)
  func insertedRows(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    mine.automaticallyMergesChanges = true
    _ = try other.insertAll(Pigment.self, from: ["Ochre", "Umber"]) { pigment, name in
      pigment.name.set(to: name)
    }
    #expect(mine.mergeChanges().merged.map(\.inserted.count) == [2])
  }
}
