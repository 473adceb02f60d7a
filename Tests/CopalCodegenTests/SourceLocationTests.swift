import CopalCodegen
import CopalModel
import Testing

/// The compiler reports what it does not find at the line of the model that names it.
@Suite("Generated code gives the compiler the lines of the model")
struct SourceLocationTests {
  private let json = """
    {
      "copal": 1, "model": "Atelier",
      "imports": [
        "Paint",
        "struct CoreUI.Tint"
      ],
      "entities": {
        "Pigment": {
          "attributes": {
            "color": {
              "type": "transformable", "transformer": "T",
              "class": "Paint.Color"
            },
            "tint": {
              "type": "transformable?", "transformer": "U", "accessor": "custom",
              "class": "[Tint]"
            }
          }
        },
        "Brush": {
          "codegen": "extension", "class": "PaintBrush",
          "attributes": { "width": "double" }
        }
      }
    }
    """

  private func lines(of text: String, after line: Int) -> [String] {
    let all = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let head = "#sourceLocation(file: \"Models/Atelier.model.json\", line: \(line))"
    return all.indices.filter { all[$0] == head }.map { all[$0 + 1] }
  }

  @Test("An import has the line of its name in the list")
  func imports() throws {
    let text = try code(json)
    #expect(lines(of: text, after: 4) == ["import Paint"])
    #expect(lines(of: text, after: 5) == ["import struct CoreUI.Tint"])
  }

  @Test("A transformable property, and the initializer that takes one, have the line of the class")
  func classes() throws {
    let text = try code(json)
    #expect(
      lines(of: text, after: 12) == [
        "  var color: Paint.Color? { get { _copalReadTransformable(0) } "
          + "set { _copalWriteTransformable(0, newValue) } }",
        "  convenience init(context: ManagedObjectContext, color: Paint.Color) {",
      ])
    // The comment has a line of its own, so that the property has line 16.
    #expect(
      lines(of: text, after: 15) == [
        "  /// The value of `tint` for its accessor. Setting it is not yet a change."
      ])
    #expect(
      text.contains(
        "not yet a change.\n  var primitiveTint: [Tint]? { get { _copalReadTransformable(1) } "
          + "set { _copalWriteTransformable(1, newValue, isPrimitive: true) } }\n#sourceLocation()\n"
      ))
    // The class is named nowhere else: the compiler has nothing to report a second time.
    #expect(text.contains(##"valueTypes: ["color": \.color, "tint": \.primitiveTint]"##))
  }

  @Test("A class to write has one line, before all code, at the line that asks for it")
  func extensions() throws {
    let text = try code(json)
    let line =
      "nonisolated extension PaintBrush {}"
      + "  // Write the class: nonisolated final class PaintBrush: ManagedObject {}"
    #expect(lines(of: text, after: 21) == [line])
    let place = try #require(text.ranges(of: line).first?.lowerBound)
    let uses = text.ranges(of: "PaintBrush").filter { $0.lowerBound < place }
    #expect(uses.isEmpty && !text[..<place].contains("class "))
  }

  @Test("Every location ends, and other declarations have none")
  func ends() throws {
    let text = try code(json)
    let starts = text.ranges(of: "#sourceLocation(file:").count
    #expect(starts == 6 && text.ranges(of: "#sourceLocation()").count == starts)
    let plain = try pigmentCode(attributes: #""name": "string", "added": "date""#)
    #expect(!plain.contains("#sourceLocation"))
  }

  @Test(
    "A path that Swift cannot write as it is, or a text that is not known, gives no location",
    arguments: ["a\"b.model.json", "a\\b.model.json", "a\nb.model.json"])
  func paths(file: String) throws {
    #expect(!(try code(json, file: file)).contains("#sourceLocation"))
    let model = try ManagedObjectModel(json: json, file: "Atelier.model.json")
    let text = try CodeGenerator(model, file: "Atelier.model.json").swiftText()
    #expect(!text.contains("#sourceLocation"))
  }

  @Test("Two classes of one initializer leave it without a location: it has one line")
  func twoClasses() throws {
    let text = try pigmentCode(
      attributes: """
        "a": { "type": "transformable", "transformer": "T", "class": "A" },
        "b": { "type": "transformable", "transformer": "U", "class": "B" }
        """)
    #expect(text.contains("saved without.\n  convenience init("))
  }
}
