import CopalModel
import CopalTestTools
import Testing

@Suite("The warnings of a model")
struct ModelWarningTests {
  /// Entities of a model, and its warnings.
  static let tables: [(entities: String, warnings: [String])] = [
    (
      #""Ink": { "relationships": { "maker": "Maker?" } }, "Maker": {}"#,
      [
        """
        warning: Ink.maker has no inverse: the deletion of its Maker searches for every Ink that refers \
        to it, and sets its 'maker' to nil; add a relationship from Maker to Ink, and name each as the \
        inverse of the other [model.oneWay]
        """
      ]
    ),
    (
      #""Ink": { "relationships": { "maker": "Maker" } }, "Maker": {}"#,
      [
        """
        warning: Ink.maker has no inverse: the deletion of its Maker searches for every Ink that refers \
        to it, and the save denies the deletion if there is one; add a relationship from Maker to Ink, \
        and name each as the inverse of the other [model.oneWay]
        """
      ]
    ),
    (
      #""Ink": {}, "Maker": { "relationships": { "inks": "[Ink]" } }"#,
      [
        """
        warning: Maker.inks has no inverse: the store keeps a table of links for it, and the deletion of \
        a related Ink searches this table; add a relationship from Ink to Maker, and name each as the \
        inverse of the other [model.oneWay]
        """
      ]
    ),
    (
      #""Ink": { "relationships": { "maker": "Maker?" } }, "Maker": { "relationships": { "inks": "[Ink]" } }"#,
      [
        """
        warning: Ink.maker has no inverse: the deletion of its Maker searches for every Ink that refers \
        to it, and sets its 'maker' to nil; 'inks' of Maker leads back; write "inverse": "inks" here, \
        and "inverse": "maker" there [model.oneWay]
        """,
        """
        warning: Maker.inks has no inverse: the store keeps a table of links for it, and the deletion of \
        a related Ink searches this table; 'maker' of Ink leads back; write "inverse": "maker" here, and \
        "inverse": "inks" there [model.oneWay]
        """,
      ]
    ),
    (
      #""Ink": { "relationships": { "maker": { "type": "Maker", "inverse": "inks" } } }, "Maker": { "relationships": { "inks": { "type": "[Ink]", "inverse": "maker" } } }"#,
      [
        """
        warning: Maker.inks has the delete rule nullify, but its inverse Ink.maker is required, so the \
        save of a deletion fails while there are related objects; write "delete": "cascade" to delete \
        these with it, "delete": "deny" to refuse the deletion while there are any, or "type": "Maker?" \
        for Ink.maker to keep them without it [model.nullifiesRequired]
        """
      ]
    ),
    (
      #""Ink": { "relationships": { "maker": { "type": "Maker", "inverse": "inks", "delete": "cascade" } } }, "Maker": { "relationships": { "inks": { "type": "[Ink]", "inverse": "maker", "delete": "cascade" } } }"#,
      [
        """
        warning: Ink.maker and its inverse Maker.inks both have the delete rule cascade, so a deletion \
        also deletes every object that the two relationships connect with the deleted one; usually only \
        the owner deletes its objects: remove "delete" from Ink.maker [model.cascadesBothWays]
        """
      ]
    ),
    (
      #""Ink": { "relationships": { "lid": { "type": "Lid?", "inverse": "ink", "delete": "cascade" } } }, "Lid": { "relationships": { "ink": { "type": "Ink?", "inverse": "lid", "delete": "cascade" } } }"#,
      [
        """
        warning: Lid.ink and its inverse Ink.lid both have the delete rule cascade, so a deletion also \
        deletes every object that the two relationships connect with the deleted one; usually only the \
        owner deletes its objects: remove "delete" from one of them [model.cascadesBothWays]
        """
      ]
    ),
    (
      #""Ink": { "attributes": { "color": { "type": "transformable?", "class": "Color", "transformer": "NSKeyedUnarchiveFromData" } } }"#,
      [
        """
        warning: Ink.color uses the transformer 'NSKeyedUnarchiveFromData', which is for archives of any \
        class; write "transformer": "NSSecureUnarchiveFromData", and register a \
        SecureUnarchiveTransformer of that name with the classes that you allow \
        [model.insecureTransformer]
        """
      ]
    ),
  ]

  private func model(_ entities: String) throws -> ManagedObjectModel {
    try ManagedObjectModel(
      json: #"{ "copal": 1, "model": "Atelier", "entities": { \#(entities) } }"#,
      file: "Test.model.json")
  }

  @Test(
    "row 29: say what a relationship costs, or what a transformer allows, and what to write",
    arguments: tables)
  func sentences(entities: String, warnings: [String]) throws {
    #expect(try model(entities).warnings.map(\.description) == warnings)
  }

  @Test("a suggestion is the only relationship that leads back, and not the relationship itself")
  func suggestions() throws {
    let suggestions = try model(
      """
      "Thing": { "relationships": { "owner": "Person?" } },
      "Ink": { "parent": "Thing", "relationships": {
        "maker": "Maker?", "first": "Ink?", "second": "[Ink]", "rival": "Maker?" } },
      "Maker": { "parent": "Person", "relationships": { "inks": "[Ink]", "rival": "Maker?" } },
      "Person": { "relationships": { "things": "[Thing]", "friends": "[Person]" } }
      """
    ).warnings.map { "\($0.subject) \($0.suggestion ?? "-")" }
    #expect(
      suggestions == [
        "Thing.owner things",
        // Two relationships to a Maker, and one from there.
        "Ink.maker -", "Ink.first second", "Ink.second first", "Ink.rival -",
        // The friends of a Person lead to a Person, which need not be a Maker.
        "Maker.inks -", "Maker.rival -",
        "Person.things owner", "Person.friends -",
      ])
  }

  /// The relationship `Maker.inks`, whose inverse is required unless another type is given.
  private func codes(of inks: String, maker: String = "Maker") throws -> [ModelWarning.Code] {
    try model(
      """
      "Ink": { "relationships": { "maker": { "type": "\(maker)", "inverse": "inks", "delete": "noAction" } } },
      "Maker": { "relationships": { "inks": { "inverse": "maker", \(inks) } } }
      """
    ).warnings.map(\.code)
  }

  @Test(
    "nullify is a mistake opposite a required relationship, to-many or to-one",
    arguments: [#""type": "[Ink]""#, #""type": "Ink?", "delete": "nullify""#])
  func nullify(inks: String) throws {
    #expect(try codes(of: inks) == [.nullifiesRequired])
    #expect(try codes(of: inks, maker: "Maker?") == [])
  }

  @Test(
    "another delete rule, or the deletion of orphans, is none",
    arguments: [
      #""delete": "cascade""#, #""delete": "deny""#, #""delete": "noAction""#,
      #""orphans": "delete""#,
    ])
  func otherRules(rule: String) throws {
    #expect(try codes(of: #""type": "[Ink]", \#(rule)"#) == [])
  }

  @Test("cascade at both ends of one entity is reported once, at the to-one end if there is one")
  func cascadesInOneEntity() throws {
    let found = try model(
      """
      "Person": { "relationships": {
        "children": { "type": "[Person]", "inverse": "parent", "delete": "cascade" },
        "parent": { "type": "Person?", "inverse": "children", "delete": "cascade" },
        "boss": { "type": "[Person]", "inverse": "helpers", "delete": "cascade" },
        "helpers": { "type": "[Person]", "inverse": "boss", "delete": "cascade" } } }
      """
    ).warnings
    #expect(
      found.map { "\($0.subject) \($0.code) \($0.keys.last ?? "")" } == [
        "Person.parent model.cascadesBothWays delete",
        "Person.helpers model.cascadesBothWays delete",
      ])
  }

  @Test("a relationship that is its own inverse may cascade without a warning, and so may one end")
  func cascades() throws {
    #expect(
      try model(
        """
        "Person": { "relationships": {
          "friends": { "type": "[Person]", "inverse": "friends", "delete": "cascade" },
          "children": { "type": "[Person]", "inverse": "parent", "delete": "cascade" },
          "parent": { "type": "Person?", "inverse": "children" } } }
        """
      ).warnings == [])
  }

  @Test("a many-to-many relationship has none")
  func manyToMany() throws {
    #expect(try codes(of: #""type": "[Ink]""#, maker: "[Maker]") == [])
  }

  @Test("the keys of a warning lead to its place in the file")
  func keys() throws {
    let found =
      try model(Self.tables[4].entities).warnings
      + model(Self.tables[0].entities).warnings
    #expect(
      found.map(\.keys) == [
        ["entities", "Maker", "relationships", "inks", "delete"],
        ["entities", "Ink", "relationships", "maker"],
      ])
  }

  @Test("a warning of a known file is printed as a compiler prints it")
  func position() {
    let position = ModelProblem.Position(file: "Ink.model.json", line: 7, column: 9)
    let warning = ModelWarning(
      "cloud.slow", at: position, keys: ["model"], subject: "Ink", found: "a", expected: "b")
    #expect(warning.description == "Ink.model.json:7:9: warning: Ink; a; b [cloud.slow]")
  }

  @Test("every code has a heading in the guide to errors, with one of the sentences")
  func everyCode() throws {
    let all = Self.tables.flatMap(\.warnings).map { String($0.dropFirst("warning: ".count)) }
    #expect(try ErrorPage.missing(ModelWarning.Code.all.map(\.rawValue), of: all) == [])
  }

  @Test("a model of many one-way relationships is searched in linear time")
  func manyCandidates() throws {
    let inks = (0..<20_000).map { #""i\#($0)": "[Ink]""# }.joined(separator: ",")
    let makers = (0..<20_000).map { #""m\#($0)": "Maker?""# }.joined(separator: ",")
    let found = try model(
      #""Ink": { "relationships": { \#(makers) } }, "Maker": { "relationships": { \#(inks) } }"#
    ).warnings
    #expect(found.count == 40_000 && found.allSatisfy { $0.suggestion == nil })
  }
}
