import Copal
import CopalTestSupport
import Foundation
import Testing

@Suite("Validation")
struct ValidationTests {
  struct Case: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let attribute: String
    let code: PersistenceError.Code
    let breakIt: @Sendable (Pigment) throws -> Void

    init(
      _ text: String, _ attribute: String, _ code: PersistenceError.Code,
      _ breakIt: @escaping @Sendable (Pigment) throws -> Void
    ) {
      (testDescription, self.attribute, self.code, self.breakIt) = (text, attribute, code, breakIt)
    }
  }

  static let cases = [
    Case("empty name", "name", .tooShort) { $0.name = "" },
    Case("invalid code", "code", .patternMismatch) { $0.code = "blue 29" },
    Case("code with something behind", "code", .patternMismatch) { $0.code = "PB29 " },
    Case("negative price", "price", .belowMinimum) { $0.price = -1 },
    Case("price with three digits", "price", .scaleExceeded) {
      $0.price = try #require(Decimal(string: "1.234"))
    },
    Case("price that is no number", "price", .notANumber) { $0.price = .nan },
    Case("density just below", "density", .belowMinimum) { $0.density = Decimal(string: "0.0999") },
    Case("density just above", "density", .aboveMaximum) {
      $0.density = Decimal(string: "20.0001")
    },
    Case("opacity above", "opacity", .aboveMaximum) { $0.opacity = 1.0.nextUp },
    Case("opacity that is no number", "opacity", .notANumber) { $0.opacity = .nan },
    Case("opacity infinite", "opacity", .aboveMaximum) { $0.opacity = .infinity },
    Case("too early", "introduced", .belowMinimum) { $0.introduced = .distantPast },
    Case("required, taken away by name", "isLightfast", .required) {
      try $0.setValue(nil, forKey: "isLightfast")
    },
    Case("required uri, taken away", "origin", .required) { $0.origin = nil },
  ]

  @Test(
    "a violated rule makes the save fail, naming the attribute, for new and changed objects",
    arguments: bothStores, cases)
  func rules(_ kind: StoreKind, _ rule: Case) throws {
    let container = try TestStore(kind).atelier()
    let context = container.makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    try context.save()
    try rule.breakIt(pigment)
    let new = Pigment(context: context, name: "Umber")
    try rule.breakIt(new)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.code == .saveFailed && error?.causeCodes == [rule.code, rule.code])
    let causes = error?.causes.compactMap { $0 as? PersistenceError } ?? []
    #expect(causes.map(\.property) == [rule.attribute, rule.attribute])
    #expect(causes.map(\.objectID) == [pigment.objectID, new.objectID])
    #expect(try container.makeContext().fetch(Pigment.self).map(\.name) == ["Ochre"])
    context.rollback()
    try context.save()
  }

  @Test("a value exactly at a limit is valid", arguments: bothStores)
  func limits(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "O")
    (pigment.price, pigment.opacity, pigment.density) = (0, 0, Decimal(string: "0.1"))
    try context.save()
    (pigment.opacity, pigment.density, pigment.code) = (1, 20, "PX1")
    try context.save()
  }

  @Test(
    "a pattern that takes exponential time in other engines is checked in linear time",
    .timeLimit(.minutes(30)), arguments: ["(a+)+b", "(a|a)*b", "(a?){500}a{500}b", "(.*a){20}b"])
  func hostilePatterns(pattern: String) throws {
    var code = AttributeDescription("code", .string)
    code.rules.pattern = pattern
    let model = try ManagedObjectModel(
      name: "Codes", entities: [EntityDescription("Code", attributes: [code])])
    let container = try PersistentContainer(model: ModelBinding(model), store: .inMemory)
    let context = container.makeContext()
    let object = try context.insert("Code")
    try object.setValue(String(repeating: "a", count: 10_000), forKey: "code")
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.patternMismatch])
    #expect(error?.firstCause?.expected == pattern)
    try object.setValue(String(repeating: "a", count: 700) + "b", forKey: "code")
    try context.save()
  }

  @Test("nil is valid for an optional attribute with a rule", arguments: bothStores)
  func nils(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    let pigment = Pigment(context: context, name: "Ochre")
    pigment.density = 2
    try context.save()
    (pigment.density, pigment.code, pigment.introduced) = (nil, nil, nil)
    try context.save()
    #expect(pigment.density == nil)
  }

  @Test("the length of a string counts characters, that of data counts bytes")
  func lengths() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: String(repeating: "👩🏽‍🎨", count: 200))
    painter.portrait = Data(count: 1_048_576)
    try context.save()
    painter.name += "!"
    painter.portrait = Data(count: 1_048_577)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.tooLong, .tooLong])
    #expect(error?.firstCause?.found == "201 characters" && error?.firstCause?.expected == "200")
    #expect((error?.causes.last as? PersistenceError)?.found == "1048577 bytes")
  }

  @Test("the error of a save names every failing object and attribute", arguments: bothStores)
  func all(_ kind: StoreKind) throws {
    let context = try TestStore(kind).atelier().makeContext()
    for index in 0..<3 {
      let painter = Painter(context: context, name: "")
      if index == 2 { painter.prizes = 101 }
    }
    _ = Painting(context: context)
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(
      error?.causeCodes
        == [.tooShort, .tooShort, .tooShort, .aboveMaximum, .required, .required])
    #expect(error?.description.contains("6 reasons") == true)
  }

  @Test("the error of a save has the errors that validation hooks throw", arguments: bothStores)
  func hooks(_ kind: StoreKind) throws {
    struct TooYoung: Error, CustomStringConvertible { var description: String { "too young" } }
    let context = try TestStore(kind).studio().makeContext()
    let apprentice = Apprentice(context: context, name: "Paul")
    apprentice.onValidate = { throw TooYoung() }
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.causeCodes == [.validationFailed])
    #expect(error?.firstCause?.found == "too young")
    #expect(error?.firstCause?.objectID == apprentice.objectID)
    apprentice.onValidate = {
      throw PersistenceError(.belowMinimum, entity: "Apprentice", property: "skill")
    }
    #expect(throws: PersistenceError.self) { try context.save() }
    apprentice.onValidate = {}
    try context.save()
    #expect(apprentice.takeHeard().suffix(3) == ["willSave", "validateForInsert", "didSave"])
  }

  @Test("an attribute that was not changed is not checked", .modelAsIs)
  func unchanged() throws {
    let store = try TestStore()
    let container = try store.atelier()
    let filling = container.makeContext()
    _ = Painter(context: filling, name: "Rosa")
    try filling.save()
    _ = try store.sqlite3("UPDATE Painter SET name = '', copal_version = 2")
    let context = container.makeContext()
    let painter = try #require(try context.fetch(Painter.self).first)
    painter.prizes = 1
    try context.save()
    #expect(try store.sqlite3("SELECT name || '|' || prizes FROM Painter") == "|1")
  }

  @Test("the text of an error has no user value")
  func privacy() throws {
    let context = try TestStore(.memory).atelier().makeContext()
    let painter = Painter(context: context, name: "Rosa")
    painter.email = "secret address"
    let error = #expect(throws: PersistenceError.self) { try context.save() }
    #expect(error?.description.contains("secret") == false)
  }
}
