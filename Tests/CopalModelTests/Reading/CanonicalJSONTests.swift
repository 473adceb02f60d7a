import CopalModel
import Foundation
import Testing

@Suite("Canonical JSON of a model")
struct CanonicalJSONTests {
  /// The number of random models; `COPAL_MUTATIONS` sets another one.
  private static let count =
    ProcessInfo.processInfo.environment["COPAL_MUTATIONS"].flatMap(Int.init) ?? 25

  @Test(
    "the canonical JSON of a good model reads back to an equal model and an equal text",
    arguments: try Repository.goodModels())
  func files(path: String) throws {
    let model = try ManagedObjectModel(contentsOf: Repository.url(path))
    let again = try ManagedObjectModel(json: model.canonicalJSON, file: "canonical")
    #expect(again == model)
    #expect(again.canonicalJSON == model.canonicalJSON)
  }

  @Test("random models made by code read back equal from canonical JSON", arguments: 0..<count)
  func randomModels(seed: Int) throws {
    var random = RandomModel(seed: UInt64(seed))
    let access: ManagedObjectModel.Access = seed % 2 == 0 ? .public : .internal
    let entities = random.entities(access: access)
    let model = try ManagedObjectModel(
      name: "Random", version: seed + 1, imports: random.imports(), access: access,
      documentation: random.text(),
      userInfo: random.userInfo(depth: 62), entities: entities)
    #expect(differences(model.entities, entities) == [])
    try expectReadsBack(model)
  }

  @Test(
    "random models written in any allowed form read back equal from canonical JSON",
    arguments: 0..<count)
  func randomTexts(seed: Int) throws {
    var random = RandomModelText(seed: UInt64(seed))
    try expectReadsBack(ManagedObjectModel(json: random.model(), file: "random \(seed)"))
  }

  /// Strings are also compared by their bytes, because Swift's `==` ignores the form of accents.
  private func expectReadsBack(_ model: ManagedObjectModel) throws {
    let text = model.canonicalJSON
    let again = try ManagedObjectModel(json: text, file: "canonical")
    #expect(differences(again.entities, model.entities) == [])
    let isEqual = again == model
    #expect(isEqual)
    let isSameText = Array(again.canonicalJSON.utf8) == Array(text.utf8)
    #expect(isSameText)
  }

  /// The parts that differ: whole models are too long to be read in a log.
  private func differences(_ a: [EntityDescription], _ b: [EntityDescription]) -> [String] {
    zip(a, b).flatMap { a, b -> [String] in
      let attributes = zip(a.attributes, b.attributes).filter { $0 != $1 }.map { a, b in
        "\(a.name): \(a.defaultValue as Any) \(a.rules) | \(b.defaultValue as Any) \(b.rules)"
      }
      return attributes.isEmpty && a != b ? [a.name] : attributes
    } + (a.count == b.count ? [] : ["\(a.count) and \(b.count) entities"])
  }

  @Test(
    "a date whose year in UTC has not four digits is written in the farthest time zone",
    arguments: [
      ("9999-12-31T23:59:59-05:00", "9999-12-31T05:00:59-23:59"),
      ("0001-01-01T00:00:00+00:01", "0001-01-01T23:58:00+23:59"),
      ("9999-12-31T23:59:59.999999999Z", "9999-12-31T00:01:00-23:59"),
      ("9999-12-31T23:59:59-23:59", "9999-12-31T23:59:59-23:59"),
      ("2024-05-17T09:30:00.25+02:00", "2024-05-17T07:30:00.25Z"),
    ])
  func dates(written: String, canonical: String) throws {
    let text = #"{ "type": "date", "default": "\#(written)", "minimum": "\#(written)" }"#
    let model = try ManagedObjectModel(
      json: pigmentModel(#""attributes": { "it": \#(text) }"#), file: "Test.model.json")
    #expect(model.canonicalJSON.contains(#""default": "\#(canonical)""#))
    #expect(model.canonicalJSON.contains(#""minimum": "\#(canonical)""#))
    try expectReadsBack(model)
  }

  @Test("a date that the format cannot express is refused when a model is read or made")
  func unwritableDates() throws {
    let last = #"{ "type": "date", "default": "9999-12-31T23:59:59.999999999-23:59" }"#
    #expect(codes(ofAttribute: last) == [.invalidValue])
    for seconds in [252_424_080_000, -63_114_000_000, 1e300, .infinity, .nan] {
      let date = Date(timeIntervalSinceReferenceDate: seconds)
      let error = #expect(throws: ModelError.self) {
        try ManagedObjectModel(
          name: "Atelier",
          entities: [
            EntityDescription(
              "Painting",
              attributes: [
                AttributeDescription("made", .date, defaultValue: .value(.date(date)))
              ])
          ])
      }
      #expect(error?.problems.map(\.code) == [.wrongType])
    }
  }

  @Test("the canonical form of a class is never longer than the reader accepts")
  func longClasses() throws {
    let parts = (0..<400).map { _ in "A" }
    let long = "T<" + parts.joined(separator: ",") + ">"
    #expect(long.utf8.count < 1000 && SwiftTypeText.normalized(long) == nil)
    let short = try #require(SwiftTypeText.normalized("T<A,B>"))
    #expect(SwiftTypeText.normalized(short) == short)
  }

  @Test("a model with a canonical form too large to be read is refused")
  func tooLarge() {
    // Each number takes two bytes in this text, and its own line with 116 spaces in the canonical
    // text.
    func model(_ count: Int) -> [UInt8] {
      let numbers = Array(repeating: "1", count: count).joined(separator: ",")
      let (opening, closing) = (
        String(repeating: "[", count: 56), String(repeating: "]", count: 56)
      )
      return Array(
        (#"{ "copal": 1, "model": "M", "entities": {}, "userInfo": { "a": "# + opening + numbers
          + closing + " } }").utf8)
    }
    #expect(problems(in: model(600_000)).map(\.code) == [.tooLarge])
    #expect(problems(in: model(60_000)).isEmpty)
  }

  @Test func `notes are written in the order of their keys`() throws {
    let model = try ManagedObjectModel(
      name: "Atelier", userInfo: ["b": .null, "a": .array([.boolean(true), .object([:])])],
      entities: [])
    #expect(
      model.canonicalJSON == """
        {
          "copal": 1,
          "model": "Atelier",
          "userInfo": {
            "a": [true, {}],
            "b": null
          },
          "entities": {}
        }

        """)
  }
}
