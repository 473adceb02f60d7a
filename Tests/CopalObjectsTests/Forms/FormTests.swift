import Copal
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@testable import CopalObjects

@Suite("Validating for a form", .modelAsIs)
struct FormTests {
  static let binding = Result {
    ModelBinding(
      try ManagedObjectModel(
        json: """
          { "copal": 1, "model": "Form", "entities": {
            "Guest": {
              "attributes": {
                "name": { "type": "string", "minimumLength": 2, "maximumLength": 5 },
                "code": "string?",
                "age": { "type": "integer16?", "minimum": 18 },
                "word": { "type": "transformable?", "transformer": "SpokenTransformer", "class": "String", "storage": "text" } },
              "relationships": {
                "room": { "type": "Room", "inverse": "guests" },
                "friends": { "type": "[Guest]", "inverse": "friends", "maximum": 1 } },
              "unique": ["code"] },
            "Room": { "attributes": { "name": "string?" },
              "relationships": { "guests": { "type": "[Guest]", "inverse": "room", "delete": "deny" } } } } }
          """, file: "Form"))
  }

  private func context(_ kind: StoreKind) throws -> ManagedObjectContext {
    try PersistentContainer(
      model: Self.binding.get(), store: TestStore(kind).configuration(),
      transformers: [SpokenTransformer()]
    ).makeContext()
  }

  private func code(_ body: () throws -> Void) -> PersistenceError.Code? {
    do { try body() } catch { return (error as? PersistenceError)?.code }
    return nil
  }

  @Test(
    "one value breaks the rule that a save would name, and the object does not change",
    arguments: bothStores)
  func values(_ kind: StoreKind) throws {
    let context = try context(kind)
    let guest = try context.insert("Guest")
    let room = try context.insert("Room")
    let cases: [(Any?, String, PersistenceError.Code?)] = [
      (nil, "name", .required), ("A", "name", .tooShort), ("Anna", "name", nil),
      ("Annabella", "name", .tooLong),
      (3, "name", .wrongValueType), (17, "age", .belowMinimum), (18, "age", nil), (nil, "age", nil),
      (100_000, "age", .outOfRange), ("word", "word", nil), (4, "word", .wrongValueType),
      (room, "room", nil), (nil, "room", .required), (guest, "room", .wrongValueType),
      ([guest], "friends", .wrongValueType), (1, "nothing", .unknownProperty),
    ]
    for (value, name, expected) in cases {
      #expect(
        code { try guest.validateValue(value, forKey: name) } == expected,
        "\(name) = \(String(describing: value))")
    }
    #expect(try guest.value(forKey: "name") == nil && guest.value(forKey: "age") == nil)
  }

  @Test("all failures of an object at once are those of the save", arguments: bothStores)
  func objects(_ kind: StoreKind) throws {
    let context = try context(kind)
    let guest = try context.insert("Guest")
    try guest.setValue("A", forKey: "name")
    try guest.setValue(3, forKey: "age")
    let errors = guest.validationErrors()
    #expect(
      Set(errors.map { "\($0.code) \($0.property ?? "")" }) == [
        "\(PersistenceError.Code.tooShort) name", "\(PersistenceError.Code.belowMinimum) age",
        "\(PersistenceError.Code.required) room",
      ])
    #expect(errors.allSatisfy { $0.objectID == guest.objectID && $0.entity == "Guest" })
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes.count == errors.count)
    #expect(Set(error?.causeCodes ?? []) == Set(errors.map(\.code)))
    // Mended.
    try guest.setValue("Anna", forKey: "name")
    try guest.setValue(30, forKey: "age")
    let room = try context.insert("Room")
    try guest.setValue(room, forKey: "room")
    #expect(guest.validationErrors().isEmpty && room.validationErrors().isEmpty)
    try context.save()
    #expect(guest.validationErrors().isEmpty, "it has no changes")
    context.delete(room)
    #expect(room.validationErrors().map(\.code) == [.deletionDenied])
  }

  @Test(
    "a unique value that another unsaved object has, and the number of related objects",
    arguments: bothStores)
  func related(_ kind: StoreKind) throws {
    let context = try context(kind)
    let room = try context.insert("Room")
    let guests = try ["Anna", "Ben", "Cleo"].map { name in
      let guest = try context.insert("Guest")
      try guest.setValue(name, forKey: "name")
      try guest.setValue(room, forKey: "room")
      return guest
    }
    for guest in guests.prefix(2) { try guest.setValue("7", forKey: "code") }
    let conflict = try #require(guests[0].validationErrors().first)
    #expect(conflict.code == .uniqueConflict && conflict.property == "code")
    #expect(conflict.otherID == guests[1].objectID)
    #expect(guests[2].validationErrors().isEmpty)
    try guests[1].setValue("8", forKey: "code")
    #expect(guests[0].validationErrors().isEmpty)
    try guests[0].setValue([guests[1], guests[2]], forKey: "friends")
    #expect(guests[0].validationErrors().map(\.code) == [.tooManyObjects])
  }

  @Test("the typed form")
  func typed() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    #expect(code { try painter.validate("Anna", for: \.name) } == nil)
    #expect(code { try painter.validate("", for: \.name) } == .tooShort)
    #expect(code { try painter.validate(nil, for: \.name) } == .required)
    #expect(code { try painter.validate("nobody", for: \.email) } == .patternMismatch)
    #expect(code { try painter.validate(nil, for: \.email) } == nil)
    #expect(code { try painter.validate(200, for: \.prizes) } == .aboveMaximum)
    #expect(painter.name == "Rosa" && painter.email == nil)
  }
}
