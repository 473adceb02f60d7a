import Copal
import CopalColor
import CopalFoundation
import CopalModel
import CopalStore
import CopalTestSupport
import Foundation
import Testing

@Suite("A #Predicate that has no form in a store")
struct RefusalTests {
  /// A predicate of works, and the error.
  struct Refusal: Sendable, CustomTestStringConvertible {
    let testDescription: String
    let predicate: Predicate<Work>
    let code: PersistenceError.Code
    let found: String
  }

  static let refusals = elements() + classes()

  private static func elements() -> [Refusal] {
    var all: [Refusal] = []
    func add(
      _ text: String, _ code: PersistenceError.Code, _ found: String, _ predicate: Predicate<Work>
    ) {
      all.append(Refusal(testDescription: text, predicate: predicate, code: code, found: found))
    }
    let names = ["Boats": 1]
    let list = [1, 2]
    add(
      "a regular expression", .predicateUnsupported, "a regular expression of Swift",
      #Predicate { $0.title.contains(/B.*/) })
    add(
      "a dictionary", .predicateUnsupported, "DictionaryKeySubscript of a property",
      #Predicate { names[$0.title] == 1 })
    add(
      "a dictionary with a default", .predicateUnsupported,
      "DictionaryKeyDefaultValueSubscript of a property",
      #Predicate { names[$0.title, default: 0] == 1 })
    add(
      "an element of a list", .predicateUnsupported, "CollectionIndexSubscript of a property",
      #Predicate { list[$0.year] == 1 })
    add(
      "an element that does not exist", .predicateUnsupported,
      "CollectionIndexSubscript of a property",
      #Predicate { $0.year == list[2] })
    let part = 1..<9
    add(
      "a part that does not exist", .predicateUnsupported, "CollectionRangeSubscript of a property",
      #Predicate { list[part].contains($0.year) })
    add(
      "a division by zero in a list", .predicateUnsupported, "Filter of a property",
      #Predicate { list.filter { $0 / 0 == 1 }.contains($0.year) })
    add(
      "a filter of a list", .predicateUnsupported, "Filter of a property",
      #Predicate { work in list.filter { $0 == work.year }.count == 1 })
    add(
      "the least character", .predicateUnsupported, "SequenceMinimum of a property",
      #Predicate { $0.title.min() == nil })
    add(
      "a closure for a text", .predicateUnsupported,
      "a closure for a value that is not a relationship",
      #Predicate { $0.title.allSatisfy { _ in true } })
    add(
      "the first character", .predicateKeyPath, "Optional<Character>",
      #Predicate { $0.title.first == nil })
    add(
      "the first object", .predicateKeyPath, "Optional<Artist>",
      #Predicate { $0.admirers.first == nil })
    add("a custom accessor", .predicateKeyPath, "Optional<String>", #Predicate { $0.note == nil })
    add(
      "a property of an enum", .predicateKeyPath, "Bool", #Predicate { $0.technique.isRecognized })
    add("the size of data", .predicateKeyPath, "Int", #Predicate { ($0.scan?.count ?? 0) > 1 })
    add("a property of all objects", .predicateKeyPath, "Bool", #Predicate { $0.isFault })
    return all
  }

  private static func classes() -> [Refusal] {
    var all: [Refusal] = []
    func add(_ text: String, _ found: String, _ predicate: Predicate<Work>) {
      all.append(
        Refusal(
          testDescription: text, predicate: predicate, code: .predicateUnsupported, found: found))
    }
    add(
      "a path through a subentity",
      "a property of the object of 'pedestal', a relationship of a subentity",
      #Predicate { ($0 as? Sculpture)?.pedestal?.kind == "oak" })
    add(
      "the class of an outer object", "the class of an object outside of a closure",
      #Predicate { work in work.admirers.contains { _ in work is Sculpture } })
    // swift-format-ignore: NeverForceUnwrap
    add(
      "?? between objects", "?? between objects",
      #Predicate { ($0.artist ?? $0.artist!).name == "" })
    return all
  }

  @Test("is refused with a code, and names what it cannot do", arguments: refusals)
  func refused(_ refusal: Refusal) throws {
    let error = try #require(throws: PersistenceError.self) {
      try FetchPredicate(refusal.predicate)
    }
    #expect(error.code == refusal.code)
    #expect(error.found == refusal.found)
    let context = try TestStore(.memory).container(.collection, transformers: []).makeContext()
    #expect(throws: PersistenceError.self) { try context.fetch(refusal.predicate) }
  }

  @Test("is refused for the value of a transformable, which can be compared with nil")
  func transformables() throws {
    let blue = SerializableColor.blue
    let error = try #require(throws: PersistenceError.self) {
      try FetchPredicate(#Predicate<Pigment> { $0.color == blue })
    }
    #expect(error.code == .predicateValue)
    #expect(error.found == "SerializableColor")
    #expect(
      try FetchPredicate(#Predicate<Pigment> { $0.color == nil })
        == .comparison(.property("color"), .equal, .constant(.null)))
  }

  @Test("is refused for a transient attribute")
  func transients() throws {
    let error = try #require(throws: PersistenceError.self) {
      try FetchPredicate(#Predicate<Pigment> { $0.swatch == nil })
    }
    #expect(error.code == .predicateKeyPath)
    #expect(error.entity == "Pigment")
  }

  @Test("is refused for a class without generated code")
  func unknownClass() throws {
    let error = try #require(throws: PersistenceError.self) {
      try FetchPredicate(#Predicate<Unlisted> { $0.name == "a" })
    }
    #expect(error.code == .predicateKeyPath)
    #expect(error.expected?.hasPrefix("the class has no generated code") == true)
  }
}

/// A class that no generated code lists.
nonisolated final class Unlisted: ManagedObject, QueryableObject {
  var name: String { "a" }
}
