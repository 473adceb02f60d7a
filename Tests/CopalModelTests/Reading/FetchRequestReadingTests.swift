import CopalModel
import Foundation
import Testing

/// Painters, paintings and pigments with the conditions of tests.
private func atelier(
  painting: String = "", painter: String = "", pigment: String = ""
) -> String {
  """
  { "copal": 1, "model": "Atelier", "entities": {
    "Person": { "abstract": true, "attributes": { "name": "string", "born": "date?" } },
    "Painter": { "parent": "Person", \(painter)
      "attributes": { "style": { "type": "string?", "cases": ["gothic", "baroque"] } },
      "relationships": {
        "paintings": { "type": "[Painting]", "inverse": "painter" },
        "teacher": { "type": "Painter?", "inverse": "pupils" },
        "pupils": { "type": "[Painter]", "inverse": "teacher" } } },
    "Painting": { \(painting)
      "attributes": { "title": "string", "year": "integer16?", "price": { "type": "decimal", "scale": 2 },
        "weight": "double", "sold": "boolean", "hung": "date?", "key": "uuid",
        "note": { "type": "string?", "transient": true },
        "image": { "type": "binary?", "external": true },
        "color": { "type": "transformable?", "transformer": "T", "class": "Color" } },
      "relationships": {
        "painter": { "type": "Painter", "inverse": "paintings" },
        "owner": "Person?",
        "pigments": { "type": "[Pigment]", "inverse": "paintings" } } },
    "Pigment": { \(pigment)
      "attributes": { "name": "string", "code": "string?", "price": { "type": "decimal", "scale": 2 } },
      "relationships": { "paintings": { "type": "[Painting]", "inverse": "pigments" } } }
  } }
  """
}

/// The condition as a template of `Painting`.
private func model(where condition: String) -> String {
  let text = JSONNode(.string(condition)).text
  return atelier(painting: "\"fetchRequests\": { \"found\": \(text) },")
}

@Suite("Fetch requests of a model file")
struct FetchRequestReadingTests {
  /// What `fetchRequests` says, and the template.
  static let templates: [(text: String, template: FetchRequestTemplate)] = [
    (#""found": "year > 1900""#, FetchRequestTemplate("found", where: "year > 1900")),
    (
      #""found": { "where": "year > 1900" }"#, FetchRequestTemplate("found", where: "year > 1900")
    ),
    (#""found": {}"#, FetchRequestTemplate("found")),
    (
      #""found": { "sort": "title" }"#,
      FetchRequestTemplate("found", sortKeys: [.ascending("title")])
    ),
    (
      """
      "found": {
        "where": "price < $limit AND painter.name ==[c] $painter", "limit": 20, "doc": "Few.",
        "sort": ["-price", "painter.name natural", "-year nilsLast", "title alphabetical nilsFirst"]
      }
      """,
      FetchRequestTemplate(
        "found", where: "price < $limit AND painter.name ==[c] $painter",
        sortKeys: [
          .descending("price"), .ascending("painter.name").natural, .descending("year").nilsLast,
          .ascending("title").alphabetical.nilsFirst,
        ], limit: 20, documentation: "Few.")
    ),
  ]

  @Test("a fetch request is read, and written as the same", arguments: templates)
  func template(text: String, template: FetchRequestTemplate) throws {
    let json = atelier(painting: "\"fetchRequests\": { \(text) },")
    let model = try ManagedObjectModel(json: json, file: "Test.model.json")
    #expect(model.entity("Painting")?.fetchRequests == [template])
    #expect(try ManagedObjectModel(json: model.canonicalJSON, file: "Again.model.json") == model)
  }

  @Test func `a fetched property is read, and written as the same`() throws {
    let json = atelier(
      painter: """
        "fetchedProperties": { "rivals": {
          "destination": "Painter", "where": "style == $FETCH_SOURCE.style AND SELF != $FETCH_SOURCE",
          "sort": "-name", "limit": 3, "doc": "Others." } },
        """)
    let model = try ManagedObjectModel(json: json, file: "Test.model.json")
    #expect(
      model.entity("Painter")?.fetchedProperties == [
        FetchedPropertyDescription(
          "rivals", of: "Painter",
          where: "style == $FETCH_SOURCE.style AND SELF != $FETCH_SOURCE",
          sortKeys: [.descending("name")], limit: 3, documentation: "Others.")
      ])
    #expect(try ManagedObjectModel(json: model.canonicalJSON, file: "Again.model.json") == model)
  }

  @Test func `a model made by a program has its fetch requests checked`() throws {
    var pigment = EntityDescription("Pigment", attributes: [AttributeDescription("name", .string)])
    pigment.fetchRequests = [FetchRequestTemplate("named", where: "name == $name")]
    #expect(try ManagedObjectModel(name: "Atelier", entities: [pigment]).entities == [pigment])
    pigment.fetchRequests = [FetchRequestTemplate("named", where: "nome == $name")]
    let error = #expect(throws: ModelError.self) {
      try ManagedObjectModel(name: "Atelier", entities: [pigment])
    }
    #expect(error?.problems.map(\.code) == [.unknownProperty])
  }

  // MARK: Variables

  /// A condition on paintings, and the variables: name, type, `?` for nil, `[]` for a list.
  static let variables: [(condition: String, variables: String)] = [
    ("price < $limit", "limit decimal"),
    ("year == $year", "year integer16?"),
    ("year > $year", "year integer16"),
    ("title == $title", "title string"),
    ("title ==[c] $title", "title string"),
    ("painter.name == $name", "name string?"),
    ("painter.name ==[c] $name", "name string"),
    ("year IN $years", "years [integer16]"),
    ("painter == $painter", "painter Painter"),
    ("owner == $owner", "owner Person?"),
    ("owner IN $owners", "owners [Person]"),
    ("SELF == $painting", "painting Painting"),
    ("SELF IN $list", "list [Painting]"),
    ("painter.style == $style", "style enum style?"),
    ("painter.style IN $styles", "styles [enum style]"),
    ("price BETWEEN {$low, $high}", "low decimal, high decimal"),
    ("$late < hung", "late date"),
    ("price * $factor > 10", "factor decimal"),
    ("price * 2 > $limit", "limit decimal"),
    ("weight > $a + $b", "a double, b double"),
    ("year - $span < 1900", "span integer"),
    ("length(title) > $length", "length integer"),
    ("lowercase(title) == $title", "title string"),
    ("lowercase($title) == title", "title string"),
    ("pigments.@count >= $count", "count integer"),
    ("pigments.@avg.price > $average", "average decimal"),
    ("ANY pigments.name == $name", "name string"),
    ("ANY pigments.code IN $codes", "codes [string]"),
    ("ANY pigments == $pigment", "pigment Pigment"),
    ("ALL pigments.price < $limit", "limit decimal"),
    (
      "SUBQUERY(pigments, $p, $p.price < $limit AND $p.code == $code).@count > 0",
      "limit decimal, code string?"
    ),
    ("$all == TRUE OR price < $limit", "all boolean, limit decimal"),
    ("$title == nil OR title CONTAINS $title", "title string?"),
    ("year == $year OR year > $year", "year integer16"),
    ("year == $n OR length(title) == $n", "n integer"),
    ("hung > now() - $seconds", "seconds double"),
    ("key == $key AND sold == $sold", "key uuid, sold boolean"),
    ("title LIKE $pattern OR title MATCHES $expression", "pattern string, expression string"),
    ("owner == $person AND painter == $person", "person Painter"),
    ("TERNARY(sold == TRUE, price, $other) > 3", "other decimal"),
    ("title == $other ?? title", "other string"),
    ("TRUEPREDICATE", ""),
  ]

  @Test("a variable has the type of what it is compared with", arguments: variables)
  func types(condition: String, variables: String) throws {
    let model = try ManagedObjectModel(json: model(where: condition), file: "Test.model.json")
    let index = try #require(model.entityIndex("Painting"))
    let template = try #require(model.entities[index].fetchRequests.first)
    let found = model.variables(of: template, ofEntity: index).map { variable in
      var type =
        switch variable.type {
        case .value(let type): type.rawValue
        case .cases(let attribute, _): "enum \(attribute.name)"
        case .object(let entity): model.entities[entity].name
        }
      if variable.isList { type = "[\(type)]" }
      return "\(variable.name) \(type)\(variable.isOptional ? "?" : "")"
    }
    #expect(found.joined(separator: ", ") == variables)
  }

  // MARK: Problems

  /// A condition on paintings, and its problems: the byte of the text, and the code.
  static let mistakes: [(condition: String, problems: [String])] = [
    ("titel == $title", ["0 unknownProperty titel title"]),
    ("price > 1 AND painter.nam == 'Vermeer'", ["22 unknownProperty nam name"]),
    ("painter.teacher.pupils.@max.bron == $d", ["28 unknownProperty bron born"]),
    ("titel == 1 OR yaer == 2", ["0 unknownProperty titel title", "14 unknownProperty yaer year"]),
    ("title.length == 1", []), ("title.length == '1'", ["0 conditionType"]),
    ("year.length == 1", ["0 conditionType"]),
    ("pigments.name == 'a'", ["0 conditionType"]),
    ("pigments == $p", ["0 conditionType"]),
    ("ANY title == 'a'", ["4 conditionType"]),
    ("ANY painter.name == 'a'", ["4 conditionType"]),
    ("ANY pigments.nam == 'a'", ["13 unknownProperty nam name"]),
    ("pigments.@sum.name > 1", ["14 conditionType"]),
    ("title.@count > 1", ["0 conditionType"]),
    ("painter.@count > 1", ["0 conditionType"]),
    ("SELF.@count > 1", ["0 conditionType"]),
    ("note == 'a'", ["0 conditionType"]),
    ("image == $image", ["0 conditionType"]),
    ("color == $color", ["0 conditionType"]),
    ("image == nil AND color != nil", []),
    ("title == 1", ["0 conditionType"]),
    ("title IN {'a', 1}", ["0 conditionType"]),
    ("price IN {1, 2.5}", []),
    ("year == 1.5", []),
    ("year == 2.0", []),
    ("sold == 1", []),
    ("sold == 2", ["0 conditionType"]),
    ("hung > 1000", ["0 conditionType"]),
    ("year CONTAINS 'a'", ["0 conditionType"]),
    ("title MATCHES '('", ["0 conditionType"]),
    ("title MATCHES lowercase(title)", ["24 conditionType"]),
    ("painter < $painter", ["0 conditionType"]),
    ("painter == 'Vermeer'", ["0 conditionType"]),
    ("painter == SELF", ["0 conditionType"]),
    ("painter == owner", []),
    ("price == weight", []),
    ("price + 0 == weight", []),
    ("title + 1 > 2", ["0 conditionType"]),
    ("length(year) > 2", ["7 conditionType"]),
    ("iskind:(SELF, 'Painter')", ["14 conditionType"]),
    (
      "SUBQUERY(pigments, $p, $p.nam == 'a' AND titl == 'b').@count > 0",
      ["26 unknownProperty nam name", "41 unknownProperty titl title"]
    ),
    ("ANY painter.paintings.title == title", []),
    ("painter > nil", ["0 conditionType"]),
    ("title == $title AND price == $title", ["30 variableType"]),
    ("price == $a OR price IN $a", ["25 variableType"]),
    ("$a == $b", ["1 variableType", "7 variableType"]),
    ("title == $self", ["10 reservedName"]),
    ("title == $_copalA", ["10 reservedName"]),
    ("title == variable:('a b')", ["19 invalidName"]),
    ("title == $FETCH_SOURCE.title", ["10 conditionType"]),
    ("title == %@", ["9 invalidCondition"]),
    ("title = = 'a'", ["8 invalidCondition"]),
    ("title BEGINWITH 'a'", ["6 invalidCondition"]),
    ("", ["0 invalidCondition"]),
  ]

  @Test("each mistake of a condition is reported at its place in the text", arguments: mistakes)
  func mistake(condition: String, problems: [String]) throws {
    let json = model(where: condition)
    let start = try #require(json.range(of: "\"found\": \"")).upperBound
    let line = json[..<start].split(separator: "\n", omittingEmptySubsequences: false)
    let found = CopalModelTests.problems(in: Array(json.utf8)).map { problem in
      #expect(problem.position.line == line.count)
      let place = problem.position.column - 1 - (line.last ?? "").utf8.count
      let name = problem.code == .unknownProperty ? " " + problem.found : ""
      let suggestion = problem.suggestion.map { " " + $0 } ?? ""
      return "\(place) \(problem.code.rawValue.dropFirst(6))\(name)"
        + (problem.code == .unknownProperty ? suggestion : "")
    }
    #expect(found == problems)
  }

  @Test func `escapes in the text of a condition count as they are written`() {
    let texts = [
      (#"title == \"a\" AND yaer == 1"#, 20), (#"\u0074itle == 'a' AND yaer == 1"#, 23),
      (#"title == '\u00e9\ud83c\udfa8' AND yaer == 1"#, 35), (#"title == 'é' AND yaer == 1"#, 19),
      (#"title\t==\n'a' AND \/"#, 0),
    ]
    for (text, column) in texts where column > 0 {
      let json = atelier(painting: "\n\"fetchRequests\": { \"a\":\n\"\(text)\" },")
      #expect(CopalModelTests.problems(in: json) == ["11:\(column + 1) model.unknownProperty"])
    }
  }

  /// The members of a painting, and the problems of its fetch requests.
  static let forms: [(members: String, codes: [ModelError.Code])] = [
    (#""fetchRequests": { "found": 1 },"#, [.wrongType]),
    (#""fetchRequests": { "found": { "were": "price > 1" } },"#, [.unknownKey]),
    (#""fetchRequests": { "found": { "limit": 0 } },"#, [.outOfRange]),
    (#""fetchRequests": { "found": { "sort": [] } },"#, [.emptyList]),
    (#""fetchRequests": { "found": { "sort": ["title", "-title"] } },"#, [.repeatedName]),
    (#""fetchRequests": { "found": { "sort": ["title natural", "title"] } },"#, []),
    (#""fetchRequests": { "found": { "sort": "title descending" } },"#, [.unknownKeyword]),
    (#""fetchRequests": { "found": { "sort": "painter.born" } },"#, []),
    (#""fetchRequests": { "found": { "sort": "painter" } },"#, [.conditionType]),
    (#""fetchRequests": { "found": { "sort": "pigments.name" } },"#, [.conditionType]),
    (#""fetchRequests": { "found": { "sort": "year natural" } },"#, [.conditionType]),
    (#""fetchRequests": { "found": { "sort": "color" } },"#, [.conditionType]),
    (#""fetchRequests": { "title": "year > 1" },"#, [.nameClash]),
    (#""fetchRequests": { "entityName": "year > 1" },"#, [.reservedName]),
    (#""fetchRequests": { "2": "year > 1" },"#, [.invalidName]),
    (#""fetchedProperties": { "others": {} },"#, [.missingKey]),
    (#""fetchedProperties": { "others": { "destination": "Paintig" } },"#, [.unknownDestination]),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "price < $FETCH_SOURCE.pric" } },"#,
      [.unknownProperty]
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "price < $FETCH_SOURCE.title" } },"#,
      [.conditionType]
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "SELF IN $FETCH_SOURCE.pigments" } },"#,
      []
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "SELF IN $FETCH_SOURCE.painter" } },"#,
      [.conditionType]
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "SELF == $FETCH_SOURCE" } },"#,
      [.conditionType]
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Painting", "where": "painter.name == $FETCH_SOURCE.painter.name AND SELF != $FETCH_SOURCE" } },"#,
      []
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Painting", "where": "weight < $FETCH_SOURCE.price" } },"#,
      []
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Painting", "where": "year < $FETCH_SOURCE.weight" } },"#,
      []
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Painting", "where": "$FETCH_SOURCE.weight > price AND weight > $FETCH_SOURCE.year" } },"#,
      []
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Painting", "where": "weight * 2 > $FETCH_SOURCE.year" } },"#,
      []
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "$FETCH_SOURCE.pric == nil" } },"#,
      [.unknownProperty]
    ),
    (
      #""fetchedProperties": { "others": { "destination": "Pigment", "where": "$FETCH_SOURCE.title != nil" } },"#,
      []
    ),
    (#""fetchRequests": { "found": "$FETCH_SOURCE != nil" },"#, [.conditionType]),
    (
      #""fetchedProperties": { "others": { "destination": "Painting", "where": "price < $limit" } },"#,
      [.variableType]
    ),
  ]

  @Test("the keys of a fetch request are checked", arguments: forms)
  func form(members: String, codes: [ModelError.Code]) {
    let json = atelier(painting: members)
    #expect(CopalModelTests.problems(in: Array(json.utf8)).map(\.code) == codes)
  }

  @Test func `a subentity cannot declare the name of a fetch request of an ancestor`() {
    let json = """
      { "copal": 1, "model": "Atelier", "entities": {
        "Person": { "attributes": { "name": "string" }, "fetchRequests": { "named": "name == $name" } },
        "Painter": { "parent": "Person", "fetchRequests": { "named": "name != $name" } } } }
      """
    #expect(CopalModelTests.problems(in: json) == ["3:55 model.redeclaredProperty"])
  }

  @Test func `a property with an unknown type is no second problem of a condition`() {
    let json = pigmentModel(
      ##""attributes": { "price": "decimel" }, "fetchRequests": { "cheap": "price < $limit" }"##)
    #expect(CopalModelTests.problems(in: Array(json.utf8)).map(\.code) == [.unknownType])
  }

  @Test func `the hash of the layout does not depend on fetch requests`() throws {
    let plain = try ManagedObjectModel(json: atelier(), file: "Test.model.json")
    let other = try ManagedObjectModel(
      json: atelier(painting: #""fetchRequests": { "found": "year > 1" },"#),
      file: "Test.model.json")
    #expect(plain != other)
    for index in plain.entities.indices {
      #expect(plain.layoutHash(ofEntity: index) == other.layoutHash(ofEntity: index))
    }
  }

  @Test func `an unknown entity has the nearest name as a suggestion`() {
    let json = model(where: "iskind:(SELF, 'Paintng')")
    #expect(CopalModelTests.problems(in: Array(json.utf8)).map(\.suggestion) == ["Painting"])
  }

  @Test func `a value of the source of a fetched property prints as it is written`() throws {
    for text in [
      "price < $FETCH_SOURCE.budget", "maker == $FETCH_SOURCE", "a IN $FETCH_SOURCE.maker.pigments",
    ] {
      let predicate = try FetchPredicate(format: text)
      #expect(predicate.format == text)
      #expect(try FetchPredicate(format: predicate.format) == predicate)
    }
    #expect(
      try FetchPredicate(format: "price < $FETCH_SOURCE.budget")
        == .comparison(.property("price"), .less, .variable("FETCH_SOURCE.budget")))
    #expect(throws: PredicateFormatError.self) { try FetchPredicate(format: "a == $OTHER.b") }
  }

  @Test func `many mistakes in one condition are reported up to the limit, in little time`() {
    let mistakes = Array(repeating: "yaer == 1", count: 20_000).joined(separator: " OR ")
    let found = CopalModelTests.problems(in: Array(model(where: mistakes).utf8))
    #expect(found.count == ProblemList.maximumCount + 1)
    #expect(found.last?.code == .tooManyProblems)
  }

  @Test func `letters of every script are names of variables`() throws {
    let model = try ManagedObjectModel(
      json: model(where: "title == $größe AND year == $年"), file: "Test.model.json")
    let index = try #require(model.entityIndex("Painting"))
    let template = try #require(model.entities[index].fetchRequests.first)
    #expect(model.variables(of: template, ofEntity: index).map(\.name) == ["größe", "年"])
  }

  @Test func `a condition that is nested deeply is checked in linear time`() {
    func problems(_ count: Int) -> [String] {
      let nested =
        String(repeating: "abs(", count: count) + "price" + String(repeating: ")", count: count)
      return CopalModelTests.problems(in: model(where: nested + " > $limit"))
    }
    #expect(problems(50) == [])
    #expect(problems(51).count == 1 && problems(90).count == 1, "\(problems(51))")
    #expect(problems(51).first?.contains("conditionType") == true)
    let long = Array(repeating: "year == 1", count: 20_000).joined(separator: " OR ")
    #expect(CopalModelTests.problems(in: model(where: long)) == [])
  }
}
