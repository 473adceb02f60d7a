import Testing

@Suite("Generated enums")
struct EnumCodeTests {
  @Test("an attribute with cases has a nested enum as the type of its property")
  func code() throws {
    let text = try pigmentCode(
      attributes: """
        "form": { "type": "string", "cases": { "powder": "p", "class": "k\\"" } },
        "grade": { "type": "integer32?", "enum": "Quality", "cases": { "low": 1, "high": -2 } }
        """, model: #""access": "public","#)
    let expected = [
      """
        @inlinable
        public var form: Pigment.Form {
          get { _copalRead(0) }
          set { _copalWrite(0, newValue) }
        }
      """,
      """
        public var grade: Pigment.Quality? {
          get { _copalReadOptional(1) }
          set { _copalWrite(1, newValue) }
        }
      """,
      """
        /// The values of `form`.
        public nonisolated enum Form: AttributeEnum, Comparable {
          case powder
          case `class`
          /// A raw value that no case has. It is kept while the attribute is not set, and a save refuses it as a new value.
          case unrecognized(String)

          /// The cases of the model, without the unrecognized one.
          public static let allCases: [Form] = [.powder, .`class`]

          @inlinable
          public init(rawValue: String) {
            switch rawValue {
            case "p": self = .powder
            case "k\\"": self = .`class`
            default: self = .unrecognized(rawValue)
            }
          }

          @inlinable
          public var rawValue: String {
            switch self {
            case .powder: "p"
            case .`class`: "k\\""
            case .unrecognized(let rawValue): rawValue
            }
          }

          /// Whether the raw value of the first one is less, as a fetch sorts them.
          public static func < (a: Form, b: Form) -> Bool {
            a.rawValue < b.rawValue
          }
        }
      """,
      "case -2: self = .high",
      "convenience init(context: ManagedObjectContext, form: Pigment.Form)",
      "public var form: RequiredQueryAttribute<Pigment.Form> { .init(\"form\", _copalScope) }",
      "public var grade: QueryAttribute<Pigment.Quality> { .init(\"grade\", _copalScope) }",
    ]
    for part in expected { #expect(text.contains(part), "\(part)\n---\n\(text)") }
  }

  @Test("a class or another enum with the name of an enum is a clash")
  func clashes() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": {
        "Form": { "attributes": { "name": "string" } },
        "Pigment": { "attributes": {
          "form": { "type": "string", "cases": ["powder"] },
          "grade": { "type": "string", "enum": "Shade", "cases": ["low"] },
          "shade": { "type": "string", "cases": ["dark"] },
          "color": { "type": "transformable", "class": "[Tone]", "transformer": "T" },
          "tone": { "type": "string", "cases": ["warm"] }
        } }
      } }
      """)
    #expect(
      found.map { String($0.prefix(23)) } == [4, 5, 6, 8].map { "Atelier.model.json:\($0):5:" })
    #expect(found.allSatisfy { $0.hasSuffix("[codegen.nameClash]") })
  }

  @Test("an enum of an ancestor, and a property with the name of an enum, are clashes")
  func inheritedClashes() throws {
    let found = try problems(
      """
      { "copal": 1, "model": "Atelier", "entities": {
        "Material": { "attributes": {
          "form": { "type": "string", "cases": ["powder"] },
          "Grade": { "type": "string" }
        } },
        "Pigment": { "parent": "Material", "attributes": {
          "shape": { "type": "string", "enum": "Form", "cases": ["round"] },
          "grading": { "type": "string", "enum": "Grade", "cases": ["low"] },
          "tone": { "type": "string", "cases": ["warm"] }
        } }
      } }
      """)
    #expect(found.map { String($0.prefix(23)) } == [7, 8].map { "Atelier.model.json:\($0):5:" })
    #expect(found.allSatisfy { $0.hasSuffix("[codegen.nameClash]") })
  }
}
