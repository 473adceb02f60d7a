import Copal
import CopalTestSupport
import Testing

@Suite("Fetching one object")
struct FetchOneTests {
  private func context(_ store: TestStore) throws -> ManagedObjectContext {
    let context = try store.atelier().makeContext()
    for (name, price) in [("Ochre", 4), ("Ultramarine", 20), ("Lead white", 9)] {
      Pigment(context: context, name: name).price = Decimal(price)
    }
    return context
  }

  @Test(
    "first is the first object of the order, saved or not, and nil without one",
    arguments: StoreKind.allCases)
  func first(_ kind: StoreKind) throws {
    let context = try context(TestStore(kind))
    for _ in 0..<2 {
      #expect(try context.first(Pigment.self)?.name == "Ochre")
      #expect(try context.first(Pigment.self, sortedBy: \.price.descending)?.name == "Ultramarine")
      #expect(try context.first(Pigment.self) { $0.price > 4 }?.name == "Ultramarine")
      #expect(try context.first(Pigment.self) { $0.price > 40 } == nil)
      #expect(
        try context.first(Pigment.fetchRequest().limited(to: 5, offset: 2))?.name == "Lead white")
      #expect(try context.first(Pigment.fetchRequest().limited(to: 0)) == nil)
      try context.save()
    }
  }

  @Test(
    "one is the only object, nil without one, and an error for two", arguments: StoreKind.allCases)
  func one(_ kind: StoreKind) throws {
    let context = try context(TestStore(kind))
    for _ in 0..<2 {
      #expect(try context.one(Pigment.self) { $0.price == 9 }?.name == "Lead white")
      #expect(try context.one(Pigment.self) { $0.price == 10 } == nil)
      let error = #expect(throws: PersistenceError.self) {
        try context.one(Pigment.self) { $0.price < 10 }
      }
      #expect(error?.code == .severalObjects && error?.entity == "Pigment")
      let ids = try context.fetchIDs(Pigment.self) { $0.price < 10 }
      #expect([error?.objectID, error?.otherID] == ids)
      #expect(try context.one(Pigment.fetchRequest().limited(to: 1))?.name == "Ochre")
      try context.save()
    }
  }

  @Test("exists reads a key at most, and makes no object", .modelAsIs)
  func exists() throws {
    let store = try TestStore()
    let context = try context(store)
    #expect(try context.exists(Pigment.self))
    try context.save()
    context.reset()
    var found: [Bool] = []
    let statements = try store.recorder.statements {
      found = [
        try context.exists(Pigment.self) { $0.price == 9 },
        try context.exists(Pigment.self) { $0.price == 10 },
      ]
    }
    #expect(found == [true, false])
    #expect(statements.allSatisfy { $0.hasPrefix(#"SELECT "copal_id" FROM "Pigment" WHERE"#) })
    #expect(statements.allSatisfy { $0.hasSuffix("LIMIT ?") } && statements.count == 2)
    #expect(context.registeredObjects.isEmpty)
    #expect(try !context.exists(Painter.self))
  }

  @Test("first reads one row, and one reads two")
  func limits() throws {
    let store = try TestStore()
    let context = try context(store)
    try context.save()
    context.reset()
    #expect(try context.first(Pigment.self) { $0.price < 10 } != nil)
    #expect(context.registeredObjects.count <= 1)
    let request = FetchRequest<Pigment>(limit: -1)
    #expect(throws: PersistenceError.self) { try context.first(request) }
    #expect(throws: PersistenceError.self) { try context.exists(request) }
  }
}
