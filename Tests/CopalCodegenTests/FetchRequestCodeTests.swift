import CopalModel
import Foundation
import Testing

@Suite("Generated fetch requests")
struct FetchRequestCodeTests {
  /// The code of a model with painters and paintings.
  private func atelierCode(
    painting: String = "", painter: String = "", access: String = ""
  ) throws -> String {
    try code(
      """
      { "copal": 1, "model": "Atelier", \(access) "entities": {
        "Person": { "codegen": "none", "attributes": {
          "name": "string", "rank": { "type": "integer16?", "cases": { "low": 1, "high": 2 } } },
          "fetchRequests": { "ranked": "rank == $rank" } },
        "Painter": { "parent": "Person", \(painter)
          "relationships": { "paintings": { "type": "[Painting]", "inverse": "painter" } } },
        "Engraver": { "parent": "Painter" },
        "Painting": { \(painting)
          "attributes": { "title": "string", "price": "decimal", "link": "uri",
            "kind": { "type": "string", "cases": ["oil", "fresco"] } },
          "relationships": { "painter": { "type": "Painter", "inverse": "paintings" } } }
      } }
      """)
  }

  /// A fetch request of `Painting`, and the head and the body of its function.
  static let functions: [(request: String, function: String)] = [
    (
      #""found": "price < $limit""#,
      """
        static func found(limit: Decimal) -> FetchRequest<Self> {
          _copalFetchRequest(
            "price < $limit",
            variables: ["limit": limit])
        }
      """
    ),
    (
      #""found": {}"#,
      """
        static func found() -> FetchRequest<Self> {
          _copalFetchRequest(
            nil)
        }
      """
    ),
    (
      #""found": { "sort": ["-title natural nilsLast", "painter.name"], "limit": 5 }"#,
      """
        static func found() -> FetchRequest<Self> {
          _copalFetchRequest(
            nil,
            sortedBy: [FetchSortKey.descending("title").natural.nilsLast, FetchSortKey.ascending("painter.name")],
            limit: 5)
        }
      """
    ),
    (
      #""found": "kind == $kind AND painter.rank == $rank AND link != $link""#,
      """
        static func found(kind: Painting.Kind, rank: Painter.Rank?, link: URL) -> FetchRequest<Self> {
          _copalFetchRequest(
            "kind == $kind AND painter.rank == $rank AND link != $link",
            variables: ["kind": kind.rawValue, "rank": rank?.rawValue, "link": link])
        }
      """
    ),
    (
      #""found": "painter == $painter AND SELF IN $list OR kind IN $kinds""#,
      """
        static func found(painter: Painter, list: [Painting], kinds: [Painting.Kind]) -> FetchRequest<Self> {
          _copalFetchRequest(
            "painter == $painter AND SELF IN $list OR kind IN $kinds",
            variables: ["painter": painter.objectID, "list": list.map { $0.objectID }, "kinds": kinds.map { $0.rawValue }])
        }
      """
    ),
    (
      #""class": "title == $in AND title != \"\\\"\\\\(x)\"""#,
      """
        static func `class`(`in`: String) -> FetchRequest<Self> {
          _copalFetchRequest(
            "title == $in AND title != \\"\\\\\\"\\\\\\\\(x)\\"",
            variables: ["in": `in`])
        }
      """
    ),
  ]

  @Test("a fetch request is a function with a parameter for each variable", arguments: functions)
  func function(request: String, function: String) throws {
    let text = try atelierCode(painting: "\"fetchRequests\": { \(request) },")
    #expect(text.contains(function) || text.contains(Self.broken(function)), "\(text)")
    #expect(text.contains("nonisolated extension QueryableObject where Self == Painting {"))
  }

  /// The function with each parameter on a line of its own, as where the line is too long.
  private static func broken(_ function: String) -> String {
    let lines = function.split(separator: "\n").map(String.init)
    let parts = lines[0].matches(of: /(.*\()(.*)(\) -> .*)/)
    guard let output = parts.first?.output else { return function }
    let parameters = output.2.split(separator: ", ").map { "    \($0)" }
    return
      (["\(output.1)"] + [parameters.joined(separator: ",\n")] + ["  \(output.3)"]
      + lines.dropFirst()).joined(separator: "\n")
  }

  @Test("the comment has the text of the model and the condition, and nothing can end it")
  func comment() throws {
    let text = try atelierCode(
      painting: """
        "fetchRequests": { "found": { "where": "title == '*/'\\n OR price < $limit", "doc": "Some.\\nNot all." } },
        """, access: #""access": "public","#)
    #expect(
      text.contains(
        """
          /// Some.
          /// Not all.
          ///
          ///     title == '*/'
          ///      OR price < $limit
          public static func found(limit: Decimal) -> FetchRequest<Self> {
        """))
    #expect(text.contains("/// A request of the model for objects of `Painter`."))
  }

  @Test("a class has the fetch requests of ancestors without a class; subclasses have them too")
  func families() throws {
    let text = try atelierCode(
      painter: #""fetchRequests": { "busy": "paintings.@count > $count" },"#)
    let parts = text.components(
      separatedBy: "nonisolated extension QueryableObject where Self: Painter {")
    #expect(parts.count == 2)
    #expect(parts.last?.contains("static func ranked(rank: Painter.Rank?)") == true)
    #expect(parts.last?.contains("static func busy(count: Int)") == true)
    // And the order of the enum, and the raw values.
    #expect(text.components(separatedBy: "static func ").count == 5)
  }

  @Test("a fetched property is a property that throws, and one with its request")
  func fetchedProperty() throws {
    let text = try atelierCode(
      painter: """
        "fetchedProperties": {
          "rivals": { "destination": "Person", "where": "rank == $FETCH_SOURCE.rank" },
          "works": { "destination": "Painting", "doc": "All of them." } },
        """, access: #""access": "public","#)
    #expect(
      text.contains(
        """
          /// The objects of `Person` that a fetch finds. Each call is a fetch.
          ///
          ///     rank == $FETCH_SOURCE.rank
          public final var rivals: [ManagedObject] {
            get throws { try _copalFetchedObjects("rivals") }
          }

          /// The request of `rivals`, for a count or for pages.
          public final var rivalsRequest: FetchRequest<ManagedObject> {
            get throws { try _copalFetchRequest(of: "rivals") }
          }

          /// All of them.
          public final var works: [Painting] {
        """))
  }

  /// Members of an entity, and the name that two things would have.
  static let clashes: [(members: String, problem: String)] = [
    (
      """
      "attributes": { "othersRequest": "string" },
      "fetchedProperties": { "others": { "destination": "Pigment" } }
      """,
      "3:24: error: Pigment.others: the generated code already contains the name 'othersRequest'"
    ),
    (
      """
      "attributes": { "origin": { "type": "string", "accessor": "custom" } },
      "fetchedProperties": { "primitiveOrigin": { "destination": "Pigment" } }
      """,
      "3:24: error: Pigment.primitiveOrigin: the generated code already contains the name 'primitiveOrigin'"
    ),
    (
      """
      "attributes": { "grade": { "type": "string", "cases": ["low"] } },
      "fetchRequests": { "Grades": "grade == 'low'" }
      """, ""
    ),
    (
      """
      "attributes": { "grade": { "type": "string", "cases": ["low"], "enum": "Level" } },
      "fetchRequests": { "Level": "grade == 'low'" }
      """, "2:17: error: Pigment.grade: the generated code already contains the name 'Level'"
    ),
  ]

  @Test("a name that the generated code already has is refused", arguments: clashes)
  func clash(members: String, problem: String) throws {
    let found = try problems(
      #"{ "copal": 1, "model": "Atelier", "entities": { "Pigment": {"# + "\n" + members + "\n} } }")
    if problem.isEmpty {
      #expect(found == [])
    } else {
      #expect(found == ["Atelier.model.json:\(problem); rename one of them [codegen.nameClash]"])
    }
  }

  @Test("a property with the name of the request of an ancestor's fetched property is refused")
  func inheritedClash() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": {
      "Work": { "fetchedProperties": { "others": { "destination": "Work" } } },
      "Painting": { "parent": "Work", "attributes": { "othersRequest": "string?" } }
      } }
      """)
    #expect(found.count == 1 && found.first?.contains("codegen.nameClash") == true, "\(found)")
    #expect(found.first?.contains("Painting.othersRequest") == true, "\(found)")
  }

  @Test("the text of the model in the code has the fetch requests")
  func json() throws {
    let text = try atelierCode(painting: #""fetchRequests": { "found": "price < $limit" },"#)
    #expect(text.contains(#""found": "price < $limit""#))
  }
}
