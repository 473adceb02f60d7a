import Foundation
import Testing

@Suite("Generated code of entities with a parent")
struct FamilyCodeTests {
  /// Four generations: what each has as its code, and the declarations that the generator makes of
  /// them.
  static let lines: [(codegen: [String], declarations: [String])] = [
    (
      ["class", "class", "class", "class"],
      [
        "class A: ManagedObject {", "class B: A {", "class C: B {", "final class D: C {",
      ]
    ),
    (
      ["extension", "class", "extension", "class"],
      [
        "extension A {}  // Write the class: nonisolated class A: ManagedObject {}",
        "extension C {}  // Write the class: nonisolated class C: B {}", "class B: A {",
        "final class D: C {",
      ]
    ),
    (
      ["none", "class", "none", "class"],
      ["class B: ManagedObject {", "final class D: B {"]
    ),
    (
      ["class", "none", "none", "extension"],
      [
        "extension D {}  // Write the class: nonisolated final class D: A {}",
        "class A: ManagedObject {",
      ]
    ),
    (["none", "none", "none", "class"], ["final class D: ManagedObject {"]),
    (
      ["class", "class", "class", "none"],
      ["class A: ManagedObject {", "class B: A {", "class C: B {"]
    ),
    (["none", "none", "none", "none"], []),
  ]

  private func family(_ codegen: [String], access: String = "internal") throws -> String {
    let names = ["A", "B", "C", "D"]
    let entities = names.indices.map { index in
      let parent = index == 0 ? "" : #""parent": "\#(names[index - 1])","#
      let own = names[index].lowercased()
      return """
        "\(names[index])": { \(parent) "codegen": "\(codegen[index])",
          "attributes": { "\(own)": "string" },
          "relationships": { "other\(names[index])": { "type": "\(names[index])?" } } }
        """
    }
    return try code(
      """
      { "copal": 1, "model": "Atelier", "access": "\(access)",
        "entities": { \(entities.joined(separator: ",\n")) } }
      """)
  }

  @Test("a class inherits from that of the nearest ancestor with code", arguments: lines)
  func superclasses(codegen: [String], declarations: [String]) throws {
    let text = try family(codegen)
    let heads = ["nonisolated class ", "nonisolated final class "]
    let found = text.split(separator: "\n").filter { line in
      heads.contains(where: line.hasPrefix)
        || line.contains("// Write the class")
    }
    var seen: Set<Substring> = []
    #expect(
      found.filter { seen.insert($0).inserted } == declarations.map { "nonisolated \($0)" })
  }

  @Test("a class has the properties of ancestors that have no class")
  func properties() throws {
    let text = try family(["class", "none", "none", "class"])
    let parts = text.components(separatedBy: "final class D: A {")
    let d = try #require(parts.last?.components(separatedBy: "\n}\n").first)
    for slot in ["b", "c", "d"] { #expect(d.contains("  var \(slot): String {")) }
    #expect(!d.contains("  var a: String {"))
    // In the order of their slots: those of A come first, each entity with its attribute and its
    // reference.
    #expect(d.contains("get { _copalRead(2) }") && d.contains("get { _copalToOne(3) }"))
    #expect(d.contains("get { _copalRead(6) }") && d.contains("get { _copalToOne(7) }"))
    #expect(
      d.contains(
        "convenience init(context: ManagedObjectContext, a: String, b: String, c: String, d: String)"
      ))
    // The class of a relationship to an entity without a class is that of an ancestor.
    #expect(d.contains("var otherB: A? {") && d.contains("var otherC: A? {"))
    #expect(text.contains("\"otherA\"") && text.contains("static let otherC = \"otherC\""))
  }

  @Test("a public family has public classes, which conditions name in public functions")
  func access() throws {
    let text = try family(["class", "class", "class", "class"], access: "public")
    #expect(text.contains("public nonisolated class A: ManagedObject {"))
    #expect(text.contains("public nonisolated final class D: C {"))
    #expect(text.contains("public final var a: String {"))
    #expect(
      text.contains(
        "  public func isKind(of type: D.Type) -> FetchPredicate { _copalScope.isKind(\"D\") }"))
    #expect(
      text.contains(
        "  public func `as`(_ type: D.Type) -> QuerySubentity<D> { .init(\"D\", _copalScope) }"))
    #expect(!text.contains("isKind(of type: A.Type)"))
  }

  @Test("a class of a family inherits Identifiable and QueryableObject from the first class")
  func conformances() throws {
    let text = try family(["none", "class", "none", "class"])
    #expect(text.contains("extension B: QueryableObject, Identifiable {"))
    #expect(!text.contains("extension D: QueryableObject"))
    #expect(
      text.contains(
        "extension QueryProperties where Object: B {\n  /// Whether the class of the object is `D` or a subclass of it."
      ))
  }

  @Test(
    "the first class of a family lists the key paths of each class, with inherited properties again"
  )
  func keyPaths() throws {
    let text = try family(["class", "extension", "none", "class"])
    let added = text.split(separator: "\n").filter { $0.contains("paths.add(") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
    #expect(text.ranges(of: "_copalKeyPaths").count == 1)
    #expect(
      added == [
        #"paths.add(A.self, entity: "A")"#, #"paths.add(id: \A.objectID)"#,
        #"paths.add(id: \A.id)"#, #"paths.add(\A.a, "a")"#, #"paths.add(\A.otherA, "otherA")"#,
        #"paths.add(B.self, entity: "B")"#, #"paths.add(id: \B.objectID)"#,
        #"paths.add(id: \B.id)"#, #"paths.add(\B.a, "a")"#, #"paths.add(\B.b, "b")"#,
        #"paths.add(\B.otherA, "otherA")"#, #"paths.add(\B.otherB, "otherB")"#,
        #"paths.add(D.self, entity: "D")"#, #"paths.add(id: \D.objectID)"#,
        #"paths.add(id: \D.id)"#, #"paths.add(\D.a, "a")"#, #"paths.add(\D.b, "b")"#,
        #"paths.add(\D.c, "c")"#, #"paths.add(\D.d, "d")"#, #"paths.add(\D.otherA, "otherA")"#,
        #"paths.add(\D.otherB, "otherB")"#, #"paths.add(\D.otherC, "otherC")"#,
        #"paths.add(\D.otherD, "otherD")"#,
      ])
  }
}
