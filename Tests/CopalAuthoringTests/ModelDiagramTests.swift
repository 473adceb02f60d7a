import CopalModel
import CopalTestTools
import Foundation
import Testing

@testable import CopalAuthoring

@Suite("Drawings of models")
struct ModelDiagramTests {
  /// A model with random relationships and families.
  private static func model(_ count: Int, seed: UInt64) throws -> ManagedObjectModel {
    var random = SplitMix(seed: seed)
    func pick(_ limit: Int) -> Int { Int.random(in: 0..<limit, using: &random) }
    var relationships: [[String]] = Array(repeating: [], count: count)
    for number in 0..<count * 3 / 2 {
      let (a, b) = (pick(count), pick(count))
      let (there, back) = (["E\(b)?", "[E\(b)]"][pick(2)], ["E\(a)?", "[E\(a)]"][pick(2)])
      relationships[a].append(#""r\#(number)": { "type": "\#(there)", "inverse": "s\#(number)" }"#)
      relationships[b].append(#""s\#(number)": { "type": "\#(back)", "inverse": "r\#(number)" }"#)
    }
    let entities = (0..<count).map { index in
      let parent = index > 0 && pick(6) == 0 ? #""parent": "E\#(pick(index))", "# : ""
      let attributes = (0..<pick(7)).map {
        #""a\#(index)x\#($0)": "\#(["string?", "date", "decimal"][pick(3)])""#
      }
      return """
        "E\(index)": { \(parent)"attributes": { \(attributes.joined(separator: ", ")) },
          "relationships": { \(relationships[index].joined(separator: ", ")) } }
        """
    }
    let text =
      #"{ "copal": 1, "model": "R", "entities": { \#(entities.joined(separator: ",\n")) } }"#
    return try ManagedObjectModel(json: text, file: "R.model.json")
  }

  private static func models() throws -> [ManagedObjectModel] {
    let own = SyntaxTreeTests.models.compactMap { try? ManagedObjectModel(json: $0, file: "M") }
    let random = try [5, 20, 88].flatMap { count in
      try (1...6).map { try model(count, seed: UInt64(count * 100 + $0)) }
    }
    return own + random
  }

  private typealias Rect = DiagramLayout.Rect

  /// Whether two rectangles have a point of their insides in common.
  private static func overlap(_ a: Rect, _ b: Rect) -> Bool {
    a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height
  }

  @Test("no line goes through a box, no box is over another one, and everything is in the picture")
  func boxes() throws {
    let models = try Self.models()
    #expect(models.count > 75)
    for model in models {
      let graph = DiagramGraph(model)
      let layout = DiagramLayout(graph)
      #expect(layout.boxes.map(\.index) == Array(graph.boxes.indices))
      #expect(layout.lines.count == graph.lines.count)
      let rects = layout.boxes.map(\.rect)
      for (index, rect) in rects.enumerated() {
        #expect(rect.x >= 0 && rect.y >= 0)
        #expect(rect.x + rect.width <= layout.size.width)
        #expect(rect.y + rect.height <= layout.size.height)
        for other in rects[(index + 1)...] { #expect(!Self.overlap(rect, other), "\(model.name)") }
      }
      for line in layout.lines {
        for (a, b) in zip(line.points, line.points.dropFirst()) {
          #expect(a.x == b.x || a.y == b.y)
          let segment = Rect(
            x: min(a.x, b.x), y: min(a.y, b.y), width: abs(a.x - b.x), height: abs(a.y - b.y))
          for rect in rects {
            // A line may touch the side where it ends.
            let inside = Rect(
              x: rect.x + 0.5, y: rect.y + 0.5, width: rect.width - 1, height: rect.height - 1)
            #expect(!Self.overlap(inside, segment), "\(model.name): \(segment) in \(rect)")
          }
          #expect(max(a.x, b.x) <= layout.size.width && max(a.y, b.y) <= layout.size.height)
        }
      }
    }
  }

  @Test("no text is over another one")
  func texts() throws {
    for model in try Self.models() {
      for box in DiagramGraph(model).boxes {
        let width = DiagramLayout.width(of: box) - 2 * DiagramLayout.padding
        let size = DiagramLayout.fontSize
        #expect(FontMetrics.width(box.title, isBold: true) * size <= width)
        for row in box.rows {
          #expect((FontMetrics.width(row.name) + FontMetrics.width(row.type)) * size + 12 <= width)
        }
      }
    }
  }

  @Test("vertical parts of lines do not lie on each other")
  func tracks() throws {
    for model in try Self.models() {
      var spans: [Double: [(Double, Double)]] = [:]
      for line in DiagramLayout(DiagramGraph(model)).lines {
        for (a, b) in zip(line.points, line.points.dropFirst()) where a.x == b.x && a.y != b.y {
          let span = (min(a.y, b.y), max(a.y, b.y))
          for other in spans[a.x, default: []] {
            #expect(span.1 <= other.0 || other.1 <= span.0, "\(model.name)")
          }
          spans[a.x, default: []].append(span)
        }
      }
    }
  }

  private static let shop = #"""
    { "copal": 1, "model": "Shop", "entities": {
      "Item": { "abstract": true, "doc": "What is < sold & bought.", "attributes": { "name": "string" } },
      "Book": { "parent": "Item", "attributes": { "pages": "integer16?" },
        "relationships": { "author": { "type": "Person?", "inverse": "books" } } },
      "Person": { "attributes": { "name": "string" },
        "relationships": { "books": { "type": "[Book]", "inverse": "author" }, "friends": { "type": "[Person]", "inverse": "friends" } } } } }
    """#

  @Test("the same model for Mermaid and for Graphviz")
  func otherFormats() throws {
    let model = try ManagedObjectModel(json: Self.shop, file: "Shop.model.json")
    #expect(
      ModelDiagram.mermaid(model) == """
        classDiagram
          class Item {
            <<abstract>>
            string name
          }
          class Book {
            integer16? pages
          }
          class Person {
            string name
          }
          Item <|-- Book
          Book "*" -- "0..1" Person : author, books
          Person "*" -- "*" Person : friends

        """)
    #expect(
      ModelDiagram.dot(model) == #"""
        digraph "Shop" {
          rankdir=LR;
          node [shape=record, fontname="Helvetica"];
          "Item" [label="Item|name: string\l"];
          "Book" [label="Book|pages: integer16?\l"];
          "Person" [label="Person|name: string\l"];
          "Book" -> "Item" [arrowhead=empty];
          "Book" -> "Person" [dir=both, arrowtail=crow, arrowhead=none, label="author, books"];
          "Person" -> "Person" [dir=both, arrowtail=crow, arrowhead=crow, label="friends"];
        }

        """#)
  }

  @Test("the drawing has each box with its documentation, and a frame around the family")
  func svg() throws {
    let model = try ManagedObjectModel(json: Self.shop, file: "Shop.model.json")
    let text = ModelDiagram.svg(model)
    for part in [
      "<g id=\"Item\">\n<title>What is &lt; sold &amp; bought.</title>", "<g id=\"Person\">",
      "prefers-color-scheme: dark", "class=\"frame\"", "name abstract",
    ] { #expect(text.contains(part), "\(part)") }
    #expect(text.components(separatedBy: "class=\"frame\"").count == 2)
  }
}
