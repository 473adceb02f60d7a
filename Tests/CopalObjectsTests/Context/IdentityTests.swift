import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Ids and identity of objects")
struct IdentityTests {
  @Test(
    "an id becomes permanent at the first save, and the temporary id still resolves",
    arguments: bothStores)
  func permanent(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painters = (0..<300).map { Painter(context: context, name: "Painter \($0)") }
    let pigment = Pigment(context: context, name: "Ochre")
    let (temporary, ochre) = (painters.map(\.objectID), pigment.objectID)
    #expect(temporary.allSatisfy { $0.isTemporary } && Set(temporary).count == 300)
    try context.save()
    #expect(!painters.contains { $0.objectID.isTemporary })
    for (id, painter) in zip(temporary, painters) {
      #expect(try context.existingObject(with: id) === painter)
    }
    #expect(try context.object(with: ochre) === pigment)
    context.reset()
    for (number, id) in temporary.enumerated() {
      let painter = try context.existingObject(with: id, as: Painter.self)
      #expect(painter.name == "Painter \(number)")
    }
    #expect(throws: PersistenceError.self) {
      try container.makeContext().existingObject(with: temporary[7])
    }
  }

  @Test("a temporary id resolves before the first save, as long as the object is inserted")
  func unsaved() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let first = Painter(context: context, name: "Rosa")
    #expect(try context.object(with: first.objectID) === first)
    // Objects inserted after the first look-up are found too.
    let others = (0..<100).map { Painter(context: context, name: "Painter \($0)") }
    for painter in others {
      #expect(try context.existingObject(with: painter.objectID) === painter)
    }
    context.delete(others[50])
    let gone = #expect(throws: PersistenceError.self) {
      try context.existingObject(with: others[50].objectID)
    }
    #expect(gone?.code == .objectUnsaved)
    let temporary = first.objectID
    try context.save()
    #expect(try context.object(with: temporary) === first)
    // A new list starts after the save.
    let next = Painter(context: context, name: "Next")
    #expect(try context.object(with: next.objectID) === next)
    #expect(context.registeredObjects == Set([first, next] + others.filter { $0 != others[50] }))
  }

  @Test(
    "registeredObject(for:) finds what the context has, and never reads the store",
    arguments: bothStores)
  func registered(_ kind: StoreKind) throws {
    let store = try TestStore(kind)
    let container = try store.atelier()
    let context = container.makeContext()
    let rosa = Painter(context: context, name: "Rosa")
    let temporary = rosa.objectID
    #expect(context.registeredObject(for: temporary) === rosa)
    try context.save()
    #expect(context.registeredObject(for: temporary) === rosa)
    #expect(context.registeredObject(for: rosa.objectID) === rosa)

    let other = container.makeContext()
    let elsewhere = try TestStore(kind).atelier().makeContext()
    let statements = try store.recorder.statements {
      #expect(other.registeredObject(for: rosa.objectID) == nil)
      #expect(elsewhere.registeredObject(for: rosa.objectID) == nil)
      let fault = try other.object(with: rosa.objectID)
      #expect(other.registeredObject(for: rosa.objectID) === fault && fault.isFault)
    }
    #expect(statements.isEmpty)

    // As in Core Data, an object is registered until its deletion is saved.
    context.delete(rosa)
    #expect(context.registeredObject(for: rosa.objectID) === rosa)
    try context.save()
    #expect(context.registeredObject(for: rosa.objectID) == nil)
    context.reset()
    #expect(context.registeredObject(for: rosa.objectID) == nil)
  }

  @Test(
    "a temporary id of an object that was never saved does not resolve in another context",
    arguments: bothStores)
  func neverSaved(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let id = Painter(context: context, name: "Rosa").objectID
    let look: [(ManagedObjectContext) throws -> Void] = [
      { _ = try $0.object(with: id) }, { _ = try $0.existingObject(with: id) },
      { _ = try $0.objects(with: [id]) },
    ]
    for look in look {
      let error = #expect(throws: PersistenceError.self) { try look(container.makeContext()) }
      #expect(error?.code == .objectUnsaved && error?.objectID == id)
    }
    context.rollback()
    for look in look {
      let error = #expect(throws: PersistenceError.self) { try look(context) }
      #expect(error?.code == .objectUnsaved)
    }
  }

  @Test(
    "a saved deletion removes the temporary id of its object and no other id",
    arguments: bothStores)
  func deleted(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let painters = (0..<5).map { Painter(context: context, name: "Painter \($0)") }
    let temporary = painters.map(\.objectID)
    try context.save()
    let (permanent, stable) = (painters.map(\.objectID), painters.map(\.id))
    #expect(stable == temporary)
    context.delete(painters[2])
    #expect(try context.existingObject(with: temporary[2]) === painters[2])
    try context.save()
    for look in [ManagedObjectContext.object(with:), ManagedObjectContext.existingObject(with:)] {
      let error = #expect(throws: PersistenceError.self) { try look(context)(temporary[2]) }
      #expect(error?.code == .objectUnsaved && error?.objectID == temporary[2])
    }
    let missing = #expect(throws: PersistenceError.self) {
      try context.existingObject(with: permanent[2])
    }
    #expect(missing?.code == .objectMissing)
    for index in [0, 1, 3, 4] {
      #expect(try context.existingObject(with: temporary[index]) === painters[index])
    }
    // The released context's object keeps its id.
    #expect(painters.map(\.id) == stable && painters.map(\.objectID) == permanent)

    // An object that another context has deleted was saved in this context, so its temporary id
    // resolves.
    let other = container.makeContext()
    other.delete(try other.existingObject(with: permanent[3]))
    try other.save()
    context.reset()
    let gone = #expect(throws: PersistenceError.self) {
      try context.existingObject(with: temporary[3])
    }
    #expect(gone?.code == .objectMissing)
  }

  @Test("new objects of two contexts never share an id")
  func temporaryIDs() throws {
    let container = try TestStore(.memory).atelier()
    let contexts = (0..<4).map { _ in container.makeContext() }
    let ids = (0..<2000).map { Painter(context: contexts[$0 % 4], name: "Rosa").objectID }
    #expect(Set(ids).count == 2000)
  }

  @Test("a key is not used twice, even after the last object is deleted", arguments: bothStores)
  func keys(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    var seen: Set<ManagedObjectID> = []
    // Few objects are inserted one by one, many in batches.
    for count in [1, 1, 150, 1, 150, 150] {
      let painters = (0..<count).map { Painter(context: context, name: "Painter \($0)") }
      try context.save()
      for painter in painters { #expect(seen.insert(painter.objectID).inserted) }
      context.refreshAllObjects()
      #expect(painters.map(\.name) == (0..<count).map { "Painter \($0)" })
      for painter in painters { context.delete(painter) }
      try context.save()
    }
  }

  @Test("an id is equal after conversion to URI or JSON, and after reopening its store", .modelAsIs)
  func codable() throws {
    let store = try TestStore()
    let id = {
      let context = try store.atelier().makeContext()
      let painter = Painter(context: context, name: "Rosa")
      try context.save()
      return painter.objectID
    }
    let written = try id()
    let data = try JSONEncoder().encode([written])
    #expect(String(decoding: data, as: UTF8.self).contains("Painter"))
    let read = try JSONDecoder().decode([ManagedObjectID].self, from: data)
    let fromText = try #require(ManagedObjectID(uri: written.description))
    #expect(read == [written] && fromText == written && fromText.hashValue == written.hashValue)
    let context = try store.atelier().makeContext()
    #expect(try context.existingObject(with: fromText, as: Painter.self).name == "Rosa")
    #expect(try context.existingObject(with: read[0]) === context.existingObject(with: fromText))
  }

  @Test(
    "a text that is not an id is refused",
    arguments: [
      "", "copal://", "copal://x/Painter/p1", "http://a/b/p1",
      "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F/Painter/p0",
      "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F/Painter/p-1",
      "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F/Painter/q1",
      "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F//p1",
      "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F/Painter/p9223372036854775808",
      "copal://E621E1F8-C36C-495A-93FC-0C247A3E6E5F/Being/Person/Painter/p1",
    ])
  func noID(text: String) {
    #expect(ManagedObjectID(uri: text) == nil)
    #expect(throws: DecodingError.self) {
      try JSONDecoder().decode([ManagedObjectID].self, from: JSONEncoder().encode([text]))
    }
  }

  @Test("an id of another store or an unknown entity is refused", arguments: bothStores)
  func foreign(_ kind: StoreKind) throws {
    let (here, there) = (try TestStore(kind).atelier(), try TestStore(kind).atelier())
    let other = there.makeContext()
    let painter = Painter(context: other, name: "Rosa")
    let context = here.makeContext()
    for _ in 0..<2 {
      let error = #expect(throws: PersistenceError.self) {
        try context.object(with: painter.objectID)
      }
      #expect(error?.code == .idOfAnotherStore && error?.objectID == painter.objectID)
      try other.save()
    }
    let unknown = try #require(ManagedObjectID(uri: "copal://\(here.storeIdentifier)/Sculptor/p1"))
    #expect(throws: PersistenceError.self) { try context.object(with: unknown) }
  }

  @Test("an object can be requested by id as its class", arguments: bothStores)
  func classes(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    let error = #expect(throws: PersistenceError.self) {
      try context.object(with: painter.objectID, as: Pigment.self)
    }
    #expect(error?.code == .wrongClass && error?.expected == "Painter" && error?.found == "Pigment")
  }

  @Test(
    "the id of Identifiable stays equal over the first save and for another instance",
    arguments: bothStores
  )
  func identifiable(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    var before: [ManagedObjectID] = []
    do {
      let painters = (0..<3).map { Painter(context: context, name: "Painter \($0)") }
      before = painters.map(\.id)
      try context.save()
      #expect(painters.map(\.id) == before)
    }
    #expect(context.registeredObjects.isEmpty)
    let again = try context.fetch(Painter.self)
    #expect(again.map(\.id) == before)
    #expect(Set(again.map(\.objectID)).isDisjoint(with: before))
  }

  @Test("two variables are equal objects when they are the same instance", arguments: bothStores)
  func sets(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let (first, second) = (
      Painter(context: context, name: "Rosa"), Painter(context: context, name: "Rosa")
    )
    var set: Set<Painter> = [first, second, first]
    try context.save()
    #expect(set.count == 2 && set.contains(first))
    #expect(try set.contains(context.existingObject(with: first.objectID, as: Painter.self)))
    let elsewhere = try container.makeContext().existingObject(
      with: first.objectID, as: Painter.self)
    #expect(elsewhere != first && elsewhere.objectID == first.objectID)
    set.insert(elsewhere)
    #expect(set.count == 3)
  }
}
