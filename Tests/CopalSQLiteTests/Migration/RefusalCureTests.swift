import CopalModel
import CopalSQLite
import CopalStore
import CopalTestSupport
import Foundation
import Testing

/// A script follows the errors of refused migrations. It knows only what they say. So it shows
/// whether the words that they suggest are enough.
@Suite("The words that the errors of refused migrations suggest")
struct RefusalCureTests {
  /// The number of random combinations of edits.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_CURES"].flatMap(Int.init) ?? 40
  /// An edit with several refusals needs some rounds. More of them are a circle.
  private static let rounds = 6

  static let edits = RefusedEdit.matrix + RefusedEdit.families + RefusedEdit.others

  @Test(
    "each word of an error, put into the model, opens the store or leads to another refusal",
    arguments: edits)
  func words(edit: RefusedEdit) throws {
    var (choice, choices) = (0, 1)
    while choice < choices {
      try follow(edit) { edits in
        choices = max(choices, edits.count)
        return edits[choice % edits.count]
      }
      choice += 1
    }
  }

  @Test("the same for several edits of one model at once, with a random word of each error")
  func combinations() throws {
    for seed in 0..<Self.count {
      var random = SplitMix(seed: UInt64(seed) &+ 77)
      var edit = try #require(Self.edits.randomElement(using: &random))
      for _ in 0..<Int.random(in: 1...2, using: &random) {
        let other = try #require(Self.edits.randomElement(using: &random))
        edit = try edit.combined(with: other, inOneEntity: Bool.random(using: &random))
      }
      try follow(edit) { $0[Int.random(in: 0..<$0.count, using: &random)] }
    }
  }

  @Test("the edits have every refusal that concerns a model")
  func codes() throws {
    var found: Set<String> = []
    for edit in Self.edits {
      let test = try edit.makeStore()
      let error = #expect(throws: PersistenceError.self) {
        try test.open(WordScript(edit).schema())
      }
      for case let cause as PersistenceError in error?.causes ?? [] {
        found.insert(cause.code.rawValue)
      }
    }
    let all = Set(PersistenceError.Code.all.map(\.rawValue).filter { $0.hasPrefix("migration.") })
    #expect(found == all.subtracting(["migration.otherProgram"]))
  }

  /// Opens a store, and does what the errors say, until it opens.
  ///
  /// - Parameter choose: one of the edits that an error suggests.
  private func follow(
    _ edit: RefusedEdit, _ choose: ([WordScript.Edit]) -> WordScript.Edit
  ) throws {
    let test = try edit.makeStore()
    var script = try WordScript(edit)
    var seen: [Set<[String?]>] = []
    var story = [edit.testDescription, script.text(script.stored)]
    while true {
      story.append(script.text(script.model))
      let causes: [PersistenceError]
      do {
        _ = try test.open(script.schema())
        break
      } catch let error as PersistenceError where error.code == .modelDiffers {
        causes = error.causes.compactMap { $0 as? PersistenceError }
      } catch {
        Issue.record("\(error)\n\(story.joined(separator: "\n"))")
        return
      }
      let signature = Set(causes.map { [$0.code.rawValue, $0.entity, $0.property, $0.expected] })
      story += causes.map { "  \($0)" }
      guard !causes.isEmpty, !seen.contains(signature), seen.count < Self.rounds else {
        Issue.record("The words lead nowhere.\n\(story.joined(separator: "\n"))")
        return
      }
      seen.append(signature)
      for cause in causes {
        let edits = WordScript.edits(of: cause)
        if edits.isEmpty {
          Issue.record("No word: \(cause)\n\(story.joined(separator: "\n"))")
          return
        }
        let choice = choose(edits)
        story.append("  → \(choice)")
        script.apply(choice, for: cause)
      }
      if let earlier = script.takeEarlierVersion() {
        story.append(script.text(earlier))
        do {
          _ = try test.open(script.schema(earlier))
        } catch {
          Issue.record("\(error)\n\(story.joined(separator: "\n"))")
          return
        }
      }
    }
    #expect(!seen.isEmpty, "\(edit.testDescription) is not refused")
  }
}

// MARK: Edits that are refused

/// An edit of a model that the store refuses.
struct RefusedEdit: Sendable, CustomTestStringConvertible {
  var testDescription: String
  /// The entities of the store, as JSON.
  var old: String
  /// The entities of the program.
  var new: String
  var objects: MigrationCase.Objects = []
  /// What another program does to the rows.
  var statements = ""

  static let matrix = MigrationMatrixTests.cases.filter { !$0.refusals.isEmpty }.map {
    RefusedEdit(
      testDescription: $0.testDescription, old: $0.old, new: $0.new, objects: $0.objects,
      statements: $0.statements)
  }

  static let families = FamilyMigrationTests.refusals.map {
    RefusedEdit(testDescription: $0.lines.joined(separator: "; "), old: $0.old, new: $0.new)
  }

  private static func attribute(
    _ description: String, _ old: String, to new: String, _ values: [PropertyValue],
    statements: String = ""
  ) -> RefusedEdit {
    RefusedEdit(
      testDescription: description, old: #""Book": { "attributes": { "a": \#(old) } }"#,
      new: #""Book": { "attributes": { "a": \#(new) } }"#,
      objects: values.map { ("Book", ["a": $0]) }, statements: statements)
  }

  private static let missingFile = "UPDATE Book SET a = '\(String(repeating: "0", count: 32))-100';"

  static let others: [RefusedEdit] = [
    RefusedEdit(
      testDescription: "an entity with objects that is abstract now",
      old: #""Asset": {}, "Photo": { "parent": "Asset" }"#,
      new: #""Asset": { "abstract": true }, "Photo": { "parent": "Asset" }"#,
      objects: [("Asset", [:]), ("Photo", [:])]),
    RefusedEdit(
      testDescription: "an entity renamed without the key",
      old: #""Book": { "attributes": { "a": "string" } }"#,
      new: #""Volume": { "attributes": { "a": "string" } }"#, objects: [("Book", ["a": "x"])]),
    RefusedEdit(
      testDescription: "an entity and its attribute renamed without the key",
      old: #""Book": { "attributes": { "title": "string", "a": "integer" } }"#,
      new: #""Volume": { "attributes": { "name": "string", "a": "integer" } }"#,
      objects: [("Book", ["title": "x", "a": 1])]),
    RefusedEdit(
      testDescription: "an attribute of a parent renamed without the key",
      old: #"""
        "Asset": { "attributes": { "title": "string" } }, "Photo": { "parent": "Asset" }
        """#,
      new: #"""
        "Asset": { "attributes": { "name": "string" } }, "Photo": { "parent": "Asset" }
        """#, objects: [("Asset", ["title": "x"]), ("Photo", ["title": "y"])]),
    RefusedEdit(
      testDescription: "an attribute renamed and moved to the parent without the key",
      old: #"""
        "Asset": {}, "Photo": { "parent": "Asset", "attributes": { "title": "string" } }
        """#,
      new: #"""
        "Asset": { "attributes": { "name": "string?" } }, "Photo": { "parent": "Asset" }
        """#, objects: [("Asset", [:]), ("Photo", ["title": "y"])]),
    RefusedEdit(
      testDescription: "a subentity removed, to which a relationship can lead",
      old: #"""
        "Asset": {}, "Photo": { "parent": "Asset" },
        "Album": { "relationships": { "cover": { "type": "Asset?" } } }
        """#,
      new: #"""
        "Asset": {}, "Album": { "relationships": { "cover": { "type": "Asset?" } } }
        """#, objects: [("Photo", [:])]),
    RefusedEdit(
      testDescription: "a relationship to another family",
      old: #""Tag": {}, "Book": { "relationships": { "tags": { "type": "[Tag]" } } }"#,
      new: #""Tag": {}, "Book": { "relationships": { "tags": { "type": "[Book]" } } }"#),
    .attribute(
      "optional, and another type and required now", #""string?""#, to: #""integer16""#,
      ["7", "70000", "007", .null]),
    .attribute(
      "optional values of another type", #""string?""#, to: #""date?""#,
      ["2024-05-17T09:30:00Z", "yesterday", .null]),
    .attribute("optional texts that are no UUID", #""string?""#, to: #""uuid?""#, ["x", .null]),
    .attribute(
      "cases of integers, required and checked", #""integer?""#,
      to: #"{ "type": "integer", "cases": { "low": 1, "high": 2 }, "checkStored": true }"#,
      [1, 3, .null]),
    .attribute(
      "another type with rules that are checked", #""string""#,
      to: #"{ "type": "integer16", "minimum": 5, "checkStored": true }"#, ["7", "3", "x"]),
    .attribute(
      "a required value that can be no default of others", #""string?""#,
      to: #"{ "type": "string", "minimumLength": 1, "checkStored": true }"#, ["", "x", .null]),
    .attribute(
      "a date as a number", #""date""#, to: #""integer""#,
      [.date(Date(timeIntervalSince1970: 1_000_000_000))]),
    .attribute(
      "values not in files any more", #"{ "type": "binary?", "external": true }"#,
      to: #""binary?""#, [.binary(Data([1]))], statements: missingFile),
    .attribute(
      "required values not in files any more", #"{ "type": "binary", "external": true }"#,
      to: #""binary""#, [.binary(Data([1]))], statements: missingFile),
    .attribute(
      "not versioned any more",
      #"{ "type": "transformable?", "class": "Color", "transformer": "color", "versioned": true }"#,
      to: #"{ "type": "transformable?", "class": "Color", "transformer": "color" }"#, []),
    .attribute(
      "a transformable that is stored as another type",
      #"{ "type": "transformable?", "class": "Color", "transformer": "color" }"#,
      to:
        #"{ "type": "transformable?", "class": "Color", "transformer": "color", "storage": "text" }"#,
      []),
    .attribute(
      "a date as a number that does not hold it", #""date""#,
      to: #"{ "type": "integer16?", "conversion": "secondsSince1970" }"#,
      [.date(Date(timeIntervalSince1970: 1_000_000_000))]),
    RefusedEdit(
      testDescription: "a new required transformable",
      old: #""Book": { "attributes": { "a": "string" } }"#,
      new: #"""
        "Book": { "attributes": {
          "a": "string", "b": { "type": "transformable", "class": "Color", "transformer": "color" }
        } }
        """#, objects: [("Book", ["a": "x"])]),
    .attribute(
      "a transformable that is required now",
      #"{ "type": "transformable?", "class": "Color", "transformer": "color" }"#,
      to: #"{ "type": "transformable", "class": "Color", "transformer": "color" }"#, [.null]),
    .attribute(
      "a versioned transformable that is a plain type now",
      #"{ "type": "transformable?", "class": "Color", "transformer": "color", "versioned": true }"#,
      to: #""binary?""#, []),
    .attribute(
      "neither versioned nor in files any more",
      #"{ "type": "transformable?", "class": "Color", "transformer": "color", "versioned": true, "external": true }"#,
      to:
        #"{ "type": "transformable?", "class": "Color", "transformer": "color", "conversion": "unversioned" }"#,
      [.binary(Data([1]))], statements: missingFile),
    RefusedEdit(
      testDescription: "two attributes that may be one new attribute",
      old: #""Book": { "attributes": { "title": "string", "subtitle": "string" } }"#,
      new:
        #""Book": { "attributes": { "name": { "type": "string", "renamedFrom": ["title", "subtitle"] } } }"#,
      objects: [("Book", ["title": "x", "subtitle": "y"])]),
    RefusedEdit(
      testDescription: "two entities that may be one new entity",
      old:
        #""Book": { "attributes": { "a": "string" } }, "Paper": { "attributes": { "a": "string" } }"#,
      new: #""Text": { "renamedFrom": ["Book", "Paper"], "attributes": { "a": "string" } }"#,
      objects: [("Book", ["a": "x"]), ("Paper", ["a": "y"])]),
  ]

  /// A store of the old model with its objects, closed.
  func makeStore() throws -> TestStore {
    let test = try TestStore()
    do {
      let tester = try test.storeTester(MigrationCase.schema(old))
      for (entity, values) in objects { try tester.insert(values, into: entity) }
    }
    if !statements.isEmpty { _ = try test.sqlite3(statements) }
    return test
  }

  // MARK: Several edits

  /// This edit and another one, in one model.
  ///
  /// - Parameter inOneEntity: whether attributes of both are in one entity where that is possible.
  func combined(with other: RefusedEdit, inOneEntity: Bool) throws -> RefusedEdit {
    let (own, others) = (try models(), try other.models())
    let names = Set(others.flatMap(\.object.keys))
    let entities = Set(objects.map(\.entity))
    let isShared =
      inOneEntity && !objects.isEmpty && entities == Set(other.objects.map(\.entity))
      && (own + others).allSatisfy { Set($0.object.keys) == names }
    let number = testDescription.split(separator: "\n").count + 1
    func renamed(_ name: String) -> String { "\(name)\(number)" }
    let words = isShared ? Set(others.flatMap(\.properties)) : names
    func edited(_ text: String) throws -> String {
      try words.reduce(text) { text, word in
        if !isShared {
          return text.replacing(try Regex("\\b\(word)\\b"), with: renamed(word))
            .replacing("copal_links_\(word).", with: "copal_links_\(renamed(word)).")
        }
        // A property is a whole string of a model, or a column of a statement.
        return text.replacing("\"\(word)\"", with: "\"\(renamed(word))\"")
          .replacing("SET \(word) =", with: "SET \(renamed(word)) =")
          .replacing("copal_order_\(word) =", with: "copal_order_\(renamed(word)) =")
          .replacing(".\(word)\"", with: ".\(renamed(word))\"")
      }
    }
    var result = self
    result.testDescription += "\n" + other.testDescription
    result.old = try own[0].merged(with: JSON(entities: edited(other.old))).members
    result.new = try own[1].merged(with: JSON(entities: edited(other.new))).members
    result.statements += try edited(other.statements)
    guard isShared else {
      result.objects += other.objects.map { (renamed($0.entity), $0.values) }
      return result
    }
    result.objects = entities.sorted().flatMap { entity in
      let rows = objects.filter { $0.entity == entity }.map(\.values)
      let otherRows = other.objects.filter { $0.entity == entity }.map(\.values)
      return (0..<max(rows.count, otherRows.count)).map { row in
        var values = rows[row % rows.count]
        for (name, value) in otherRows[row % otherRows.count] { values[renamed(name)] = value }
        return (entity: entity, values: values)
      }
    }
    return result
  }

  private func models() throws -> [JSON] { [try JSON(entities: old), try JSON(entities: new)] }
}

extension JSON {
  /// The names of the properties of all entities.
  fileprivate var properties: [String] {
    object.values.flatMap { entity in
      ["attributes", "relationships"].flatMap { entity[$0].object.keys }
    }
  }
}
