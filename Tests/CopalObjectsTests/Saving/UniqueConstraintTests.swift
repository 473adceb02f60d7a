import Copal
import CopalTestSupport
import CopalTestTools
import Foundation
import Testing

@Suite("Unique constraints")
struct UniqueConstraintTests {
  private func pigments(_ kind: StoreKind) throws -> (ManagedObjectContext, Pigment, Pigment) {
    let context = try TestStore(kind).atelier().makeContext()
    let (ochre, white) = (
      Pigment(context: context, name: "Ochre"), Pigment(context: context, name: "White")
    )
    (ochre.code, white.code) = ("PY43", "PW1")
    try context.save()
    return (context, ochre, white)
  }

  @Test(
    "a save refuses a new object with an existing unique value, and names both ids",
    arguments: bothStores)
  func insert(_ kind: StoreKind) throws {
    let (context, ochre, _) = try pigments(kind)
    let new = Pigment(context: context, name: "Ochre")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    let cause = error?.firstCause
    #expect(error?.code == .saveFailed && cause?.code == .uniqueConflict)
    #expect(cause?.property == "name" && cause?.entity == "Pigment")
    #expect(cause?.objectID == new.objectID && cause?.otherID == ochre.objectID)
  }

  @Test("the sentence of the error has the values, but no private one", arguments: bothStores)
  func sentences(_ kind: StoreKind) throws {
    let model = """
      { "copal": 1, "model": "Desk", "entities": { "Guest": {
        "codegen": "none",
        "attributes": {
          "name": "string?", "seat": "integer64?", "pin": { "type": "string?", "private": true }
        },
        "unique": ["name", "pin", ["name", "seat"], ["seat", "pin"]]
      } } }
      """
    let container = try TestStore(kind).container(
      ModelBinding(name: "Desk", json: model, classes: []), transformers: [])
    let context = container.makeContext()
    func add(_ name: String?, _ seat: Int64?, _ pin: String?) throws -> ManagedObject {
      let guest = try context.insert("Guest")
      try guest.setValue(name, forKey: "name")
      try guest.setValue(seat, forKey: "seat")
      try guest.setValue(pin, forKey: "pin")
      return guest
    }
    _ = try add("Anna", 1, "hunter2")
    try context.save()
    for (name, seat, pin, properties, values) in [
      ("Anna", nil, nil, "name", "has the same value \"Anna\" as Guest p1;"),
      (nil, nil, "hunter2", "pin", "has the same value ‹private› as Guest p1;"),
      (nil, 1, "hunter2", "seat, pin", "has the same values 1, ‹private› as Guest p1;"),
      ("Anna", 1, nil, "name, seat", "has the same values \"Anna\", 1 as Guest p1;"),
    ] as [(String?, Int64?, String?, String, String)] {
      let guest = try add(name, seat, pin)
      let error = try #require(throws: PersistenceError.self) { try context.save() }
      let causes = error.causes.compactMap { $0 as? PersistenceError }
      let cause = try #require(causes.first { $0.property == properties })
      #expect(cause.objectID == guest.objectID)
      #expect("\(cause)".contains(values), "\(cause)")
      var dumped = ""
      dump(error, to: &dumped)
      #expect(!dumped.contains("hunter2"))
      context.rollback()
    }
    // The same before a save, where another new object has the value.
    let first = try add("Ben", nil, nil)
    _ = try add("Ben", nil, nil)
    #expect("\(try #require(first.validationErrors().first))".contains(" value \"Ben\" as "))
  }

  @Test("a save refuses an update to an existing unique value", arguments: bothStores)
  func update(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    white.code = "PY43"
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.firstCause?.property == "code")
    #expect(error?.firstCause?.objectID == white.objectID)
    #expect(error?.firstCause?.otherID == ochre.objectID)
  }

  @Test("a save refuses two new objects with the same unique value", arguments: bothStores)
  func twoNew(_ kind: StoreKind) throws {
    let (context, _, _) = try pigments(kind)
    let (first, second) = (
      Pigment(context: context, name: "Umber"), Pigment(context: context, name: "Umber")
    )
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(
      Set([error?.firstCause?.objectID, error?.firstCause?.otherID])
        == [first.objectID, second.objectID])
  }

  @Test(
    "the error of a large save names the two conflicting objects at any position",
    arguments: bothStores,
    [(0, 1), (3, 4), (30, 70), (99, 100), (118, 119)])
  func many(_ kind: StoreKind, _ pair: (Int, Int)) throws {
    let (context, ochre, _) = try pigments(kind)
    let new = (0..<120).map { Pigment(context: context, name: "Pigment \($0)") }
    new[pair.1].name = new[pair.0].name
    var cause = #expect(throws: PersistenceError.self) { try context.save() }?.firstCause
    #expect(cause?.code == .uniqueConflict)
    #expect(
      Set([cause?.objectID, cause?.otherID])
        == [new[pair.0].objectID, new[pair.1].objectID])
    new[pair.1].name = "Ochre"
    cause = #expect(throws: PersistenceError.self) { try context.save() }?.firstCause
    #expect(cause?.objectID == new[pair.1].objectID && cause?.otherID == ochre.objectID)
    new[pair.1].name = "another"
    try context.save()
    #expect(try context.count(Pigment.self) == 122)
    #expect(new.map(\.objectID.isTemporary).allSatisfy { !$0 })
    let fresh = try context.fetch(Pigment.self, sortedBy: \.name.ascending) { $0.name == "another" }
    #expect(fresh == [new[pair.1]])
  }

  @Test(
    "the error of a save has all conflicts of all entities, of versions and of unique values",
    arguments: bothStores)
  func everything(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let (mine, theirs) = (container.makeContext(), container.makeContext())
    let id = UUID()
    Pigment(context: theirs, name: "Ochre").code = "PY43"
    Painting(context: theirs, widthMillimetres: 1, heightMillimetres: 1).id = id
    _ = Painter(context: theirs, name: "Rosa")
    try theirs.save()

    let painter = try #require(try mine.fetch(Painter.self).first)
    painter.prizes = 1
    try theirs.fetch(Painter.self).first?.prizes = 2
    try theirs.save()
    let twin = Pigment(context: mine, name: "Ochre")
    twin.code = "PY43"
    _ = Pigment(context: mine, name: "White")
    let white = Pigment(context: mine, name: "White")
    let painting = Painting(context: mine, widthMillimetres: 1, heightMillimetres: 1)
    painting.id = id
    let error = #expect(throws: PersistenceError.self) { try mine.save() }
    #expect(error?.code == .saveFailed)
    let causes = (error?.causes ?? []).compactMap { $0 as? PersistenceError }
    #expect(
      causes.map { "\($0.code) \($0.entity ?? "") \($0.property ?? "")" } == [
        "save.conflict Painter ", "save.uniqueConflict Painting id",
        "save.uniqueConflict Pigment name", "save.uniqueConflict Pigment code",
        "save.uniqueConflict Pigment name",
      ])
    #expect(
      causes.map(\.objectID) == [
        painter.objectID, painting.objectID, twin.objectID, twin.objectID, white.objectID,
      ])
    #expect(mine.insertedObjects.count == 4 && painter.isUpdated)
  }

  /// An object of a plain list, for a search for conflicts that compares each with each.
  private struct PlainThing {
    var isPart = false
    var a: Int64?
    var (b, c): (String?, Double?)
    var s: Int64?
    /// A text in one of several forms that are equal without case and diacritics.
    var t: (number: Int, form: Int)?

    var text: String? { t.map { ["äb", "AB", "Áb", "ab"][$0.form] + "\($0.number)" } }

    /// The values in each constraint; nil where one of them is null.
    var values: [String?] {
      [
        a.map { "\($0)" }, b.flatMap { b in c.map { "\(b) \($0)" } },
        isPart ? s.map { "\($0)" } : nil, t.map { "\($0.number)" },
      ]
    }

    static func random(_ count: Int, _ random: inout SplitMix) -> Self {
      func number() -> Int? {
        let number = Int.random(in: 0..<count * 2, using: &random)
        return number < count / 8 ? nil : number
      }
      return Self(
        isPart: Bool.random(using: &random), a: number().map(Int64.init),
        b: number().map { ["x", "y", "é\($0)"][$0 % 3] }, c: number().map { Double($0) / 4 - 1 },
        s: number().map(Int64.init),
        t: number().map { ($0, Int.random(in: 0..<4, using: &random)) })
    }

    func write(to object: ManagedObject) throws {
      try object.setValue(a, forKey: "a")
      try object.setValue(b, forKey: "b")
      try object.setValue(c, forKey: "c")
      try object.setValue(text, forKey: "t")
      if isPart { try object.setValue(s, forKey: "s") }
    }
  }

  @Test(
    "the conflicts of a save are those of a search that compares each object with each",
    arguments: bothStores, [6, 20, 130])
  func compared(_ kind: StoreKind, _ count: Int) throws {
    let json = """
      { "copal": 1, "model": "Things", "entities": {
        "Thing": {
          "attributes": { "a": "integer?", "b": "string?", "c": "double?",
            "t": { "type": "string?", "search": "normalized" } },
          "unique": ["a", ["b", "c"], { "attribute": "t", "ignoring": ["case", "diacritics"] }]
        },
        "Part": { "parent": "Thing", "attributes": { "s": "integer?" }, "unique": ["s"] }
      } }
      """
    var found = 0
    for seed in 1...UInt64(12) {
      var random = SplitMix(seed: seed)
      let store = try TestStore(kind)
      let container = try PersistentContainer(
        model: ModelBinding(ManagedObjectModel(json: json, file: "Things")),
        store: store.configuration())
      let context = container.makeContext()
      var stored: [(object: ManagedObject, thing: PlainThing)] = []
      for _ in 0..<count {
        let thing = PlainThing.random(count, &random)
        let isTaken = stored.contains {
          zip($0.thing.values, thing.values).contains { $0 != nil && $0 == $1 }
        }
        if isTaken { continue }
        let object = try context.insert(thing.isPart ? "Part" : "Thing")
        try thing.write(to: object)
        stored.append((object, thing))
      }
      try context.save()

      // Some are deleted, some take values of others, and new ones come.
      var (kept, written): ([(ManagedObject, PlainThing)], [(ManagedObject, PlainThing, [Bool])]) =
        ([], [])
      for (object, thing) in stored {
        switch Int.random(in: 0..<6, using: &random) {
        case 0: context.delete(object)
        case 1, 2:
          var changed = PlainThing.random(count, &random)
          changed.isPart = thing.isPart
          if let other = stored.randomElement(using: &random), Bool.random(using: &random) {
            changed = other.thing
            changed.isPart = thing.isPart
          }
          try changed.write(to: object)
          let isWritten = [
            changed.a != thing.a, changed.b != thing.b || changed.c != thing.c,
            thing.isPart && changed.s != thing.s, changed.text != thing.text,
          ]
          written.append((object, changed, isWritten))
        default: kept.append((object, thing))
        }
      }
      for _ in 0..<count {
        let thing = PlainThing.random(count, &random)
        let object = try context.insert(thing.isPart ? "Part" : "Thing")
        try thing.write(to: object)
        written.append((object, thing, [true, true, true, true]))
      }

      // Two objects have the same values, and one of them was written.
      var (expected, count): (Set<String>, Int) = ([], 0)
      for constraint in 0..<4 {
        var holders: [String: (kept: [ManagedObject], written: [ManagedObject])] = [:]
        for (object, thing, isWritten) in written
          + kept.map({ ($0, $1, [false, false, false, false]) })
        {
          guard let value = thing.values[constraint] else { continue }
          if isWritten[constraint] {
            holders[value, default: ([], [])].written.append(object)
          } else {
            holders[value, default: ([], [])].kept.append(object)
          }
        }
        for (kept, written) in holders.values where kept.count + written.count > 1 {
          expected.formUnion((kept + written).map { "\($0.objectID) \(constraint)" })
          count += written.count - (kept.isEmpty ? 1 : 0)
        }
      }
      var causes: [PersistenceError] = []
      do {
        try context.save()
      } catch let error as PersistenceError {
        causes = error.causes.compactMap { $0 as? PersistenceError }
      }
      var names: Set<String> = []
      for cause in causes {
        #expect(cause.code == .uniqueConflict)
        let constraint = ["a": 0, "s": 2, "t": 3][cause.property ?? ""] ?? 1
        names.formUnion(
          [cause.objectID, cause.otherID].map { "\($0.map { "\($0)" } ?? "") \(constraint)" })
      }
      #expect(names == expected && causes.count == count, "seed \(seed)")
      found += count
    }
    #expect(found > 12)
  }

  @Test("the two zeros are one value", arguments: bothStores, [false, true])
  func zeros(_ kind: StoreKind, _ isStored: Bool) throws {
    let json = """
      { "copal": 1, "model": "Things", "entities": {
        "Thing": { "attributes": { "c": "double" }, "unique": ["c"] }
      } }
      """
    let store = try TestStore(kind)
    let context = try PersistentContainer(
      model: ModelBinding(ManagedObjectModel(json: json, file: "Things")),
      store: store.configuration()
    ).makeContext()
    let zero = try context.insert("Thing")
    try zero.setValue(0.0, forKey: "c")
    if isStored { try context.save() }
    let negative = try context.insert("Thing")
    try negative.setValue(-0.0, forKey: "c")
    let cause = #expect(throws: PersistenceError.self) { try context.save() }?.firstCause
    #expect(cause?.code == .uniqueConflict)
    #expect(cause?.objectID == negative.objectID && cause?.otherID == zero.objectID)
  }

  @Test("the search for conflicts runs only when a save is refused")
  func statements() throws {
    let store = try TestStore()
    let context = try store.atelier().makeContext()
    for name in ["Ochre", "White"] { _ = Pigment(context: context, name: name) }
    #expect(
      try store.recorder.statements { try context.save() }.count { $0.hasPrefix("SELECT") } == 3)
    let new = (0..<10).map { Pigment(context: context, name: "Pigment \($0)") }
    new[9].name = "Ochre"
    let statements = store.recorder.statements {
      #expect(throws: PersistenceError.self) { try context.save() }
    }
    // Its constraints are name and code, of which only the name has values.
    #expect(statements.count { $0.contains("<> ?") } == 10)
    #expect(statements.count { $0 == "BEGIN IMMEDIATE" } == 2 && statements.last == "ROLLBACK")
  }

  @Test("a refused save does not affect the next save", arguments: bothStores)
  func next(_ kind: StoreKind) throws {
    let (context, _, white) = try pigments(kind)
    let new = Pigment(context: context, name: "Ochre")
    white.opacity = 0.5
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(throws: PersistenceError.self) { try context.save() }
    #expect(new.isInserted && new.objectID.isTemporary && white.isUpdated)
    new.name = "Red ochre"
    try context.save()
    #expect(
      try context.fetch(Pigment.self, sortedBy: \.name.ascending).map(\.name)
        == ["Ochre", "Red ochre", "White"])
    #expect(white.committedValues()["opacity"] as? Double == 0.5)
  }

  @Test("nil never conflicts in a unique constraint", arguments: bothStores)
  func nils(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    (ochre.code, white.code) = (nil, nil)
    _ = Pigment(context: context, name: "Umber")
    try context.save()
    #expect(try context.count(Pigment.self) { $0.code == nil } == 3)
  }

  @Test("two objects can swap unique values in one save", arguments: bothStores)
  func swap(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    (ochre.name, white.name) = (white.name, ochre.name)
    (ochre.code, white.code) = (white.code, ochre.code)
    try context.save()
    context.refreshAllObjects()
    #expect(ochre.name == "White" && ochre.code == "PW1")
    #expect(white.name == "Ochre" && white.code == "PY43")
  }

  @Test("several objects can rotate unique values in one save", arguments: bothStores)
  func ring(_ kind: StoreKind) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigments = (0..<10).map { Pigment(context: context, name: "Pigment \($0)") }
    try context.save()
    let names = pigments.map(\.name)
    for (index, pigment) in pigments.enumerated() { pigment.name = names[(index + 1) % 10] }
    try context.save()
    #expect(
      try container.makeContext().fetch(Pigment.self).map(\.name)
        == Array(names[1...]) + [names[0]])
  }

  @Test(
    "a new object can use the unique value of a deleted or changed object in the same save",
    arguments: bothStores)
  func reuse(_ kind: StoreKind) throws {
    let (context, ochre, white) = try pigments(kind)
    context.delete(ochre)
    white.name = "Lead white"
    Pigment(context: context, name: "Ochre").code = "PY43"
    _ = Pigment(context: context, name: "White")
    try context.save()
    #expect(
      try context.fetch(Pigment.self).map(\.name) == ["Lead white", "Ochre", "White"])
  }

  @Test("unique strings are compared by their bytes", arguments: bothStores)
  func bytes(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    for name in ["Ochre", "ochre", "Ochre ", "\u{e9}", "e\u{301}"] {
      _ = Pigment(context: context, name: name)
    }
    try context.save()
    #expect(try context.count(Pigment.self) == 5)
  }
}
