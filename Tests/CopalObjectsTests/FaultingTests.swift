import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Faulting")
struct FaultingTests {
  private func faults(
    _ store: TestStore, count: Int = 10, batchSize: Int = 100
  ) throws -> (ManagedObjectContext, [Painter]) {
    let container = try store.atelier()
    let filling = container.makeContext()
    for index in 0..<count { _ = Painter(context: filling, name: "Painter \(index)") }
    try filling.save()
    let context = container.makeContext()
    var request = Painter.fetchRequest()
    request.returnsObjectsAsFaults = true
    request.faultBatchSize = batchSize
    return (context, try context.fetch(request))
  }

  @Test("a fault becomes an object when a value is read", arguments: bothStores)
  func firing(_ kind: StoreKind) throws {
    let (context, painters) = try faults(TestStore(kind))
    #expect(painters.allSatisfy { $0.isFault })
    #expect(painters[3].name == "Painter 3")
    #expect(!painters[3].isFault && !context.hasChanges)
  }

  @Test("one statement serves a batch of neighbors")
  func batch() throws {
    let store = try TestStore()
    let (context, painters) = try faults(store)
    let statements = store.recorder.statements {
      for painter in painters { #expect(!painter.name.isEmpty) }
    }
    #expect(statements.count == 1)
    #expect(!context.hasChanges)
  }

  @Test(
    "in whatever order they are read: forwards, backwards, here and there",
    arguments: [1, 99, 37])
  func orders(step: Int) throws {
    let store = try TestStore()
    let (context, painters) = try faults(store, count: 100, batchSize: 10)
    let statements = store.recorder.statements {
      for index in (0..<100).map({ $0 * step % 100 }) {
        #expect(painters[index].name == "Painter \(index)")
      }
    }
    #expect(statements.count == 10)
    #expect(!context.hasChanges)
  }

  @Test(
    "a batch size of one or less serves one, a huge one everything",
    arguments: [(1, 10), (0, 10), (-5, 10), (3, 4), (Int.max, 1)])
  func sizes(size: Int, statements: Int) throws {
    let store = try TestStore()
    let (context, painters) = try faults(store, batchSize: size)
    let sent = store.recorder.statements {
      for painter in painters.reversed() { _ = painter.name }
    }
    #expect(sent.count == statements)
    #expect(!context.hasChanges)
  }

  @Test("objects by id are faults until they are read, and one batch")
  func byID() throws {
    let store = try TestStore()
    let (context, painters) = try faults(store)
    let ids = painters.map(\.objectID)
    let container = try store.atelier()
    let other = container.makeContext()
    _ = context
    let statements = try store.recorder.statements {
      let objects = try other.objects(with: ids + ids)
      #expect(objects.count == 20 && objects.allSatisfy(\.isFault))
      #expect(Set(objects).count == 10)
      for object in objects { #expect(try object.value(of: "name", as: String.self) != nil) }
    }
    #expect(statements.count { $0.hasPrefix("SELECT") } == 1)
  }

  @Test("a change of a missing object is refused after fulfill, too", arguments: bothStores)
  func fulfillingMissing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: other, name: "Rosa")
    try other.save()
    let fault = try mine.object(with: painter.objectID, as: Painter.self)
    other.delete(painter)
    try other.save()
    mine.readFailureHandler = { _ in }
    fault.name = "Back again"
    #expect(throws: PersistenceError.self) { try mine.fulfill([fault]) }
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.incompleteObject] && fault.hasChanges)
  }

  @Test("fulfill reads many in one statement, and the rest of a list that has a gap")
  func fulfilling() throws {
    let store = try TestStore()
    let (context, painters) = try faults(store, batchSize: 1)
    let container = try store.atelier()
    let other = container.makeContext()
    try other.delete(other.existingObject(with: painters[4].objectID))
    try other.save()
    var error: PersistenceError?
    let statements = store.recorder.statements {
      error = #expect(throws: PersistenceError.self) { try context.fulfill(painters) }
    }
    #expect(statements.count == 1)
    #expect(error?.code == .objectMissing && error?.objectID == painters[4].objectID)
    #expect(painters.enumerated().allSatisfy { $0.offset == 4 || !$0.element.isFault })
  }

  @Test("a fault whose row is gone reads as nothing and says so once", arguments: bothStores)
  func missing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: other, name: "Rosa")
    painter.email = "rosa@example.com"
    try other.save()
    let fault = try mine.object(with: painter.objectID, as: Painter.self)
    other.delete(painter)
    try other.save()

    var told: [PersistenceError.Code] = []
    mine.readFailureHandler = { told.append($0.code) }
    #expect(fault.name == "" && fault.email == nil && fault.prizes == 0)
    #expect(told == [.objectMissing])
    #expect(fault.isFault && fault.isDeleted)
    #expect(throws: PersistenceError.self) { try fault.value(of: "name", as: String.self) }
    #expect(throws: PersistenceError.self) { try mine.existingObject(with: fault.objectID) }
    #expect(throws: PersistenceError.self) { try mine.fulfill(fault) }
    #expect(told == [.objectMissing])
    #expect(try mine.fetch(Painter.self).isEmpty)
  }

  @Test(
    "an object that was written over a missing row cannot be saved, and loses nothing else",
    arguments: bothStores)
  func writingMissing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: other, name: "Rosa")
    try other.save()
    let fault = try mine.object(with: painter.objectID, as: Painter.self)
    other.delete(painter)
    try other.save()
    fault.name = "Back again"
    _ = Painter(context: mine, name: "New")
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.causeCodes == [.incompleteObject])
    try mine.refresh(fault, mergeChanges: false)
    try mine.save()
    #expect(try mine.fetch(Painter.self).map(\.name) == ["New"])
  }

  @Test("an id that never was is a fault, and missing", arguments: bothStores)
  func neverWas(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    for number in ["7", "\(Int64.max)"] {
      let uri = "copal://\(container.storeIdentifier)/Painter/p\(number)"
      let id = try #require(ManagedObjectID(uri: uri))
      let fault = try context.object(with: id)
      #expect(fault.isFault)
      let error = #expect(throws: PersistenceError.self) { try context.existingObject(with: id) }
      #expect(error?.code == .objectMissing && error?.objectID == id)
    }
  }

  @Test(
    "what awakeFromFetch sets is there when a fault is filled, transients first",
    arguments: bothStores)
  func awakes(_ kind: StoreKind) throws {
    let container = try TestStore(kind).studio()
    let filling = container.makeContext()
    let id = {
      let apprentice = Apprentice(context: filling, name: "Paul")
      return { apprentice.objectID }
    }()
    try filling.save()
    let context = container.makeContext()
    let fault = try context.object(with: id(), as: Apprentice.self)
    #expect(fault.takeHeard() == [])
    #expect(fault.mood == "fresh")
    #expect(!fault.isFault && !fault.hasChanges)
    #expect(fault.takeHeard() == ["awakeFromFetch"])
    try context.refresh(fault, mergeChanges: false)
    #expect(fault.takeHeard() == ["didTurnIntoFault"])
  }

  @Test("many results of faults do not pile up in a context")
  func batchesGo() throws {
    let store = try TestStore()
    let (context, painters) = try faults(store, count: 20, batchSize: 5)
    var request = Painter.fetchRequest()
    request.returnsObjectsAsFaults = true
    for _ in 0..<500 { #expect(try context.fetch(request) == painters) }
    #expect(store.recorder.statements { for painter in painters { _ = painter.name } }.count == 1)
  }

  // Schedules of deleting, refaulting and reading: an object shows all of its values or none.
  @Test("rows that others delete: whole or missing, never half", arguments: bothStores)
  func schedules(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    var random = SplitMix(state: 33)
    for _ in 0..<100 {
      let (mine, other) = (container.makeContext(), container.makeContext())
      let written = (0..<6).map { Painter(context: other, name: "Painter \($0)") }
      for painter in written { painter.email = "\(painter.name.dropFirst(8))@example.com" }
      try other.save()
      let ids = written.map(\.objectID)
      var request = Painter.fetchRequest()
      request.returnsObjectsAsFaults = true
      request.faultBatchSize = Int.random(in: 1...4, using: &random)
      _ = try mine.fetch(request)
      var alive = Set(ids)
      for _ in 0..<12 {
        let index = Int.random(in: 0..<6, using: &random)
        let object = try mine.object(with: ids[index], as: Painter.self)
        switch Int.random(in: 0..<4, using: &random) {
        case 0 where alive.remove(ids[index]) != nil:
          other.delete(written[index])
          try other.save()
        case 1: try mine.refresh(object, mergeChanges: false)
        default:
          let wasFault = object.isFault
          let name = object.name
          if wasFault, !alive.contains(ids[index]) { #expect(name == "" || !object.isDeleted) }
          #expect(name == (object.isDeleted ? "" : "Painter \(index)"))
          #expect(object.email == (object.isDeleted ? nil : "\(index)@example.com"))
          if alive.contains(ids[index]) { #expect(!object.isDeleted) }
        }
      }
    }
  }
}
