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

  @Test("a fault is filled when a value is read", .modelAsIs, arguments: bothStores)
  func firing(_ kind: StoreKind) throws {
    let (context, painters) = try faults(TestStore(kind))
    #expect(painters.allSatisfy { $0.isFault })
    #expect(painters[3].name == "Painter 3")
    #expect(!painters[3].isFault && !context.hasChanges)
  }

  @Test("one statement fills a batch of neighboring faults", .modelAsIs)
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
    "faults read in any order take the same number of statements", .modelAsIs,
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
    "a fault batch size of one or less fills one fault, a huge one fills all", .modelAsIs,
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

  @Test("objects by id are faults of one batch until they are read", .modelAsIs)
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

  @Test(
    "a save refuses changes of a missing object, also after fulfill", .modelAsIs,
    arguments: bothStores)
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

  @Test(
    "fulfill reads many objects in one statement, and the other objects when one is missing",
    .modelAsIs)
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

  @Test(
    "a fault without a row reads as nil or zero, and reports it once", .modelAsIs,
    arguments: bothStores)
  func missing(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, other) = (container.makeContext(), container.makeContext())
    let painter = Painter(context: other, name: "Rosa")
    painter.email = "rosa@example.com"
    try other.save()
    let fault = try mine.object(with: painter.objectID, as: Painter.self)
    other.delete(painter)
    try other.save()

    var reported: [PersistenceError.Code] = []
    mine.readFailureHandler = { reported.append($0.code) }
    #expect(fault.name == "" && fault.email == nil && fault.prizes == 0)
    #expect(reported == [.objectMissing])
    #expect(fault.isFault && fault.isDeleted)
    #expect(throws: PersistenceError.self) { try fault.value(of: "name", as: String.self) }
    #expect(throws: PersistenceError.self) { try mine.existingObject(with: fault.objectID) }
    #expect(throws: PersistenceError.self) { try mine.fulfill(fault) }
    #expect(reported == [.objectMissing])
    #expect(try mine.fetch(Painter.self).isEmpty)
  }

  @Test(
    "a changed object without a row cannot be saved, and other changes are kept", .modelAsIs,
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

  @Test("an id that never existed gives a fault that is missing", arguments: bothStores)
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
    "values that awakeFromFetch sets are there when a fault is filled", .modelAsIs,
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

  @Test("a context does not keep the batches of earlier fetches", .modelAsIs)
  func batchesGo() throws {
    let store = try TestStore()
    let (context, painters) = try faults(store, count: 20, batchSize: 5)
    var request = Painter.fetchRequest()
    request.returnsObjectsAsFaults = true
    for _ in 0..<500 { #expect(try context.fetch(request) == painters) }
    #expect(store.recorder.statements { for painter in painters { _ = painter.name } }.count == 1)
  }

  // Random schedules of deleting, refaulting and reading: an object has all of its values or none.
  @Test(
    "an object whose row is deleted elsewhere has all of its values or none", arguments: bothStores)
  func schedules(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    var random = SplitMix(seed: 33)
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
