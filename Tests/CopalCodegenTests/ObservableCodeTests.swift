import CopalCodegen
import CopalModel
import Foundation
import Testing

@Suite("Observable classes")
struct ObservableCodeTests {
  private static let model = """
    {
      "copal": 1, "model": "Atelier", "access": "public",
      "entities": {
        "Work": {
          "observable": true,
          "attributes": { "title": "string", "code": { "type": "string?", "accessor": "custom" } },
          "relationships": { "maker": { "type": "Maker?", "inverse": "works" } }
        },
        "Sketch": {
          "parent": "Work", "codegen": "extension", "attributes": { "size": "double?" }
        },
        "Maker": {
          "attributes": { "name": "string" },
          "relationships": { "works": { "type": "[Work]", "inverse": "maker" } }
        },
        "Shop": {
          "observable": true, "codegen": "extension",
          "relationships": { "works": { "type": "[Work]" } }
        }
      }
    }
    """

  @Test("getters say that they are read")
  func getters() throws {
    let code = try code(Self.model)
    for text in [
      "public nonisolated class Work: ObservableManagedObject {",
      "get { _copalAccess(\\Work.title); return _copalRead(0) }",
      "get { _copalAccess(\\Work.primitiveCode); return _copalReadOptional(1) }",
      "get { _copalAccess(\\Work.maker); return _copalToOne(2) }",
      "get { _copalAccess(\\Sketch.size); return _copalReadOptional(3) }",
      """
        public var works: ToMany<Work> {
          get { _copalAccess(\\Shop.works); return ToMany(_copal: self, 0) }
          set { _copalSetToMany(0, newValue) }
        }
      """,
      "Write the class: nonisolated public final class Sketch: Work {}",
      "Write the class: nonisolated public final class Shop: ObservableManagedObject {}",
    ] {
      #expect(code.contains(text), "\(text)\n\(code)")
    }
  }

  @Test("the first class of a family notifies for all of it")
  func notification() throws {
    #expect(
      try code(Self.model).contains(
        """
          public static func _copalNotify(
            _ event: ObservedEvent, of property: Int, _ object: ManagedObject
          ) {
            if let object = object as? Work {
              switch property {
              case 0: event.notify(object, \\Work.title)
              case 1: event.notify(object, \\Work.primitiveCode)
              case 2: event.notify(object, \\Work.maker)
              default: break
              }
            }
            if let object = object as? Sketch {
              switch property {
              case 3: event.notify(object, \\Sketch.size)
              default: break
              }
            }
          }
        """))
  }

  @Test("other classes have none of it")
  func others() throws {
    let code = try code(Self.model)
    let start = try #require(code.range(of: "class Maker"))
    let end = try #require(code.range(of: "extension Shop {\n"))
    let maker = code[start.lowerBound..<end.lowerBound]
    #expect(maker.contains("class Maker: ManagedObject {"))
    #expect(!maker.contains("Access") && !maker.contains("Notify"))
  }
}
