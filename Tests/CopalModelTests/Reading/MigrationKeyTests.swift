import CopalModel
import Testing

@Suite("The keys of migration in a model file")
struct MigrationKeyTests {
  private static func json(_ entities: String, keys: String = "") -> String {
    #"{ "copal": 1, "model": "Test", \#(keys)"entities": { \#(entities) } }"#
  }

  private static func attribute(_ attribute: String) -> String {
    json(#""Book": { "attributes": { "a": { \#(attribute) } } }"#)
  }

  private static func relationship(_ relationship: String) -> String {
    json(#""Book": { "relationships": { "a": { \#(relationship) } } }"#)
  }

  /// A model, and the codes of its problems.
  static let cases: [(json: String, codes: [ModelError.Code])] = [
    // Former names.
    (attribute(#""type": "string", "renamedFrom": "b""#), []),
    (attribute(#""type": "string", "renamedFrom": ["b", "c"]"#), []),
    (attribute(#""type": "string", "renamedFrom": []"#), []),
    (attribute(#""type": "string", "renamedFrom": ["b", "b"]"#), [.invalidRenaming]),
    (attribute(#""type": "string", "renamedFrom": ["a"]"#), [.invalidRenaming]),
    (attribute(#""type": "string", "renamedFrom": "no name""#), [.invalidName]),
    (attribute(#""type": "string", "renamedFrom": 3"#), [.wrongType]),
    (
      json(
        #""Book": { "attributes": { "a": { "type": "string", "renamedFrom": "c" }, "b": { "type": "string", "renamedFrom": ["d", "c"] } } }"#
      ),
      [.invalidRenaming]
    ),
    // An exchange of two names, and a ring of three.
    (
      json(
        #""Book": { "attributes": { "a": { "type": "string", "renamedFrom": "b" }, "b": { "type": "string", "renamedFrom": "a" } } }"#
      ),
      [.invalidRenaming, .invalidRenaming]
    ),
    (
      json(
        #""A": { "renamedFrom": "B" }, "B": { "renamedFrom": "C" }, "C": { "renamedFrom": "A" }"#),
      [.invalidRenaming, .invalidRenaming, .invalidRenaming]
    ),
    // `a` can become `b`, and `c` become `a`, at once.
    (
      json(
        #""Book": { "attributes": { "b": { "type": "string", "renamedFrom": "a" }, "a": { "type": "string", "renamedFrom": "c" } } }"#
      ),
      []
    ),
    // Names of an ancestor.
    (
      json(
        #""Asset": { "attributes": { "a": { "type": "string", "renamedFrom": "x" } } }, "Photo": { "parent": "Asset", "attributes": { "b": { "type": "string", "renamedFrom": "x" } } }"#
      ),
      [.invalidRenaming]
    ),
    // What was removed.
    (json(#""Book": { "removed": ["x", "y"] }"#, keys: #""removed": ["Tag"], "#), []),
    (json(#""Book": {}"#, keys: #""removed": ["Book"], "#), [.invalidRemoval]),
    (json(#""Book": { "removed": ["a"], "attributes": { "a": "string" } }"#), [.invalidRemoval]),
    (
      json(
        #""Book": { "removed": ["a"], "attributes": { "a": { "type": "string?", "transient": true } } }"#
      ), []
    ),
    (
      json(
        #""Asset": { "attributes": { "a": "string" } }, "Photo": { "parent": "Asset", "removed": ["a"] }"#
      ), [.invalidRemoval]
    ),
    (json(#""Book": { "removed": ["a", "a"] }"#), [.repeatedName]),
    // What was merged.
    (json(#""Party": { "merges": ["Author", "Editor"] }"#), []),
    (json(#""Party": { "merges": ["Author"] }, "Author": {}"#), [.invalidMerge]),
    (json(#""Party": { "merges": ["Author", "Author"] }"#), [.repeatedName]),
    (
      json(#""Party": { "merges": ["Author"] }, "Firm": { "merges": ["Author"] }"#), [.invalidMerge]
    ),
    (
      json(#""Party": { "merges": ["Author"] }, "Firm": { "renamedFrom": "Author" }"#),
      [.invalidMerge]
    ),
    (
      json(#""Party": { "merges": ["Author"] }"#, keys: #""removed": ["Author"], "#),
      [.invalidMerge]
    ),
    (json(#""Party": { "merges": [7] }"#), [.wrongType]),
    // Values of old objects.
    (attribute(#""type": "string", "fill": "x""#), []),
    (attribute(#""type": "date", "fill": "now""#), []),
    (attribute(#""type": "integer", "fill": "x""#), [.wrongType]),
    (attribute(#""type": "integer", "fill": null"#), [.nullDefault]),
    (attribute(#""type": "integer", "fill": 3, "maximum": 2"#), [.defaultBreaksRule]),
    (attribute(#""type": "string", "fill": "silk", "cases": ["paper"]"#), [.defaultIsNoCase]),
    (attribute(#""type": "string?", "transient": true, "fill": "x""#), [.misplacedKey]),
    // Conversions.
    (attribute(#""type": "integer16", "conversion": "nearest""#), []),
    (attribute(#""type": "string", "conversion": "nearest""#), [.invalidConversion]),
    (attribute(#""type": "string?", "conversion": "nil""#), []),
    (attribute(#""type": "string", "conversion": "nil""#), [.invalidConversion]),
    (attribute(#""type": "string", "conversion": "fill""#), [.invalidConversion]),
    (attribute(#""type": "string", "conversion": "fill", "default": "x""#), []),
    (attribute(#""type": "boolean", "conversion": "secondsSince1970""#), [.invalidConversion]),
    (attribute(#""type": "date", "conversion": "secondsSince1970""#), []),
    (attribute(#""type": "string", "conversion": "unversioned""#), []),
    (
      attribute(
        #""type": "transformable", "class": "C", "transformer": "T", "versioned": true, "conversion": "unversioned""#
      ), [.invalidConversion]
    ),
    (attribute(#""type": "string", "conversion": "best""#), [.unknownKeyword]),
    (relationship(#""type": "Book?", "conversion": "first""#), []),
    (relationship(#""type": "[Book]", "conversion": "first""#), [.invalidConversion]),
    (relationship(#""type": "[Book]", "conversion": "unordered""#), []),
    (relationship(#""type": "Book?", "conversion": "unordered""#), [.invalidConversion]),
    (
      relationship(#""type": "[Book]", "ordered": true, "conversion": "unordered""#),
      [.invalidConversion]
    ),
    (relationship(#""type": "Book?", "conversion": "nil""#), []),
    (relationship(#""type": "[Book]", "conversion": "nil""#), []),
    (relationship(#""type": "Book", "conversion": "nil""#), [.invalidConversion]),
    (relationship(#""type": "Book?", "conversion": "nearest""#), [.unknownKeyword]),
    (relationship(#""type": "Book?", "renamedFrom": ["b", "c"]"#), []),
    // Raw values.
    (attribute(#""type": "string", "cases": ["paper"], "renamedCases": { "pb": "paper" }"#), []),
    (attribute(#""type": "integer", "cases": { "low": 1 }, "renamedCases": { "-7": 1 }"#), []),
    (
      attribute(#""type": "string", "cases": ["paper"], "renamedCases": { "paper": "paper" }"#),
      [.invalidRenamedCase]
    ),
    (
      attribute(#""type": "string", "cases": ["paper"], "renamedCases": { "pb": "papr" }"#),
      [.invalidRenamedCase]
    ),
    (attribute(#""type": "string", "renamedCases": { "pb": "paper" }"#), [.misplacedKey]),
    (attribute(#""type": "string", "cases": ["paper"], "checkStored": true"#), []),
    (attribute(#""type": "string", "checkStored": true"#), [.misplacedKey]),
    // Forms of a search.
    (attribute(#""type": "string", "search": "normalized""#), []),
    (attribute(#""type": "string?", "search": ["normalized", "case"]"#), []),
    (attribute(#""type": "string", "search": ["case", "normalized"]"#), []),
    (attribute(#""type": "string", "search": "case""#), [.missingSearchForm]),
    (attribute(#""type": "string", "search": []"#), [.emptyList]),
    (attribute(#""type": "string", "search": ["normalized", "normalized"]"#), [.repeatedName]),
    (attribute(#""type": "string", "search": "normalised""#), [.unknownKeyword]),
    (attribute(#""type": "string", "search": true"#), [.wrongType]),
    (attribute(#""type": "integer", "search": "normalized""#), [.misplacedKey]),
    (attribute(#""type": "string", "transient": true, "search": "normalized""#), [.misplacedKey]),
    // Keys of later versions of Copal.
    (json(#""Book": { "fullText": { "words": ["a"] } }"#), [.unsupportedKey]),
    (json(#""Book": {}"#, keys: #""step": "JoinNames", "#), [.unsupportedKey]),
    (
      attribute(#""type": "transformable", "class": "C", "transformer": "T", "reencode": "S""#),
      [.unsupportedKey]
    ),
  ]

  @Test("each key is read, or refused by name", arguments: cases)
  func keys(json: String, codes: [ModelError.Code]) {
    #expect(problems(in: Array(json.utf8)).map(\.code) == codes)
  }

  @Test("a store keeps what has an effect once, and nothing that would act again")
  func stored() throws {
    let json = Self.json(
      #"""
      "Book": {
        "renamedFrom": ["Item"], "removed": ["shelf"],
        "attributes": {
          "a": { "type": "string", "renamedFrom": "b", "fill": "x", "conversion": "fill" },
          "c": { "type": "string", "cases": ["paper"], "renamedCases": { "pb": "paper" }, "checkStored": true }
        }
      }
      """#, keys: #""removed": ["Tag"], "#)
    let model = try ManagedObjectModel(json: json, file: "Test.model.json")
    let stored = try ManagedObjectModel(stored: model.canonicalJSON)
    #expect(stored.removed == [])
    let book = try #require(stored.entity("Book"))
    #expect(book.renamedFrom == [] && book.removed == [])
    let a = try #require(book.attribute("a"))
    #expect(a.renamedFrom == [] && a.fill == nil && a.conversion == .exact)
    let c = try #require(book.attribute("c"))
    #expect(c.renamedCases == [.init("pb", to: "paper")] && c.checksStored)
  }
}
