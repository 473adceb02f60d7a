import Testing

@Suite("Imports of generated code")
struct ImportTests {
  static let transformable =
    #""color": { "type": "transformable?", "transformer": "T", "class": "Color" }"#

  /// Attributes, what the model says of imports and access, and the imports of the code.
  static let cases: [(attributes: String, model: String, lines: [String])] = [
    (#""a": "string""#, "", ["import Copal"]),
    // Copal exports Foundation's types of attributes.
    (#""a": "date""#, "", ["import Copal"]),
    (#""a": "date""#, #""access": "public","#, ["public import Copal"]),
    (
      transformable, #""imports": ["Paint", "CoreUI.in", "Copal", "Foundation"],"#,
      ["import Copal", "import CoreUI.`in`", "import Foundation", "import Paint"]
    ),
    (
      transformable, #""imports": ["Paint"], "access": "public","#,
      ["public import Copal", "public import Paint"]
    ),
    // A public import that no public declaration uses would be warned of.
    (
      #""a": "string""#, #""imports": ["Paint"], "access": "public","#,
      ["public import Copal", "import Paint"]
    ),
    // One declaration of a module; those of a module that is imported publicly have its access.
    (
      transformable, #""imports": ["struct Foundation.Locale", "func Paint.in", "Paint"],"#,
      ["import Copal", "import struct Foundation.Locale", "import Paint", "import func Paint.`in`"]
    ),
    (
      #""a": "date""#, #""imports": ["struct Foundation.URL", "let Paint.x"], "access": "public","#,
      ["public import Copal", "import let Paint.x"]
    ),
    // The module that the code is part of.
    (transformable, #""imports": ["struct Atelier.Color"],"#, ["import Copal"]),
    (transformable, #""imports": ["Atelier"],"#, ["import Copal"]),
  ]

  @Test("generated code imports exactly the modules that it needs", arguments: cases)
  func imports(attributes: String, model: String, lines: [String]) throws {
    let text = try pigmentCode(attributes: attributes, model: model, module: "Atelier")
    let found = text.split(separator: "\n").filter {
      $0.hasPrefix("import ") || $0.hasPrefix("public import ")
    }
    #expect(found.map(String.init) == lines)
  }
}
