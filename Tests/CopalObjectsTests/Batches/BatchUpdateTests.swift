import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Batches: updating")
struct BatchUpdateTests {
  private func pigments(_ context: ManagedObjectContext) throws {
    for (index, name) in ["Ochre", "Umber", "White"].enumerated() {
      let pigment = Pigment(context: context, name: name)
      pigment.price = Decimal(index + 1)
      pigment.code = "PY\(index)"
    }
    try context.save()
  }

  @Test("sets constants, nil and calculated values", arguments: bothStores)
  func values(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    try pigments(context)
    let count = try context.updateAll(Pigment.self, where: { $0.price >= 2 }) {
      $0.price.set(to: $0.price * 2 + 1)
      $0.code.set(to: nil)
      $0.isLightfast.set(to: false)
    }
    #expect(count == 2)
    let found = try container.makeContext().fetch(Pigment.self)
    #expect(found.map(\.price) == [1, 5, 7] && found.map(\.code) == ["PY0", nil, nil])
    #expect(found.map(\.isLightfast) == [true, false, false])
    #expect(
      try context.updateAll(
        "Pigment", set: [BatchAssignment("opacity", .constant(.double(0.5)))]) == 3)
    #expect(try context.fetch(Pigment.self).allSatisfy { $0.opacity == 0.5 })
  }

  @Test("constants are one statement")
  func statement() throws {
    let test = try TestStore()
    let context = try test.atelier().makeContext()
    try pigments(context)
    let statements = try test.recorder.statements {
      try context.updateAll(Pigment.self, where: { $0.price < 2 }) {
        $0.price.set(to: 4)
        $0.code.set(to: nil)
      }
    }
    let writes = statements.filter { $0.contains("UPDATE") }
    #expect(writes.count == 1)
    if ModelShape.current == .alone {
      #expect(
        writes == [
          #"""
          UPDATE "Pigment" SET "copal_version" = CASE WHEN "copal_version" < ? THEN "copal_version" + 1 ELSE ? END, "price" = ?, "code" = NULL WHERE "price" < ?
          """#
        ])
    }
  }

  @Test(
    "values are calculated before one is written: unique values can move", arguments: bothStores)
  func swap(_ kind: StoreKind) throws {
    let context = try TestStore(kind).container(.depot, transformers: []).makeContext()
    for number in Int64(1)...5 {
      Sheet(context: context, number: number).code = number
    }
    try context.save()
    try context.updateAll(Sheet.self) { $0.code.set(to: $0.code + 1) }
    #expect(try context.fetch(Sheet.self).map(\.code) == [2, 3, 4, 5, 6])
    try context.updateAll(Sheet.self) {
      $0.code.set(to: $0.number)
      $0.number.set(to: $0.code ?? 0)
    }
    #expect(try context.fetch(Sheet.self).map(\.number) == [2, 3, 4, 5, 6])
    #expect(try context.fetch(Sheet.self).map(\.code) == [1, 2, 3, 4, 5])
  }

  @Test("values that break a rule are refused, and nothing is written", arguments: bothStores)
  func rules(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    try pigments(context)
    func code(
      @BatchAssignments _ set: (QueryProperties<Pigment>) -> [BatchAssignment]
    ) -> PersistenceError.Code? {
      #expect(throws: PersistenceError.self) { try context.updateAll(Pigment.self, set: set) }?.code
    }
    #expect(code { $0.price.set(to: -1) } == .belowMinimum)
    #expect(code { $0.price.set(to: 1.234) } == .scaleExceeded)
    #expect(code { $0.code.set(to: "blue") } == .patternMismatch)
    #expect(code { $0.name.set(to: "") } == .tooShort)
    #expect(code { $0.opacity.set(to: .nan) } == .notANumber)
    #expect(code { $0.price.set(to: $0.price - 2) } == .belowMinimum)
    #expect(code { $0.price.set(to: $0.price / 0) } == .batchFailed)
    #expect(code { $0.code.set(to: "PY9") } == .uniqueConflict)
    #expect(try context.fetch(Pigment.self).map(\.price) == [1, 2, 3])
    let error = #expect(throws: PersistenceError.self) {
      try context.updateAll(Pigment.self) { $0.price.set(to: $0.price - 2) }
    }
    #expect(error?.property == "price" && error?.objectID?.key == 1)
  }

  @Test("a stored object's unique value is refused", arguments: bothStores)
  func unique(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    try pigments(context)
    let error = #expect(throws: PersistenceError.self) {
      try context.updateAll(Pigment.self, where: { $0.name == "White" }) {
        $0.code.set(to: "PY0")
      }
    }
    #expect(error?.code == .uniqueConflict && error?.property == "code")
  }

  @Test("only stored attributes can be set")
  func assignable() throws {
    let context = try TestStore().atelier().makeContext()
    func code(_ name: String) -> PersistenceError.Code? {
      #expect(throws: PersistenceError.self) {
        try context.updateAll("Pigment", set: [BatchAssignment(name, .constant(.null))])
      }?.code
    }
    #expect(code("color") == .batchNotAssignable)
    #expect(code("swatch") == .batchNotAssignable)
    #expect(code("prize") == .unknownProperty)
    let gallery = try TestStore().gallery().makeContext()
    let error = #expect(throws: PersistenceError.self) {
      try gallery.updateAll("Work", set: [BatchAssignment("artist", .constant(.integer(1)))])
    }
    #expect(error?.code == .batchNotAssignable)
    let type = #expect(throws: PersistenceError.self) {
      try context.updateAll("Pigment", set: [BatchAssignment("name", .constant(.integer(1)))])
    }
    #expect(type?.code == .wrongValueType)
  }

  @Test("values may come from related objects", arguments: bothStores)
  func related(_ kind: StoreKind) throws {
    let context = try TestStore(kind).gallery().makeContext()
    let root = Topic(context: context, name: "Art")
    for name in ["Oil", "Fresco"] { Topic(context: context, name: name).parent = root }
    try context.save()
    try context.updateAll(
      "Topic", where: .comparison(.property("parent"), .notEqual, .constant(.null)),
      set: [BatchAssignment("name", .property("parent.name"))])
    #expect(try context.fetch(Topic.self).map(\.name) == ["Art", "Art", "Art"])
  }

  @Test("a changed object of another context is in conflict at its save", arguments: bothStores)
  func otherContext(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (context, other) = (container.makeContext(), container.makeContext())
    try pigments(context)
    let theirs = try other.fetch(Pigment.self)
    theirs[0].name = "Yellow"
    try context.updateAll(Pigment.self) { $0.price.set(to: 9) }
    #expect(theirs[1].price == 2, "not before its context does something")
    // Its changed object has the price that the store has.
    #expect(try other.fetch(Pigment.self, where: { $0.price == 9 }).count == 3)
    #expect(theirs[1].price == 9 && theirs[0].price == 1)
    let error = #expect(throws: PersistenceError.self) { try other.save() }
    #expect(error?.causeCodes == [.conflict])
    try other.refresh(theirs[0], mergeChanges: true)
    try other.save()
    #expect(theirs[0].price == 9 && theirs[0].name == "Yellow")
  }

  @Test("in a read transaction, another context sees the state before", arguments: bothStores)
  func readTransaction(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (context, other) = (container.makeContext(), container.makeContext())
    try pigments(context)
    let theirs = try other.fetch(Pigment.self)
    try other.readTransaction {
      #expect(try other.count(Pigment.self) == 3)
      try context.updateAll(Pigment.self) { $0.price.set(to: 9) }
      #expect(try other.fetch(Pigment.self).first?.price == 1)
    }
    #expect(try other.existingObject(with: theirs[0].objectID) === theirs[0])
    #expect(theirs[0].price == 9)
  }
}
