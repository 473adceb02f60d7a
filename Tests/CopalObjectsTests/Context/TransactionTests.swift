import Copal
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Transactions of several saves")
struct TransactionTests {
  private struct Stop: Error {}

  private func names(_ context: ManagedObjectContext) throws -> [String] {
    try context.fetch(Painter.self).map(\.name)
  }

  @Test(
    "all saves and batches are committed together, and others see nothing before",
    arguments: bothStores)
  func together(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (context, other) = (container.makeContext(), container.makeContext())
    let rosa = Painter(context: context, name: "Rosa")
    try context.save()
    let held = try other.fetch(Painter.self)
    let count = try context.transaction {
      _ = Painter(context: context, name: "Berthe")
      try context.save()
      #expect(
        try context.updateAll(Painter.self, where: { $0.name == "Rosa" }) { $0.prizes.set(to: 7) }
          == 1)
      #expect(rosa.prizes == 7)
      try context.insertAll("Painter", [["name": "Mary"]])
      #expect(try context.deleteAll(Painter.self) { $0.name == "Berthe" } == 1)
      #expect(try names(context) == ["Rosa", "Mary"])
      #expect(try names(other) == ["Rosa"])
      #expect(held.map(\.prizes) == [0])
      return try context.count(Painter.self)
    }
    #expect(count == 2)
    #expect(try names(other) == ["Rosa", "Mary"])
    // The other context notices the batch after the commit.
    #expect(held.map(\.prizes) == [7])
  }

  @Test("an error undoes everything, and the context is as at the start", arguments: bothStores)
  func undone(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    let mary = Painter(context: context, name: "Mary")
    try context.save()
    var added: Painter?
    var pending: Painter?
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.updateAll(Painter.self) { $0.email.set(to: "a@b") }
        added = Painter(context: context, name: "Berthe")
        rosa.prizes = 3
        context.delete(mary)
        try context.save()
        rosa.name = "Unsaved"
        pending = Painter(context: context, name: "Unsaved")
        throw Stop()
      }
    }
    #expect(!context.hasChanges && context.insertedObjects.isEmpty)
    #expect(rosa.name == "Rosa" && rosa.prizes == 0 && rosa.email == nil && !rosa.hasChanges)
    #expect(try names(context) == ["Rosa", "Mary"])
    // Inserted objects leave the context, and keep their values.
    #expect(added?.managedObjectContext == nil && added?.name == "Berthe")
    #expect(pending?.managedObjectContext == nil && pending?.name == "Unsaved")
    // The deleted one is found as a new instance.
    #expect(mary.managedObjectContext == nil)
    let found = try context.fetch(Painter.self) { $0.name == "Mary" }
    #expect(found.count == 1 && found.first !== mary)
    #expect(found.first?.objectID == mary.objectID)
    // The context can be used.
    rosa.prizes = 4
    found.first?.prizes = 5
    try context.save()
    #expect(try container.makeContext().fetch(Painter.self).map(\.prizes) == [4, 5])
  }

  @Test(
    "an object whose insertion is undone is in no list, by whatever relationship it was added",
    arguments: bothStores, LinkedPair.all)
  func lists(_ kind: StoreKind, _ pair: LinkedPair) throws {
    for (isBatch, isNested) in [(false, false), (true, false), (false, true), (true, true)] {
      let container = try Society.container(TestStore(kind))
      let context = container.makeContext()
      let owner = try context.insert(pair.first.entity)
      let kept = try context.insert(pair.second.entity)
      try pair.link(owner, kept, by: .first)
      try context.save()
      #expect(try pair.first.others(of: owner) == [kept])
      // A one-to-one relationship has one object only.
      func undone() throws {
        let added: ManagedObject
        if isBatch {
          let ids = try context.insertAll(pair.second.entity, [[:]])
          added = try context.existingObject(with: #require(ids.first))
        } else {
          added = try context.insert(pair.second.entity)
          try context.save()
        }
        try pair.link(owner, added, by: .first)
        #expect(try pair.first.has(added, owner))
        throw Stop()
      }
      if isNested {
        try context.transaction {
          #expect(throws: Stop.self) { try context.transaction { try undone() } }
        }
      } else {
        #expect(throws: Stop.self) { try context.transaction { try undone() } }
      }
      #expect(try pair.first.others(of: owner).map(\.objectID) == [kept.objectID])
      #expect(context.graphProblems == [] && !context.hasChanges)
      let last = try context.insert(pair.second.entity)
      try pair.link(owner, last, by: .first)
      try context.save()
      let expected = pair.isOneToOne ? [last.objectID] : [kept.objectID, last.objectID]
      #expect(try pair.first.others(of: owner).map(\.objectID) == expected)
      let fresh = container.makeContext()
      let stored = try pair.first.others(of: fresh.existingObject(with: owner.objectID))
      #expect(stored.map(\.objectID) == expected)
    }
  }

  @Test("an id of an undone object is never that of another one", arguments: bothStores)
  func ids(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    var ids: [ManagedObjectID] = []
    for _ in 0..<3 {
      #expect(throws: Stop.self) {
        try context.transaction {
          let painter = Painter(context: context, name: "Berthe")
          let temporary = painter.objectID
          try context.save()
          ids += try context.insertAll("Painter", [["name": "Mary"]])
          ids.append(painter.objectID)
          ids.append(temporary)
          throw Stop()
        }
      }
    }
    for id in ids {
      #expect(throws: PersistenceError.self) { try context.existingObject(with: id) }
    }
    let rosa = Painter(context: container.makeContext(), name: "Rosa")
    try rosa.managedObjectContext?.save()
    #expect(!ids.contains(rosa.objectID))
    #expect(Set(ids).count == ids.count)
  }

  @Test("an inner transaction undoes its own part", arguments: bothStores)
  func nested(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    try context.save()
    try context.transaction {
      rosa.prizes = 1
      try context.save()
      #expect(throws: Stop.self) {
        try context.transaction {
          rosa.prizes = 2
          _ = Painter(context: context, name: "Berthe")
          try context.save()
          try context.transaction {
            rosa.prizes = 3
            try context.save()
          }
          #expect(rosa.prizes == 3)
          throw Stop()
        }
      }
      #expect(rosa.prizes == 1)
      #expect(try names(context) == ["Rosa"])
      _ = Painter(context: context, name: "Mary")
      try context.save()
      try context.transaction { try context.deleteAll(Painter.self) { $0.name == "Rosa" } }
    }
    #expect(try names(container.makeContext()) == ["Mary"])
  }

  @Test("an outer error undoes what an inner transaction has written", arguments: bothStores)
  func outer(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    var berthe: Painter?
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.transaction {
          berthe = Painter(context: context, name: "Berthe")
          try context.save()
        }
        throw Stop()
      }
    }
    #expect(try names(context) == [])
    #expect(berthe?.managedObjectContext == nil)
  }

  @Test("it begins without unsaved changes, and leaves those at its end", arguments: bothStores)
  func unsaved(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    let error = #expect(throws: PersistenceError.self) { try context.transaction {} }
    #expect(error?.code == .transactionPendingChanges && error?.found == "Painter")
    try context.save()
    try context.transaction {
      rosa.prizes = 1
      let inner = #expect(throws: PersistenceError.self) { try context.transaction {} }
      #expect(inner?.code == .transactionPendingChanges)
    }
    #expect(rosa.hasChanges && rosa.prizes == 1)
    try context.save()
  }

  @Test("a save that fails in the body leaves the earlier ones", arguments: bothStores)
  func conflict(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    try context.transaction {
      let ochre = Pigment(context: context, name: "Ochre")
      ochre.code = "PY1"
      try context.save()
      let umber = Pigment(context: context, name: "Umber")
      umber.code = "PY1"
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .uniqueConflict || error?.causeCodes == [.uniqueConflict])
      umber.code = "PY2"
      try context.save()
    }
    #expect(try container.makeContext().fetch(Pigment.self).map(\.code) == ["PY1", "PY2"])
  }

  @Test("the write of another context waits, and throws store.busy")
  func busy() throws {
    let test = try TestStore()
    var options = SQLiteStore.Options()
    options.busyTimeoutSeconds = 0.05
    let container = try PersistentContainer(
      model: .atelier, store: test.configuration(options), transformers: TestTransformers.atelier)
    let (context, other) = (container.makeContext(), container.makeContext())
    try context.transaction {
      _ = Painter(context: other, name: "Mary")
      let save = #expect(throws: PersistenceError.self) { try other.save() }
      #expect(save?.code == .busy)
      other.rollback()
      let begin = #expect(throws: PersistenceError.self) { try other.transaction {} }
      #expect(begin?.code == .busy)
      _ = Painter(context: context, name: "Rosa")
      try context.save()
    }
    _ = Painter(context: other, name: "Mary")
    try other.save()
    #expect(try names(context) == ["Rosa", "Mary"])
  }

  @Test("two threads wait for each other", arguments: bothStores)
  func threads(_ kind: StoreKind) async throws {
    let container = try TestStore(kind).atelier()
    try await withThrowingTaskGroup { group in
      for _ in 0..<4 {
        group.addTask {
          try await container.perform { context in
            for _ in 0..<10 {
              try context.transaction {
                let count = try context.count(Painter.self)
                _ = Painter(context: context, name: "\(count)")
                try context.save()
                _ = Painter(context: context, name: "\(count + 1)")
                try context.save()
              }
            }
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(try names(container.makeContext()) == (0..<80).map { "\($0)" })
  }

  @Test("a store without transactions says so")
  func without() throws {
    let container = try PersistentContainer(
      model: .atelier, store: Outage().configuration, transformers: TestTransformers.atelier)
    let error = #expect(throws: PersistenceError.self) {
      try container.makeContext().transaction {}
    }
    #expect(error?.code == .noTransactions)
  }

  @Test("members of relationships are those of the start", arguments: bothStores)
  func members(_ kind: StoreKind) throws {
    let container = try TestStore(kind).container(.depot, transformers: [])
    let context = container.makeContext()
    let binder = Binder(context: context, name: "A")
    let book = Book(context: context, name: "B")
    let sheets = (Int64(0)..<3).map { Sheet(context: context, number: $0) }
    for sheet in sheets { sheet.binder = binder }
    book.leaves.append(sheets[0])
    sheets[1].plateOf.insert(book)
    try context.save()
    #expect(throws: Stop.self) {
      try context.transaction {
        sheets[0].binder = nil
        context.delete(sheets[1])
        let sheet = Sheet(context: context, number: 9)
        sheet.binder = binder
        book.leaves.append(sheets[2])
        book.plates.append(sheet)
        try context.save()
        #expect(binder.sheets.count == 2 && book.plates.map(\.number) == [9])
        book.plates.append(sheets[2])
        throw Stop()
      }
    }
    #expect(Set(binder.sheets.map(\.number)) == [0, 1, 2])
    #expect(book.leaves.map(\.number) == [0] && book.plates.map(\.number) == [1])
    #expect(sheets[0].binder === binder && sheets[2].plateOf.isEmpty)
    #expect(!context.hasChanges)
    book.plates.append(sheets[2])
    try context.save()
    let other = container.makeContext()
    #expect(try other.fetch(Book.self).first?.plates.map(\.number) == [1, 2])
  }

  @Test("the hooks are called at each save, and after an error the context has no changes")
  func hooks() throws {
    let container = try TestStore().container(.depot, transformers: [])
    let context = container.makeContext()
    let load = Load(context: context)
    load.number = 0
    try context.save()
    var calls: [String] = []
    load.onWillSave = { calls.append("will") }
    load.onDidSave = { calls.append("did") }
    #expect(throws: Stop.self) {
      try context.transaction {
        load.number = 1
        try context.save()
        load.number = 2
        try context.save()
        throw Stop()
      }
    }
    #expect(calls == ["will", "did", "will", "did"])
    #expect(load.number == 0 && !context.hasChanges)
  }

  @Test("a temporary id finds its object after an undone deletion", arguments: bothStores)
  func temporaryID(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    let id = rosa.objectID
    try context.save()
    #expect(throws: Stop.self) {
      try context.transaction {
        context.delete(rosa)
        try context.save()
        throw Stop()
      }
    }
    #expect(try (context.existingObject(with: id) as? Painter)?.name == "Rosa")
    #expect(try context.fetch(Painter.self) { $0.objectID == id }.count == 1)
    try context.transaction {
      context.delete(try context.existingObject(with: id))
      try context.save()
    }
    let error = #expect(throws: PersistenceError.self) { try context.existingObject(with: id) }
    #expect(error?.code == .objectUnsaved)
    #expect(context.state.temporaryKeys.isEmpty)
  }

  @Test("a temporary id ends with the outermost transaction that has deleted its object")
  func temporaryIDOfInnerTransaction() throws {
    let context = try TestStore(.sqlite).atelier().makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    let id = rosa.objectID
    try context.save()
    #expect(throws: Stop.self) {
      try context.transaction {
        try context.transaction {
          context.delete(rosa)
          try context.save()
        }
        throw Stop()
      }
    }
    #expect(try context.existingObject(with: id).objectID == rosa.objectID)
    try context.transaction {
      try context.transaction {
        context.delete(try context.existingObject(with: id))
        try context.save()
      }
      #expect(!context.state.temporaryKeys.isEmpty)
    }
    #expect(context.state.temporaryKeys.isEmpty)
  }
}
